"""Python in a process of its own, which knows nothing from an earlier run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .result import Void


def run(arguments: list[str], folder: Path) -> str:
    """Run Python in a folder and return what it printed. Raises Void with everything it said if it fails."""
    process = subprocess.run(
        [sys.executable, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if process.returncode:
        said = process.stdout + process.stderr
        raise Void(f"python {' '.join(arguments)} in {folder} ended with {process.returncode}:\n{said}")
    return process.stdout
