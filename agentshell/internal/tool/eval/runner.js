// The loop that runs cells of JavaScript. The channel to the host is descriptor 3 (out) and 4 (in), a
// JSON object a line. V8 evaluates the cells in the mode of its consoles: await at the top level, and
// names that stay and can be declared again.
(() => {
  'use strict';
  const fs = require('fs');
  const path = require('path');
  const net = require('net');
  const os = require('os');
  const util = require('util');
  const url = require('url');
  const vm = require('vm');
  const Module = require('module');
  const inspector = require('inspector');
  const {parse, stringify} = JSON;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));

  function writeAll(fd, data) {
    for (let at = 0; at < data.length;) {
      try {
        at += fs.writeSync(fd, data, at);
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
        Atomics.wait(sleeper, 0, 0, 2);
      }
    }
  }
  const send = message => writeAll(3, Buffer.from(stringify(message) + '\n'));

  let hello, cell = 0, marks = 0, calls = 0;
  const waiting = new Map();

  // mark calls tell with the number of a mark, and writes that mark behind what was printed so far.
  function mark(tell) {
    const number = ++marks;
    tell(number);
    try {
      writeAll(1, Buffer.from(`\x1e${hello.mark}:${number}\x1e`));
    } catch {
      send({t: 'unmarked', mark: number});
    }
  }
  const show = data => mark(number => send({t: 'show', cell, mark: number, data}));

  function call(name, args) {
    if (!cell) return Promise.reject(new Error(name + '() works only while a cell runs'));
    const id = ++calls;
    const reply = new Promise((resolve, reject) => waiting.set(id, {resolve, reject}));
    send({t: 'call', cell, id, name, args});
    return reply;
  }

  class ToolError extends Error {
    get name() { return 'ToolError'; }
  }

  function answered({id, value, error}) {
    const w = waiting.get(id);
    waiting.delete(id);
    if (!w) return;
    if (error) w.reject(new ToolError(error));
    else w.resolve(value);
  }

  // What a cell shows.

  function display(...values) {
    for (const value of values) displayOne(value);
  }

  function displayOne(value) {
    if (value && typeof value === 'object') {
      if (value.type === 'image' && value.data) {
        const data = typeof value.data === 'string' ? value.data : Buffer.from(value.data).toString('base64');
        return show({[value.mimeType || 'image/png']: data});
      }
      if (value.type === 'markdown' && typeof value.text === 'string') return show({'text/markdown': value.text});
      const prototype = Object.getPrototypeOf(value);
      if (Array.isArray(value) || prototype === Object.prototype || prototype === null) {
        try {
          return show({'application/json': parse(stringify(value))});
        } catch { /* a circle, a BigInt: it is text */ }
      }
    }
    process.stdout.write((typeof value === 'string' ? value : util.inspect(value, {depth: 4})) + '\n');
  }

  // The helpers of cells.

  const lines = text => String(text).replace(/\n$/, '').split('\n');
  const given = options => Object.fromEntries(Object.entries(options || {}).filter(([, v]) => v !== undefined));

  const helpers = {
    display,
    print: (...values) => console.log(...values),
    read: (file, o = {}) => call('read', given({path: String(file), offset: o.offset, limit: o.limit})),
    write: (file, content) => call('write', {path: String(file), content}),
    append: (file, content) => call('append', {path: String(file), content}),
    tree: (file = '.', o = {}) => call('tree', {path: String(file), depth: o.maxDepth ?? 3, hidden: !!o.hidden}),
    diff: (a, b) => call('diff', {a: String(a), b: String(b)}),
    output: async (...ids) => {
      const texts = await Promise.all(ids.map(id => call('output', {id: String(id)})));
      return ids.length === 1 ? texts[0] : texts;
    },
    env: (key, value) => {
      if (key === undefined) return {...process.env};
      if (value !== undefined) process.env[key] = String(value);
      return process.env[key];
    },
    sort: (text, o = {}) => {
      const list = (o.unique ? [...new Set(lines(text))] : lines(text)).sort();
      return (o.reverse ? list.reverse() : list).join('\n');
    },
    uniq: (text, o = {}) => {
      const groups = [];
      for (const line of lines(text)) {
        const last = groups[groups.length - 1];
        if (last && last[0] === line) last[1]++;
        else groups.push([line, 1]);
      }
      return groups.map(([line, n]) => o.count ? `${n} ${line}` : line).join('\n');
    },
    counter: (items, o = {}) => {
      const counts = new Map();
      for (const item of typeof items === 'string' ? lines(items) : items) counts.set(item, (counts.get(item) || 0) + 1);
      const pairs = [...counts].sort((a, b) => o.reverse ? a[1] - b[1] : b[1] - a[1]);
      return pairs.slice(0, o.limit);
    },
    completion: (prompt, options) => call('completion', {...given(options), prompt}),
    agent: (prompt, options) => call('agent', {...given(options), prompt}),
    parallel: async thunks => {
      thunks = [...thunks];
      const results = new Array(thunks.length);
      let next = 0, failed = false;
      const worker = async () => {
        while (next < thunks.length && !failed) {
          const at = next++;
          try {
            results[at] = await thunks[at]();
          } catch (error) {
            failed = true;
            throw error;
          }
        }
      };
      const width = hello.width || thunks.length;
      await Promise.all(Array.from({length: Math.min(width, thunks.length)}, worker));
      return results;
    },
    pipeline: (items, ...stages) => helpers.parallel([...items].map(item => async () => {
      for (const stage of stages) item = await stage(item);
      return item;
    })),
    tool: new Proxy({}, {
      get: (_, name) => typeof name === 'string' && name !== 'then'
        ? args => call('tool', {name, args: args || {}}) : undefined,
    }),
    ToolError,
  };

  // Imports from the workspace are read anew in each cell.

  let watched = false;

  // watch makes what a fresh module of the workspace imports as fresh as itself, where this node can.
  function watch() {
    if (watched || !Module.register) return;
    watched = true;
    const hook = `
      let root;
      export const initialize = data => { root = data.root; };
      export async function resolve(name, context, next) {
        const found = await next(name, context);
        const cell = /[?&]cell=\\d+/.exec(context.parentURL || '');
        if (!cell || !found.url.startsWith(root) || found.url.includes('/node_modules/') ||
          /[?&]cell=/.test(found.url)) return found;
        const mark = cell[0].slice(1);
        return {...found, url: found.url + (found.url.includes('?') ? '&' : '?') + mark};
      }`;
    Module.register('data:text/javascript,' + encodeURIComponent(hook), {
      parentURL: 'data:', data: {root: url.pathToFileURL(hello.dir).href + '/'},
    });
  }

  const isLocal = name => /^(\.{1,2}(\/|$)|\/|~\/)/.test(name);

  function importFresh(name, options) {
    name = String(name);
    if (!isLocal(name)) return import(name, options);
    const file = path.resolve(hello.dir, name.replace(/^~(?=\/)/, os.homedir()));
    let full = file;
    if (!fs.existsSync(file) || fs.statSync(file).isDirectory()) {
      try {
        full = requireHere.resolve(file);
      } catch { /* import says what is missing */ }
    }
    if (full.endsWith('.json')) {
      const value = parse(fs.readFileSync(full, 'utf8'));
      return Promise.resolve({default: value});
    }
    watch();
    return import(url.pathToFileURL(full).href + '?cell=' + cell);
  }

  function forgetModules() {
    const inner = `${path.sep}node_modules${path.sep}`;
    for (const file of Object.keys(require.cache)) {
      if (file.startsWith(hello.dir + path.sep) && !file.includes(inner)) delete require.cache[file];
    }
  }

  // From a cell to what V8 takes.

  const importCall = '(typeof __import__ === "function" ? __import__ : (s, o) => import(s, o))';
  const importForm = new RegExp(String.raw`import\s*(?:([\w$]+)\s*(?:,\s*)?)?(?:\*\s*as\s+([\w$]+)|(\{[^}]*\}))?` +
    String.raw`\s*(?:from\s*)?(["'])((?:(?!\4).)*)\4(?:\s*(?:with|assert)\s*\{[^}]*\})?[ \t]*;?`, 'y');

  // importsIn returns where the word import stands in code, outside of texts and comments.
  function importsIn(code) {
    const token = new RegExp(String.raw`(\/\/.*|\/\*[^]*?\*\/|\s+)|(["'])(?:\\[^]|(?!\2).)*\2|([A-Za-z_$][\w$]*)|` +
      String.raw`(\d[\w.]*)|([^])`, 'y');
    const found = [], nested = [];
    let before = '';
    const template = from => {
      for (let i = from; i < code.length; i++) {
        if (code[i] === '\\') i++;
        else if (code[i] === '`') return i + 1;
        else if (code[i] === '$' && code[i + 1] === '{') {
          nested.push('`');
          return i + 2;
        }
      }
      return code.length;
    };
    const regex = /\/(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n])+\/\w*/y;
    while (token.lastIndex < code.length) {
      const at = token.lastIndex;
      const m = token.exec(code);
      if (m[1]) continue;
      const sign = m[5];
      if (m[3] === 'import' && before !== '.') found.push({at, depth: nested.length});
      if (sign === '`') token.lastIndex = template(at + 1);
      else if (sign === '{' || sign === '(' || sign === '[') nested.push(sign);
      else if (sign === '}' && nested[nested.length - 1] === '`') {
        nested.pop();
        token.lastIndex = template(at + 1);
      } else if (sign === '}' || sign === ')' || sign === ']') nested.pop();
      else if (sign === '/' && !/[\w$)\]}"'`]$/.test(before) || /^(return|typeof|case|in|of)$/.test(before) && sign === '/') {
        regex.lastIndex = at;
        if (regex.test(code)) token.lastIndex = regex.lastIndex;
      }
      before = m[0];
    }
    return found;
  }

  // withImports returns code whose imports go through importFresh.
  function withImports(code) {
    let out = '', from = 0;
    for (const {at, depth} of importsIn(code)) {
      if (at < from) continue;
      const after = code.slice(at + 6);
      if (/^\s*\(/.test(after)) {
        out += code.slice(from, at) + importCall;
        from = at + 6;
        continue;
      }
      importForm.lastIndex = at;
      const m = depth === 0 && importForm.exec(code);
      if (!m) continue;
      const [all, name, space, names, , source] = m;
      const parts = [name && `default: ${name}`, names && names.slice(1, -1).replace(/(\S+)\s+as\s+(\S+)/g, '$1: $2')];
      const list = parts.filter(p => p && p.trim()).join(', ');
      const load = `await ${importCall}(${stringify(source)})`;
      out += code.slice(from, at);
      if (space) out += `const ${space} = ${load};` + (list ? ` const {${list}} = ${space};` : '');
      else out += list ? `const {${list}} = ${load};` : `${load};`;
      out += '\n'.repeat(all.split('\n').length - 1);
      from = at + all.length;
    }
    return out + code.slice(from);
  }

  function fails(code) {
    try {
      new vm.Script(code);
      return '';
    } catch (error) {
      return error.message;
    }
  }
  const inFunction = code => `(async () => {${code}\n})`;

  // returns reports whether code has a return at its top level. A module may not have one, and may
  // have what a cell may.
  function returns(code) {
    try {
      new vm.SourceTextModule(code);
    } catch (error) {
      return error.message === 'Illegal return statement';
    }
    return false;
  }

  // withoutReturn returns code without a return at its top level. One at the very end becomes the
  // value of the cell, so that its names stay; with others the cell is a function, whose names end
  // with it.
  function withoutReturn(code) {
    if (!returns(code) || fails(inFunction(code))) return code;
    for (let at = code.lastIndexOf('return'); at >= 0; at = code.lastIndexOf('return', at - 1)) {
      const head = code.slice(0, at), value = code.slice(at + 6).replace(/\s*;?\s*$/, '') || 'undefined';
      if (!returns(head) && !fails(inFunction(head)) && !fails(inFunction(`void (${value}\n)`))) {
        return `${head};(${value}\n)`;
      }
    }
    return `await ${inFunction(code)}()`;
  }

  const session = new inspector.Session();
  let sink;

  const post = (method, args) => new Promise((resolve, reject) => {
    session.post(method, args, (error, result) => error ? reject(error) : resolve(result));
  });

  function told({text, exception = {}}) {
    const lines = String(exception.description ?? exception.value ?? text).split('\n');
    const own = lines.findIndex(l => /^\s+at .*(node:inspector|\[eval\]|node:internal)/.test(l));
    return (own > 0 ? lines.slice(0, own) : lines).join('\n') || 'an error without a text';
  }

  async function evaluate(code) {
    const expression = withoutReturn(withImports(code));
    const r = await post('Runtime.evaluate', {expression: `${expression}\n//# sourceURL=cell-${cell}.js`, replMode: true,
      awaitPromise: true, objectGroup: 'cell'});
    if (r.exceptionDetails) return told(r.exceptionDetails);
    const {objectId, unserializableValue, value, type} = r.result;
    if (type === 'undefined') return '';
    await post('Runtime.callFunctionOn', {objectId: sink, functionDeclaration: 'function (value) { this(value); }',
      arguments: [objectId ? {objectId} : unserializableValue ? {unserializableValue} : {value}]});
    return '';
  }

  async function run(message) {
    cell = message.cell;
    forgetModules();
    let error;
    try {
      error = await evaluate(message.code);
    } catch (e) {
      error = e && e.stack || String(e);
    }
    await new Promise(resolve => process.stdout.write('', resolve));
    session.post('Runtime.releaseObjectGroup', {objectGroup: 'cell'});
    cell = 0;
    waiting.clear();
    mark(number => send({t: 'done', cell: message.cell, mark: number, error: error || undefined}));
  }

  let requireHere;

  async function start(message) {
    hello = message;
    requireHere = Module.createRequire(path.join(hello.dir, 'cell.js'));
    const globals = {...helpers, require: requireHere, fs, module: undefined, exports: undefined};
    for (const [name, value] of Object.entries(globals)) {
      Object.defineProperty(globalThis, name, {value, writable: true, configurable: true, enumerable: false});
    }
    Object.defineProperty(globalThis, '__import__', {value: importFresh});
    session.connect();
    const name = '__sink__';
    globalThis[name] = value => displayOne(value);
    sink = (await post('Runtime.evaluate', {expression: name})).result.objectId;
    delete globalThis[name];
    for (const event of ['uncaughtException', 'unhandledRejection']) {
      process.on(event, error => console.error('Uncaught ' + (error && error.stack || util.inspect(error))));
    }
    send({t: 'ready'});
  }

  const handlers = {hello: start, run, reply: answered, interrupt: () => process.exit(130)};
  const source = new net.Socket({fd: 4, readable: true, writable: false});
  let pending = [];
  source.on('data', data => {
    for (let end; (end = data.indexOf(10)) >= 0; data = data.subarray(end + 1)) {
      pending.push(data.subarray(0, end));
      const message = parse(Buffer.concat(pending).toString());
      pending = [];
      handlers[message.t](message);
    }
    pending.push(Buffer.from(data));
  });
  source.on('end', () => process.exit(0));
})();
