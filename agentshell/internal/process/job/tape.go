package job

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// What is kept of the output of a job, from its beginning and from its end.
const (
	keepHead = 8 << 10
	keepTail = 64 << 10
)

// tape is the output of a job, without the middle of a long one.
type tape struct {
	head, tail []byte
	total      int
}

func (t *tape) write(s string) {
	t.total += len(s)
	k := min(keepHead-len(t.head), len(s))
	t.head = append(t.head, s[:k]...)
	t.tail = append(t.tail, s[k:]...)
	if over := len(t.tail) - keepTail; over > keepTail { // not for each piece: it is moved
		t.tail = append(t.tail[:0], t.tail[over:]...)
	}
}

// text returns what is kept, whole lines of it where something is left out.
func (t *tape) text() string {
	tail := t.tail[max(len(t.tail)-keepTail, 0):]
	left := t.total - len(t.head) - len(tail)
	if left == 0 {
		return string(t.head) + string(tail)
	}
	head, rest := string(t.head), string(tail)
	if i := strings.LastIndexByte(head, '\n'); i >= 0 {
		left, head = left+len(head)-i-1, head[:i+1]
	}
	if i := strings.IndexByte(rest, '\n'); i >= 0 && i < len(rest)-1 {
		left, rest = left+i+1, rest[i+1:]
	}
	for rest != "" && !utf8.RuneStart(rest[0]) {
		left, rest = left+1, rest[1:]
	}
	head = strings.TrimSuffix(strings.ToValidUTF8(head, ""), "\n")
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", head, left, rest)
}
