package export

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// chromium runs a headless Chromium with args, and returns its output.
func chromium(t *testing.T, args ...string) string {
	t.Helper()
	program := "/usr/lib/chromium/chromium-headless-shell" // that behind the script of Debian
	if _, err := os.Stat(program); err != nil {
		if program, err = exec.LookPath("chromium-headless-shell"); err != nil {
			need.Missing(t, "chromium", err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	all := []string{"--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir()}
	if os.Getuid() == 0 {
		all = append(all, "--no-sandbox")
	}
	cmd := exec.CommandContext(ctx, program, append(all, args...)...)
	cmd.WaitDelay = 30 * time.Second // its helpers have the output open a little longer
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", program, err, said.String())
	}
	return string(out)
}

// harness is an HTML page that shows exported pages in frames, uses them as a reader would, and
// writes down what it sees.
const harness = `<!doctype html><link rel=icon href="data:,"><pre id=out></pre>
<script>
window.ran = 0;
const sees = {}, wait = (ms) => new Promise((done) => setTimeout(done, ms));
const frame = async (address, set) => {
  const f = document.createElement('iframe');
  f.width = 900; f.height = 600;
  set && set(f);
  const loaded = new Promise((done) => { f.onload = done; });
  f.src = address;
  document.body.append(f);
  await loaded; await wait(50);
  return f;
};
const type = async (w, text) => {
  w.document.querySelector('#find').value = text;
  w.document.querySelector('#find').dispatchEvent(new w.Event('input'));
  await wait(300);
  return w.document.querySelector('#count').textContent;
};
const press = (w, key, more) => w.document.querySelector('#find').dispatchEvent(
  new w.KeyboardEvent('keydown', {key, bubbles: true, ...more}));
(async () => {
  await fetch('/control').catch(() => {});
  for (const address of HOSTILE) {
    const f = await frame(address), d = f.contentDocument;
    sees.titles = (sees.titles || '') + (d.title === 'ran' ? 'ran ' : '');
    if (!address.includes('injected')) sees.scripts = Math.max(sees.scripts || 0, d.scripts.length);
    for (const e of d.querySelectorAll('form button')) e.click();
    for (const e of d.querySelectorAll('a.anchor, summary')) e.click();
    for (const e of d.querySelectorAll('main *')) e.dispatchEvent(new f.contentWindow.MouseEvent('mouseover', {bubbles: true}));
    f.contentWindow.document.querySelector('#folds').click();
    await wait(50);
    f.remove();
  }
  sees.ran = window.ran;

  let f = await frame('/page.html'), w = f.contentWindow, d = f.contentDocument;
  sees.bar = !d.querySelector('.tools').hidden;
  sees.folded = d.querySelectorAll('main details:not([open])').length;
  sees.found = await type(w, 'NEEDLE in');
  sees.lit = w.CSS.highlights.get('found').size;
  sees.opened = d.querySelectorAll('main details[open]').length;
  press(w, 'Enter'); sees.next = d.querySelector('#count').textContent;
  press(w, 'Enter'); press(w, 'Enter'); sees.around = d.querySelector('#count').textContent;
  press(w, 'Enter', {shiftKey: true}); sees.back = d.querySelector('#count').textContent;
  sees.deep = await type(w, 'words'); sees.deepOpen = d.querySelectorAll('main details[open]').length;
  sees.nothing = await type(w, 'no such words');
  sees.numbers = await type(w, 'data-n');
  press(w, 'Escape'); sees.cleared = d.querySelector('#find').value + d.querySelector('#count').textContent;
  d.dispatchEvent(new w.KeyboardEvent('keydown', {key: '/', bubbles: true}));
  sees.slash = d.activeElement.id;
  d.querySelector('#folds').click(); sees.unfolded = d.querySelectorAll('main details:not([open])').length;
  d.querySelector('#folds').click(); sees.foldedAgain = d.querySelectorAll('main details[open]').length;
  d.querySelector('#m8 .anchor').click(); await wait(100);
  const box = d.querySelector('#m8').getBoundingClientRect();
  sees.hash = w.location.hash; sees.shown = d.querySelector('#m8').open && box.top >= 0 && box.top < 600;
  sees.picture = d.querySelector('img').naturalWidth;
  sees.wide = d.documentElement.scrollWidth <= 900;
  sees.light = w.getComputedStyle(d.body).backgroundColor;
  f.width = 320; await wait(50);
  sees.narrow = d.documentElement.scrollWidth <= 320;
  f.remove();

  f = await frame('/page.html#m8');
  sees.fresh = f.contentDocument.querySelector('#m8').open;
  f.remove();

  f = await frame('/page.html', (f) => { f.style.colorScheme = 'dark'; });
  sees.dark = f.contentWindow.getComputedStyle(f.contentDocument.body).backgroundColor;
  f.remove();

  f = await frame('/page.html', (f) => { f.sandbox = 'allow-same-origin'; });
  d = f.contentDocument;
  sees.scriptless = d.querySelector('.tools').hidden && getComputedStyle(d.querySelector('.tools')).display === 'none';
  d.querySelector('#m8 summary').click();
  sees.scriptlessFold = d.querySelector('#m8').open && d.querySelector('#m8 .add').getBoundingClientRect().height > 0;
})().catch((e) => { sees.error = String(e.stack || e); }).finally(() => {
  document.querySelector('#out').textContent = JSON.stringify(sees);
});
</script>`

// needles returns a session with words that the test searches for.
func needles(t *testing.T) Session {
	s := sessionOf(t, "text")
	s.Conversations[0].Messages[1].Parts[1] = provider.Text{
		Text: "A *needle* in a **haystack**, the Needle in it, and `needle in` code."}
	s.Conversations[0].Messages[0].Parts[0] = provider.Text{Text: strings.Repeat("long", 200)}
	s.Conversations[0].Messages[2].Parts[1] = provider.ToolResult{ID: "2", Text: "deep\nwords " +
		strings.Repeat("long", 200)}
	s.Conversations = s.Conversations[:1]
	return s
}

func TestABrowserRunsNothingOfASessionAndSearchesIt(t *testing.T) {
	t.Parallel()
	var (
		mu       sync.Mutex
		requests []string
		pages    = map[string]string{}
	)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		requests = append(requests, r.URL.Path)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, pages[r.URL.Path])
	}))
	defer site.Close()
	var addresses []string
	mu.Lock()
	for i, text := range append(hostile(site.URL+"/evil"), hostile("/evil")...) {
		at := fmt.Sprintf("/hostile%d.html", i)
		pages[at], addresses = written(t, sessionOf(t, text), HTML), append(addresses, at)
	}
	// A second wall: markup that has come into a page all the same does nothing.
	pages["/injected.html"] = strings.Replace(written(t, needles(t), HTML), "<main>",
		`<main><script>top.ran=1</script>`+
			`<img src=/evil/img onerror=top.ran=1><link rel=stylesheet href=/evil/css>`+
			`<iframe src=/evil/frame></iframe>`+
			`<style>@import url(/evil/sheet)</style><script src=/evil/script></script><video src=/evil/video></video>`+
			`<p style="background:url(/evil/attr)">x</p><form action=/evil/form><button id=go></button></form>`+
			`<script>go.click()</script>`, 1)
	list, _ := json.Marshal(append(addresses, "/injected.html"))
	pages["/page.html"] = written(t, needles(t), HTML)
	pages["/harness"] = strings.Replace(harness, "HOSTILE", string(list), 1)
	mu.Unlock()

	dom := chromium(t, "--virtual-time-budget=60000", "--dump-dom", site.URL+"/harness")
	_, out, _ := strings.Cut(dom, `<pre id="out">`)
	out, _, _ = strings.Cut(out, "</pre>")
	var sees map[string]any
	if err := json.Unmarshal([]byte(html.UnescapeString(out)), &sees); err != nil {
		t.Fatalf("%v: %.2000s", err, dom)
	}
	for name, want := range map[string]any{
		"error": nil, "ran": 0.0, "titles": "", "scripts": 1.0,
		"bar": true, "folded": 7.0, "found": "1 of 3", "lit": 3.0, "opened": 0.0, "next": "2 of 3", "around": "1 of 3",
		"back": "3 of 3", "deep": "1 of 1", "deepOpen": 1.0, "nothing": "not found", "numbers": "not found",
		"cleared": "", "slash": "find", "unfolded": 0.0,
		"foldedAgain": 0.0, "hash": "#m8", "shown": true, "picture": 4.0, "wide": true, "narrow": true, "fresh": true,
		"light": "rgb(253, 253, 252)", "dark": "rgb(22, 24, 28)", "scriptless": true, "scriptlessFold": true,
	} {
		if sees[name] != want {
			t.Errorf("%s is %v, want %v", name, sees[name], want)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Contains(requests, "/control") {
		t.Error("the recorder sees no request")
	}
	for _, r := range requests {
		if _, page := pages[r]; !page && r != "/control" {
			t.Errorf("a page has asked for %s", r)
		}
	}
}

func TestAPrintedPageHasAllFoldsOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := written(t, needles(t), HTML)
	for name, text := range map[string]string{"whole": page, // and without its script
		"scriptless": strings.Replace(page, "<script>", "<script type=\"text/plain\">", 1)} {
		file, pdf := filepath.Join(dir, name+".html"), filepath.Join(dir, name+".pdf")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		chromium(t, "--no-pdf-header-footer", "--print-to-pdf="+pdf, "file://"+file)
		data, err := os.ReadFile(pdf)
		if err != nil {
			t.Fatal(err)
		}
		printed, err := document.Request{Name: pdf}.Text(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		printed = strings.Join(strings.Fields(printed), "") // a PDF has glyphs at places
		for _, want := range []string{"haystack", "Result", "+b", "2files", "Attachedtext"} {
			if !strings.Contains(printed, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, printed)
			}
		}
		if strings.Contains(printed, "Unfold") || strings.Contains(printed, "#8") {
			t.Errorf("%s: there is something to press in\n%s", name, printed)
		}
	}
}
