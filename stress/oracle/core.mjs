// The ghostty VT core inside @coder/libghostty-vt-node, reached through the C API that its addon exports.
//
// The addon's own JavaScript API reports text, bold, italic and resolved colours only: no wrap flags, modes, replies, links or pending wrap.
// The shared object exports libghostty-vt's whole C API, so this module calls that and leaves nothing out that a screen dump wants.
// Struct sizes are asked of the library (ghostty_type_json) and the one layout it does not describe, the 64-bit cell, is checked at start.

import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import koffi from "koffi";

const require = createRequire(import.meta.url);
const home = dirname(dirname(fileURLToPath(import.meta.resolve("@coder/libghostty-vt-node"))));
const lib = koffi.load(require("node-gyp-build").resolve(home));

koffi.struct("Options", { cols: "uint16", rows: "uint16", max_scrollback: "size_t" });
koffi.struct("PointValue", { x: "uint16", y: "uint32", pad: "uint64" });
koffi.struct("Point", { tag: "int", value: "PointValue" });
koffi.struct("Str", { ptr: "void *", len: "size_t" });

const c = {
  typeJSON: lib.func("const char *ghostty_type_json()"),
  create: lib.func("int ghostty_terminal_new(void *alloc, _Out_ void **out, Options options)"),
  free: lib.func("void ghostty_terminal_free(void *t)"),
  write: lib.func("void ghostty_terminal_vt_write(void *t, const uint8_t *data, size_t len)"),
  resize: lib.func("int ghostty_terminal_resize(void *t, uint16 cols, uint16 rows, uint32 cw, uint32 ch)"),
  set: lib.func("int ghostty_terminal_set(void *t, int option, void *value)"),
  get: lib.func("int ghostty_terminal_get(void *t, int data, void *out)"),
  modeGet: lib.func("int ghostty_terminal_mode_get(void *t, uint16 mode, void *out)"),
  modeSet: lib.func("int ghostty_terminal_mode_set(void *t, uint16 mode, bool value)"),
  ref: lib.func("int ghostty_terminal_grid_ref(void *t, Point point, void *out)"),
  cell: lib.func("int ghostty_grid_ref_cell(void *ref, void *out)"),
  row: lib.func("int ghostty_grid_ref_row(void *ref, void *out)"),
  cellGet: lib.func("int ghostty_cell_get(uint64 cell, int data, void *out)"),
  rowGet: lib.func("int ghostty_row_get(uint64 row, int data, void *out)"),
  graphemes: lib.func("int ghostty_grid_ref_graphemes(void *ref, void *buf, size_t len, void *out)"),
  style: lib.func("int ghostty_grid_ref_style(void *ref, void *out)"),
  link: lib.func("int ghostty_grid_ref_hyperlink_uri(void *ref, void *buf, size_t len, void *out)"),
  stateNew: lib.func("int ghostty_render_state_new(void *alloc, _Out_ void **out)"),
  stateUpdate: lib.func("int ghostty_render_state_update(void *state, void *t)"),
  stateGet: lib.func("int ghostty_render_state_get(void *state, int data, void *out)"),
  gfxGet: lib.func("int ghostty_kitty_graphics_get(void *g, int data, void *out)"),
  gfxImage: lib.func("void *ghostty_kitty_graphics_image(void *g, uint32 id)"),
  imageGet: lib.func("int ghostty_kitty_graphics_image_get(void *image, int data, void *out)"),
  iterNew: lib.func("int ghostty_kitty_graphics_placement_iterator_new(void *alloc, _Out_ void **out)"),
  iterNext: lib.func("bool ghostty_kitty_graphics_placement_next(void *iter)"),
  placeGet: lib.func("int ghostty_kitty_graphics_placement_get(void *iter, int data, void *out)"),
  placeInfo: lib.func("int ghostty_kitty_graphics_placement_render_info(void *iter, void *image, void *t, void *out)"),
};

const writePty = koffi.proto("void WritePty(void *t, void *user, const uint8_t *data, size_t len)");
const bell = koffi.proto("void Bell(void *t, void *user)");
const version = koffi.proto("Str Version(void *t, void *user)");
const size = koffi.proto("bool Size(void *t, void *user, void *out)");
const scheme = koffi.proto("bool Scheme(void *t, void *user, void *out)");
const attributes = koffi.proto("bool Attributes(void *t, void *user, void *out)");

const OPT = { writePty: 1, bell: 2, version: 4, size: 6, scheme: 7, attributes: 8, foreground: 11, background: 12 };
const DATA = { cols: 1, rows: 2, x: 3, y: 4, pending: 5, screen: 6, visible: 7, keyboard: 8, title: 12, pwd: 13, scrollback: 15, graphics: 30 };
const CELL_WIDTH = 8, CELL_HEIGHT = 16; // pixels; the start state of the dump schema

// Modes that the core knows (its modes.zig at 48ccec182a93). ANSI modes carry bit 15.
const ANSI = 0x8000;
const MODES = [2 | ANSI, 4 | ANSI, 12 | ANSI, 20 | ANSI,
  1, 3, 4, 5, 6, 7, 8, 9, 12, 25, 40, 45, 47, 66, 67, 69, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 1035, 1036, 1039, 1045,
  1047, 1048, 1049, 2004, 2026, 2027, 2031, 2048];
const UNDERLINES = ["", "single", "double", "curly", "dotted", "dashed"];
const SHAPES = ["bar", "block", "underline", "block"];

const types = JSON.parse(c.typeJSON());
const at = (type, field) => types[type].fields[field].offset;
const STYLE = { fg: at("GhosttyStyle", "fg_color"), bg: at("GhosttyStyle", "bg_color"), ul: at("GhosttyStyle", "underline_color"),
  underline: at("GhosttyStyle", "underline"), value: at("GhosttyStyleColor", "value") };
const ATTRS = [["bold", "bold"], ["faint", "faint"], ["italic", "italic"], ["blink", "blink"], ["inverse", "inverse"],
  ["invisible", "invisible"], ["strike", "strikethrough"], ["overline", "overline"]].map(([name, field]) => [name, at("GhosttyStyle", field)]);
const REF_X = at("GhosttyGridRef", "x");

function must(result, what) {
  if (result !== 0) throw new Error(`${what}: ghostty result ${result}`);
}

// One terminal is alive at a time, so the callbacks are registered once and write to `current`.
let current = null;
const encoder = new TextEncoder();
const versionText = Buffer.from("ghostty 1.3.0");
const callbacks = {
  [OPT.writePty]: koffi.register((t, user, data, len) => {
    if (current) current.replies.push(Buffer.from(koffi.decode(data, koffi.array("uint8_t", Number(len), "Typed"))));
  }, koffi.pointer(writePty)),
  [OPT.bell]: koffi.register(() => { if (current) current.bells++; }, koffi.pointer(bell)),
  [OPT.version]: koffi.register(() => ({ ptr: versionText, len: versionText.length }), koffi.pointer(version)),
  [OPT.size]: koffi.register((t, user, out) => {
    koffi.encode(out, "uint16", current.u16(DATA.rows));
    koffi.encode(out, 2, "uint16", current.u16(DATA.cols));
    koffi.encode(out, 4, "uint32", CELL_WIDTH);
    koffi.encode(out, 8, "uint32", CELL_HEIGHT);
    return true;
  }, koffi.pointer(size)),
  [OPT.scheme]: koffi.register((t, user, out) => { koffi.encode(out, "int", 1); return true; }, koffi.pointer(scheme)),
  // What the application answers: VT220 with colour and clipboard, firmware 10.
  [OPT.attributes]: koffi.register((t, user, out) => {
    const d = types.GhosttyDeviceAttributes.fields, p = types.GhosttyDeviceAttributesPrimary.fields, s = types.GhosttyDeviceAttributesSecondary.fields;
    koffi.encode(out, p.conformance_level.offset, "uint16", 62);
    koffi.encode(out, p.features.offset, "uint16", 22);
    koffi.encode(out, p.features.offset + 2, "uint16", 52);
    koffi.encode(out, p.num_features.offset, "uint64", 2);
    koffi.encode(out, d.secondary.offset + s.device_type.offset, "uint16", 1);
    koffi.encode(out, d.secondary.offset + s.firmware_version.offset, "uint16", 10);
    koffi.encode(out, d.secondary.offset + s.rom_cartridge.offset, "uint16", 0);
    koffi.encode(out, d.tertiary.offset, "uint32", 0);
    return true;
  }, koffi.pointer(attributes)),
};

const ref = Buffer.alloc(types.GhosttyGridRef.size);
const styleBuf = Buffer.alloc(types.GhosttyStyle.size);
const word = Buffer.alloc(8);
const strBuf = Buffer.alloc(types.GhosttyString.size);
const runes = Buffer.alloc(4 * 256);
const infoBuf = Buffer.alloc(64);
let uriBuf = Buffer.alloc(4096);
let state = null;

function color(buf, offset) {
  switch (buf.readInt32LE(offset)) {
    case 1: return `idx:${buf[offset + STYLE.value]}`;
    case 2: return "rgb:" + buf.toString("hex", offset + STYLE.value, offset + STYLE.value + 3);
    default: return "";
  }
}

// decode splits the packed cell of page.zig: tag 2 bits, content 24, style 16, wide 2, protected, hyperlink, semantic 2.
function decode(lo, hi) {
  return {
    tag: lo & 3,
    content: (lo >>> 2) & 0xffffff,
    style: ((lo >>> 26) | (hi << 6)) & 0xffff,
    wide: (hi >>> 10) & 3,
    prot: (hi >>> 12) & 1,
    link: (hi >>> 13) & 1,
  };
}

// Terminal is one ghostty terminal in the application's start state. Lines beyond `lines` are left out of dumps: the core's own limit is in bytes.
export class Terminal {
  constructor(cols, rows, lines) {
    this.cols = cols;
    this.rows = rows;
    this.lines = lines;
    this.replies = [];
    this.bells = 0;
    this.escape = false;
    const out = [null];
    // 0 lines must stay "no scrollback at all" (the core behaves differently then), anything else gets room to spare.
    const bytes = lines === 0 ? 0 : Math.max(10_000_000, lines * (cols + 8) * 16);
    must(c.create(null, out, { cols, rows, max_scrollback: bytes }), "new");
    this.t = out[0];
    current = this;
    for (const [option, callback] of Object.entries(callbacks)) must(c.set(this.t, Number(option), callback), "set");
    must(c.set(this.t, OPT.foreground, Buffer.from([255, 255, 255])), "set");
    must(c.set(this.t, OPT.background, Buffer.from([0, 0, 0])), "set");
    must(c.resize(this.t, cols, rows, CELL_WIDTH, CELL_HEIGHT), "resize");
    c.modeSet(this.t, 2027, true);
  }

  free() {
    c.free(this.t);
    this.t = null;
    if (current === this) current = null;
  }

  feed(bytes) {
    if (bytes.length) c.write(this.t, bytes, bytes.length);
  }

  // write is feed, except that a RIS turns 2027 on again: in the application that is the configured default, which the C API cannot set.
  // An ESC starts a new sequence in every state of the core's parser, and only C0 (executed), DEL and bytes above C1 (ignored) may stand before
  // its final.
  write(bytes) {
    let from = 0;
    for (let i = 0; i < bytes.length; i++) {
      const b = bytes[i];
      if (b === 0x1b) { this.escape = true; continue; }
      if (!this.escape) continue;
      if (b === 0x7f || b >= 0xa0 || (b < 0x20 && b !== 0x18 && b !== 0x1a)) continue;
      this.escape = false;
      if (b !== 0x63) continue;
      this.feed(bytes.subarray(from, i + 1));
      c.modeSet(this.t, 2027, true);
      from = i + 1;
    }
    this.feed(from === 0 ? bytes : bytes.subarray(from));
  }

  resize(cols, rows) {
    this.cols = cols;
    this.rows = rows;
    must(c.resize(this.t, cols, rows, CELL_WIDTH, CELL_HEIGHT), "resize");
  }

  u16(data) { must(c.get(this.t, data, word), "get"); return word.readUInt16LE(0); }
  bool(data) { must(c.get(this.t, data, word), "get"); return word[0] !== 0; }
  int(data) { must(c.get(this.t, data, word), "get"); return word.readInt32LE(0); }
  string(data) {
    must(c.get(this.t, data, strBuf), "get");
    const len = Number(strBuf.readBigUInt64LE(8));
    if (len === 0) return "";
    return Buffer.from(koffi.decode(koffi.decode(strBuf, "void *"), koffi.array("uint8_t", len, "Typed"))).toString("utf8");
  }
  scrollback() { must(c.get(this.t, DATA.scrollback, word), "get"); return Number(word.readBigUInt64LE(0)); }

  // row reads one row of the active area (tag 0) or the history (tag 3).
  row(tag, y, styles) {
    ref.writeBigUInt64LE(BigInt(ref.length), 0);
    must(c.ref(this.t, { tag, value: { x: 0, y, pad: 0 } }, ref), "grid_ref");
    must(c.row(ref, word), "row");
    const raw = word.readBigUInt64LE(0);
    const out = {};
    c.rowGet(raw, 1, word);
    const wrapped = word[0] !== 0;
    c.rowGet(raw, 6, word);
    const prompt = word.readInt32LE(0);
    const node = ref.readBigUInt64LE(8);
    const cells = [];
    let text = "", last = null, lastKey = "";
    for (let x = 0; x < this.cols; x++) {
      ref.writeUInt16LE(x, REF_X);
      must(c.cell(ref, word), "cell");
      const d = decode(word.readUInt32LE(0), word.readUInt32LE(4));
      const cell = this.cell(d, node, styles);
      if (d.wide !== 2) text += cell.t || " ";
      const key = JSON.stringify(cell);
      if (last && key === lastKey) { last.n = (last.n || 1) + 1; continue; }
      last = cell;
      lastKey = key;
      cells.push(cell);
    }
    while (cells.length && isDefault(cells[cells.length - 1])) cells.pop();
    out.text = text.replace(/ +$/, "");
    if (wrapped) out.wrapped = true;
    if (prompt) out.prompt = prompt;
    out.cells = cells;
    return out;
  }

  cell(d, node, styles) {
    const cell = {};
    if (d.tag < 2 && d.content !== 0 && d.wide < 2) {
      if (d.tag === 1) {
        must(c.graphemes(ref, runes, 256, word), "graphemes");
        const n = Number(word.readBigUInt64LE(0));
        cell.t = "";
        for (let i = 0; i < n; i++) cell.t += String.fromCodePoint(runes.readUInt32LE(4 * i));
      } else if (d.content !== 32) {
        cell.t = String.fromCodePoint(d.content);
      }
    }
    if (d.wide === 1) cell.w = 2;
    if (d.wide === 2) cell.w = 0;
    if (d.tag === 2) cell.bg = `idx:${d.content & 0xff}`;
    if (d.tag === 3) cell.bg = "rgb:" + [d.content & 0xff, (d.content >> 8) & 0xff, (d.content >> 16) & 0xff].map((v) => v.toString(16).padStart(2, "0")).join("");
    if (d.style !== 0) Object.assign(cell, this.style(d.style, node, styles));
    if (d.link) {
      must(c.link(ref, uriBuf, uriBuf.length, word), "link");
      cell.link = uriBuf.toString("utf8", 0, Number(word.readBigUInt64LE(0)));
    }
    if (d.prot) cell.prot = true;
    return cell;
  }

  style(id, node, styles) {
    const key = `${node}/${id}`;
    let s = styles.get(key);
    if (s) return s;
    styleBuf.writeBigUInt64LE(BigInt(styleBuf.length), 0);
    must(c.style(ref, styleBuf), "style");
    s = {};
    const fg = color(styleBuf, STYLE.fg), bg = color(styleBuf, STYLE.bg), ul = color(styleBuf, STYLE.ul);
    if (fg) s.fg = fg;
    if (bg) s.bg = bg;
    const attrs = ATTRS.filter(([, offset]) => styleBuf[offset]).map(([name]) => name);
    if (attrs.length) s.attrs = attrs;
    const line = styleBuf.readInt32LE(STYLE.underline);
    if (line) s.ul = UNDERLINES[line];
    if (ul) s.ulc = ul;
    styles.set(key, s);
    return s;
  }

  modes() {
    const on = [];
    for (const mode of MODES) {
      must(c.modeGet(this.t, mode, word), "mode");
      if (word[0]) on.push(mode & ANSI ? `${mode & ~ANSI}` : `?${mode}`);
    }
    return on;
  }

  shape() {
    if (!state) { const out = [null]; must(c.stateNew(null, out), "render_state"); state = out[0]; }
    must(c.stateUpdate(state, this.t), "render_state_update");
    must(c.stateGet(state, 10, word), "render_state_get");
    return SHAPES[word.readInt32LE(0)];
  }

  images() {
    if (c.get(this.t, DATA.graphics, word) !== 0) return null;
    const graphics = koffi.decode(word, "void *");
    const out = [null];
    must(c.iterNew(null, out), "iterator");
    const handle = Buffer.alloc(8);
    koffi.encode(handle, "void *", out[0]);
    must(c.gfxGet(graphics, 1, handle), "graphics_get");
    const iter = koffi.decode(handle, "void *");
    const images = [];
    const num = (data) => { word.fill(0); must(c.placeGet(iter, data, word), "placement_get"); return word.readInt32LE(0); };
    while (c.iterNext(iter)) {
      const id = num(1) >>> 0, virtual = num(3) !== 0;
      const image = c.gfxImage(graphics, id);
      if (!image) continue;
      const px = [3, 4].map((data) => { must(c.imageGet(image, data, word), "image_get"); return word.readUInt32LE(0); });
      const img = { id, placement: num(2) >>> 0, row: 0, col: 0, cols: num(10), rows: num(11), z: num(12), virtual, px };
      if (!virtual) {
        infoBuf.fill(0);
        infoBuf.writeBigUInt64LE(56n, 0);
        must(c.placeInfo(iter, image, this.t, infoBuf), "render_info");
        img.cols = infoBuf.readUInt32LE(16);
        img.rows = infoBuf.readUInt32LE(20);
        img.col = infoBuf.readInt32LE(24);
        img.row = infoBuf.readInt32LE(28);
      }
      images.push(img);
    }
    images.sort((a, b) => a.id - b.id || a.placement - b.placement);
    return images;
  }

  // dump is the screen dump of the schema. what: true (all), "screen" (no scrollback), "brief" (no rows either).
  dump(what) {
    this.cols = this.u16(DATA.cols); // DECCOLM changes it
    this.rows = this.u16(DATA.rows);
    const alt = this.int(DATA.screen) === 1;
    const sb = alt ? 0 : this.scrollback();
    const shown = Math.min(sb, this.lines);
    const d = {
      v: 1, emu: "libghostty-vt 48ccec182a93", cols: this.cols, rows: this.rows,
      cursor: { row: this.u16(DATA.y), col: this.u16(DATA.x), visible: this.bool(DATA.visible), pending_wrap: this.bool(DATA.pending), shape: this.shape() },
      screen: alt ? "alt" : "normal",
      scrollback_len: shown,
      modes: this.modes(),
      title: this.string(DATA.title), pwd: this.string(DATA.pwd),
      kitty_keyboard: this.u16(DATA.keyboard) & 0xff,
      bells: this.bells,
      replies: Buffer.concat(this.replies).toString("base64"),
      unsupported: [],
    };
    this.replies = [];
    if (what === "brief") return d;
    const styles = new Map();
    if (what === true) {
      d.scrollback = [];
      for (let y = sb - shown; y < sb; y++) d.scrollback.push(this.row(3, y, styles));
    }
    d.grid = [];
    for (let y = 0; y < this.rows; y++) d.grid.push(this.row(0, y, styles));
    d.images = this.images();
    if (d.images === null) { d.images = []; d.unsupported.push("images"); }
    d.stored = this.stored();
    return d;
  }

  // stored lists the images that the active screen keeps, of ids 1 to 15: the API finds an image by its id, it does not list them.
  stored() {
    if (c.get(this.t, DATA.graphics, word) !== 0) return [];
    const graphics = koffi.decode(word, "void *");
    const list = [];
    for (let id = 1; id <= 15; id++) {
      const image = c.gfxImage(graphics, id);
      if (!image) continue;
      const px = [3, 4].map((data) => { must(c.imageGet(image, data, word), "image_get"); return word.readUInt32LE(0); });
      list.push({ id, px });
    }
    return list;
  }
}

function isDefault(cell) {
  for (const key in cell) if (key !== "n") return false;
  return true;
}

// A wrong cell layout would give silent nonsense: print three known cells and read them both ways.
function selfCheck() {
  const t = new Terminal(8, 1, 0);
  t.feed(encoder.encode("\x1b[1;38;5;9mA\u4e16\x1b[48;2;1;2;3m\x1b[K"));
  const row = t.row(0, 0, new Map());
  const got = JSON.stringify(row.cells);
  const want = JSON.stringify([{ t: "A", fg: "idx:9", attrs: ["bold"] }, { t: "\u4e16", w: 2, fg: "idx:9", attrs: ["bold"] },
    { w: 0, fg: "idx:9", attrs: ["bold"] }, { bg: "rgb:010203", n: 5 }]);
  t.free();
  if (got !== want) throw new Error(`this build of the core lays its cells out differently:\n got ${got}\nwant ${want}`);
}
selfCheck();
