package renderer

// Quirks is what is known of how a terminal treats the rows that it shows: when rows are deleted,
// and when they are erased. The zero Quirks knows nothing: in doubt rows are written anew rather
// than moved. How a terminal lays rows out at a new size nobody needs to know, but for where two of
// them leave the cursor: see Redraws and Lines.
type Quirks struct {
	// Redraws: at a new size the terminal lays nothing out anew from a mark (OSC 133;A) on that
	// stands above the cursor (kitty since 0.24). So the first live row has one. Without it the
	// text that the cursor is on may go further up than the cursor, by the rows below.
	Redraws bool
	// Lines: at a new width the cursor may go up from its text, see sunk and begins (tmux).
	Lines bool
	// Cuts: a new size cuts rows while autowrap is off, final ones too (ghostty). There it is off
	// for no longer than one character takes.
	Cuts bool
	// Keeps: only an EL from column 0 makes a row shorter (tmux); what another one has erased is
	// copied as blanks. There a row that becomes final and shorter is erased as a whole first.
	Keeps bool
	// Overtakes: a new size often overtakes a frame. foot tells it up to 100 ms late
	// (resize-delay-ms), kitty takes it before bytes that came earlier, and so do VTE, konsole,
	// alacritty and urxvt now and then. So live rows are cut at the edge in ordinary frames, too:
	// see cuts. And what stands below final rows, which run on in a narrower window, is erased:
	// before them where updates are synchronized, see plan, else behind each, see tidy.
	Overtakes bool
	// Pushes: a live region that is higher than a new window goes into history, all of it, though
	// the cursor is on its first row (foot and urxvt, which keep what stands below the cursor).
	Pushes bool
	// Steps: CHA leads one column too far (Emacs' term 28), so that what follows was written over
	// the wrong letters. A column is reached by CR and CUF there.
	Steps  bool
	Delete Delete
	Wraps  Wraps
}

// narrow is how many columns nearly all windows have, so that live text up to there never wraps.
const narrow = 20

// cuts returns the column behind which f's live text is cut at the edge of the window that reads
// it; 0: none is. A frame that a new size overtakes must find its way back up to the first live
// row. While the caret is shown that costs too much with each key, unless a size has just changed.
func (q Quirks) cuts(f *Frame) int {
	switch {
	// Rows under an overlay reach to the edge, where without autowrap a mark leaves its letter.
	case q.Lines, q.Cuts, f.Overlay != nil:
		return 0
	case f.Careful:
		return 1
	case !q.Overtakes, f.Cursor != nil:
		return 0
	}
	return narrow
}

// Delete is where DL leaves nothing in history of the rows that it deletes.
type Delete uint8

const (
	DeleteNever Delete = iota // or it is not known: rows are written anew instead
	DeleteBelow               // below grid row 0
	DeleteClean               // anywhere
	// InsertNever is DeleteNever where IL takes as many rows away from the end of history as it
	// inserts: no row is ever moved (foot 1.13).
	InsertNever
)

// Wraps is what ends a soft wrap besides what does in all terminals that are not known better.
type Wraps uint8

const (
	WrapsErased Wraps = iota // an erasure in its row, some of them at least
	WrapsStay                // only a DL, or an ED 0 above it; nothing that is erased in its row does (GNU screen 4.9)
	// WrapsStretched is WrapsErased where CR and LF make a row as long as the cursor is to the
	// right, which a narrower window then wraps (urxvt 9.30): rows are left in column 0.
	WrapsStretched
	WrapsPrinted // whatever is printed in its row, wherever; nothing that is erased there does (foot 1.13)
)

// Known returns the quirks of a terminal by its name, as package terminal has it (Caps.Name).
// Measured in tmux 3.3a to 3.7c, GNU screen 4.9, kitty 0.26 to 0.48, VTE 0.70, foot 1.13, konsole
// 22.12, xterm 379, urxvt 9.30, xterm.js 6 and the core of ghostty; alacritty 0.11 archives the
// rows that DL deletes, from anywhere.
func Known(name string) Quirks {
	switch name {
	case "tmux":
		return Quirks{Lines: true, Keeps: true, Delete: DeleteClean}
	case "ghostty":
		return Quirks{Cuts: true, Delete: DeleteClean}
	case "vte", "konsole":
		return Quirks{Overtakes: true, Delete: DeleteClean}
	case "xterm.js", "vscode":
		return Quirks{Delete: DeleteClean}
	case "kitty":
		return Quirks{Redraws: true, Overtakes: true, Delete: DeleteClean}
	case "screen":
		return Quirks{Delete: DeleteBelow, Wraps: WrapsStay}
	case "alacritty":
		return Quirks{Overtakes: true}
	case "xterm":
		return Quirks{Delete: DeleteBelow}
	case "emacs":
		return Quirks{Steps: true}
	case "urxvt":
		return Quirks{Overtakes: true, Pushes: true, Delete: DeleteBelow, Wraps: WrapsStretched}
	case "foot":
		return Quirks{Overtakes: true, Pushes: true, Delete: InsertNever, Wraps: WrapsPrinted}
	}
	return Quirks{}
}
