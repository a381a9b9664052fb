package console

import (
	"bytes"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Tail keeps the last bytes of the text that a program's output leaves on a terminal, see [Screen].
// Limit is their maximum number.
type Tail struct {
	Limit int

	screen Screen
	kept   []byte // The final text, up to twice the limit. The text on the screen is not included.
	cut    bool
}

// Write takes output of the program. It never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.screen.Out = t.keep
	return t.screen.Write(p)
}

// keep adds final text, and drops text beyond the limit.
func (t *Tail) keep(p []byte) {
	if excess := len(p) - t.Limit; excess > 0 {
		t.cut, p = true, p[excess:]
	}
	if len(t.kept)+len(p) > 2*t.Limit { // not for each piece, because it moves all bytes
		t.cut = true
		t.kept = append(t.kept[:0], t.kept[len(t.kept)-t.Limit:]...)
	}
	t.kept = append(t.kept, p...)
}

// Text returns the last Limit bytes of the text. If text before them was dropped, cut is true and
// the result begins at the start of a line.
func (t *Tail) Text() (text string, cut bool) {
	all := append(bytes.Clone(t.kept), t.screen.Live()...)
	text = width.Tail(string(all), t.Limit)
	cut = t.cut || len(text) < len(all)
	if i := strings.IndexByte(text, '\n'); cut && i >= 0 && i < len(text)-1 {
		text = text[i+1:]
	}
	return text, cut
}
