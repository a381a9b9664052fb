package job

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The numbers of bytes that are kept of a job's output, at its beginning and its end.
const (
	headBytes = 8 << 10
	tailBytes = 64 << 10
)

// outputBuffer is the output of a job. The middle of a long one is left out.
type outputBuffer struct {
	head, tail []byte
	total      int
}

func (t *outputBuffer) write(s string) {
	t.total += len(s)
	k := min(headBytes-len(t.head), len(s))
	t.head = append(t.head, s[:k]...)
	t.tail = append(t.tail, s[k:]...)
	if excess := len(t.tail) - tailBytes; excess > tailBytes { // not for each piece, because it moves all bytes
		t.tail = append(t.tail[:0], t.tail[excess:]...)
	}
}

// text returns the output. If something was left out, it is cut at the ends of lines and says how
// many bytes are missing.
func (t *outputBuffer) text() string {
	tail := t.tail[max(len(t.tail)-tailBytes, 0):]
	omitted := t.total - len(t.head) - len(tail)
	if omitted == 0 {
		return string(t.head) + string(tail)
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
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", head, omitted, end)
}
