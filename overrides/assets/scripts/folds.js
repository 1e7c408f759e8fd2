"use strict";
// What is folded, decided before anything is painted: this runs in the head, and opens each fold as the parser makes it.
// A fold that the reader opened stays open on the next visit; an exam keeps all of them shut.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { store, clock } = gdr;
  const root = document.documentElement;
  const { design, numbers } = document.currentScript.dataset;
  gdr.design = design;

  let loading = false;
  /** Fetch the scripts that change numbers, once; a script element works from disk, where nothing else does. */
  gdr.loadNumbers = () => {
    if (loading) return;
    loading = true;
    const script = document.createElement("script");
    script.src = numbers;
    document.head.append(script);
  };

  /** Sections of which there is one item for the whole site name it so. */
  gdr.SITE = "site";

  store.register("timer", {
    version: 1,
    migrate: {},
    check: clock.check,
    merge: (ours, theirs) => ours ?? theirs,
  });
  store.register("folds", {
    version: 1,
    migrate: {},
    check: (data) =>
      Array.isArray(data?.open) &&
      data.open.every((name) => typeof name === "string") &&
      typeof data.seen === "boolean" &&
      Number.isInteger(data.step),
    merge: (ours, theirs) => ours ?? theirs,
  });

  const REST = { open: [], seen: false, step: 0 };
  const folds = () => store.get("folds", design) ?? REST;

  /** Whether an exam on this page is going on. */
  const examined = () => {
    const timer = store.get("timer", gdr.SITE);
    if (timer?.design !== design || timer.mode !== "exam") return false;
    return clock.settle(timer, Date.now()).ended === null;
  };

  /** Note on the page's root whether an exam is on, and whether the reader has seen the answer or ended a round. */
  const mark = () => {
    const exam = examined();
    const timer = store.get("timer", gdr.SITE);
    const ended = timer?.design === design && clock.settle(timer, Date.now()).ended !== null;
    root.toggleAttribute("data-gdr-exam", exam);
    root.toggleAttribute("data-gdr-seen", !exam && (folds().seen || ended));
  };

  gdr.folds = {
    mark,
    examined,
    get step() {
      return folds().step;
    },
    set step(step) {
      store.update("folds", design, (data = REST) => (data.step === step ? data : { ...data, step }));
    },
    /** Open a group, or close it, and remember. */
    set: (name, open) => {
      // Closing keeps `seen`: what was read stays read.
      const seen = open && ["score", "answer"].includes(name);
      store.update("folds", design, (data = REST) =>
        data.open.includes(name) === open && (data.seen || !seen)
          ? data
          : {
              ...data,
              open: open ? [...data.open, name] : data.open.filter((one) => one !== name),
              seen: data.seen || seen,
            },
      );
      mark();
    },
    /** Close everything, as before the first attempt. */
    reset: () => {
      store.update("folds", design, () => undefined);
      for (const fold of document.querySelectorAll("details[data-fold][open], [data-fold] details[open]")) fold.open = false;
      mark();
    },
  };

  root.classList.add("gdr-js");
  if (!design) return;
  mark();
  // What the reader has left here changes how tall the page is; then its text is painted once, with all of it in place.
  const left = ["settings", "timer", "ticks", "pad", "attempts", "quiz"].some((section) =>
    [gdr.SITE, design].some((item) => store.text(`${section}/${item}`) !== null),
  );
  root.classList.toggle("gdr-wait", left);
  const { open, step } = root.hasAttribute("data-gdr-exam") ? REST : folds();
  const parsed = new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        if (node.nodeName !== "DETAILS") continue;
        if (open.includes(node.dataset.fold) || (step && node.id === `step-${step}`)) node.open = true;
      }
    }
  });
  parsed.observe(document, { childList: true, subtree: true });
  // By now the deferred scripts have run, or could not be had.
  document.addEventListener("DOMContentLoaded", () => {
    parsed.disconnect();
    root.classList.remove("gdr-wait");
  });
})();
