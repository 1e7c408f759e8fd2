"""What `mkdocs serve` needs beyond a build: edited formulas that show, and mistakes in a page that do not end it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mkdocs.plugins import event_priority

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


# Before the macros plugin imports the package for this build.
@event_priority(100)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Forget the macros package, so that this build imports what is on disk now; survive mistakes while serving."""
    for name in [name for name in sys.modules if name == "macros" or name.startswith("macros.")]:
        del sys.modules[name]
    # `on_error_fail` ends the process, and the server with it. `strict` stops this build alone: the server prints
    # the mistake and waits until it is mended.
    if "serve" in sys.argv:
        config.plugins["macros"].config["on_error_fail"] = False
    return config
