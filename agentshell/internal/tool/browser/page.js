// What the tool does in a page. It runs in a world of its own: the scripts of the page see none of it,
// and what they put in place of the functions of the browser is not used.
(() => {
  'use strict';
  const shown = el => {
    const style = getComputedStyle(el);
    const box = el.getBoundingClientRect();
    return style.visibility === 'visible' && style.display !== 'none' && box.width > 0 && box.height > 0;
  };

  // within calls visit for each element below root, shadow roots that are open among them, until it
  // returns true.
  function within(root, visit) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let el = walker.nextNode(); el; el = walker.nextNode()) {
      if (visit(el)) return true;
      if (el.shadowRoot && within(el.shadowRoot, visit)) return true;
    }
    return false;
  }

  function deep(root, selector) {
    const list = [];
    within(root, el => {
      if (el.matches(selector)) list.push(el);
      return list.length >= 1000;
    });
    return list;
  }

  // css takes the combinators >>> (below, in open shadow roots too) and >>>> (in the shadow root).
  function css(selector) {
    let list = [document];
    for (const part of selector.split(/\s*(>>>>?)\s*/)) {
      if (part === '>>>' || part === '>>>>' || part === '') {
        list.way = part;
        continue;
      }
      const found = new Set();
      for (const from of list) {
        let hits;
        if (list.way === '>>>') hits = [...(from.shadowRoot ? deep(from.shadowRoot, part) : []), ...deep(from, part)];
        else if (list.way === '>>>>') hits = from.shadowRoot ? from.shadowRoot.querySelectorAll(part) : [];
        else hits = from.querySelectorAll(part);
        for (const el of hits) found.add(el);
      }
      list = [...found];
    }
    return list.filter(el => el !== document);
  }

  const skipped = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD']);
  const isButton = el => el.tagName === 'INPUT' && /^(button|submit|reset)$/.test(el.type);

  // texts returns the innermost elements with a text in them, those that are seen first.
  function texts(needle) {
    const list = [];
    const has = el => {
      if (skipped.has(el.tagName)) return false;
      if (isButton(el)) return el.value.includes(needle);
      return full(el).includes(needle);
    };
    const known = new Map();
    const full = node => {
      if (node.nodeType === Node.TEXT_NODE) return node.data;
      if (skipped.has(node.tagName)) return '';
      if (!known.has(node)) {
        const parts = [...(node.shadowRoot ? node.shadowRoot.childNodes : []), ...node.childNodes];
        known.set(node, parts.map(full).join(''));
      }
      return known.get(node);
    };
    const visit = root => {
      let found = false;
      for (const el of root.children) {
        const inner = !skipped.has(el.tagName) && [el.shadowRoot && visit(el.shadowRoot), visit(el)].some(Boolean);
        if (inner) found = true;
        else if (list.length < 1000 && has(el)) {
          list.push(el);
          found = true;
        }
      }
      return found;
    };
    visit(document);
    return [...list.filter(shown), ...list.filter(el => !shown(el))];
  }

  function xpath(expression) {
    const result = document.evaluate(expression, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    const list = [];
    for (let i = 0; i < Math.min(result.snapshotLength, 1000); i++) {
      const node = result.snapshotItem(i);
      if (node.nodeType === Node.ELEMENT_NODE) list.push(node);
    }
    return list;
  }

  const ways = {css, text: texts, xpath, pierce: selector => deep(document, selector)};

  const pause = () => new Promise(done => setTimeout(done, 16));
  const boxOf = el => el.getBoundingClientRect();

  // inWindow returns where the frame of an element is in the window.
  function inWindow(el) {
    let x = 0, y = 0;
    for (let w = el.ownerDocument.defaultView; w && w.frameElement; w = w.parent) {
      const b = w.frameElement.getBoundingClientRect();
      x += b.left + w.frameElement.clientLeft;
      y += b.top + w.frameElement.clientTop;
    }
    return {x, y};
  }

  function nameOf(el) {
    const classes = [...el.classList].slice(0, 2).map(c => '.' + c).join('');
    return el.tagName.toLowerCase() + (el.id ? '#' + el.id : '') + classes;
  }

  // hit reports what lies at the middle of an element: the element, or what covers it.
  function hit(el, x, y) {
    let top = el.ownerDocument.elementFromPoint(x, y);
    for (let root = top && top.shadowRoot; root; root = top.shadowRoot) {
      const inner = root.elementFromPoint(x, y);
      if (!inner || inner === top) break;
      top = inner;
    }
    for (let at = top; at; at = at.parentNode || at.host) if (at === el) return '';
    for (let at = el; at; at = at.parentNode || at.host) if (at === top) return ''; // a closed root, or a part
    const label = top && top.closest('label');
    if (label && label.control === el) return '';
    return top ? nameOf(top) : 'nothing';
  }

  globalThis.__page = {
    find: (kind, selector) => ways[kind](selector)[0] || null,
    seen: el => el.isConnected && shown(el),
    alive: el => el.isConnected,

    // point returns where an element can be clicked, or why it cannot be now.
    async point(el, covered) {
      if (!el.isConnected) return {why: 'is not in the page any more', gone: true};
      if (!shown(el)) return {why: 'is not visible'};
      if (el.disabled || el.closest('fieldset:disabled')) return {why: 'is disabled'};
      const before = boxOf(el);
      await pause();
      const box = boxOf(el);
      if (before.x !== box.x || before.y !== box.y) return {why: 'moves'};
      const v = el.ownerDocument.defaultView;
      if (box.top < 0 || box.left < 0 || box.bottom > v.innerHeight || box.right > v.innerWidth) {
        el.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
      }
      const first = [...el.getClientRects()].find(r => r.width > 0 && r.height > 0) || boxOf(el);
      const x = Math.min(first.left + first.width / 2, v.innerWidth - 1), y = first.top + first.height / 2;
      const cover = covered ? '' : hit(el, x, y);
      if (cover) return {why: 'is covered by ' + cover};
      const off = inWindow(el);
      return {x: x + off.x, y: y + off.y};
    },

    scrollTo: el => el.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'}),

    focus(el) {
      el.focus();
      const active = el.getRootNode().activeElement;
      return active === el || el.contains(active);
    },

    fill(el, value) {
      const kind = el.tagName === 'INPUT' ? el.type : '';
      if (/^(checkbox|radio|file|button|submit|reset|image|hidden)$/.test(kind)) {
        return `an input of type ${kind} takes no text`;
      }
      if (el.disabled || el.readOnly) return 'it is disabled or read-only';
      el.focus();
      if (el.isContentEditable) {
        el.textContent = value;
      } else if (el.tagName === 'INPUT' || el.tagName === 'TEXTAREA') {
        const proto = el.tagName === 'INPUT' ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
        Object.getOwnPropertyDescriptor(proto, 'value').set.call(el, value);
      } else if (el.tagName === 'SELECT') {
        return 'it is a <select>: tab.select chooses of it';
      } else return `a <${el.tagName.toLowerCase()}> takes no text`;
      el.dispatchEvent(new InputEvent('input', {bubbles: true, composed: true}));
      el.dispatchEvent(new Event('change', {bubbles: true}));
      return '';
    },

    select(el, values) {
      if (el.tagName !== 'SELECT') return {why: `a <${el.tagName.toLowerCase()}> is no <select>`};
      const options = [...el.options];
      const chosen = [];
      for (const value of values) {
        const option = options.find(o => o.value === value) || options.find(o => o.label.trim() === value);
        if (!option) return {why: 'it has no option ' + JSON.stringify(value) + '; it has ' +
          options.slice(0, 20).map(o => JSON.stringify(o.value)).join(', ')};
        if (option.disabled) return {why: `its option ${JSON.stringify(value)} is disabled`};
        chosen.push(option);
      }
      if (!el.multiple && chosen.length > 1) return {why: 'it takes one value'};
      for (const option of options) option.selected = chosen.includes(option);
      el.dispatchEvent(new Event('input', {bubbles: true}));
      el.dispatchEvent(new Event('change', {bubbles: true}));
      return {chosen: chosen.map(o => o.value)};
    },

    isFileInput: el => el.tagName === 'INPUT' && el.type === 'file',

    rect(el) {
      if (!el.isConnected || !shown(el)) return null;
      el.scrollIntoView({block: 'nearest', inline: 'nearest', behavior: 'instant'});
      const b = boxOf(el), off = inWindow(el);
      return {x: b.left + off.x + scrollX, y: b.top + off.y + scrollY, width: b.width, height: b.height};
    },

    inView(el) {
      const b = boxOf(el), v = el.ownerDocument.defaultView;
      return shown(el) && b.bottom > 0 && b.right > 0 && b.top < v.innerHeight && b.left < v.innerWidth;
    },

    place() {
      const root = document.scrollingElement || document.documentElement;
      return {x: Math.round(scrollX), y: Math.round(scrollY), width: root.scrollWidth, height: root.scrollHeight};
    },

    html: max => document.documentElement ? document.documentElement.outerHTML.slice(0, max) : '',
    text: max => document.body ? document.body.innerText.slice(0, max) : '',
  };
})();
