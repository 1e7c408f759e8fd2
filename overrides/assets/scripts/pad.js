"use strict";
// The scratchpad: a text for each step, saved while it is typed, and shown again beside the model answer of that step.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { store, progress } = gdr;

  store.register("pad", {
    version: 1,
    migrate: {},
    check: (data) => progress.isMap(data, progress.isText),
    // Both texts where neither holds the other: nothing that was written is lost.
    merge: (ours = {}, theirs = {}) => {
      const both = { ...theirs, ...ours };
      for (const [step, text] of Object.entries(theirs)) {
        const mine = ours[step] ?? "";
        both[step] = mine.includes(text) ? mine : text.includes(mine) ? text : `${mine}\n\n${text}`;
      }
      return both;
    },
  });

  const fields = [...document.querySelectorAll("textarea[data-pad]")];
  if (!fields.length) return;

  const save = (field) => {
    if (!field.dataset.changed) return;
    delete field.dataset.changed;
    store.update("pad", gdr.design, (pad = {}) => ({ ...pad, [field.dataset.pad]: field.value }));
  };

  const render = () => {
    const pad = store.get("pad", gdr.design) ?? {};
    for (const field of fields) {
      const text = pad[field.dataset.pad] ?? "";
      // What is being typed here is newer than what is stored.
      if (!field.dataset.changed && field.value !== text) field.value = text;
      const words = text.trim() ? text.trim().split(/\s+/).length : 0;
      field.closest("details").querySelector("[data-count]").textContent = words ? ` · ${words}` : "";
      const shown = document.querySelector(`[data-yours="${field.dataset.pad}"]`);
      shown.hidden = !words;
      shown.lastElementChild.textContent = text;
    }
  };

  for (const field of fields) {
    let later;
    field.addEventListener("input", () => {
      field.dataset.changed = "1";
      clearTimeout(later);
      later = setTimeout(save, 400, field);
    });
    field.addEventListener("blur", () => save(field));
  }
  for (const leaving of ["pagehide", "visibilitychange"]) {
    (leaving === "pagehide" ? window : document).addEventListener(leaving, () => fields.forEach(save));
  }

  let current = null;
  gdr.pad = {
    /** Mark the step that the clock is at, and open its page the moment it begins. */
    at: (phase) => {
      if (phase === current) return;
      current = phase;
      for (const [at, field] of fields.entries()) {
        const step = field.closest("li");
        if (at === phase) step.setAttribute("aria-current", "step");
        else step.removeAttribute("aria-current");
        if (at === phase) field.closest("details").open = true;
      }
    },
    flush: () => fields.forEach(save),
  };
  store.watch("pad", render);
  render();
})();
