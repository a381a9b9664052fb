package renderer

import (
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// reflowOf is what the program is told about the terminal, as it would know it from its name.
func reflowOf(p profile.Profile) Reflow {
	switch p.Differs.Reflow {
	case vt.Cut:
		return ReflowNo
	case vt.Rewrap:
		return ReflowYes
	}
	return ReflowUnknown
}

// wrapsOf is what is known of where the profile keeps its wraps.
func wrapsOf(p profile.Profile) Wraps {
	switch p.Differs.Wraps {
	case vt.WrapStays:
		return WrapsStay
	case vt.WrapMoves:
		return WrapsStretched
	case vt.WrapUntilPrinted:
		return WrapsPrinted
	}
	return WrapsErased
}

func deleteOf(p profile.Profile) Delete {
	if p.Differs.InsertTakes {
		return InsertNever
	}
	switch p.Differs.DeleteLinesPushes {
	case vt.AtTop:
		return DeleteBelow
	case vt.Anywhere:
		return DeleteNever
	}
	return DeleteClean
}
