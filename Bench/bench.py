"""make bench: the figures that this program promises, beside tools that do a part of its work.

Every comparison alternates its contenders on this machine and prints medians. Quote ratios, because machines differ.
`compare` sets the run beside Docs/performance.md; `record` writes the run there.
Usage: bench.py [--rounds N] [--kills N] [--json FILE] [compare|record] [blocked|forwards|cores|tls|https|viewers|crowd|stadium|pages|relay|starts|devices|presses|full|day|small|abuse|kills|cluster|school …]
"""

import argparse
import json
import platform
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import abuse  # noqa: E402
import answers  # noqa: E402
import cluster_rounds  # noqa: E402
import cluster_scale  # noqa: E402
import cores  # noqa: E402
import day  # noqa: E402
import devices  # noqa: E402
import encrypted  # noqa: E402
import full  # noqa: E402
import kills  # noqa: E402
import measure  # noqa: E402
import pages  # noqa: E402
import presses  # noqa: E402
import record  # noqa: E402
import relay  # noqa: E402
import small  # noqa: E402
import starts  # noqa: E402
import viewers  # noqa: E402

COMPARISONS = {
    "blocked": ("Blocked answers, 50,000 names", lambda work, options: answers.blocked(work, options.rounds)),
    "forwards": ("Cached forwards", lambda work, options: answers.forwards(work, options.rounds)),
    "cores": ("A part of two cores against a part of one", lambda work, options: cores.run(work, options.rounds)),
    "tls": ("Cached forwards over TLS", lambda work, options: encrypted.run(work, options.rounds, "TLS")),
    "https": ("Cached forwards over HTTPS", lambda work, options: encrypted.run(work, options.rounds, "HTTPS")),
    "relay": ("Connections passed on by name", lambda work, options: relay.run(work, options.rounds)),
    "viewers": ("500 viewers, one tick a second", lambda work, options: viewers.run(work, options.rounds, 500)),
    "crowd": ("5,000 viewers, one tick a second", lambda work, options: viewers.run(work, options.rounds, 5000)),
    "stadium": ("As many viewers as files allow, on one core", lambda work, options: viewers.one_core(work, options.rounds)),
    "pages": ("The dashboard", lambda work, options: pages.run(work, options.rounds)),
    "starts": ("Being there", lambda work, options: starts.run(work, options.rounds)),
    "devices": ("Evaluating and compiling", lambda work, options: devices.run(work, options.rounds)),
    "presses": ("A press on Start", lambda work, options: presses.run(work, options.rounds)),
    "full": ("A full house", lambda work, options: full.run(work, options.rounds)),
    "day": ("A household's day", lambda work, options: day.run(work, options.hours)),
    "small": ("A small machine", lambda work, options: small.run(work, options.rounds)),
    "abuse": ("Garbage and slow connections", lambda work, options: abuse.run(work)),
    "cluster": ("Changes on three machines that fail", lambda work, options: cluster_rounds.run(work, options.cluster)),
    "school": ("20 machines, 5,000 devices", lambda work, options: cluster_scale.run(work)),
    "kills": ("Power cuts under changing rules", lambda work, options: kills.run(work, options.kills)),
}
# Their rows are figures of ours, not of contenders.
ALONE = ("cores", "stadium", "full", "devices", "presses", "day", "small", "abuse", "cluster", "school", "kills")
NEEDS = ("dnsperf", "dnsmasq", "unbound", "nginx", "wrk", "gcc", "h2load")


def table(title: str, figures: dict, compares: bool) -> str:
    columns = list({column: None for row in figures.values() for column in row})
    first = next(iter(figures.values()))
    lines = [f"\n### {title}", "", "| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name, row in figures.items():
        cells = []
        for column in columns:
            ratio = f" ({first[column] / row[column]:.2f}×)" if compares and row is not first and row.get(column) else ""
            cells.append(f"{row[column]:,}{ratio}" if column in row else "")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    if compares and len(figures) > 1:
        lines.append("\nIn brackets: ours divided by theirs.")
    return "\n".join(lines)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("comparisons", nargs="*", default=list(COMPARISONS))
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--kills", type=int, default=1000)
    options.add_argument("--cluster", type=int, default=500, help="rounds in which something fails")
    options.add_argument("--hours", type=int, default=24, help="of the simulated day, from noon")
    options.add_argument("--json", type=Path, default=Path("bench.json"))
    options = options.parse_args()
    if gone := measure.missing(*NEEDS):
        sys.exit(f"bench: missing {', '.join(gone)}; make bench installs them")
    actions = {name for name in ("compare", "record") if name in options.comparisons}
    names = [name for name in options.comparisons if name not in actions] or list(COMPARISONS)
    results, lines, commit = {}, {}, record.commit() if "record" in actions else ""
    print(f"{platform.machine()}, {platform.release()}; medians of {options.rounds} alternating runs")
    for name in names:
        title, run = COMPARISONS[name]
        with tempfile.TemporaryDirectory(prefix="si-bench-") as work:
            results[name] = run(Path(work), options)
        is_compared = name not in ALONE
        print(table(title, results[name], compares=is_compared), flush=True)
        lines[title] = record.figures(results[name], is_compared)
    options.json.write_text(json.dumps(results, indent=2) + "\n")
    if "compare" in actions:
        print(record.comparison(lines))
    if "record" in actions:
        record.write(lines, {title: name for name, (title, _) in COMPARISONS.items()}, commit)


if __name__ == "__main__":
    main()
