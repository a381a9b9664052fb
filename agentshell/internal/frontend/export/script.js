'use strict';
(() => {
  const $ = (s) => document.querySelector(s), all = (s) => [...document.querySelectorAll(s)];
  const field = $('#find'), count = $('#count'), most = 5000;
  let found = [], at = -1, asked = '', timer = 0;
  $('.tools').hidden = false;

  const reveal = (node) => {
    for (let e = node.parentElement; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
  };
  const paint = () => {
    if (!window.Highlight) return;
    CSS.highlights.set('found', new Highlight(...found));
    const here = new Highlight(...found.slice(at, at + 1));
    here.priority = 1;
    CSS.highlights.set('current', here);
  };
  const go = (step) => {
    if (!found.length) return;
    at = (at + step + found.length) % found.length;
    reveal(found[at].startContainer);
    paint();
    const box = found[at].getBoundingClientRect();
    if (box.top < 70 || box.bottom > innerHeight - 20) scrollBy(0, box.top - innerHeight / 3);
    count.textContent = (at + 1) + ' of ' + found.length + (found.length === most ? ' or more' : '');
  };
  // Words of one block are searched as one text, also where markup stands between them.
  const search = () => {
    const query = field.value.toLowerCase();
    asked = field.value; found = []; at = -1;
    const add = (nodes, text) => {
      for (let i = text.indexOf(query); i >= 0 && found.length < most; i = text.indexOf(query, i + query.length)) {
        const range = document.createRange();
        let begun = false, from = 0;
        for (const n of nodes) {
          const to = from + n.data.length;
          if (!begun && i < to) { range.setStart(n, i - from); begun = true; }
          if (i + query.length <= to) { range.setEnd(n, i + query.length - from); break; }
          from = to;
        }
        found.push(range);
      }
    };
    if (query) {
      const walker = document.createTreeWalker($('main'), NodeFilter.SHOW_TEXT);
      const block = (n) => n.parentElement.closest('p,li,pre,td,th,h2,h3,h4,h5,h6,summary,div,article,figcaption');
      let nodes = [], text = '', last = null;
      for (let n = walker.nextNode(); n; n = walker.nextNode()) {
        if (n.parentElement.closest('.anchor')) continue;
        const b = block(n);
        if (b !== last) { add(nodes, text); nodes = []; text = ''; last = b; }
        const low = n.data.toLowerCase();
        nodes.push(n); text += low.length === n.data.length ? low : n.data;
      }
      add(nodes, text);
    }
    paint();
    count.textContent = query && !found.length ? 'not found' : '';
    go(1);
  };
  field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(search, 120); });
  field.addEventListener('keydown', (e) => {
    if (e.key === 'Enter') { field.value === asked ? go(e.shiftKey ? -1 : 1) : search(); e.preventDefault(); }
    if (e.key === 'Escape') { field.value = ''; search(); field.blur(); }
  });
  document.addEventListener('keydown', (e) => {
    if (e.key === '/' && document.activeElement !== field && !e.ctrlKey && !e.metaKey && !e.altKey) {
      field.focus(); field.select(); e.preventDefault();
    }
  });

  const folds = $('#folds');
  folds.addEventListener('click', () => {
    const open = folds.dataset.open !== 'yes';
    all('main details').forEach((d) => { d.open = open; });
    folds.dataset.open = open ? 'yes' : 'no';
    folds.textContent = open ? 'Fold all' : 'Unfold all';
  });

  const visit = () => {
    const e = document.getElementById(location.hash.slice(1));
    if (!e) return;
    if (e.tagName === 'DETAILS') e.open = true;
    reveal(e);
    e.scrollIntoView();
  };
  addEventListener('hashchange', visit);
  visit();
  document.addEventListener('click', (e) => {
    const a = e.target.closest && e.target.closest('.anchor');
    if (!a || !navigator.clipboard) return;
    const text = a.textContent;
    navigator.clipboard.writeText(a.href).then(() => {
      a.textContent = 'copied';
      setTimeout(() => { a.textContent = text; }, 1200);
    }, () => {});
  });

  let closed = [];
  addEventListener('beforeprint', () => { closed = all('main details:not([open])'); closed.forEach((d) => { d.open = true; }); });
  addEventListener('afterprint', () => { closed.forEach((d) => { d.open = false; }); closed = []; });
})();
