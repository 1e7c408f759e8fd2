"use strict";
// Attempts at rounds: when one is due again, and what the board says of them. Pure functions.

(() => {
  const gdr = (globalThis.gdr ??= {});

  /** Days until a round is due again, by its ticks: the least ticks of each class, then its days. */
  const AGAIN = [
    [7, 7],
    [5, 3],
    [0, 1],
  ];

  const isText = (value) => typeof value === "string";
  const isMap = (value, of) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(of);

  /** The reader's day, counted from 1970: days differ by whole numbers whatever daylight saving does. */
  const day = (time) => {
    const date = new Date(time);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 864e5;
  };

  const isAttempt = (one) =>
    isText(one?.id) &&
    Number.isFinite(one.at) &&
    one.at > 0 &&
    one.at < 8.64e15 &&
    Number.isInteger(one.score) &&
    Number.isInteger(one.of) &&
    one.score >= 0 &&
    one.score <= one.of &&
    (one.minutes === null || (Number.isFinite(one.minutes) && one.minutes >= 0)) &&
    Array.isArray(one.ticks) &&
    one.ticks.every(isText) &&
    [one.notes, one.predictions, one.pad].every((map) => isMap(map, isText));

  gdr.progress = {
    day,
    isMap,
    isText,

    /** Attempts of one design, oldest first. */
    attempts: {
      version: 1,
      migrate: {},
      check: (all) => Array.isArray(all) && all.every(isAttempt),
      merge: (ours = [], theirs = []) => {
        const byId = new Map([...theirs, ...ours].map((one) => [one.id, one]));
        return [...byId.values()].sort((a, b) => a.at - b.at);
      },
    },

    /** The day on which a round is due again after an attempt. */
    due: ({ at, score }) => day(at) + AGAIN.find(([least]) => score >= least)[1],

    /**
     * What the board shows, in the given order of designs.
     * @param {string[]} designs ids in the learner's order
     * @param {(id: string) => object[]} attemptsOf oldest first
     * @returns {object} `rounds` with best, last and dueIn (days, negative: overdue); `next` id; `days` practised
     */
    board: (designs, attemptsOf, now) => {
      const today = day(now);
      const days = new Set();
      const rounds = designs.map((id) => {
        const attempts = attemptsOf(id);
        for (const { at } of attempts) days.add(day(at));
        const last = attempts.at(-1);
        if (!last) return { id, best: null, last: null, dueIn: null };
        const best = Math.max(...attempts.map(({ score }) => score));
        return { id, best, last, dueIn: gdr.progress.due(last) - today };
      });
      // What is due comes first, the longest due before the others; then what was never tried; then what comes due next.
      const due = rounds.filter(({ dueIn }) => dueIn !== null && dueIn <= 0).sort((a, b) => a.dueIn - b.dueIn);
      const later = rounds.filter(({ dueIn }) => dueIn > 0).sort((a, b) => a.dueIn - b.dueIn);
      const next = due[0] ?? rounds.find(({ last }) => !last) ?? later[0];
      return { rounds, next: next?.id ?? "", days: days.size };
    },
  };
})();
