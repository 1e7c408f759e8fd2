"""Signs of a mistake in the HTML of a page: what is caught before it is published, and what passes."""

import pytest

from macros.checks.published import anchors_of, dead_links, leftovers

CAUGHT = [
    ("<p>A [[= n</p>", "[[="),
    ("<p>B =]]</p>", "=]]"),
    ("<p>[[% endcall</p>", "[[%"),
    ("<p>[[# a note</p>", "[[#"),
    ('<p>{{ n("gpus") }}</p>', '{{ n("gpus") }}'),
    ("<p>{{ n(&quot;gpus&quot;) }}</p>", '{{ n("gpus") }}'),
    ("<p>{{board()}}</p>", "{{board()}}"),
    ("<p>[[ n('gpus') ]]</p>", "[[ n('gpus') ]]"),
    ("<h1><em>Macro Rendering Error</em></h1>", "Macro Rendering Error"),
    ("<p>Traceback (most recent call last)</p>", "Traceback (most recent call last)"),
    ("<p>NaN GPUs</p>", "NaN"),
    ("<p>Infinity</p>", "Infinity"),
    ("<b>nan</b>", "nan"),
    ("<b>−inf</b>", "−inf"),
    ("<b>None</b> GPUs", "None"),
    ("<b>undefined</b>", "undefined"),
    ('<td class="gdr-value">None</td>', "None"),
]
EMPTY = ["<b></b>", "<b> </b>", '<td class="gdr-value"></td>', '<td class="gdr-value">\n</td>']
PASSED = [
    "<p><code>[[= n</code> and <pre><code>NaN =]]</code></pre>",
    "<p>None of these is undefined. A nanosecond, an infinity.</p>",
    "<p>{{ kv }} and {{n}}, ${{ github.sha }}, {% raw %}, {#id}</p>",
    "<p>[[ -f x ]] &amp;&amp; echo</p>",
    "<p>\\frac{{a}}{{b(x)}}</p>",
    '<td class="gdr-value"><b>0</b></td>',
    '<th class="gdr-value"></th>',
]
ANCHORS = {"index.html": {"top"}, "designs/chat.html": {"row-gpus", "5 %"}, "designs/broken.html": None}
DEAD = ["chats.html", "chat.md", "../chat.html", "#row-gpu", "chat.html#row-gpu", "../index.html#row-gpus"]
ALIVE = [
    "#row-gpus",
    "#5%20%25",
    "chat.html",
    "../index.html#top",
    "broken.html#anything",
    "https://example.org/a.html#b",
    "mailto:a@example.org",
    "chat/numbers.csv",
    "#",
]


def test_the_ids_that_links_can_lead_to() -> None:
    html = '<h2 class="a" id="top">id="no"</h2>\n<tr\nid="row-5 &#37;"><td data-id="no">&lt;p id="no"&gt;</td></tr>'
    assert anchors_of(html) == {"top", "row-5 %"}


@pytest.mark.parametrize(("html", "sign"), CAUGHT)
def test_a_sign_is_caught(html: str, sign: str) -> None:
    ((line, told),) = leftovers(html, "")
    assert line == 0
    assert told.startswith(f"found `{sign}` in ")


@pytest.mark.parametrize("html", EMPTY)
def test_an_empty_number_is_caught(html: str) -> None:
    ((_, told),) = leftovers(f"<p>Users</p>{html}", "")
    assert told == "found nothing in place of a number, after “Users”\n  fix: correct the macro that printed it"


@pytest.mark.parametrize("html", PASSED)
def test_what_is_no_sign_passes(html: str) -> None:
    assert list(leftovers(html, "")) == []


@pytest.mark.parametrize("href", DEAD)
def test_a_link_to_nowhere_is_caught(href: str) -> None:
    ((line, told),) = dead_links("designs/chat.html", f'<a class="x" href="{href}">', ANCHORS, "")
    assert line == 0
    assert told.startswith(f"the link `{href}` leads to ")


@pytest.mark.parametrize("href", ALIVE)
def test_a_link_to_somewhere_passes(href: str) -> None:
    assert list(dead_links("designs/chat.html", f'<a href="{href}">', ANCHORS, "")) == []


def test_the_line_is_that_of_the_source() -> None:
    source = "---\ntitle: A\n---\n\nA NaN.\n\n[a](chat.md#b)\n"
    assert [line for line, _ in leftovers("<p>A NaN.</p>", source)] == [5]
    ((line, told),) = dead_links("designs/a.html", '<a href="chat.html#b">', ANCHORS, source)
    assert (line, told.split(" leads")[0]) == (7, "the link `chat.md#b`")
