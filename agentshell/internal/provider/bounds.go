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

// TooLongError returns the Excess that says that something is longer than bound bytes. what is the
// beginning of a sentence: "its text is".
func TooLongError(what string, bound int) error {
	return &Excess{what + " longer than " + FormatSize(bound)}
}

// TooManyError returns the Excess that says that there is more than bound of something. what and
// unit are parts of a sentence: "it makes", "calls".
func TooManyError(what string, bound int, unit string) error {
	return &Excess{fmt.Sprintf("%s more than %d %s", what, bound, unit)}
}

// FormatSize returns a number of bytes as text with a unit, "24 MiB".
func FormatSize(n int) string {
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
	bounds                          Bounds
	text, thinking, calls, retained int
}

// NewTally returns the Tally of a new message.
func NewTally(b Bounds) *Tally { return &Tally{bounds: b.OrDefault()} }

// CountText counts n more bytes of text.
func (t *Tally) CountText(n int) error {
	if t.text += n; t.text > t.bounds.Text {
		return TooLongError("its text is", t.bounds.Text)
	}
	return t.CountOther(n)
}

// CountThinking counts n more bytes of thinking.
func (t *Tally) CountThinking(n int) error {
	if t.thinking += n; t.thinking > t.bounds.Thinking {
		return TooLongError("its thinking is", t.bounds.Thinking)
	}
	return t.CountOther(n)
}

// CountCall counts a call with n bytes of id and name.
func (t *Tally) CountCall(n int) error {
	if t.calls++; t.calls > t.bounds.Calls {
		return TooManyError("it makes", t.bounds.Calls, "calls")
	}
	return t.CountOther(n)
}

// CountArguments counts n more bytes of the arguments of a call that has before of them.
func (t *Tally) CountArguments(before, n int) error {
	if before+n > t.bounds.Arguments {
		return TooLongError("the arguments of a call are", t.bounds.Arguments)
	}
	return t.CountOther(n)
}

// CountOther counts n bytes of anything else that is kept.
func (t *Tally) CountOther(n int) error {
	if t.retained += n; t.retained > t.bounds.Message {
		return TooLongError("the message is", t.bounds.Message)
	}
	return nil
}
