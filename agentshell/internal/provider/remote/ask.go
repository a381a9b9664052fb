package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Ask is a request for an answer of a model. Some servers refuse parts of a request that others
// require. The request is then sent again without the refused part.
type Ask struct {
	Path  string
	Model string
	// The address must contain a version such as /v1, which users often forget. If the request
	// fails, the address is tried with /v1.
	Versioned bool
	// Parts lists what can be left out of the request.
	Parts []Omission
	// Tools lists the tools that the model may call.
	Tools []provider.Tool
	// Body returns the request with the given tools, but without the parts for whose names the
	// function without returns true. The result is a [Body], or a value to encode as JSON.
	Body func(without func(name string) bool, tools []provider.Tool) (any, error)
	// Events converts an answer that came as one JSON value to events of a stream. If it is nil,
	// the value is an event.
	Events func(value []byte) [][]byte
}

// attempt is the state of an [Ask] while it is sent, and sent again with less in it.
type attempt struct {
	Ask
	api     API
	tools   []provider.Tool // The tools that are still in the request.
	without map[string]bool
	body    []byte
	learned []fact   // What the server was found to refuse since the first request.
	notes   []string // Messages for the user about what was learned.
}

// mostTools is the maximum number of tools that are left out of one request. After that its error
// is final.
const mostTools = 16

// Ask sends the request. Each time the server refuses a part that can be left out, it sends the
// request again without that part. Once the server has answered, later requests leave these parts
// out, too. notes tell the user about that. The error is the last request's.
func (a API) Ask(ctx context.Context, ask Ask) (answer *Answer, notes []string, err error) {
	t := attempt{Ask: ask, api: a, without: map[string]bool{}}
	for _, p := range ask.Parts {
		t.without[p.Name] = a.dialects.has(t.fact(p))
	}
	for _, tool := range ask.Tools {
		if !a.dialects.has(t.factOf(tool)) {
			t.tools = append(t.tools, tool)
		}
	}
	if t.body, err = t.encode(); err != nil {
		return nil, nil, err
	}
	for {
		answer, err = a.post(ctx, a.missingVersion()+ask.Path, t.body, ask.Events)
		if err == nil {
			for _, f := range t.learned {
				a.dialects.learn(f)
			}
			return answer, slices.Concat(a.toldVersion(), t.notes), nil
		}
		if ask.Versioned && a.findVersion(ctx, err) {
			continue
		}
		if !t.leaveOut(complaint(err)) {
			return nil, nil, err
		}
	}
}

// fact returns the fact to remember if the part p is refused: by the server, or only for this
// model.
func (a *attempt) fact(p Omission) fact {
	f := fact{address: a.api.at.base, what: p.Name}
	if p.Model {
		f.model = a.Model
	}
	return f
}

// factOf returns the fact to remember if the tool is refused for this model.
func (a *attempt) factOf(tool provider.Tool) fact {
	return fact{a.api.at.base, a.Model, "tool " + tool.Name + " " + string(tool.Schema)}
}

// encode returns the request in its present form as JSON.
func (a *attempt) encode() ([]byte, error) {
	body, err := a.Body(func(name string) bool { return a.without[name] }, a.tools)
	if err != nil {
		return nil, err
	}
	if text, encoded := body.(Body); encoded {
		return text, nil
	}
	return Encode(body)
}

// leaveOut removes from the request what text, the server's message, refuses. It reports whether
// the request has changed, so that it is worth sending again.
func (a *attempt) leaveOut(text string) bool {
	if text == "" {
		return false
	}
	for _, p := range a.Parts {
		if a.without[p.Name] || !p.refuses(text) {
			continue
		}
		a.without[p.Name] = true
		if a.changed() {
			a.learn(a.fact(p), fmt.Sprintf("The server refuses %s. It is left out from now on: %s.", p.Name, p.Means))
			return true
		}
	}
	if len(a.Tools)-len(a.tools) >= mostTools {
		return false
	}
	for _, i := range slices.Backward(refusedTools(text, a.tools)) {
		tool := a.tools[i]
		a.tools = slices.Delete(slices.Clone(a.tools), i, i+1)
		a.learn(a.factOf(tool), fmt.Sprintf("The tool %s is left out from now on, because the server refuses it: %s",
			tool.Name, line(text)))
	}
	return a.changed()
}

// learn records a fact and a message for the user about it.
func (a *attempt) learn(f fact, note string) {
	a.learned, a.notes = append(a.learned, f), append(a.notes, note)
}

// changed encodes the request again and reports whether its bytes differ from those sent before.
func (a *attempt) changed() bool {
	body, err := a.encode()
	if err != nil || bytes.Equal(body, a.body) {
		return false
	}
	a.body = body
	return true
}

// The kinds of facts about a version in an address: the address lacks it, and the user was told so.
const lacking, told = "version", "version told"

const version = "/v1"

// missingVersion returns "/v1" if the address was found to lack it, or else "".
func (a API) missingVersion() string {
	if a.dialects.has(fact{address: a.at.base, what: lacking}) {
		return version
	}
	return ""
}

// findVersion tries the address with /v1 after a request has failed with err. It returns true if
// that works, so that the request should be sent again.
func (a API) findVersion(ctx context.Context, err error) bool {
	var r *Refused
	if !errors.As(err, &r) || !a.at.plain() || a.missingVersion() != "" ||
		!slices.Contains([]int{0, http.StatusNotFound, http.StatusMethodNotAllowed}, r.Status) {
		return false
	}
	var list models
	if a.Get(ctx, version+"/models", &list) != nil || list.Data == nil && list.Models == nil {
		return false
	}
	a.dialects.learn(fact{address: a.at.base, what: lacking})
	return true
}

// toldVersion returns a message for the user that the address lacks a version. It returns nil if
// there is nothing to tell, or the user was told before.
func (a API) toldVersion() []string {
	done := fact{address: a.at.base, what: told}
	if a.missingVersion() == "" || a.dialects.has(done) {
		return nil
	}
	a.dialects.learn(done)
	return []string{fmt.Sprintf("The address %s lacks %s, and %[1]s%[2]s answers. Write it so, to save a request.",
		a.at.base, version)}
}
