"""MkDocs' own events: edited formulas that show in `serve`, all pages checked, templates compiled once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files


# Before the macros plugin imports the package for this build.
@event_priority(100)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make a rebuild see the macros package as it is on disk now."""
    loaded = [name for name in sys.modules if name == "macros" or name.startswith("macros.")]
    for name in loaded:
        del sys.modules[name]
    # Nothing is loaded before the first build, and only `serve` builds again.
    if loaded:
        # Python would write the compiled module into a watched folder, which would cause the next build.
        sys.dont_write_bytecode = True
    return config


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:
    """Stop here, where nothing is written yet, if any page has a mistake; keep the theme's templates compiled."""
    from macros import site_of
    from macros.render.templating import compiled_templates

    # In `serve` this ends the build alone: the server prints the mistakes and waits until they are corrected.
    if told := site_of(config.plugins["macros"]).check(files):
        raise PluginError(told)
    env.bytecode_cache = compiled_templates()
    return env
