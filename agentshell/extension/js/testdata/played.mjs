// The extension of play_test.go in JavaScript.
import { link, run, styled } from "../extension.mjs";

const heard = [];
let wake = () => {};
let session;

async function command(call) {
  switch (call.args) {
    case "main": {
      const draft = await call.pick({ title: "Switch to", place: "prompt", items: [{ text: "main", note: "2 days ago" }] });
      return draft === undefined ? undefined : { draft };
    }
    case "form": {
      const field = { name: "size", label: "Size", kind: "choice", choices: ["small", "large"], value: "small" };
      const answer = await call.fill({ title: "New", fields: [field] });
      return { send: `{${answer.name} ${answer.force}}` };
    }
    case "view": {
      let keys = "";
      await call.view({
        title: "Keys", height: 3, rows: () => [keys],
        async key(k, close) {
          keys += `${k.key}(${k.text})`;
          if (k.key === "paste") close();
        },
      });
      return { rows: [keys, []] };
    }
    case "rows":
      return { rows: ["plain", [styled("strong", "main"), styled("dim", " 2 days ago")],
        [link("https://ci.example.com/17", "run 17")]] };
    case "events":
      while (heard.length < 3) await new Promise((resolve) => (wake = resolve));
      return { draft: heard.map((e) => [e.event, e.call ?? "", e.tool ?? "", e.ok ?? false, e.text ?? "", e.missed].join(" ")).join("\n") };
    case "panic":
      throw new Error("on purpose");
  }
}

const hears = (event) => {
  heard.push(event);
  wake();
};

run({
  about: "is played by a test",
  commands: { branches: { about: "switch", run: command, complete: (args) => [{ text: args + "in", note: "2 days ago" }] } },
  tools: {
    list: {
      about: "lists branches",
      async run(call, input) {
        call.progress("3 of 9");
        if (!input.all) await new Promise((_, reject) => call.signal.addEventListener("abort", () => reject(call.signal.reason)));
        return "...";
      },
    },
  },
  renderers: { "*": { result: (shown) => (shown.ok ? [[styled("dim", `${shown.tool}: ${shown.text}`)]] : undefined) } },
  status(width) {
    session.changed("status");
    console.log("this goes to the log");
    return `${width} columns`;
  },
  events: { turn_begin: hears, call: hears, result: hears, session_end: hears },
  start: (s) => { session = s; },
});
