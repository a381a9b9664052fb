#!/usr/bin/env bash
# pyright 1.1.414: textDocument/rename should refuse a new name that is no identifier, as gopls and
# clangd do with an error. It takes every text: a keyword, two words, even none, and answers with
# edits that break the program in each file. The edits of a document that is open carry version null
# besides, so a client cannot see that they were made for another text. It matters to agents, whose
# names come from a model, and to whoever applies the edits of a rename without a look at them.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund pyright@1.1.414 >/dev/null
mkdir work
cat >client.js <<'JS'
const { spawn } = require('child_process');
const fs = require('fs'), url = require('url');
const root = url.pathToFileURL(process.cwd() + '/work').href, uri = root + '/a.py';
const text = 'def area(side):\n    return side * side\n\n\nprint(area(2))\n';
fs.writeFileSync('work/a.py', text);
const names = ['size', 'class', 'two words', ''];
const server = spawn('node_modules/.bin/pyright-langserver', ['--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
let data = Buffer.alloc(0);
function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
function rename(i) {
  const position = { line: 0, character: 5 };
  send({ id: i + 1, method: 'textDocument/rename', params: { textDocument: { uri }, position, newName: names[i] } });
}
function receive(m) {
  if (m.method && m.id !== undefined) {
    send({ id: m.id, result: m.method === 'workspace/configuration' ? m.params.items.map(() => ({})) : null });
  } else if (m.id === 0) {
    send({ method: 'initialized', params: {} });
    send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'python', version: 7, text } } });
    rename(0);
  } else if (m.id) {
    const change = m.result && m.result.documentChanges[0];
    console.log(`${JSON.stringify(names[m.id - 1])}: ` +
      (m.error ? m.error.message : `${change.edits.length} edits, version ${change.textDocument.version}`));
    if (m.id < names.length) return rename(m.id);
    server.kill();
    process.exit(0);
  }
}
server.stdout.on('data', (chunk) => {
  data = Buffer.concat([data, chunk]);
  for (;;) {
    const head = data.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(data.subarray(0, head))[1]);
    if (data.length < head + 4 + length) return;
    const body = data.subarray(head + 4, head + 4 + length);
    data = data.subarray(head + 4 + length);
    receive(JSON.parse(body));
  }
});
send({ id: 0, method: 'initialize', params: { processId: process.pid, rootUri: root,
  workspaceFolders: [{ uri: root, name: 'work' }],
  capabilities: { workspace: { workspaceEdit: { documentChanges: true } } } } });
JS
got=$(timeout 120 node client.js)
printf '%s\n' "$got"
[ "$got" = '"size": 2 edits, version null
"class": 2 edits, version null
"two words": 2 edits, version null
"": 2 edits, version null' ] || { echo "the behaviour has changed" >&2; exit 1; }
