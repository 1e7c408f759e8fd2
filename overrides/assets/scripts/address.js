"use strict";
// The page's address: what the reader changed stands in its query, in display units, only what differs; the hash is for places.

(() => {
  const gdr = (globalThis.gdr ??= {});

  gdr.address = {
    /** What the address changes, by name; names that are not asked for are somebody else's. */
    read: (names) => new Map([...new URLSearchParams(location.search)].filter(([name]) => names.has(name))),

    /** The address with these changes and no others; everything else in it stays. */
    with: (names, changes) => {
      const address = new URL(location);
      for (const name of names) address.searchParams.delete(name);
      for (const [name, text] of changes) address.searchParams.set(name, text);
      return address.href;
    },

    write: (names, changes) => {
      const address = gdr.address.with(names, changes);
      if (address !== location.href) history.replaceState(null, "", address);
    },
  };
})();
