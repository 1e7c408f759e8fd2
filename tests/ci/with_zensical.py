"""Builds the site with Zensical into the folder that mkdocs.yml names: `python -m tests.ci.with_zensical`.

Zensical runs the macros itself, with an object like that of mkdocs-macros but for the names below. They are added here,
so that the comparison shows what differs beyond them. It is imported by name: it is installed for this job alone.
"""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace
from typing import Any

import jinja2

DELIMITERS = [f"{kind}_{end}_string" for kind in ("variable", "block", "comment") for end in ("start", "end")]


def add_missing_names() -> None:
    """Give Zensical's objects `page.file.src_uri`, `env.env` and `env.has_j2`."""
    page: Any = importlib.import_module("zensical.extensions.context").Page
    macros: Any = importlib.import_module("zensical.extensions.macros").MacroEnv
    page.file = property(lambda self: SimpleNamespace(src_uri=self.path))
    macros.env = property(_environment)
    macros.has_j2 = lambda self, text: any(
        self.config[f"j2_{kind}_start_string"] in text for kind in ("variable", "block", "comment")
    )


def _environment(self: Any) -> jinja2.Environment:
    delimiters = {name: self.config[f"j2_{name}"] for name in DELIMITERS}
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, **delimiters)
    environment.globals.update(self.macros)
    return environment


if __name__ == "__main__":
    add_missing_names()
    importlib.import_module("zensical.main").cli(sys.argv[1:] or ["build", "--strict"])
