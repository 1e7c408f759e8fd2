"use strict";
// What moves the headline: its swing over each range, all ranges at once, and a scan along one assumption; all of them live.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { whatif, make } = gdr;
  const table = document.querySelector(".gdr-moves tbody");
  if (!whatif || !table) return;
  const { program, shape, parts, shown, value, run } = whatif;
  const { headline } = program;
  const headlineLabel = document.querySelector(".gdr-moves thead th:last-child").textContent;
  const rows = [...table.rows].map((row, order) => {
    const [broken, swing] = row.querySelectorAll("[data-ends], .gdr-swing");
    return { row, order, given: shape.get(row.dataset.input), swing, broken };
  });
  // A bar needs the headline and what may not hold.
  const needed = [headline, ...program.constraints.flatMap(({ left, right }) => [left, right])];
  const barLines = gdr.behind(
    program,
    needed.map((id) => shape.get(id).at),
  );

  /** The bars, as macros/render/push.py draws them. */
  const bars = () => {
    const found = rows.map((one) => {
      const { id, low, high } = one.given;
      const ends = [low, high].map((end) => run({ [id]: end }, barLines));
      const values = ends.map((registers) => value(registers, headline));
      const labels = new Set(ends.flatMap(whatif.violated).map(({ label }) => label));
      return { ...one, values, labels, width: Math.abs(values[1] - values[0]) };
    });
    const all = found.flatMap(({ values }) => values).filter(Number.isFinite);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const place = (base) => `${gdr.numberText(most > least ? (100 * (base - least)) / (most - least) : 0, 3)}%`;
    const known = ({ width }) => (Number.isFinite(width) ? width : -1);
    found.sort((a, b) => known(b) - known(a) || a.order - b.order);
    const ordered = found.every(({ row }, at) => row === table.rows[at]);
    for (const { row, swing, broken, values, labels } of found) {
      const [low, high] = values[0] <= values[1] ? values : values.toReversed();
      const drawn = [low, high, value(whatif.now, headline)].every(Number.isFinite);
      swing.hidden = !drawn;
      if (drawn) {
        swing.style.cssText = `--low:${place(low)};--high:${place(high)};--at:${place(value(whatif.now, headline))}`;
      }
      gdr.say(row.lastElementChild, `${parts(headline, low).number}–${parts(headline, high).number}`);
      gdr.say(broken, [...labels].map((label) => `${label}: not at one end`).join("; "));
      if (!ordered) table.append(row);
    }
  };

  const primes = [];
  for (let one = 2; primes.length < program.inputs.length; one++) if (primes.every((prime) => one % prime)) primes.push(one);
  const POINTS = 2000;
  const SHARE = 0.1;

  /** The 10th and 90th percentile over all ranges: the same points as macros/sizing/points.py. It pauses now and then. */
  const interval = function* () {
    const ranged = program.inputs.map(({ id }) => shape.get(id)).filter(({ low }) => low !== undefined);
    const base = whatif.resolve(whatif.state.changes, whatif.state.uses);
    const roots = ranged.map((_, at) => Math.sqrt(primes[at]));
    const registers = gdr.evaluate(program, base);
    const middles = ranged.map(({ id }) => value(registers, id));
    const { at: result } = shape.get(headline);
    const lines = gdr.behind(program, [result]);
    const found = [];
    for (let i = 1; i <= POINTS; i++) {
      for (let at = 0; at < ranged.length; at++) {
        const { low, high, at: register } = ranged[at];
        const u = i * roots[at] - Math.floor(i * roots[at]);
        const middle = middles[at];
        registers[register] = u < 0.5 ? low + 2 * u * (middle - low) : middle + (2 * u - 1) * (high - middle);
      }
      gdr.rerun(program, registers, lines);
      if (Number.isFinite(registers[result])) found.push(registers[result]);
      if (i % 500 === 0) yield;
    }
    found.sort((a, b) => a - b);
    const last = found.length - 1;
    return [found[Math.floor(SHARE * last)], found[Math.ceil((1 - SHARE) * last)]];
  };

  gdr.interval = interval;

  const text = document.querySelector("[data-interval]");
  const written = text.textContent;
  let later;
  const writeInterval = () => {
    // The most work of all, and behind a fold: after the reader has paused.
    clearTimeout(later);
    later = setTimeout(work, 150, interval());
  };
  const work = (points) => {
    if (!whatif.changed()) {
      text.textContent = written;
      return;
    }
    const { done, value: found } = points.next();
    if (!done) later = setTimeout(work, 0, points);
    else {
      const [low, high] = found;
      text.textContent = low === undefined ? "no number at all" : `${parts(headline, low).number} and ${shown(headline, high)}`;
    }
  };

  // ---------------------------------------------------------------- the scan
  const STEPS = 24;
  const svg = (name, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, one] of Object.entries(attributes)) element.setAttribute(key, one);
    element.append(...children);
    return element;
  };

  class Scan extends HTMLElement {
    connectedCallback() {
      this.fold = this.closest("details");
      this.select = make("select", {}, ...rows.map(({ given }) => new Option(given.label, given.id)));
      this.out = make("div", {});
      this.append(make("label", {}, "Assumption ", this.select), this.out);
      this.select.addEventListener("change", () => this.draw());
      this.fold.addEventListener("toggle", () => this.draw());
      // After the numbers, in the same frame: a chart takes longer than all of them.
      whatif.listen(() => {
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => this.draw());
      });
    }

    /** The ceiling that demands most, for a run. */
    binds(registers) {
      const demands = Object.entries(program.ceilings).map(([word, id]) => [word, value(registers, id)]);
      return demands.reduce((most, one) => (one[1] > most[1] ? one : most))[0];
    }

    draw() {
      if (!this.fold.open) return;
      const given = shape.get(this.select.value);
      const places = Array.from({ length: STEPS + 1 }, (_, at) =>
        whatif.near(given.id, given.low + (at / STEPS) * (given.high - given.low), 12),
      );
      // What comes whole has fewer places than steps.
      const bases = [...new Set(places)];
      const points = bases
        .map((base, at) => {
          const registers = run({ [given.id]: base });
          const listed = bases.length < 9 || at % 4 === 0;
          return { base, listed, result: value(registers, headline), binds: this.binds(registers) };
        })
        .filter(({ result }) => Number.isFinite(result));
      const most = Math.max(...points.map(({ result }) => result), 0) || 1;
      const x = (base) => 4 + 472 * ((base - given.low) / (given.high - given.low));
      const y = (result) => 116 - 100 * (result / most);
      const line = points.map(({ base, result }) => `${x(base).toFixed(1)},${y(result).toFixed(1)}`).join(" ");
      const turns = points.filter(({ binds }, at) => at && binds !== points[at - 1].binds);
      const name = `${headlineLabel} over ${given.label}`;
      const mark = ({ base, binds }) => [
        svg("line", { x1: x(base), x2: x(base), y1: 8, y2: 116, class: "gdr-turn" }),
        svg("text", { x: x(base) + 4, y: 16 }, `${binds} binds from here`),
      ];
      const here = value(whatif.now, given.id);
      const result = value(whatif.now, headline);
      const inside = here >= given.low && here <= given.high && Number.isFinite(result);
      const dot = inside ? [svg("circle", { cx: x(here), cy: y(result), r: 3.5 })] : [];
      const chart = svg(
        "svg",
        { viewBox: "0 0 480 136", role: "img", "aria-label": `${name}; the data stands in the table below` },
        svg("line", { x1: 4, x2: 476, y1: 116, y2: 116, class: "gdr-axis" }),
        svg("polyline", { points: line }),
        ...turns.flatMap(mark),
        ...dot,
        svg("text", { x: 4, y: 130 }, shown(given.id, given.low)),
        svg("text", { x: 476, y: 130, "text-anchor": "end" }, shown(given.id, given.high)),
        svg("text", { x: 476, y: 8, "text-anchor": "end" }, `up to ${shown(headline, most)}`),
      );
      const body = points
        .filter(({ listed }) => listed)
        .map(({ base, result, binds }) => make("tr", {}, make("th", { scope: "row" }, shown(given.id, base)), make("td", {}, shown(headline, result)), make("td", {}, binds)));
      const heads = [given.label, "Headline", "Binds"].map((text) => make("th", { scope: "col" }, text));
      const numbers = make("table", { className: "gdr-table" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...body));
      this.out.replaceChildren(chart, numbers);
    }
  }

  whatif.listen(bars);
  whatif.listen(writeInterval);
  if (whatif.changed()) {
    bars();
    writeInterval();
  }
  customElements.define("gdr-scan", Scan);
})();
