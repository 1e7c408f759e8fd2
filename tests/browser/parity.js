"use strict";
// What test_parity.py asks of the browser. Numbers travel as the bits of their floats, so that neither side's reading
// or writing of decimals is trusted.

const view = new DataView(new ArrayBuffer(8));

const bits = (x) => (view.setFloat64(0, x), view.getBigUint64(0).toString(16).padStart(16, "0"));

const fromBits = (text) => (view.setBigUint64(0, BigInt("0x" + text)), view.getFloat64(0));

const run = (program, changes) => {
  const registers = gdr.evaluate(program, changes);
  const sides = Object.fromEntries(program.inputs.map((given, i) => [given.id, registers[i]]));
  for (const step of program.steps) sides[step.id] = registers[step.at];
  return {
    values: program.steps.map((step) => bits(registers[step.at])),
    computed: program.steps.map((step) => bits(registers[step.computed])),
    shown: program.steps.map((step) => gdr.show(registers[step.at], step)),
    given: program.inputs.map((given, i) => gdr.show(registers[i], given)),
    holds: program.constraints.map(({ left, right }) => gdr.atMost(sides[left], sides[right])),
  };
};

const runAll = ([text, changes]) => {
  const program = JSON.parse(text);
  const decoded = (change) => Object.fromEntries(Object.entries(change).map(([id, value]) => [id, fromBits(value)]));
  return changes.map((change) => run(program, decoded(change)));
};
