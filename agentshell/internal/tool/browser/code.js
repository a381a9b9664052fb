// What code of the model sees. It runs in an empty page of its own, which has no network, no file and
// no part of the pages that it works on: all that it does goes through one function of the tool.
(() => {
  'use strict';
  const send = globalThis.__send;
  delete globalThis.__send;
  const {parse, stringify} = JSON;
  const waiting = new Map();
  let calls = 0;

  class ToolError extends Error {
    get name() { return 'ToolError'; }
  }

  function call(name, args = {}) {
    const id = ++calls;
    const reply = new Promise((resolve, reject) => waiting.set(id, {resolve, reject}));
    send(stringify({id, name, args}));
    return reply;
  }

  Object.defineProperty(globalThis, '__reply', {value: (id, error, value) => {
    const w = waiting.get(id);
    waiting.delete(id);
    if (!w) return;
    if (error) w.reject(new ToolError(error));
    else w.resolve(value);
  }});

  function display(value) {
    if (value && typeof value === 'object' && value.type === 'image' && typeof value.data === 'string') {
      send(stringify({show: 'image', data: value.data}));
      return;
    }
    send(stringify({show: 'text', data: textOf(value)}));
  }

  function textOf(value) {
    if (typeof value === 'string') return value;
    try {
      const text = stringify(value, null, 2);
      if (text !== undefined) return text;
    } catch { /* a circle, a BigInt */ }
    return String(value);
  }

  const wait = ms => new Promise(done => setTimeout(done, ms));
  const place = s => s instanceof Element ? {id: s.number} : {selector: String(s)};

  const maybe = s => s === undefined ? {} : place(s);

  // Element is an element that tab.observe has numbered.
  class Element {
    constructor(number) { Object.defineProperty(this, 'number', {value: number, enumerable: true}); }
    toJSON() { return {__element: this.number}; }
    click() { return tab.click(this); }
    type(text) { return tab.type(this, text); }
    fill(value) { return tab.fill(this, value); }
    press(key) { return tab.press(key, {selector: this}); }
    select(...values) { return tab.select(this, ...values); }
    uploadFile(...paths) { return tab.uploadFile(this, ...paths); }
    scrollIntoView() { return tab.scrollIntoView(this); }
    screenshot(o = {}) { return tab.screenshot({...o, selector: this}); }
    evaluate(fn, ...args) { return tab.evaluate(fn, this, ...args); }
  }

  const matches = (pattern, text) => pattern instanceof RegExp ? (pattern.lastIndex = 0, pattern.test(text))
    : typeof pattern === 'function' ? pattern(text) : text.includes(String(pattern));
  const due = o => Date.now() + (o && o.timeout > 0 ? o.timeout : 300000);

  class Response {
    constructor(r) { this.raw = r; }
    url() { return this.raw.url; }
    status() { return this.raw.status; }
    ok() { return this.raw.status >= 200 && this.raw.status < 300; }
    text() { return call('body', {number: this.raw.number}); }
    async json() { return parse(await this.text()); }
    toJSON() { return {url: this.raw.url, status: this.raw.status, type: this.raw.type}; }
  }

  const ended = new AbortController();
  let start = {};
  let address = '';
  const noted = async promise => {
    address = (await call('place')).url;
    return promise;
  };
  const then = async promise => {
    const value = await promise;
    address = (await call('place')).url;
    return value;
  };

  const tab = {
    get name() { return start.name; },
    get page() { return page; },
    get signal() { return ended.signal; },
    url: () => address,
    title: async () => (await call('place')).title,
    goto: (url, o = {}) => then(call('goto', {url: String(url), wait: o.waitUntil || ''})),
    observe: (o = {}) => call('observe', {all: !!o.includeAll, view: !!o.viewportOnly}),
    screenshot: (o = {}) => call('screenshot', {...maybe(o.selector),
      full: !!o.fullPage, silent: !!o.silent, save: o.save === undefined ? '' : String(o.save)}),
    extract: (format = 'markdown') => call('extract', {format}),
    click: s => then(call('click', place(s))),
    type: (s, text) => call('type', {...place(s), text: String(text)}),
    fill: (s, value) => call('fill', {...place(s), text: String(value)}),
    press: (key, o = {}) => then(call('press', {key: String(key), ...maybe(o.selector)})),
    scroll: (x, y) => call('scroll', {x: Number(x) || 0, y: Number(y) || 0}),
    drag: (from, to) => call('drag', {from: spot(from), to: spot(to)}),
    waitFor: async s => {
      await call('waitFor', place(s));
      return s;
    },
    evaluate: (fn, ...args) => call('evaluate', {script: String(fn), isFunction: typeof fn === 'function', list: args}),
    scrollIntoView: s => call('scrollIntoView', place(s)),
    select: (s, ...values) => call('select', {...place(s), values: values.flat().map(String)}),
    uploadFile: (s, ...paths) => call('uploadFile', {...place(s), values: paths.flat().map(String)}),
    id: async number => {
      await call('alive', {id: number});
      return new Element(number);
    },
    async waitForUrl(pattern, o) {
      for (const end = due(o); ; await wait(200)) {
        const {url} = await noted(call('place'));
        if (matches(pattern, url)) return url;
        if (Date.now() > end) throw new ToolError(`the address did not become ${pattern}; it is ${url}`);
      }
    },
    async waitForResponse(pattern, o) {
      let {last} = await call('responses', {after: -1});
      const seen = new Set();
      for (const end = due(o); ; await wait(50)) {
        for (const r of (await call('responses', {after: last})).list || []) {
          if (!seen.has(r.number) && matches(pattern, r.url)) return new Response(r);
          seen.add(r.number);
        }
        if (Date.now() > end) throw new ToolError(`no answer of ${pattern} came`);
      }
    },
  };
  const spot = s => s && typeof s === 'object' && !(s instanceof Element) ? {x: Number(s.x), y: Number(s.y)} : place(s);

  // page and browser have what is used most of the objects of other tools.
  const page = Object.freeze({
    ...Object.fromEntries(['title', 'goto', 'screenshot', 'click', 'type', 'select', 'evaluate', 'waitForResponse']
      .map(name => [name, tab[name]])),
    url: tab.url,
    focus: s => call('focus', place(s)),
    content: () => call('content'),
    waitForSelector: tab.waitFor,
    waitForTimeout: wait,
    setViewport: v => call('viewport', {width: v.width, height: v.height, scale: v.deviceScaleFactor || v.scale || 0}),
    reload: (o = {}) => then(call('reload', {wait: o.waitUntil || ''})),
    goBack: (o = {}) => then(call('history', {by: -1, wait: o.waitUntil || ''})),
    goForward: (o = {}) => then(call('history', {by: 1, wait: o.waitUntil || ''})),
    keyboard: Object.freeze({press: key => tab.press(key), type: text => call('keys', {text: String(text)})}),
    mouse: Object.freeze({click: (x, y) => then(call('clickAt', {x: Number(x), y: Number(y)})),
      wheel: ({deltaX = 0, deltaY = 0} = {}) => tab.scroll(deltaX, deltaY)}),
  });
  const browser = Object.freeze({version: async () => start.version, tabs: async () => call('tabs')});

  function assert(condition, message = 'assertion failed') {
    if (!condition) throw new Error(String(message));
  }

  // Buffer has what code uses of it most.
  class Buffer extends Uint8Array {
    static from(data, encoding = 'utf8') {
      if (typeof data !== 'string') return new Buffer(data);
      if (/^base64/.test(encoding)) {
        const text = atob(data.replace(/-/g, '+').replace(/_/g, '/'));
        return Buffer.from(Uint8Array.from(text, c => c.charCodeAt(0)));
      }
      if (encoding === 'hex') return Buffer.from((data.match(/../g) || []).map(x => parseInt(x, 16)));
      return new Buffer(new TextEncoder().encode(data));
    }
    toString(encoding = 'utf8') {
      if (encoding === 'hex') return Array.from(this, b => b.toString(16).padStart(2, '0')).join('');
      if (encoding === 'base64') return btoa(Array.from(this, b => String.fromCharCode(b)).join(''));
      return new TextDecoder().decode(this);
    }
  }

  for (const [name, value] of Object.entries({tab: Object.freeze(tab), page, browser, display, assert, wait, Buffer,
    ToolError})) Object.defineProperty(globalThis, name, {value, writable: true, configurable: true});

  Object.defineProperty(globalThis, '__run', {value: async (given, code) => {
    start = given;
    address = given.url;
    try {
      const value = await code();
      return value === undefined ? '' : textOf(value);
    } finally {
      ended.abort();
    }
  }});
})();
