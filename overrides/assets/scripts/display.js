"use strict";
// Shows numbers as macros/sizing/display.py does; tests/display_cases.json holds both to the same texts.

// Classic scripts share one scope; only what hangs on `gdr` may leave this file.
(() => {
  const gdr = (globalThis.gdr ??= {});

  const trimmed = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

  const grouped = (text) => text.replace(/\B(?=(\d{3})+$)/g, ",");

  /** Digits without an exponent: toPrecision(3) writes 999.6 as 1.00e+3 and 0.0000001 as 1.00e-7. */
  const plain = (text) => {
    const [mantissa, exponent = "0"] = text.split("e");
    const [whole, fraction = ""] = mantissa.split(".");
    const point = whole.length + Number(exponent);
    const digits = whole + fraction;
    if (point <= 0) return "0." + "0".repeat(-point) + digits;
    return point >= digits.length ? digits.padEnd(point, "0") : digits.slice(0, point) + "." + digits.slice(point);
  };

  /** Write a finite number by the display rule, without its unit. */
  gdr.numberText = (value, digits) => {
    if (value === 0) return "0";
    const sign = value < 0 ? "−" : "";
    const size = Math.abs(value);
    const significant = size.toPrecision(digits);
    const rounded = Number(significant);
    if (size >= 1e15 || rounded < 1e-6) {
      const [mantissa, exponent] = size.toExponential(digits - 1).split("e");
      return `${sign}${trimmed(mantissa)}e${Number(exponent)}`;
    }
    return sign + (rounded >= 1000 ? grouped(size.toFixed(0)) : trimmed(plain(significant)));
  };

  /** A base-unit value of one of a program's inputs or steps, in the parts that a page sets in different weights. */
  gdr.parts = (value, { digits, scale: [times, over], unit: [before, one, many, space] }) => {
    let number = gdr.numberText((value * times) / over, digits);
    if (before === "$" && /^−?\d+\.\d$/.test(number)) number += "0";
    return { number: before + number, space, unit: number === "1" ? one : many };
  };

  /** The same as one text: `$0.155 per 1,000 requests`. */
  gdr.show = (value, how) => {
    const { number, space, unit } = gdr.parts(value, how);
    return number + space + unit;
  };
})();
