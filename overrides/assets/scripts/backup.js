"use strict";
// Import of an exported file: read and checked as a whole before anything is touched, and taken back as a whole if it fails.

(() => {
  const gdr = (globalThis.gdr ??= {});
  const { store } = gdr;

  const KEY = /^([a-z]+)\/[a-z0-9-]+$|^aside:.+$/;
  const map = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  /** Return what is wrong with a file's items, or "". */
  const wrong = (items) => {
    for (const [key, text] of Object.entries(items)) {
      const found = KEY.exec(key);
      if (!found || typeof text !== "string") return `its entry “${key.slice(0, 60)}” is none of this site's.`;
      if (!found[1]) continue;
      const [readable, , newer] = store.unpack(found[1], text);
      if (newer) return `its entry “${key}” was written by a newer version of this site. Reload the page and try again.`;
      if (!readable) return `its entry “${key}” is damaged.`;
    }
    return "";
  };

  const data = (key, text) => (text === null ? undefined : store.unpack(key.split("/")[0], text)[1]);

  gdr.backup = {
    /** Read a file's text: `{items}`, or `{reason}` why it is refused. */
    read: (text) => {
      let file;
      try {
        file = JSON.parse(text);
      } catch {
        return { reason: "it is not JSON. Expected a file that “Export” wrote." };
      }
      if (!map(file) || file.format !== store.site) {
        const format = map(file) && typeof file.format === "string" ? `a file of “${file.format.slice(0, 60)}”` : "another kind of file";
        return { reason: `it is ${format}. Expected one that “Export” wrote.` };
      }
      if (file.schema !== 1) return { reason: "it was written by another version of this site. Reload the page and try again." };
      if (!map(file.items)) return { reason: "it holds no entries." };
      const reason = wrong(file.items);
      return reason ? { reason } : { items: file.items };
    },

    /** Count what a file holds: attempts, those that are new here, and the rounds with notes or ticks. */
    preview: (items) => {
      let attempts = 0;
      let fresh = 0;
      const rounds = new Set();
      for (const [key, text] of Object.entries(items)) {
        const [section, item] = key.split("/");
        if (section === "attempts") {
          const ours = new Set((store.get(section, item) ?? []).map(({ id }) => id));
          const theirs = data(key, text);
          attempts += theirs.length;
          fresh += theirs.filter(({ id }) => !ours.has(id)).length;
        } else if (["ticks", "pad"].includes(section)) rounds.add(item);
      }
      return { attempts, fresh, rounds: rounds.size, entries: Object.keys(items).length };
    },

    /** Merge a file into what is stored, or replace that by it. Return "" or why nothing was changed. */
    apply: (items, replace) => {
      if (store.trouble === "blocked") return "This browser blocks storage for this site, so nothing could be kept.";
      const before = new Map([...store.keys(), ...Object.keys(items)].map((key) => [key, store.text(key)]));
      let whole = true;
      if (replace) for (const key of store.keys()) if (!(key in items)) whole = store.put(key, null) && whole;
      for (const [key, text] of Object.entries(items)) {
        const [section, item] = key.split("/");
        const { version, merge } = store.kind(section);
        const ours = replace ? null : before.get(key);
        const unknown = version === Infinity || (ours !== null && store.unpack(section, ours)[2]);
        // What is here and cannot be read is kept aside by reading it.
        const mine = unknown || ours === null ? undefined : store.get(section, item);
        // Of what this version does not know, ours stays.
        const merged = unknown ? (ours ?? text) : JSON.stringify({ v: version, data: merge(mine, data(key, text)) });
        whole = store.put(key, merged) && whole;
      }
      if (whole) return "";
      // All room is made before any of it is needed.
      for (const key of before.keys()) store.put(key, null);
      for (const [key, text] of before) store.put(key, text);
      return "This browser's storage is full. Nothing was changed.";
    },

    /** Delete everything of this site, and nothing of others. */
    reset: () => {
      for (const key of store.keys()) store.put(key, null);
    },
  };
})();
