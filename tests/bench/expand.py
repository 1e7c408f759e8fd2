"""A project with its macros already expanded: `python -m tests.bench.expand PROJECT TARGET`.

The pages are what the macros plugin hands on. The configuration is the project's own without that plugin, its hooks
and what only `serve` watches, and with the navigation that a macro makes written out. Theme files are the same.
"""

from __future__ import annotations

import logging
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.base import Config
from mkdocs.plugins import BasePlugin, event_priority

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

PLUGIN = "macros"
DROPPED = ("hooks", "watch", "nav")

# Front matter that mkdocs or the theme reads. The rest is words that macros have put into the page.
_READ_BY_THEME = ("title", "description", "hide", "template")


class _NoOptions(Config):
    """The plugin below is added by code and has nothing to configure."""


class _Capture(BasePlugin[_NoOptions]):
    """Keeps the Markdown of every page as the macros plugin leaves it."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}

    # After every other plugin.
    @event_priority(-100)
    def on_page_markdown(self, markdown: str, *, page: Page, **_: Any) -> None:
        meta = {key: page.meta[key] for key in _READ_BY_THEME if key in page.meta}
        front = f"---\n{yaml.safe_dump(meta, allow_unicode=True, width=1000)}---\n\n" if meta else ""
        self.pages[page.file.src_uri] = front + markdown


def expand(project: Path, target: Path) -> None:
    """Write the expanded project into a new folder `target`."""
    capture = _Capture()
    with TemporaryDirectory() as site:
        config = load_config(str(project / "mkdocs.yml"), strict=True, site_dir=site)
        config.plugins["capture"] = capture
        build(config)
    shutil.copytree(config.docs_dir, target / "docs")
    shutil.copytree(project / "overrides", target / "overrides")
    for src_uri, text in capture.pages.items():
        (target / "docs" / src_uri).write_text(text, encoding="utf-8")
    original = (project / "mkdocs.yml").read_text(encoding="utf-8")
    (target / "mkdocs.yml").write_text(_configuration(original, config.nav), encoding="utf-8")


def _configuration(original: str, navigation: object) -> str:
    # As nodes, so that tags and texts stay as the author wrote them.
    root = _mapping(original)
    kept = [(key, value) for key, value in root.value if key.value not in DROPPED]
    for key, value in kept:
        if key.value == "plugins":
            value.value = [item for item in value.value if PLUGIN not in _names(item)]
    root.value = kept + _mapping(yaml.safe_dump({"nav": navigation})).value
    text: str = yaml.serialize(root, allow_unicode=True)
    return text


def _mapping(text: str) -> yaml.MappingNode:
    root = yaml.compose(text)
    if not isinstance(root, yaml.MappingNode):
        raise TypeError(f"expected a mapping as configuration, found {root!r}")
    return root


def _names(plugin: yaml.Node) -> list[str]:
    return [key.value for key, _ in plugin.value] if isinstance(plugin, yaml.MappingNode) else [plugin.value]


if __name__ == "__main__":
    # The macros plugin logs what is wrong with a page, and exits.
    logging.basicConfig(level=logging.WARNING)
    expand(Path(sys.argv[1]), Path(sys.argv[2]))
