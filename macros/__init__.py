"""The adapter for mkdocs-macros: the one place that knows MkDocs.

Everything is imported inside the functions, so that the engine can be imported without a template engine or a site.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs_macros.plugin import MacrosPlugin

    from macros.site import Site


@lru_cache(maxsize=1)
def site_of(env: MacrosPlugin) -> Site:
    """Return the site that a plugin builds. Raises SizingError for the data file and the chains."""
    from macros.site import Site

    return Site(env)


def define_env(env: MacrosPlugin) -> None:
    """Give pages their macros; each works on the page that calls it."""
    from mkdocs.exceptions import PluginError

    from macros.collector import spare_what_stays
    from macros.sizing import SizingError

    spare_what_stays()
    try:
        macros = site_of(env).macros
    except SizingError as error:
        raise PluginError(str(error)) from None
    for macro in macros:
        env.macro(macro)


def on_pre_page_macros(env: MacrosPlugin) -> None:
    """Fill in the page's macros here: the plugin would stop at the first mistake, and end the server with it."""
    page: Any = env.page
    env.markdown = site_of(env).fill_page(env.markdown)
    # What is filled in is done; a macro that is shown as an example is not one to the plugin.
    page.meta["render_macros"] = False


def on_post_build(env: MacrosPlugin) -> None:
    """Write numbers.json and the CSV tables into the built site."""
    from pathlib import Path

    from macros import numbers_file
    from macros.assumptions import load
    from macros.chains import programs

    conf: Any = env.conf
    numbers_file.write(programs(load()), Path(conf["site_dir"]))
