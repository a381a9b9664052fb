// emulators.mjs has the emulators that are not of this module, each as {write, resize, answers, view, dump}.

const SCROLLBACK = 250_000; // rows

// Clusters measures by extended grapheme clusters, as ICU finds them: 2 columns for East Asian wide and emoji presentation, else 1. (The addon that
// the project offers for this takes most emoji for one column.)
class Clusters {
  version = "clusters";
  segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  texts = [""]; // of clusters, by state
  states = new Map([["", 0]]);

  wcwidth(cp) {
    const ch = String.fromCodePoint(cp);
    if (cp < 0x300) return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ? 0 : 1;
    if (/^[\p{M}\p{Cf}]$/u.test(ch) || (cp >= 0x1160 && cp <= 0x11ff)) return 0;
    const wide = (cp >= 0x1100 && cp < 0x1160) || (cp >= 0x2e80 && cp < 0xa4d0 && cp !== 0x303f) || (cp >= 0xac00 && cp < 0xd7a4) || (cp >= 0xf900 && cp < 0xfb00) ||
      (cp >= 0xfe30 && cp < 0xfe70) || (cp >= 0xff01 && cp < 0xff61) || (cp >= 0xffe0 && cp < 0xffe7) || (cp >= 0x20000 && cp < 0x3fffe);
    return wide || /^\p{Emoji_Presentation}$/u.test(ch) ? 2 : 1;
  }

  // charProperties packs what xterm.js wants: the state after the character, the width of its cluster so far, whether it joins what is before it.
  charProperties(cp, preceding) {
    const before = this.texts[preceding >>> 3], ch = String.fromCodePoint(cp);
    const joins = before !== "" && [...this.segmenter.segment(before + ch)].length === 1;
    const text = joins ? before + ch : ch;
    let width = joins ? Math.max((preceding >>> 1) & 3, cp === 0xfe0f && /^\p{Emoji}/u.test(before) ? 2 : 0) : this.wcwidth(cp);
    if (joins && width === 0) width = this.wcwidth(cp);
    let state = this.states.get(text);
    if (state === undefined) {
      state = this.texts.push(text) - 1;
      this.states.set(text, state);
    }
    return (state << 3) | (width << 1) | (joins ? 1 : 0);
  }
}

export class XtermJS {
  // open gives a terminal that measures clusters, if it is told to.
  static async open(cols, rows, graphemes) {
    const { default: { Terminal } } = await import("@xterm/headless");
    const self = new XtermJS();
    self.term = new Terminal({ cols, rows, scrollback: SCROLLBACK, allowProposedApi: true });
    if (graphemes) {
      self.term.unicode.register(new Clusters());
      self.term.unicode.activeVersion = "clusters";
    }
    return self;
  }
  write(bytes) { return new Promise((done) => this.term.write(bytes, done)); }
  resize(cols, rows) { this.term.resize(cols, rows); }
  // answers calls say with the bytes of each answer.
  answers(say) {
    this.term.onData((text) => say(Buffer.from(text)));
    this.term.onBinary((text) => say(Buffer.from(text, "binary")));
  }
  view() {
    const b = this.term.buffer.active, rows = [];
    for (let y = b.baseY; y < b.length; y++) rows.push(b.getLine(y).translateToString(true));
    return { rows, cursor: b.cursorY, cols: this.term.cols };
  }
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

export class Ghostty {
  static async open(cols, rows) {
    const { Terminal } = await import("./core.mjs");
    const self = new Ghostty();
    self.term = new Terminal(cols, rows, SCROLLBACK);
    return self;
  }
  say = null;
  write(bytes) {
    this.term.write(bytes);
    this.answer();
  }
  resize(cols, rows) {
    this.term.resize(cols, rows);
    this.answer();
  }
  answers(say) { this.say = say; }
  answer() {
    if (this.say) for (const bytes of this.term.replies.splice(0)) this.say(bytes);
  }
  view() {
    const d = this.term.dump(false);
    return { rows: d.grid.map((r) => r.text), cursor: d.cursor.row, cols: d.cols };
  }
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
