package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Viewport is the size of a page's window in CSS pixels. Scale is the number of picture pixels for
// one CSS pixel.
type Viewport struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Scale  float64 `json:"scale,omitempty"`
}

// defaultViewport is the size of a tab's window if none is asked for.
var defaultViewport = Viewport{1365, 768, 1.25}

// withDefaults returns the viewport with defaults for the values that are 0.
func (v Viewport) withDefaults() Viewport {
	if v.Width == 0 || v.Height == 0 {
		v = Viewport{defaultViewport.Width, defaultViewport.Height, v.Scale}
	}
	if v.Scale == 0 {
		v.Scale = defaultViewport.Scale
	}
	return v
}

// Tab is an open page. While the page shows a dialog that nobody answers, its methods return a
// [*DialogError] at once. A Tab is safe for use by several goroutines.
type Tab struct {
	Name string

	engine       *engine
	app          *App   // app is the application whose page this is; nil: it is a page of the own browser.
	target       string // target is the id of the DevTools target, and also of the page's main frame.
	session      string
	gone         chan struct{}
	release      func() // release tells the browser or application that the tab has ended.
	dialogPolicy string
	useSlot      chan struct{} // useSlot has one free place; it is taken while somebody uses the tab.

	mu              sync.Mutex
	ended           bool
	viewport        Viewport
	dialog          *DialogError // dialog is the open dialog; nil: there is none.
	guards          map[*guard]bool
	notes           []string
	answeredDialogs int
	worldByFrame    map[string]int // worldByFrame holds the JavaScript context of page.js by frame.
	reachedByLoader map[string]map[string]bool
	reachedChanged  chan struct{} // reachedChanged is closed and replaced when reachedByLoader changes.
	responses       []response
	lastMissed      string     // lastMissed is the last element that was waited for in vain, with the reason.
	responseCount   int        // responseCount is the number of responses so far.
	navigationHost  proxy.Host // navigationHost is the host of the last navigation of the tab.
	navigationError error      // navigationError is why the last navigation was refused; nil: it was not.
	numbers         elementNumbers
}

// guard cancels one call that waits for the page.
type guard struct{ cancel context.CancelCauseFunc }

// maxNotes is the number of notes about a page that are kept until [Tab.Notes] is called.
const maxNotes = 10

// newTab opens an empty page in the own browser and returns its tab.
func (e *engine) newTab(ctx context.Context, o Open) (*Tab, error) {
	if err := o.Viewport.Check(); err != nil {
		return nil, err
	}
	target, err := e.openBlankPage(ctx, e.tabsContext)
	if err != nil {
		return nil, err
	}
	return e.tabOf(ctx, target, o)
}

// tabOf returns a tab for an existing page, given by the id of its DevTools target.
func (e *engine) tabOf(ctx context.Context, target string, o Open) (*Tab, error) {
	t := &Tab{Name: o.Name, engine: e, target: target, dialogPolicy: o.Dialogs, useSlot: make(chan struct{}, 1),
		release: func() {}, guards: map[*guard]bool{}, worldByFrame: map[string]int{},
		reachedByLoader: map[string]map[string]bool{}, reachedChanged: make(chan struct{}),
		numbers: elementNumbers{nodes: map[int]node{}, ids: map[node]int{}}}
	var err error
	if t.session, t.gone, err = e.attach(ctx, target, t.handleEvent); err != nil {
		return nil, err
	}
	if err := t.prepare(ctx, o.Viewport); err != nil {
		t.end()
		return nil, err
	}
	return t, nil
}

// protocolCall is one DevTools call: a method with its parameters.
type protocolCall struct {
	method string
	params object
}

// prepare switches on the DevTools events of the page and sets its size. The page of an application
// keeps its settings, and its size if v is zero.
func (t *Tab) prepare(ctx context.Context, v Viewport) error {
	steps := []protocolCall{
		{"Page.enable", nil},
		{"Page.setLifecycleEventsEnabled", object{"enabled": true}},
		{"Network.enable", object{"maxTotalBufferSize": maxBodiesBytes, "maxResourceBufferSize": maxBodyBytes}},
		{"Emulation.setFocusEmulationEnabled", object{"enabled": true}},
	}
	if !t.engine.attached {
		// Which page a frame shows is decided before the request leaves.
		steps = append(steps, protocolCall{"Fetch.enable",
			object{"patterns": []object{{"urlPattern": "*", "resourceType": "Document"}}}})
	}
	sized := !t.engine.attached || v != (Viewport{})
	if sized {
		t.viewport = v.withDefaults()
		steps = append(steps, protocolCall{"Emulation.setDeviceMetricsOverride", t.viewport.override()})
	}
	var waits []func(context.Context, any) error
	for _, s := range steps {
		waits = append(waits, t.engine.begin(t.session, s.method, s.params))
	}
	for _, wait := range waits {
		if err := wait(ctx, nil); err != nil {
			return err
		}
	}
	if sized {
		return nil
	}
	return t.readViewport(ctx)
}

// readViewport reads the present size of the page into t.viewport.
func (t *Tab) readViewport(ctx context.Context) error {
	var r evaluation
	err := t.engine.call(ctx, t.session, "Runtime.evaluate", object{"returnByValue": true,
		"expression": "({width: innerWidth, height: innerHeight, scale: devicePixelRatio})"}, &r)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return json.Unmarshal(r.Result.Value, &t.viewport)
}

// App returns the application whose page the tab shows, or nil for a tab of the own browser.
func (t *Tab) App() *App { return t.app }

// isDead reports whether the page or the connection to its browser is gone.
func (t *Tab) isDead() bool {
	select {
	case <-t.gone:
		return true
	case <-t.engine.conn.gone:
		return true
	default:
		return false
	}
}

// setViewport sets the size of the page.
func (t *Tab) setViewport(ctx context.Context, v Viewport) error {
	v = v.withDefaults()
	if err := v.Check(); err != nil {
		return err
	}
	t.mu.Lock()
	t.viewport = v
	t.mu.Unlock()
	return t.call(ctx, "Emulation.setDeviceMetricsOverride", v.override(), nil)
}

// override returns the viewport as parameters of the DevTools method that sets it.
func (v Viewport) override() object {
	return object{"width": v.Width, "height": v.Height, "deviceScaleFactor": v.Scale, "mobile": false}
}

// Check returns an error if the browser does not accept the size.
func (v Viewport) Check() error {
	v = v.withDefaults()
	if v.Width < 1 || v.Width > 4096 || v.Height < 1 || v.Height > 4096 || v.Scale < 0.25 || v.Scale > 4 {
		return fmt.Errorf("viewport may be 1 to 4096 pixels wide and high, with a scale from 0.25 to 4")
	}
	return nil
}

// Viewport returns the size of the page.
func (t *Tab) Viewport() Viewport {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.viewport
}

// use calls f while nobody else uses the tab. It returns an error at once if the tab is in use.
func (t *Tab) use(ctx context.Context, f func(ctx context.Context) error) error {
	select {
	case t.useSlot <- struct{}{}:
	default:
		return fmt.Errorf("Tab %q is busy", t.Name)
	}
	defer func() { <-t.useSlot }()
	return f(ctx)
}

// errTabGone is the error of a call when the tab is closed, or its page has crashed.
var errTabGone = errors.New("the tab is closed, or its page has crashed: open it again")

// call calls a DevTools method for this page. It fails as soon as the page shows an unanswered
// dialog or is gone.
func (t *Tab) call(ctx context.Context, method string, params object, result any) error {
	ctx, done := t.guard(ctx)
	defer done()
	return t.engine.call(ctx, t.session, method, params, result)
}

// guard returns a context that is cancelled when the page shows an unanswered dialog or is gone.
// The caller calls the returned function at the end.
func (t *Tab) guard(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	g := &guard{cancel}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dialog != nil {
		cancel(t.dialog)
	} else {
		t.guards[g] = true
	}
	go func() {
		select {
		case <-t.gone:
			cancel(errTabGone)
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel(nil)
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.guards, g)
	}
}

// post calls a DevTools method without waiting for the answer. Handlers of events need it, because
// they must not wait for the browser.
func (t *Tab) post(method string, params object) {
	go func() { _ = t.engine.call(context.Background(), t.session, method, params, nil) }()
}

// addNote keeps a note about the page until [Tab.Notes] is called. It drops a repetition of the
// last note, and notes beyond maxNotes.
func (t *Tab) addNote(format string, values ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := fmt.Sprintf(format, values...); len(t.notes) < maxNotes && (len(t.notes) == 0 ||
		t.notes[len(t.notes)-1] != text) {
		t.notes = append(t.notes, text)
	}
}

// Notes returns what has happened to the page since the last call, such as dialogs that were
// answered.
func (t *Tab) Notes() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	notes := t.notes
	t.notes = nil
	if t.answeredDialogs > 0 {
		notes = append(notes, fmt.Sprintf("dialogs answered: %d (%s)", t.answeredDialogs, t.dialogPolicy))
		t.answeredDialogs = 0
	}
	return notes
}

// close closes the page. The page of an application stays open, only the DevTools session ends.
func (t *Tab) close(ctx context.Context) error {
	if t.engine.attached {
		return t.engine.call(ctx, "", "Target.detachFromTarget", object{"sessionId": t.session}, nil)
	}
	if err := t.engine.call(ctx, "", "Target.closeTarget", object{"targetId": t.target}, nil); err != nil {
		return err
	}
	select {
	case <-t.gone:
		return nil
	case <-t.engine.conn.gone:
		return errBrowserGone
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end cancels the calls that wait for the tab, and releases its browser or application.
func (t *Tab) end() {
	t.mu.Lock()
	t.ended = true
	for g := range t.guards {
		g.cancel(errTabGone)
	}
	t.mu.Unlock()
	t.engine.forgetSession(t.session)
	t.engine.noteTargetGone(t.target)
	t.release()
}

// handleEvent handles a DevTools event of the page.
func (t *Tab) handleEvent(method string, params json.RawMessage) {
	switch method {
	case "Page.javascriptDialogOpening":
		t.dialogOpens(params)
	case "Page.javascriptDialogClosed":
		t.mu.Lock()
		t.dialog = nil
		t.mu.Unlock()
	case "Page.lifecycleEvent":
		t.handleLifecycle(params)
	case "Page.frameNavigated", "Page.frameDetached":
		t.forgetWorlds(params)
	case "Page.windowOpen":
		var p struct{ URL string }
		if json.Unmarshal(params, &p) == nil {
			t.addNote("the page opened a window with %s, which was closed", shorten(p.URL))
		}
	case "Fetch.requestPaused":
		t.decideRequest(params)
	case "Network.responseReceived", "Network.loadingFinished":
		t.handleResponse(method, params)
	case "Inspector.targetCrashed":
		t.engine.noteTargetGone(t.target)
	}
}

// maxTextBytes is the number of bytes that a text of a page may have within a message.
const maxTextBytes = 300

// shorten returns a text of at most maxTextBytes bytes. A longer text ends in "…".
func shorten(text string) string {
	if len(text) <= maxTextBytes {
		return text
	}
	return width.Head(text, maxTextBytes) + "…"
}
