package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/console"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// The numbers of bytes that are given of a job's output, at its beginning and its end, and how much
// more of it is looked at to tell where a character begins and ends.
const (
	headBytes   = 8 << 10
	tailBytes   = 64 << 10
	besideBytes = 1 << 10
)

// outputBuffer is what the output of a job leaves on a terminal. The middle of a long one is left
// out.
type outputBuffer struct {
	screen     console.Screen
	head, tail []byte // without what stands on the screen
	total      int
}

func (b *outputBuffer) write(s string) {
	b.screen.Out = b.take
	_, _ = b.screen.Write([]byte(s))
}

// take keeps text that cannot change any more.
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

// end makes the output final and gives the memory of its screen back.
func (b *outputBuffer) end() {
	b.screen.Out = b.take
	b.screen.Close()
	b.screen = console.Screen{}
}

// withScreen returns what is kept with what stands on the screen.
func (b *outputBuffer) withScreen() *outputBuffer {
	c := &outputBuffer{head: slices.Clone(b.head), tail: slices.Clone(b.tail), total: b.total}
	c.take(b.screen.Live())
	return c
}

// text returns the output and how many bytes it has. If something was left out, it is cut at the
// ends of lines, or else between characters, and says how many bytes are missing.
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
