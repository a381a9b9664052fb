package terminal

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// A paste is the same text in however many pieces it comes: one event up to 16 MiB, several beyond
// that, of which each but the last says that more follows.
func TestAPasteInPiecesIsTheSameText(t *testing.T) {
	const mib = 1 << 20
	rng := rand.New(rand.NewPCG(4, 7))
	hard := []string{"\r\n", "\r", "\n", "\x1b[106;5u", "\x1b[27;5;106~", "\x1b[", "\x1b", "é", "x", "words of a line"}
	for _, size := range []int{0, 1, mib - 1, mib, mib + 1, 3*mib + 5, 5*mib + 3, 18*mib + 1} {
		if size > maxPaste { // with few of them more than that remains
			hard = append(hard, strings.Repeat("words of a line", 10))
		}
		var block []byte
		for len(block) < 9973 {
			block = append(block, hard[rng.IntN(len(hard))]...)
		}
		text := bytes.Repeat(block, size/len(block)+1)[:size]
		var b stdinbuf.Buffer
		var p pastePieces
		var events []Event
		wire := append(append([]byte("\x1b[200~"), text...), "\x1b[201~"...)
		for len(wire) > 0 {
			n := min(1+rng.IntN(128<<10), len(wire))
			for tok := range b.Feed(wire[:n]) {
				events = p.takeToken(events, tok)
			}
			wire = wire[n:]
		}
		var all strings.Builder
		for i, ev := range events {
			paste := ev.(Paste)
			all.WriteString(paste.Text)
			if paste.More != (i < len(events)-1) || paste.Continued != (i > 0) || i > 0 && len(paste.Text) > 2*mib {
				t.Errorf("%d bytes: event %d of %d: more %v, rest %v, %d bytes", size, i, len(events), paste.More,
					paste.Continued, len(paste.Text))
			}
		}
		if want := pasteText(text); all.String() != want {
			t.Errorf("%d bytes: the text is another one, %d of %d bytes", size, all.Len(), len(want))
		}
		if size > maxPaste && len(events) < 2 {
			t.Errorf("%d bytes are %d, which is one event: more are needed", size, all.Len())
		}
		if one := all.Len() <= maxPaste; one != (len(events) == 1) {
			t.Errorf("%d bytes: %d events", all.Len(), len(events))
		}
		if p.started || p.streamed || p.texts != nil || p.carry != nil {
			t.Errorf("%d bytes: something stays: %+v", size, p.size)
		}
	}
}

// What is pasted keeps its bytes but for line ends.
func TestLineEndsOfAPaste(t *testing.T) {
	for in, want := range map[string]string{"": "", "a": "a", "\r": "\n", "\r\n": "\n", "\n\r": "\n\n",
		"a\r\rb\r\n": "a\n\nb\n",
		"\r\r\n\n":   "\n\n\n"} {
		if got := lineFeeds(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
