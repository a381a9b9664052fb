package shell

import (
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Defaults and bounds of the times that protect a pane from keys typed by accident (PANE-6).
//
// A pane takes the focus once the terminal has shown it and no key has come for the focus delay. An
// approving key works once the thing that it would approve has been visible for the minimum time,
// and no key has come for keyPause. Keys that scroll the proposal do not count. So a key that is
// held down approves nothing: each repeat starts keyPause anew.
const (
	defaultFocusDelay = 425 * time.Millisecond
	defaultMinVisible = time.Second
	keyPause          = time.Second
	// the smallest focus delay and minimum visible time that a configuration can set
	minDelay = 200 * time.Millisecond
)

// approvalTarget names what an approving key would approve at this moment. If the target changes,
// the new one has to be visible for the minimum time before a key works.
type approvalTarget string

const (
	noTarget approvalTarget = "" // An approving key would approve nothing.
	// An approving key would approve nothing yet, because some rows of the proposal were never
	// visible.
	targetUnseen   approvalTarget = "unseen"
	targetProposal approvalTarget = "decision" // An approving key would approve the proposal.
	// An approving key would approve the proposal and store the selected rule.
	targetRule approvalTarget = "rule"
	// An approving key would approve all proposals in the list that key A opens.
	targetList approvalTarget = "all"
)

// arming decides when keys go to an approval pane and no longer to the prompt, and when a key of
// the pane can approve. It takes all times from painted frames and never from the moment of a key.
// A key approves only if the last frame has shown that it would.
type arming struct {
	// The waiting times, see defaultFocusDelay.
	focusDelay, minVisible time.Duration

	paintedAt     time.Time      // When the terminal first showed the pane; zero: it has not yet.
	keySinceFrame bool           // A key that does not scroll the proposal has come since the last frame.
	lastKey       time.Time      // The time of the first frame after such a key.
	hasFocus      bool           // Keys go to the pane and not to the prompt.
	target        approvalTarget // What an approving key would approve, as the last frame showed it.
	targetSince   time.Time      // Since when the target was visible, as the last frame knew it.
	armed         bool           // The last frame showed that approving keys work.
}

// restart disables the approving keys of a pane, and starts the pane's waiting times anew.
func (a *arming) restart() {
	a.paintedAt, a.target, a.armed, a.keySinceFrame = time.Time{}, noTarget, false, false
}

// noteKey records a key or a paste that does not scroll the proposal. Approving keys do not work
// for keyPause after it.
func (a *arming) noteKey() { a.keySinceFrame, a.armed = true, false }

// advance updates the state of an approval pane for the frame that is being made. An approving key
// would approve target in this frame. No time counts before the terminal has shown the pane. If
// decided is true, nothing can be approved any more. promptEmpty allows the pane to take the focus.
//
// wait is the time after which another frame is needed; 0: none is. seenLongEnough reports whether
// the target has been visible for the minimum time.
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

// stillArmed reports whether an approving key works now, as the last frame has shown. The terminal
// must have shown the same target ever since, and current must be that target.
func (a *arming) stillArmed(s tui.Space, current approvalTarget) bool {
	return a.armed && !s.Shown.IsZero() && s.Shown.Equal(a.targetSince) && current == a.target
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
