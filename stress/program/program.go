// Package program is what a user of the renderer may do, as data: random programs that can be read,
// stored, parsed, replayed and made smaller.
//
// A [Program] is a [Terminal] and a list of [Op] values. What an op writes follows from its own
// Seed, and numbers that point at something are taken modulo what is there, so that a program stays
// meaningful when ops are removed or made smaller.
package program

import (
	"fmt"
	"strconv"
	"strings"
)

// A Terminal is where a program runs.
type Terminal struct {
	Profile    string // of stress/profile
	Cols, Rows int
	Scrollback int  // rows kept by the terminal
	Shell      int  // rows that stand there before
	Partial    bool // the last of them lacks its newline
	Sync       bool // the renderer is told that DEC 2026 works
	Wide       bool // the renderer measures clusters as the terminal does not (width.Wcwidth against Grapheme)
	Marks      bool // what the person said is marked (OSC 133): rows of which Said is true
	Unknown    bool // the renderer is not told whether the terminal wraps anew
	// how the terminal gets a frame: 0 token by token with all checks in between, -1 in one piece,
	// n in pieces of n bytes
	Chunk int
}

// A Program is a value; ops are not shared between programs that Shrink returns.
type Program struct {
	Terminal Terminal
	Ops      []Op
}

// An Op is one thing that happens. Which of N, At, How and so on matter says the table of kinds.
type Op struct {
	Kind       Kind
	N, At, How int
	Cols, Rows int
	Seed       uint32 // of its texts; different in each op of a generated program
	Hold       bool   // no frame follows: the next op's frame shows this one, too
}

// Kind is what an op does.
type Kind uint8

const (
	Idle      Kind = iota // a frame without any change
	Commit                // N rows of looks How become final
	Paragraph             // one soft-wrapped line over about N rows becomes final; with doubtful clusters if At is odd
	Insert                // N live blocks appear at block At; How as in Commit, soft-wrapped if SoftWrapped
	Change                // live block At changes in the way How
	Remove                // N live blocks vanish from block At on
	// a body of Cols live blocks from block At on scrolls by N up, or down if Rows is odd; what
	// comes in looks How
	Slide
	Finalise // the first N live rows become final where they stand
	// the last N final rows are handed over again; all but the first At of them differ if How is
	// odd
	Rewind
	// an overlay of N rows, At rows up, How columns in, Cols columns wide (0: up to the edge); or
	// it closes
	Overlay
	Caret   // the caret stands At rows above the last live row in column How; none if N is 0
	Careful // frames say that the size is in doubt, or no longer
	Sync    // DEC 2026 brackets are switched on or off
	Scroll  // the reader scrolls up N rows; to the end if N is 0
	Stall   // the terminal gets nothing before N more ops are done
	// the session is released (the live rows stay as text if How is odd), a shell writes N rows,
	// the session goes on
	Suspend
	Session // the session ends and another begins in the same terminal after N rows of a shell
	Pager   // another program uses the alternate screen, and goes
	// N screens of a pane of ours on the alternate screen, and back; if Cols is set the window
	// becomes Cols by Rows meanwhile
	Pane
	// a picture of N rows becomes final, with a row above and How rows below; it stays live if At
	// is odd
	Picture
	// the window is Cols by Rows for a moment before the next resize; it is heard of if How is 1 or
	// Cols is 1, and the cursor asked for if How is 2
	Via
	Resize // the window becomes Cols by Rows; How is what becomes of the report (see Reports)
	// one final row, or a soft-wrapped line over about N, is sent between the change of the window
	// and the news of it; right after another change if At is odd, with doubtful clusters if At/2
	// is
	Race
	// as Resize, while a frame with all that was held is in flight: the terminal changes behind its
	// first N bytes if At is 1, else before them; it is marked if At is 2
	InFlight
	kinds
)

// Looks of rows: How in Commit and Insert, modulo Looks.
const (
	Plain        = iota
	Styled       // pens and hyperlinks
	Full         // exactly as wide as the terminal
	OverWide     // wider than the terminal: cut
	Doubtful     // clusters about whose width terminals differ
	Empty        // nothing at all
	Coloured     // a background up to the last column
	Short        // at most eight columns
	SoftWrapped  // Insert only: a paragraph
	SoftDoubtful // and one with doubtful clusters
	Looks
)

// What becomes of the cursor report after a resize: How modulo Reports.
const (
	Answered = iota // it comes
	Mute            // it never comes: the program goes by its prediction
	Hasty           // the program renders without having asked
	Late            // it comes after the program has gone on without
	Wrong           // foreign reports come first
	Stale           // the size changes again while it is under way
	Reports
)

// fields are the names under which an op prints its numbers, in the order N, At, How, Cols, Rows;
// "" is not printed.
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

// String returns the name that the op prints.
func (k Kind) String() string { return fields[k%kinds].name }

func (o *Op) numbers() [5]*int { return [5]*int{&o.N, &o.At, &o.How, &o.Cols, &o.Rows} }

// String prints the op as Parse reads it: `commit rows=3 look=1 seed=17`.
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

// String prints the whole program, one op a line, as Parse reads it.
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

// Parse reads what String prints. Empty lines and those that begin with # are skipped.
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
