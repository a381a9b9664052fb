package shell

import (
	"sync"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// overlaid is a component in an overlay. A Ctrl+C that closes it counts like one in the prompt: the
// next one quits.
type overlaid struct {
	tui.Component
	sh *Shell
}

// HandleEvent passes an event to the component.
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

// overlay shows c until leave is called. It is called on the loop.
func (sh *Shell) overlay(c tui.Component, place tui.Place) (leave func()) {
	remove := sh.app.Overlay(overlaid{c, sh}, place)
	sh.overlays++
	return sync.OnceFunc(func() {
		remove()
		sh.overlays--
		sh.app.Do(sh.wake) // once what was chosen is done
	})
}
