package shell

import (
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// over is what stands in an overlay. The Ctrl+C that closes it counts as one of the prompt's does:
// the next one quits.
type over struct {
	tui.Component
	sh *Shell
}

// HandleEvent gives an event to what stands there.
func (o over) HandleEvent(ev tui.Event, s tui.Space) bool {
	h, ok := o.Component.(tui.EventHandler)
	if !ok {
		return false
	}
	if p, is := ev.(tui.Paste); is && (p.More || p.Continued) { // it is the prompt's, which keeps it
		return false
	}
	k, isKey := ev.(tui.Key)
	if isKey {
		o.sh.pressed(k)
	}
	taken := h.HandleEvent(ev, s)
	if isKey && taken && k.Mods == terminal.Ctrl && k.Code == 'c' {
		o.sh.interrupted(again)
	}
	return taken
}

// overlay shows c until leave is called, on the loop.
func (sh *Shell) overlay(c tui.Component, place tui.Place) (leave func()) {
	return sh.app.Overlay(over{c, sh}, place)
}
