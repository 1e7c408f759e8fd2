"use strict";
// The fields of the numbers tables: a real input for each assumption and fact, with a slider over its range, and the line above
// the table that says what was changed.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { whatif, make } = gdr;
  if (!whatif) return;
  const { program, shape, parts, value, label } = whatif;

  /** The next number of two digits, up or down, and at least one further of what comes whole. */
  const stepped = (id, base, by) => {
    const { scale, share } = shape.get(id);
    // 0.07 × 100 is not quite 7.
    const number = Number(((base * scale[0]) / scale[1]).toPrecision(12)) || 0;
    const size = 10 ** (Math.floor(Math.log10(number || 1)) - 1);
    const whole = Number.isInteger(number);
    const step = whole ? Math.max(size, 1) : size;
    const next = Math.abs(by) > 1 ? number * (by > 0 ? 2 : 0.5) : nextTo(number / step, by) * step;
    return (Math.min(Math.max(next, 0), share ? 100 : Infinity) * scale[1]) / scale[0];
  };

  // Floats miss a whole number by a little.
  const nextTo = (steps, by) => (by > 0 ? Math.floor(steps + 1e-9) : Math.ceil(steps - 1e-9)) + by;

  class Field {
    constructor(row, id) {
      const given = shape.get(id);
      const cell = row.querySelector("[data-value]");
      const shown = cell.firstElementChild;
      const { unit } = parts(id, value(whatif.published, id));
      this.id = id;
      this.row = row;
      this.heading = row.querySelector("th").lastChild;
      this.behind = `, in ${(given.unit[0] + unit).trim()}`;
      this.input = make("input", { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
      this.wrong = make("small", { className: "gdr-wrong", id: `wrong-${id.replace(".", "-")}`, hidden: true });
      this.wrong.setAttribute("role", "alert");
      this.input.setAttribute("aria-describedby", this.wrong.id);
      this.unit = make("span", { className: "gdr-u" });
      this.reset = make("button", { type: "button", className: "gdr-link", textContent: "reset", hidden: true });
      this.tools = make("span", { className: "gdr-adjust", hidden: true }, this.reset);
      if (given.low !== undefined) this.slide(given);
      this.name();
      shown.hidden = true;
      cell.prepend(this.input, " ", this.unit);
      cell.append(this.wrong, this.tools);
      cell.classList.add("gdr-field");
      this.input.addEventListener("input", () => this.typed());
      this.input.addEventListener("blur", () => this.settle());
      this.input.addEventListener("keydown", (event) => this.pressed(event));
      this.reset.addEventListener("click", () => {
        whatif.set(id, whatif.resolve({}, whatif.state.uses)[id] ?? value(whatif.published, id));
        this.input.focus();
      });
      row.addEventListener("focusin", () => (this.tools.hidden = false));
      row.addEventListener("focusout", ({ relatedTarget }) => {
        if (!row.contains(relatedTarget)) this.tools.hidden = true;
      });
      whatif.listen(() => this.render());
      this.render();
    }

    /** A slider and its ends: even steps below the published value and above it. */
    slide({ low, high }) {
      const middle = value(whatif.published, this.id);
      const at = (share) => (share < 50 ? low + (share / 50) * (middle - low) : middle + ((share - 50) / 50) * (high - middle));
      this.share = (base) => (base < middle ? 50 * ((base - low) / (middle - low)) : 50 + 50 * ((base - middle) / (high - middle || 1)));
      this.slider = make("input", { type: "range", min: 0, max: 100, step: 1, autocomplete: "off" });
      this.slider.addEventListener("input", () => {
        whatif.set(this.id, whatif.near(this.id, at(Number(this.slider.value)), 3));
      });
      const ends = [low, high].map((base) => {
        // The keyboard has the field itself and the slider: two stops a row are enough.
        const button = make("button", { type: "button", className: "gdr-link", tabIndex: -1, textContent: parts(this.id, base).number });
        button.addEventListener("click", () => whatif.set(this.id, base));
        return button;
      });
      this.tools.prepend(ends[0], this.slider, ends[1], " ");
    }

    /** Name everything after the input, or after what was chosen for it: then the document is another one too. */
    name() {
      const text = label(this.id);
      if (text === this.named) return;
      this.named = text;
      if (this.heading.data.trim()) this.heading.data = text;
      this.input.setAttribute("aria-label", text + this.behind);
      this.reset.setAttribute("aria-label", `Reset ${text}`);
      this.slider?.setAttribute("aria-label", `${text}${this.behind}, over its range`);
      this.row.classList.toggle("gdr-row--chosen", text !== shape.get(this.id).label);
    }

    typed() {
      const read = gdr.amount(this.input.value, shape.get(this.id));
      this.fail(read.reason);
      if (read.base !== undefined) whatif.set(this.id, read.base);
    }

    /** Leaving the field shows the last good number as numbers are shown. */
    settle() {
      this.fail("");
      this.write();
    }

    fail(reason) {
      this.wrong.hidden = !reason;
      this.wrong.textContent = reason ?? "";
      this.input.setAttribute("aria-invalid", Boolean(reason));
    }

    pressed(event) {
      const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 2, PageDown: -2 }[event.key];
      if (by) {
        event.preventDefault();
        this.fail("");
        const next = stepped(this.id, value(whatif.now, this.id), by);
        // First: a focused field is laid out as it is written, and with it everything that was written before.
        this.write(next);
        whatif.set(this.id, next);
      } else if (event.key === "Enter" && this.wrong.hidden) this.write();
    }

    write(base = value(whatif.now, this.id)) {
      this.last = base;
      const { number, unit } = parts(this.id, this.last);
      this.input.value = number;
      this.size();
      this.unit.textContent = unit.trim();
    }

    size() {
      this.input.style.inlineSize = `${Math.max(this.input.value.length, 2) + 0.5}ch`;
    }

    render() {
      const base = value(whatif.now, this.id);
      this.name();
      // What is being typed stays as it is.
      if (document.activeElement === this.input) this.size();
      else if (!Object.is(base, this.last) || this.input.value === "") this.write();
      else return;
      const moved = whatif.moved(this.id);
      this.reset.hidden = !(this.id in whatif.state.changes);
      this.input.classList.toggle("gdr-moved", moved);
      if (this.slider) this.slider.value = Math.round(this.share(value(whatif.now, this.id)));
    }
  }

  class WhatIf extends HTMLElement {
    connectedCallback() {
      this.told = this.querySelector("[data-told]");
      this.words = this.told.textContent;
      this.reset = this.querySelector("[data-reset]");
      this.status = this.querySelector("[role=status]");
      this.selects = [...this.querySelectorAll("select")];
      this.reset.addEventListener("click", () => {
        whatif.reset();
        this.selects[0]?.focus();
      });
      for (const select of this.selects) select.addEventListener("change", () => whatif.choose(select.dataset.use, select.value));
      whatif.listen(() => this.render());
      this.render();
    }

    render() {
      const count = whatif.changed();
      this.told.textContent = count
        ? `You changed ${count} assumption${count === 1 ? "" : "s"}. The text was written for the originals.`
        : this.words;
      this.reset.hidden = !count;
      this.toggleAttribute("data-changed", count > 0);
      document.documentElement.toggleAttribute("data-gdr-what-if", count > 0);
      for (const select of this.selects) {
        const { chosen } = program.uses[select.dataset.use];
        select.value = whatif.state.uses[select.dataset.use] ?? chosen;
      }
      clearTimeout(this.later);
      this.later = setTimeout(() => this.announce(), 1000);
    }

    /** The headline alone, once the reader pauses. */
    announce() {
      const { headline } = program;
      const text = whatif.shown(headline, value(whatif.now, headline));
      const before = whatif.shown(headline, value(whatif.published, headline));
      const told = text === before ? "" : `${text}, was ${before}`;
      if (this.status.textContent !== told) this.status.textContent = told;
    }
  }

  const rows = [...document.querySelectorAll(".gdr-row")]
    .map((row) => [row, row.querySelector("[data-value] [data-n]")?.dataset.n])
    .filter(([, id]) => whatif.inputs.has(id));
  // A few at a time, so that a slow phone answers in between.
  const build = () => {
    for (const [row, id] of rows.splice(0, 8)) new Field(row, id);
    if (rows.length) setTimeout(build);
  };
  setTimeout(build);
  customElements.define("gdr-what-if", WhatIf);
})();
