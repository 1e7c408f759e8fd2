"""Lighthouse's scores of a page on a phone, through npm's package, where Node exists."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from statistics import median

from .result import Line, Void

PACKAGE = "lighthouse@13.5.0"
GOALS = {"performance": 95.0, "accessibility": 100.0, "best-practices": 100.0, "seo": 100.0}
RUNS = 3


def measure(address: str, browser: str) -> list[Line]:
    """Return the median score of each category; nothing but a word of it where there is no Node."""
    npx = shutil.which("npx")
    if npx is None:
        print("bench: found no npx, so Lighthouse is left out; expected Node 20 or newer on PATH")
        return []
    runs = [_run(npx, address, browser) for _ in range(RUNS)]
    return [
        Line(f"Lighthouse on a phone, {category}", median(run[category] for run in runs), "of 100", goal, at_least=True)
        for category, goal in GOALS.items()
    ]


def _run(npx: str, address: str, browser: str) -> dict[str, float]:
    # Root may not use the sandbox.
    flags = "--headless=new --disable-gpu" + (" --no-sandbox" if os.geteuid() == 0 else "")
    settings = [f"--only-categories={','.join(GOALS)}", f"--chrome-flags={flags}"]
    process = subprocess.run(
        [npx, "--yes", PACKAGE, address, "--quiet", "--output=json", *settings],
        env=os.environ | {"CHROME_PATH": browser},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if process.returncode:
        raise Void(f"{PACKAGE} of {address} ended with {process.returncode}:\n{process.stderr}")
    found = json.loads(process.stdout)["categories"]
    return {category: found[category]["score"] * 100 for category in GOALS}
