package renderer

// Quirks describes how a terminal differs from others when rows are deleted or erased, and when its
// size changes. The zero Quirks is for an unknown terminal and is safe in all: it prints rows again
// rather than moving them.
type Quirks struct {
	// RedrawsPrompt: when the size changes, the terminal does not wrap anew the text behind an OSC
	// 133;A mark above the cursor (kitty since 0.24). The renderer puts such a mark in the first
	// live row. Without it the cursor's text could move further up than the cursor, by the number
	// of rows below.
	RedrawsPrompt bool
	// CountsLines: at a new width the cursor may be above its text (tmux), see textRow and liveTop.
	CountsLines bool
	// CutsUnwrapped: a change of size while autowrap is off cuts rows, even final ones (ghostty).
	// The renderer turns autowrap off for one character at most.
	CutsUnwrapped bool
	// KeepsErased: only an EL from column 0 makes a row shorter; cells that another EL has erased
	// are copied as blanks (tmux). The renderer erases a final row from column 0 if it becomes
	// shorter.
	KeepsErased bool
	// ResizeOvertakes: the terminal often has its new size before it reads a frame that was sent
	// earlier. foot reports a size up to 100 ms late (resize-delay-ms). kitty applies a size before
	// bytes that came earlier, and so do VTE, konsole, alacritty and urxvt now and then.
	//
	// The renderer cuts live rows at the edge even in ordinary frames, see edgeColumn. In a
	// narrower window final rows may take more rows, so that the old text there is erased: before
	// they are written where updates are synchronized (see plan), otherwise behind each line (see
	// eraseAfterLine).
	ResizeOvertakes bool
	// PushesLive: if the live region is higher than the new window, the terminal pushes all of it
	// into history, though the cursor is in its first row (foot and urxvt, which keep the text
	// below the cursor).
	PushesLive bool
	// AvoidCHA: CHA moves the cursor one column too far (Emacs' term 28), so that text would
	// overwrite the wrong letters. The renderer reaches columns by CR and CUF.
	AvoidCHA bool
	Delete   Delete
	Wraps    Wraps
}

// minWindowCols is a number of columns that nearly all windows have. Live text up to this column is
// never cut.
const minWindowCols = 20

// edgeColumn returns the column from which on the live text of f is printed without autowrap, or 0
// if all of it wraps as usual. Without autowrap each live row takes one row even if a new size
// overtakes the frame, and the cursor finds its way back up. While the caret is visible that would
// cost too many bytes for each key, so that only careful frames do it.
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

// Delete says where a terminal can delete rows by DL without a copy of them in history.
type Delete uint8

const (
	DeleteNever Delete = iota // Nowhere, or it is not known: rows are printed again instead.
	DeleteBelow               // Everywhere but in the first row of the grid.
	DeleteClean               // Everywhere.
	// InsertNever is like DeleteNever, and IL cannot be used either: it also removes as many rows
	// from the end of history as it inserts (foot 1.13). No row is ever moved.
	InsertNever
)

// Wraps says what ends a soft wrap in a terminal, so that it no longer takes two rows for one line.
type Wraps uint8

const (
	WrapsErased Wraps = iota // An erasure in the row that wraps; at least some erasures do.
	// A DL of the row, or an ED 0 from above it. An erasure in the row does not (GNU screen 4.9).
	WrapsStay
	// WrapsStretched is like WrapsErased. Besides, CR and LF make a row as long as the cursor's
	// column, so that a narrower window wraps it (urxvt 9.30). The renderer leaves rows from column
	// 0.
	WrapsStretched
	WrapsPrinted // Any text that is printed in the row. An erasure does not (foot 1.13).
)

// Known returns the quirks of a terminal by its name in package terminal (Caps.Name), or the zero
// Quirks for an unknown one. They were measured in tmux 3.3a to 3.7c, GNU screen 4.9, kitty 0.26 to
// 0.48, VTE 0.70, foot 1.13, konsole 22.12, xterm 379, urxvt 9.30, xterm.js 6 and the core of
// ghostty. alacritty 0.11 moves rows into history wherever DL deletes them.
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
