package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/console"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// headBytes and tailBytes are the numbers of bytes that are reported of a long output, from its
// beginning and from its end. besideBytes more are stored on each side, so that the report can be
// cut between characters.
const (
	headBytes   = 8 << 10
	tailBytes   = 64 << 10
	besideBytes = 1 << 10
)

// outputBuffer holds the output of a job as a terminal would show it. Of a long output it holds
// only the beginning and the end.
type outputBuffer struct {
	screen     console.Screen
	head, tail []byte // finished text, without the lines that are still on the screen
	total      int
}

func (b *outputBuffer) write(s string) {
	b.screen.Out = b.take
	_, _ = b.screen.Write([]byte(s))
}

// take appends text that later output can no longer change.
func (b *outputBuffer) take(s []byte) {
	b.total += len(s)
	k := min(headBytes+besideBytes-len(b.head), len(s))
	b.head = append(b.head, s[:k]...)
	b.tail = append(b.tail, s[k:]...)
	excess := len(b.tail) - tailBytes - besideBytes
	if excess > tailBytes { // not for each piece, because it moves all bytes
		b.tail = append(b.tail[:0], b.tail[excess:]...)
	}
}

// end makes all output final and frees the memory of the screen.
func (b *outputBuffer) end() {
	b.screen.Out = b.take
	b.screen.Close()
	b.screen = console.Screen{}
}

// withScreen returns a copy of the buffer that also has the text still on the screen.
func (b *outputBuffer) withScreen() *outputBuffer {
	c := &outputBuffer{head: slices.Clone(b.head), tail: slices.Clone(b.tail), total: b.total}
	c.take(b.screen.Live())
	return c
}

// text returns the output and its complete length in bytes. If the middle was left out, a line
// there says how many bytes are missing. The output is cut at line ends if possible, otherwise
// between characters.
func (b *outputBuffer) text() (text string, total int) {
	b = b.withScreen()
	head, tail := string(b.head), string(b.tail)
	if len(head)+len(tail) == b.total { // the one goes on with the other
		if b.total <= headBytes+tailBytes {
			return head + tail, b.total
		}
		head, tail = head+tail, head+tail
	}
	head, tail = width.Head(head, headBytes), width.Tail(tail, tailBytes)
	if i := strings.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i+1]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)-1 {
		tail = tail[i+1:]
	}
	omitted := b.total - len(head) - len(tail)
	head = strings.TrimSuffix(strings.ToValidUTF8(head, ""), "\n")
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", head, omitted, tail), b.total
}
