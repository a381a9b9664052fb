package job

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/console"
)

// The numbers of bytes that are kept of a job's output, at its beginning and its end.
const (
	headBytes = 8 << 10
	tailBytes = 64 << 10
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
	k := min(headBytes-len(b.head), len(s))
	b.head = append(b.head, s[:k]...)
	b.tail = append(b.tail, s[k:]...)
	if excess := len(b.tail) - tailBytes; excess > tailBytes { // not for each piece, because it moves all bytes
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
// ends of lines and says how many bytes are missing.
func (b *outputBuffer) text() (text string, total int) {
	b = b.withScreen()
	tail := b.tail[max(len(b.tail)-tailBytes, 0):]
	omitted := b.total - len(b.head) - len(tail)
	if omitted == 0 {
		return string(b.head) + string(tail), b.total
	}
	head, end := string(b.head), string(tail)
	if i := strings.LastIndexByte(head, '\n'); i >= 0 {
		omitted, head = omitted+len(head)-i-1, head[:i+1]
	}
	if i := strings.IndexByte(end, '\n'); i >= 0 && i < len(end)-1 {
		omitted, end = omitted+i+1, end[i+1:]
	}
	for end != "" && !utf8.RuneStart(end[0]) {
		omitted, end = omitted+1, end[1:]
	}
	head = strings.TrimSuffix(strings.ToValidUTF8(head, ""), "\n")
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", head, omitted, end), b.total
}
