"use strict";
// What a reader does stays in the reader's browser. This file owns it; everything else asks here.
//
// One localStorage entry an item: `<site><base path>:<section>/<item>`, whose text is {"v": version, "data": …}. From disk the
// base path is left out, so that a moved folder keeps its history. Every write reads the entry afresh, so two tabs cannot
// undo each other. Storage is a favour: where it fails, the visit goes on in memory and `store.trouble` says why.

// Classic scripts share one scope; only what hangs on `gdr` may leave this file.
(() => {
  const gdr = (globalThis.gdr ??= {});
  const { site, base } = document.currentScript.dataset;
  const fromDisk = location.protocol === "file:";
  const prefix = site + (fromDisk ? "" : new URL(base, location).pathname.replace(/[^/]*$/, "")) + ":";

  const sections = new Map();
  const memory = new Map();
  /** Entries that this page must leave as they are, and the texts that it goes on with instead. */
  const held = new Map();
  const watchers = [];
  let local = null;
  let trouble = "";

  /** A section that nobody registered is kept as it is; what is in it is not ours to judge. */
  const UNKNOWN = { version: Infinity, check: () => true, migrate: {}, merge: (ours) => ours };

  const note = (kind) => {
    if (trouble === kind) return;
    trouble = kind;
    document.dispatchEvent(new Event("gdr-trouble"));
  };

  const failed = (error) => note(!local ? "blocked" : /quota/i.test(error?.name) ? "full" : "failing");

  try {
    // Where cookies are blocked, touching the property throws.
    local = localStorage;
    local.setItem(`${prefix}?`, "");
    local.removeItem(`${prefix}?`);
  } catch (error) {
    failed(error);
  }

  const read = (key) => {
    if (memory.has(key)) return memory.get(key);
    try {
      return local?.getItem(prefix + key) ?? null;
    } catch (error) {
      failed(error);
      return null;
    }
  };

  const write = (key, text) => {
    if (held.has(key)) {
      held.set(key, text);
      return false;
    }
    try {
      if (!local) throw null;
      if (text === null) local.removeItem(prefix + key);
      else local.setItem(prefix + key, text);
      memory.delete(key);
      return true;
    } catch (error) {
      failed(error);
      memory.set(key, text);
      return false;
    }
  };

  /** Keep a text that cannot be read: move it aside, and where that fails leave it and go on in memory. */
  const keepAside = (key, text) => {
    const aside = `aside:${key}@${Date.now()}`;
    if (write(aside, text)) write(key, null);
    else {
      memory.delete(aside);
      held.set(key, null);
    }
  };

  /** Return [readable, data, whether it was written by a newer version] of an entry's text. */
  const unpack = (section, text) => {
    const { version, check, migrate } = sections.get(section) ?? UNKNOWN;
    try {
      let { v, data } = JSON.parse(text);
      if (!Number.isInteger(v) || v < 1) return [false];
      if (v > version) return [true, undefined, true];
      for (; v < version && migrate[v]; v++) data = migrate[v](data);
      return [(version === Infinity || v === version) && check(data) === true, data];
    } catch {
      return [false];
    }
  };

  const get = (section, item) => {
    const key = `${section}/${item}`;
    const text = held.has(key) ? held.get(key) : read(key);
    if (text === null) return undefined;
    const [readable, data, newer] = unpack(section, text);
    if (newer) {
      // An older page of this site, from a cache say, must not spoil it.
      held.set(key, null);
      if (!trouble) note("newer");
    } else if (!readable) keepAside(key, text);
    return readable && !newer ? data : undefined;
  };

  const tell = (section, item) => {
    for (const [name, heard] of watchers) if (name === section) heard(item);
  };

  const update = (section, item, change) => {
    const before = get(section, item);
    const after = change(before);
    if (after === before) return after;
    const v = (sections.get(section) ?? UNKNOWN).version;
    write(`${section}/${item}`, after === undefined ? null : JSON.stringify({ v, data: after }));
    tell(section, item);
    return after;
  };

  const stored = () => {
    const keys = new Set();
    try {
      for (let i = 0; i < (local?.length ?? 0); i++) {
        const key = local.key(i);
        if (key.startsWith(prefix)) keys.add(key.slice(prefix.length));
      }
    } catch (error) {
      failed(error);
    }
    for (const [key, text] of memory) text === null ? keys.delete(key) : keys.add(key);
    return [...keys].sort();
  };

  addEventListener("storage", ({ key, storageArea }) => {
    if (storageArea !== local) return;
    // A null key: the whole store was cleared.
    if (key === null) for (const name of sections.keys()) tell(name, null);
    else if (key.startsWith(prefix)) tell(...key.slice(prefix.length).split("/"));
  });
  // A page from the back-forward cache has heard nothing meanwhile.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) for (const name of sections.keys()) tell(name, null);
  });

  gdr.store = {
    /** Announce a section: `{version, check(data), migrate: {1: (data) => …}, merge(ours, theirs)}`. */
    register: (section, kind) => sections.set(section, kind),
    /** Return an item's data, or undefined: absent, unreadable (then kept aside), or of a newer version. */
    get,
    /** Change an item to what `change(data)` returns; undefined deletes it, the same object leaves it. */
    update,
    /** Call `heard(item)` whenever an item of a section changes, here or in another tab; null means any. */
    watch: (section, heard) => watchers.push([section, heard]),
    /** The keys of all items, those of unknown sections and kept texts included. */
    keys: stored,
    /** The raw text of a key, and the raw way to replace it; for export, import and reset. */
    text: read,
    put: (key, text) => {
      held.delete(key);
      const whole = write(key, text);
      tell(...key.split("/"));
      return whole;
    },
    /** The name of this site, in keys and in exported files. */
    site,
    kind: (section) => sections.get(section) ?? UNKNOWN,
    unpack,
    /** "" or what is wrong: blocked, full, failing, newer. */
    get trouble() {
      return trouble;
    },
    /** What shortens the life of what is stored: "short" (Safari), "file" (Firefox from disk), or "". */
    get life() {
      const agent = navigator.userAgent;
      if (fromDisk && /Firefox\//.test(agent)) return "file";
      return !fromDisk && /Safari\//.test(agent) && !/Chrom(e|ium)\/|Android/.test(agent) ? "short" : "";
    },
  };
})();
