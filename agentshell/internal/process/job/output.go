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

func (t *outputBuffer) write(s string) {
	t.screen.Out = t.take
	_, _ = t.screen.Write([]byte(s))
}

// take keeps text that cannot change any more.
func (t *outputBuffer) take(s []byte) {
	t.total += len(s)
	k := min(headBytes-len(t.head), len(s))
	t.head = append(t.head, s[:k]...)
	t.tail = append(t.tail, s[k:]...)
	if excess := len(t.tail) - tailBytes; excess > tailBytes { // not for each piece, because it moves all bytes
		t.tail = append(t.tail[:0], t.tail[excess:]...)
	}
}

// end makes the output final and gives the memory of its screen back.
func (t *outputBuffer) end() {
	t.screen.Out = t.take
	t.screen.Close()
	t.screen = console.Screen{}
}

// withScreen returns what is kept with what stands on the screen.
func (t *outputBuffer) withScreen() *outputBuffer {
	c := &outputBuffer{head: slices.Clone(t.head), tail: slices.Clone(t.tail), total: t.total}
	c.take(t.screen.Live())
	return c
}

// text returns the output and how many bytes it has. If something was left out, it is cut at the
// ends of lines and says how many bytes are missing.
func (t *outputBuffer) text() (text string, total int) {
	t = t.withScreen()
	tail := t.tail[max(len(t.tail)-tailBytes, 0):]
	omitted := t.total - len(t.head) - len(tail)
	if omitted == 0 {
		return string(t.head) + string(tail), t.total
	}
	head, end := string(t.head), string(tail)
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
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", head, omitted, end), t.total
}
