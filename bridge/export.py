"""``python -m bridge.export --layout webshop|webvoyager FILE… --out PATH``: recorded episodes for other projects' tools.

``webshop``: a JSON lines file for imitation learning. ``webvoyager``: a folder of result folders. Captures are passed over.

Exit codes: 0 all exported; 2 wrong usage; 4 some could not be (damaged, or they read differently now): each is named; 130 stopped by
Ctrl-C (what was exported stays).
"""

import argparse
import json
import sys
from pathlib import Path

from bridge.command import CommandParser, finish
from bridge.errors import ConfigurationError, RecordingError


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    made = CommandParser("python -m bridge.export", __doc__)
    made.add_argument("files", nargs="+", type=Path, metavar="FILE", help="recordings, or folders of them")
    made.add_argument("--layout", required=True, choices=["webshop", "webvoyager"], help="whose layout")
    made.add_argument(
        "--out", required=True, type=Path, metavar="PATH", help="the file (webshop) or folder (webvoyager) to write; must not exist"
    )
    return made


def main(arguments: list[str] | None = None) -> int:
    """Export; returns the exit code."""
    options = parser().parse_args(arguments)
    from bridge.recording.export import webshop, write_webvoyager
    from bridge.recording.many import recordings_in
    from bridge.recording.read import open_recording

    done, left_out = 0, 0
    try:
        files = recordings_in(options.files)
        if options.out.exists():
            raise ConfigurationError(f"{options.out} exists")
        for file in files:
            try:
                with open_recording(file) as recording:
                    if recording.manifest.kind == "capture":
                        continue
                    if options.layout == "webvoyager":
                        write_webvoyager(recording, options.out, done)
                    else:
                        line = json.dumps(webshop(recording), ensure_ascii=False)
                        with options.out.open("a", encoding="utf-8") as out:
                            out.write(line + "\n")
                done += 1
            except RecordingError as error:
                left_out += 1
                print(f"bridge.export: left out: {error}", file=sys.stderr)
    except ConfigurationError as error:
        print(f"bridge.export: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"bridge.export: {options.out} cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    print(f"{done} episodes exported to {options.out}" + (f", {left_out} left out" if left_out else ""))
    return 4 if left_out else 0


if __name__ == "__main__":
    finish(main)
