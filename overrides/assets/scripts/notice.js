"use strict";
// Says plainly when what the reader does will not last, and offers it as a file.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { store } = gdr;
  const TOLD = {
    blocked: "This browser blocks storage for this site: what you do here lasts until you leave the page.",
    full: "This browser's storage is full: what you do from now on lasts until you leave the page.",
    failing: "This browser's storage does not answer: what you do from now on lasts until you leave the page.",
    newer: "Your progress was saved by a newer version of this site. It is left as it is; reload the page to get that version.",
    short: "Safari deletes what a site stores when you have not visited it for seven days.",
    file: "Opened from disk, Firefox keeps what you do for each page by itself, so the board cannot see it.",
  };

  /** What cannot be read goes along under the name of a kept text: import refuses it under any other. */
  const named = (key, text, now) =>
    key.startsWith("aside:") || store.unpack(key.split("/")[0], text)[0] ? key : `aside:${key}@${now}`;

  /** Everything that is stored, as a text that import reads. Values stay as they are stored, whoever wrote them. */
  gdr.exported = (now) => {
    const texts = store.keys().map((key) => [key, store.text(key)]);
    const items = Object.fromEntries(texts.map(([key, text]) => [named(key, text, now), text]));
    return JSON.stringify({ format: store.site, schema: 1, exported: new Date(now).toISOString(), items }, null, 1);
  };

  const download = () => {
    gdr.pad?.flush();
    const now = Date.now();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([gdr.exported(now)], { type: "application/json" }));
    link.download = `${store.site}-${new Date(now).toISOString().slice(0, 10)}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  const render = () => {
    const told = TOLD[store.trouble || store.life];
    for (const notice of document.querySelectorAll("[data-notice]")) {
      notice.hidden = !told;
      notice.firstElementChild.textContent = told ?? "";
    }
  };

  document.addEventListener("click", ({ target }) => target.closest("[data-export]") && download());
  document.addEventListener("gdr-trouble", render);
  render();
})();
