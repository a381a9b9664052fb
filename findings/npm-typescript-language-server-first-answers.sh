#!/usr/bin/env bash
# typescript-language-server 5.3.0 with typescript 5.9.3: a question right after didOpen should be
# answered once the project is known, or with "not yet". Until the project is loaded it is answered by
# a second tsserver that knows one file only, without an error and without a mark: hover of a value
# that is imported says `any`, its definition is not found. With the initialization option
# tsserver.useSyntaxServer = "never" the same questions wait and are answered rightly. It matters to
# clients that start a server to ask one question, such as agents: the first answer is wrong, and
# looks like any other.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund typescript-language-server@5.3.0 typescript@5.9.3 >/dev/null
cat >tsconfig.json <<'JSON'
{"compilerOptions": {"strict": true, "module": "commonjs"}, "include": ["*.ts"]}
JSON
printf 'export class Square {\n  area() { return 4; }\n}\n' >a.ts
printf "import { Square } from './a';\nexport const side = new Square().area();\n" >b.ts
cat >client.js <<'JS'
const { spawn } = require('child_process');
const fs = require('fs'), url = require('url'), path = require('path');
const root = url.pathToFileURL(process.cwd()).href, uri = root + '/b.ts';
function ask(options) {
  return new Promise((resolve) => {
    const p = spawn('node_modules/.bin/typescript-language-server', ['--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    let data = Buffer.alloc(0), answers = {};
    const send = (m) => {
      const text = JSON.stringify({ jsonrpc: '2.0', ...m });
      p.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    };
    p.stdout.on('data', (chunk) => {
      data = Buffer.concat([data, chunk]);
      for (;;) {
        const head = data.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/Content-Length: (\d+)/i.exec(data.subarray(0, head))[1]);
        if (data.length < head + 4 + length) return;
        const m = JSON.parse(data.subarray(head + 4, head + 4 + length));
        data = data.subarray(head + 4 + length);
        if (m.method && m.id !== undefined) send({ id: m.id, result: m.method === 'workspace/configuration' ? m.params.items.map(() => ({})) : null });
        else if (m.id === 0) {
          send({ method: 'initialized', params: {} });
          send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'typescript', version: 1, text: fs.readFileSync('b.ts', 'utf8') } } });
          const at = { textDocument: { uri }, position: { line: 1, character: 14 } };
          send({ id: 1, method: 'textDocument/hover', params: at });
          send({ id: 2, method: 'textDocument/definition', params: { textDocument: { uri }, position: { line: 1, character: 34 } } });
        } else if (m.id) {
          answers[m.id] = m.result;
          if (answers[1] !== undefined && answers[2] !== undefined) {
            p.kill();
            const hover = JSON.stringify(answers[1]);
            const type = /side: (\w+)/.exec(hover);
            resolve(`hover ${type ? type[1] : 'nothing'}, definitions ${(answers[2] || []).length}`);
          }
        }
      }
    });
    send({ id: 0, method: 'initialize', params: { processId: process.pid, rootUri: root, capabilities: {}, initializationOptions: options } });
  });
}
(async () => {
  console.log('as it comes: ' + await ask({}));
  console.log('without the second server: ' + await ask({ tsserver: { useSyntaxServer: 'never' } }));
})();
JS
out=$(timeout 120 node client.js)
printf '%s\n' "$out"
[ "$out" = "as it comes: hover any, definitions 0
without the second server: hover number, definitions 1" ] || { echo "the behaviour has changed" >&2; exit 1; }
