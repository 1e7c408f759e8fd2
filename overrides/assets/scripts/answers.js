"use strict";
// Answers that the reader gives: a prediction of the headline, the follow-up cards, and a surprise. All are graded by factor, at the
// published numbers.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { whatif, store } = gdr;
  if (!whatif) return;
  const { program, shape, value, shown } = whatif;
  const { headline } = program;
  const SECONDS = 30;

  const published = (changes, uses) => gdr.evaluate(program, whatif.resolve(changes, uses));

  /** How far off, in words. */
  const grade = (guess, right) => {
    if (!(guess > 0) || !(right > 0)) return guess === right ? "Exactly." : "Far off.";
    const factor = Math.max(guess / right, right / guess);
    const told = `${gdr.numberText(factor, 3)} × too ${guess > right ? "high" : "low"}`;
    if (factor < 1.005) return "Exactly.";
    if (factor <= 1.25) return `Within 1.25 ×: your arithmetic holds (${told}).`;
    if (factor <= 2) return `Within 2 ×: your method holds, one input is off (${told}).`;
    if (factor <= 10) return `Within 10 ×: a term is missing or counted twice (${told}).`;
    return `More than 10 × off (${told}): check the units first.`;
  };

  /** Known slips of this page's chain, and the headline that each would give. */
  const slips = program.slips
    .map(({ at, changes, uses, reads }) => {
      const [question, option] = at.split("/");
      const registers = published(changes, uses);
      // A slip that reads another step explains the headline only where that step is of its unit.
      const id = reads && String(shape.get(reads).unit) === String(shape.get(headline).unit) ? reads : headline;
      return { result: reads && id === headline ? NaN : value(registers, id), option, question };
    })
    .filter(({ result }) => Number.isFinite(result) && result !== value(whatif.published, headline));

  const slip = (guess) => {
    const near = slips.find(({ result }) => Math.abs(guess / result - 1) <= 0.02);
    const why = near && document.querySelector(`#${near.question} [data-option="${near.option}"] p`);
    return why ? ` This number comes out by a known slip: ${why.textContent.replace("Not this. ", "")}` : "";
  };

  const compare = document.querySelector("[data-graded]");
  if (compare) {
    const fold = compare.closest("details");
    const render = () => {
      const { headline: text = "", binds = "" } = store.get("ticks", gdr.design)?.predictions ?? {};
      const told = [];
      if (text.trim()) {
        const read = gdr.amount(text, shape.get(headline));
        const right = value(whatif.published, headline);
        if (read.reason) told.push(`Your guess: ${read.reason}`);
        else {
          const close = Math.max(read.base / right, right / read.base) <= 1.25;
          told.push(`Your guess ${shown(headline, read.base)}. ${grade(read.base, right)}${close ? "" : slip(read.base)}`);
        }
      }
      if (binds) {
        const most = Object.entries(program.ceilings).reduce((a, b) => (value(whatif.published, b[1]) > value(whatif.published, a[1]) ? b : a))[0];
        told.push(binds === most ? `Right: ${most} binds.` : `You said ${binds}; ${most} binds.`);
      }
      compare.textContent = fold.open ? told.join(" ") : "";
    };
    fold.addEventListener("toggle", render);
    store.watch("ticks", render);
    render();
  }

  /** A field with a clock of thirty seconds, which begins with the first key and never takes the answer away. */
  class Card extends HTMLElement {
    connectedCallback() {
      this.input = this.querySelector("input");
      this.clock = this.querySelector("[data-seconds]");
      this.status = this.querySelector("[role=status]");
      this.input.addEventListener("input", () => this.begin());
      this.input.addEventListener("keydown", ({ key }) => key === "Enter" && this.check());
      this.querySelector("button").addEventListener("click", () => this.check());
    }

    /** What is asked, and the chain with the card's changes. */
    get asked() {
      const { asks, changes, uses } = program.cards[this.dataset.card];
      return { id: asks, registers: published(changes, uses) };
    }

    begin() {
      if (this.until) return;
      this.until = Date.now() + SECONDS * 1000;
      this.tick();
    }

    tick() {
      const left = Math.ceil((this.until - Date.now()) / 1000);
      this.clock.textContent = left > 0 ? `${left} s` : "Time is up";
      if (left > 0) this.timer = setTimeout(() => this.tick(), 250);
    }

    check() {
      const { id, registers } = this.asked;
      const read = gdr.amount(this.input.value, shape.get(id));
      this.status.textContent = read.reason ?? grade(read.base, value(registers, id));
      // What cannot be read is no answer yet, and the clock goes on.
      if (read.reason) return;
      clearTimeout(this.timer);
      this.until = null;
      this.clock.textContent = "";
      this.reveal(id, registers);
    }

    reveal() {
      this.closest("li").querySelector("details").open = true;
    }
  }

  /** One assumption at a random place of its range; the seed stands with it, so that a partner can be given the same. */
  class Surprise extends Card {
    connectedCallback() {
      this.ranged = program.inputs.filter(({ low }) => low !== undefined);
      const { make } = gdr;
      this.question = make("p");
      this.result = make("p");
      this.another = make("button", { type: "button" }, "Another");
      const input = make("input", { type: "text", autocomplete: "off", spellcheck: false, ariaLabel: "Your answer" });
      const status = make("span", { role: "status" });
      const clock = make("span", { className: "gdr-clock-label" });
      const check = make("button", { type: "button" }, "Check");
      clock.dataset.seconds = "";
      this.append(this.question, input, " ", check, " ", this.another, " ", clock, " ", status, this.result);
      super.connectedCallback();
      this.seed = 0;
      this.another.addEventListener("click", () => this.ask(this.seed + 1));
      this.ask(1 + Math.floor(Math.random() * 9999));
    }

    ask(seed) {
      this.seed = seed;
      const at = (seed * 7) % this.ranged.length;
      const given = this.ranged[at];
      const share = (seed * Math.SQRT2) % 1;
      this.changes = { [given.id]: whatif.near(given.id, given.low + share * (given.high - given.low), 2) };
      this.question.textContent = `${given.label} goes from ${shown(given.id, given.value)} to ${shown(given.id, this.changes[given.id])}. The headline? (Surprise ${seed})`;
      this.input.value = "";
      this.result.textContent = "";
      this.status.textContent = "";
    }

    get asked() {
      return { id: headline, registers: published(this.changes, {}) };
    }

    reveal(id, registers) {
      const violated = whatif.broken(registers).map(({ told }) => ` Does not hold: ${told}.`);
      this.result.textContent = `${shown(id, value(whatif.published, id))} → ${shown(id, value(registers, id))}.${violated.join("")}`;
    }
  }

  customElements.define("gdr-card", Card);
  customElements.define("gdr-surprise", Surprise);
})();
