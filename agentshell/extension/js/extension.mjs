/**
 * The JavaScript side of docs/extensions.md, for node 18 or later. It needs nothing else: copy this
 * file beside your program.
 *
 *     import { run, styled } from "./extension.mjs";
 *
 *     run({
 *       about: "greets",
 *       program: ["node", "${dir}/main.mjs"],
 *       commands: {
 *         hello: {
 *           about: "greet somebody",
 *           run: (call) => ({ rows: [[`Hello, `, styled("strong", call.args || "you")]] }),
 *         },
 *       },
 *     });
 *
 * Started as `node main.mjs manifest` the program prints its extension.toml. The shell starts it
 * without arguments.
 */

/** @typedef {{text: string, style?: Style, link?: string}} Span Text in one style. A link begins with https:// or http://. */
/** @typedef {string | (string | Span)[]} Row One row: a text, or spans beside each other. */
/** @typedef {"dim"|"strong"|"accent"|"added"|"removed"|"warning"|"error"|"code"|"heading"|"keyword"|"string"|"comment"|"number"|"selected"} Style */
/** @typedef {"prompt"|"overlay"} Place Where a question stands: instead of the prompt (default), or in a box above it. */
/** @typedef {{value?: string, text: string, note?: string}} Item A completion, or a row of a picker. Without a value it is text. */
/** @typedef {{rows?: Row[], draft?: string, send?: string}} Reply Rows for the transcript (at most 200), a text for the prompt, a message to the model. */
/** @typedef {{key: string, text: string}} Key A key: `key` is its name (a, A, enter, up, ctrl+a, paste), `text` what it enters. */

/**
 * @typedef {object} Field A field of a form.
 * @property {string} name
 * @property {"text"|"lines"|"choice"|"choices"|"confirm"} [kind] text without it
 * @property {string} [label]
 * @property {string} [help] a sentence below the field
 * @property {string[]} [choices] for choice and choices
 * @property {string|string[]|boolean} [value] at first: a list for choices, a boolean for confirm
 * @property {boolean} [required] refuses an empty text
 */

/**
 * @typedef {object} Shown A call of a tool that a renderer shows.
 * @property {string} tool its full name, such as bash
 * @property {string} call its id
 * @property {any} input
 * @property {boolean} [ok] of a result: the call succeeded
 * @property {string} [text] of a result: what the model is told
 * @property {number} width columns
 * @property {number} height the most rows
 */

/**
 * @typedef {object} Command
 * @property {string} [about] for the list of commands
 * @property {string} [args] a hint such as [NAME]
 * @property {(call: Call) => Reply | void | Promise<Reply | void>} run call.args is the text behind the name. The shell shows what it throws.
 * @property {(args: string) => (Item | string)[] | Promise<(Item | string)[]>} [complete] at most 50 items, within 500 ms
 */

/**
 * @typedef {object} Tool
 * @property {string} [about] the model decides by it whether to call the tool
 * @property {"reads"|"searches"|"edits"|"runs"|"other"} [kind]
 * @property {object} [schema] the JSON schema of its input, of type object
 * @property {(call: Call, input: any) => string | Promise<string>} run The model is told what it throws as a failure.
 */

/**
 * @typedef {object} Extension What a program adds. Functions may be async, and run beside each other.
 * @property {string} [about] a sentence for the manifest
 * @property {string[]} [program] the command in the manifest
 * @property {Record<string, Command>} [commands] by name
 * @property {Record<string, Tool>} [tools] by name
 * @property {Record<string, {call?: (shown: Shown) => any, result?: (shown: Shown) => any}>} [renderers]
 *   by the name of the tool, or "*". They return rows (call: at most 6; result: at most 200, within 300 ms), or
 *   nothing: then the shell shows it itself.
 * @property {(width: number) => any} [status] one row of at most width columns, or nothing
 * @property {(width: number) => any} [footer] at most 3 rows, or nothing
 * @property {Record<string, (event: any) => any>} [events] by name: turn_begin, call, result, session_end.
 *   One runs after another.
 * @property {(session: Session) => any} [start] called once the shell has greeted the program
 */

// Standard output is for messages alone, also before run is called.
globalThis.console = new console.Console(process.stderr, process.stderr);

const maxMessage = 1 << 20; // bytes that the shell takes
const maxWaiting = 256; // events
const farewell = 200; // ms for functions that still run at the end

/** An answer of the shell that is no result. Its code is 1: no screen, 2: not now, 3: busy, 4: too large. */
export class ShellError extends Error {
  /** @param {number} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The shell that has started the program. */
export class Session {
  /** @type {string} of the extension */ name = "";
  /** @type {string} of the shell */ version = "";
  /** @type {string} the directory of the workspace, absolute */ workspace = "";
  /** @type {boolean} rows are seen, and questions answered */ screen = false;
  /** @type {number} columns at the start; 0 without a screen */ width = 0;
  /** @type {number} rows at the start */ height = 0;
  /** @type {AbortSignal} aborted when the program has to end */ signal;
  #wire;

  constructor(wire, signal) {
    this.#wire = wire;
    this.signal = signal;
  }

  /**
   * Says that the rows of a part are others now. The shell asks for them once more.
   * @param {"status"|"footer"} part
   */
  changed(part) {
    this.#wire.notify("changed", { part });
  }
}

/** A command or a call of a tool that runs. */
export class Call {
  /** @type {Session} */ session;
  /** @type {string} of the command or the tool */ name;
  /** @type {string} of a command: the text behind its name */ args;
  /** @type {boolean} questions can be answered */ screen;
  /** @type {number} of a command: columns; 0 without a screen */ width;
  /** @type {AbortSignal} aborted when the person has given it up */ signal;
  #wire;
  #token;

  constructor(wire, session, params, signal) {
    this.#wire = wire;
    this.#token = params.token;
    this.session = session;
    this.name = params.name;
    this.args = params.args ?? "";
    this.screen = params.screen ?? session.screen;
    this.width = params.width ?? session.width;
    this.signal = signal;
  }

  /** Says how far the work is, in one line of at most 200 bytes. @param {string} text */
  progress(text) {
    this.#wire.notify("progress", { token: this.#token, text });
  }

  /**
   * Asks for one of at most 2,000 items. Typing filters them.
   * @param {{title: string, items: (Item | string)[], place?: Place}} picker
   * @returns {Promise<string | undefined>} the value; undefined: the person has left
   */
  pick({ title, items, place }) {
    const full = items.map(itemOf);
    return this.#show({ kind: "picker", title, items: full.map((item) => ({ value: item.text, ...item })), place });
  }

  /**
   * Asks for the values of at most 20 fields.
   * @param {{title: string, fields: Field[], place?: Place}} form
   * @returns {Promise<Record<string, any> | undefined>} by name; undefined: the person has left
   */
  fill({ title, fields, place }) {
    return this.#show({ kind: "form", title, fields: fields.map((f) => ({ kind: "text", ...f })), place });
  }

  /**
   * Shows rows of the program, and takes keys. Its functions run one after another; rows are asked for
   * again after each key.
   * @param {object} view
   * @param {string} view.title
   * @param {(width: number, height: number) => any} view.rows
   * @param {(key: Key, close: (value?: any) => void) => any} view.key close(value) ends the view
   * @param {number} [view.height] rows, at most 40; 10 without it
   * @param {Place} [view.place]
   * @returns {Promise<any>} what close was given (true without a value); undefined: the person has left
   */
  async view({ title, rows, key, height = 10, place }) {
    const name = this.#token;
    let last = Promise.resolve();
    let open = true;
    /** Runs f after the one before, unless the view has ended. */
    const inTurn = (f) => {
      const result = last.then(() => (open ? f() : undefined));
      last = result.catch(() => {});
      return result;
    };
    this.#wire.views.set(name, {
      rows: (width, rowCount) => inTurn(() => rows(width, rowCount)),
      key: (k) =>
        inTurn(async () => {
          let closed = false;
          await key(k, (value = true) => {
            if (closed) return;
            closed = true;
            this.#wire.notify("close", { view: name, value });
          });
          if (closed) open = false;
          else this.#wire.notify("changed", { part: "view", view: name });
        }).catch((err) => console.error(err)),
    });
    try {
      return await this.#show({ kind: "view", title, view: name, height, place });
    } finally {
      open = false;
      this.#wire.views.delete(name);
    }
  }

  async #show(params) {
    const answer = await this.#wire.call("show", { token: this.#token, ...params }, this.signal);
    return answer?.cancelled ? undefined : answer?.value;
  }
}

/** Returns an item, also of a text. */
function itemOf(item) {
  return typeof item === "string" ? { text: item } : item;
}

/** Returns what a tool gives the model: a text, or a value as JSON. */
function textOf(value) {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns a span of text in a style. @param {Style} style @param {string} text @returns {Span} */
export function styled(style, text) {
  return { text, style };
}

/** Returns a span that leads to an address. @param {string} address @param {string} [text] @returns {Span} */
export function link(address, text = address) {
  return { text, link: address };
}

const wide = [
  [0x1100, 0x115f], [0x2e80, 0xa4cf], [0xac00, 0xd7a3], [0xf900, 0xfaff], [0xfe30, 0xfe6f], [0xff00, 0xff60],
  [0xffe0, 0xffe6], [0x1f300, 0x1f64f], [0x1f680, 0x1f6ff], [0x1f900, 0x1faff], [0x20000, 0x3fffd],
];

/**
 * Returns about how many columns a text takes: one for most characters, two for most East Asian ones
 * and emoji, none for marks. The shell measures exactly.
 * @param {string} text @returns {number}
 */
export function width(text) {
  let columns = 0;
  for (const c of text) columns += columnsOf(c);
  return columns;
}

function columnsOf(c) {
  const code = c.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(c)) return 0;
  return wide.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/**
 * Returns a text of exactly `columns` columns: cut with an ellipsis, or filled with blanks.
 * @param {string} text @param {number} columns @returns {string}
 */
export function fit(text, columns) {
  const all = width(text);
  if (all <= columns) return text + " ".repeat(columns - all);
  if (columns <= 0) return "";
  let head = "";
  let used = 0;
  for (const c of text) {
    if (used + columnsOf(c) > columns - 1) break;
    head += c;
    used += columnsOf(c);
  }
  return head + "…" + " ".repeat(columns - 1 - used);
}

/** Returns the text of extension.toml. @param {Extension} extension @returns {string} */
export function manifest(extension) {
  const quote = (value) => JSON.stringify(value).replaceAll("\x7f", "\\u007f");
  const text = (s) => (/['\n\r\0\x7f]/.test(s) ? quote(s) : `'${s}'`);
  const list = (all) => `[${all.map(quote).join(", ")}]`;
  const program = extension.program ?? ["node", "${dir}/main.mjs"];
  const lines = ["protocol = 1", `about = ${quote(extension.about ?? "")}`, `command = ${list(program)}`];
  if (extension.status) lines.push("status = true");
  if (extension.footer) lines.push("footer = true");
  if (extension.events) lines.push(`events = ${list(Object.keys(extension.events))}`);
  for (const [name, c] of Object.entries(extension.commands ?? {})) {
    lines.push("", "[[commands]]", `name = ${quote(name)}`, `about = ${quote(c.about ?? "")}`);
    if (c.args) lines.push(`args = ${quote(c.args)}`);
    if (c.complete) lines.push("complete = true");
  }
  for (const [name, t] of Object.entries(extension.tools ?? {})) {
    lines.push("", "[[tools]]", `name = ${quote(name)}`, `about = ${quote(t.about ?? "")}`);
    if (t.kind) lines.push(`kind = ${quote(t.kind)}`);
    lines.push(`schema = ${text(JSON.stringify(t.schema ?? { type: "object" }))}`);
  }
  for (const [tool, r] of Object.entries(extension.renderers ?? {})) {
    lines.push("", "[[renderers]]", `tool = ${quote(tool)}`);
    if (r.call) lines.push("call = true");
    if (r.result) lines.push("result = true");
  }
  return lines.join("\n") + "\n";
}

/**
 * Serves the shell on the standard streams, and ends the program when the shell says so. Texts of
 * console.log go to the standard error, which the shell keeps in a log. With the argument "manifest" it
 * prints the manifest instead.
 * @param {Extension} extension
 */
export function run(extension) {
  if (process.argv.length === 3 && process.argv[2] === "manifest") {
    process.stdout.write(manifest(extension));
    return;
  }
  if (process.stdin.isTTY) console.error("agentshell starts this program. To try it: agentshell extension test DIR");
  new Server(extension).serve(process.stdin, process.stdout);
}

/** Messages with their headers on two streams. */
class Wire {
  views = new Map();
  #out;
  #last = 0;
  #waits = new Map();

  constructor(out) {
    this.#out = out;
  }

  /** Calls take with each message, and end at the end. */
  read(input, take, end) {
    let buffer = Buffer.alloc(0);
    input.on("data", (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      for (;;) {
        const head = buffer.indexOf("\r\n\r\n");
        if (head < 0) return;
        const length = /^content-length: *(\d+)\s*$/im.exec(buffer.toString("latin1", 0, head));
        if (!length) return end(new Error("a message has no Content-Length"));
        const from = head + 4;
        const to = from + Number(length[1]);
        if (buffer.length < to) return;
        let message;
        try {
          message = JSON.parse(buffer.toString("utf8", from, to));
        } catch (err) {
          return end(err);
        }
        buffer = buffer.subarray(to);
        if (!this.#settle(message)) take(message);
      }
    });
    input.on("end", () => end());
    input.on("error", end);
  }

  /** Gives an answer to the request that waits for it. */
  #settle(message) {
    if (message.method !== undefined) return false;
    const wait = this.#waits.get(message.id);
    this.#waits.delete(message.id);
    if (wait && message.error) wait.reject(new ShellError(message.error.code, message.error.message));
    else if (wait) wait.resolve(message.result);
    return true;
  }

  #write(message) {
    const data = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    if (data.length > maxMessage) throw new Error(`the message has ${data.length} bytes; the shell takes ${maxMessage}`);
    this.#out.write(Buffer.concat([Buffer.from(`Content-Length: ${data.length}\r\n\r\n`), data]));
  }

  notify(method, params) {
    this.#write({ method, params });
  }

  async call(method, params, signal) {
    signal.throwIfAborted();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waits.set(id, { resolve, reject });
      signal.addEventListener("abort", () => {
        this.#waits.delete(id);
        reject(signal.reason);
      }, { once: true });
      this.#write({ id, method, params });
    });
  }

  /** Answers a request with what f returns or throws. */
  async answer(request, f) {
    let error;
    try {
      const result = await f();
      if (request.id !== undefined) return this.#write({ id: request.id, result: result ?? null });
    } catch (err) {
      error = { code: err?.code ?? -32000, message: String(err?.message ?? err) };
      if (!(err instanceof ShellError)) {
        error.code = -32000;
        console.error(err);
      }
    }
    if (request.id !== undefined) this.#write({ id: request.id, error });
  }
}

/** Speaks with one shell. */
class Server {
  #extension;
  #wire;
  #session;
  #ending = new AbortController();
  #calls = new Map(); // by token: what stops it
  #running = new Set(); // promises of functions that run
  #events = Promise.resolve();
  #waiting = 0; // events
  #missed = 0;

  /** @param {Extension} extension */
  constructor(extension) {
    this.#extension = extension;
  }

  serve(input, output) {
    this.#wire = new Wire(output);
    this.#session = new Session(this.#wire, this.#ending.signal);
    let ended = false;
    const end = async (err) => {
      if (ended) return;
      ended = true;
      if (err) console.error(err);
      await this.#end();
      process.exit(err ? 1 : 0);
    };
    output.on("error", () => process.exit(1)); // the shell is gone
    this.#wire.read(input, (message) => {
      if (message.method !== "shutdown") return this.#take(message);
      ended = true;
      this.#end().then(async () => {
        await this.#wire.answer(message, () => ({}));
        output.write("", () => process.exit(0));
      });
    }, end);
  }

  /** Stops what runs, and waits for it, but not long. */
  async #end() {
    this.#ending.abort(new Error("the program ends"));
    for (const stop of this.#calls.values()) stop.abort(new Error("the program ends"));
    await Promise.race([
      Promise.allSettled([...this.#running, this.#events]),
      new Promise((resolve) => setTimeout(resolve, farewell)),
    ]);
  }

  /** Acts on a message. It waits for nothing. */
  #take(message) {
    const params = message.params ?? {};
    switch (message.method) {
      case "initialize":
        return this.#wire.answer(message, () => this.#initialize(params));
      case "command":
        return this.#work(message, async (call) => (await this.#of("commands", params.name).run(call)) ?? {});
      case "tool":
        return this.#work(message, (call) => this.#tool(call, params));
      case "complete":
        return this.#run(this.#wire.answer(message, async () => {
          const items = (await this.#of("commands", params.name).complete?.(params.args)) ?? [];
          return { items: items.map(itemOf) };
        }));
      case "render":
        return this.#run(this.#wire.answer(message, async () => ({ rows: rowsOf(await this.#rows(params)) })));
      case "event":
        return this.#event(params);
      case "key":
        return this.#wire.views.get(params.view)?.key(params);
      case "cancel":
        return this.#calls.get(params.token)?.abort(new Error("stopped"));
      default:
        return this.#wire.answer(message, () => {
          throw new ShellError(-32601, "unknown method");
        });
    }
  }

  #run(promise) {
    this.#running.add(promise);
    promise.finally(() => this.#running.delete(promise));
  }

  /** Returns a command or a tool by its name. */
  #of(kind, name) {
    const all = this.#extension[kind] ?? {};
    if (!Object.hasOwn(all, name)) throw new Error(`there is no ${kind.slice(0, -1)} ${JSON.stringify(name)}`);
    return all[name];
  }

  #initialize(params) {
    Object.assign(this.#session, {
      name: params.name, version: params.shell?.version, workspace: params.workspace, screen: params.screen,
      width: params.width, height: params.height,
    });
    const names = (part) => Object.keys(this.#extension[part] ?? {});
    setImmediate(() => this.#run((async () => this.#extension.start?.(this.#session))().catch(console.error)));
    return {
      protocol: 1, commands: names("commands"), tools: names("tools"), renderers: names("renderers"),
      status: Boolean(this.#extension.status), footer: Boolean(this.#extension.footer), events: names("events"),
      ...(params.manifest ? { manifest: manifest(this.#extension) } : {}),
    };
  }

  /** Answers a command or a call of a tool. */
  #work(message, f) {
    const stop = new AbortController();
    this.#calls.set(message.params.token, stop);
    const call = new Call(this.#wire, this.#session, message.params, stop.signal);
    this.#run(this.#wire.answer(message, async () => {
      try {
        const reply = await f(call);
        return reply.rows ? { ...reply, rows: rowsOf(reply.rows) } : reply;
      } finally {
        this.#calls.delete(message.params.token);
      }
    }));
  }

  async #tool(call, params) {
    const tool = this.#of("tools", params.name);
    try {
      return { text: textOf((await tool.run(call, params.input ?? {})) ?? ""), failed: false };
    } catch (err) {
      return { text: String(err?.message ?? err), failed: true };
    }
  }

  #rows(params) {
    switch (params.part) {
      case "status":
        return Promise.resolve(this.#extension.status?.(params.width)).then((row) => (row == null ? row : [row]));
      case "footer":
        return this.#extension.footer?.(params.width);
      case "view":
        return this.#wire.views.get(params.view)?.rows(params.width, params.height) ?? [];
      case "call":
      case "result": {
        const all = this.#extension.renderers ?? {};
        return (Object.hasOwn(all, params.tool) ? all[params.tool] : all["*"])?.[params.part]?.(params);
      }
    }
  }

  #event(event) {
    if (this.#waiting === maxWaiting) {
      this.#missed += 1 + (event.missed ?? 0);
      return;
    }
    this.#waiting++;
    event.missed = (event.missed ?? 0) + this.#missed;
    this.#missed = 0;
    this.#events = this.#events.then(async () => {
      await this.#extension.events?.[event.event]?.(event);
    }).catch((err) => console.error(err)).finally(() => this.#waiting--);
  }
}

/** Returns rows as the protocol has them; null: the shell shows it itself. */
function rowsOf(rows) {
  if (rows == null) return null;
  if (!Array.isArray(rows)) throw new TypeError("rows are a list: [\"one\", [\"two \", styled(\"strong\", \"words\")]]");
  const span = (s) => (typeof s === "object" && s !== null ? s : { text: String(s ?? "") });
  return rows.map((row) => (Array.isArray(row) ? row : [row]).map(span));
}
