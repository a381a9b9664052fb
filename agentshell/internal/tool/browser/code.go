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

// Host does the parts of a script's calls that concern the user and the workspace, not the browser.
// Its methods are called from several goroutines.
type Host interface {
	// Visit asks the user to allow the host of an address that pages may not reach yet. It returns
	// nil if the user allows it.
	Visit(ctx context.Context, address string, host *HostError) error
	// File reads a file of the workspace, if the script may read it.
	File(ctx context.Context, path string) (name string, data []byte, err error)
	// Text converts the HTML of a page to Markdown. It returns "" if the page has no text.
	Text(ctx context.Context, address string, page []byte) (text string, err error)
	// Save writes a picture to a file of the workspace after the user has agreed. It returns the
	// path for display, or "" if the file had these contents already.
	Save(ctx context.Context, path string, png []byte) (saved string, err error)
}

// Code is JavaScript that a model has written and that controls a tab.
type Code struct {
	Text    string
	Timeout time.Duration
	Host    Host
	// Show receives the texts that the script displays; they come in order with the pictures.
	Show  func(text string)
	Image func(data []byte) (line string, err error)
}

// Outcome is the result of a script.
type Outcome struct {
	Value string // Value is the value that the script returned, as text.
	// Error is the exception that the script threw, or the reason why it has no value; "": it
	// succeeded.
	Error string
}

// errTimedOut is the cancellation cause of a script that ran longer than its timeout.
var errTimedOut = errors.New("its time is over")

// maxOpenCalls is the number of calls that a script may have running at the same time.
const maxOpenCalls = 64

// codeRun is the state of one running script: its own empty page, and the tab that it controls.
type codeRun struct {
	Code
	tab     *Tab
	engine  *engine // engine is the browser in which the script runs.
	session string
	ctx     context.Context

	mu        sync.Mutex
	openCalls int
	ended     bool
	calls     sync.WaitGroup
}

// Run runs a script that controls the tab. The script runs in an empty page of its own. Its
// exceptions are in the Outcome; err says that the script could not be started.
func (t *Tab) Run(ctx context.Context, c Code) (o Outcome, err error) {
	err = t.use(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, errTimedOut)
		defer cancel()
		_ = t.takeLastMissed()
		o, err = t.runCode(ctx, c)
		if errors.Is(context.Cause(ctx), errTimedOut) {
			o.Error, err = fmt.Sprintf("Browser code execution timed out after %v", c.Timeout), nil
			if why := t.takeLastMissed(); why != "" {
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
	session, gone, err := e.attach(ctx, target, r.handleEvent)
	if err == nil {
		r.session = session
		o, err = r.wait(gone)
	}
	stop()
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	e.endCode(session, target)
	r.calls.Wait()
	return o, err
}

// codePage opens an empty page without a network, in which a script runs, and returns its DevTools
// target.
func (e *engine) codePage(ctx context.Context) (target string, err error) {
	e.mu.Lock()
	in := e.scriptsContext
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
		e.scriptsContext, in = made.ID, made.ID
		e.mu.Unlock()
	}
	return e.openBlankPage(ctx, in)
}

// endTimeout is how long to wait for a page or an application to close.
const endTimeout = 500 * time.Millisecond

// endCode closes the page of a script, even if the script is in an endless loop.
func (e *engine) endCode(session, target string) {
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	go func() { _ = e.call(ctx, session, "Runtime.terminateExecution", nil, nil) }()
	if err := e.call(ctx, "", "Target.closeTarget", object{"targetId": target}, nil); err != nil {
		go func() { _ = e.call(context.Background(), session, "Page.crash", nil, nil) }()
	}
	e.forgetSession(session)
	e.noteTargetGone(target)
}

// wait starts the script in its page and waits for its result. It fails if the page of the script
// or the tab ends before.
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
	var began evaluation
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
	start, err := json.Marshal(object{"name": r.tab.Name, "url": address, "version": r.engine.browserVersion})
	if err != nil {
		return o, err
	}
	var end evaluation
	if err := do("Runtime.evaluate", object{"expression": "__run(" + string(start) + ", async () => {" + r.Text +
		"\n})\n//# sourceURL=code.js", "awaitPromise": true, "returnByValue": true}, &end); err != nil {
		return o, err
	}
	if err := end.err(); err != nil {
		o.Error = cutStack(err.Error())
		return o, nil
	}
	return o, json.Unmarshal(end.Result.Value, &o.Value)
}

// cutStack cuts a JavaScript stack trace before the first line that does not belong to the
// user's script, code.js.
func cutStack(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "at ") && !strings.Contains(line, "code.js") {
			return strings.Join(lines[:i], "\n")
		}
	}
	return text
}

// handleEvent handles a DevTools event of the script's page: a text or picture to show, or a call
// of a function.
func (r *codeRun) handleEvent(method string, params json.RawMessage) {
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
	case r.ended:
	case m.Show != "":
		r.show(m.Show, m.Data)
	case r.openCalls >= maxOpenCalls:
		go r.reply(m.ID, nil, fmt.Errorf("more than %d calls at once", maxOpenCalls))
	default:
		r.openCalls++
		r.calls.Go(func() {
			value, err := r.callFunction(m.Name, m.Args)
			r.reply(m.ID, value, err)
			r.mu.Lock()
			r.openCalls--
			r.mu.Unlock()
		})
	}
}

// show passes a text or picture of the script to its Code. The caller holds the lock.
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

// reply sends the script the result or the error of its call number id.
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
