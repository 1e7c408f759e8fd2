"use strict";
// The round's clock as plain data and pure functions: every one takes a state and the time, and returns a new state.
//
//   {id, design, title, mode, plan: [ms], spent: [ms], phase, since, seen, ended}
//
// `since` is when the present stretch began, null while paused; `seen` is the latest time at which any tab looked; `ended` is
// when the round ended, null before. Times are epoch milliseconds: no count of ticks, so a hidden tab or a closed laptop
// shows the right time the moment it is back.

(() => {
  const gdr = (globalThis.gdr ??= {});

  const sum = (all) => all.reduce((total, one) => total + one, 0);
  const isTime = (value) => Number.isFinite(value) && value >= 0 && value <= 8.64e15;
  /** No step takes longer than a day. */
  const isLength = (value) => isTime(value) && value <= 864e5;

  /** How far a clock may be behind what was seen before someone must have set it back; ordinary corrections are smaller. */
  const SET_BACK = 2000;

  /** Milliseconds of the present stretch: never negative, and never past the end of the round. */
  const stretch = ({ since, plan, spent }, now) =>
    since === null ? 0 : Math.min(Math.max(now - since, 0), sum(plan) - sum(spent));

  const banked = (state, now) => state.spent.map((ms, at) => (at === state.phase ? ms + stretch(state, now) : ms));

  gdr.clock = {
    check: (state) =>
      typeof state?.id === "string" &&
      // It becomes part of an address.
      typeof state.design === "string" &&
      /^[a-z0-9-]+$/.test(state.design) &&
      typeof state.title === "string" &&
      ["practice", "exam"].includes(state.mode) &&
      [state.plan, state.spent].every((all) => Array.isArray(all) && all.length && all.every(isLength)) &&
      state.plan.length === state.spent.length &&
      sum(state.spent) <= sum(state.plan) &&
      Number.isInteger(state.phase) &&
      state.phase >= 0 &&
      state.phase < state.plan.length &&
      isTime(state.seen) &&
      (state.since === null || (isTime(state.since) && state.since <= state.seen && state.ended === null)) &&
      (state.ended === null || isTime(state.ended)),

    start: (design, title, mode, plan, now) => ({
      id: `${now.toString(36)}-${Math.floor(Math.random() * 2 ** 30).toString(36)}`,
      design,
      title,
      mode,
      plan,
      spent: plan.map(() => 0),
      phase: 0,
      since: now,
      seen: now,
      ended: null,
    }),

    /** Bring a state up to the present: note the end, and take out the jump of a clock that was set back. */
    settle: (state, now) => {
      if (state.ended !== null || state.since === null) return state;
      const jump = now - state.seen;
      const since = jump < -SET_BACK ? state.since + jump : state.since;
      const held = { ...state, since, seen: jump < -SET_BACK ? now : Math.max(state.seen, now) };
      const spent = banked(held, now);
      const left = sum(held.plan) - sum(spent);
      return left > 0 ? held : { ...held, spent, since: null, ended: since + stretch(held, now) };
    },

    pause: (state, now) => (state.ended === null ? { ...state, spent: banked(state, now), since: null, seen: now } : state),

    resume: (state, now) => (state.ended === null && state.since === null ? { ...state, since: now, seen: now } : state),

    next: (state, now) =>
      state.ended === null && state.phase < state.plan.length - 1
        ? { ...state, spent: banked(state, now), phase: state.phase + 1, since: state.since === null ? null : now, seen: now }
        : state,

    finish: (state, now) =>
      state.ended === null ? { ...state, spent: banked(state, now), since: null, seen: now, ended: now } : state,

    /** What to show: milliseconds left in the round and in the phase (negative: over), and per phase. */
    read: (state, now) => {
      const spent = banked(state, now);
      return {
        left: sum(state.plan) - sum(spent),
        phaseLeft: state.plan[state.phase] - spent[state.phase],
        spent,
        running: state.since !== null,
        ended: state.ended !== null,
      };
    },

    /** 2_699_001 → "45:00": a second that has begun counts, so a fresh clock shows its whole time. */
    text: (ms) => {
      const seconds = Math.ceil(Math.abs(ms) / 1000 - 1e-6);
      return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
    },

    /** Time that has passed, in whole seconds, so that it and the time left make up the whole. */
    passed: (ms) => gdr.clock.text(Math.floor(ms / 1000) * 1000),

    /** "11 minutes 24 seconds", for the ear. */
    words: (ms) => {
      const seconds = Math.ceil(Math.abs(ms) / 1000 - 1e-6);
      const part = (count, word) => (count ? `${count} ${word}${count === 1 ? "" : "s"}` : "");
      const told = [part(Math.floor(seconds / 60), "minute"), part(seconds % 60, "second")].filter(Boolean);
      return told.join(" ") || "no time";
    },

    /** The announcement that is due between two readings of the time left: 10, 5 or 1 minutes, the latest one. */
    due: (before, after) => [1, 5, 10].find((minutes) => after <= minutes * 60000 && minutes * 60000 < before) ?? null,
  };
})();
