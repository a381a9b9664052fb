package provider

import (
	"cmp"
	"fmt"
)

// Bounds is how much of one answer is taken. A field that is 0 has its default. Bytes of the
// network count after decompression.
type Bounds struct {
	Header   int // bytes of a response's header; 256 KiB
	Refusal  int // bytes of the body of an error; 64 KiB
	Line     int // bytes of a line of the stream; 4 MiB
	Event    int // bytes of an event of the stream, all lines of it; 8 MiB
	Values   int // values in the JSON of an event: each takes a hundred times its bytes in memory; 4096
	Response int // bytes of the whole stream; 256 MiB

	Text      int // bytes of a message's text; 8 MiB
	Thinking  int // bytes of what is thought for a message; 8 MiB
	Calls     int // calls in a message; 128
	Arguments int // bytes of the arguments of a call: a proposal's 10 MB, escaped; 24 MiB
	Message   int // bytes of all that is kept of a message; 32 MiB

	Conversation int // bytes of all messages together, beyond which no model is asked any more; 64 MiB
}

const (
	kib = 1 << 10
	mib = 1 << 20
)

// OrDefault returns b with the defaults in the places of zeros.
func (b Bounds) OrDefault() Bounds {
	return Bounds{
		Header: cmp.Or(b.Header, 256*kib), Refusal: cmp.Or(b.Refusal, 64*kib),
		Line: cmp.Or(b.Line, 4*mib), Event: cmp.Or(b.Event, 8*mib), Values: cmp.Or(b.Values, 4096),
		Response: cmp.Or(b.Response, 256*mib),
		Text:     cmp.Or(b.Text, 8*mib), Thinking: cmp.Or(b.Thinking, 8*mib), Calls: cmp.Or(b.Calls, 128),
		Arguments: cmp.Or(b.Arguments, 24*mib), Message: cmp.Or(b.Message, 32*mib),
		Conversation: cmp.Or(b.Conversation, 64*mib),
	}
}

// Excess is an answer that was cut off at one of the Bounds. Another attempt would meet the same:
// it is not made.
type Excess struct{ What string } // "a line of the stream is longer than 4 MiB"

// Error says which bound it was.
func (e *Excess) Error() string { return "the answer was cut off: " + e.What }

// Longer returns the Excess of what, which is or are longer than bound bytes: "its text is".
func Longer(what string, bound int) error {
	return &Excess{what + " longer than " + Size(bound)}
}

// More returns the Excess for more than bound of something: "it makes", "calls".
func More(what string, bound int, unit string) error {
	return &Excess{fmt.Sprintf("%s more than %d %s", what, bound, unit)}
}

// Size returns n bytes with a unit.
func Size(n int) string {
	switch {
	case n >= mib && n%mib == 0:
		return fmt.Sprintf("%d MiB", n/mib)
	case n >= kib && n%kib == 0:
		return fmt.Sprintf("%d KiB", n/kib)
	}
	return fmt.Sprintf("%d bytes", n)
}

// Tally counts what is kept of one message against Bounds. Its methods are called before it is
// kept; an error is an [Excess].
type Tally struct {
	bounds                      Bounds
	text, thinking, calls, kept int
}

// NewTally begins a message.
func NewTally(b Bounds) *Tally { return &Tally{bounds: b.OrDefault()} }

// Text counts n more bytes of text.
func (t *Tally) Text(n int) error {
	if t.text += n; t.text > t.bounds.Text {
		return Longer("its text is", t.bounds.Text)
	}
	return t.Keep(n)
}

// Thinking counts n more bytes of thinking.
func (t *Tally) Thinking(n int) error {
	if t.thinking += n; t.thinking > t.bounds.Thinking {
		return Longer("its thinking is", t.bounds.Thinking)
	}
	return t.Keep(n)
}

// Call counts a call with n bytes of id and name.
func (t *Tally) Call(n int) error {
	if t.calls++; t.calls > t.bounds.Calls {
		return More("it makes", t.bounds.Calls, "calls")
	}
	return t.Keep(n)
}

// Arguments counts n more bytes of the arguments of a call that has before of them.
func (t *Tally) Arguments(before, n int) error {
	if before+n > t.bounds.Arguments {
		return Longer("the arguments of a call are", t.bounds.Arguments)
	}
	return t.Keep(n)
}

// Keep counts n bytes of anything else that is kept.
func (t *Tally) Keep(n int) error {
	if t.kept += n; t.kept > t.bounds.Message {
		return Longer("the message is", t.bounds.Message)
	}
	return nil
}
