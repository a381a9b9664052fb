// xtermjs.mjs plays a script of stress/screen on xterm.js, and prints its dumps: node xtermjs.mjs < script

import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { writeSync } from "node:fs";
import headless from "@xterm/headless";

const VERSION = createRequire(import.meta.url)("@xterm/headless/package.json").version;
const UNDERLINES = ["", "single", "double", "curly", "dotted", "dashed"];

function open({ cols, rows, scrollback }) {
  const term = new headless.Terminal({ cols, rows, scrollback, allowProposedApi: true });
  const state = { term, replies: [], title: "" };
  term.onData((text) => state.replies.push(Buffer.from(text)));
  term.onBinary((text) => state.replies.push(Buffer.from(text, "binary")));
  term.onTitleChange((title) => { state.title = title; });
  return state;
}

const color = (isDefault, isRGB, value) => isDefault ? "" : isRGB ? "rgb:" + value.toString(16).padStart(6, "0") : `idx:${value}`;

function cellOf(c) {
  const out = { t: c.getChars().replace(/^ $/, "") };
  if (c.getWidth() === 2) out.w = 2;
  if (c.getWidth() === 0) out.w = 0;
  const fg = color(c.isFgDefault(), c.isFgRGB(), c.getFgColor()), bg = color(c.isBgDefault(), c.isBgRGB(), c.getBgColor());
  if (fg) out.fg = fg;
  if (bg) out.bg = bg;
  const attrs = [["bold", c.isBold()], ["faint", c.isDim()], ["italic", c.isItalic()], ["blink", c.isBlink()], ["inverse", c.isInverse()],
    ["invisible", c.isInvisible()], ["strike", c.isStrikethrough()], ["overline", c.isOverline()]].filter(([, on]) => on).map(([name]) => name);
  if (attrs.length) out.attrs = attrs;
  // The style of the line is not in the API, but in the cell that is behind it.
  const style = c.isUnderline() ? c.extended?.underlineStyle || 1 : 0;
  if (style) out.ul = UNDERLINES[style];
  return out;
}

function rowOf(buffer, y) {
  const line = buffer.getLine(y);
  const out = { text: line.translateToString(true).trimEnd(), cells: [] };
  for (let x = 0; x < line.length; x++) out.cells.push(cellOf(line.getCell(x)));
  if (buffer.getLine(y + 1)?.isWrapped) out.wrapped = true;
  return out;
}

function dump({ term, replies, title }) {
  const b = term.buffer.active, row = (y) => rowOf(b, y);
  const range = (from, to) => Array.from({ length: to - from }, (_, i) => row(from + i));
  return {
    v: 1, emu: `xterm.js ${VERSION}`, cols: term.cols, rows: term.rows,
    cursor: { row: b.cursorY, col: b.cursorX, visible: true, pending_wrap: false, shape: "block" },
    screen: b.type === "alternate" ? "alt" : "normal", scrollback_len: b.baseY,
    scrollback: range(0, b.baseY), grid: range(b.baseY, b.baseY + term.rows), modes: [], title, pwd: "", kitty_keyboard: 0, bells: 0,
    replies: Buffer.concat(replies.splice(0)).toString("base64"), unsupported: ["images", "prompt", "link", "pwd"],
  };
}

let state = null;
for await (const line of createInterface({ input: process.stdin })) {
  const op = JSON.parse(line);
  if (op.reset) state = open(op.reset);
  else if (op.write !== undefined) await new Promise((done) => state.term.write(Buffer.from(op.write, "base64"), done));
  else if (op.resize) state.term.resize(op.resize[0], op.resize[1]);
  else if (op.dump) writeSync(1, JSON.stringify(dump(state)) + "\n");
}
