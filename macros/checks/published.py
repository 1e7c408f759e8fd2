"""What the HTML of a page must not hold when it is published: an error's text, a macro's, no number, a dead link."""

from __future__ import annotations

import posixpath
import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import unquote

from macros.sizing.units import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

_NOTHING = r"(?:[-−]?(?:NaN|nan|Infinity|inf|None|undefined|Undefined))?"
_SIGNS = re.compile(
    r"Macro (?:Rendering|Syntax) Error|Traceback \(most recent call last\)"
    r"|\[\[[=%#]|[=%#]\]\]"
    # Macros in the delimiters that other sites use.
    r"|(?:\{\{|\[\[)\s*[a-z_]+\((?:[\"'][^\n]*?)?\)\s*(?:\}\}|\]\])"
    r"|\b(?:NaN|Infinity)\b"
)
# Parts of these signs. Finding none of them is quicker than trying the patterns everywhere in a large page.
_HINTS = ("Macro ", "Traceback ", "[[", "]]", "{{", "NaN", "Infinity")
# Where templates set numbers: the bold part of a shown one, and a table's last cell.
_EMPTY = (
    re.compile(rf"<b>\s*{_NOTHING}\s*</b>"),
    re.compile(rf'<td class="gdr-value">\s*{_NOTHING}\s*</td>'),
)
# Shown as written, whatever it is.
_CODE = re.compile(r"<(pre|code|script|style)\b.*?</\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_LINK = re.compile(r'<a\b[^>]*?\shref="([^"]*)"')
_ID = re.compile(r'<[a-z][^>]*?\sid="([^"]*)"')
_AROUND = 40


def leftovers(html: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield a line of the page's source, 0 for what a macro printed, and the message for each sign of a mistake."""
    prose = _CODE.sub("", html)
    if not any(hint in prose for hint in _HINTS) and not any(pattern.search(prose) for pattern in _EMPTY):
        return
    for sign in _SIGNS.finditer(unescape(_TAG.sub(" ", prose))):
        before, after = sign.string[: sign.start()], sign.string[sign.end() :]
        around = " ".join(f"{before[-_AROUND:]}{sign[0]}{after[:_AROUND]}".split())
        yield (
            _line(source, before[-_AROUND // 2 :].lstrip() + sign[0], sign[0]),
            f"found `{sign[0]}` in what would be published, at “{around}”\n"
            "  fix: correct the macro that printed it, or write it as code if it is meant",
        )
    for sign in (sign for pattern in _EMPTY for sign in pattern.finditer(prose)):
        found = _TAG.sub("", sign[0]).strip()
        before = " ".join(unescape(_TAG.sub(" ", prose[: sign.start()])).split())
        yield (
            0,
            f"found {f'`{found}`' if found else 'nothing'} in place of a number, after “{before[-_AROUND:].lstrip()}”\n"
            "  fix: correct the macro that printed it",
        )


def anchors_of(html: str) -> set[str]:
    """Return the ids that links can lead to."""
    return {unescape(id) for id in _ID.findall(html)}


def dead_links(
    url: str, html: str, anchors: Mapping[str, Collection[str] | None], source: str
) -> Iterator[tuple[int, str]]:
    """Yield a line of the page's source, 0 for what a macro printed, and the message for each link to nowhere.

    `anchors` holds the ids of every page by its address below the site; None where they are not known.
    """
    for href in dict.fromkeys(_LINK.findall(html)):
        path, _, anchor = unescape(href).partition("#")
        if re.match(r"[a-z][a-z0-9+.-]*:|/", path) or not (anchor or path.endswith((".md", ".html"))):
            continue
        page = posixpath.normpath(posixpath.join(posixpath.dirname(url), unquote(path))) if path else url
        if page not in anchors:
            told = "leads to no page\n  fix: link to a file below docs/, by its path from here"
        elif anchor and (known := anchors[page]) is not None and unquote(anchor) not in known:
            told = f"leads to a page without that anchor{nearest(anchor, [*known])}\n  fix: link to an id that it has"
        else:
            continue
        as_written = href.replace(".html", ".md") if path else href
        places = [source.find(f"]({target}") for target in (href, as_written)] + [source.find(f'href="{href}"')]
        first = min((place for place in places if place >= 0), default=None)
        line = 0 if first is None else source.count("\n", 0, first) + 1
        yield line, f"the link `{as_written if line else href}` {told}"


def _line(source: str, *written: str) -> int:
    """Return the line of the first of some texts that stands in a page's source exactly once, or 0."""
    found = next((text for text in written if source.count(text) == 1), None)
    return source.count("\n", 0, source.index(found) + len(found)) + 1 if found else 0
