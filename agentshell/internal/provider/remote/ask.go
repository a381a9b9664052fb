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

// Ask is a request for an answer. Servers refuse parts of it that others want: it is made again
// without what a refusal names, as far as it can do without that.
type Ask struct {
	Path  string
	Model string
	// Versioned says that the address has to have a version, which people forget.
	Versioned bool
	// Parts are what can be left out, Tools what the model gets.
	Parts []Omission
	Tools []provider.Tool
	// Body returns the request without parts of those names, and with those of Tools: a [Body] or a
	// value to be encoded.
	Body func(without func(name string) bool, tools []provider.Tool) (any, error)
	// Events returns the events of an answer that came as one JSON value; nil: it is an event.
	Events func(value []byte) [][]byte
}

// attempt is an Ask as it is sent now.
type attempt struct {
	Ask
	api     API
	tools   []provider.Tool // that are not left out
	without map[string]bool
	body    []byte
	learned []fact   // since the first request
	notes   []string // of them
}

// mostTools bounds how many tools one request loses before it is not made again.
const mostTools = 16

// Ask makes the request, and makes it again for each part of it that the server refuses and that
// can be left out. What was left out is remembered, and told in notes. The error is that of the
// last request.
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

func (a *attempt) fact(p Omission) fact {
	f := fact{address: a.api.at.base, what: p.Name}
	if p.Model {
		f.model = a.Model
	}
	return f
}

func (a *attempt) factOf(tool provider.Tool) fact {
	return fact{a.api.at.base, a.Model, "tool " + tool.Name + " " + string(tool.Schema)}
}

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

// leaveOut takes out of the request what text refuses. It reports whether the request is another
// one now; each time there is less in it.
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

func (a *attempt) learn(f fact, note string) {
	a.learned, a.notes = append(a.learned, f), append(a.notes, note)
}

// changed encodes the request anew, and reports whether it became another one.
func (a *attempt) changed() bool {
	body, err := a.encode()
	if err != nil || bytes.Equal(body, a.body) {
		return false
	}
	a.body = body
	return true
}

// The facts about a version: that the address lacks it, and that this was told.
const lacking, told = "version", "version told"

const version = "/v1"

// missingVersion returns what the address lacks, as far as that was found.
func (a API) missingVersion() string {
	if a.dialects.has(fact{address: a.at.base, what: lacking}) {
		return version
	}
	return ""
}

// findVersion finds out whether the address lacks a version, where a path was not found. It reports
// whether it does and that was not known.
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

// toldVersion returns the note that the address lacks a version, once.
func (a API) toldVersion() []string {
	done := fact{address: a.at.base, what: told}
	if a.missingVersion() == "" || a.dialects.has(done) {
		return nil
	}
	a.dialects.learn(done)
	return []string{fmt.Sprintf("The address %s lacks %s, and %[1]s%[2]s answers. Write it so, to save a request.",
		a.at.base, version)}
}
