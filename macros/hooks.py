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
    """Make a rebuild see the macros package as it is on disk now, and survive mistakes in pages."""
    loaded = [name for name in sys.modules if name == "macros" or name.startswith("macros.")]
    for name in loaded:
        del sys.modules[name]
    # Nothing is loaded before the first build, and only `serve` builds again.
    if loaded:
        # Python would write the compiled module into a watched folder, which would cause the next build.
        sys.dont_write_bytecode = True
        # `on_error_fail` ends the process, and the server with it. `strict` stops this build alone: the server
        # prints the mistake and waits until it is mended.
        config.plugins["macros"].config["on_error_fail"] = False
    return config
