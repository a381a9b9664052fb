// Package program describes test programs for the renderer as data. They are generated at random,
// and can be printed, stored, parsed, replayed and made smaller.
//
// A [Program] is a [Terminal] and a list of [Op] values, such as "make three rows final" or "change
// the window to 40x10". The texts of an operation follow from its own Seed. Numbers that point at
// something, such as a live row, are taken modulo the number of such things. So a program stays
// meaningful when operations are removed or simplified.
package program

import (
	"fmt"
	"strconv"
	"strings"
)

// Terminal describes the terminal on which a program runs, and how the renderer is configured for
// it.
type Terminal struct {
	Profile    string // name of a profile in package profile
	Cols, Rows int
	Scrollback int  // limit of the terminal's scrollback in rows
	Shell      int  // number of rows that a shell prints before the program starts
	Partial    bool // the last of the shell's rows lacks its newline
	Sync       bool // the renderer is told that the terminal supports synchronized output (DEC 2026)
	Wide       bool // the renderer measures clusters in another way than the terminal (width.Wcwidth or Grapheme)
	Marks      bool // rows for which Said is true are marked as the user's words (OSC 133)
	Unknown    bool // the renderer is not told which terminal it is
	// How the terminal gets a frame: 0 sequence by sequence with all checks in between, -1 in one
	// piece, n in pieces of n bytes.
	Chunk int
}

// Program describes one test: a terminal, and the operations that run on it. Programs that Shrink
// returns do not share their operations.
type Program struct {
	Terminal Terminal
	Ops      []Op
}

// Op is one operation of a test program. The comments on the kinds say which of the numbers matter.
type Op struct {
	Kind       Kind
	N, At, How int
	Cols, Rows int
	Seed       uint32 // seed of the operation's texts; different in each operation of a generated program
	Hold       bool   // no frame follows: the next operation's frame shows this one, too
}

// Kind says what an operation of a test program does.
type Kind uint8

const (
	Idle      Kind = iota // show a frame without any change
	Commit                // make N new rows final; How is their look
	Paragraph             // make one soft-wrapped line of about N rows final; with doubtful clusters if At is odd
	Insert                // insert N live blocks at block At; How is their look, as in Commit, or SoftWrapped
	Change                // change live block At in the way How, see Block.Changed
	Remove                // remove N live blocks from block At on
	// Scroll a body of Cols live blocks, which begins at block At, up by N blocks, or down if Rows
	// is odd. The blocks that come in have the look How.
	Slide
	Finalise // make the first N live rows final where they stand
	// Hand the last N final rows to the renderer again. If How is odd, all but the first At of them
	// get another text.
	Rewind
	// Open an overlay of N rows, At rows up, How columns in, and Cols columns wide (0: up to the
	// edge); or close the open one.
	Overlay
	Caret   // put the caret At rows above the last live row, in column How; hide it if N is 0
	Careful // say in the next frames that the window's size is in doubt, or no longer if N is 0
	Sync    // switch synchronized output (DEC 2026) on, or off if N is 0
	Scroll  // scroll the user's view up N rows; to the end if N is 0
	Stall   // let the terminal read nothing until N more operations are done
	// Release the session (the live rows remain as text if How is odd), let a shell write N rows,
	// and resume the session.
	Suspend
	Session // end the session, let a shell write N rows, and begin another session in the same terminal
	Pager   // let another program use the alternate screen and leave it
	// Show N screens on the alternate screen, and leave it. If Cols is set, the window becomes Cols
	// by Rows meanwhile.
	Pane
	// Make a picture of N rows final, with a row above it and How rows below. It stays live if At
	// is odd.
	Picture
	// Give the window the size Cols by Rows for a moment before the next resize. The renderer is
	// told this size if How is 1 or Cols is 1. If How is 2, it also requests the cursor position.
	Via
	Resize // change the window to Cols by Rows; How says how the cursor report comes (see Reports)
	// As Resize, but one short final row, or a soft-wrapped line of about N rows, is sent after the
	// window has changed and before the renderer is told. If At is odd, this comes right after
	// another change. If At/2 is odd, the line has doubtful clusters.
	Race
	// As Resize, but a frame with all that was held is on its way meanwhile. If At is 1, the
	// terminal changes its size after the first N bytes of the frame, otherwise before them.
	InFlight
	kinds
)

// The looks of a row. In Commit and Insert the field How, modulo Looks, selects one of them.
const (
	Plain        = iota
	Styled       // a row with colours, attributes and hyperlinks
	Full         // a row exactly as wide as the terminal
	OverWide     // a row wider than the terminal, so that it is cut
	Doubtful     // a row with clusters to which terminals give different widths
	Empty        // a row without any text
	Coloured     // a row with a background colour up to the last column
	Short        // a row with at most eight columns of text
	SoftWrapped  // a paragraph that the terminal wraps by itself; Insert only
	SoftDoubtful // such a paragraph, with clusters of doubtful width
	Looks
)

// The answers to the renderer's request for the cursor position after a resize. The field How,
// modulo Reports, selects one of them.
const (
	Answered = iota // the terminal's report of the cursor position comes
	Mute            // the cursor report never comes: the renderer goes by its prediction
	Hasty           // the program renders without a request for the cursor position
	Late            // the cursor report comes after the program has gone on without it
	Wrong           // sequences come first that look like a cursor report
	Stale           // the size changes again while the report is on its way
	Reports
)

// fields holds, for each kind, the names under which its operation prints its numbers, in the order
// N, At, How, Cols, Rows. A number named "" is not printed.
var fields = [kinds]struct {
	name string
	of   [5]string
	seed bool
}{
	Idle:      {"idle", [5]string{}, false},
	Commit:    {"commit", [5]string{"rows", "", "look"}, true},
	Paragraph: {"paragraph", [5]string{"rows", "doubt"}, true},
	Insert:    {"insert", [5]string{"blocks", "at", "look"}, true},
	Change:    {"change", [5]string{"", "at", "how"}, true},
	Remove:    {"remove", [5]string{"blocks", "at"}, false},
	Slide:     {"slide", [5]string{"by", "at", "look", "body", "down"}, true},
	Finalise:  {"finalise", [5]string{"rows"}, false},
	Rewind:    {"rewind", [5]string{"rows", "keep", "change"}, true},
	Overlay:   {"overlay", [5]string{"rows", "up", "col", "width"}, true},
	Caret:     {"caret", [5]string{"on", "up", "col"}, false},
	Careful:   {"careful", [5]string{"on"}, false},
	Sync:      {"sync", [5]string{"on"}, false},
	Scroll:    {"scroll", [5]string{"rows"}, false},
	Stall:     {"stall", [5]string{"ops"}, false},
	Suspend:   {"suspend", [5]string{"shell", "partial", "keep", "cols", "rows"}, true},
	Session:   {"session", [5]string{"shell", "partial", "keep"}, true},
	Pager:     {"pager", [5]string{"rows"}, true},
	Pane:      {"pane", [5]string{"screens", "", "report", "cols", "rows"}, true},
	Picture:   {"picture", [5]string{"rows", "live", "below"}, true},
	Via:       {"via", [5]string{"", "", "heard", "cols", "rows"}, false},
	Resize:    {"resize", [5]string{"", "", "report", "cols", "rows"}, false},
	InFlight:  {"in-flight", [5]string{"bytes", "within", "report", "cols", "rows"}, false},
	Race:      {"race", [5]string{"long", "again", "report", "cols", "rows"}, true},
}

// String returns the name of the kind, as in a printed operation.
func (k Kind) String() string { return fields[k%kinds].name }

func (o *Op) numbers() [5]*int { return [5]*int{&o.N, &o.At, &o.How, &o.Cols, &o.Rows} }

// String returns the operation as [Parse] reads it: `commit rows=3 look=1 seed=17`.
func (o Op) String() string {
	f := fields[o.Kind%kinds]
	s := f.name
	for i, n := range o.numbers() {
		if f.of[i] != "" {
			s += fmt.Sprintf(" %s=%d", f.of[i], *n)
		}
	}
	if f.seed {
		s += fmt.Sprintf(" seed=%d", o.Seed)
	}
	if o.Hold {
		s += " hold"
	}
	return s
}

// String returns the whole program, one operation a line, as [Parse] reads it.
func (p Program) String() string {
	var b strings.Builder
	t := p.Terminal
	fmt.Fprintf(&b, "terminal %s cols=%d rows=%d scrollback=%d shell=%d chunk=%d", t.Profile, t.Cols, t.Rows,
		t.Scrollback, t.Shell, t.Chunk)
	for _, f := range t.flags() {
		if *f.on {
			b.WriteString(" " + f.name)
		}
	}
	b.WriteByte('\n')
	for _, o := range p.Ops {
		b.WriteString(o.String() + "\n")
	}
	return b.String()
}

type flag struct {
	name string
	on   *bool
}

func (t *Terminal) flags() []flag {
	return []flag{{"partial", &t.Partial}, {"sync", &t.Sync}, {"wide", &t.Wide}, {"unknown", &t.Unknown},
		{"marks", &t.Marks}}
}

// Parse reads a program that [Program.String] has printed. It skips empty lines and lines that
// begin with #.
func Parse(text string) (Program, error) {
	var p Program
	for i, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		var err error
		if words[0] == "terminal" && len(words) > 1 {
			err = p.Terminal.parse(words[1:])
		} else {
			var o Op
			err = o.parse(words)
			p.Ops = append(p.Ops, o)
		}
		if err != nil {
			return p, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if p.Terminal.Profile == "" {
		return p, fmt.Errorf("no line names the terminal")
	}
	return p, nil
}

func (t *Terminal) parse(words []string) error {
	t.Profile = words[0]
	numbers := map[string]*int{"cols": &t.Cols, "rows": &t.Rows, "scrollback": &t.Scrollback, "shell": &t.Shell,
		"chunk": &t.Chunk}
	for _, w := range words[1:] {
		if name, value, ok := strings.Cut(w, "="); ok && numbers[name] != nil {
			n, err := strconv.Atoi(value)
			if err != nil {
				return err
			}
			*numbers[name] = n
			continue
		}
		known := false
		for _, f := range t.flags() {
			if f.name == w {
				*f.on, known = true, true
			}
		}
		if !known {
			return fmt.Errorf("a terminal has no %q", w)
		}
	}
	return nil
}

func (o *Op) parse(words []string) error {
	o.Kind = kinds
	for k, f := range fields {
		if f.name == words[0] {
			o.Kind = Kind(k)
		}
	}
	if o.Kind == kinds {
		return fmt.Errorf("no op is called %q", words[0])
	}
	for _, w := range words[1:] {
		name, value, _ := strings.Cut(w, "=")
		if w == "hold" {
			o.Hold = true
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("%q: %w", w, err)
		}
		if name == "seed" {
			o.Seed = uint32(n)
			continue
		}
		known := false
		for i, p := range o.numbers() {
			if fields[o.Kind].of[i] == name {
				*p, known = n, true
			}
		}
		if !known {
			return fmt.Errorf("%s has no %q", o.Kind, name)
		}
	}
	return nil
}
