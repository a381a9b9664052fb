package shell

import (
	"sync"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// overlaid shows a component over the prompt. A Ctrl+C that closes it counts as one in the prompt:
// if another follows soon, the shell quits.
type overlaid struct {
	tui.Component
	sh *Shell
}

// HandleEvent passes an event to the component. Parts of a large paste go to the prompt instead.
func (o overlaid) HandleEvent(ev tui.Event, s tui.Space) bool {
	h, ok := o.Component.(tui.EventHandler)
	if !ok {
		return false
	}
	if p, ok := ev.(tui.Paste); ok && (p.More || p.Continued) { // it is the prompt's, which keeps it
		return false
	}
	k, isKey := ev.(tui.Key)
	if isKey {
		o.sh.noteKey(k)
	}
	taken := h.HandleEvent(ev, s)
	if isKey && taken && k.Mods == terminal.Ctrl && k.Code == 'c' {
		o.sh.noteInterrupt(secondCtrlC)
	}
	return taken
}

// overlay shows c over the prompt, and returns a function that removes it. It is called on the
// event loop.
func (sh *Shell) overlay(c tui.Component, place tui.Place) (leave func()) {
	remove := sh.app.Overlay(overlaid{c, sh}, place)
	sh.overlays++
	return sync.OnceFunc(func() {
		remove()
		sh.overlays--
		sh.app.Do(sh.wake) // once what was chosen is done
	})
}
