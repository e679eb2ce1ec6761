"""``python -m bridge.replay FILE…``: recorded episodes again, from their stored pages. No socket is opened.

Without options each episode is shown step by step, read anew from the stored bytes, and compared as --check does.

Exit codes: 0 nothing differs (with --policy: the policy has walked); 1 a difference; 2 wrong usage, or no
recording; 3 a difference under other package, adapter or Python versions (drift); 4 a damaged recording; 130 stopped by Ctrl-C.
Of several recordings the worst decides: 2, 4, 1, 3, 0.
"""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from bridge.command import CommandParser, finish
from bridge.errors import BridgeError, ConfigurationError, RecordingError
from bridge.untrusted import visible

CODES = {"same": 0, "drift": 3, "different": 1, "damaged": 4, "unreadable": 2}
_WORST = (2, 4, 1, 3, 0)


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = CommandParser("python -m bridge.replay", __doc__)
    made.add_argument("files", nargs="*", type=Path, metavar="FILE", help="recordings, or folders of them (default: a shipped example)")
    what = made.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="compare with what was recorded: one line each, the first difference named")
    what.add_argument("--policy", metavar="NAME", help="let another policy walk the recorded pages")
    what.add_argument("--repair", action="store_true", help="write FILE.repaired.zip with all that can be read")
    made.add_argument("--goals", type=Path, metavar="FILE", help="with --policy: goals to walk for (default: the recording's own)")
    made.add_argument("--json", action="store_true", help="one JSON object a line")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Replay, check, walk or repair; returns the exit code."""
    options = parser().parse_args(arguments)
    from bridge.recording.many import recordings_in

    try:
        if options.goals and not options.policy:
            raise ConfigurationError("--goals goes with --policy")
        files = recordings_in(options.files or [example()])
        if options.repair:
            return _worst(_repair(file, options.json) for file in files)
        if options.policy:
            return _walk(files, options.policy, options.goals, options.json)
        if options.check:
            return _check(files, options.json)
        return _worst(_show(file, options.json) for file in files)
    except (ConfigurationError, RecordingError) as error:
        print(f"bridge.replay: {error}", file=sys.stderr)
        return 2


def example() -> Path:
    """A recording that ships with the package, one with options. Raises ``ConfigurationError`` if the installation has none."""
    from bridge.recording.examples import shipped

    found = next((path for path in shipped() if path.stem.endswith("-options-chosen")), None)
    if found is None:
        raise ConfigurationError("name a recording: this installation has no example recordings")
    return found


def _check(files: list[Path], as_json: bool) -> int:
    import msgspec

    from bridge.recording.many import check_many

    counts: dict[str, int] = {}
    for verdict in check_many(files):
        counts[verdict.status] = counts.get(verdict.status, 0) + 1
        print(json.dumps(msgspec.to_builtins(verdict), ensure_ascii=False) if as_json else visible(verdict.line), flush=True)
    if len(files) > 1 and not as_json:
        print(f"{len(files)} recordings: " + ", ".join(f"{count} {status}" for status, count in counts.items()))
    return _worst(CODES[status] for status in counts)


def _show(file: Path, as_json: bool) -> int:
    from dataclasses import replace

    import msgspec

    from bridge.console import console
    from bridge.recording.read import open_recording
    from bridge.recording.verify import check

    shown = console(as_json)
    try:
        with open_recording(file) as recording:
            manifest = recording.manifest
    except RecordingError as error:
        print(f"bridge.replay: {error}", file=sys.stderr)
        return CODES["unreadable"]
    if manifest.goal:
        who = f"{manifest.policy.name} {manifest.policy.version}" if manifest.policy else "none"
        shown.begin(
            manifest.goal, f"{manifest.locale.host}  origin: {manifest.origin}  fetcher: {manifest.fetcher}  policy: {who}  replayed"
        )
    verdict = check(file, watch=shown.step)
    if manifest.ending:
        shown.end(replace(manifest.ending, recording=str(file)), None if verdict.status == "same" else verdict.line)
    elif as_json:
        print(json.dumps({"event": "end", "verdict": msgspec.to_builtins(verdict)}, ensure_ascii=False))
    else:
        print(visible(verdict.line))
    return CODES[verdict.status]


def _walk(files: list[Path], policy: str, goals: Path | None, as_json: bool) -> int:
    from bridge.console import console
    from bridge.goals import read_goals
    from bridge.outcomes import VALID, Outcome
    from bridge.recording.read import open_recording
    from bridge.recording.walk import Walk, walk

    shown = console(as_json)
    wanted = read_goals(goals) if goals else [None]
    walks: list[Walk] = []
    damaged = False
    for file in files:
        open_recording(file).close()  # what is no recording at all is wrong usage
        for goal in wanted:
            try:
                walks.append(walk(file, policy, shown, goal))
                if walks[-1].ending.outcome is Outcome.CANCELLED:
                    raise KeyboardInterrupt
            except RecordingError as error:
                damaged = True
                print(f"bridge.replay: {error}", file=sys.stderr)
    if len(walks) > 1:
        own, asked, answered = sum(w.ending.outcome in VALID for w in walks), sum(w.asked for w in walks), sum(w.answered for w in walks)
        if as_json:
            print(
                json.dumps({"event": "coverage", "episodes": len(walks), "ended_of_their_own": own, "asked": asked, "answered": answered})
            )
        else:
            share = f" ({answered / asked:.0%})" if asked else ""
            print(f"coverage: {answered} of {asked} requests answered{share}; {own} of {len(walks)} episodes came to an end of their own")
    return 4 if damaged else 0


def _repair(file: Path, as_json: bool) -> int:
    from bridge.recording.repair import repair

    try:
        made = repair(file)
    except BridgeError as error:
        print(f"bridge.replay: {error}", file=sys.stderr)
        return 2
    print(json.dumps({"event": "repaired", **made.plain}, ensure_ascii=False) if as_json else made.line)
    return 0


def _worst(codes: Iterable[int]) -> int:
    found = set(codes)
    return next((code for code in _WORST if code in found), 0)


if __name__ == "__main__":
    finish(main)
