package openai

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// call is a tool call whose arguments arrive in pieces.
type call struct {
	index    int
	serverID string            // the server's id
	base     provider.ToolCall // without its name and its input
	name     string
	input    []byte
	object   []byte // arguments that came whole, as an object
	nesting  nesting
	begun    bool // its ToolCallStart was yielded
	done     bool // its ToolCall was yielded
}

// takeCallPart adds a piece of a call to the call that it belongs to.
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

// addArguments adds a piece to the arguments of a call.
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

// startCall yields the start of a call, once its name is known.
func (a *completionAnswer) startCall(c *call) bool {
	if c.begun {
		return true
	}
	c.begun = true
	return a.give(provider.ToolCallStart{ID: c.base.ID, Name: c.name})
}

// findCall returns the call that a piece belongs to, or nil if the piece begins a new one. It is
// the last call with the piece's index, or the last of all for a piece without an index. Some
// servers give each call the index 0, the same id or none, some give each piece another id, and
// some repeat the name with each piece.
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

// beginsNewCall reports whether p cannot belong to c: it has another name, or c has all its
// arguments and p begins others.
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

// closeCalls yields the calls that have all their arguments, or all calls at the end of the answer.
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

func (c *call) toolCall() provider.ToolCall {
	input := c.input
	if len(bytes.TrimSpace(input)) == 0 {
		input = c.object
	}
	return toolCall(c.base, c.name, input)
}

// toolCall returns a call as either API gives it; one without arguments may come with an empty
// text.
func toolCall(as provider.ToolCall, name string, input []byte) provider.ToolCall {
	if len(input) == 0 {
		input = []byte("{}")
	}
	as.Name, as.Input = name, input
	return as
}

// nesting counts the open objects and lists of JSON that comes in pieces.
type nesting struct {
	depth           int
	opened          bool
	quoted, escaped bool
}

// closed reports whether an object or a list has begun, and all of them have ended.
func (n *nesting) closed() bool { return n.opened && n.depth <= 0 }

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
