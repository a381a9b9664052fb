// An editor by the official SDK, driven by JSON lines: {id, method, params} on the standard input is
// sent to the agent and answered by {id, result} or {id, error}. What the agent says comes as
// {method, params}; a question that a test has to answer comes with its number as ask, and the line
// {answer: number, result} answers it. Texts that were put into the editor by {put: path, text} are
// what it has of that file; all others are on the disk. It writes to the disk, and keeps what it was
// given in written.
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import readline from "node:readline";
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
const say = (message, then) => process.stdout.write(JSON.stringify(message) + "\n", then);

const open = new Map(); // texts that are not saved, by path
const asked = new Map();
let number = 0;

const ask = (method, params, signal) =>
  new Promise((resolve, reject) => {
    const n = ++number;
    asked.set(n, resolve);
    signal?.addEventListener("abort", () => {
      asked.delete(n);
      say({ aborted: n });
      reject(new Error("aborted"));
    });
    say({ ask: n, method, params });
  });

const editor = client({ name: "scrollkeep-test" })
  .onRequest(methods.client.session.requestPermission, ({ params, signal }) =>
    ask("session/request_permission", params, signal))
  .onRequest(methods.client.fs.readTextFile, async ({ params }) => {
    say({ method: "fs/read_text_file", params });
    if (open.has(params.path)) return { content: open.get(params.path) };
    try {
      return { content: await fs.readFile(params.path, "utf8") };
    } catch (e) {
      throw RequestError.internalError({ details: e.message });
    }
  })
  .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
    say({ method: "fs/write_text_file", params });
    open.delete(params.path);
    await fs.mkdir(path.dirname(params.path), { recursive: true });
    await fs.writeFile(params.path, params.content);
    return {};
  })
  .onNotification(methods.client.session.update, ({ params }) => say({ method: "session/update", params }));

const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
child.on("exit", (code, signal) => {
  // An agent whose reader has gone ends by SIGPIPE, as every program does, and has no code then.
  say({ exit: code ?? -1, signal }, () => process.exit(0));
});
await editor.connectWith(stream, async (agent) => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const m = JSON.parse(line);
    if (m.put !== undefined) {
      open.set(m.put, m.text);
    } else if (m.answer !== undefined) {
      asked.get(m.answer)?.(m.result);
      asked.delete(m.answer);
    } else if (m.id === undefined) {
      await agent.notify(m.method, m.params);
    } else {
      // Handlers of what came before an answer may still be on their way when it is there.
      agent.request(m.method, m.params).then(
        (result) => setImmediate(() => say({ id: m.id, result })),
        (e) => setImmediate(() => say({ id: m.id, error: { code: e.code, message: e.message, data: e.data } })),
      );
    }
  }
});
child.stdin.end();
