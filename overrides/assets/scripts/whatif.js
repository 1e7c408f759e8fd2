"use strict";
// <gdr-what-if>: every number of the page follows what the reader changes. The browser runs the program that the build
// recorded; with everything reset the page shows the texts that the build wrote.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { address } = gdr;
  const source = document.getElementById("gdr-program");
  if (!source) return;

  const program = JSON.parse(source.textContent);
  const shape = new Map();
  program.inputs.forEach((given, at) => shape.set(given.id, { ...given, at }));
  for (const step of program.steps) shape.set(step.id, step);
  const inputs = new Set(program.inputs.map(({ id }) => id));
  const names = new Set([...inputs, ...Object.keys(program.uses)]);
  const NONE = "none";

  /** Values of all inputs that chosen entries and changes set; a change of one input is stronger. */
  const resolve = (changes, uses) => {
    if (!Object.keys(uses).length) return { ...changes };
    const values = {};
    const chosen = {};
    for (const [use, { chosen: published, options }] of Object.entries(program.uses)) {
      chosen[use] = options.find(({ id }) => id === (uses[use] ?? published));
      if (use in uses) Object.assign(values, chosen[use].values);
    }
    for (const [gpu, { peaks }] of Object.entries(chosen)) {
      for (const [format, { arithmetic }] of Object.entries(chosen)) {
        const id = `${gpu}.${format}_flops`;
        // A GPU without that arithmetic has no number for it, and nothing that follows has one.
        if (peaks && arithmetic && inputs.has(id) && (gpu in uses || format in uses)) values[id] = peaks[arithmetic] ?? NaN;
      }
    }
    return Object.assign(values, changes);
  };

  const state = { changes: {}, uses: {} };
  const published = gdr.evaluate(program, {});
  let now = published;
  /** The present state with a few more inputs changed; where only some lines are asked for, the rest is not computed. */
  const run = (changes, lines) => {
    const registers = now.slice();
    for (const id of Object.keys(changes)) registers[shape.get(id).at] = changes[id];
    return gdr.rerun(program, registers, lines);
  };

  /** The label of an input, with the names of what was chosen. */
  const label = (id) => {
    let text = shape.get(id).label;
    for (const [use, option] of Object.entries(state.uses)) {
      const { chosen, options } = program.uses[use];
      const [was, is] = [chosen, option].map((one) => options.find((other) => other.id === one));
      if (id.startsWith(`${use}.`)) text = text.replace(was.name, is.name);
      // A GPU's peak is that of the number format's arithmetic.
      if (id.endsWith(`.${use}_flops`)) text = text.replace(was.arithmetic, is.arithmetic);
    }
    return text;
  };

  const value = (registers, id) => registers[shape.get(id).at];
  const parts = (id, base) =>
    Number.isFinite(base) ? gdr.parts(base, shape.get(id)) : { number: NONE, space: "", unit: "" };
  const shown = (id, base) => Object.values(parts(id, base)).join("");

  /** Constraints that do not hold. What has no number breaks nothing; that it has none is said by itself. */
  const violated = (registers) =>
    program.constraints.filter(({ left, right }) => {
      const [a, b] = [value(registers, left), value(registers, right)];
      return Number.isFinite(a) && Number.isFinite(b) && !gdr.atMost(a, b);
    });

  const broken = (registers) =>
    violated(registers).map((one) => ({
      ...one,
      told: `${one.label}: ${shown(one.left, value(registers, one.left))} is more than ${shown(one.right, value(registers, one.right))}`,
    }));

  // ---------------------------------------------------------------- places that show a number
  /** Write a text where it is another one: that, and not computing, is what takes time. */
  const say = (element, text) => {
    const { firstChild: node, lastChild } = element;
    if (!node || node !== lastChild || node.nodeType !== Node.TEXT_NODE) element.textContent = text;
    else if (node.data !== text) node.data = text;
  };

  /** One place: how to write it, and the text that the build wrote. */
  const places = [...document.querySelectorAll("[data-n], [data-step]")]
    .filter((element) => shape.has(element.dataset.n ?? element.dataset.step))
    // The cards, like the quiz, ask about the published numbers.
    .filter((element) => !element.closest(".gdr-cards"))
    .map((element) => {
      const id = element.dataset.n ?? element.dataset.step;
      const pairs = (element.dataset.at ?? "").split(",").filter(Boolean).map((end) => end.split("="));
      const ends = Object.fromEntries(pairs.map(([name, end]) => [name, shape.get(name)[end]]));
      const before = value(pairs.length ? gdr.evaluate(program, ends) : published, id);
      return {
        element,
        id,
        // What the build wrote: the published value, or the one at an end of a range.
        before,
        last: before,
        ends: pairs.length ? ends : null,
        lines: pairs.length ? gdr.behind(program, [shape.get(id).at]) : null,
        bold: element.querySelector("b"),
        unit: element.querySelector(".gdr-u"),
        word: shape.get(id).word,
        nodes: null,
        row: element.parentElement.hasAttribute("data-value") ? element.closest("tr") : null,
        moved: false,
      };
    });

  const write = (place) => {
    const { element, id, ends, lines, before, bold, unit, word, row } = place;
    const base = !ends ? value(now, id) : now === published ? before : value(run(ends, lines), id);
    if (Object.is(base, place.last)) return;
    place.last = base;
    const moved = !Object.is(base, before);
    if (!moved && place.moved) restore(place);
    if (moved) {
      // What the build wrote, kept from the first change on.
      place.nodes ??= [...element.childNodes].map((node) => node.cloneNode(true));
      const { number, space, unit: behind } = parts(id, base);
      if (bold) {
        say(bold, number);
        if (unit) say(unit, behind.trim());
      } else say(element, word ? `${number} ${word}` : number + space + behind);
    }
    if (row) inRow(place, base, moved);
    else if (moved !== place.moved) element.classList.toggle("gdr-moved", moved);
    place.moved = moved;
  };

  const restore = ({ bold, unit, element, nodes }) => {
    const texts = nodes.map((node) => node.cloneNode(true));
    if (!bold) element.replaceChildren(...texts);
    else {
      bold.textContent = texts.find((node) => node.nodeName === "B").textContent;
      if (unit) unit.textContent = texts.find((node) => node.className === "gdr-u").textContent;
    }
  };

  /** In a row of the tables: what it was, and the ratio. */
  const inRow = (place, base, moved) => {
    const { row, id, before } = place;
    if (!place.was) {
      place.was = row.lastElementChild.appendChild(document.createElement("small"));
      place.was.dataset.was = "";
    }
    if (moved !== place.moved) {
      row.classList.toggle("gdr-row--moved", moved);
      place.was.hidden = !moved;
    }
    const ratio = base / before;
    const times = Number.isFinite(ratio) && before ? ` · × ${gdr.numberText(ratio, Math.abs(ratio - 1) > 0.01 ? 3 : 5)}` : "";
    say(place.was, moved ? `was ${parts(id, before).number}${times}` : "");
  };

  const exact = [...document.querySelectorAll("[data-exact]")].map((element) => {
    const step = shape.get(element.dataset.exact);
    const from = program.code[step.computed - program.inputs.length - program.constants.length][1];
    return { element, step, from, text: element.textContent, last: published[from] };
  });

  const writeExact = (one) => {
    const { element, step, from, text, last } = one;
    if (Object.is(now[from], last)) return;
    one.last = now[from];
    if (Object.is(now[from], published[from])) say(element, text);
    else if (!Number.isFinite(now[from])) say(element, "");
    else {
      const { number } = gdr.parts(now[from], { ...step, digits: 5 });
      say(element, number === parts(step.id, now[step.at]).number ? "" : `${number} before rounding`);
    }
  };

  const ceilings = [...document.querySelectorAll("tr[data-ceiling]")].map((row, order) => {
    const id = row.dataset.ceiling;
    const [word] = Object.entries(program.ceilings).find(([, step]) => step === id);
    return { row, order, id, name: word[0].toUpperCase() + word.slice(1), bar: row.querySelector(".gdr-bar") };
  });

  const writeCeilings = () => {
    const demands = ceilings.map((one) => ({ ...one, base: value(now, one.id) }));
    const most = Math.max(...demands.map(({ base }) => base).filter(Number.isFinite), 0);
    demands.sort((a, b) => b.base - a.base || a.order - b.order);
    const ordered = demands.every(({ row }, at) => row === row.parentElement.rows[at]);
    for (const { row, base, name, bar } of demands) {
      const binds = base === most;
      row.classList.toggle("gdr-binds", binds);
      say(row.firstElementChild, name + (binds ? ", binds" : ""));
      bar.style.inlineSize = `${most && Number.isFinite(base) ? ((100 * base) / most).toFixed(1) : 0}%`;
      // Moving a row takes layout with it.
      if (!ordered) row.parentElement.append(row);
    }
  };

  const list = document.querySelector("[data-broken]");
  const writeBroken = () => {
    const told = now === published ? [] : broken(now).map((one) => one.told);
    const lost = program.steps.find(({ at }) => !Number.isFinite(now[at]));
    if (lost) told.unshift("With these values some numbers do not exist: nothing fits, something is divided by nothing, or pieces are not whole");
    list.hidden = !told.length;
    list.replaceChildren(
      ...told.map((text) => {
        const item = document.createElement("li");
        item.textContent = `${text}.`;
        return item;
      }),
    );
  };

  // ---------------------------------------------------------------- the reader's changes
  const heard = [];
  const paint = () => {
    const changed = Object.keys(state.changes).length + Object.keys(state.uses).length;
    now = changed ? gdr.evaluate(program, resolve(state.changes, state.uses)) : published;
    for (const place of places) write(place);
    for (const one of exact) writeExact(one);
    writeCeilings();
    writeBroken();
    for (const listen of heard) listen();
  };

  const number = (id, base) => {
    const { scale } = shape.get(id);
    return String(Number(((base * scale[0]) / scale[1]).toPrecision(12)));
  };

  /** A value near another one, in as many digits as people say; what comes whole, such as GPUs, stays whole. */
  const near = (id, base, digits) => {
    const { scale, value: own, low, high } = shape.get(id);
    const inUnit = (one) => (one * scale[0]) / scale[1];
    const told = Number(inUnit(base).toPrecision(digits));
    return ([own, low, high].map(inUnit).every(Number.isInteger) ? Math.round(told) : told) * (scale[1] / scale[0]);
  };

  const changes = () => [
    ...Object.entries(state.uses),
    ...Object.entries(state.changes).map(([id, base]) => [id, number(id, base)]),
  ];

  let later;
  const apply = () => {
    paint();
    // Browsers allow only so many changes of the address in a while, fewer than a slider makes.
    clearTimeout(later);
    later = setTimeout(() => address.write(names, changes()), 300);
  };

  gdr.whatif = {
    program,
    shape,
    inputs,
    label,
    resolve,
    published,
    run,
    say,
    value,
    parts,
    near,
    shown,
    violated,
    broken,
    state,
    get now() {
      return now;
    },
    get link() {
      return address.with(names, changes());
    },
    /** Whether an input has another value than the published one, by itself or through what was chosen. */
    moved: (id) => !Object.is(value(now, id), value(published, id)),
    changed: () => changes().length,
    listen: (listener) => heard.push(listener),

    /** Set an input to a value in base units; close enough to the published one is the published one. */
    set: (id, base) => {
      const before = resolve({}, state.uses)[id] ?? value(published, id);
      if (Object.is(base, before) || Math.abs(base - before) <= 1e-12 * Math.abs(before)) delete state.changes[id];
      else state.changes[id] = base;
      apply();
    },
    choose: (use, option) => {
      if (option === program.uses[use].chosen) delete state.uses[use];
      else state.uses[use] = option;
      for (const id of Object.keys(state.changes)) if (id.startsWith(`${use}.`)) delete state.changes[id];
      apply();
    },
    reset: () => {
      state.changes = {};
      state.uses = {};
      apply();
    },
  };

  const asked = [...address.read(names)];
  for (const [use, text] of asked.filter(([name]) => !inputs.has(name))) {
    const { chosen, options } = program.uses[use];
    if (text !== chosen && options.some(({ id }) => id === text)) state.uses[use] = text;
  }
  // A change is one from what was chosen, so the choices come first.
  const before = { ...Object.fromEntries(program.inputs.map((given) => [given.id, given.value])), ...resolve({}, state.uses) };
  for (const [id, text] of asked.filter(([name]) => inputs.has(name))) {
    const { base } = gdr.amount(text, shape.get(id));
    if (base !== undefined && !Object.is(base, before[id])) state.changes[id] = base;
  }
  // Whoever comes later shows the present state by itself.
  if (changes().length) paint();
})();
