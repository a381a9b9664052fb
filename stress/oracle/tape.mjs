// tape.mjs plays a log of stress/play in an emulator that is not of this module and prints its tape as one line of JSON:
// {"alt": bool, "tape": [rows of scrollback and grid, soft-wrapped ones joined], "grid": [rows], "moments": [{"before": V, "after": V}]},
// one moment for each change of size, V being {"rows": [of the grid], "cursor": row, "cols": columns}.
//
//   node tape.mjs --log FILE --emulator xtermjs|ghostty [--graphemes] [--shell N]
//
// The log is records 'D' + uint32 length + bytes and 'R' + uint32 4 + uint16 cols + uint16 rows, little-endian; the first is a size. --shell N
// writes N rows "shell NNNN" first; --graphemes measures by clusters (ghostty always does).

import { readFileSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { Ghostty, XtermJS } from "./emulators.mjs";

const { values: args } = parseArgs({
  options: {
    log: { type: "string" }, emulator: { type: "string", default: "xtermjs" }, graphemes: { type: "boolean" }, shell: { type: "string", default: "0" },
  },
});
const log = readFileSync(args.log);
const moments = [];
let term = null, pending = []; // bytes between two sizes: how they are cut makes no difference
const flush = async () => {
  await term.write(Buffer.concat(pending));
  pending = [];
};
for (let i = 0; i < log.length;) {
  const kind = log[i], n = log.readUInt32LE(i + 1), data = log.subarray(i + 5, i + 5 + n);
  i += 5 + n;
  if (kind === 0x52) {
    const cols = data.readUInt16LE(0), rows = data.readUInt16LE(2);
    if (term) {
      await flush();
      const before = term.view();
      term.resize(cols, rows);
      moments.push({ before, after: term.view() });
      continue;
    }
    term = await (args.emulator === "ghostty" ? Ghostty : XtermJS).open(cols, rows, args.graphemes);
    for (let k = 0; k < Number(args.shell); k++) pending.push(Buffer.from(`shell ${String(k).padStart(4, "0")}\r\n`));
  } else {
    pending.push(data);
  }
}
await flush();
const out = { ...term.dump(), moments };
out.tape = out.tape.map((r) => r.replace(/ +$/, ""));
let bytes = Buffer.from(JSON.stringify(out) + "\n");
while (bytes.length) {
  try {
    bytes = bytes.subarray(writeSync(1, bytes));
  } catch (err) {
    if (err.code !== "EAGAIN") throw err;
  }
}
process.exit(0);
