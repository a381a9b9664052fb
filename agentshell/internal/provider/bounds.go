package provider

import (
	"cmp"
	"fmt"
)

// Bounds limits how much of one answer of a model is read and kept. A field that is 0 means its
// default. Bytes are counted after decompression.
type Bounds struct {
	Header  int // The maximum number of bytes in the header of an HTTP response; default 256 KiB.
	Refusal int // The maximum number of bytes in the body of an HTTP error; default 64 KiB.
	Line    int // The maximum number of bytes in a line of the event stream; default 4 MiB.
	Event   int // The maximum number of bytes in an event of the stream, with all its lines; default 8 MiB.
	// The maximum number of JSON values in an event; default 4096. In memory each value takes up to
	// a hundred times its bytes.
	Values   int
	Response int // The maximum number of bytes in the whole stream; default 256 MiB.

	Text     int // The maximum number of bytes in the text of a message; default 8 MiB.
	Thinking int // The maximum number of bytes in the reasoning of a message; default 8 MiB.
	Calls    int // The maximum number of tool calls in a message; default 128.
	// The maximum number of bytes in the arguments of a tool call; default 24 MiB, enough for a
	// file of 10 MB with JSON escapes.
	Arguments int
	Message   int // The maximum number of bytes that are kept of a message; default 32 MiB.

	// The maximum number of bytes in all messages of a conversation; default 64 MiB. A longer
	// conversation is not sent to any model.
	Conversation int
}

const (
	kib = 1 << 10
	mib = 1 << 20
)

// OrDefault returns a copy of b in which each zero is replaced by the default of its field.
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

// Excess is the error of an answer that was cut off because it exceeded one of the [Bounds]. The
// request is not tried again, since the next answer would exceed them, too.
type Excess struct{ What string }

// Error says which limit the answer has exceeded.
func (e *Excess) Error() string { return "the answer was cut off: " + e.What }

// TooLongError returns an Excess for something that is longer than bound bytes. what is the subject
// and the verb of the message: "its text is".
func TooLongError(what string, bound int) error {
	return &Excess{what + " longer than " + FormatSize(bound)}
}

// TooManyError returns an Excess for an answer with more than bound of something. what and unit are
// the words around the number: "it makes", "calls".
func TooManyError(what string, bound int, unit string) error {
	return &Excess{fmt.Sprintf("%s more than %d %s", what, bound, unit)}
}

// FormatSize returns a number of bytes as text with a unit, such as "24 MiB".
func FormatSize(n int) string {
	switch {
	case n >= mib && n%mib == 0:
		return fmt.Sprintf("%d MiB", n/mib)
	case n >= kib && n%kib == 0:
		return fmt.Sprintf("%d KiB", n/kib)
	}
	return fmt.Sprintf("%d bytes", n)
}

// Tally counts the bytes and tool calls of one message, and compares them with the [Bounds]. A
// caller counts each piece before it stores the piece. Each method returns an [Excess] as soon as a
// limit is exceeded.
type Tally struct {
	bounds                          Bounds
	text, thinking, calls, retained int
}

// NewTally returns a Tally for a new message, with all counts at 0.
func NewTally(b Bounds) *Tally { return &Tally{bounds: b.OrDefault()} }

// CountText adds n bytes of text.
func (t *Tally) CountText(n int) error {
	if t.text += n; t.text > t.bounds.Text {
		return TooLongError("its text is", t.bounds.Text)
	}
	return t.CountOther(n)
}

// CountThinking adds n bytes of the model's reasoning.
func (t *Tally) CountThinking(n int) error {
	if t.thinking += n; t.thinking > t.bounds.Thinking {
		return TooLongError("its thinking is", t.bounds.Thinking)
	}
	return t.CountOther(n)
}

// CountCall adds one tool call, whose id and name have n bytes.
func (t *Tally) CountCall(n int) error {
	if t.calls++; t.calls > t.bounds.Calls {
		return TooManyError("it makes", t.bounds.Calls, "calls")
	}
	return t.CountOther(n)
}

// CountArguments adds n bytes to the arguments of a tool call. The parameter before is the number
// of bytes that these arguments have already.
func (t *Tally) CountArguments(before, n int) error {
	if before+n > t.bounds.Arguments {
		return TooLongError("the arguments of a call are", t.bounds.Arguments)
	}
	return t.CountOther(n)
}

// CountOther adds n bytes that are kept but are neither text, reasoning nor arguments, such as
// signatures.
func (t *Tally) CountOther(n int) error {
	if t.retained += n; t.retained > t.bounds.Message {
		return TooLongError("the message is", t.bounds.Message)
	}
	return nil
}
