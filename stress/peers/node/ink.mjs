// The chat in ink: what is final is in Static, the cursor stands in the input.

import { EventEmitter } from "node:events";
import { createElement as h, memo } from "react";
import { Box, Static, Text, render, useCursor } from "ink";
import wrap from "wrap-ansi";

const height = (text, cols) => (text === "" ? 0 : wrap(text, cols, { trim: false, hard: true }).split("\n").length);

const History = memo(({ items }) => h(Static, { items }, (text, i) => h(Text, { key: i }, text)));

function Live({ items, chat, cols }) {
  const { setCursorPosition } = useCursor();
  const text = chat.shown(), input = "> " + chat.input;
  const rows = wrap(input, cols, { trim: false, hard: true }).split("\n");
  setCursorPosition({ x: rows.at(-1).length, y: height(text, cols) + rows.length });
  return h(Box, { flexDirection: "column" },
    h(History, { items }),
    text === "" ? null : h(Text, null, text),
    h(Text, null, h(Text, { color: "cyan" }, chat.glyph), h(Text, { dimColor: true }, chat.status)),
    h(Text, null, input),
    h(Text, { dimColor: true }, chat.model));
}

export async function start(chat, terminal) {
  const stdout = new EventEmitter();
  Object.assign(stdout, { isTTY: true, columns: terminal.cols, rows: terminal.rows, write: (text) => (terminal.write(text), true) });
  let items = [];
  const tree = () => h(Live, { items, chat, cols: terminal.cols, frame: {} });
  const app = render(tree(), { stdout, patchConsole: false, exitOnCtrlC: false });
  return (o, finished) => {
    if (finished.length > 0) items = [...items, ...finished];
    if (o.k === "resize") {
      [stdout.columns, stdout.rows] = [o.w, o.h];
      stdout.emit("resize");
    }
    app.rerender(tree());
  };
}
