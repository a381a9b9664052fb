package ansi

import "strconv"

// Fixed sequences. Names are those of ECMA-48 and xterm.
const (
	CR = "\r"
	LF = "\n"
	BS = "\b"
	// as LF, but the new row may continue the one above (xterm.js 6, kitty 0.26)
	IND           = "\x1bD"
	EL0           = "\x1b[K" // erase to the end of the row
	ED0           = "\x1b[J" // erase to the end of the screen
	SyncBegin     = "\x1b[?2026h"
	SyncEnd       = "\x1b[?2026l"
	CursorHide    = "\x1b[?25l"
	CursorShow    = "\x1b[?25h"
	AutowrapOff   = "\x1b[?7l"
	AutowrapOn    = "\x1b[?7h"
	StatusRequest = "\x1b[5n" // DSR 5: the terminal answers CSI 0 n
	CPRRequest    = "\x1b[6n" // DSR 6: the terminal answers CSI row ; column R
	Home          = "\x1b[H"
	AltEnter      = "\x1b[?1049h" // saves the cursor, goes to the alternate screen, clears it
	AltLeave      = "\x1b[?1049l"
	SaveCursor    = "\x1b7" // DECSC
	RestoreCursor = "\x1b8" // DECRC
	LinkClose     = "\x1b]8;;\x1b\\"
	// OSC 133: a prompt begins on this row, and nobody draws it again after a resize
	PromptMark = "\x1b]133;A;redraw=0\x1b\\"
	// The rows from this one on are drawn again at a new size. It is a continued prompt (k=s), to
	// which nobody jumps.
	LiveMark   = "\x1b]133;A;k=s\x1b\\"
	DoneMark   = "\x1b]133;A;k=s;redraw=0\x1b\\" // nothing is drawn again any more
	OutputMark = "\x1b]133;C\x1b\\"              // OSC 133: the answer begins on this row
)

// AppendCUU appends a move up by n rows; nothing for n <= 0. The terminal stops at the top margin.
func AppendCUU(dst []byte, n int) []byte { return appendMove(dst, n, 'A') }

// AppendCUD appends a move down by n rows; nothing for n <= 0. The terminal stops at the bottom
// margin and never scrolls.
func AppendCUD(dst []byte, n int) []byte { return appendMove(dst, n, 'B') }

// AppendCUF appends a move right by n columns; nothing for n <= 0.
func AppendCUF(dst []byte, n int) []byte { return appendMove(dst, n, 'C') }

// AppendCUB appends a move left by n columns; nothing for n <= 0.
func AppendCUB(dst []byte, n int) []byte { return appendMove(dst, n, 'D') }

// AppendCHA appends a move to the 0-based column col of the cursor's row.
func AppendCHA(dst []byte, col int) []byte {
	if col == 0 {
		return append(dst, "\x1b[G"...)
	}
	return appendMove(dst, col+1, 'G')
}

// AppendIL appends the insertion of n blank rows at the cursor's row (IL); nothing for n <= 0. Rows
// pushed over the bottom are lost.
func AppendIL(dst []byte, n int) []byte { return appendMove(dst, n, 'L') }

// AppendDL appends the deletion of n rows from the cursor's row on (DL); nothing for n <= 0. Some
// terminals archive the deleted rows: not for the normal screen.
func AppendDL(dst []byte, n int) []byte { return appendMove(dst, n, 'M') }

// appendMove appends CSI n final; nothing for n <= 0.
func appendMove(dst []byte, n int, final byte) []byte {
	switch {
	case n <= 0:
		return dst
	case n == 1:
		return append(dst, 0x1b, '[', final)
	}
	dst = append(dst, 0x1b, '[')
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, final)
}

// AppendLink appends the start of a hyperlink (OSC 8), or its end for "". The caller vouches for
// uri: printable ASCII (PANE-15).
func AppendLink(dst []byte, uri string) []byte {
	if uri == "" {
		return append(dst, LinkClose...)
	}
	dst = append(dst, "\x1b]8;;"...)
	dst = append(dst, uri...)
	return append(dst, "\x1b\\"...)
}
