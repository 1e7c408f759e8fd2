"""The adapter for mkdocs-macros: the one place that knows MkDocs.

Everything is imported inside the functions, so that the engine can be imported without a template engine or a site.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs_macros.plugin import MacrosPlugin


def define_env(env: MacrosPlugin) -> None:
    """Give pages their macros; each works on the page that calls it."""
    import gc

    # What is loaded by now stays to the end. Not looking through it again and again saves a tenth of the build.
    gc.freeze()

    from macros.site import Site

    site = Site(env)
    for macro in (
        site.n,
        site.at,
        site.to,
        site.plain,
        site.link,
        site.round,
        site.score,
        site.answer,
        site.push,
        site.sources,
        site.formulas,
        site.facts,
        site.shared,
        site.board,
        site.steps,
    ):
        env.macro(macro)


def on_post_build(env: MacrosPlugin) -> None:
    """Write numbers.json and the CSV tables into the built site."""
    from pathlib import Path

    from macros import numbers_file
    from macros.assumptions import load
    from macros.chains import programs

    conf: Any = env.conf
    numbers_file.write(programs(load()), Path(conf["site_dir"]))
