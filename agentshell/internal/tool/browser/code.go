package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

//go:embed code.js
var codeScript string

// Host does for code what is not the browser's affair. It is called by several goroutines.
type Host interface {
	// Visit asks the person for the host of an address that may not be reached yet.
	Visit(ctx context.Context, address string, host *HostError) error
	// File returns a file of the workspace that may be read.
	File(ctx context.Context, path string) (name string, data []byte, err error)
	// Text returns a page in Markdown, "" if it says nothing.
	Text(ctx context.Context, address string, page []byte) (text string, err error)
	// Save writes a picture to a file of the workspace, if the person says yes, and returns its
	// path
	// as it is shown; "": it was there already.
	Save(ctx context.Context, path string, png []byte) (saved string, err error)
}

// Code is a piece of JavaScript that works on a tab.
type Code struct {
	Text    string
	Timeout time.Duration
	Host    Host
	Show    func(text string) // gets what it shows, in order with Image
	Image   func(data []byte) (line string, err error)
}

// Outcome is how code ended.
type Outcome struct {
	Value string // what it returned, as text
	Error string // what it threw, or why it has no value; "": it ended well
}

// errTimedOut is the cause of the end of code whose time is over.
var errTimedOut = errors.New("its time is over")

// maxOpenCalls is how many calls of code may be open.
const maxOpenCalls = 64

// codeRun is a piece of code that runs.
type codeRun struct {
	Code
	tab     *Tab
	engine  *engine // in which it runs
	session string
	ctx     context.Context

	mu    sync.Mutex
	open  int
	over  bool
	calls sync.WaitGroup
}

// Run runs code in an empty page of its own. An error says that it could not be run at all.
func (t *Tab) Run(ctx context.Context, c Code) (o Outcome, err error) {
	err = t.use(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, errTimedOut)
		defer cancel()
		_ = t.awaited()
		o, err = t.runCode(ctx, c)
		if errors.Is(context.Cause(ctx), errTimedOut) {
			o.Error, err = fmt.Sprintf("Browser code execution timed out after %v", c.Timeout), nil
			if why := t.awaited(); why != "" {
				o.Error += ": " + why
			}
		}
		return err
	})
	return o, err
}

func (t *Tab) runCode(ctx context.Context, c Code) (o Outcome, err error) {
	e := t.engine
	if e.attached { // code runs nowhere but in the browser without a window
		own, release, err := e.service.engine(ctx)
		if err != nil {
			return o, err
		}
		defer release()
		e = own
	}
	target, err := e.codePage(ctx)
	if err != nil {
		return o, err
	}
	r := &codeRun{Code: c, tab: t, engine: e}
	var stop context.CancelFunc
	r.ctx, stop = context.WithCancel(ctx)
	session, gone, err := e.attach(ctx, target, r.event)
	if err == nil {
		r.session = session
		o, err = r.wait(gone)
	}
	stop()
	r.mu.Lock()
	r.over = true
	r.mu.Unlock()
	e.endCode(session, target)
	r.calls.Wait()
	return o, err
}

// codePage opens an empty page without network.
func (e *engine) codePage(ctx context.Context) (target string, err error) {
	e.mu.Lock()
	in := e.code
	e.mu.Unlock()
	if in == "" {
		var made struct {
			ID string `json:"browserContextId"`
		}
		// Nothing answers on that port: what the browser sends there goes nowhere.
		if err := e.call(ctx, "", "Target.createBrowserContext", object{"disposeOnDetach": true,
			"proxyServer": "127.0.0.1:1", "proxyBypassList": "<-loopback>"}, &made); err != nil {
			return "", err
		}
		if err := e.refuseDownloads(ctx, made.ID); err != nil {
			return "", err
		}
		e.mu.Lock()
		e.code, in = made.ID, made.ID
		e.mu.Unlock()
	}
	return e.blank(ctx, in)
}

// endTime is how long the end of a page is waited for.
const endTime = 500 * time.Millisecond

// endCode closes the page of code, also one that does not stop by itself.
func (e *engine) endCode(session, target string) {
	ctx, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	go func() { _ = e.call(ctx, session, "Runtime.terminateExecution", nil, nil) }()
	if err := e.call(ctx, "", "Target.closeTarget", object{"targetId": target}, nil); err != nil {
		go func() { _ = e.call(context.Background(), session, "Page.crash", nil, nil) }()
	}
	e.forget(session)
	e.lost(target)
}

// wait gives the page the code, and waits for its end.
func (r *codeRun) wait(gone <-chan struct{}) (o Outcome, err error) {
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-gone:
			cancel(errors.New("the page of the code has ended: it took too much memory"))
		case <-r.tab.gone:
			cancel(errTabGone)
		case <-ctx.Done():
		}
	}()
	do := func(method string, params object, result any) error {
		return r.engine.call(ctx, r.session, method, params, result)
	}
	if err := do("Runtime.enable", nil, nil); err != nil {
		return o, err
	}
	if err := do("Runtime.addBinding", object{"name": "__send"}, nil); err != nil {
		return o, err
	}
	var began evaluated
	if err := do("Runtime.evaluate", object{"expression": codeScript}, &began); err != nil {
		return o, err
	}
	if err := began.err(); err != nil {
		return o, err
	}
	address, _, err := r.tab.Place(ctx)
	if err != nil {
		return o, err
	}
	start, err := json.Marshal(object{"name": r.tab.Name, "url": address, "version": r.engine.version})
	if err != nil {
		return o, err
	}
	var end evaluated
	if err := do("Runtime.evaluate", object{"expression": "__run(" + string(start) + ", async () => {" + r.Text +
		"\n})\n//# sourceURL=code.js", "awaitPromise": true, "returnByValue": true}, &end); err != nil {
		return o, err
	}
	if err := end.err(); err != nil {
		o.Error = withoutOurs(err.Error())
		return o, nil
	}
	return o, json.Unmarshal(end.Result.Value, &o.Value)
}

// withoutOurs removes the lines of a stack that are of our own functions.
func withoutOurs(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "at ") && !strings.Contains(line, "code.js") {
			return strings.Join(lines[:i], "\n")
		}
	}
	return text
}

// event takes an event of the page of the code.
func (r *codeRun) event(method string, params json.RawMessage) {
	var p struct{ Name, Payload string }
	if method != "Runtime.bindingCalled" || json.Unmarshal(params, &p) != nil || p.Name != "__send" {
		return
	}
	var m struct {
		Show, Data, Name string
		ID               int
		Args             json.RawMessage
	}
	if json.Unmarshal([]byte(p.Payload), &m) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.over:
	case m.Show != "":
		r.show(m.Show, m.Data)
	case r.open >= maxOpenCalls:
		go r.reply(m.ID, nil, fmt.Errorf("more than %d calls at once", maxOpenCalls))
	default:
		r.open++
		r.calls.Go(func() {
			value, err := r.do(m.Name, m.Args)
			r.reply(m.ID, value, err)
			r.mu.Lock()
			r.open--
			r.mu.Unlock()
		})
	}
}

// show shows a value of the code. The caller holds the lock.
func (r *codeRun) show(kind, data string) {
	if kind != "image" {
		r.Show(data)
		return
	}
	var file []byte
	line := "[a picture that is not base64]"
	if json.Unmarshal([]byte(`"`+strings.Join(strings.Fields(data), "")+`"`), &file) == nil {
		var err error
		if line, err = r.Image(file); err != nil {
			line = "[a picture that cannot be shown: " + err.Error() + "]"
		}
	}
	r.Show(line)
}

// reply gives the code the answer of a call.
func (r *codeRun) reply(id int, value any, failure error) {
	list := make([]string, 0, 3)
	text := ""
	if failure != nil {
		text = failure.Error()
	}
	for _, v := range []any{id, text, value} {
		data, err := json.Marshal(v)
		if err != nil {
			data = []byte("null")
		}
		list = append(list, string(data))
	}
	_ = r.engine.call(r.ctx, r.session, "Runtime.evaluate", object{"expression": "__reply(" + strings.Join(list, ",") +
		")"}, nil)
}
