"""Runs a module as if on another day: `python -m later DAYS MODULE ARGUMENT...`.

Python code that asks for the time or the date is told one that lies that many days ahead. Only the answers change, so
nothing needs rights over the machine's clock, or a library that is loaded into every program.
"""

from __future__ import annotations

import datetime
import runpy
import sys
import time


def move_clock(days: int) -> None:
    """Move every clock of this process; call it before anything imports `datetime` names."""
    ahead = datetime.timedelta(days=days)
    now = time.time

    class Later(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Later:
            return super().now(tz) + ahead

        @classmethod
        def utcnow(cls) -> Later:
            return cls.now(datetime.UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Later:
            return cls.now()

    # `date.today` asks `time.time`; `datetime.now` asks the machine.
    time.time = lambda: now() + ahead.total_seconds()
    datetime.datetime = Later  # type: ignore[misc]


if __name__ == "__main__":
    move_clock(int(sys.argv[1]))
    sys.argv = sys.argv[2:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
