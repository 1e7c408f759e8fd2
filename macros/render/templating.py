"""The HTML templates, and what every one of them needs."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from macros.sizing.display import Shown


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = shown_html
    return environment


def render(template: str, **values: object) -> str:
    """Fill a template. Raises jinja2.UndefinedError for a name that it uses and does not get."""
    return _environment().get_template(template).render(**values).strip() + "\n"


def shown_html(shown: Shown) -> Markup:
    """Set a shown number: the value heavier than its unit."""
    number = Markup("<b>{}{}</b>").format(shown.before, shown.number)
    unit = shown.unit.strip()
    # A unit that stands close (70B, a dollar's `per GPU-hour`) keeps its distance as shown.
    gap = " " if shown.space or shown.unit.startswith(" ") else ""
    return number + (Markup('{}<span class="gdr-u">{}</span>').format(gap, unit) if unit else Markup(""))
