package renderer

// Quirks is what is known of how a terminal treats the rows that it shows, when rows are deleted or
// erased and when its size changes. The zero Quirks knows nothing: in doubt rows are written again
// rather than moved. Otherwise nobody needs to know how a terminal lays rows out at a new size.
type Quirks struct {
	// RedrawsPrompt: at a new size the terminal does not lay out again what follows a mark (OSC
	// 133;A) above the cursor (kitty since 0.24). So the first live row has such a mark. Without it
	// the text that the cursor is on may go further up than the cursor, by the rows below.
	RedrawsPrompt bool
	// CountsLines: at a new width the cursor may stand above its text (tmux), see textRow and
	// liveTop.
	CountsLines bool
	// CutsUnwrapped: a new size cuts rows, even final ones, while autowrap is off (ghostty). There
	// it is off for no longer than one character takes.
	CutsUnwrapped bool
	// KeepsErased: only an EL from column 0 makes a row shorter (tmux). What another EL has erased
	// is copied as blanks. There a row that becomes final and shorter is erased as a whole first.
	KeepsErased bool
	// ResizeOvertakes: a new size often reaches the terminal before a frame that was sent earlier.
	// foot reports it up to 100 ms late (resize-delay-ms). kitty takes it before bytes that came
	// earlier, and so do VTE, konsole, alacritty and urxvt now and then. So live rows are cut at
	// the edge even in ordinary frames, see edgeColumn. Final rows may take more rows in a narrower
	// window, and what stands there is erased: before they are written where updates are
	// synchronized, see plan, else after each, see eraseAfterLine.
	ResizeOvertakes bool
	// PushesLive: a live region that is higher than a new window goes into history as a whole,
	// though the cursor is on its first row (foot and urxvt, which keep what stands below the
	// cursor).
	PushesLive bool
	// AvoidCHA: CHA leads one column too far (Emacs' term 28), so that text would be written over
	// the wrong letters. A column is reached by CR and CUF there.
	AvoidCHA bool
	Delete   Delete
	Wraps    Wraps
}

// minWindowCols is a number of columns that nearly all windows have. Live text up to there never
// wraps.
const minWindowCols = 20

// edgeColumn returns the column from which on the live text of f is cut at the edge of the window
// that reads it; 0: none is cut. A frame that a new size overtakes must find its way back up to the
// first live row. While the caret is shown the cut costs too much with each key, unless a size has
// just changed.
func (q Quirks) edgeColumn(f *Frame) int {
	switch {
	// Rows under an overlay reach to the edge, where without autowrap a mark leaves its letter.
	case q.CountsLines, q.CutsUnwrapped, f.Overlay != nil:
		return 0
	case f.Careful:
		return 1
	case !q.ResizeOvertakes, f.Cursor != nil:
		return 0
	}
	return minWindowCols
}

// Delete says where DL leaves no deleted row in history.
type Delete uint8

const (
	DeleteNever Delete = iota // or it is not known: rows are written again instead
	DeleteBelow               // below grid row 0
	DeleteClean               // anywhere
	// InsertNever is DeleteNever in a terminal whose IL also removes as many rows from the end of
	// history as it inserts: no row is ever moved (foot 1.13).
	InsertNever
)

// Wraps says what ends a soft wrap, so that the row and the next one are two lines.
type Wraps uint8

const (
	WrapsErased Wraps = iota // an erasure in its row, some of them at least
	WrapsStay                // only a DL, or an ED 0 above it, but no erasure in its row (GNU screen 4.9)
	// WrapsStretched is WrapsErased in a terminal where CR and LF make a row as long as the cursor
	// is to the right, so that a narrower window wraps it (urxvt 9.30). Rows are left in column 0
	// there.
	WrapsStretched
	WrapsPrinted // any text that is printed in its row, but no erasure there (foot 1.13)
)

// Known returns the quirks of a terminal by its name in package terminal (Caps.Name). They were
// measured in tmux 3.3a to 3.7c, GNU screen 4.9, kitty 0.26 to 0.48, VTE 0.70, foot 1.13, konsole
// 22.12, xterm 379, urxvt 9.30, xterm.js 6 and the core of ghostty. alacritty 0.11 archives the
// rows that DL deletes, from anywhere.
func Known(name string) Quirks {
	switch name {
	case "tmux":
		return Quirks{CountsLines: true, KeepsErased: true, Delete: DeleteClean}
	case "ghostty":
		return Quirks{CutsUnwrapped: true, Delete: DeleteClean}
	case "vte", "konsole":
		return Quirks{ResizeOvertakes: true, Delete: DeleteClean}
	case "xterm.js", "vscode":
		return Quirks{Delete: DeleteClean}
	case "kitty":
		return Quirks{RedrawsPrompt: true, ResizeOvertakes: true, Delete: DeleteClean}
	case "screen":
		return Quirks{Delete: DeleteBelow, Wraps: WrapsStay}
	case "alacritty":
		return Quirks{ResizeOvertakes: true}
	case "xterm":
		return Quirks{Delete: DeleteBelow}
	case "emacs":
		return Quirks{AvoidCHA: true}
	case "urxvt":
		return Quirks{ResizeOvertakes: true, PushesLive: true, Delete: DeleteBelow, Wraps: WrapsStretched}
	case "foot":
		return Quirks{ResizeOvertakes: true, PushesLive: true, Delete: InsertNever, Wraps: WrapsPrinted}
	}
	return Quirks{}
}
