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

  const follow = () => {
    try {
      gdr.reveal(decodeURIComponent(location.hash.slice(1)));
    } catch (error) {
      // A lone % leads nowhere, and must not keep the other parts from starting.
      if (!(error instanceof URIError)) throw error;
    }
  };

  /** An exam's answer to whoever opens a fold. */
  const refuse = (fold) => {
    fold.open = false;
    // While the page loads there is nothing yet to say it.
    document.querySelector("gdr-round").say?.("Exam: this stays folded until the time is up or you press Done.");
  };

  if (gdr.design) {
    // `toggle` does not bubble. It also comes after a link or find-in-page has opened a fold.
    document.addEventListener(
      "toggle",
      ({ target }) => {
        if (!target.dataset?.fold) return;
        if (target.open && gdr.folds.examined()) refuse(target);
        else gdr.folds.set(target.dataset.fold, target.open);
        if (target.open) gdr.loadNumbers();
      },
      true,
    );
    const opened = [...document.querySelectorAll("details[data-fold][open]")];
    // What the address opened before this listened.
    if (gdr.folds.examined()) opened.forEach(refuse);
    // Changes that came with the address show in the prompt too.
    if (opened.length || location.search) gdr.loadNumbers();
    document.addEventListener("click", (event) => {
      const fold = event.target.closest("summary")?.parentElement;
      if (fold?.dataset.fold && !fold.open && gdr.folds.examined()) {
        event.preventDefault();
        refuse(fold);
      } else if (event.target.closest("[data-anyway]")) {
        gdr.reveal("answer");
        // The button goes away, and the focus with it.
        document.getElementById("answer").closest("summary").focus();
      } else if (event.target.closest("a[href^='#']")?.hash === location.hash) {
        // Following the same link twice changes no hash.
        follow();
      }
    });
    addEventListener("hashchange", follow);
    if (location.hash) follow();
  }
})();
