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
  const run = (changes = {}) => gdr.evaluate(program, { ...resolve(state.changes, state.uses), ...changes });
  const published = gdr.evaluate(program, {});
  let now = published;

  const value = (registers, id) => registers[shape.get(id).at];
  const parts = (id, base) =>
    Number.isFinite(base) ? gdr.parts(base, shape.get(id)) : { number: NONE, space: "", unit: "" };
  const shown = (id, base) => Object.values(parts(id, base)).join("");

  const broken = (registers) =>
    program.constraints
      // What has no number breaks nothing; that it has none is said by itself.
      .filter(({ left, right }) => [left, right].every((id) => Number.isFinite(value(registers, id))))
      .filter(({ left, right }) => !gdr.atMost(value(registers, left), value(registers, right)))
      .map((one) => ({ ...one, told: `${one.label}: ${shown(one.left, value(registers, one.left))} is more than ${shown(one.right, value(registers, one.right))}` }));

  // ---------------------------------------------------------------- places that show a number
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
        bold: element.querySelector("b"),
        unit: element.querySelector(".gdr-u"),
        word: shape.get(id).word,
        nodes: null,
        row: element.parentElement.hasAttribute("data-value") ? element.closest("tr") : null,
        moved: false,
      };
    });

  const write = (place) => {
    const { element, id, ends, before, bold, unit, word, row } = place;
    const base = !ends ? value(now, id) : now === published ? before : value(run(ends), id);
    // Most places stay as they are, and writing is what takes time.
    if (Object.is(base, place.last)) return;
    place.last = base;
    const moved = !Object.is(base, before);
    if (!moved && place.moved) restore(place);
    if (moved) {
      // What the build wrote, kept from the first change on.
      place.nodes ??= [...element.childNodes].map((node) => node.cloneNode(true));
      const { number, space, unit: behind } = parts(id, base);
      if (bold) {
        bold.textContent = number;
        if (unit) unit.textContent = behind.trim();
      } else element.textContent = word ? `${number} ${word}` : number + space + behind;
    }
    place.moved = moved;
    element.classList.toggle("gdr-moved", moved);
    if (row) inRow(row, id, base, before, moved);
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
  const inRow = (row, id, base, before, moved) => {
    row.classList.toggle("gdr-row--moved", moved);
    const was = row.querySelector("[data-was]") ?? row.lastElementChild.appendChild(document.createElement("small"));
    was.dataset.was = "";
    was.hidden = !moved;
    was.textContent = "";
    if (!moved) return;
    const ratio = base / before;
    const times = Number.isFinite(ratio) && before ? ` · × ${gdr.numberText(ratio, Math.abs(ratio - 1) > 0.01 ? 3 : 5)}` : "";
    was.textContent = `was ${parts(id, before).number}${times}`;
  };

  const exact = [...document.querySelectorAll("[data-exact]")].map((element) => {
    const step = shape.get(element.dataset.exact);
    const from = program.code[step.computed - program.inputs.length - program.constants.length][1];
    return { element, step, from, text: element.textContent };
  });

  const writeExact = ({ element, step, from, text }) => {
    if (now === published) element.textContent = text;
    else if (!Number.isFinite(now[from])) element.textContent = "";
    else {
      const { number } = gdr.parts(now[from], { ...step, digits: 5 });
      element.textContent = number === parts(step.id, now[step.at]).number ? "" : `${number} before rounding`;
    }
  };

  const ceilings = [...document.querySelectorAll("tr[data-ceiling]")].map((row, order) => ({ row, order, id: row.dataset.ceiling }));

  const writeCeilings = () => {
    const demands = ceilings.map((one) => ({ ...one, base: value(now, one.id) }));
    const most = Math.max(...demands.map(({ base }) => base).filter(Number.isFinite), 0);
    demands.sort((a, b) => b.base - a.base || a.order - b.order);
    const ordered = demands.every(({ row }, at) => row === row.parentElement.rows[at]);
    for (const { row, base, id } of demands) {
      const [word] = Object.entries(program.ceilings).find(([, step]) => step === id);
      const binds = base === most;
      row.classList.toggle("gdr-binds", binds);
      row.firstElementChild.textContent = word[0].toUpperCase() + word.slice(1) + (binds ? ", binds" : "");
      row.querySelector(".gdr-bar").style.inlineSize = `${most && Number.isFinite(base) ? ((100 * base) / most).toFixed(1) : 0}%`;
      // Moving a row takes layout with it.
      if (!ordered) row.parentElement.append(row);
    }
  };

  const writeBroken = () => {
    const list = document.querySelector("[data-broken]");
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
    now = changed ? run() : published;
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
    resolve,
    published,
    run,
    value,
    parts,
    near,
    shown,
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
