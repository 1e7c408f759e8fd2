"""Live reload of formulas: mkdocs keeps modules that are imported once, so an edited one would not show.

Only `mkdocs serve` needs it; a build imports everything once anyway.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mkdocs.plugins import event_priority

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig


# Before the macros plugin imports the package for this build.
@event_priority(100)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Forget the macros package, so that this build imports what is on disk now."""
    for name in [name for name in sys.modules if name == "macros" or name.startswith("macros.")]:
        del sys.modules[name]
    return config
