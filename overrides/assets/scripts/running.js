"use strict";
// On pages other than a round's: a round that is running shows its clock here too, and leads back.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { store, clock } = gdr;
  const link = document.querySelector(".gdr-running");
  if (!link) return;
  let tick;
  let asking = false;
  let over = false;
  const end = () => {
    over = true;
    link.nextElementSibling.textContent = "Time is up.";
    gdr.ring();
  };

  const render = () => {
    // Asking may note the time, of which every watcher is told, this one too.
    if (asking) return;
    asking = true;
    const timer = gdr.timer(end);
    asking = false;
    clearTimeout(tick);
    // An end that is noted here is said until the reader leaves; of another one the round's own page tells.
    over &&= Boolean(timer?.ended);
    link.hidden = !timer || (timer.ended !== null && !over);
    if (link.hidden) return;
    const { left } = clock.read(timer, Date.now());
    link.href = new URL(`designs/${timer.design}.html`, new URL(link.dataset.base, location));
    const at = over ? "time is up" : clock.text(left) + (timer.since === null ? ", paused" : "");
    link.textContent = `${timer.title} · ${at}`;
    if (timer.since !== null) tick = setTimeout(render, (left % 1000) + 20);
  };

  store.watch("timer", render);
  document.addEventListener("visibilitychange", render);
  render();
})();
