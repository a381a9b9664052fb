package stress

import (
	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// recognise tells the renderer what is known about a terminal that is recognised.
func (w *world) recognise(d vt.Personality) {
	switch d.DeleteLinesPushes {
	case vt.AtTop:
		w.config.Delete = renderer.DeleteBelow
	case vt.Nowhere:
		w.config.Delete = renderer.DeleteClean
	}
	w.wire.deletes = w.config.Delete != renderer.DeleteNever
	if d.InsertTakes {
		w.config.Delete = renderer.InsertNever
	}
	switch d.Wraps {
	case vt.WrapStays:
		w.config.Wraps = renderer.WrapsStay
	case vt.WrapMoves:
		w.config.Wraps = renderer.WrapsStretched
	case vt.WrapUntilPrinted:
		w.config.Wraps = renderer.WrapsPrinted
	}
	w.config.Follow = renderer.FollowText
	switch {
	case d.ReflowApart:
		w.config.Follow = renderer.FollowTwice
	case d.ReflowJoined:
		w.config.Follow = renderer.FollowLayout
	case d.ReflowTopLine:
		w.config.Follow = renderer.FollowTop
	case d.ReflowRelays:
		w.config.Follow = renderer.FollowRelaid
	case d.ReflowFromEnd:
		w.config.Follow = renderer.FollowEnd
	case d.ReflowPads:
		w.config.Follow = renderer.FollowPads
	case d.ReflowTears:
		w.config.Follow = renderer.FollowLines
	}
	switch d.Reflow {
	case vt.Cut:
		w.config.Reflow = renderer.ReflowNo
	case vt.Rewrap:
		w.config.Reflow = renderer.ReflowYes
	case vt.RewrapButCursor:
		w.config.Reflow = renderer.ReflowAbove
		if d.ReflowDrifts {
			w.config.Reflow = renderer.ReflowDrift
		}
	}
}
