// play.mjs plays a benchmark script in a program of another library and prints what its frames cost: the same JSON and the same log as
// stress/play, whose TestCosts starts it where `npm ci --ignore-scripts` was run in this folder.
//
//   node play.mjs --peer ink|pi --script w1-100x30.jsonl [--log OUT] [--policy para|msg]
//
// Timers and clocks are stepped by hand, so that frame limiters cost no time: each op is followed by one frame.

import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values: args } = parseArgs({
  options: { peer: { type: "string" }, script: { type: "string" }, log: { type: "string" }, policy: { type: "string", default: "para" } },
});

// Clock stands for the timers and clocks of the process.
class Clock {
  now = 1e6;
  timers = new Map();
  id = 0;

  install() {
    const add = (f, ms, args, every) => {
      const id = ++this.id;
      this.timers.set(id, { at: this.now + Math.max(1, ms || 0), f: () => f(...args), every });
      return { id, ref() { return this; }, unref() { return this; }, hasRef: () => true, [Symbol.toPrimitive]: () => id };
    };
    const drop = (t) => this.timers.delete(typeof t === "object" ? t?.id : t);
    globalThis.setTimeout = (f, ms, ...args) => add(f, ms, args);
    globalThis.setInterval = (f, ms, ...args) => add(f, ms, args, Math.max(1, ms || 0));
    globalThis.clearTimeout = globalThis.clearInterval = drop;
    Date.now = () => this.now;
    performance.now = () => this.now;
  }

  // pass lets ms go by: timers that are due run in order, with all that they cause.
  async pass(ms) {
    await rest();
    for (const end = this.now + ms; ;) {
      let first, due;
      for (const [id, t] of this.timers) if (t.at <= end && (!due || t.at < due.at)) [first, due] = [id, t];
      if (!due) {
        this.now = end;
        return;
      }
      this.now = due.at;
      if (due.every) due.at += due.every;
      else this.timers.delete(first);
      due.f();
      await rest();
    }
  }
}

const immediate = setImmediate;
const rest = () => new Promise((done) => immediate(done));

// Terminal keeps what is written.
class Terminal {
  records = [];
  bytes = 0;
  writes = 0;

  constructor(cols, rows) {
    this.resize(cols, rows);
  }

  // The device makes CR LF of LF, as it does under node; what counts is what was written.
  write(text) {
    this.bytes += Buffer.byteLength(text);
    this.writes++;
    this.record("D", Buffer.from(text.replaceAll("\n", "\r\n")));
  }

  resize(cols, rows) {
    [this.cols, this.rows] = [cols, rows];
    const data = Buffer.alloc(4);
    data.writeUInt16LE(cols, 0);
    data.writeUInt16LE(rows, 2);
    this.record("R", data);
  }

  record(kind, data) {
    const head = Buffer.alloc(5);
    head.write(kind);
    head.writeUInt32LE(data.length, 1);
    this.records.push(head, data);
  }
}

// Chat is what the program shows: finished is what the last op made final, as texts of whole rows or paragraphs.
class Chat {
  text = "";
  input = "";
  frames = 0;
  ticks = 0;
  tokens = 0;

  constructor(whole) {
    this.whole = whole;
  }

  update(o) {
    let finished = [];
    switch (o.k) {
      case "s":
        this.tokens += 4;
        this.text += o.t;
        if (o.t.endsWith("\n") && !this.whole) finished = this.end();
        break;
      case "msgend":
        finished = this.end();
        break;
      case "hist":
        if (this.whole) this.text += o.rows.join("\n") + "\n";
        else finished = o.rows;
        break;
      case "out":
        finished = [o.rows.join("\n")];
        break;
      case "tick":
        this.ticks++;
        return finished;
      case "key":
        this.input += o.t;
        return finished;
    }
    this.frames++;
    return finished;
  }

  end() {
    const text = this.shown();
    this.text = "";
    return text === "" ? [] : [text];
  }

  shown() {
    return this.text.endsWith("\n") ? this.text.slice(0, -1) : this.text;
  }

  get glyph() {
    return "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"[(Math.floor(this.frames / 4) + this.ticks) % 10];
  }

  model = "  model peer-1 · 100% context left";

  get status() {
    return ` Working · ${this.tokens} tokens · esc to interrupt`;
  }
}



const ops = readFileSync(args.script, "utf8").split("\n").filter(Boolean).map((l) => JSON.parse(l));
process.env.NODE_ENV = "production";
process.env.FORCE_COLOR = "3";
delete process.env.CI;
const clock = new Clock();
clock.install();
const terminal = new Terminal(ops[0].w, ops[0].h);
const chat = new Chat(args.policy === "msg");
const { start } = await import(`./${args.peer}.mjs`);
const show = await start(chat, terminal);
await clock.pass(2000);
const windows = [];
let w, cpu;
for (const o of ops.slice(1)) {
  if (o.k === "begin") {
    w = { name: o.t, frames: 0, bytes: -terminal.bytes, writes: -terminal.writes };
    cpu = process.cpuUsage();
    continue;
  }
  if (o.k === "end") {
    const used = process.cpuUsage(cpu);
    windows.push({ ...w, bytes: w.bytes + terminal.bytes, writes: w.writes + terminal.writes, cpu_us: used.user + used.system });
    continue;
  }
  if (o.k === "resize") terminal.resize(o.w, o.h);
  if (o.k === "pane" || o.k === "scroll") throw new Error(`the program has no ${o.k}`);
  show(o, chat.update(o));
  await clock.pass(40);
  if (w) w.frames++;
}
if (args.log) writeFileSync(args.log, Buffer.concat(terminal.records));
console.log(JSON.stringify({ contestant: args.peer, script: args.script, windows }));
process.exit(0);
