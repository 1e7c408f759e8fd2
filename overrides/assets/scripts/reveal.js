"use strict";
// Opening and closing the groups of a page: by a press, by a link, by find-in-page; an exam answers presses with a word.

(() => {
  const gdr = (globalThis.gdr ??= {});

  /** Open whatever a link leads to and bring it into sight: its group, and the group whose heading it is. */
  gdr.reveal = (id) => {
    const target = document.getElementById(id);
    if (!target) return;
    for (let box = target; box; box = box.parentElement) {
      if (box.nodeName === "DETAILS" && (box !== target || box.matches(".gdr-step"))) box.open = true;
    }
    target.scrollIntoView();
  };

  const follow = () => gdr.reveal(decodeURIComponent(location.hash.slice(1)));

  if (gdr.design) {
    // `toggle` does not bubble. It also comes after find-in-page has opened a fold.
    document.addEventListener(
      "toggle",
      ({ target }) => target.dataset?.fold && gdr.folds.set(target.dataset.fold, target.open),
      true,
    );
    document.addEventListener("click", (event) => {
      const fold = event.target.closest("summary")?.parentElement;
      if (fold?.dataset.fold && !fold.open && gdr.folds.examined()) {
        event.preventDefault();
        document.querySelector("gdr-round").say("Exam: this stays folded until the time is up or you press Done.");
      } else if (event.target.closest("[data-anyway]")) gdr.reveal("answer");
      // Following the same link twice changes no hash.
      else if (event.target.closest("a[href^='#']")?.hash === location.hash) follow();
    });
    addEventListener("hashchange", follow);
    if (location.hash) follow();
  }
})();
