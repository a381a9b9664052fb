// driver.mjs speaks the --script mode of stress/cmd/vtdump for the real ghostty core, and its --bench mode.
//
//   node driver.mjs --script [--cols C --rows R --scrollback N]   JSON lines in, one JSON line per dump out
//   node driver.mjs --bench FILE --cols C --rows R --scrollback N  feed FILE in 64 KiB writes, print one JSON line

import { readFileSync, writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { Terminal } from "./core.mjs";

const { values } = parseArgs({
  options: {
    script: { type: "boolean" }, bench: { type: "string" },
    cols: { type: "string", default: "80" }, rows: { type: "string", default: "24" }, scrollback: { type: "string", default: "1000" },
  },
});
const start = { cols: Number(values.cols), rows: Number(values.rows), scrollback: Number(values.scrollback) };

function write(text) {
  let bytes = Buffer.from(text);
  while (bytes.length) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (err) {
      if (err.code !== "EAGAIN") throw err;
    }
  }
}

function bench(file) {
  const data = readFileSync(file);
  const t = new Terminal(start.cols, start.rows, start.scrollback);
  const from = process.cpuUsage();
  for (let i = 0; i < data.length; i += 65536) t.feed(data.subarray(i, i + 65536));
  const used = process.cpuUsage(from);
  const seconds = (used.user + used.system) / 1e6; // of a processor, so that other programs do not count
  write(JSON.stringify({ bytes: data.length, seconds, mb_s: data.length / seconds / 1e6, scrollback_len: Math.min(t.scrollback(), start.scrollback) }) + "\n");
  t.free();
}

function script() {
  let t = new Terminal(start.cols, start.rows, start.scrollback);
  const run = (line) => {
    const op = JSON.parse(line);
    if (op.reset) {
      t.free();
      t = new Terminal(op.reset.cols ?? start.cols, op.reset.rows ?? start.rows, op.reset.scrollback ?? start.scrollback);
    } else if (op.write !== undefined) {
      t.write(Buffer.from(op.write, "base64"));
    } else if (op.resize) {
      t.resize(op.resize[0], op.resize[1]);
    } else if (op.dump) {
      return JSON.stringify(t.dump(op.dump)) + "\n";
    } else {
      throw new Error(`unknown operation ${line}`);
    }
    return "";
  };
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (!line.trim()) continue;
      const out = run(line);
      if (out) write(out);
    }
  });
  process.stdin.on("end", () => { if (rest.trim()) write(run(rest)); t.free(); });
}

if (values.bench) bench(values.bench);
else if (values.script) script();
else {
  process.stderr.write("driver.mjs: --script or --bench FILE\n");
  process.exitCode = 2;
}
