"use strict";
// What the theme keeps from a keyboard or from a screen reader: the button that opens the drawer, and a landmark without a name.

(() => {
  const drawer = document.getElementById("__drawer");
  const label = document.querySelector(".md-header [for=__drawer]");
  if (!label) return;
  // Without scripts the label works for a pointer; no keyboard reaches it.
  const opener = document.createElement("button");
  opener.className = label.className;
  opener.type = "button";
  opener.dataset.drawer = "";
  opener.setAttribute("aria-label", "Pages");
  opener.append(...label.childNodes);
  label.replaceWith(opener);
  const tell = () => opener.setAttribute("aria-expanded", drawer.checked);
  opener.addEventListener("click", () => drawer.click());
  drawer.addEventListener("change", tell);
  tell();
  // The theme makes its copy buttons later than this.
  addEventListener("load", () => {
    for (const nav of document.querySelectorAll(".md-code__nav")) nav.setAttribute("role", "none");
  });
})();
