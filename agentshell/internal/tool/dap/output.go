package dap

import (
	"strings"
	"unicode/utf8"
)

// maxOutput is the number of bytes of a program's output that are kept. Older bytes are removed
// when trimmedAtOnce more have come.
const (
	maxOutput     = 128 << 10
	trimmedAtOnce = 16 << 10
)

// output holds the last output of a program.
type output struct {
	text      []byte
	truncated bool
}

func (o *output) write(text string) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if more := len(text) - maxOutput; more > 0 {
		text, o.truncated = text[more:], true
	}
	if o.text = append(o.text, text...); len(o.text) > maxOutput+trimmedAtOnce {
		o.text = append([]byte{}, o.last()...)
	}
}

// last returns the newest maxOutput bytes. It begins at a complete character.
func (o *output) last() []byte {
	text := o.text
	if over := len(text) - maxOutput; over > 0 {
		text, o.truncated = text[over:], true
	}
	for o.truncated && len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

// note adds a line in brackets that is a message of this program.
func (o *output) note(text string) {
	if len(o.text) > 0 && o.text[len(o.text)-1] != '\n' {
		o.write("\n")
	}
	o.write("[" + strings.ToValidUTF8(text, "\uFFFD") + "]\n")
}
