"use strict";
// Self-grade and prediction: ticks and notes saved as they are made, attempts saved on demand, the history of this design.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { store, progress, clock, SITE } = gdr;
  const { isMap, isText } = progress;

  const EMPTY = { ticks: {}, notes: {}, predictions: {}, saved: "" };
  store.register("attempts", progress.attempts);
  store.register("ticks", {
    version: 1,
    migrate: {},
    check: (data) =>
      isMap(data?.ticks, (ticked) => ticked === true) &&
      isMap(data.notes, isText) &&
      isMap(data.predictions, isText) &&
      isText(data.saved),
    merge: (ours = EMPTY, theirs = EMPTY) => ({
      ticks: { ...theirs.ticks, ...ours.ticks },
      notes: { ...theirs.notes, ...ours.notes },
      predictions: { ...theirs.predictions, ...ours.predictions },
      saved: ours.saved || theirs.saved,
    }),
  });

  const score = document.querySelector("[data-fold=score]");
  if (!score) return;
  const boxes = [...document.querySelectorAll(":is(.gdr-rubric, .gdr-ticks) input")];
  const texts = [...score.querySelectorAll("textarea[data-note]")];
  const guesses = [...score.querySelectorAll("[data-guess]")];
  const history = score.querySelector("[data-history]");
  const ids = [...new Set(boxes.map(({ name }) => name))];

  const current = () => store.get("ticks", gdr.design) ?? EMPTY;
  const change = (part, id, value) =>
    store.update("ticks", gdr.design, (data = EMPTY) => {
      const { [id]: _, ...others } = data[part];
      return { ...data, [part]: value ? { ...others, [id]: value } : others };
    });

  // Not by the browser's tables of languages: reading them in takes a slow phone a tenth of a second.
  const MONTHS = "January February March April May June July August September October November December".split(" ");
  const date = (time) => {
    const day = new Date(time);
    return `${day.getDate()} ${MONTHS[day.getMonth()]} ${day.getFullYear()}`;
  };

  const say = (text) => {
    score.querySelector("[data-told]").textContent = text;
  };

  /** Saving again replaces what the same sitting saved: until it is cleared, a new round begins, or the day is over. */
  const save = () => {
    gdr.pad?.flush();
    const { ticks, notes, predictions, saved } = current();
    const at = Date.now();
    const all = store.get("attempts", gdr.design) ?? [];
    const earlier = all.find((one) => one.id === saved && progress.day(one.at) === progress.day(at));
    const timer = store.get("timer", SITE);
    // A round's time counts for one attempt.
    const timed = timer?.design === gdr.design && !all.some((one) => one.id === timer.id && one !== earlier) ? timer : null;
    const spent = timed && clock.read(clock.settle(timed, at), at).spent;
    const attempt = {
      id: earlier?.id ?? timed?.id ?? at.toString(36),
      at,
      score: ids.filter((id) => ticks[id]).length,
      of: ids.length,
      minutes: spent ? Math.round(spent.reduce((sum, ms) => sum + ms, 0) / 60000) : (earlier?.minutes ?? null),
      ticks: ids.filter((id) => ticks[id]),
      notes,
      predictions,
      pad: store.get("pad", gdr.design) ?? {},
    };
    store.update("attempts", gdr.design, (all) => progress.attempts.merge([attempt], all));
    store.update("ticks", gdr.design, (data = EMPTY) => ({ ...data, saved: attempt.id }));
    const days = progress.due(attempt) - progress.day(at);
    const again = days === 1 ? "tomorrow" : `in ${days} days`;
    say(`Saved: ${attempt.score} of ${attempt.of}. Due again ${again}${store.trouble ? ", if this browser keeps it" : ""}.`);
  };

  const clear = () => {
    store.update("ticks", gdr.design, () => undefined);
    store.update("pad", gdr.design, () => undefined);
    say("");
  };

  const clearForNext = () => {
    clear();
    say("Cleared. What you saved stays below.");
    // The button that was pressed is gone.
    score.querySelector("[data-save]").focus();
  };

  gdr.rubric = {
    /** Make room for a new attempt: what is saved with the last one goes from the page. */
    clearSaved: () => {
      if (current().saved) clear();
    },
  };

  const line = (name, text) => {
    const part = document.createElement(name);
    part.textContent = text;
    return part;
  };

  const told = ({ ticks, of, notes, predictions, pad }) => {
    const list = document.createElement("ul");
    const guessed = [predictions.headline, predictions.binds && `${predictions.binds} binds`].filter(Boolean);
    if (guessed.length) list.append(line("li", `Predicted: ${guessed.join(", ")}`));
    for (const id of ids) {
      const label = boxes.find(({ name }) => name === id).labels[0].textContent.trim();
      if (!ticks.includes(id)) list.append(line("li", `Missed: ${label}`));
      if (notes[id]) list.append(line("li", `${label}: ${notes[id]}`));
    }
    for (const text of Object.values(pad)) if (text.trim()) list.append(line("li", text.trim()));
    if (ticks.length === of) list.prepend(line("li", `All ${of} points.`));
    return list;
  };

  const show = () => {
    const attempts = store.get("attempts", gdr.design) ?? [];
    history.hidden = !attempts.length;
    history.lastElementChild.replaceChildren(
      ...attempts.toReversed().map((attempt) => {
        const fold = document.createElement("details");
        const spent = attempt.minutes === null ? "" : ` · ${attempt.minutes} min`;
        fold.append(line("summary", `${date(attempt.at)} · ${attempt.score} of ${attempt.of}${spent}`), told(attempt));
        return fold;
      }),
    );
  };

  /** Minutes planned against spent, once the round has ended. */
  const pace = () => {
    const table = score.querySelector("[data-pacing]");
    const timer = store.get("timer", SITE);
    const cells = table.querySelectorAll("[data-spent]");
    // A round begun before a change of the site may have had other steps.
    const ended = timer?.design === gdr.design && timer.ended !== null && timer.plan.length === cells.length;
    table.hidden = !ended;
    if (!ended) return;
    for (const [at, cell] of cells.entries()) {
      const over = timer.spent[at] - timer.plan[at];
      const by = over >= 1000 ? `, ${clock.passed(over)} over` : "";
      cell.textContent = clock.passed(timer.spent[at]) + by;
    }
  };

  const render = () => {
    const { ticks, notes, predictions, saved } = current();
    for (const box of boxes) box.checked = ticks[box.name] === true;
    for (const field of texts) {
      const text = notes[field.dataset.note] ?? "";
      if (field !== document.activeElement && field.value !== text) field.value = text;
    }
    for (const field of guesses) {
      const guess = predictions[field.dataset.guess] ?? "";
      if (field.type === "radio") field.checked = field.value === guess;
      else if (field !== document.activeElement && field.value !== guess) field.value = guess;
    }
    const of = ids.filter((id) => ticks[id]).length;
    for (const count of document.querySelectorAll("[data-ticked]")) count.textContent = `${of} of ${ids.length}`;
    score.querySelector("[data-clear]").hidden = !saved;
    pace();
  };

  for (const box of boxes) box.addEventListener("change", () => change("ticks", box.name, box.checked));
  for (const field of texts) field.addEventListener("input", () => change("notes", field.dataset.note, field.value));
  for (const field of guesses) field.addEventListener("input", () => change("predictions", field.dataset.guess, field.value));
  score.querySelector("[data-save]").addEventListener("click", save);
  score.querySelector("[data-clear]").addEventListener("click", clearForNext);
  for (const section of ["ticks", "timer"]) store.watch(section, render);
  // Not with every tick of a box or of the clock: what the reader opened in it would close.
  store.watch("attempts", show);
  render();
  show();
})();
