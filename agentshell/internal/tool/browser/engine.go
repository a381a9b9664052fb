package browser

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// engine is the connection to a running browser, or to an attached application.
type engine struct {
	*conn
	service        *Service
	browserVersion string
	attached       bool // attached says that this is an application, which keeps control of its windows.
	// tabsContext is the id of the browser context of all tabs, which is kept in memory only; "":
	// that of the application.
	tabsContext string

	keepsWindows bool // keepsWindows says that windows opened by pages stay open.

	mu sync.Mutex
	// sessions holds the receivers of events by DevTools session.
	sessions map[string]func(method string, params json.RawMessage)
	// targets holds a channel by DevTools target; it is closed when the target is gone.
	targets map[string]chan struct{}
	// scriptsContext is the id of the browser context of scripts; "": it does not exist yet.
	scriptsContext string
}

func newEngine(s *Service) *engine {
	return &engine{service: s, keepsWindows: s.config.keepWindows, sessions: map[string]func(string, json.RawMessage){},
		targets: map[string]chan struct{}{}}
}

// prepareBrowser prepares a browser that has just started. Downloads are refused, and cookies and
// other data of pages are kept in memory only.
func prepareBrowser(ctx context.Context, p *helper.Process, s *Service) (*engine, error) {
	e := newEngine(s)
	e.conn = newConn(newPipe(p.Out, p.In), e.handleEvent)
	go func() { p.Fail(e.read()) }()
	var made struct {
		ID string `json:"browserContextId"`
	}
	making := e.begin("", "Target.createBrowserContext", object{"disposeOnDetach": true})
	version := e.begin("", "Browser.getVersion", nil)
	discover := e.begin("", "Target.setDiscoverTargets", object{"discover": true})
	if err := making(ctx, &made); err != nil {
		return nil, err
	}
	e.mu.Lock()
	e.tabsContext = made.ID
	e.mu.Unlock()
	var about struct{ Product string }
	if err := version(ctx, &about); err != nil {
		return nil, err
	}
	e.browserVersion = about.Product
	if err := e.refuseDownloads(ctx, e.tabsContext); err != nil {
		return nil, err
	}
	return e, discover(ctx, nil)
}

// prepareApp prepares the connection to a running application. It changes none of its settings.
func (e *engine) prepareApp(ctx context.Context) error {
	e.attached, e.keepsWindows = true, true
	go func() { _ = e.read() }()
	var about struct{ Product string }
	if err := e.call(ctx, "", "Browser.getVersion", nil, &about); err != nil {
		return err
	}
	e.browserVersion = about.Product
	return e.call(ctx, "", "Target.setDiscoverTargets", object{"discover": true}, nil)
}

// refuseDownloads forbids the pages of a browser context to save files.
func (e *engine) refuseDownloads(ctx context.Context, browserContext string) error {
	return e.call(ctx, "", "Browser.setDownloadBehavior", object{"behavior": "deny", "eventsEnabled": true,
		"browserContextId": browserContext}, nil)
}

// handleEvent passes a DevTools event to the receiver of its session, or to browserEvent if it has
// no session.
func (e *engine) handleEvent(session, method string, params json.RawMessage) {
	if session == "" {
		e.browserEvent(method, params)
		return
	}
	e.mu.Lock()
	take := e.sessions[session]
	e.mu.Unlock()
	if take != nil {
		take(method, params)
	}
}

// targetInfo describes a page, or another target, as the browser reports it.
type targetInfo struct {
	ID     string `json:"targetId"`
	Kind   string `json:"type"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	Opener string `json:"openerId"`
}

// browserEvent handles events of the whole browser. It closes windows that pages open, because no
// tab would show them, and notes closed pages and refused downloads.
func (e *engine) browserEvent(method string, params json.RawMessage) {
	var p struct {
		Info   targetInfo `json:"targetInfo"`
		ID     string     `json:"targetId"`
		Status string     `json:"status"`
	}
	switch method {
	case "Target.targetCreated":
		if json.Unmarshal(params, &p) == nil && p.Info.Opener != "" && p.Info.Kind == "page" && !e.keepsWindows {
			go func() { // the connection is being read
				_ = e.call(context.Background(), "", "Target.closeTarget", object{"targetId": p.Info.ID}, nil)
			}()
		}
	case "Target.targetDestroyed", "Target.targetCrashed":
		if json.Unmarshal(params, &p) == nil {
			e.noteTargetGone(p.ID)
		}
	case "Browser.downloadWillBegin":
		var d struct {
			URL   string `json:"url"`
			Frame string `json:"frameId"`
		}
		if json.Unmarshal(params, &d) == nil {
			e.service.noteDownload(d.Frame, d.URL)
		}
	}
}

// noteTargetGone notes that a target is gone, and wakes the goroutines that wait for it.
func (e *engine) noteTargetGone(target string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if gone := e.targets[target]; gone != nil {
		close(gone)
		delete(e.targets, target)
	}
}

// attach opens a DevTools session to a page. take receives its events. The channel gone is closed
// when the page is not there any more.
func (e *engine) attach(ctx context.Context, target string, take func(string, json.RawMessage)) (session string,
	gone chan struct{}, err error) {
	gone = make(chan struct{})
	e.mu.Lock()
	e.targets[target] = gone
	e.mu.Unlock()
	var attached struct {
		Session string `json:"sessionId"`
	}
	if err := e.call(ctx, "", "Target.attachToTarget", object{"targetId": target, "flatten": true},
		&attached); err != nil {
		return "", nil, err
	}
	e.mu.Lock()
	e.sessions[attached.Session] = take
	e.mu.Unlock()
	return attached.Session, gone, nil
}

// forgetSession removes the receiver of a session's events.
func (e *engine) forgetSession(session string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.sessions, session)
}

// openBlankPage opens an empty page in a browser context, and returns the id of its DevTools
// target.
func (e *engine) openBlankPage(ctx context.Context, browserContext string) (string, error) {
	var made struct {
		ID string `json:"targetId"`
	}
	params := object{"url": "about:blank"}
	if browserContext != "" {
		params["browserContextId"] = browserContext
	}
	err := e.call(ctx, "", "Target.createTarget", params, &made)
	return made.ID, err
}
