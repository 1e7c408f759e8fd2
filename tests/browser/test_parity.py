"""Python and the browser compute the same floats and show the same texts."""

import json
import math
import random
import struct
import sys
from array import array
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from macros.assumptions import load
from macros.assumptions.model import Entry
from macros.chains import Program, options, programs
from macros.render.live import data
from macros.sizing import Chain, Input, SizingError, record, replay
from macros.sizing.display import number_text
from macros.sizing.export import program as exported
from macros.sizing.operations import integer_power, sum_of_powers
from macros.sizing.rounding import at_most
from macros.sizing.units import DIMENSIONLESS, is_count
from tests.cases import DISPLAY, DISPLAY_TEXT, ROUNDING, ROUNDING_TEXT, bits
from tests.conftest import PROJECT
from tests.sizing import everything

SCRIPTS = PROJECT / "overrides" / "assets" / "scripts"
WHAT_IFS = 10_000
# What-ifs that go to the browser at once.
BATCH = 2_000
DOUBLES = 5000


@dataclass(frozen=True)
class Subject:
    """A chain, and its function re-run on floats."""

    name: str
    chain: Chain
    replayed: Callable[[Mapping[str, float]], dict[str, float]]


def _subjects() -> list[Subject]:
    site = [
        Subject(f"{group}/{id}", program.chain, program.replayed)
        for group, chains in programs(load()).items()
        for id, program in chains.items()
    ]
    chain = record("everything", everything.chain, everything.KNOWN, everything.MEASURED)
    return [
        *site,
        Subject(
            "everything",
            chain,
            lambda values: replay(everything.chain, everything.KNOWN, values, everything.MEASURED),
        ),
    ]


SUBJECTS = _subjects()


@pytest.fixture(params=SUBJECTS, ids=lambda subject: subject.name)
def subject(request: pytest.FixtureRequest) -> Subject:
    chosen: Subject = request.param
    return chosen


@pytest.fixture
def scripts(page: Page) -> Page:
    """A blank page with the two scripts as classic ones."""
    page.set_content("<!doctype html><title>Parity</title>")
    for script in (SCRIPTS / "display.js", SCRIPTS / "evaluate.js", Path(__file__).with_name("parity.js")):
        page.add_script_tag(path=script)
    return page


def changed(given: Input, chance: random.Random) -> float:
    """Another value of an input: from a quarter to four times, log-uniform; shares stay shares.

    Counts are whole but now and then, and some values are nothing at all, as in a field where a reader is typing.
    """
    value = given.value * math.exp(chance.uniform(-math.log(4), math.log(4)))
    unusual = chance.random()
    if unusual < 0.003:
        return 0.0
    if given.unit.dimension == DIMENSIONLESS:
        return min(1.0, value)
    return max(1.0, float(round(value))) if is_count(given.unit.dimension) and unusual > 0.02 else value


def what_ifs(chain: Chain) -> Iterator[dict[str, float]]:
    """The inputs as they are, each alone, then any number of them at once; the same ones at each run."""
    chance = random.Random(chain.id)
    everyone = list(chain.inputs.values())
    yield {}
    for given in everyone:
        yield {given.id: changed(given, chance)}
    while True:
        # A few at once, as readers do, and now and then any number of them.
        most = len(everyone) if chance.random() < 0.1 else 6
        yield {given.id: changed(given, chance) for given in chance.sample(everyone, chance.randint(1, most))}


Moved = tuple[dict[str, float], dict[str, float]]
Stuck = tuple[dict[str, float], str]


def computed(subject: Subject, changes: Iterable[dict[str, float]]) -> tuple[list[Moved], list[Stuck]]:
    """Run what-ifs in Python: those with a number for each step, and those that leave one without, with that step."""
    good: list[Moved] = []
    without: list[Stuck] = []
    for change in changes:
        try:
            good.append((change, subject.replayed(change)))
        except SizingError as error:
            step, told, _ = str(error).partition(" has no number: ")
            if not told:
                raise
            without.append((change, step))
    return good, without


def line(chain: Chain, sides: Mapping[str, float], known: Mapping[str, float]) -> str:
    """Return what a page shows of steps, inputs and constraints where a number is not the known one, as one line."""
    holds = [at_most(sides[c.left], sides[c.right]) for c in chain.constraints.values()]
    return "\t".join(
        [
            *(str(chain.show(id, sides[id])) for id in (*chain.steps, *chain.inputs) if sides[id] != known.get(id)),
            *("holds" if one else "broken" for one in holds),
        ]
    )


def compared(page: Page, chain: Chain, good: list[Moved], known: Mapping[str, float]) -> tuple[list[list[Any]], int]:
    """Run the same what-ifs in the browser: what differs there, and in how many of them a step moved.

    The texts of numbers that are as in `known` are not compared.
    """
    sides = [
        {id: change.get(id, given.value) for id, given in chain.inputs.items()} | values for change, values in good
    ]
    answer = page.evaluate(
        "compare",
        [
            text_of(chain),
            packed(one[id] for one in sides for id in chain.inputs),
            packed(one[id] for one in sides for id in chain.steps),
            "\n".join(line(chain, one, known) for one in sides),
            known,
        ],
    )
    return answer["different"], answer["moved"]


def published(chain: Chain) -> dict[str, float]:
    return {id: step.value for id, step in chain.steps.items()} | {id: one.value for id, one in chain.inputs.items()}


def text_of(chain: Chain) -> str:
    return json.dumps(exported(chain), allow_nan=False)


def packed(floats: Iterable[float]) -> str:
    """Return floats as their own bytes, since a decimal's writer and reader are not what is tested."""
    values = array("d", floats)
    if sys.byteorder == "big":
        values.byteswap()
    return b64encode(values.tobytes()).decode()


def in_browser(page: Page, chain: Chain, changes: list[dict[str, float]]) -> list[dict[str, Any]]:
    answer: list[dict[str, Any]] = page.evaluate("runAll", [text_of(chain), changes])
    return answer


def test_what_ifs_are_bit_identical_and_shown_alike(scripts: Page, subject: Subject) -> None:
    chain, changes = subject.chain, what_ifs(subject.chain)
    compared_with_numbers, moved = 0, 0
    for _ in range(WHAT_IFS // BATCH):
        good, without = computed(subject, islice(changes, BATCH))
        different, moved_here = compared(scripts, chain, good, published(chain))
        assert [(good[number][0], what, here) for number, what, here in different] == []
        compared_with_numbers, moved = compared_with_numbers + len(good), moved + moved_here
        # Where Python names the step that is left without a number, or the one that was the last to have one, the
        # browser's first that is none is the same.
        first = scripts.evaluate("firstWithout", [text_of(chain), [change for change, _ in without]])
        order = list(chain.steps)
        for (change, place), step in zip(without, first, strict=True):
            earlier = place.removeprefix("what follows ")
            assert step == place or (earlier != place and order.index(step) > order.index(earlier)), (
                change,
                place,
                step,
            )
    # What-ifs that changed nothing would agree in any case.
    assert moved > 0.9 * compared_with_numbers > 0.5 * WHAT_IFS


def test_a_difference_of_one_bit_or_of_one_letter_is_seen(scripts: Page) -> None:
    subject = SUBJECTS[-1]
    chain = subject.chain
    first, *_ = chain.steps
    ((change, values),) = computed(subject, [{}])[0]
    assert compared(scripts, chain, [(change, values)], {}) == ([], 0)
    nearly = values | {first: math.nextafter(values[first], math.inf)}
    assert compared(scripts, chain, [(change, nearly)], {})[0] == [[0, first, bits(values[first])]]
    otherwise = values | {first: values[first] * 2}
    assert [what for _, what, _ in compared(scripts, chain, [(change, otherwise)], {})[0]] == [first, "shown"]


def test_untouched_the_published_texts_are_shown(scripts: Page, subject: Subject) -> None:
    chain = subject.chain
    values = {id: step.value for id, step in chain.steps.items()}
    assert compared(scripts, chain, [({}, values)], {}) == ([], 0)
    assert [str(chain.show(id, value)) for id, value in values.items()] == [str(s.shown) for s in chain.steps.values()]
    answer = in_browser(scripts, chain, [{}])[0]
    assert answer["computed"] == [bits(step.computed) for step in chain.steps.values()]


def test_an_unknown_input_changes_nothing(scripts: Page, subject: Subject) -> None:
    changes = [{}, {"no_such_input": 5.0}, {"toString": 5.0}]
    first, *others = in_browser(scripts, subject.chain, changes)
    assert others == [first, first]


def test_the_synthetic_chain_has_every_operation_of_the_browser(scripts: Page) -> None:
    operations = scripts.evaluate("Object.keys(gdr.operations)")
    used = {line[0] for line in exported(SUBJECTS[-1].chain)["code"]}
    assert used == set(operations)


def test_the_table_of_display(scripts: Page) -> None:
    shown = scripts.evaluate("(text) => JSON.parse(text).map((c) => gdr.numberText(c.value, c.digits))", DISPLAY_TEXT)
    assert shown == [case["text"] for case in DISPLAY]


def test_the_table_of_rounding(scripts: Page) -> None:
    rounded = scripts.evaluate(
        "(text) => JSON.parse(text).map((c) => "
        "[bits(gdr.operations.ceil(c.value)), bits(gdr.operations.floor(c.value))])",
        ROUNDING_TEXT,
    )
    assert rounded == [[bits(float(case["ceil"])), bits(float(case["floor"]))] for case in ROUNDING]


def from_bits(text: str) -> float:
    value: float = struct.unpack(">d", bytes.fromhex(text))[0]
    return value


def doubles() -> list[float]:
    """Half of them of all magnitudes, half of those that pages show; the same ones at each run."""
    chance = random.Random("doubles")
    found: list[float] = []
    while len(found) < DOUBLES:
        (anything,) = struct.unpack(">d", chance.randbytes(8))
        size = 10 ** chance.uniform(-7, 16)
        # Few digits make ties.
        found += [one for one in (anything, chance.choice([-1, 1]) * size, float(f"{size:.3e}")) if math.isfinite(one)]
    return found


def test_random_doubles_are_shown_alike(scripts: Page) -> None:
    values = doubles()
    for digits in (1, 3, 4, 15):
        shown = scripts.evaluate(
            "([values, digits]) => values.map((x) => gdr.numberText(fromBits(x), digits))",
            [[bits(value) for value in values], digits],
        )
        assert shown == [number_text(value, digits) for value in values]


@pytest.mark.parametrize(
    ("operation", "python"),
    [
        ("+", lambda a, b: a + b),
        ("-", lambda a, b: a - b),
        ("*", lambda a, b: a * b),
        ("/", lambda a, b: a / b if b else math.nan),
        ("min", lambda a, b: b if b < a else a),
        ("max", lambda a, b: b if b > a else a),
    ],
)
def test_an_operation_on_random_doubles_is_bit_identical(scripts: Page, operation: str, python) -> None:
    values = doubles()
    pairs = [
        (a, b)
        for a, b in [*zip(values, reversed(values), strict=True), (0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0)]
        # A division by zero is refused before it comes to the browser.
        if not (operation == "/" and b == 0)
    ]
    answers = scripts.evaluate(
        "([op, pairs]) => pairs.map(([a, b]) => bits(gdr.operations[op](fromBits(a), fromBits(b))))",
        [operation, [[bits(a), bits(b)] for a, b in pairs]],
    )
    assert answers == [bits(python(a, b)) for a, b in pairs]


def test_powers_and_roots_of_random_doubles_are_bit_identical(scripts: Page) -> None:
    values = [abs(value) for value in doubles()]
    answers = scripts.evaluate(
        "(values) => values.map(fromBits).map((x) => [...[1, 2, 3, 7, 12, 31].map((n) => bits(gdr.integerPower(x, n))),"
        " bits(gdr.operations.sqrt(x))])",
        [bits(value) for value in values],
    )
    assert answers == [
        [*(bits(integer_power(value, n)) for n in (1, 2, 3, 7, 12, 31)), bits(math.sqrt(value))] for value in values
    ]


def test_sums_of_powers_are_bit_identical(scripts: Page) -> None:
    values = [*doubles(), 0.0, 1.0, -1.0, 0.8, 1 - 2**-53]
    counts = [1, 2, 3, 6, 7, 64, 1000, 2**40 + 1]
    answers = scripts.evaluate(
        "([values, counts]) => values.map(fromBits).map((x) => counts.map((n) => bits(gdr.sumOfPowers(x, n))))",
        [[bits(value) for value in values], counts],
    )
    for value, answer in zip(values, answers, strict=True):
        # One NaN is as good as another: neither side lets it out.
        summed = [sum_of_powers(value, n) for n in counts]
        assert [None if math.isnan(from_bits(one)) else one for one in answer] == [
            None if math.isnan(one) else bits(one) for one in summed
        ]


@pytest.mark.parametrize(("operation", "last"), [("pow", [1, 8]), ("geom", [1, 15])])
def test_a_count_that_is_not_whole_has_no_power(scripts: Page, operation: str, last: list[int]) -> None:
    answers = scripts.evaluate("(op) => [2.5, -1, NaN, Infinity, 0, 3].map((n) => gdr.operations[op](2, n))", operation)
    assert all(math.isnan(answer) for answer in answers[:4])
    assert answers[4:] == last


def test_more_than_the_most_has_no_number(scripts: Page) -> None:
    pairs = [[0.5, 1], [1, 1], [1 + 1e-12, 1], [1.001, 1]]
    answers = scripts.evaluate("(pairs) => pairs.map(([a, b]) => gdr.operations.upto(a, b))", pairs)
    assert answers[:3] == [0.5, 1, 1 + 1e-12]
    assert math.isnan(answers[3])


def test_at_most_is_decided_alike(scripts: Page) -> None:
    chance = random.Random("at most")
    pairs = []
    for value in doubles()[:1000]:
        near = value * (1 + chance.uniform(-2e-9, 2e-9))
        pairs += [(value, near), (near, value), (value, value), (value, -value)]
    answers = scripts.evaluate(
        "(pairs) => pairs.map(([a, b]) => gdr.atMost(fromBits(a), fromBits(b)))",
        [[bits(a), bits(b)] for a, b in pairs],
    )
    assert answers == [at_most(a, b) for a, b in pairs]
    assert {True, False} == set(answers)


# ---------------------------------------------------------------- other catalogue entries
def choices(program: Program) -> Iterator[dict[str, Entry]]:
    """Every other entry by itself, then every two of different uses."""
    others = [(use, entry) for use in program.data.uses for entry in options(program, use)]
    yield from ({use: entry} for use, entry in others)
    yield from ({a[0]: a[1], b[0]: b[1]} for a, b in combinations(others, 2) if a[0] != b[0])


@pytest.mark.parametrize("design", programs(load())["designs"].values(), ids=lambda program: program.id)
def test_other_catalogue_entries_are_bit_identical(page: Page, design: Program) -> None:
    page.set_content(f'<!doctype html><title>Parity</title><script id="gdr-program">{data(design)}</script>')
    page.locator("#gdr-program").evaluate("(script) => { script.type = 'application/json'; }")
    for script in ("display", "evaluate", "amount", "address", "whatif"):
        page.add_script_tag(path=SCRIPTS / f"{script}.js")
    page.add_script_tag(path=Path(__file__).with_name("parity.js"))
    chosen = list(choices(design))
    answers = page.evaluate(
        """(all) => all.map((uses) => {
          const { program, resolve } = gdr.whatif;
          const registers = gdr.evaluate(program, resolve({}, uses));
          return program.steps.map(({ at }) => bits(registers[at]));
        })""",
        [{use: entry.id for use, entry in one.items()} for one in chosen],
    )
    compared = 0
    for one, answer in zip(chosen, answers, strict=True):
        values = dict(zip(design.chain.steps, map(from_bits, answer), strict=True))
        try:
            expected = design.values_with(one)
        except SizingError:
            # A GPU without that arithmetic, or a step without a number: then the browser has none either.
            assert not all(map(math.isfinite, values.values())), one
            continue
        compared += 1
        assert answer == [bits(expected[id]) for id in design.chain.steps], one
    assert compared > 5
