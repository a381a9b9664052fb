package openai

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// call is a tool call whose arguments arrive in pieces.
type call struct {
	index   int
	given   string            // the server's id
	as      provider.ToolCall // without its name and its input
	name    string
	input   []byte
	object  []byte // arguments that came whole, as an object
	nesting nesting
	begun   bool // its ToolCallStart was yielded
	done    bool // its ToolCall was yielded
}

// call takes a piece of a call.
func (a *completionAnswer) call(part callPart) bool {
	c := a.callOf(part)
	if c == nil {
		if !a.checked(a.speech.Flush(a.habit)) || !a.closeCalls(false) {
			return false
		}
		if err := a.tally.Call(len(part.ID) + len(part.Function.Name)); err != nil {
			return a.fail(err)
		}
		c = &call{given: part.ID, as: a.ids.New(part.ID), name: part.Function.Name}
		if n := len(a.calls); c.name == "" && c.given == "" && n > 0 {
			c.name = a.calls[n-1].name // it is called again
		}
		if part.Index != nil {
			c.index = *part.Index
		}
		a.calls = append(a.calls, c)
	}
	c.name = cmp.Or(c.name, part.Function.Name)
	if c.name != "" && !a.start(c) {
		return false
	}
	return a.arguments(c, part.Function)
}

// arguments adds a piece to those of a call.
func (a *completionAnswer) arguments(c *call, f calledFunction) bool {
	if f.object != nil {
		if err := a.tally.Arguments(0, len(f.object)); err != nil {
			return a.fail(err)
		}
		c.object = f.object
	}
	if f.Arguments == "" {
		return true
	}
	if err := a.tally.Arguments(len(c.input), len(f.Arguments)); err != nil {
		return a.fail(err)
	}
	c.input = append(c.input, f.Arguments...)
	c.nesting.add(f.Arguments)
	return a.start(c) && a.give(provider.ToolCallDelta{ID: c.as.ID, JSON: f.Arguments})
}

// start yields the start of a call, which waits for its name.
func (a *completionAnswer) start(c *call) bool {
	if c.begun {
		return true
	}
	c.begun = true
	return a.give(provider.ToolCallStart{ID: c.as.ID, Name: c.name})
}

// callOf returns the call that a piece belongs to, nil if it begins one: the last one of its index,
// or of all where it has none. Some servers give each call the index 0, the same id or none, some
// give each piece another id, and some repeat the name with each piece.
func (a *completionAnswer) callOf(part callPart) *call {
	var c *call
	for _, known := range a.calls {
		if (part.Index == nil || known.index == *part.Index) &&
			(part.ID == "" || part.ID == known.given || part.Function.Name == "") {
			c = known
		}
	}
	if c == nil || part.startsBehind(c) {
		return nil
	}
	return c
}

// startsBehind reports whether a piece cannot be one of c: by its name, or because c has all its
// arguments and the piece begins others.
func (p callPart) startsBehind(c *call) bool {
	f := p.Function
	begins := strings.HasPrefix(strings.TrimLeft(f.Arguments, " \r\n\t"), "{")
	same := p.ID != "" && p.ID == c.given
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

// closeCalls yields the calls that nothing is added to any more: those that have all their
// arguments, or at the end of the answer all.
func (a *completionAnswer) closeCalls(end bool) bool {
	for _, c := range a.calls {
		if c.done || !end && c.object == nil && !c.nesting.closed() {
			continue
		}
		c.done = true
		if !a.start(c) || !a.give(c.toolCall()) {
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
	return toolCall(c.as, c.name, input)
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

// nesting follows how deep JSON is nested that comes in pieces.
type nesting struct {
	depth           int
	opened          bool
	quoted, escaped bool
}

// closed reports whether an object or a list began and has ended.
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
