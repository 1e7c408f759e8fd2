"use strict";
// On pages other than a round's: a round that is running shows its clock here too, and leads back.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { store, clock } = gdr;
  const link = document.querySelector(".gdr-running");
  if (!link) return;
  let tick;
  let asking = false;

  const render = () => {
    // Asking may note the time, of which every watcher is told, this one too.
    if (asking) return;
    asking = true;
    const timer = gdr.timer(gdr.ring);
    asking = false;
    clearTimeout(tick);
    link.hidden = !timer || timer.ended !== null;
    if (link.hidden) return;
    const { left } = clock.read(timer, Date.now());
    link.href = new URL(`designs/${timer.design}.html`, new URL(link.dataset.base, location));
    link.textContent = `${timer.title} · ${clock.text(left)}${timer.since === null ? ", paused" : ""}`;
    if (timer.since !== null) tick = setTimeout(render, (left % 1000) + 20);
  };

  store.watch("timer", render);
  document.addEventListener("visibilitychange", render);
  render();
})();
