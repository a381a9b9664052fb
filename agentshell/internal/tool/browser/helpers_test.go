package browser

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"net/http"
	"strings"
	"testing"
)

// shop is a page with something for each helper.
const shop = `<!doctype html><title>Shop</title>
<style>body { margin: 0 } #far { margin-top: 3000px } #box { width: 40px; height: 30px; background: red }
#from, #to { width: 50px; height: 50px; display: inline-block; background: #ccc }</style>
<h1>Things</h1>
<button id=save onclick="say('saved')">Save</button>
<button id=all onclick="say('all')">save all</button>
<button id=off disabled>Off</button>
<div id=host></div><div id=shut></div>
<iframe srcdoc="<button onclick=&quot;parent.say('framed')&quot;>Framed</button>"></iframe>
<p><label>Name <input id=name></label> <textarea id=note></textarea> <input type=file id=file>
<select id=size><option value=s>Small<option value=m>Middle<option value=l disabled>Large</select>
<select id=many multiple><option>a<option>b<option>c</select>
<div id=edit contenteditable aria-label=Editor role=textbox>old</div>
<div id=from></div><div id=to></div><div id=box></div>
<button id=far onclick="say('far')">Far</button>
<p id=out></p>
<script>
function say(text) { out.textContent += text + ';' }
host.attachShadow({mode: 'open'}).innerHTML = '<button id=inner onclick="say(\'shadow\')">Shadow Save</button>';
shut.attachShadow({mode: 'closed'}).innerHTML = '<button onclick="say(\'closed\')">Closed One</button>';
const drags = [];
from.onmousedown = () => drags.push('down'); document.onmousemove = e => { if (e.buttons) drags.push('move') };
to.onmouseup = () => say('dropped ' + drags.length);
</script>`

// text of what the page said, and forgets it.
const heard = `; return await tab.evaluate(() => { const t = out.textContent; out.textContent = ''; return t })`

func TestEachSelectorFindsWhatItMeans(t *testing.T) {
	tab := open(t, Open{URL: serve(t, shop)})
	var list [][2]string
	for _, c := range [][2]string{
		{"#save", "saved;"},
		{"  button#all ", "all;"},
		{"text/Save", "saved;"},
		{"p-text/save all", "all;"},
		{"text/Shadow Save", "shadow;"},
		{"aria/Save", "saved;"},
		{"p-aria/Save", "saved;"},
		{`aria/save all[role="button"]`, "all;"},
		{`aria/[role="button"]`, "saved;"},
		{`aria/[name='Shadow Save']`, "shadow;"},
		{"aria/Closed One", "closed;"},
		{"xpath///button[@id='all']", "all;"},
		{"p-xpath///button", "saved;"},
		{"pierce/#inner", "shadow;"},
		{"p-pierce/#inner", "shadow;"},
		{"#host >>> #inner", "shadow;"},
		{"#host >>>> button", "shadow;"},
		{"#far", "far;"},
	} {
		list = append(list, [2]string{"await tab.click(" + quote(c[0]) + ")" + heard, c[1]})
	}
	for _, c := range [][2]string{
		{"p-label/x", "there is no selector p-label/"}, {"", "is empty"}, {"text/", "nothing behind"},
		{"aria/", "nothing behind"}, {"a[", "is no selector"}, {"xpath/[", "is no selector"},
		{"aria/[role=]", "neither a name nor a role"},
	} {
		list = append(list, [2]string{"await tab.click(" + quote(c[0]) + ")", "error: " + c[1]})
	}
	each(t, tab, list)
	// None of these is there: a name is exact, a text begins no other, a frame is another page.
	for _, text := range []string{"aria/save", "text/SAVE", "#inner", "text/Framed", "xpath///*[@id='inner']",
		"text/Closed One", "pierce/#no", "text/say("} {
		s, err := parseSelector(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, found, err := tab.find(t.Context(), s); err != nil || found {
			t.Errorf("%s is found: %v", text, err)
		}
	}
	s, _ := parseSelector("aria/Save")
	ctx, late := context.WithCancelCause(t.Context())
	err := tab.waitElement(ctx, s, func(context.Context, element) (string, error) {
		late(context.DeadlineExceeded)
		return "is not ready", nil
	})
	if err == nil || err.Error() != "aria/Save is not ready: context deadline exceeded" ||
		tab.takeLastMissed() != "aria/Save is not ready" || tab.takeLastMissed() != "" {
		t.Errorf("what is waited for in vain is not named: %v", err)
	}
}

func quote(text string) string { return `'` + strings.ReplaceAll(text, `'`, `\'`) + `'` }

func TestEachHelperDoesItsWork(t *testing.T) {
	address := serve(t, shop)
	tab := open(t, Open{URL: address})
	input := "; return await tab.evaluate(s => document.querySelector(s).value, '#name')"
	list := [][2]string{
		{"return [tab.url(), await tab.title(), tab.name].join()",
			address + ",Shop," + t.Name()},
		{"await tab.evaluate(() => { window.downs = ''; document.querySelector('#name').onkeydown = " +
			"e => downs += e.key }); await tab.type('#name', 'aB\u00e9'); return await tab.evaluate(() => downs)",
			"aB"},
		{"await tab.fill('#name', 'a\"b'); await tab.type('#name', 'c D!\u00e9\u4e2d')" + input,
			"a\"bc D!\u00e9\u4e2d"},
		{"await tab.fill('aria/Name', '')" + input,
			""},
		{"await tab.fill('#edit', 'new'); return await tab.evaluate(() => edit.textContent)",
			"new"},
		{"await tab.fill('#note', 'a'); await tab.press('Enter', {selector: '#note'}); await tab.press('b'); " +
			"return await tab.evaluate(() => note.value)",
			"a\nb"},
		{"await tab.fill('#name', 'abc'); await tab.press('Control+A', {selector: '#name'}); await tab.press('x')" +
			input,
			"x"},
		{"await tab.fill('#name', 'abc'); await tab.press('Backspace', {selector: '#name'}); await " +
			"tab.press('Shift+Q')" +
			input,
			"abQ"},
		{"return await tab.select('#size', 'm')",
			`["m"]`},
		{"return await tab.select('#size', 'Small')",
			`["s"]`},
		{"return (await tab.select('#many', 'a', 'c')).join()",
			"a,c"},
		{"await tab.drag('#from', '#to')" + heard,
			"dropped 13;"},
		{"await tab.scrollIntoView('#far'); return await tab.evaluate(() => scrollY > 1000)",
			"true"},
		{"await tab.evaluate(() => scrollTo(0, 0)); await tab.scroll(0, 500); " +
			"while (await tab.evaluate(() => scrollY) < 500) await wait(20); return 'scrolled'",
			"scrolled"},
		{"return await tab.evaluate((a, b) => a.x + b, {x: 1}, 2)",
			"3"},
		{"return await tab.evaluate('1 + 1')",
			"2"},
		{"return await tab.evaluate(async () => { await null; return [1, {a: null}] })",
			`[1,{"a":null}]`},
		{"return typeof await tab.evaluate(() => undefined)",
			"object"},
		{"return await tab.evaluate(() => NaN)",
			"NaN"},
		{"return (await tab.extract('text')).split('\\n')[0]",
			"Things"},
		{"return (await tab.extract()).includes('id=\"save\"')",
			"true"},
		{"return await tab.waitFor('aria/Editor')",
			"aria/Editor"},
		{"return (await page.content()).startsWith('<html>')",
			"true"},
		{"await page.mouse.click(5, 5); await page.keyboard.press('Tab'); return page.url() === tab.url()",
			"true"},
		{"await page.setViewport({width: 400, height: 300, deviceScaleFactor: 2}); " +
			"return await tab.evaluate(() => [innerWidth, innerHeight, devicePixelRatio].join())",
			"400,300,2"},
		{"await page.reload(); return await tab.evaluate(() => name.value || 'empty')",
			"empty"},
		{"return (await browser.version()).includes('Chrome')",
			"true"},
		{"return (await browser.tabs()).includes(tab.name)",
			"true"},
		{"assert(true); await wait(1); return Buffer.from('aGk=', 'base64').toString() + " +
			"Buffer.from('é').toString('hex')",
			"hic3a9"},
		{"tab.signal.throwIfAborted(); return tab.signal.aborted", "false"},
		{"return [typeof require, typeof process, typeof fs, new URL('a', 'http://b/').href].join()",
			"undefined,undefined,undefined,http://b/a"},
		{"await tab.select('#size', 'x')",
			`error: it has no option "x"; it has "s", "m", "l"`},
		{"await tab.select('#size', 'l')",
			"error: is disabled"},
		{"await tab.select('#name', 'l')",
			"error: is no <select>"},
		{"await tab.fill('#save', 'l')",
			"error: takes no text"},
		{"await tab.fill('#file', 'l')",
			"error: takes no text"},
		{"await tab.press('Enterr')",
			"error: there is no key"},
		{"await tab.press('Hyper+a')",
			"error: no key that is held"},
		{"await tab.id(99999)",
			"error: there is no element 99999"},
		{"await tab.uploadFile('#name', 'a')",
			"error: is not there"},
		{"await tab.uploadFile('#name')",
			"error: names no file"},
		{"await tab.extract('pdf')",
			"error: there is no format"},
		{"await tab.drag('#from', {})",
			"error: drag to: it takes a selector"},
		{"await tab.goto('file:///etc/passwd')",
			"error: is not an address that begins with http"},
		{"await tab.goto('chrome://version')",
			"error: is not an address that begins with http"},
		{"await tab.goto(tab.url(), {waitUntil: 'x'})",
			"error: a navigation cannot wait for"},
		{"await tab.evaluate(() => window)",
			"error: "},
		{"await tab.evaluate(() => { throw new Error('mine') })",
			"error: mine"},
		{"assert(false, 'not so')",
			"error: not so"},
		{"await page.goForward()",
			"error: no such page in its history"},
		{"null.x",
			"error: TypeError"},
	}
	each(t, tab, list)
	fails(t, tab, "let let", "SyntaxError")
}

// An element has one number as long as its page is there, and no other gets it later.
func TestNumbersOfElementsStay(t *testing.T) {
	tab := open(t, Open{URL: serve(t, shop)})
	r := run(t, tab, nil, `
const one = await tab.observe(), find = (o, name) => o.elements.find(e => e.name === name);
const save = find(one, 'Save'), framed = find(one, 'Framed'), shut = find(one, 'Closed One');
assert(save.role === 'button' && find(one, 'Off').states.includes('disabled') && find(one, 'Shadow Save'), 'elements');
assert(!one.elements.some(e => e.role === 'StaticText' || e.role === 'heading'), 'too much');
assert((await tab.observe({includeAll: true})).elements.some(e => e.role === 'heading' && e.name === 'Things'), 'all');
await tab.evaluate(() => document.body.prepend(document.createElement('button')));
const two = await tab.observe();
assert(find(two, 'Save').id === save.id && two.elements.length === one.elements.length + 1, 'numbers change');
assert(!(await tab.observe({viewportOnly: true})).elements.some(e => e.name === 'Far'), 'Far is seen');
assert(two.viewport.width === 1365 && two.scroll.height > 3000 && two.title === 'Shop', 'facts');
for (const e of [save, framed, shut]) await (await tab.id(e.id)).click();
const text = await tab.evaluate((el, more) => el.textContent + more, await tab.id(save.id), '!');
await tab.evaluate(() => save.remove());
let gone = ''; try { await (await tab.id(save.id)).click() } catch (e) { gone = e.message }
await page.reload();
let old = ''; try { await tab.id(framed.id) } catch (e) { old = e.message }
const fresh = find(await tab.observe(), 'Save').id;
return [text, gone, old, fresh > save.id && fresh !== framed.id].join('|')`)
	if want := "Save!|the element "; !strings.HasPrefix(r.Value, want) || !strings.HasSuffix(r.Value, "|true") ||
		!strings.Contains(r.Value, "is not in the page any more") || !strings.Contains(r.Value,
		"on a page that is gone") {
		t.Errorf("%q, %q", r.Value, r.Error)
	}
}

func TestFilesAreGivenToAPage(t *testing.T) {
	tab := open(t, Open{URL: serve(t, shop)})
	h := &fakeHost{files: map[string][]byte{"dir/a.txt": []byte("hello")}}
	r := run(t, tab, h, `await tab.uploadFile('#file', 'dir/a.txt');
return await tab.evaluate(async () => file.files[0].name + ' ' + await file.files[0].text())`)
	if r.Value != "a.txt hello" {
		t.Errorf("%+v", r)
	}
	if r := run(t, tab, h, "await tab.uploadFile('#name', 'dir/a.txt')"); !strings.Contains(r.Error,
		"is no <input type=file>") {
		t.Errorf("%+v", r)
	}
}

func TestPicturesShowWhatIsAskedFor(t *testing.T) {
	tab := open(t, Open{URL: serve(t, shop), Viewport: Viewport{Width: 400, Height: 300, Scale: 2}})
	size := func(code string) (w, h int) {
		r := run(t, tab, nil, code)
		if r.Error != "" || len(r.images) != 1 {
			t.Fatalf("%s: %+v", code, r)
		}
		return pngSize(r.images[0])
	}
	if w, h := size("await tab.screenshot()"); w != 800 || h != 600 {
		t.Errorf("the window is %d by %d", w, h)
	}
	if w, h := size("await tab.screenshot({fullPage: true})"); w < 800 || h < 6000 {
		t.Errorf("the page is %d by %d", w, h)
	}
	r := run(t, tab, nil, "return await tab.screenshot({selector: '#box'})")
	if len(r.images) != 1 || !strings.Contains(r.Value, `"width": 80`) || !strings.Contains(r.Value, `"height": 60`) {
		t.Fatalf("%+v", r)
	}
	pic, err := png.Decode(bytes.NewReader(r.images[0]))
	if err != nil {
		t.Fatal(err)
	}
	if red, green, _, _ := pic.At(40, 30).RGBA(); red != 0xffff || green != 0 {
		t.Errorf("the box is no red box: %v", pic.At(40, 30))
	}
	if r := run(t, tab, nil, "return await tab.screenshot({silent: true})"); len(r.images) != 0 || r.shown != "" {
		t.Errorf("a silent picture: %+v", r)
	}
	if r := run(t, tab, nil, "await tab.screenshot({save: 'a.png'})"); !strings.Contains(r.Error, "nothing is saved") {
		t.Errorf("%+v", r)
	}
	h := &fakeHost{saved: map[string][]byte{}}
	r = run(t, tab, h, "return (await tab.screenshot({save: 'a.png', selector: '#box'})).dest")
	if len(r.images) != 1 || !bytes.Equal(h.saved["a.png"], r.images[0]) || r.Value != "workspace/a.png" {
		t.Errorf("%+v, %d saved", r, len(h.saved))
	}
}

func TestWhatCodeShowsComesInOrder(t *testing.T) {
	tab := open(t, Open{})
	want(t, tab, "return await tab.extract('text') === null", "true")
	fails(t, tab, "await tab.extract('pdf')", "there is no format \"pdf\"")
	r := run(t, tab, nil, `display('one'); display({a: 1}); display([1]);
const shot = await tab.screenshot(); display('two');
display({type: 'image', data: '!'}); const o = {}; o.o = o; display(o); return 5n`)
	if want := "one\n{\n  \"a\": 1\n}\n[\n  1\n]\n[picture 1: 1706 by 960]\ntwo\n[a picture that is not base64]\n" +
		"[object Object]\n"; r.shown != want || r.Value != "5" || r.Error != "" {
		t.Errorf("%q, %q, %q", r.shown, r.Value, r.Error)
	}
}

func TestNavigationsAndAnswersAreWaitedFor(t *testing.T) {
	_, site := begin(t)
	mux.HandleFunc("/slow.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"n": 7}`))
	})
	next := serve(t, "<title>Next</title>next")
	tab := open(t, Open{URL: serve(t, `<title>First</title><a href="`+next+`">go</a>
<button onclick="fetch('/slow.json').then(r => r.json()).then(v => document.title = v.n)">ask</button>`)})
	want(t, tab, `const answer = tab.waitForResponse('/slow.json');
await tab.click('text/ask');
const r = await answer;
return [r.status(), r.ok(), (await r.json()).n, r.url()].join()`, "200,true,7,"+site+"/slow.json")
	want(t, tab, `const there = tab.waitForUrl(/Answers/); await tab.click('text/go');
await tab.waitForUrl(url => url === `+
		quote(next)+`); return (await there) && tab.url()`, next)
	want(t, tab, "await page.goBack(); return await tab.title()", "First")
	want(t, tab, "await page.goForward(); return await tab.title()", "Next")
	fails(t, tab, "await tab.waitForUrl('nowhere', {timeout: 1})", "the address did not become nowhere")
	fails(t, tab, "await tab.waitForResponse('nowhere', {timeout: 1})", "no answer of nowhere came")
	for _, wait := range Waits() {
		want(t, tab, "await tab.goto("+quote(next)+", {waitUntil: '"+wait+"'}); return document.readyState", "complete")
	}
	want(t, tab, "await tab.goto(tab.url() + '#part'); return tab.url()", next+"#part")
}

// A navigation comes back when what it waits for is there, and not before.
func TestANavigationWaitsForWhatItIsTold(t *testing.T) {
	tab := open(t, Open{})
	for wait, c := range map[string]struct{ held, state string }{
		"":             {`<img src=HELD>`, "interactive"},                             // load waits for pictures
		"networkidle0": {`<script>onload = () => fetch('HELD')</script>`, "complete"}, // and for nothing else
	} {
		release := make(chan struct{})
		held, free := fmt.Sprintf("/held-%d", pages()), fmt.Sprintf("/free-%d", pages())
		mux.HandleFunc(held, func(http.ResponseWriter, *http.Request) { <-release })
		mux.HandleFunc(free, func(http.ResponseWriter, *http.Request) { close(release) })
		page := serve(t, "<title>Held</title><p>here"+strings.ReplaceAll(c.held, "HELD", held))
		want(t, tab, "let done = false; const o = "+map[bool]string{true: "{}",
			false: "{waitUntil: '" + wait + "'}"}[wait == ""]+`;
const there = tab.goto(`+quote(page)+`, o).then(() => done = true);
const state = () => tab.evaluate(() => document.title + document.readyState).catch(() => '');
while (await state() !== 'Held`+c.state+`') await wait(5);
for (let i = 0; i < 20; i++) await state();
const early = done;
await tab.evaluate(async u => { fetch(u) }, `+quote(free)+`);
await there;
return early + ' ' + done`, "false true")
	}
}

func TestTabsHaveNames(t *testing.T) {
	s, _ := begin(t)
	ctx := t.Context()
	address := serve(t, shop)
	one := open(t, Open{URL: address})
	two, reused, err := s.Open(ctx, Open{Name: t.Name()})
	if err != nil || !reused || two != one {
		t.Errorf("%v, %v", reused, err)
	}
	if _, reused, err = s.Open(ctx, Open{Name: t.Name(), Viewport: Viewport{Width: 300, Height: 200}}); err != nil ||
		!reused || one.Viewport() != (Viewport{300, 200, 1.25}) {
		t.Errorf("%v, %v, %v", reused, err, one.Viewport())
	}
	one.engine.noteTargetGone(one.target) // as after a crash of its page
	if _, err := s.Tab(t.Name()); err == nil || !strings.Contains(err.Error(), "is not alive. Reopen it") {
		t.Errorf("%v", err)
	}
	three, reused, err := s.Open(ctx, Open{Name: t.Name(), Dialogs: "accept"})
	if err != nil || reused || three == one {
		t.Errorf("another policy for dialogs: %v, %v", reused, err)
	}
	if _, err := one.Run(ctx, Code{Text: "return 1", Timeout: bound, Host: &fakeHost{}}); err == nil {
		t.Error("a tab that was replaced still works")
	}
	if !s.CloseTab(ctx, t.Name()) || s.CloseTab(ctx, t.Name()) {
		t.Error("a tab is not closed once")
	}
	if _, err := s.Tab(t.Name()); err == nil || !strings.Contains(err.Error(), "is not alive. Reopen it") {
		t.Errorf("%v", err)
	}
	if _, _, err := s.Open(ctx, Open{Name: t.Name(), Viewport: Viewport{Width: 1, Height: 90000}}); err == nil {
		t.Error("a page of 90000 pixels")
	}
	s.CloseTab(context.Background(), t.Name())
}

func TestOneAtATimeUsesATab(t *testing.T) {
	tab := open(t, Open{URL: serve(t, shop)})
	inside := make(chan string, 1)
	h := &fakeHost{visit: func(string, *HostError) error {
		_, err := runFor(tab, nil, "return 1", bound)
		inside <- err.Error()
		return err
	}}
	fails2 := run(t, tab, h, "await tab.goto('https://example.invalid/')")
	if text := <-inside; !strings.Contains(text, "is busy") || !strings.Contains(fails2.Error, "is busy") {
		t.Errorf("%s, %+v", text, fails2)
	}
}
