package vt

import (
	"bytes"
	"time"
)

// Personality holds the differences of a terminal from ghostty. The zero value has none.
type Personality struct {
	// A line feed at the bottom of a region that starts below row 1 pushes the region's top row.
	RegionBelowPushes bool
	ScrollUpDrops     bool  // SU loses rows, it never pushes
	DeleteLinesPushes Where // DL pushes the rows it deletes
	// IL, SD and RI lose as many rows at the end of the scrollback as they insert, as in one ring
	// of rows.
	InsertTakes     bool
	PlusT           PlusT   // the effect of CSI n + T
	EraseAll        Archive // what ED 2 pushes first
	EraseHome       Archive // what ED 0 in the top left corner pushes first
	Erase22Ignored  bool
	EraseScrollback Erase3 // the effect of ED 3

	ResetKeepsScrollback bool // RIS clears the screen only
	AltScreen            AltScreen

	// where the mark is that a row is soft-wrapped
	Wraps            WrapMark
	EraseKeepsLength bool // Erased cells at the end of a row are part of it, unless all of it was erased.
	// CR and LF make a row as long as the cursor is to the right, and a soft-wrapped row that is
	// shorter than the window is not padded.
	RowsHaveLengths bool
	// A new width may put the halves of a wide character on two rows, and even the free column that
	// one has left at an edge within a line.
	HalvesPart bool
	Relayout   Relayout // lays out at a new size; nil: ghostty's reflow
	// A new width cuts the blanks between a row's text and the cursor, which may leave the cursor
	// in another place of its line (ghostty before May 2026).
	ReflowCutsCursor bool

	// OSC 133 marks only the row that it is sent on, output too. A prompt is drawn again unless its
	// own mark denies it.
	PromptsByRow bool

	// Text
	NoGraphemeClusters bool // mode 2027 does not exist
	// Clusters are measured without a mode, each as its first character, see joinLeading.
	LeadingWidths bool
	// Columns of single characters that differ from ghostty's. 0 adds them to the character before,
	// below 0 they are dropped.
	Widths map[string]int
	// A character without width after a full row wraps as any other does, and joins the last one of
	// that row.
	MarksWrap    bool
	JoinAfterZWJ bool // without clusters, a character after a ZWJ is added to the one before

	// Protocols

	// Passthrough sees all output first and returns the part of it that the terminal gets now. A
	// multiplexer removes what is for the terminal around it, others hold synchronized updates
	// back. now is Config.Now's, or zero. nil: all.
	Passthrough func(output []byte, now time.Time) (own []byte)

	NoKittyKeyboard bool
	NoKittyGraphics bool
	ImageLimit      int // bytes of pixels that a screen keeps; 0: 320 MiB
	// ED 3 deletes all placements; in ghostty it deletes those that go with their row.
	ImagesScroll   bool
	DeleteFreesAll bool     // a delete that frees images frees all those without a placement, not only the one it names
	NoPlaceholders bool     // a command with U is ignored, and placeholder characters show nothing
	Replies        *Replies // nil: ghostty's
}

// Replies holds the answers of another terminal, with introducer and terminator. An empty one is no
// answer.
type Replies struct {
	DA1, DA2, DA3, Version        string
	Modes                         map[int]int // DECRPM state by DEC private mode; modes not in the map get UnknownMode
	UnknownMode                   int         // DECRPM state for the others; below 0 for no answer
	Foreground, Background        string      // of OSC 10 and OSC 11
	Palette                       string      // of OSC 4 with ?, with %d for the index
	TextPixels, CellPixels, Cells bool        // CSI 14 t, 16 t, 18 t are answered
	CellsSwapped                  bool        // CSI 18 t reports columns first
	Capability                    string      // of XTGETTCAP, with %s for the name in hexadecimal
	Settings                      bool        // DECRQSS is answered
}

// Where is a place on the screen.
type Where uint8

const (
	Nowhere Where = iota
	AtTop         // only with the cursor on row 1
	Anywhere
)

// Archive says which rows an erase pushes to the scrollback before it clears the screen.
type Archive uint8

const (
	ArchiveDefault Archive = iota // ED 2: the rows in use, if the last row is a shell's prompt (OSC 133); ED 0: nothing
	ArchiveNothing
	ArchiveUsed   // rows down to the last one in use
	ArchiveScreen // all rows
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
	PlusTUnscrolls       // pulls n rows back from the scrollback
	PlusTScrolls         // is SD
)

// AltScreen is the kind of alternate screen.
type AltScreen uint8

const (
	OwnAlt     AltScreen = iota // without scrollback
	NoAlt                       // modes 47, 1047 and 1049 do not switch
	LeakingAlt                  // rows scrolled off it go to the one scrollback
)

// archiveAtHome does the first step of ED 0: some terminals take an erase from the top left corner
// for ED 2.
func (t *Terminal) archiveAtHome() {
	if t.active == t.primary && t.active.cursor.x == 0 && t.active.cursor.y == 0 {
		t.archiveScreen(t.config.Personality.EraseHome)
	}
}

// archiveScreen pushes the screen. The cursor stays where it is.
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

// unscroll implements CSI n + T, which in some terminals moves rows back from the scrollback: the
// bottom rows are lost.
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

// leakRow copies a row that is scrolled off the alternate screen to the end of the history.
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

// runeWidth returns the width of a character that stands alone. columns is its width in ghostty.
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
