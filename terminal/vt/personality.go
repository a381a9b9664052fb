package vt

import (
	"bytes"
	"time"
)

// Personality describes how a terminal differs from ghostty. The zero value has no differences.
type Personality struct {
	// A line feed at the bottom of a scrolling region that starts below row 1 moves the region's
	// first row into the scrollback.
	RegionBelowPushes bool
	ScrollUpDrops     bool  // SU loses rows. It never moves them into the scrollback.
	DeleteLinesPushes Where // DL moves the rows that it deletes into the scrollback.
	// IL, SD and RI remove as many rows from the end of the scrollback as they insert, because all
	// rows are in one ring.
	InsertTakes     bool
	PlusT           PlusT   // The effect of CSI n + T.
	EraseAll        Archive // Which rows ED 2 moves into the scrollback first.
	EraseHome       Archive // Which rows ED 0 in the top left corner moves into the scrollback first.
	Erase22Ignored  bool
	EraseScrollback Erase3 // The effect of ED 3.

	ResetKeepsScrollback bool // RIS erases the screen but not the scrollback.
	AltScreen            AltScreen

	// Where the terminal stores that a row is soft-wrapped.
	Wraps            WrapMark
	EraseKeepsLength bool // Erased cells at the end of a row belong to it, unless the whole row was erased.
	// CR and LF make a row as long as the cursor's column, and a soft-wrapped row that is shorter
	// than the window is not filled with blanks.
	RowsHaveLengths bool
	// A new width may separate the halves of a wide character. The free column that a wide
	// character has left at the edge may become part of a line.
	HalvesPart bool
	Relayout   Relayout // Changes a screen for a new size; nil: as ghostty does.
	// A new width cuts the blanks between a row's text and the cursor, which may move the cursor
	// within its line (ghostty before May 2026).
	ReflowCutsCursor bool

	// OSC 133 marks only the row of the cursor, also for output. A prompt is drawn again unless its
	// own mark says that it is not.
	PromptsByRow bool

	// Text
	NoGraphemeClusters bool // mode 2027 does not exist
	// Clusters are measured by their first character, without a mode for it: see joinLeading.
	LeadingWidths bool
	// The columns of single characters that differ from ghostty's; 0: they join the character
	// before, below 0: they are dropped.
	Widths map[string]int
	// A character without width behind a full row wraps like any other, and then joins the last
	// character of that row.
	MarksWrap    bool
	JoinAfterZWJ bool // Without grapheme clusters, a character behind a ZWJ joins the one before it.

	// Protocols

	// Passthrough gets all output first and returns the part of it that the terminal gets now. A
	// multiplexer removes what is for the terminal that it runs in; others hold synchronized
	// updates back. now is Config.Now's time, or zero. nil: all output passes.
	Passthrough func(output []byte, now time.Time) (own []byte)

	NoKittyKeyboard bool
	NoKittyGraphics bool
	ImageLimit      int // The most bytes of pixels that a screen keeps; 0: 320 MiB.
	// ED 3 deletes all placements; in ghostty it deletes only those whose row it deletes.
	ImagesScroll bool
	// A delete command that frees images frees all images without a placement, not only the one
	// that it names.
	DeleteFreesAll bool
	NoPlaceholders bool     // Commands with the key U are ignored, and placeholder characters show nothing.
	Replies        *Replies // The answers of the terminal; nil: those of ghostty.
}

// Replies holds the answers of a terminal to requests, as it sends them. An empty one means that it
// does not answer.
type Replies struct {
	DA1, DA2, DA3, Version        string
	Modes                         map[int]int // The states for DECRPM by DEC private mode; others get UnknownMode.
	UnknownMode                   int         // The state for all other modes; below 0: no answer.
	Foreground, Background        string      // of OSC 10 and OSC 11
	Palette                       string      // of OSC 4 with ?, with %d for the index
	TextPixels, CellPixels, Cells bool        // CSI 14 t, 16 t, 18 t are answered
	CellsSwapped                  bool        // CSI 18 t reports the columns before the rows.
	Capability                    string      // of XTGETTCAP, with %s for the name in hexadecimal
	Settings                      bool        // DECRQSS is answered
}

// Where is a condition for the place of the cursor.
type Where uint8

const (
	Nowhere Where = iota
	AtTop         // Only in row 1.
	Anywhere
)

// Archive says which rows an erasure moves into the scrollback before it erases the screen.
type Archive uint8

const (
	// ED 2: all rows with text, if the last row belongs to a shell's prompt (OSC 133). ED 0: none.
	ArchiveDefault Archive = iota
	ArchiveNothing
	ArchiveUsed   // All rows down to the last one with text.
	ArchiveScreen // All rows of the screen.
)

// Erase3 is the effect of ED 3.
type Erase3 uint8

const (
	ClearScrollback Erase3 = iota
	KeepScrollback
	ClearBoth // the screen as well
)

// PlusT is the effect of CSI n + T.
type PlusT uint8

const (
	PlusTNothing   PlusT = iota
	PlusTUnscrolls       // It moves n rows back from the scrollback.
	PlusTScrolls         // It is the same as SD.
)

// AltScreen is the kind of a terminal's alternate screen.
type AltScreen uint8

const (
	OwnAlt     AltScreen = iota // It has no scrollback.
	NoAlt                       // There is none: modes 47, 1047 and 1049 do nothing.
	LeakingAlt                  // Rows that scroll out of it go into the scrollback of the primary screen.
)

// archiveAtHome moves rows into the scrollback before ED 0, in terminals where an ED 0 in the top
// left corner does so.
func (t *Terminal) archiveAtHome() {
	if t.active == t.primary && t.active.cursor.x == 0 && t.active.cursor.y == 0 {
		t.archiveScreen(t.config.Personality.EraseHome)
	}
}

// archiveScreen moves rows of the screen into the scrollback. The cursor stays where it is.
func (t *Terminal) archiveScreen(a Archive) {
	s := t.active
	c := s.cursor
	switch a {
	case ArchiveUsed:
		s.scrollClear()
	case ArchiveScreen:
		for range s.rows {
			s.push()
		}
	}
	s.cursor.x, s.cursor.y = c.x, c.y
	if a == ArchiveUsed || a == ArchiveScreen {
		s.archivedRows = s.dropped + s.historyRows()
	}
}

func (t *Terminal) eraseScrollback() {
	s := t.active
	switch t.config.Personality.EraseScrollback {
	case ClearScrollback:
		s.clearHistory()
	case ClearBoth:
		s.clearHistory()
		s.clearRows(0, t.rows-1, false)
	}
	if t.config.Personality.ImagesScroll {
		s.images.deleteAll(s)
	}
}

// unscroll implements CSI n + T, which in some terminals moves rows back from the scrollback. The
// rows at the bottom are lost.
func (t *Terminal) unscroll(n int) {
	s := t.active
	switch t.config.Personality.PlusT {
	case PlusTUnscrolls:
		for range min(n, s.historyRows()) {
			s.ring.pop()
		}
	case PlusTScrolls:
		t.scrollDown(n)
	}
}

// leakRow copies a row that scrolls out of the alternate screen to the end of the scrollback.
func (t *Terminal) leakRow(src *row) {
	s := t.primary
	s.push()
	end := s.top() - 1
	s.ring.rotateDown(end, s.ring.count-1)
	dst := s.ring.at(end)
	copy(dst.cells, src.cells)
	dst.used, dst.flags = src.used, src.flags
	for _, p := range s.pins {
		if p.y-s.dropped >= end {
			p.y++
		}
	}
}

// runeWidth returns the width of a single character in columns. columns is its width in ghostty.
func (t *Terminal) runeWidth(r rune, columns int) int {
	if w, ok := t.config.Personality.Widths[string(r)]; ok {
		return w
	}
	c := &t.active.cursor
	if t.config.Personality.JoinAfterZWJ && c.x > 0 {
		cells := t.active.row(c.y).cells
		x := c.x - 1
		if x > 0 && cells[x].width() == spacerTail {
			x--
		}
		if bytes.HasSuffix(t.clusters.appendText(nil, cells[x]), []byte("\u200d")) {
			return 0
		}
	}
	return columns
}
