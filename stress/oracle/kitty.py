# kitty.py plays a log of stress/play in the core of a kitty and prints its tape, as tape.mjs does for other emulators:
#
#   kitty +launch kitty.py --log FILE [--shell N]
#
#   kitty +launch kitty.py --widths FILE
#
# prints in which column the cursor is after each text of a list, behind an x.
#
# No window is opened: kitty's own screen is given the bytes and the sizes.
import argparse
import json
import struct

from kitty.fast_data_types import Screen, wcswidth

try:
    from kitty.fast_data_types import parse_bytes
except ImportError:  # since 0.33 a screen has a buffer that it parses

    def parse_bytes(screen, data):
        data = memoryview(data)
        while data:
            n = screen.test_commit_write_buffer(data, screen.test_create_write_buffer())
            data = data[n:]
            screen.test_parse_written_data()


SCROLLBACK = 250_000

args = argparse.ArgumentParser()
args.add_argument("--log")
args.add_argument("--widths")
args.add_argument("--shell", type=int, default=0)
args = args.parse_args()


class Callbacks:
    """What kitty tells its window: nothing here is of use."""

    def __getattr__(self, name):
        return lambda *a, **k: None


def view(s):
    return {"rows": [str(s.line(y)).rstrip() for y in range(s.lines)], "cursor": s.cursor.y, "cols": s.columns}


def lines(s):
    """Each row of history and grid, and whether it goes on with the line of the row before."""
    history = range(0 if s.is_using_alternate_linebuf() else s.historybuf.count)
    wraps = False  # since 0.40 that is kept in the last cell of the row before
    for buffer, y in [(s.historybuf, y) for y in reversed(history)] + [(s.linebuf, y) for y in range(s.lines)]:
        line = buffer.line(y)
        text = str(line)
        if hasattr(line, "last_char_has_wrapped_flag"):
            yield text, wraps
            wraps = line.last_char_has_wrapped_flag()
        else:
            yield text, line.is_continued() if buffer is s.historybuf else buffer.is_continued(y)


def dump(s):
    tape, last = [], 0
    for text, goes_on in lines(s):
        if goes_on and tape:
            missing = s.columns - last
            tape[-1] += (" " * missing if missing > 1 else "") + text  # one column may be left free by a wide character
        else:
            tape.append(text)
        last = wcswidth(text)
    return {"alt": s.is_using_alternate_linebuf(), "tape": [t.rstrip() for t in tape], "grid": view(s)["rows"]}


if args.widths:
    screen, columns = Screen(Callbacks(), 2, 200, 0, 8, 17, 0, None), []
    for text in json.load(open(args.widths)):
        parse_bytes(screen, b"\r\x1b[Kx" + text.encode())
        columns.append(screen.cursor.x - 1)
    print(json.dumps(columns))
    raise SystemExit

log = open(args.log, "rb").read()
screen, moments, i = None, [], 0
while i < len(log):
    kind, n = log[i : i + 1], struct.unpack_from("<I", log, i + 1)[0]
    data = log[i + 5 : i + 5 + n]
    i += 5 + n
    if kind == b"D":
        parse_bytes(screen, data)
        continue
    cols, rows = struct.unpack("<HH", data)
    if screen is None:
        screen = Screen(Callbacks(), rows, cols, SCROLLBACK, 8, 17, 0, None)
        for k in range(args.shell):
            parse_bytes(screen, b"shell %04d\r\n" % k)
        continue
    before = view(screen)
    if (cols, rows) != (before["cols"], screen.lines):
        screen.resize(rows, cols)
    moments.append({"before": before, "after": view(screen)})
print(json.dumps({**dump(screen), "moments": moments}))
