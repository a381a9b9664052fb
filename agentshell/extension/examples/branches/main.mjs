// A picker of git branches: /branches shows them, newest first, and switches to the chosen one.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { run, styled } from "./extension.mjs";

/** Runs git and returns what it prints. An error has git's own words. */
async function git(args, signal) {
  try {
    return (await promisify(execFile)("git", args, { signal })).stdout;
  } catch (err) {
    throw new Error(err.stderr?.trim() || err.message);
  }
}

/** Returns the branches, the one with the newest commit first. */
async function branches(signal) {
  const format = "--format=%(HEAD)%09%(refname:short)%09%(committerdate:relative)";
  const out = await git(["for-each-ref", "--sort=-committerdate", format, "refs/heads"], signal);
  return out.split("\n").filter(Boolean).map((line) => {
    const [head, name, date] = line.split("\t");
    return { text: name, note: head === "*" ? `${date}, current` : date };
  });
}

run({
  about: "switches git branches",
  program: ["node", "${dir}/main.mjs"],
  commands: {
    branches: {
      about: "switch to a git branch",
      args: "[NAME]",
      async complete(args) {
        return (await branches()).filter((b) => b.text.startsWith(args));
      },
      async run(call) {
        let name = call.args.trim();
        if (!name) {
          const items = await branches(call.signal);
          if (items.length === 0) throw new Error("There are no branches yet: commit something first.");
          if (!call.screen) throw new Error("Name the branch: /branches NAME");
          name = await call.pick({ title: "Switch to", items });
          if (name === undefined) return;
        }
        await git(["switch", "--no-guess", "--", name], call.signal);
        return { rows: [["Now on ", styled("strong", name)]] };
      },
    },
  },
});
