package dap

import (
	"strings"
	"unicode/utf8"
)

// maxOutputBytes is the number of bytes of a program's output that are kept. Older bytes are
// removed when trimBytes more have come.
const (
	maxOutputBytes = 128 << 10
	trimBytes      = 16 << 10
)

// outputBuffer holds the last output of a program.
type outputBuffer struct {
	text      []byte
	truncated bool
}

func (o *outputBuffer) write(text string) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if more := len(text) - maxOutputBytes; more > 0 {
		text, o.truncated = text[more:], true
	}
	if o.text = append(o.text, text...); len(o.text) > maxOutputBytes+trimBytes {
		o.text = append([]byte{}, o.newest()...)
	}
}

// newest returns the newest maxOutputBytes bytes. It begins at a complete character.
func (o *outputBuffer) newest() []byte {
	text := o.text
	if over := len(text) - maxOutputBytes; over > 0 {
		text, o.truncated = text[over:], true
	}
	for o.truncated && len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

// addNote adds a line in brackets that is a message of this program.
func (o *outputBuffer) addNote(text string) {
	if len(o.text) > 0 && o.text[len(o.text)-1] != '\n' {
		o.write("\n")
	}
	o.write("[" + strings.ToValidUTF8(text, "\uFFFD") + "]\n")
}
