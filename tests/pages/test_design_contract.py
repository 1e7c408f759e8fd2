"""What every design page must hold, read from the built site as a reader without scripts gets it."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest

from macros.chains import module_name
from macros.render.rows import SIGNS
from tests.conftest import PROJECT
from tests.pages.designs import DESIGNS, GROUPS, Design, built, how_texts, shown_number, value_text
from tests.pages.dom import by_class, by_id, only, page, text

# The ids of the main table, in order: the order that the round is told in.
MAIN_TABLE = {
    "chatgpt": (
        [
            "daily_users",
            "requests_per_user",
            "peak_share",
            "input_tokens",
            "output_tokens",
            "gpus_per_replica",
            "batch",
        ],
        [
            "peak_requests",
            "kv_per_request",
            "sequences_that_fit",
            "decode_step",
            "tokens_per_replica",
            "tokens_needed",
            "replicas",
            "gpus",
            "cost_per_1000",
        ],
    ),
}
# Signs and words of Python that no formula of the field needs.
PYTHON = re.compile(r"[_*{}\[\]\\=\"]|//|->|\b(?:lambda|self|def|None|True|False|float|int|math|gpu)\b")
# A page's text with one of these was not filled in, or was filled in with no number.
LEFTOVERS = re.compile(
    r"\[\[|\]\]|\{\{|\}\}|\{%|\b(?:nan|NaN|inf|Infinity|None|undefined|Undefined|Macro|Traceback)\b|\w*Error\b"
)
DOCS = PROJECT / "docs"
PUBLISHED = ["404.html", *sorted(f"{page.relative_to(DOCS).with_suffix('.html')}" for page in DOCS.rglob("*.md"))]


@pytest.fixture(params=DESIGNS)
def design(request: pytest.FixtureRequest, site: Path) -> Design:
    """Each design page in turn."""
    return built(site, request.param)


def test_there_is_a_page_for_every_chain() -> None:
    modules = sorted(path.stem for path in (PROJECT / "macros/designs").glob("*.py") if path.stem != "__init__")
    assert modules == sorted(map(module_name, DESIGNS))


def test_the_tests_know_every_page(site: Path) -> None:
    assert sorted(str(path.relative_to(site)) for path in site.rglob("*.html")) == sorted(PUBLISHED)


# ---------------------------------------------------------------- the five groups
def test_five_groups_in_order(design: Design) -> None:
    assert list(design.groups) == GROUPS


def test_everything_below_the_round_is_folded(design: Design) -> None:
    assert [text(element)[:40] for element in design.article.iter() if "open" in element.attrib] == []
    first, *others = design.groups.values()
    assert [only(list(group)).tag for group in others] == ["details"] * 4
    # What the interviewer says if asked is the one thing to unfold in the round: inputs, and nothing computed.
    told = text(only(by_class(first, "gdr-told")))
    chain = design.program.chain
    asked = [given for given in chain.inputs.values() if given.id in main_table(design)[0] or given.kind == "target"]
    assert all(f"{given.label}: {chain.show(given.id)}" in told for given in asked)
    assert len(list(only(by_class(first, "gdr-told")))) == 1 + len(asked)


def test_round(design: Design) -> None:
    section = design.groups["round"]
    prompt = only(by_class(section, "gdr-prompt"))
    assert text(prompt).endswith((".", "?"))
    opening = [child for child in section if child.tag == "p" and "class" not in child.attrib]
    assert len(text(only(opening))) > 100
    warning = by_class(section, "gdr-note")[0]
    assert text(warning).startswith("Planning numbers, not measurements.")
    assert next(warning.iter("a")).get("href") == "../numbers.html"
    assert "load test" in text(warning)
    steps = only([child for child in section if "gdr-attempt" in child.get("class", "")])
    expected = [f"{step.name} {step.minutes.number} min {step.do}" for step in design.program.assumptions.steps]
    assert [" ".join(text(part) for part in step if part.tag != "details") for step in steps] == expected
    assert len(expected) == 5


def test_the_prompt_states_the_scale_and_leads_nowhere(design: Design) -> None:
    prompt = only(by_class(design.groups["round"], "gdr-prompt"))
    scale = [text(number) for number in by_class(prompt, "gdr-v")]
    own = {str(design.program.chain.show(id).number) for id in design.program.data.own}
    assert scale
    assert set(scale) <= own
    assert list(prompt.iter("a")) == []


def test_chips_say_what_is_on_the_page(design: Design) -> None:
    said = [text(chip) for chip in only(by_class(design.groups["round"], "gdr-chips"))]
    minutes = [int(text(step[1]).removesuffix(" min")) for step in only(by_class(design.article, "gdr-attempt"))]
    computed = main_table(design)[1]
    plan = list(only(by_class(design.article, "gdr-plan")).iter("dt"))
    ticks = list(only(by_class(design.article, "gdr-rubric")).iter("input"))
    assert said == [
        f"{sum(minutes)} minutes",
        f"{len(computed)} computed numbers",
        f"{len(plan)}-part evaluation plan",
        f"{len(ticks)}-point rubric",
    ]


def test_rubric_has_five_common_ticks_and_three_of_its_own(design: Design) -> None:
    rubric = only(by_class(design.groups["score"], "gdr-rubric"))
    assert text(next(rubric.iter("legend"))) == "Self-grade"
    parts: dict[str, list[str]] = {}
    for child in rubric:
        if "gdr-rubric__part" in child.get("class", ""):
            parts[text(child)] = []
        for box in child.iter("input"):
            assert box.get("type") == "checkbox"
            assert len(text(child)) > 20
            parts[list(parts)[-1]].append(box.get("name", ""))
    assert parts["Every round"] == ["scale", "numbers", "binding", "trade-off", "evaluation"]
    assert len(parts["This design"]) == 3
    names = [*parts["Every round"], *parts["This design"]]
    assert len(set(names)) == 8
    assert text(design.groups["score"]).startswith("Score¶ 8 ticks")


def test_predict_asks_before_it_tells(design: Design) -> None:
    chain, score = design.program.chain, design.groups["score"]
    by_id(score, "predict")
    fold = by_class(score, "gdr-fold")[-1]
    told = text(fold)
    question = text(score).removesuffix(told)
    headline = str(chain.show(chain.headline))
    assert all(word in question for word in chain.ceilings)
    assert chain.label(chain.headline).lower() in question.lower()
    assert headline not in question
    assert f"{design.program.data.binds.capitalize()} binds, and the headline is {headline}." in told
    assert re.findall(r"Within ([\d.]+) ×", told) == ["1.25", "2", "10"]


def test_model_answer_has_the_five_steps(design: Design) -> None:
    steps = by_class(by_group(design, "answer", "gdr-steps"), "gdr-step")
    expected = [
        f"{number} {step.name} {step.minutes.number} min"
        for number, step in enumerate(design.program.assumptions.steps, start=1)
    ]
    assert [text(next(step.iter("summary"))) for step in steps] == expected
    assert all(sum(len(text(p)) for p in step.findall("p")) > 300 for step in steps)


def test_diagram_stands_in_architecture_and_has_words(design: Design) -> None:
    step = by_class(design.article, "gdr-step")[1]
    figure = only(list(step.iter("figure")))
    drawing = only(list(figure.iter("svg")))
    assert drawing.get("role") == "img"
    title, about = (by_id(drawing, id) for id in drawing.get("aria-labelledby", "").split())
    assert text(title)
    assert len(text(about)) > 80
    assert len(text(only(list(figure.iter("figcaption"))))) > 20
    words = [text(sentence) for sentence in figure.iter("li")]
    assert len(words) >= 4
    assert all(sentence.endswith(".") for sentence in words)
    # The drawing is redrawn when words change, not when numbers do. Names such as 70B are no numbers of a chain.
    assert re.findall(r"(?<![\w.-])\d[\d,.]*(?![\w-])", text(figure)) == []


def test_answer_has_its_other_parts(design: Design) -> None:
    answer = design.groups["answer"]
    headings = [element.get("id") for element in answer.iter() if element.get("id") in ANSWER_PARTS]
    assert headings == ANSWER_PARTS
    takeaway = by_id(answer, "takeaway")
    chain = design.program.chain
    headline = only(by_class(takeaway, "gdr-headline"))
    assert text(headline) == f"{chain.show(chain.headline)} = {chain.steps[chain.headline].text}"
    assert text(takeaway).removeprefix(text(headline)).strip()


ANSWER_PARTS = ["model-answer", "numbers", "takeaway", "what-binds", "bill"]


def test_what_binds_marks_the_largest_which_is_the_one_in_the_data_file(design: Design) -> None:
    table = by_group(design, "answer", "gdr-ceilings")
    demands = {text(row[0]): shown_number(value_text(row)) for row in table.iter("tr") if row.find("td") is not None}
    marked = text(only(by_class(table, "gdr-binds"))[0])
    assert marked == f"{design.program.data.binds.capitalize()}, binds"
    assert demands[marked] == max(demands.values())
    assert sorted(demands.values(), reverse=True) == list(demands.values())
    assert len(demands) >= 2


def test_follow_ups(design: Design) -> None:
    cards = list(by_group(design, "push", "gdr-cards"))
    assert [card.get("id") for card in cards] == [f"card-{card.id}" for card in design.program.data.follow_ups]
    assert len(cards) >= 3
    for card in cards:
        assert text(only(list(card.iter("h4")))).rstrip("¶").endswith("?")
        answer = only(list(card.iter("details")))
        assert "→" in text(only(answer.findall("p")[:1]))
        changes = [row for row in answer.iter("tr") if row.find("td") is not None]
        # A card whose point is that nothing of the main table moves has no table.
        assert bool(changes) == bool(list(answer.iter("table")))
        assert all("→" in text(row[1]) and text(row[2]).startswith("× ") for row in changes)
    assert any(by_class(card, "gdr-violated") for card in cards)


def test_what_moves_it_names_every_range_widest_first(design: Design) -> None:
    table = by_group(design, "push", "gdr-moves")
    bars = [row for row in table.iter("tr") if row.find("td") is not None]
    widths = []
    for bar in bars:
        low, high = value_text(bar).split("–")
        widths.append(shown_number(high) - shown_number(low))
    # Neighbours of one width may change places by what rounding leaves out.
    assert all(wide >= narrow - 1 for wide, narrow in pairwise(widths))
    still = [text(note) for note in by_class(design.groups["push"], "gdr-note")]
    named = "".join(still).partition(": ")[2].removesuffix(".").split(", ") if still else []
    ranged = [given for given in design.program.chain.inputs.values() if given.low is not None]
    assert len(bars) + len(named) == len(ranged)
    for given in ranged:
        assert any(text(bar[0]).startswith(given.label) for bar in bars) or given.short in named


def test_quiz(design: Design) -> None:
    questions = list(by_group(design, "push", "gdr-quiz"))
    assert len(questions) >= 4
    published = {value_text(row) for row in design.rows.values()}
    for question in questions:
        assert text(question[0]).endswith("?")
        options = by_class(question, "gdr-option")
        assert len(options) >= 3
        right = only([option for option in options if text(option[1]).startswith("Right. ")])
        wrong = [option for option in options if text(option[1]).startswith("Not this. ")]
        assert len(wrong) == len(options) - 1
        assert text(right[0]) in published
        value = shown_number(text(right[0]))
        near = [text(option[0]) for option in wrong if abs(shown_number(text(option[0])) / value - 1) < 0.1]
        assert not near, f"{question.get('id')}: {near} is within 10 % of {text(right[0])}"
        assert len({text(option[0]) for option in options}) == len(options)
        assert all(len(text(option[1])) > 30 for option in options)


def test_evaluation_plan_has_four_parts(design: Design) -> None:
    plan = by_group(design, "sources", "gdr-plan")
    assert [child.tag for child in plan] == ["dt", "dd"] * 4
    titles = [text(title) for title in plan.iter("dt")]
    assert len(set(titles)) == 4
    assert all(len(text(part)) > 60 for part in plan.iter("dd"))


def test_go_deeper_names_documents_and_command(design: Design) -> None:
    sources = design.groups["sources"]
    by_id(sources, "go-deeper")
    told = text(sources)
    for entry in design.program.data.uses.values():
        assert f"{entry.name}: {entry.source}, read {entry.read}" in told
    assert text(only(list(sources.iter("code"))))


def test_files_of_the_page_exist(design: Design, site: Path) -> None:
    links = [link.get("href", "") for link in design.groups["sources"].iter("a")]
    files = [site / "designs" / link for link in links if link.endswith((".csv", ".json"))]
    assert [path.resolve().relative_to(site).as_posix() for path in files] == [
        f"designs/{design.program.id}/numbers.csv",
        "numbers.json",
    ]
    assert all(path.is_file() for path in files)


# ---------------------------------------------------------------- the numbers
def main_table(design: Design) -> tuple[list[str], list[str]]:
    """The ids of the main table's rows: assumptions, computed."""
    ids = {row: id for id, row in design.rows.items()}
    assumptions, computed = by_class(design.groups["answer"], "gdr-numbers")[0].findall("tbody")
    return [ids[row] for row in assumptions], [ids[row] for row in computed]


def by_group(design: Design, group: str, name: str) -> Element:
    """The one element of a class in a group."""
    return only(by_class(design.groups[group], name))


def test_main_table_holds_the_designs_own_assumptions_and_nine_or_more_computed_rows(design: Design) -> None:
    assumptions, computed = main_table(design)
    own = design.program.data.own.values()
    assert assumptions == [given.id for given in own if given.part == "numbers" and given.kind == "assumption"]
    steps = design.program.chain.steps.values()
    assert computed == [step.id for step in steps if step.part == "numbers"]
    assert len(computed) >= 9


@pytest.mark.parametrize("id", MAIN_TABLE)
def test_main_table_of(id: str, site: Path) -> None:
    assert main_table(built(site, id)) == MAIN_TABLE[id]


def test_every_number_of_the_chain_has_one_row(design: Design) -> None:
    chain = design.program.chain
    assert sorted(design.rows) == sorted([*chain.inputs, *chain.steps])
    assert len(by_class(design.article, "gdr-row")) == len(design.rows)


def test_every_row_shows_its_value(design: Design) -> None:
    chain = design.program.chain
    assert {id: value_text(row) for id, row in design.rows.items()} == {id: str(chain.show(id)) for id in design.rows}


def test_every_row_has_a_sign_and_a_word(design: Design) -> None:
    chain = design.program.chain
    for id, row in design.rows.items():
        kind = "computed" if id in chain.steps else chain.inputs[id].kind
        sign = only(by_class(row, "gdr-kind"))
        assert (text(sign), sign.get("aria-hidden")) == (SIGNS[kind], "true")
        assert re.search(rf"\b{kind}\b", text(row)), text(row)
    legend = [text(item) for item in by_group(design, "answer", "gdr-legend")]
    assert legend == [f"{sign}{kind}" for kind, sign in SIGNS.items()]


def test_every_computed_row_says_how_in_the_words_of_the_field(design: Design) -> None:
    chain = design.program.chain
    for id in chain.steps:
        how, _ = how_texts(design.rows[id])
        assert how
        assert how == chain.steps[id].text
        assert not (found := PYTHON.search(how)), f"{id}: {found} in {how}"
        named = [chain.short(input) for input in chain.steps[id].inputs if input in chain.steps]
        assert all(name in how for name in named)


def test_a_rounded_count_shows_what_it_was_before(design: Design) -> None:
    rounded = 0
    for id in design.program.chain.steps:
        how, note = how_texts(design.rows[id])
        if how[0] not in "⌈⌊" or not note:
            assert note == ""
            continue
        assert note.endswith(" before rounding")
        before = shown_number(note)
        after = shown_number(value_text(design.rows[id]))
        # From 1,000 up both are shown without decimals.
        assert 0 < (after - before if how[0] == "⌈" else before - after) <= 1
        rounded += 1
    assert rounded >= 2


def test_every_fact_shows_its_source_and_the_date_read(design: Design) -> None:
    facts = [given for given in design.program.chain.inputs.values() if given.kind == "fact"]
    assert facts
    for fact in facts:
        assert how_texts(design.rows[fact.id]) == ("fact", f"{fact.source}, read {fact.read}")
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", fact.read)


def test_every_range_shows_its_reason(design: Design) -> None:
    for given in design.program.chain.inputs.values():
        if given.low is not None:
            how, note = how_texts(design.rows[given.id])
            assert re.match(r"(shared )?assumption, .*–.*", how)
            assert note == given.because


def test_quoted_numbers_lead_to_rows(design: Design) -> None:
    quotes = [element for element in design.article.iter("a") if "data-step" in element.attrib]
    assert len(quotes) > 20
    for quote in quotes:
        row = design.rows[quote.attrib["data-step"]]
        assert quote.get("href") == f"#{row.get('id')}"
        assert value_text(row).startswith(text(quote))


def test_a_step_uses_exactly_the_rows_that_its_prose_quotes(design: Design) -> None:
    used = 0
    for step in by_class(design.article, "gdr-step"):
        lines = by_class(step, "gdr-uses")
        listed = [link.get("href") for line in lines for link in line.iter("a")]
        quoted = [link.get("href") for link in step.iter("a") if "data-step" in link.attrib]
        assert listed == list(dict.fromkeys(quoted))
        assert len(lines) == (1 if quoted else 0)
        used += len(lines)
    assert used >= 3


def test_only_links_look_like_links(design: Design) -> None:
    assert {element.tag for element in by_class(design.article, "gdr-n")} == {"a"}


# ---------------------------------------------------------------- every page of the site
@pytest.mark.parametrize("name", PUBLISHED)
def test_nothing_is_left_unfilled(name: str, site: Path) -> None:
    root = page(site / name)
    hidden = [element for element in root.iter() if element.tag in {"script", "style"}]
    for element in root.iter():
        if element in hidden:
            continue
        for told in (element.text or "", element.tail or "", *element.attrib.values()):
            assert not (found := LEFTOVERS.search(told)), f"{found} in {told.strip()[:200]!r}"


@pytest.mark.parametrize("name", PUBLISHED)
def test_no_cell_is_empty(name: str, site: Path) -> None:
    root = page(site / name)
    for table in by_class(root, "gdr-table"):
        for cell in [*table.iter("th"), *table.iter("td")]:
            drawn = [*by_class(cell, "gdr-bar"), *by_class(cell, "gdr-swing")]
            assert text(cell) or drawn, f"an empty cell in {text(table)[:100]}"
    for value in [*by_class(root, "gdr-v"), *by_class(root, "gdr-n"), *by_class(root, "gdr-value")]:
        assert text(value).strip("$")


@pytest.mark.parametrize("name", PUBLISHED)
def test_ids_are_unique_and_led_to(name: str, site: Path) -> None:
    root = page(site / name)
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert sorted(set(ids)) == sorted(ids)
    assert "" not in ids
    for element in root.iter():
        for attribute in ("aria-labelledby", "aria-describedby", "for"):
            assert set(element.get(attribute, "").split()) <= set(ids)


@pytest.mark.parametrize("name", PUBLISHED)
def test_links_lead_to_pages_and_places_that_exist(name: str, site: Path) -> None:
    for link in page(site / name).iter("a"):
        address, hash, id = link.get("href", "").partition("#")
        # 404.html stands for any address, so it links from the root; other hosts are linked to in the footer only.
        if address.startswith("https:") or name == "404.html":
            continue
        target = (site / name).parent / address if address else site / name
        assert target.is_file(), f"{link.get('href')} in {name}"
        if id:
            by_id(page(target), id)
        assert not hash or id


@pytest.mark.parametrize("name", PUBLISHED)
def test_headings_are_in_order(name: str, site: Path) -> None:
    article = next(page(site / name).iter("article"))
    levels = [int(element.tag[1]) for element in article.iter() if re.fullmatch("h[1-6]", element.tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(text(element).rstrip("¶") for element in article.iter() if re.fullmatch("h[1-6]", element.tag))
