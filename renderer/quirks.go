package renderer

// Quirks is what is known of how a terminal treats the rows that it shows: when the window gets another size, when rows are deleted, and when they are
// erased. The zero Quirks knows nothing: in doubt a live row is left behind in history rather than a final one overwritten, and rows are written anew
// rather than moved.
type Quirks struct {
	Reflow Reflow
	Follow Follow
	Pads   bool // where rows are laid out anew a wide character may take three columns (tmux since 3.6)
	Blanks bool // blank rows at the end of the grid are rows, for which a narrower window pushes others (tmux, alacritty)
	Late   bool // it takes its size from another thread than our bytes (kitty): frames are marked, see [Frame.Mark]
	Delete Delete
	Wraps  Wraps
}

// Reflow is whether the terminal wraps rows anew when it gets narrower. Only a resize reads it.
type Reflow uint8

const (
	ReflowUnknown Reflow = iota
	ReflowYes
	ReflowNo
	ReflowAbove // all but the line that the cursor is on, which is cut (konsole, urxvt)
	ReflowDrift // the same, but the cursor does not stay on its text (xterm.js)
)

// Follow is where the cursor is after a change of size.
type Follow uint8

const (
	FollowUnknown Follow = iota // perhaps on other text than before
	FollowText                  // on the text that it was on
	// Where the terminal laid that text out, before rows below it pushed it further up (kitty since 0.40). It loses track of a row that shows nothing.
	FollowLayout
	FollowTwice // the same, but it may find the cursor again on a row further down, and takes wide characters apart (kitty before 0.40)
	FollowLines // on it, but as many lines higher up as the terminal has torn above (tmux), see sunk
	// On it; the last row of the grid stays the last one, be it blank, and characters are taken apart at the edge. Blanks at the end of a line are none,
	// in whatever colour (GNU screen).
	FollowEnd
	// On it, unless that has come to stand above the grid: then it is on the last row. All rows are laid out anew at any size, and behind the last one there
	// may be a blank one, for which others are pushed (foot 1.13.1).
	FollowRelaid
	// On the first row of its line, in the same column, unless that has come to stand above the grid: then on grid row 0. The last row of the grid stays the
	// last one, be it blank, and characters are taken apart at the edge. Without history rows are cut, and lost at the end of the grid (urxvt 9.30).
	FollowTop
)

// text reports whether the cursor goes with its text, wherever that goes.
func (f Follow) text() bool {
	return f == FollowText || f == FollowLines || f == FollowEnd || f == FollowTop
}

// layout reports whether the cursor stays where its text was laid out.
func (f Follow) layout() bool { return f == FollowLayout || f == FollowTwice }

// Delete is where DL leaves nothing in history of the rows that it deletes.
type Delete uint8

const (
	DeleteNever Delete = iota // or it is not known: rows are written anew instead
	DeleteBelow               // below grid row 0
	DeleteClean               // anywhere
	InsertNever               // and IL takes as many rows away from the end of history as it inserts: no row is ever moved (foot 1.13)
)

// Wraps is what ends a soft wrap besides what does in all terminals that are not known better.
type Wraps uint8

const (
	WrapsErased Wraps = iota // an erasure in its row, some of them at least
	WrapsStay                // only a DL, or an ED 0 above it; nothing that is erased in its row does (GNU screen 4.9)
	// WrapsStretched is WrapsErased where CR and LF make a row as long as the cursor is to the right, which a narrower window then wraps (urxvt 9.30): rows are
	// left in column 0.
	WrapsStretched
	WrapsPrinted // whatever is printed in its row, wherever; nothing that is erased there does (foot 1.13)
)

// Known is what is known of a terminal that names itself as package terminal has it (Caps.Name); "xterm.js" is its bare core, behind whose products there
// may be a console with a grid of its own. atLeast reports whether it has said that it is of a version or a later one. Measured in tmux 3.3a to 3.7c, GNU
// screen 4.9, kitty 0.26 to 0.48, VTE 0.70, foot 1.13, alacritty 0.11, konsole 22.12, xterm 379, urxvt 9.30, xterm.js 6 and the core of ghostty.
func Known(name string, atLeast func(major, minor int) bool) Quirks {
	switch name {
	case "tmux":
		old := atLeast(0, 0) && !atLeast(3, 6) // one that does not say its version may be any
		return Quirks{Reflow: ReflowYes, Follow: FollowLines, Pads: !old, Blanks: true, Delete: DeleteClean}
	case "screen":
		return Quirks{Reflow: ReflowYes, Follow: FollowEnd, Delete: DeleteBelow, Wraps: WrapsStay}
	case "kitty":
		q := Quirks{Reflow: ReflowYes, Late: true, Delete: DeleteClean}
		switch {
		case atLeast(0, 40):
			q.Follow = FollowLayout
		case atLeast(0, 0):
			q.Follow = FollowTwice
		}
		return q
	case "vte", "ghostty":
		return Quirks{Reflow: ReflowYes, Follow: FollowText, Delete: DeleteClean}
	case "alacritty": // DL archives from any row
		return Quirks{Reflow: ReflowYes, Follow: FollowText, Blanks: true}
	case "konsole":
		return Quirks{Reflow: ReflowAbove, Follow: FollowText, Delete: DeleteClean}
	case "xterm.js":
		return Quirks{Reflow: ReflowDrift, Follow: FollowText, Delete: DeleteClean}
	case "vscode":
		return Quirks{Delete: DeleteClean}
	case "xterm":
		return Quirks{Reflow: ReflowNo, Follow: FollowText, Delete: DeleteBelow}
	case "linux":
		return Quirks{Reflow: ReflowNo}
	case "urxvt":
		return Quirks{Reflow: ReflowYes, Follow: FollowTop, Delete: DeleteBelow, Wraps: WrapsStretched}
	case "foot":
		return Quirks{Reflow: ReflowYes, Follow: FollowRelaid, Delete: InsertNever, Wraps: WrapsPrinted}
	}
	return Quirks{}
}
