// live.mjs is a terminal without a window: what the programs of a pty write it shows in an emulator that is not of this module.
//
//   node live.mjs --emulator xtermjs|ghostty --cols C --rows R 3<>MASTER
//
// It reads from file descriptor 3, the master of the pty, and writes the answers of the emulator there. Orders come from the standard input, a line
// each: "size COLS ROWS", which it repeats on the standard output once the grid has that size, so that the pty is told, and "tape FILE", which
// puts history and screen into FILE, soft-wrapped rows joined. Orders do not wait for bytes that came before them, as in products around these cores.

import { createReadStream, renameSync, writeFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { Ghostty, XtermJS } from "./emulators.mjs";

const { values: args } = parseArgs({
  options: { emulator: { type: "string" }, cols: { type: "string" }, rows: { type: "string" } },
});
const emulators = { xtermjs: XtermJS, ghostty: Ghostty };
const term = await emulators[args.emulator].open(Number(args.cols), Number(args.rows));
term.answers((bytes) => writeSync(3, bytes));

const programs = createReadStream(null, { fd: 3, autoClose: false });
programs.on("data", async (bytes) => {
  programs.pause(); // what the emulator has not taken stays in the pty
  await term.write(bytes);
  programs.resume();
});
programs.on("error", (err) => { if (err.code !== "EIO") throw err; }); // EIO: all programs have ended

createInterface({ input: process.stdin }).on("line", (line) => {
  const [order, ...rest] = line.split(" ");
  if (order === "size") {
    term.resize(Number(rest[0]), Number(rest[1]));
    writeSync(1, line + "\n");
  } else if (order === "tape") {
    writeFileSync(rest[0] + ".new", term.dump().tape.map((row) => row.trimEnd() + "\n").join(""));
    renameSync(rest[0] + ".new", rest[0]);
  } else {
    throw new Error(`unknown order ${line}`);
  }
}).on("close", () => process.exit(0));
