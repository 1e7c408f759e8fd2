"use strict";
// Everything on the page that shows a number follows what the reader changes; with everything reset it shows the texts that
// the build wrote.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { whatif } = gdr;
  if (!whatif) return;
  const { program, shape, published, run, value, parts } = whatif;
  let now = published;

  /** Write a text where it is another one: that, and not computing, is what takes time. */
  gdr.say = (element, text) => {
    const { firstChild: node, lastChild } = element;
    if (!node || node !== lastChild || node.nodeType !== Node.TEXT_NODE) element.textContent = text;
    else if (node.data !== text) node.data = text;
  };

  /** An element with properties and children. */
  gdr.make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
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
        gdr.say(bold, number);
        if (unit) gdr.say(unit, behind.trim());
      } else gdr.say(element, word ? `${number} ${word}` : number + space + behind);
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
    gdr.say(place.was, moved ? `was ${parts(id, before).number}${times}` : "");
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
    if (Object.is(now[from], published[from])) gdr.say(element, text);
    else if (!Number.isFinite(now[from])) gdr.say(element, "");
    else {
      const { number } = gdr.parts(now[from], { ...step, digits: 5 });
      gdr.say(element, number === parts(step.id, now[step.at]).number ? "" : `${number} before rounding`);
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
      gdr.say(row.firstElementChild, name + (binds ? ", binds" : ""));
      bar.style.inlineSize = `${most && Number.isFinite(base) ? ((100 * base) / most).toFixed(1) : 0}%`;
      // Moving a row takes layout with it.
      if (!ordered) row.parentElement.append(row);
    }
  };

  const list = document.querySelector("[data-broken]");
  const writeBroken = () => {
    const told = now === published ? [] : whatif.broken(now).map((one) => one.told);
    const lost = program.steps.find(({ at }) => !Number.isFinite(now[at]));
    if (lost) told.unshift("With these values some numbers do not exist: nothing fits, something is divided by nothing, or pieces are not whole");
    list.hidden = !told.length;
    list.replaceChildren(...told.map((text) => gdr.make("li", {}, `${text}.`)));
  };

  const paint = () => {
    now = whatif.now;
    for (const place of places) write(place);
    for (const one of exact) writeExact(one);
    writeCeilings();
    writeBroken();
  };

  whatif.listen(paint);
  if (whatif.changed()) paint();
})();
