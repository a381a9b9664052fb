package ansi

import "strconv"

// Sequences without parameters. Their names are those of ECMA-48 and xterm.
const (
	CR = "\r"
	LF = "\n"
	BS = "\b"
	// Like LF, but in xterm.js 6 and kitty 0.26 the new row can become a continuation of the row
	// above.
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
	AltEnter      = "\x1b[?1049h" // Saves the cursor, switches to the alternate screen and erases it.
	AltLeave      = "\x1b[?1049l"
	SaveCursor    = "\x1b7" // DECSC
	RestoreCursor = "\x1b8" // DECRC
	LinkClose     = "\x1b]8;;\x1b\\"
	// OSC 133: a prompt begins in this row. The program does not draw it again after a resize.
	PromptMark = "\x1b]133;A;redraw=0\x1b\\"
	// OSC 133: the program draws the rows from this one on again after a resize. The mark is that
	// of a continued prompt (k=s), to which users do not jump.
	LiveMark   = "\x1b]133;A;k=s\x1b\\"
	DoneMark   = "\x1b]133;A;k=s;redraw=0\x1b\\" // OSC 133: the program draws nothing again from here on.
	OutputMark = "\x1b]133;C\x1b\\"              // OSC 133: the answer to a prompt begins in this row.
)

// AppendCUU appends the sequence that moves the cursor up by n rows, or nothing if n <= 0. The
// terminal stops at the top margin.
func AppendCUU(dst []byte, n int) []byte { return appendMove(dst, n, 'A') }

// AppendCUD appends the sequence that moves the cursor down by n rows, or nothing if n <= 0. The
// terminal stops at the bottom margin and never scrolls.
func AppendCUD(dst []byte, n int) []byte { return appendMove(dst, n, 'B') }

// AppendCUF appends the sequence that moves the cursor right by n columns, or nothing if n <= 0.
func AppendCUF(dst []byte, n int) []byte { return appendMove(dst, n, 'C') }

// AppendCUB appends the sequence that moves the cursor left by n columns, or nothing if n <= 0.
func AppendCUB(dst []byte, n int) []byte { return appendMove(dst, n, 'D') }

// AppendCHA appends the sequence that moves the cursor to column col of its row, counted from 0.
func AppendCHA(dst []byte, col int) []byte {
	if col == 0 {
		return append(dst, "\x1b[G"...)
	}
	return appendMove(dst, col+1, 'G')
}

// AppendIL appends the sequence that inserts n blank rows at the cursor's row (IL), or nothing if n
// <= 0. Rows that are pushed over the bottom are lost.
func AppendIL(dst []byte, n int) []byte { return appendMove(dst, n, 'L') }

// AppendDL appends the sequence that deletes n rows from the cursor's row on (DL), or nothing if n
// <= 0. Do not use it on the normal screen, since some terminals move the deleted rows into
// history.
func AppendDL(dst []byte, n int) []byte { return appendMove(dst, n, 'M') }

// appendMove appends CSI n final, or nothing if n <= 0.
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

// AppendLink appends the sequence that begins a hyperlink to uri (OSC 8), or ends one if uri is "".
// The caller must make sure that uri is printable ASCII (PANE-15).
func AppendLink(dst []byte, uri string) []byte {
	if uri == "" {
		return append(dst, LinkClose...)
	}
	dst = append(dst, "\x1b]8;;"...)
	dst = append(dst, uri...)
	return append(dst, "\x1b\\"...)
}
