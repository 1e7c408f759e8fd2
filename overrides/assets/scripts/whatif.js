"use strict";
// What the reader changed, and every number that follows: the browser runs the program that the build recorded.
// Who shows any of them listens (places.js, fields.js, moves.js).

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { address } = gdr;
  const source = document.getElementById("gdr-program");
  if (!source) return;

  const program = JSON.parse(source.textContent);
  const shape = new Map();
  program.inputs.forEach((given, at) => shape.set(given.id, { ...given, at }));
  for (const step of program.steps) shape.set(step.id, step);
  const inputs = new Set(program.inputs.map(({ id }) => id));
  const names = new Set([...inputs, ...Object.keys(program.uses)]);
  const NONE = "none";

  /** Values of all inputs that chosen entries and changes set; a change of one input is stronger. */
  const resolve = (changes, uses) => {
    if (!Object.keys(uses).length) return { ...changes };
    const values = {};
    const chosen = {};
    for (const [use, { chosen: published, options }] of Object.entries(program.uses)) {
      chosen[use] = options.find(({ id }) => id === (uses[use] ?? published));
      if (use in uses) Object.assign(values, chosen[use].values);
    }
    for (const [gpu, { peaks }] of Object.entries(chosen)) {
      for (const [format, { arithmetic }] of Object.entries(chosen)) {
        const id = `${gpu}.${format}_flops`;
        // A GPU without that arithmetic has no number for it, and nothing that follows has one.
        if (peaks && arithmetic && inputs.has(id) && (gpu in uses || format in uses)) values[id] = peaks[arithmetic] ?? NaN;
      }
    }
    return Object.assign(values, changes);
  };

  const state = { changes: {}, uses: {} };
  const published = gdr.evaluate(program, {});
  let now = published;
  /** The present state with a few more inputs changed; where only some lines are asked for, the rest is not computed. */
  const run = (changes, lines) => {
    const registers = now.slice();
    for (const id of Object.keys(changes)) registers[shape.get(id).at] = changes[id];
    return gdr.rerun(program, registers, lines);
  };

  /** The label of an input, with the names of what was chosen. */
  const label = (id) => {
    let text = shape.get(id).label;
    for (const [use, option] of Object.entries(state.uses)) {
      const { chosen, options } = program.uses[use];
      const [was, is] = [chosen, option].map((one) => options.find((other) => other.id === one));
      if (id.startsWith(`${use}.`)) text = text.replace(was.name, is.name);
      // A GPU's peak is that of the number format's arithmetic.
      if (id.endsWith(`.${use}_flops`)) text = text.replace(was.arithmetic, is.arithmetic);
    }
    return text;
  };

  const value = (registers, id) => registers[shape.get(id).at];
  const parts = (id, base) =>
    Number.isFinite(base) ? gdr.parts(base, shape.get(id)) : { number: NONE, space: "", unit: "" };
  const shown = (id, base) => Object.values(parts(id, base)).join("");

  /** Constraints that do not hold. What has no number breaks nothing; that it has none is said by itself. */
  const violated = (registers) =>
    program.constraints.filter(({ left, right }) => {
      const [a, b] = [value(registers, left), value(registers, right)];
      return Number.isFinite(a) && Number.isFinite(b) && !gdr.atMost(a, b);
    });

  const broken = (registers) =>
    violated(registers).map((one) => ({
      ...one,
      told: `${one.label}: ${shown(one.left, value(registers, one.left))} is more than ${shown(one.right, value(registers, one.right))}`,
    }));

  // ---------------------------------------------------------------- the reader's changes
  const heard = [];
  const compute = () => {
    const changed = Object.keys(state.changes).length + Object.keys(state.uses).length;
    now = changed ? gdr.evaluate(program, resolve(state.changes, state.uses)) : published;
    for (const listen of heard) listen();
  };

  const number = (id, base) => {
    const { scale } = shape.get(id);
    return String(Number(((base * scale[0]) / scale[1]).toPrecision(12)));
  };

  /** A value near another one, in as many digits as people say; what comes whole, such as GPUs, stays whole. */
  const near = (id, base, digits) => {
    const { scale, value: own, low, high } = shape.get(id);
    const inUnit = (one) => (one * scale[0]) / scale[1];
    const told = Number(inUnit(base).toPrecision(digits));
    return ([own, low, high].map(inUnit).every(Number.isInteger) ? Math.round(told) : told) * (scale[1] / scale[0]);
  };

  const changes = () => [
    ...Object.entries(state.uses),
    ...Object.entries(state.changes).map(([id, base]) => [id, number(id, base)]),
  ];

  let later;
  const apply = () => {
    compute();
    // Browsers allow only so many changes of the address in a while, fewer than a slider makes.
    clearTimeout(later);
    later = setTimeout(() => address.write(names, changes()), 300);
  };

  gdr.whatif = {
    program,
    shape,
    inputs,
    label,
    resolve,
    published,
    run,
    value,
    parts,
    near,
    shown,
    violated,
    broken,
    state,
    get now() {
      return now;
    },
    get link() {
      return address.with(names, changes());
    },
    /** Whether an input has another value than the published one, by itself or through what was chosen. */
    moved: (id) => !Object.is(value(now, id), value(published, id)),
    changed: () => changes().length,
    listen: (listener) => heard.push(listener),

    /** Set an input to a value in base units; close enough to the published one is the published one. */
    set: (id, base) => {
      const before = resolve({}, state.uses)[id] ?? value(published, id);
      if (Object.is(base, before) || Math.abs(base - before) <= 1e-12 * Math.abs(before)) delete state.changes[id];
      else state.changes[id] = base;
      apply();
    },
    choose: (use, option) => {
      if (option === program.uses[use].chosen) delete state.uses[use];
      else state.uses[use] = option;
      for (const id of Object.keys(state.changes)) if (id.startsWith(`${use}.`)) delete state.changes[id];
      apply();
    },
    reset: () => {
      state.changes = {};
      state.uses = {};
      apply();
    },
  };

  const asked = [...address.read(names)];
  for (const [use, text] of asked.filter(([name]) => !inputs.has(name))) {
    const { chosen, options } = program.uses[use];
    if (text !== chosen && options.some(({ id }) => id === text)) state.uses[use] = text;
  }
  // A change is one from what was chosen, so the choices come first.
  const before = { ...Object.fromEntries(program.inputs.map((given) => [given.id, given.value])), ...resolve({}, state.uses) };
  for (const [id, text] of asked.filter(([name]) => inputs.has(name))) {
    const { base } = gdr.amount(text, shape.get(id));
    if (base !== undefined && !Object.is(base, before[id])) state.changes[id] = base;
  }
  // Whoever comes later shows the present state by itself.
  if (changes().length) compute();
})();
