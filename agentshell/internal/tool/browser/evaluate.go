package browser

import (
	"context"
	"encoding/json"
	"fmt"
)

// evaluate runs a script in the page and returns its value as JSON, or nil for undefined. The
// script is an expression, or the text of a function that is called with args. An argument that is
// the handle of an observed element is passed as that DOM element.
func (t *Tab) evaluate(ctx context.Context, script string, isFunction bool, args []json.RawMessage) (json.RawMessage,
	error) {
	var r evaluation
	if !isFunction {
		err := t.call(ctx, "Runtime.evaluate", object{"expression": script, "awaitPromise": true, "returnByValue": true,
			"userGesture": true}, &r)
		return r.value(err)
	}
	var window evaluation
	if err := t.call(ctx, "Runtime.evaluate", object{"expression": "globalThis"}, &window); err != nil {
		return nil, err
	}
	list := []object{}
	for _, a := range args {
		var handle struct {
			ID int `json:"__element"`
		}
		if json.Unmarshal(a, &handle) != nil || handle.ID == 0 {
			list = append(list, object{"value": a})
			continue
		}
		id, err := t.objectInPage(ctx, handle.ID)
		if err != nil {
			return nil, err
		}
		list = append(list, object{"objectId": id})
	}
	err := t.call(ctx, "Runtime.callFunctionOn", object{"functionDeclaration": script, "arguments": list,
		"objectId": window.Result.ID, "awaitPromise": true, "returnByValue": true, "userGesture": true}, &r)
	return r.value(err)
}

// objectInPage returns the object id of the element with the given number, for use by scripts of
// the page itself.
func (t *Tab) objectInPage(ctx context.Context, id int) (string, error) {
	if _, _, err := t.numbered(ctx, selector{kind: "id", id: id}); err != nil {
		return "", err
	}
	t.mu.Lock()
	x := t.numbers.nodes[id]
	t.mu.Unlock()
	var r struct{ Object remoteValue }
	err := t.call(ctx, "DOM.resolveNode", object{"backendNodeId": x.backend}, &r)
	return r.Object.ID, err
}

// value returns the value of the script as JSON, nil for undefined. err is the error of the call
// that ran the script; it is returned first.
func (e evaluation) value(err error) (json.RawMessage, error) {
	if err == nil {
		err = e.err()
	}
	switch {
	case err != nil:
		return nil, err
	case e.Result.Special != "":
		return json.Marshal(e.Result.Special)
	case e.Result.Kind == "undefined":
		return nil, nil
	case e.Result.Value == nil:
		return nil, fmt.Errorf("a %s cannot leave the page: return JSON", e.Result.Kind)
	}
	return e.Result.Value, nil
}
