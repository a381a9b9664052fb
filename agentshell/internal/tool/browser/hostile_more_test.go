package browser

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// oddPages plays pages that lie to the tool, or give it too much.
func (w *trap) oddPages(t *testing.T) {
	tab := w.open("/")
	// The page puts its own functions in place of those of the browser.
	want(t, tab, `await tab.evaluate(() => {
  for (const name of ['querySelector', 'querySelectorAll', 'evaluate', 'createTreeWalker', 'elementFromPoint']) {
    Document.prototype[name] = () => null;
  }
  Element.prototype.getBoundingClientRect = Element.prototype.matches = () => { throw new Error('mine') };
  Array.prototype.map = Array.prototype.filter = Array.prototype.push = () => 'mine';
  JSON.stringify = JSON.parse = Object.defineProperty = () => 'mine';
  window.__page = window.__reply = window.__send = window.tab = 'mine';
  Promise.prototype.then = Promise.resolve = () => 'mine';
  const b = document.createElement('button'); b.textContent = 'Real'; b.onclick = () => document.title = 'real';
  document.body.append(b);
});
await tab.click('text/Real');
const o = await tab.observe();
return [await tab.title(), o.elements.length, (await tab.extract('text')).trim()].join()`, "real,1,Real")
	w.service.CloseTab(context.Background(), "trap")
	tab = w.open("/")
	want(t, tab, `await tab.evaluate(() => {
  document.title = 'x'.repeat(1e6) + '\u001b]0;evil\u0007';
  document.body.innerHTML = '<button>b</button>'.repeat(3000);
  history.pushState('', '', '/' + 'y'.repeat(5000));
});
const o = await tab.observe();
return [o.elements.length, o.leftOut, o.title.length < 400, (await tab.title()).length < 400].join()`,
		"500,2500,true,true")
	each(t, tab, [][2]string{
		{"return await tab.evaluate(() => Notification.requestPermission().then(p => p === 'granted'))", "false"},
		{"return await tab.evaluate(() => navigator.mediaDevices?.getUserMedia({audio: true}).then(() => " +
			"'given', e => 'no') ?? 'no')",
			"no"},
		{"return await tab.evaluate(() => new Promise(y => navigator.geolocation.getCurrentPosition(() => " +
			"y('given'), () => y('no'))))",
			"no"},
		{"return await tab.evaluate(() => navigator.clipboard?.readText().then(() => 'given', e => 'no') ?? 'no')",
			"no"},
		{"return await tab.evaluate(() => navigator.permissions.query({name: 'camera'}).then(p => p.state === " +
			"'granted'))", "false"},
		{"return await tab.evaluate(() => window.showOpenFilePicker ? showOpenFilePicker().then(() => 'given', " +
			"() => 'no') : 'no')", "no"},
		{"await tab.evaluate(() => { for (let i = 0; i < 50; i++) window.open('about:blank#' + i) }); return " +
			"'opened'", "opened"},
		{"await tab.evaluate(() => { print(); window.close(); stop() }); return 'here'", "here"},
		{"await tab.goto('" + w.site + "/loop')", "error: ERR_TOO_MANY_REDIRECTS"},
		{"await tab.goto('" + w.site + "/'); return 'back'", "back"},
	})
	w.await("the end of the windows that a page opened", func() bool {
		var r struct {
			Infos []targetInfo `json:"targetInfos"`
		}
		err := tab.engine.call(t.Context(), "", "Target.getTargets", nil, &r)
		n := 0
		for _, i := range r.Infos {
			if i.Kind == "page" {
				n++
			}
		}
		return err == nil && n <= 2
	})
}

// nothingIsDownloaded plays the ways to save a file.
func (w *trap) nothingIsDownloaded(t *testing.T) {
	tab := w.open("/")
	if r := run(t, tab, nil, "await tab.goto('"+w.site+"/download')"); !strings.Contains(r.Error, "it is a download") {
		t.Errorf("%+v", r)
	}
	tab = w.open("/")
	run(t, tab, nil, `await tab.evaluate(() => {
  make('a', {href: '/download', download: 'evil.sh', textContent: 'a'}).click();
  make('a', {href: URL.createObjectURL(new Blob(['x'])), download: 'evil.sh', textContent: 'b'}).click();
  make('a', {href: 'data:application/x-sh,evil', download: 'evil.sh', textContent: 'c'}).click();
  make('iframe', {src: '/download'});
})`)
	notes := ""
	w.await("a note about a download", func() bool {
		notes += strings.Join(tab.Notes(), "\n")
		return strings.Contains(notes, "a download of ") && strings.Contains(notes, "was refused")
	})
	_ = filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, _ error) error {
		if strings.Contains(path, "evil") || strings.Contains(path, "Downloads") {
			t.Errorf("%s was written", path)
		}
		return nil
	})
}

// pagesThatHang plays pages that do not answer: calls end in their time, and the tab can be closed.
func (w *trap) pagesThatHang(t *testing.T) {
	list := []string{"while (true);", "while (true) alert(1)", "setInterval(() => location.reload(), 1)",
		"while (true) history.pushState('', '', '/' + Math.random())", "document.open(); while (true) " +
			"document.write('x<br>')",
		"setInterval(() => window.open('about:blank'), 1)", "addEventListener('beforeunload', e => e.preventDefault())",
		"const f = () => Promise.resolve().then(f); f()", "location = '/never'",
		"setInterval(() => make('iframe', {src: '/'}), 1)", "for (;;) new Worker(URL.createObjectURL(new " +
			"Blob(['for (;;);'])))"}
	if !*hostile {
		list = list[:2]
	}
	for _, script := range list {
		tab := w.open("/")
		began := time.Now()
		code := "await tab.evaluate(" + quoteJS("setTimeout(() => { "+script+" }); 1") + "); await tab.screenshot(); " +
			"await tab.click('#none')"
		r, err := runFor(tab, nil, code, time.Second)
		if err == nil && r.Error == "" {
			t.Errorf("%s: %+v", script, r)
		}
		called := time.Since(began)
		w.service.CloseTab(context.Background(), "trap")
		t.Logf("%s: %.150s %v; the call took %v, the end %v", script, r.Error, err, called, time.Since(began)-called)
	}
	want(t, w.open("/"), "return 'well'", "well")
}

// pagesThatTakeAll plays pages and code that take memory until they are ended.
func (w *trap) pagesThatTakeAll(t *testing.T) {
	const all = "const a = []; for (;;) a.push(new Array(1e6).fill(Math.random()))"
	for _, code := range []string{"await tab.evaluate(() => { " + all + " })", all} {
		tab := w.open("/")
		r, err := runFor(tab, nil, code, 40*time.Second)
		if err == nil && r.Error == "" {
			t.Errorf("%s: %+v", code, r)
		}
		t.Logf("%s: %q %v", code, r.Error, err)
		w.service.CloseTab(context.Background(), "trap")
		want(t, w.open("/"), "return 'well'", "well")
		w.service.CloseTab(context.Background(), "trap")
	}
}
