package harness

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/flicker"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// harness is a program that runs: the renderer, the terminal, and the ledger between them.
type harness struct {
	profile profile.Profile
	term    *profile.Reader
	wire    *wire
	model   width.Model
	config  renderer.Config
	spoil   func(engine) engine // puts a bug of a test before the renderer; nil: none
	r       engine
	ledger  ledger

	next     content // of the next frame
	shown    frame   // the last one
	seam     renderer.Seam
	dropped  bool // the last frame had a character that the terminal drops, see holdsDropped
	stall    int  // ops until the terminal takes bytes again
	pictures pictures
	session  session
	window   window
	history  history
	view     view
	residue  residue
}

// content is what the program wants shown.
type content struct {
	base    int             // session index of commit[0]
	commit  []renderer.Line // rows that become final
	blocks  []program.Block // live
	overlay *renderer.Overlay
	caret   bool
	up, col int // of the caret
	careful bool
}

// session is the part of a program between a start of a renderer and its Release.
type session struct {
	unwritten bool      // nothing has been written yet
	begin     vt.Cursor // where it began
	resumed   int       // rows that were final when it was last resumed
	still     bool      // the program has no resize
}

// window is the size of the terminal, and what it has been.
type window struct {
	cols, rows int
	toldSize   [2]int       // the size that the renderer knows
	untold     bool         // the renderer is to be told now that it changed while a frame was in flight
	detours    []program.Op // sizes on the way to that of the next resize
	moved      bool         // it has changed since the last frame
	resized    bool         // it has ever changed
	oneColumn  bool         // it has been one column wide
	narrow     bool         // it has had fewer than ten columns: what fits in a row is in doubt
	cursorLine []*row       // the final rows that the terminal cuts, see resizeWindow
}

// history says how many rows must be in it.
type history struct {
	counted    int // rows in it when the terminal was last looked at
	scrolls    int // rows that must have left the grid since the terminal has taken bytes; -1: not known
	untilWhole int // ops until the whole tape is compared again
}

// view is what a reader sees who has scrolled up.
type view struct {
	rows []string // what must stay in sight
	top  int
}

// residue is what changes of the size have left above the live region, and may have left.
type residue struct {
	found int // rows on the tape that nobody wanted
	// the most of them that there have been: where rows are cut, one may go out of sight and come
	// back
	mostFound int
	// rows above the live region that are no final ones, at most, after the window has changed
	// while a frame was in flight
	stale   int
	raced   bool // it has
	unheard int  // live rows in windows of a size that the renderer was never told of
	apart   int  // lines that the terminal may have taken apart, one at each new size
	// rows that foot may have made of blanks up to the saved cursor, wherever that is, and urxvt of
	// those up to the caret
	padded      int
	savedCursor bool // somebody has saved the cursor: ghostty keeps blank rows down to there
	wide        bool // there were wide characters on a terminal that tears lines, see mayTearLines
}

// Run plays p and returns the first contradiction, nil if there is none. Panics of the renderer are
// errors, too.
func Run(p program.Program) error {
	h, err := start(p, false)
	if err != nil {
		return err
	}
	return h.play(p)
}

// Record plays p as Run does, and returns what the terminal was given, and the terminal as it is at
// the end.
func Record(p program.Program) ([]Event, *vt.Terminal, error) {
	h, err := start(p, true)
	if err != nil {
		return nil, nil, err
	}
	err = h.play(p)
	return h.wire.events, h.term.Terminal, err
}

// engine is what the harness needs of a renderer.
type engine interface {
	Render(renderer.Frame) (renderer.Seam, error)
	Resize(cols, rows int)
	Overtaken()
	Ask() error
	Anchor(col, row int) bool
	Predict()
	Restart()
	Release(keep bool) error
	SetSync(on bool)
}

// start makes the terminal of p, with what a shell has printed there, and starts a session.
func start(p program.Program, record bool) (*harness, error) { return startSpoiled(p, record, nil) }

// startSpoiled does what start does, with a bug before the renderer.
func startSpoiled(p program.Program, record bool, spoil func(engine) engine) (*harness, error) {
	t := p.Terminal
	pr, ok := profile.ByName(t.Profile)
	if !ok {
		return nil, fmt.Errorf("no profile is called %q", t.Profile)
	}
	if t.Unknown {
		pr = pr.Unrecognised()
	}
	h := &harness{profile: pr, spoil: spoil}
	h.window.cols, h.window.rows = max(1, t.Cols), max(1, t.Rows)
	term := pr.New(h.window.cols, h.window.rows, t.Scrollback)
	h.term = pr.Read(term)
	h.wire = &wire{term: term, chunk: t.Chunk, record: record}
	if pr.Differs.HoldSync > 0 && t.Chunk == 0 {
		h.wire.chunk = -1 // in between, such a terminal shows nothing
	}
	if h.wire.chunk == 0 {
		h.wire.watch = flicker.New(term)
	}
	if clusters := !pr.Differs.NoGraphemeClusters || pr.Differs.LeadingWidths; clusters != t.Wide {
		if h.model.Method = width.Grapheme; pr.Differs.LeadingWidths {
			h.model.Method = width.Leading
		}
	}
	h.model.MarksWrap = pr.Differs.MarksWrap
	h.pictures.graphics = !pr.Differs.NoKittyGraphics
	h.wire.allowed.graphics = h.pictures.graphics
	h.config = renderer.Config{Out: h.wire, Sync: t.Sync, Model: h.model, Links: true, Marks: t.Marks}
	if !t.Unknown {
		h.config.Quirks = renderer.Known(pr.Is)
		h.wire.allowed.deletes = pr.Differs.DeleteLinesPushes != vt.Anywhere
		h.wire.allowed.redraws = h.config.RedrawsPrompt
	}
	// Blanks that keep a partial line run into our first row; a resize would move it.
	h.session.still = p.Nature() == program.Still
	if h.cutsWithoutHistory() {
		h.printShell(1, 100, false)
	}
	h.printShell(0, t.Shell, t.Partial && h.session.still)
	h.startSession()
	return h, nil
}
