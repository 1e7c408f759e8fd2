"use strict";
// Runs the program that the build recorded from a chain (its shape: macros/sizing/export.py).
// Every operation gives the same float as Python's, so nothing here may be "simplified".

// Classic scripts share one scope; only what hangs on `gdr` may leave this file.
(() => {
  const gdr = (globalThis.gdr ??= {});

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
    pow: (a, b) => (isWhole(b) ? gdr.integerPower(a, b) : NaN),
    geom: (a, b) => (isWhole(b) ? gdr.sumOfPowers(a, b + 1) : NaN),
    upto: (a, b) => (gdr.atMost(a, b) ? a : NaN),
  };

  // Beyond 2^53 every float is whole.
  const isWhole = (n) => Number.isFinite(n) && n >= 0 && Math.floor(n) === n;

  /** A whole power by squaring: the same multiplications in the same order as Python. */
  gdr.integerPower = (base, exponent) => {
    let result = 1;
    for (let square = base, left = exponent; left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) result *= square;
      square *= square;
    }
    return result;
  };

  /** 1 + base + base² + … of so many terms by doubling, likewise. */
  gdr.sumOfPowers = (base, terms) => {
    let [result, reached, block] = [0, 1, 1];
    for (let square = base, left = terms; left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) {
        result += reached * block;
        reached *= square;
      }
      block += square * block;
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
    for (const [op, a, b] of code) registers[next++] = gdr.operations[op](registers[a], registers[b]);
    return registers;
  };

  /** Tell whether left ≤ right, with the same tolerance. */
  gdr.atMost = (left, right) => left - right <= gdr.TOLERANCE * Math.abs(right);
})();
