"use strict";
// Runs the program that the build recorded from a chain (its shape: macros/sizing/export.py).
// Every operation gives the same float as Python's, so nothing here may be "simplified".

var gdr = globalThis.gdr || (globalThis.gdr = {});

/** Rounding to whole pieces forgives one billionth, at most a tenth of a piece, as in macros/sizing/rounding.py. */
gdr.TOLERANCE = 1e-9;

const forgiven = (a) => Math.min(gdr.TOLERANCE * Math.abs(a), 0.1);

gdr.operations = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  // Math.min and Math.max tell 0 from −0 and pass NaN on; Python's comparison does neither.
  min: (a, b) => (b < a ? b : a),
  max: (a, b) => (b > a ? b : a),
  // Adding 0 turns −0 into 0: Python's integers have no −0.
  ceil: (a) => Math.ceil(a - forgiven(a)) + 0,
  floor: (a) => Math.floor(a + forgiven(a)) + 0,
  sqrt: (a) => Math.sqrt(a),
};

/** A whole power by squaring: the same multiplications in the same order as Python. */
gdr.integerPower = (base, exponent) => {
  let result = 1;
  for (let square = base, left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= square;
    square *= square;
  }
  return result;
};

/**
 * Evaluate a program with some inputs changed.
 * @param {object} program what the build exported
 * @param {Object<string, number>} changes input id → value in base units
 * @returns {Float64Array} every register; `program.steps[i].at` names a step's
 */
gdr.evaluate = (program, changes) => {
  const { inputs, constants, code } = program;
  const registers = new Float64Array(inputs.length + constants.length + code.length);
  let next = 0;
  for (const given of inputs) {
    registers[next++] = Object.hasOwn(changes, given.id) ? changes[given.id] : given.value;
  }
  for (const constant of constants) registers[next++] = constant;
  for (const [op, a, b] of code) {
    registers[next++] =
      op === "pow" ? gdr.integerPower(registers[a], b) : gdr.operations[op](registers[a], registers[b]);
  }
  return registers;
};

/** Tell whether left ≤ right, with the same tolerance. */
gdr.atMost = (left, right) => left - right <= gdr.TOLERANCE * Math.abs(right);
