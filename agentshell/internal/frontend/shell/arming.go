package shell

import (
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Defaults and bounds of arming (PANE-6).
//
// A pane takes the focus once it was painted and no key has come for the focus delay. A key
// approves once its target has been in sight for the minimum time, and no key has come for
// keyPause. Keys that move the body do not count. So a key that is held down approves nothing:
// each repeat starts keyPause anew.
const (
	defaultFocusDelay = 425 * time.Millisecond
	defaultMinVisible = time.Second
	keyPause          = time.Second
	minDelay          = 200 * time.Millisecond // the smallest focus delay and minimum time that a configuration may set
)

// approvalTarget names what a key would approve now. Each target has to be in sight for the minimum
// time: its title, a row of its body, its decision row.
type approvalTarget string

const (
	noTarget       approvalTarget = ""         // nothing
	targetUnseen   approvalTarget = "unseen"   // nothing yet: rows of the proposal were not in sight
	targetProposal approvalTarget = "decision" // the proposal
	targetRule     approvalTarget = "rule"     // the proposal and a rule of the list
	targetList     approvalTarget = "all"      // all proposals of the list that key A opens
)

// arming decides when keys belong to a pane, and when they approve. It takes times from painted
// frames, never from the moment of a key. A key counts only if the last frame showed that it would.
type arming struct {
	focusDelay, minVisible time.Duration

	paintedAt     time.Time      // when the terminal had first shown the pane
	keySinceFrame bool           // a key that does not move the body came after the last frame
	lastKey       time.Time      // time of the first frame after such a key
	hasFocus      bool           // keys belong to the pane
	target        approvalTarget // what the last frame showed
	targetSince   time.Time      // since when the target was in sight, as the last frame knew it
	armed         bool           // the last frame showed that approving keys work
}

// restart disarms the pane and starts its waiting times anew.
func (a *arming) restart() {
	a.paintedAt, a.target, a.armed, a.keySinceFrame = time.Time{}, noTarget, false, false
}

// noteKey records a key or a paste that does not move the body. No key approves for keyPause after
// it.
func (a *arming) noteKey() { a.keySinceFrame, a.armed = true, false }

// advance updates the arming for a frame that is made now and shows target. It returns after what
// time the next frame is needed, 0 for none. No time runs before the terminal has shown the pane.
// With decided nothing can be approved any more. With promptEmpty the pane may take the focus.
// seenLongEnough reports whether the target has been in sight for the minimum time.
func (a *arming) advance(s tui.Space, target approvalTarget, decided, promptEmpty bool) (wait time.Duration,
	seenLongEnough bool) {
	same := target != noTarget && target == a.target // else s.Shown is about another one
	a.target, a.targetSince, a.armed = target, s.Shown, false
	if a.paintedAt.IsZero() {
		if !s.Focused {
			return 0, false
		}
		a.paintedAt = s.Now
	}
	if a.keySinceFrame {
		a.keySinceFrame, a.lastKey = false, s.Now
	}
	if decided {
		return 0, false
	}
	if !a.hasFocus && promptEmpty {
		if wait = later(a.paintedAt, a.lastKey).Add(a.focusDelay).Sub(s.Now); wait <= 0 {
			a.hasFocus, wait = true, 0
		}
	}
	if !same || s.Shown.IsZero() {
		return wait, false
	}
	if remaining := later(s.Shown.Add(a.minVisible), a.lastKey.Add(keyPause)).Sub(s.Now); remaining > 0 {
		return sooner(wait, remaining), false
	}
	a.armed = a.hasFocus && target != targetUnseen
	return wait, true
}

// stillArmed reports whether approving keys still work, as the last frame promised. The terminal
// must have shown that target ever since, and current must be the same target.
func (a *arming) stillArmed(s tui.Space, current approvalTarget) bool {
	return a.armed && !s.Shown.IsZero() && s.Shown.Equal(a.targetSince) && current == a.target
}

// later returns the later one of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
