"""The HTML templates, and what every one of them needs."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from macros.sizing.display import Shown

_CACHE = Path(__file__).parent.parent.parent / ".cache" / "jinja"


def compiled_templates() -> FileSystemBytecodeCache | None:
    """Return Jinja's store of compiled templates, or None where the project's folder cannot be written.

    Compiling is a fifth of a build, pages and the theme's templates included. Jinja compiles anew what has changed.
    """
    try:
        _CACHE.mkdir(parents=True, exist_ok=True)
        return FileSystemBytecodeCache(str(_CACHE)) if os.access(_CACHE, os.W_OK) else None
    except OSError:
        return None


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=compiled_templates(),
    )
    environment.filters["shown"] = shown_html
    environment.filters["uncapitalised"] = uncapitalised
    return environment


def render(template: str, **values: object) -> str:
    """Fill a template. Raises jinja2.UndefinedError for a name that it uses and does not get."""
    return _environment().get_template(template).render(**values).strip() + "\n"


def uncapitalised(label: str) -> str:
    """Return a label for the middle of a sentence; a name such as GPU keeps its capitals."""
    return label if label[1:2].isupper() else label[0].lower() + label[1:]


def shown_html(shown: Shown) -> Markup:
    """Set a shown number: the value heavier than its unit."""
    # Pages show numbers by the hundred, and Markup's own formatting is slow.
    number = f"<b>{escape(shown.before)}{escape(shown.number)}</b>"
    unit = shown.unit.strip()
    # A unit that stands close (70B, a dollar's `per GPU-hour`) keeps its distance as shown.
    gap = " " if shown.space or shown.unit.startswith(" ") else ""
    return Markup(f'{number}{gap}<span class="gdr-u">{escape(unit)}</span>' if unit else number)
