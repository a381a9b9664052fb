// tape.mjs plays a log of stress/cmd/workload in an emulator that is not of this module and prints its tape as one line of JSON:
// {"alt": bool, "tape": [rows of scrollback and grid, soft-wrapped ones joined], "grid": [rows]}.
//
//   node tape.mjs --log FILE --emulator xtermjs|ghostty [--graphemes] [--shell N]
//
// The log is records 'D' + uint32 length + bytes and 'R' + uint32 4 + uint16 cols + uint16 rows, little-endian; the first is a size. --shell N
// writes N rows "shell NNNN" first; --graphemes measures by clusters (ghostty always does).

import { readFileSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";

const { values: args } = parseArgs({
  options: {
    log: { type: "string" }, emulator: { type: "string", default: "xtermjs" }, graphemes: { type: "boolean" }, shell: { type: "string", default: "0" },
  },
});
const SCROLLBACK = 250_000;

class XtermJS {
  static async open(cols, rows) {
    const { default: { Terminal } } = await import("@xterm/headless");
    const self = new XtermJS();
    self.term = new Terminal({ cols, rows, scrollback: SCROLLBACK, allowProposedApi: true });
    if (args.graphemes) {
      const { default: { UnicodeGraphemesAddon } } = await import("@xterm/addon-unicode-graphemes");
      self.term.loadAddon(new UnicodeGraphemesAddon());
    }
    return self;
  }
  write(bytes) { return new Promise((done) => this.term.write(bytes, done)); }
  resize(cols, rows) { this.term.resize(cols, rows); }
  dump() {
    const b = this.term.buffer.active, tape = [], grid = [];
    for (let y = 0; y < b.length; y++) {
      const line = b.getLine(y);
      const goesOn = y + 1 < b.length && b.getLine(y + 1).isWrapped;
      const text = line.translateToString(!goesOn, 0, this.term.cols);
      if (line.isWrapped && tape.length) tape[tape.length - 1] += text;
      else tape.push(text);
      if (y >= b.baseY) grid.push(line.translateToString(true));
    }
    return { alt: b.type === "alternate", tape, grid };
  }
}

class Ghostty {
  static async open(cols, rows) {
    const { Terminal } = await import("./core.mjs");
    const self = new Ghostty();
    self.term = new Terminal(cols, rows, SCROLLBACK);
    return self;
  }
  write(bytes) { this.term.write(bytes); }
  resize(cols, rows) { this.term.resize(cols, rows); }
  dump() {
    const d = this.term.dump(true), tape = [];
    // A row that goes on counts with its blanks up to the edge.
    const whole = (row) => {
      const used = row.cells.reduce((n, c) => n + (c.n ?? 1), 0);
      return row.cells.map((c) => (c.w === 0 ? "" : (c.t ?? " ").repeat(c.n ?? 1))).join("") + " ".repeat(d.cols - used);
    };
    let goesOn = false;
    for (const row of [...d.scrollback, ...d.grid]) {
      const text = row.wrapped ? whole(row) : row.text;
      if (goesOn) tape[tape.length - 1] += text;
      else tape.push(text);
      goesOn = Boolean(row.wrapped);
    }
    return { alt: d.screen === "alt", tape, grid: d.grid.map((r) => r.text) };
  }
}

const log = readFileSync(args.log);
let term = null;
for (let i = 0; i < log.length;) {
  const kind = log[i], n = log.readUInt32LE(i + 1), data = log.subarray(i + 5, i + 5 + n);
  i += 5 + n;
  if (kind === 0x52) {
    const cols = data.readUInt16LE(0), rows = data.readUInt16LE(2);
    if (term) {
      term.resize(cols, rows);
      continue;
    }
    term = await (args.emulator === "ghostty" ? Ghostty : XtermJS).open(cols, rows);
    for (let k = 0; k < Number(args.shell); k++) await term.write(Buffer.from(`shell ${String(k).padStart(4, "0")}\r\n`));
  } else {
    await term.write(data);
  }
}
const out = term.dump();
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
