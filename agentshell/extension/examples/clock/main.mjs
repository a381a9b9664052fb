// A clock with the branch, in the status row: 14:05 main
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fit, run, styled, width } from "./extension.mjs";

/** Returns the branch of the workspace, "" if there is none. It reads .git/HEAD and starts no program. */
async function branch() {
  try {
    let dir = ".git";
    const link = await readFile(dir, "utf8").catch(() => ""); // a file in a worktree
    if (link.startsWith("gitdir: ")) dir = path.resolve(link.slice(8).trim());
    const head = (await readFile(path.join(dir, "HEAD"), "utf8")).trim();
    return head.startsWith("ref: refs/heads/") ? head.slice(16) : head.slice(0, 8);
  } catch {
    return "";
  }
}

const time = () => new Date().toTimeString().slice(0, 5);

run({
  about: "shows the time and the branch",
  program: ["node", "${dir}/main.mjs"],
  async status(columns) {
    const name = await branch();
    const left = columns - 6;
    if (!name || left < 2) return time();
    return [time(), " ", styled("dim", width(name) > left ? fit(name, left) : name)];
  },
  async start(session) {
    let shown = "";
    const look = async () => {
      const now = time() + (await branch());
      if (now !== shown) session.changed("status");
      shown = now;
    };
    const timer = setInterval(look, 1000);
    session.signal.addEventListener("abort", () => clearInterval(timer));
    await look();
  },
});
