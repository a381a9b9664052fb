package shell

import (
	"strings"
	"time"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// letterPause is the time that a typed letter waits in the approval pane for the next one. If
// another letter comes sooner, the two are the beginning of a text and no answers.
const letterPause = 200 * time.Millisecond

// letters tells single keys in an approval pane from a text that the user goes on typing while the
// pane appears. A letter takes effect after letterPause without another one. If one comes sooner,
// both go to the prompt, and so does all that follows. Letters that scroll the proposal, and a key
// that is held down, take effect at once.
type letters struct {
	// later runs f on the event loop after the time d; nil: letters take effect at once.
	later    func(d time.Duration, f func())
	typeText func(text string) // typeText puts the beginning of a text into the prompt.
	held     *heldLetter       // The letter that waits for the end of the pause; nil: none.
	burst    *burst            // The keys that came in one read of the terminal and wait; nil: none.
	acted    string            // The letters within the pause that have already taken effect.
	heldDown bool              // The letter in acted came several times in a row, as from a key that is held down.
	// The number of pauses so far. A timer does nothing if the number has changed since it was
	// started.
	pauses int
}

// heldLetter holds a letter that waits for the end of letterPause.
type heldLetter struct {
	key tui.Key
	// The size of the pane, and since when it was visible, when the letter came.
	space tui.Space
	armed bool // Approving keys worked when the letter came.
}

// burst holds keys that the terminal has sent together in one read. Dictation does so, and a slow
// connection. They answer nothing: after letterPause, or with the next read, they go to the prompt
// if they form a text.
type burst struct {
	// The first of the keys.
	first tui.Key
	// The size of the pane, and since when it was visible, when the first key came.
	space tui.Space
	text  string // The text of all the keys.
	mixed bool   // A control key or an escape sequence came among the keys, so that they are no text.
}

// letterOf returns the letter of a key that was pressed without Ctrl, Alt or Super. For any other
// key it returns 0.
func letterOf(k tui.Key) rune {
	if k.Mods&^terminal.Shift != 0 || !unicode.IsLetter(k.Code) || k.Text() == "" {
		return 0
	}
	return k.Code
}

// continuesText reports whether the key k can follow the first letter of a text. A letter, a space
// and some punctuation can; digits and other keys of a pane cannot.
func continuesText(k tui.Key) bool {
	switch k.Code {
	case terminal.KeySpace, '\'', ',', '.', '-':
		return k.Mods&^terminal.Shift == 0
	}
	return letterOf(k) != 0
}

// readLetter decides whether the approval pane may handle the key k now. It returns true if it may
// not: the key waits for the end of letterPause, has gone to the prompt as part of a text, or
// repeats a letter that has just answered.
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

// readBurst adds the key k to the keys that the approval pane got in one read of the terminal. It
// reports whether k has to wait until the end of letterPause.
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

// endBurst decides what becomes of the keys that the approval pane got in one read of the terminal.
// A text goes to the prompt. Otherwise the pane handles the first of the keys, which cannot
// approve. If a control key came among them, nothing more happens.
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

// isText reports whether s contains two different letters. A key that is held down produces only
// one.
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

// releaseLetter lets the approval pane handle the letter that has waited for the end of
// letterPause. It can approve only if approving keys worked when it was typed.
func (n *pane) releaseLetter() {
	h := n.held
	n.forgetLetters()
	if !n.answered && n.hasFocus {
		n.pressKey(h.key, h.space, h.armed)
	}
}

// beginText moves the focus from the approval pane to the prompt. It puts the letters that were
// typed during the pause into the prompt, followed by the text in more.
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

// forgetLetters drops the letters that wait in the approval pane, and ends the pause.
func (n *pane) forgetLetters() {
	n.held, n.burst, n.acted, n.heldDown = nil, nil, "", false
	n.pauses++
}

// pause begins a new pause in the typing, and calls f after letterPause. If another pause has begun
// or this one was ended by then, f is not called.
func (n *pane) pause(f func()) {
	n.pauses++
	number := n.pauses
	n.later(letterPause, func() {
		if n.pauses == number {
			f()
		}
	})
}

// later runs f on the event loop after the time d.
func (sh *Shell) later(d time.Duration, f func()) {
	time.AfterFunc(d, func() { sh.app.Do(f) })
}
