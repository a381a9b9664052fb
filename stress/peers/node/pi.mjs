// The chat in pi-tui: all is one list of rows, what is final too, of which the last rows are compared with those before.

import { Container, CURSOR_MARKER, Text, TUI, wrapTextWithAnsi } from "@mariozechner/pi-tui";

class Rows {
  constructor(rows) {
    this.rows = rows;
  }
  render(width) {
    return this.rows(width);
  }
  invalidate() {}
}

export async function start(chat, terminal) {
  const tui = new TUI({
    start: (_, resized) => (terminal.resized = resized),
    stop() {}, drainInput: async () => {}, write: (text) => terminal.write(text),
    get columns() { return terminal.cols; },
    get rows() { return terminal.rows; },
    kittyProtocolActive: false,
    moveBy: (n) => n !== 0 && terminal.write(n > 0 ? `\x1b[${n}B` : `\x1b[${-n}A`),
    hideCursor: () => terminal.write("\x1b[?25l"), showCursor: () => terminal.write("\x1b[?25h"),
    clearLine: () => terminal.write("\x1b[K"), clearFromCursor: () => terminal.write("\x1b[J"), clearScreen: () => terminal.write("\x1b[2J\x1b[H"),
    setTitle() {}, setProgress() {},
  }, true);
  const history = new Container();
  const live = new Text("", 0, 0);
  tui.addChild(history);
  tui.addChild(live);
  tui.addChild(new Rows(() => [`\x1b[36m${chat.glyph}\x1b[0m\x1b[2m${chat.status}\x1b[0m`]));
  const input = new Rows((width) => {
    const rows = wrapTextWithAnsi("> " + chat.input, width);
    rows[rows.length - 1] += CURSOR_MARKER;
    return rows;
  });
  tui.addChild(input);
  tui.addChild(new Rows(() => [`\x1b[2m${chat.model}\x1b[0m`]));
  tui.start();
  return (o, finished) => {
    for (const text of finished) history.addChild(new Text(text, 0, 0));
    live.setText(chat.shown());
    if (o.k === "resize") terminal.resized();
    else tui.requestRender();
  };
}
