package openai

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// call is a tool call of a chat completion. Its arguments arrive in pieces.
type call struct {
	index    int
	serverID string            // The id that the server sent.
	base     provider.ToolCall // The tool call without its name and input.
	name     string
	input    []byte
	object   []byte // Arguments that arrived as one JSON object, and not as pieces of text.
	nesting  nesting
	begun    bool // The start of the call was yielded.
	done     bool // The complete call was yielded.
}

// takeCallPart adds a piece to the tool call that it belongs to, or begins a new call. It returns
// false if the consumer wants no more events, or an error was yielded.
func (a *completionAnswer) takeCallPart(part callPart) bool {
	c := a.findCall(part)
	if c == nil {
		if !a.goesOn(a.speech.Flush(a.habit)) || !a.closeCalls(false) {
			return false
		}
		if err := a.tally.CountCall(len(part.ID) + len(part.Function.Name)); err != nil {
			return a.fail(err)
		}
		c = &call{serverID: part.ID, base: a.ids.New(part.ID), name: part.Function.Name}
		if n := len(a.calls); c.name == "" && c.serverID == "" && n > 0 {
			c.name = a.calls[n-1].name // it is called again
		}
		if part.Index != nil {
			c.index = *part.Index
		}
		a.calls = append(a.calls, c)
	}
	c.name = cmp.Or(c.name, part.Function.Name)
	if c.name != "" && !a.startCall(c) {
		return false
	}
	return a.addArguments(c, part.Function)
}

// addArguments adds a piece to the arguments of tool call c. It returns false if the consumer wants
// no more events, or an error was yielded.
func (a *completionAnswer) addArguments(c *call, f calledFunction) bool {
	if f.object != nil {
		if err := a.tally.CountArguments(0, len(f.object)); err != nil {
			return a.fail(err)
		}
		c.object = f.object
	}
	if f.Arguments == "" {
		return true
	}
	if err := a.tally.CountArguments(len(c.input), len(f.Arguments)); err != nil {
		return a.fail(err)
	}
	c.input = append(c.input, f.Arguments...)
	c.nesting.add(f.Arguments)
	return a.startCall(c) && a.give(provider.ToolCallDelta{ID: c.base.ID, JSON: f.Arguments})
}

// startCall yields the start of a tool call, if that was not yielded before. It returns false if
// the consumer wants no more events.
func (a *completionAnswer) startCall(c *call) bool {
	if c.begun {
		return true
	}
	c.begun = true
	return a.give(provider.ToolCallStart{ID: c.base.ID, Name: c.name})
}

// findCall returns the tool call that a piece belongs to, or nil if the piece begins a new call. It
// is the last call with the index of the piece, or the last call of all if the piece has no index.
//
// Servers deviate from the API: some give each call the index 0, the same id or none, some give
// each piece another id, and some repeat the name with each piece.
func (a *completionAnswer) findCall(part callPart) *call {
	var c *call
	for _, known := range a.calls {
		if (part.Index == nil || known.index == *part.Index) &&
			(part.ID == "" || part.ID == known.serverID || part.Function.Name == "") {
			c = known
		}
	}
	if c == nil || part.beginsNewCall(c) {
		return nil
	}
	return c
}

// beginsNewCall reports whether p cannot be a piece of c: it has another name, or it begins new
// arguments although those of c are complete.
func (p callPart) beginsNewCall(c *call) bool {
	f := p.Function
	begins := strings.HasPrefix(strings.TrimLeft(f.Arguments, " \r\n\t"), "{")
	same := p.ID != "" && p.ID == c.serverID
	switch {
	case begins && c.nesting.closed():
		return true
	case f.Name == "":
		return false
	case f.object != nil && c.object != nil:
		return !same || !bytes.Equal(f.object, c.object)
	case begins && len(c.object) > len("{}"):
		return true
	}
	return !same && c.name != "" && f.Name != c.name
}

// closeCalls yields the tool calls that have all their arguments. At the end of the answer it
// yields all calls. It returns false if the consumer wants no more events.
func (a *completionAnswer) closeCalls(end bool) bool {
	for _, c := range a.calls {
		if c.done || !end && c.object == nil && !c.nesting.closed() {
			continue
		}
		c.done = true
		if !a.startCall(c) || !a.give(c.toolCall()) {
			return false
		}
	}
	return true
}

// toolCall returns c with its name and the arguments that have arrived.
func (c *call) toolCall() provider.ToolCall {
	input := c.input
	if len(bytes.TrimSpace(input)) == 0 {
		input = c.object
	}
	return toolCall(c.base, c.name, input)
}

// toolCall returns a copy of the tool call as with a name and arguments. Servers may send an empty
// text for no arguments; it becomes "{}".
func toolCall(as provider.ToolCall, name string, input []byte) provider.ToolCall {
	if len(input) == 0 {
		input = []byte("{}")
	}
	as.Name, as.Input = name, input
	return as
}

// nesting counts the open objects and lists of JSON that arrives in pieces.
type nesting struct {
	depth           int
	opened          bool
	quoted, escaped bool
}

// closed reports whether an object or a list has begun, and everything that was opened is closed.
func (n *nesting) closed() bool { return n.opened && n.depth <= 0 }

// add reads the next piece of the JSON.
func (n *nesting) add(piece string) {
	for i := range len(piece) {
		switch c := piece[i]; {
		case n.escaped:
			n.escaped = false
		case n.quoted:
			n.quoted, n.escaped = c != '"', c == '\\'
		case c == '"':
			n.quoted = true
		case c == '{' || c == '[':
			n.depth, n.opened = n.depth+1, true
		case c == '}' || c == ']':
			n.depth--
		}
	}
}
