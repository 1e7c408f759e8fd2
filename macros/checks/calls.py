"""The macro calls of a text, carried out so that a mistake in one of them is noted and the others still run."""

from __future__ import annotations

import inspect
import json
import re
import sys
import traceback
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import DictLoader, StrictUndefined, TemplateSyntaxError, Undefined, UndefinedError

from macros.checks.mistakes import PageError
from macros.sizing import SizingError
from macros.sizing.errors import relative
from macros.sizing.units import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

    from jinja2 import BytecodeCache, Environment, Template

    from macros.checks.mistakes import Mistakes

    Macro = Callable[..., str]
    # Notes a mistake at a line of the text that is being filled.
    Note = Callable[[int, str], None]

# Stands where a macro could print nothing, so that the text around it can still be checked. Never published.
_MISSING = "?"
_TYPES: dict[object, tuple[type, str]] = {"str": (str, "a text in quotes"), "bool": (bool, "True or False")}
_BLOCK = "caller"
_TAG = re.compile(r"\[\[%[-+]?\s*(?P<end>end)?(?P<word>call|if|for|raw|filter|macro|with)\b[^\n]*?%\]\]")
# From an opening bracket to the next one, or to the end, without its own closing bracket.
_UNCLOSED = re.compile(r"\[\[(?P<kind>[=%#])(?:(?!(?P=kind)\]\]|\[\[[=%#]).)*(?=\[\[[=%#]|\Z)", re.DOTALL)
_MACROS = str(Path(__file__).parents[1])


class Calls:
    """The macros of a site, ready to be called by its texts; what named texts compile to is kept in `compiled`."""

    def __init__(
        self, environment: Environment, macros: Iterable[Macro], mistakes: Mistakes, compiled: BytecodeCache | None
    ) -> None:
        self._mistakes = mistakes
        self._macros: dict[str, Macro] = {macro.__name__: self._noting(macro) for macro in macros}
        self._texts: dict[str, str] = {}
        self._environment = environment.overlay(
            undefined=_unknown_names(self._note_unknown),
            # What a page calls is never constant, and Jinja would look for constants in all of it.
            optimized=False,
            loader=DictLoader(self._texts),
            bytecode_cache=compiled,
        )
        self._note: Note

    def fill(self, text: str, variables: dict[str, Any], note: Note, name: str = "") -> str:
        """Fill in the macros of a text; every mistake has been noted when this returns.

        A text with a name is kept compiled. A macro may fill another text meanwhile, whose mistakes are noted with
        that text's own `note`.
        """
        outer = getattr(self, "_note", note)
        self._note = note
        try:
            return self._template(text, name).render(variables)
        except TemplateSyntaxError as error:
            note(*_syntax(text, error))
        except UndefinedError as error:
            note(_raised_line(error), f"{error.message}\n  fix: write one of {', '.join(self._macros)}")
        except Exception as error:
            note(_raised_line(error), f"this expression raises {type(error).__name__}: {error}\n  fix: call a macro")
        finally:
            self._note = outer
        return _MISSING

    def _template(self, text: str, name: str) -> Template:
        if not name:
            return self._environment.from_string(text, globals=self._macros)
        self._texts[name] = text
        return self._environment.get_template(name, globals=self._macros)

    def _noting(self, macro: Macro) -> Macro:
        signature = inspect.signature(macro)

        @wraps(macro)
        def call(*args: Any, **kwargs: Any) -> str:
            unknown = [value for value in (*args, *kwargs.values()) if isinstance(value, Undefined)]
            try:
                if unknown:
                    name = unknown[0]._undefined_name
                    raise SizingError(f'{unknown[0]._undefined_message}\n  fix: put a text in quotes: "{name}"')
                if wrong := _wrong_arguments(macro.__name__, signature, args, kwargs):
                    raise SizingError(wrong)
                return macro(*args, **kwargs)
            except PageError as error:
                self._mistakes.add(error.page, error.line, error.text)
            except SizingError as error:
                self._note(_line(), f"{_written(macro.__name__, args, kwargs)}: {error}")
            except Exception as error:
                self._note(
                    _line(),
                    f"{_written(macro.__name__, args, kwargs)}: the macro raised {type(error).__name__}: {error}\n"
                    f"  at {_raised_place(error)}\n  fix: correct the macro there, not the page",
                )
            return _MISSING

        return call

    def _note_unknown(self, name: str | None, told: str) -> str:
        near = nearest(name, list(self._macros)) if name else ""
        self._note(_line(), f"{told}{near}\n  fix: write one of {', '.join(self._macros)}")
        return _MISSING


def _unknown_names(note: Callable[[str | None, str], str]) -> type[StrictUndefined]:
    class UnknownName(StrictUndefined):
        """A name that nothing has: noted where it is printed or called, so that the page goes on."""

        __slots__ = ()

        # Jinja asks everything that is called for it.
        jinja_pass_arg = None

        # The base class never returns from these.
        def __str__(self) -> str:  # type: ignore[override]
            return note(self._undefined_name, self._undefined_message)

        def __call__(self, *args: Any, **kwargs: Any) -> str:  # type: ignore[override]
            if _BLOCK in kwargs:
                kwargs[_BLOCK]()
            return str(self)

    return UnknownName


def _wrong_arguments(name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Return what is wrong with a call's arguments, or nothing."""
    parameters = signature.parameters
    if (_BLOCK in parameters) != (_BLOCK in kwargs):
        if _BLOCK in kwargs:
            return f"it takes no text\n  fix: write [[= {_expected(name, signature)} =]]"
        return f"its text is missing\n  fix: write [[% call {name}() %]], the text, [[% endcall %]]"
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError as error:
        return f"{error}\n  fix: write {_expected(name, signature)}"
    for word, value in given.items():
        parameter = parameters[word]
        kind, expected = _TYPES.get(parameter.annotation, (object, ""))
        several = parameter.kind is parameter.VAR_KEYWORD
        for key, one in value.items() if several else [(word, value)]:
            if not isinstance(one, kind):
                return f"`{key}` is {one!r}; expected {expected}\n  fix: write {_expected(name, signature)}"
    return ""


def _expected(name: str, signature: inspect.Signature) -> str:
    """Write a call as an author would: `n("id", link=True, unit=True)`."""
    words = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            words.append('input="low"')
        elif parameter.default is not parameter.empty:
            words.append(f"{parameter.name}={parameter.default!r}")
        elif parameter.name != _BLOCK:
            words.append(f'"{parameter.name}"')
    return f"{name}({', '.join(words)})"


def _written(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Write a call as its page does."""
    words = [_value(value) for value in args]
    words += [f"{word}={_value(value)}" for word, value in kwargs.items() if word != _BLOCK]
    return f"{name}({', '.join(words)})"


def _value(value: object) -> str:
    if isinstance(value, Undefined):
        return str(value._undefined_name)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _syntax(text: str, error: TemplateSyntaxError) -> tuple[int, str]:
    """Return the line and the mistake of a text that Jinja cannot read; nothing else in it can be judged."""
    if unclosed := _UNCLOSED.search(text):
        kind = unclosed["kind"]
        told = f'found `[[{kind}` without its `{kind}]]`\n  fix: close it, as in [[= n("id") =]]'
        return text.count("\n", 0, unclosed.start()) + 1, told
    open_tags: list[re.Match[str]] = []
    for tag in _TAG.finditer(text):
        if not tag["end"]:
            open_tags.append(tag)
        elif open_tags:
            open_tags.pop()
    if open_tags and error.message and "end of" in error.message:
        tag = open_tags[-1]
        told = f"found `{tag[0]}`, which nothing closes\n  fix: write [[% end{tag['word']} %]] below its text"
        return text.count("\n", 0, tag.start()) + 1, told
    line = text.splitlines()[error.lineno - 1].strip()
    return (
        error.lineno,
        f"found a macro call that cannot be read: {error.message}\n  in: {line}\n  fix: correct the call",
    )


def _line() -> int:
    """Return the line that is being filled, of the innermost text."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        template = frame.f_globals.get("__jinja_template__")
        if template is not None:
            line: int = template.get_corresponding_lineno(frame.f_lineno)
            return line
        frame = frame.f_back
    return 1


def _raised_line(error: Exception) -> int:
    """Return the line of a text whose expression raised an exception."""
    # Jinja rewrites tracebacks so that they name lines of the text.
    lines = [entry.lineno for entry in traceback.extract_tb(error.__traceback__) if entry.filename == "<template>"]
    return lines[-1] or 1 if lines else 1


def _raised_place(error: Exception) -> str:
    """Return `file:line` of the innermost line of ours that an exception came through."""
    ours = [
        entry
        for entry in traceback.extract_tb(error.__traceback__)
        if entry.filename.startswith(_MACROS) and entry.filename != __file__
    ]
    return f"{relative(ours[-1].filename)}:{ours[-1].lineno}" if ours else relative(__file__)
