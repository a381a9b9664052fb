package shell

import (
	"strings"
	"time"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// letterPause is how long a letter waits for the next one. Letters that come faster are a text.
const letterPause = 200 * time.Millisecond

// letters tells the keys of a pane from a text that somebody types while the pane has the focus. A
// letter acts once no other one has come for letterPause. If one comes, both go to the prompt, with
// all that follows. Letters that move the body, and those that are held down, act at once.
type letters struct {
	later    func(d time.Duration, f func()) // runs f on the loop after d; nil: letters act at once
	typeText func(text string)               // puts the beginning of a text into the prompt
	held     *heldLetter                     // nil: none
	acted    string                          // letters just before it, which have acted
	pauses   int                             // number of the last pause
}

// heldLetter is a letter that waits for the end of the pause.
type heldLetter struct {
	key   tui.Key
	space tui.Space
	armed bool // approving keys worked when it came
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
	acted := n.acted
	n.forgetLetters()
	switch {
	case letterOf(k) == 0 || n.reasonField() != nil || n.searching():
	case repeated || strings.HasSuffix(acted, k.Text()):
		n.acted = k.Text()
		n.pause(n.forgetLetters)
	case n.movesBody(k):
		n.acted = acted + k.Text()
		n.pause(n.forgetLetters)
	case k.Alone && !k.Repeat:
		n.acted, n.held = acted, &heldLetter{k, s, n.stillArmed(s, n.currentTarget())}
		n.pause(n.releaseLetter)
		return true
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
	n.held, n.acted = nil, ""
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
