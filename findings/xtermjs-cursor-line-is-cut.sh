#!/usr/bin/env bash
# @xterm/headless 6.0.0: a window that becomes narrower and then wide again should keep its text, as
# rows are laid out anew. The line that the cursor is on is not: its rows are cut at the narrow width,
# and what stood behind the edge is gone when the window is wide again. The same line with a line feed
# behind it stays whole, and so it does with the option reflowCursorLine, which is off by default. It
# matters to programs that print a long line bit by bit, such as an answer of a model: a split window
# for a moment takes words out of it, and no later change of size brings them back.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund @xterm/headless@6.0.0 >/dev/null
cat >try.mjs <<'JS'
import xterm from '@xterm/headless';
const line = 'one two three four five six seven';
async function kept(text, options) {
  const t = new xterm.Terminal({ cols: 20, rows: 6, allowProposedApi: true, ...options });
  await new Promise((done) => t.write(text, done));
  t.resize(10, 6);
  t.resize(40, 6);
  let all = '';
  for (let i = 0; i < t.buffer.active.length; i++) all += t.buffer.active.getLine(i).translateToString(true);
  return line.split(' ').filter((word) => all.includes(word)).join(' ');
}
console.log('a finished line:', await kept(line + '\r\n'));
console.log('with reflowCursorLine:', await kept(line, { reflowCursorLine: true }));
console.log('the line of the cursor:', await kept(line));
JS
got=$(node try.mjs)
printf '%s\n' "$got"
[ "$got" = "a finished line: one two three four five six seven
with reflowCursorLine: one two three four five six seven
the line of the cursor: one two six" ] || { echo "the behaviour has changed" >&2; exit 1; }
