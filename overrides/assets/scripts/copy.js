"use strict";
// The numbers as Markdown or CSV, or a link to what the reader changed.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { whatif } = gdr;
  const place = document.querySelector(".gdr-copy");
  if (!whatif || !place) return;
  const { shape, value, parts, shown } = whatif;

  const rows = () =>
    [...document.querySelectorAll(".gdr-numbers .gdr-row")].map((row) => {
      const id = row.querySelector("[data-value] [data-n]").dataset.n;
      const label = row.querySelector("th").lastChild.textContent.trim();
      const how = row.querySelector(".gdr-how").cloneNode(true);
      for (const extra of how.querySelectorAll("a, small")) extra.remove();
      const base = value(whatif.now, id);
      return { id, label, how: how.textContent.trim(), base, was: whatif.moved(id) ? shown(id, value(whatif.published, id)) : "" };
    });

  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  const formats = {
    markdown: () => {
      const told = rows().map(({ label, how, id, base, was }) => `| ${label} | ${how.replaceAll("|", "\\|")} | ${shown(id, base)}${was && ` (was ${was})`} |`);
      return ["| Quantity | How it is computed | Value |", "|---|---|---:|", ...told, ""].join("\n");
    },
    csv: () => {
      const told = rows().map(({ id, label, how, base, was }) => {
        const { scale } = shape.get(id);
        const number = Number.isFinite(base) ? (base * scale[0]) / scale[1] : "";
        return [id, label, number, parts(id, base).unit.trim(), how, was].map((cell) => quoted(String(cell))).join(",");
      });
      return ["id,label,value,unit,how,was", ...told, ""].join("\n");
    },
    link: () => whatif.link,
  };

  const put = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not allowed here, from disk in some browsers say: the old way, through a selection.
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };

  place.addEventListener("click", async ({ target }) => {
    const button = target.closest("[data-copy]");
    if (!button) return;
    const done = await put(formats[button.dataset.copy]());
    button.focus();
    place.querySelector("[role=status]").textContent = done ? "Copied." : "This browser does not allow it.";
  });
})();
