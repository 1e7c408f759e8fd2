"use strict";
// What test_parity.py asks of the browser. Numbers travel as the bits of their floats, so that neither side's reading
// or writing of decimals is trusted.

const view = new DataView(new ArrayBuffer(8));

const bits = (x) => (view.setFloat64(0, x), view.getBigUint64(0).toString(16).padStart(16, "0"));

const fromBits = (text) => (view.setBigUint64(0, BigInt("0x" + text)), view.getFloat64(0));

// The floats that Python sent, and the same as whole numbers, which compare as bits.
const unpacked = (text) => {
  const { buffer } = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return { floats: new Float64Array(buffer), words: new BigUint64Array(buffer) };
};

// What a page shows under a what-if where a number is not the known one, as one line, and each step's float.
const run = (program, changes, known) => {
  const registers = gdr.evaluate(program, changes);
  const numbers = [
    ...program.steps.map((step) => [step, registers[step.at]]),
    ...program.inputs.map((given, i) => [given, registers[i]]),
  ];
  const sides = Object.fromEntries(numbers.map(([{ id }, value]) => [id, value]));
  return {
    values: program.steps.map((step) => registers[step.at]),
    line: [
      ...numbers.filter(([{ id }, value]) => value !== known[id]).map(([one, value]) => gdr.show(value, one)),
      ...program.constraints.map(({ left, right }) => (gdr.atMost(sides[left], sides[right]) ? "holds" : "broken")),
    ].join("\t"),
  };
};

// Runs what-ifs, each a row of inputs, and returns what is not as Python has it: rows of [what-if, what, here], and
// in how many what-ifs a step moved.
const compare = ([text, given, values, lines, known]) => {
  const program = JSON.parse(text);
  const inputs = unpacked(given);
  const expected = unpacked(values).words;
  const published = new BigUint64Array(Float64Array.from(program.inputs, ({ value }) => value).buffer);
  const untouched = new BigUint64Array(Float64Array.from(run(program, {}, known).values).buffer);
  const different = [];
  let moved = 0;
  lines.split("\n").forEach((line, number) => {
    const changes = {};
    program.inputs.forEach(({ id }, i) => {
      const at = number * program.inputs.length + i;
      if (inputs.words[at] !== published[i]) changes[id] = inputs.floats[at];
    });
    const here = run(program, changes, known);
    const words = new BigUint64Array(Float64Array.from(here.values).buffer);
    program.steps.forEach(({ id }, i) => {
      if (words[i] !== expected[number * words.length + i]) different.push([number, id, bits(here.values[i])]);
    });
    if (here.line !== line) different.push([number, "shown", here.line]);
    if (words.some((word, i) => word !== untouched[i])) moved += 1;
  });
  return { different, moved };
};

// The first step of each what-if that is left without a number.
const firstWithout = ([text, changes]) => {
  const program = JSON.parse(text);
  return changes.map((change) => {
    const registers = gdr.evaluate(program, change);
    // Python computes a measured step as well, before its measurement takes over.
    return program.steps.find(({ computed }) => !Number.isFinite(registers[computed]))?.id ?? null;
  });
};

const runAll = ([text, changes]) => {
  const program = JSON.parse(text);
  return changes.map((change) => {
    const registers = gdr.evaluate(program, change);
    return {
      values: program.steps.map(({ at }) => bits(registers[at])),
      computed: program.steps.map(({ computed }) => bits(registers[computed])),
    };
  });
};
