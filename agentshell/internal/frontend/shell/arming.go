package shell

import (
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Arming (PANE-6): the pane takes the focus when it was painted and no key came for quiet. A key
// approves when what it decides has been in sight for ripe, and no key came for calm but those that
// move the body. So a key that is held down approves nothing: each repeat starts calm anew.
const (
	quiet = 425 * time.Millisecond
	ripe  = time.Second
	calm  = time.Second
	least = 200 * time.Millisecond // what a configuration may not go below
)

// scene is what a key would approve now. Each takes its own time in sight, all of it: its title, a
// row of its body, its decision row.
type scene string

const (
	noScene    scene = ""         // nothing
	decision   scene = "decision" // the proposal
	aRule      scene = "rule"     // the proposal, and a rule of the list
	everything scene = "all"      // the list of key A
)

// arming says when the keys belong to a pane, and when they approve. It judges time by the frames
// that were painted, never by the moment of a key: a key counts only if the last frame showed that
// it would.
type arming struct {
	quiet, ripe time.Duration

	opened  time.Time // when the pane had been painted
	touched bool      // a key that does not move the body came since the last frame
	last    time.Time // of the frame after the last one
	focus   bool      // keys belong to the pane
	scene   scene     // of the last frame
	shown   time.Time // since when, as far as that one knew
	lit     bool      // the last frame showed that approving keys work
}

// restart makes the time begin anew in which nothing can be approved.
func (a *arming) restart() {
	a.opened, a.scene, a.lit, a.touched = time.Time{}, noScene, false, false
}

// touch takes note of a key or a paste that does not move the body: no key approves before calm.
func (a *arming) touch() { a.touched, a.lit = true, false }

// step goes on to the frame that is made now, which shows sc, and returns when it has to be looked
// at again, 0 for never. Until the terminal has taken a frame with the pane no time runs; over:
// nothing can be approved any more; free: the prompt is empty, so that the pane may take the focus.
// seen: what sc stands for has been in sight for as long as an answer takes.
func (a *arming) step(s tui.Space, sc scene, over, free bool) (wait time.Duration, seen bool) {
	same := sc != noScene && sc == a.scene // else s.Shown is about another one
	a.scene, a.shown, a.lit = sc, s.Shown, false
	if a.opened.IsZero() {
		if !s.Focused {
			return 0, false
		}
		a.opened = s.Now
	}
	if a.touched {
		a.touched, a.last = false, s.Now
	}
	if over {
		return 0, false
	}
	if !a.focus && free {
		if wait = later(a.opened, a.last).Add(a.quiet).Sub(s.Now); wait <= 0 {
			a.focus, wait = true, 0
		}
	}
	if !same || s.Shown.IsZero() {
		return wait, false
	}
	if left := later(s.Shown.Add(a.ripe), a.last.Add(calm)).Sub(s.Now); left > 0 {
		return sooner(wait, left), false
	}
	a.lit = a.focus
	return wait, true
}

// holds reports whether what the last frame promised of approving keys holds now: the terminal has
// shown that scene ever since, and it is still the one that a key is about.
func (a *arming) holds(s tui.Space, now scene) bool {
	return a.lit && !s.Shown.IsZero() && s.Shown.Equal(a.shown) && now == a.scene
}

// later returns the later one of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
