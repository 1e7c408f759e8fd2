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
    // Infinity would end as a number again, as 1 ÷ Infinity.
    "/": (a, b) => (b === 0 ? NaN : a / b),
    // Math.min and Math.max tell 0 from −0; Python's comparison does not. What has no number has none here either.
    min: (a, b) => (b < a || b !== b ? b : a),
    max: (a, b) => (b > a || b !== b ? b : a),
    // Adding 0 turns −0 into 0: Python's integers have no −0.
    ceil: (a) => Math.ceil(a - forgiven(a)) + 0,
    floor: (a) => Math.floor(a + forgiven(a)) + 0,
    sqrt: (a) => Math.sqrt(a),
    pow: (a, b) => (isWhole(b) && a === a ? gdr.integerPower(a, b) : NaN),
    geom: (a, b) => (isWhole(b) && a === a ? gdr.sumOfPowers(a, b + 1) : NaN),
    upto: (a, b) => (gdr.atMost(a, b) ? a : NaN),
    nonneg: (a) => (a >= 0 ? a : NaN),
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

  // Preparing a program takes longer than running it, and it is run thousands of times.
  const prepared = new WeakMap();

  const prepare = ({ inputs, constants, code }) => {
    const first = inputs.length + constants.length;
    const start = new Float64Array(first + code.length);
    start.set([...inputs.map(({ value }) => value), ...constants]);
    const names = Object.keys(gdr.operations);
    return {
      at: new Map(inputs.map(({ id }, i) => [id, i])),
      start,
      calls: Object.values(gdr.operations),
      lines: Int32Array.from(code.flatMap(([op, a, b = a], i) => [names.indexOf(op), a, b, first + i])),
    };
  };

  const ready = (program) => {
    if (!prepared.has(program)) prepared.set(program, prepare(program));
    return prepared.get(program);
  };

  /** The lines of a program that some registers depend on, for `gdr.rerun`. */
  gdr.behind = (program, registers) => {
    const needed = new Set(registers);
    const kept = [];
    const { lines } = ready(program);
    for (let i = lines.length - 4; i >= 0; i -= 4) {
      const [op, a, b, at] = lines.subarray(i, i + 4);
      if (!needed.has(at)) continue;
      needed.add(a).add(b);
      kept.unshift(op, a, b, at);
    }
    return Int32Array.from(kept);
  };

  /** Compute results anew from inputs and constants that stand in the registers; nothing is allocated. */
  gdr.rerun = (program, registers, lines = ready(program).lines) => {
    const { calls } = ready(program);
    for (let i = 0; i < lines.length; i += 4) {
      const a = registers[lines[i + 1]];
      const b = registers[lines[i + 2]];
      const op = lines[i];
      // The four signs, in the order of `operations`, without a call: they are nine of ten lines.
      registers[lines[i + 3]] = op === 0 ? a + b : op === 1 ? a - b : op === 2 ? a * b : op === 3 && b !== 0 ? a / b : calls[op](a, b);
    }
    return registers;
  };

  /**
   * Evaluate a program with some inputs changed.
   * @param {object} program what the build exported
   * @param {Object<string, number>} changes input id → value in base units
   * @returns {Float64Array} every register; `program.steps[i].at` names a step's
   */
  gdr.evaluate = (program, changes) => {
    const { at, start } = ready(program);
    const registers = start.slice();
    for (const id of Object.keys(changes)) if (at.has(id)) registers[at.get(id)] = changes[id];
    return gdr.rerun(program, registers);
  };

  /** Tell whether left ≤ right, with the same tolerance. */
  gdr.atMost = (left, right) => left - right <= gdr.TOLERANCE * Math.abs(right);
})();
