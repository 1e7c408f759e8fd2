"use strict";
// What a reader types for a number: 20M, 20 M, 2e7, 20_000_000, 20,000,000, 1.5k, 15 %, 8*1.2. Read by a parser of + − × ÷ and brackets,
// never by the browser's own evaluation, so that nothing from an address or a field is run as code.

(() => {
  const gdr = (globalThis.gdr ??= {});

  const SUFFIXES = { k: 1e3, K: 1e3, M: 1e6, G: 1e9, B: 1e9, T: 1e12 };
  const NUMBER = /^(?:\d{1,3}(?:,\d{3})+|\d{1,3}(?:_\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d{1,3})?/i;
  // Brackets nest by calls: what is longer than anyone types could use up the stack.
  const LONGEST = 100;
  const SIGNS = { "−": "-", "–": "-", "×": "*", "÷": "/", ":": "/" };

  /** Return the value of an expression, or null if it is none. */
  const evaluate = (text) => {
    let rest = text.replace(/[−–×÷:]/g, (sign) => SIGNS[sign]);
    const peek = () => (rest = rest.trimStart())[0];
    const take = () => {
      const sign = peek();
      rest = rest.slice(1);
      return sign;
    };
    const atom = () => {
      if (peek() === "(") {
        take();
        const inside = sum();
        return take() === ")" ? inside : NaN;
      }
      if (peek() === "-") return -(take() && atom());
      const [digits] = NUMBER.exec(rest);
      if (!/\d/.test(digits)) return NaN;
      rest = rest.slice(digits.length);
      // "1e3" ends with its exponent, so a suffix behind it is none.
      const behind = rest.trimStart();
      const suffix = SUFFIXES[behind[0]] && !/e/i.test(digits) && !/[a-z0-9]/i.test(behind[1] ?? "") ? SUFFIXES[take()] : 1;
      return Number(digits.replace(/[,_]/g, "")) * suffix;
    };
    const chain = (next, signs, join) => () => {
      let value = next();
      while (signs.includes(peek() ?? " ")) value = join(take(), value, next());
      return value;
    };
    const product = chain(atom, "*/", (sign, a, b) => (sign === "*" ? a * b : a / b));
    const sum = chain(product, "+-", (sign, a, b) => (sign === "+" ? a + b : a - b));
    const value = sum();
    return peek() === undefined && Number.isFinite(value) ? value : null;
  };

  /**
   * Read a text as an amount of one of a program's inputs or steps.
   * @returns {object} `base`, the value in base units, or `reason`, what is wrong
   */
  gdr.amount = (text, { scale: [times, over], unit: [before, one, many], share }) => {
    let rest = text.trim();
    if (!rest) return { reason: "Nothing here; type a number." };
    if (before && rest.startsWith(before)) rest = rest.slice(before.length);
    // The field's own unit may be typed along, in words or as its sign.
    const units = [many, one].filter(Boolean).map((unit) => unit.trim());
    const typed = units.find((unit) => rest.endsWith(unit));
    if (typed) rest = rest.slice(0, -typed.length);
    const value = rest.length > LONGEST ? null : evaluate(rest);
    const quoted = text.trim().slice(0, LONGEST);
    if (value === null) return { reason: `“${quoted}” is not a number${units[0] ? ` of ${units[0]}` : ""}; try 20M, 1.5k or 8*1.2.` };
    if (value < 0) return { reason: "It cannot be negative." };
    if (share && value > 100) return { reason: "A share is at most 100 %." };
    const base = (value * over) / times;
    return Number.isFinite(base) ? { base } : { reason: "That is too large." };
  };
})();
