package shell

import (
	"strings"
	"time"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// letterPause is the time that a letter waits for the next one. Letters that come faster are a
// text.
const letterPause = 200 * time.Millisecond

// letters tells the keys of a pane from a text that somebody types while the pane has the focus. A
// letter acts once no other one has come for letterPause. If one comes, both go to the prompt, with
// all that follows. Letters that move the body, and those that are held down, act at once.
type letters struct {
	later    func(d time.Duration, f func()) // runs f on the loop after d; nil: letters act at once
	typeText func(text string)               // puts the beginning of a text into the prompt
	held     *heldLetter                     // nil: none
	burst    *burst                          // nil: none
	acted    string                          // letters just before it, which have acted
	heldDown bool                            // the one that has acted came several times
	pauses   int                             // number of the last pause
}

// heldLetter is a letter that waits for the end of the pause.
type heldLetter struct {
	key   tui.Key
	space tui.Space
	armed bool // approving keys worked when it came
}

// burst holds keys that came with others in one read, as dictation and a line that lags deliver
// them. They answer nothing. Once the pause or the next read ends it, a text goes to the prompt.
type burst struct {
	first tui.Key
	space tui.Space
	text  string // that of all its keys
	mixed bool   // a control or an escape sequence came with them: it is no text
}

// letterOf returns the letter of k, or 0 if it has none.
func letterOf(k tui.Key) rune {
	if k.Mods&^terminal.Shift != 0 || !unicode.IsLetter(k.Code) || k.Text() == "" {
		return 0
	}
	return k.Code
}

// continuesText reports whether k can stand behind the first letter of a text. Digits and the other
// keys of a pane cannot.
func continuesText(k tui.Key) bool {
	switch k.Code {
	case terminal.KeySpace, '\'', ',', '.', '-':
		return k.Mods&^terminal.Shift == 0
	}
	return letterOf(k) != 0
}

// readLetter reports whether k waits for the end of the pause or belongs to a text, so that it does
// not act now. Any other key ends the pause.
func (n *pane) readLetter(k tui.Key, s tui.Space) bool {
	if n.later == nil || n.reasonField() != nil || n.searching() {
		return false
	}
	if n.burst != nil {
		return n.readBurst(k)
	}
	repeated := false
	if h := n.held; h != nil {
		switch {
		case unicode.ToLower(h.key.Code) == unicode.ToLower(letterOf(k)): // pressed twice
			n.releaseLetter()
			if n.answered {
				return true
			}
			repeated = true
		case continuesText(k):
			n.beginText(k.Text())
			return true
		case k.Code == terminal.KeyEscape, k.Code == terminal.KeyBackspace, k.Mods&terminal.Ctrl != 0: // taken back
			n.forgetLetters()
		default:
			n.releaseLetter()
		}
	}
	acted, heldDown := n.acted, n.heldDown
	n.forgetLetters()
	switch {
	case n.reasonField() != nil || n.searching():
	case !k.Alone && k.Text() == "":
		n.burst = &burst{mixed: true}
		n.pause(n.endBurst)
	case letterOf(k) == 0 && (k.Alone || k.Text() == "" || n.movesBody(k)):
	case repeated || strings.HasSuffix(acted, k.Text()):
		n.acted, n.heldDown = k.Text(), true
		n.pause(n.forgetLetters)
	case n.movesBody(k):
		n.acted, n.heldDown = acted+k.Text(), heldDown
		n.pause(n.forgetLetters)
	case k.Alone && !k.Repeat:
		n.acted, n.held = acted, &heldLetter{k, s, n.stillArmed(s, n.currentTarget())}
		n.pause(n.releaseLetter)
		return true
	case !k.Alone && !k.Repeat:
		if !heldDown {
			n.acted = acted
		}
		n.burst = &burst{first: k, space: s, text: k.Text()}
		n.pause(n.endBurst)
		return true
	}
	return false
}

// readBurst adds a key to the burst. It reports whether k waits for its end.
func (n *pane) readBurst(k tui.Key) bool {
	b := n.burst
	if k.Text() == "" && !b.mixed {
		b.text, n.acted = "", ""
		n.endBurst()
		n.burst = &burst{mixed: true}
	}
	n.pause(n.endBurst)
	if n.burst.mixed {
		return false
	}
	b.text += k.Text()
	return true
}

// endBurst gives the burst to the prompt if it is a text: it has two different letters. The others
// do nothing, and the pane says why.
func (n *pane) endBurst() {
	b := n.burst
	switch {
	case b == nil:
		return
	case b.mixed:
		n.forgetLetters()
	case isText(n.acted + b.text):
		n.beginText(b.text)
	default:
		n.forgetLetters()
		if !n.answered && n.hasFocus {
			n.pressKey(b.first, b.space, false)
		}
	}
}

// isText reports whether s has two different letters. A key that is held down types only one.
func isText(s string) bool {
	var first rune
	for _, r := range s {
		switch r = unicode.ToLower(r); {
		case !unicode.IsLetter(r):
		case first == 0:
			first = r
		case r != first:
			return true
		}
	}
	return false
}

// releaseLetter makes the letter act that waits. It approves only what it would have approved when
// it came.
func (n *pane) releaseLetter() {
	h := n.held
	n.forgetLetters()
	if !n.answered && n.hasFocus {
		n.pressKey(h.key, h.space, h.armed)
	}
}

// beginText gives the letters that have come to the prompt, which has the focus from then on.
func (n *pane) beginText(more string) {
	text := n.acted
	if n.held != nil {
		text += n.held.key.Text()
	}
	n.forgetLetters()
	n.hasFocus, n.yesPressed = false, false
	n.noteKey()
	n.typeText(text + more)
}

// forgetLetters drops the letters of the pause, which ends.
func (n *pane) forgetLetters() {
	n.held, n.burst, n.acted, n.heldDown = nil, nil, "", false
	n.pauses++
}

// pause calls f after letterPause, unless the pause ends before.
func (n *pane) pause(f func()) {
	n.pauses++
	number := n.pauses
	n.later(letterPause, func() {
		if n.pauses == number {
			f()
		}
	})
}

// later runs f on the loop after d.
func (sh *Shell) later(d time.Duration, f func()) {
	time.AfterFunc(d, func() { sh.app.Do(f) })
}
