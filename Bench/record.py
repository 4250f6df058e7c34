"""The figures of a run as lines of Docs/performance.md, and the comparison of a fresh run with them.

A comparison with another program is kept as the ratio ours divided by theirs, because machines differ; all other
figures are kept as they are.
"""

import datetime
import re
import subprocess
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "Docs" / "performance.md"
BEGIN = "<!-- `make bench ARGS=record` writes what follows. -->"
ROW = re.compile(r"^\| (.+) \| ([\d.,]+) \|$")


def figures(row_by_name: dict, is_compared: bool) -> dict[str, float]:
    """The lines of one comparison: what is measured, and its value."""
    ours, *_ = row_by_name.values()
    lines = {}
    for name, row in row_by_name.items():
        for column, value in row.items():
            if not is_compared or len(row_by_name) == 1:
                lines[f"{name}: {column}"] = value
            elif row is not ours and value:
                lines[f"{column}, ours divided by {name}"] = round(ours[column] / value, 2)
            elif row is not ours and ours[column]:
                lines[f"{column}, ours, and none of {name}"] = ours[column]
    return lines


def recorded() -> dict[str, dict[str, float]]:
    """The figures in Docs/performance.md, by the title of their table."""
    found, title = {}, None
    for line in PAGE.read_text().split(BEGIN)[1].splitlines():
        if line.startswith("### "):
            title = line[4:]
            found[title] = {}
        elif title and (row := ROW.match(line)):
            found[title][row[1]] = float(row[2].replace(",", ""))
    return found


def commit() -> str:
    """The commit of the present sources. It is measured only if the release was built from them."""
    git = lambda *words: subprocess.run(["git", *words], capture_output=True, text=True, check=True,  # noqa: E731
                                        cwd=PAGE.parent.parent).stdout.strip()
    changed = git("status", "--porcelain", "--", "Sources", "Package.swift", "Bench")
    return git("rev-parse", "--short=10", "HEAD") + (" with changes" if changed else "")


def write(run: dict[str, dict[str, float]], arguments: dict[str, str], commit: str):
    """Puts a run's tables in the place of the recorded ones with the same titles; the others stay.

    `arguments` has what makes each table, by its title: `blocked` for `make bench ARGS=blocked`. `commit` is what was
    measured.
    """
    head, _, _ = PAGE.read_text().partition(BEGIN)
    # Tables that this run did not measure keep the commit at which they were measured.
    kept = PAGE.read_text().split(BEGIN)[1]
    sections = {part.partition("\n")[0]: part for part in kept.split("\n### ")[1:]}
    for title, lines in run.items():
        rows = "\n".join(f"| {name} | {value:,} |" for name, value in lines.items())
        sections[title] = (f"{title}\n\n`make bench ARGS={arguments[title]}`; commit {commit}, {datetime.date.today()}.\n\n"
                           f"| figure | value |\n|---|---|\n{rows}\n")
    PAGE.write_text(head + BEGIN + "\n" + "".join(f"\n### {part.strip()}\n" for part in sections.values()))


def comparison(run: dict[str, dict[str, float]]) -> str:
    """A table for each comparison: the recorded value, the fresh one, and fresh divided by recorded."""
    known = recorded()
    lines = []
    for title, fresh in run.items():
        lines += [f"\n### {title}", "", "| figure | recorded | now | now / recorded |", "|---|---|---|---|"]
        for name, value in fresh.items():
            before = known.get(title, {}).get(name)
            ratio = f"{value / before:.2f}" if before else "–"
            lines.append(f"| {name} | {'–' if before is None else f'{before:,}'} | {value:,} | {ratio} |")
    return "\n".join(lines)
