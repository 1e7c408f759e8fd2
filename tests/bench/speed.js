"use strict";
// What speed.py measures in a design page, with its groups open and its numbers ready.

const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1];

/** Milliseconds of one of many calls, the best of several rounds: what else the machine does only adds to it. */
const timed = (call, times, rounds = 7) => {
  const round = () => {
    const begin = performance.now();
    for (let i = 0; i < times; i++) call(i);
    return (performance.now() - begin) / times;
  };
  return Math.min(...Array.from({ length: rounds }, round));
};

/** Microseconds of one evaluation, with another value of the first input each time. */
const evaluation = () => {
  const { program } = gdr.whatif;
  const registers = gdr.evaluate(program, {});
  const base = registers[0];
  return 1000 * timed((i) => ((registers[0] = base * (1 + i / 1e6)), gdr.rerun(program, registers)), 5000);
};

/** Milliseconds of the interval over all ranges, its pauses left out. */
const points = () =>
  timed(() => {
    const found = gdr.interval();
    while (!found.next().done);
  }, 1);

const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/**
 * Milliseconds from a field's first key until all numbers stand, in every field: the time at a share of them. The chart of a
 * scan, behind a fold of its own, is drawn after them in the same frame.
 */
const keys = async (share) => {
  const quickest = new Map();
  // The best of several rounds: what else the machine does only adds to a key's time.
  for (let round = 0; round < 3; round++) {
    for (const field of document.querySelectorAll(".gdr-field input[type=text]")) {
      await frame();
      const begin = performance.now();
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true, cancelable: true }));
      quickest.set(field, Math.min(performance.now() - begin, quickest.get(field) ?? Infinity));
      gdr.whatif.reset();
    }
  }
  return [quantile([...quickest.values()], share), quickest.size];
};

/** The recorded program as lines of mathjs, an assignment for each register. */
const lines = ({ inputs, constants, code }) => {
  const forgiven = (a) => `min(1e-9 * abs(r${a}), 0.1)`;
  const texts = {
    ceil: (a) => `ceil(r${a} - ${forgiven(a)})`,
    floor: (a) => `floor(r${a} + ${forgiven(a)})`,
    sqrt: (a) => `sqrt(r${a})`,
    min: (a, b) => `min(r${a}, r${b})`,
    max: (a, b) => `max(r${a}, r${b})`,
    pow: (a, b) => `r${a} ^ r${b}`,
    geom: (a, b) => `(1 - r${a} ^ (r${b} + 1)) / (1 - r${a})`,
    upto: (a) => `r${a}`,
    nonneg: (a) => `r${a}`,
  };
  return code.map(([op, a, b], i) => {
    const right = texts[op] ? texts[op](a, b) : `r${a} ${op} r${b}`;
    return `r${inputs.length + constants.length + i} = ${right}`;
  });
};

/** Microseconds of one evaluation by mathjs, its text compiled beforehand, and how far its headline is off, relatively. */
const mathjs = () => {
  const { program } = gdr.whatif;
  const ours = gdr.evaluate(program, {});
  const compiled = math.compile(lines(program).join("\n"));
  const scope = new Map([...ours].map((value, i) => [`r${i}`, value]));
  const base = ours[0];
  const run = (i) => (scope.set("r0", base * (1 + i / 1e6)), compiled.evaluate(scope));
  run(0);
  const { at } = gdr.whatif.shape.get(program.headline);
  const off = Math.abs(scope.get(`r${at}`) / ours[at] - 1);
  return [1000 * timed(run, 200), off];
};
