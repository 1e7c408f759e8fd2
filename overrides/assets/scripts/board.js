"use strict";
// The board on the home page: scores, what is due, what comes next; and the reader's data as a file.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { store, progress, backup } = gdr;
  const board = document.querySelector(".gdr-board");
  const tools = document.querySelector("[data-tools]");
  const part = (name) => tools.querySelector(`[data-part=${name}]`);
  const rows = [...board.querySelectorAll("li[data-design]")];
  const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;

  const state = ({ best, last, dueIn }) => {
    if (!last) return "Not tried yet";
    const scores = last.score === best ? `Best and last ${best} of ${last.of}` : `Best ${best}, last ${last.score} of ${last.of}`;
    if (dueIn > 0) return `${scores} · due ${dueIn === 1 ? "tomorrow" : `in ${dueIn} days`}`;
    return `${scores} · due ${dueIn === 0 ? "today" : `since ${count(-dueIn, "day", "days")}`}`;
  };

  const render = () => {
    const ids = rows.map((row) => row.dataset.design);
    const { rounds, next, days } = progress.board(ids, (id) => store.get("attempts", id) ?? [], Date.now());
    for (const [at, round] of rounds.entries()) {
      const told = rows[at].querySelector("[data-state]");
      told.textContent = state(round);
      rows[at].classList.toggle("gdr-next", round.id === next);
      rows[at].classList.toggle("gdr-due", round.dueIn !== null && round.dueIn <= 0);
    }
    const name = rows[ids.indexOf(next)]?.querySelector("a").textContent;
    const practised = days ? `You have practised on ${count(days, "day", "days")}. ` : "";
    document.querySelector("[data-summary]").textContent = name ? `${practised}Next: ${name}.` : practised;
  };

  let items = null;
  const show = (name) => {
    for (const one of ["preview", "confirm"]) part(one).hidden = one !== name;
  };
  const say = (text) => {
    part("told").textContent = text;
  };

  const chosen = async ({ target }) => {
    const [file] = target.files;
    // So that choosing the same file again is a change.
    const text = file ? await file.text() : null;
    target.value = "";
    if (text === null) return;
    const found = backup.read(text);
    items = found.items ?? null;
    show(items ? "preview" : "");
    if (!items) {
      say(`“${file.name}” was not imported: ${found.reason} Nothing was changed.`);
      return;
    }
    const { attempts, fresh, rounds, entries } = backup.preview(items);
    say("");
    part("holds").textContent =
      `“${file.name}” holds ${count(attempts, "attempt", "attempts")} (${fresh} not here yet), ticks or notes of ` +
      `${count(rounds, "round", "rounds")}, ${count(entries, "entry", "entries")} in all.`;
    part("preview").querySelector("button").focus();
  };

  const take = (replace) => {
    const reason = backup.apply(items, replace);
    say(reason || (replace ? "Replaced by what the file holds." : "Merged with what the file holds."));
    show("");
    part("import").focus();
  };

  const actions = {
    merge: () => take(false),
    replace: () => take(true),
    cancel: () => {
      show("");
      say("Nothing was changed.");
      part("import").focus();
    },
    ask: () => {
      const entries = store.keys().length;
      part("count").textContent = count(entries, "entry", "entries");
      show("confirm");
      part("confirm").querySelector("button").focus();
    },
    reset: () => {
      backup.reset();
      show("");
      say("Deleted. Nothing of this site is left in this browser.");
      part("import").focus();
    },
  };

  part("import").addEventListener("click", () => part("file").click());
  part("file").addEventListener("change", chosen);
  tools.addEventListener("click", ({ target }) => actions[target.closest("button[data-action]")?.dataset.action]?.());
  store.watch("attempts", render);
  // A tab that was left open overnight shows another day.
  document.addEventListener("visibilitychange", render);
  render();
})();
