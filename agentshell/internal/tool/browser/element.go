package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

//go:embed page.js
var pageScript string

// lookInterval is the time between two attempts to find an element.
const lookInterval = 40 * time.Millisecond

// remoteValue is a JavaScript value of a page, as the DevTools protocol describes it
// (RemoteObject).
type remoteValue struct {
	Kind    string          `json:"type"`
	Subtype string          `json:"subtype"`
	ID      string          `json:"objectId"`
	Value   json.RawMessage `json:"value"`
	Special string          `json:"unserializableValue"`
	Text    string          `json:"description"`
}

// evaluation is the answer of the DevTools methods that run a script: its value, or its exception.
type evaluation struct {
	Result    remoteValue `json:"result"`
	Exception *struct {
		Text  string       `json:"text"`
		Value *remoteValue `json:"exception"`
	} `json:"exceptionDetails"`
}

// ScriptError is a JavaScript exception that a script in a page threw.
type ScriptError struct{ Text string }

func (e *ScriptError) Error() string { return e.Text }

// err returns the exception of the script as an error, or nil.
func (e evaluation) err() error {
	if e.Exception == nil {
		return nil
	}
	text := e.Exception.Text
	if v := e.Exception.Value; v != nil {
		text = v.Text
		if text == "" {
			text = "threw " + string(v.Value)
		}
	}
	return &ScriptError{shorten(text)}
}

// isolatedWorld returns the id of the JavaScript context in which the functions of page.js live for
// one frame. It creates the context when it is first needed, and again after the frame shows
// another page.
func (t *Tab) isolatedWorld(ctx context.Context, frame string) (int, error) {
	t.mu.Lock()
	id := t.worldByFrame[frame]
	t.mu.Unlock()
	if id != 0 {
		return id, nil
	}
	var made struct {
		ID int `json:"executionContextId"`
	}
	if err := t.call(ctx, "Page.createIsolatedWorld", object{"frameId": frame, "worldName": "scrollkeep"},
		&made); err != nil {
		return 0, err
	}
	var r evaluation
	if err := t.call(ctx, "Runtime.evaluate", object{"expression": pageScript, "contextId": made.ID}, &r); err != nil {
		return 0, err
	}
	if err := r.err(); err != nil {
		return 0, err
	}
	t.mu.Lock()
	t.worldByFrame[frame] = made.ID
	t.mu.Unlock()
	return made.ID, nil
}

// forgetWorlds handles the event that a frame shows another page or is gone: it drops the contexts
// that this has destroyed.
func (t *Tab) forgetWorlds(params json.RawMessage) {
	var p struct {
		ID    string `json:"frameId"`
		Frame struct {
			ID string `json:"id"`
		} `json:"frame"`
	}
	_ = json.Unmarshal(params, &p)
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.worldByFrame, p.Frame.ID)
	delete(t.worldByFrame, p.ID)
	if p.Frame.ID == t.target {
		clear(t.worldByFrame)
		t.numbers.forget()
	}
}

// isStale reports whether a call failed because the page or the frame that it was about is gone.
func isStale(err error) bool {
	var p *ProtocolError
	if !errors.As(err, &p) {
		return false
	}
	for _, text := range []string{"context", "Could not find object", "does not belong", "No node", "navigated",
		"frame"} {
		if strings.Contains(p.Text, text) {
			return true
		}
	}
	return false
}

// callPageFunction calls a function of page.js in a frame. first is the object id of the element
// that becomes its first argument, or "". The other arguments are plain values.
func (t *Tab) callPageFunction(ctx context.Context, frame, function, first string, byValue bool,
	args ...any) (remoteValue, error) {
	for attempt := 0; ; attempt++ {
		id, err := t.isolatedWorld(ctx, frame)
		if err == nil {
			var r evaluation
			params := object{"functionDeclaration": "function (...list) { return __page." + function + "(...list) }",
				"awaitPromise": true, "returnByValue": byValue, "executionContextId": id, "userGesture": true}
			list := []object{}
			if first != "" {
				list = append(list, object{"objectId": first})
			}
			for _, a := range args {
				list = append(list, object{"value": a})
			}
			params["arguments"] = list
			if err = t.call(ctx, "Runtime.callFunctionOn", params, &r); err == nil {
				return r.Result, r.err()
			}
		}
		if attempt > 0 || !isStale(err) || first != "" {
			return remoteValue{}, err
		}
		t.mu.Lock()
		delete(t.worldByFrame, frame)
		t.mu.Unlock()
	}
}

// element is an element of a page, as a selector found it.
type element struct {
	object string
	frame  string
	what   selector
}

// find looks once for the element that a selector describes, and returns false in found if there is
// none.
func (t *Tab) find(ctx context.Context, s selector) (el element, found bool, err error) {
	el = element{frame: t.target, what: s}
	switch s.kind {
	case "id":
		return t.numbered(ctx, s)
	case "aria":
		return t.findAria(ctx, s)
	}
	r, err := t.callPageFunction(ctx, t.target, "find", "", false, s.kind, s.value)
	var script *ScriptError
	switch {
	case errors.As(err, &script):
		first, _, _ := strings.Cut(script.Text, "\n")
		return el, false, fmt.Errorf("%s is no selector: %s", s, first)
	case err != nil:
		return el, false, err
	}
	el.object = r.ID
	return el, r.ID != "", nil
}

// findAria finds an element by its name and role in the accessibility tree.
func (t *Tab) findAria(ctx context.Context, s selector) (el element, found bool, err error) {
	el = element{frame: t.target, what: s}
	id, err := t.isolatedWorld(ctx, t.target)
	if err != nil {
		return el, false, err
	}
	var root evaluation
	if err := t.call(ctx, "Runtime.evaluate", object{"expression": "document", "contextId": id}, &root); err != nil {
		return el, false, err
	}
	params := object{"objectId": root.Result.ID}
	if s.value != "" {
		params["accessibleName"] = s.value
	}
	if s.role != "" {
		params["role"] = s.role
	}
	var tree struct{ Nodes []axNode }
	if err := t.call(ctx, "Accessibility.queryAXTree", params, &tree); err != nil {
		return el, false, err
	}
	for _, n := range tree.Nodes {
		// A text is the element that holds it.
		if n.Ignored || n.Backend == 0 || s.role == "" && n.Role.text() == "StaticText" {
			continue
		}
		el.object, err = t.resolve(ctx, node{n.Backend, t.target})
		return el, err == nil, err
	}
	return el, false, nil
}

// resolve returns the object id of a node for use by the functions of page.js.
func (t *Tab) resolve(ctx context.Context, n node) (string, error) {
	id, err := t.isolatedWorld(ctx, n.frame)
	if err != nil {
		return "", err
	}
	var r struct{ Object remoteValue }
	err = t.call(ctx, "DOM.resolveNode", object{"backendNodeId": n.backend, "executionContextId": id}, &r)
	return r.Object.ID, err
}

// waitElement finds the element of a selector and calls act, again and again until act has
// succeeded or ctx ends. act returns in why the reason for which it has to be tried again, or ""
// after it has succeeded.
func (t *Tab) waitElement(ctx context.Context, s selector, act func(ctx context.Context, el element) (why string,
	err error)) error {
	ctx, done := t.guard(ctx)
	defer done()
	look := time.NewTicker(lookInterval)
	defer look.Stop()
	why := "is not in the page"
	for {
		el, found, err := t.find(ctx, s)
		if err == nil && found {
			why, err = act(ctx, el)
			if err == nil && why == "" {
				return nil
			}
		}
		if err != nil && !isStale(err) {
			return t.missedError(ctx, s, why, err)
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return t.missedError(ctx, s, why, context.Cause(ctx))
		}
	}
}

// missedError returns the error of waitElement. It also notes the element and why, the reason, for
// [Tab.takeLastMissed].
func (t *Tab) missedError(ctx context.Context, s selector, why string, err error) error {
	t.mu.Lock()
	t.lastMissed = fmt.Sprintf("%s %s", s, why)
	t.mu.Unlock()
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return fmt.Errorf("%s %s: %w", s, why, context.DeadlineExceeded)
	}
	return err
}

// takeLastMissed returns and forgets the last element that was waited for in vain, with the reason.
// It returns "" if there is none.
func (t *Tab) takeLastMissed() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	why := t.lastMissed
	t.lastMissed = ""
	return why
}
