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

// harness runs a program. It holds the renderer, the terminal, and the ledger that both are
// compared with.
type harness struct {
	profile  profile.Profile
	term     *profile.Reader
	wire     *wire
	model    width.Model
	config   renderer.Config
	spoil    func(engine) engine // adds a deliberate bug to the renderer, for tests; nil: none
	renderer engine
	ledger   ledger

	next     content // content of the next frame
	shown    frame   // the last frame
	seam     renderer.Seam
	dropped  bool // the last frame had a character that the terminal does not draw, see holdsDropped
	stall    int  // operations until the terminal takes bytes again
	pictures pictures
	session  session
	window   window
	history  history
	view     view
	residue  residue
}

// content is what the program wants to be shown.
type content struct {
	base    int             // session index of commit[0]
	commit  []renderer.Line // rows that become final
	blocks  []program.Block // live blocks
	overlay *renderer.Overlay
	caret   bool
	up, col int // position of the caret
	careful bool
}

// session is the part of a program from the start of a renderer to its Release.
type session struct {
	unwritten bool      // nothing was written yet
	begin     vt.Cursor // cursor at the start
	resumed   int       // number of final rows when the session was last resumed
	noResize  bool      // the program has no resize
}

// window is the size of the terminal, and its history.
type window struct {
	cols, rows int
	toldSize   [2]int       // the size that the renderer was told
	untold     bool         // the size changed while a frame was in flight, and the renderer was not told yet
	detours    []program.Op // sizes before that of the next resize
	moved      bool         // the size changed since the last frame
	resized    bool         // the size has ever changed
	oneColumn  bool         // the window was one column wide at some time
	// the window had fewer than ten columns at some time, so it is not known what fits into a row
	narrow     bool
	cursorLine []*row // final rows that the terminal cuts, see resizeWindow
}

// history counts the rows that must be in history.
type history struct {
	counted        int // rows in history when the terminal was last checked
	scrolls        int // rows that must have left the grid since then; -1: not known
	untilFullCheck int // operations until the whole tape is compared again
}

// view is what a reader sees who has scrolled up.
type view struct {
	rows []string // rows that must stay in sight
	top  int
}

// residue counts rows above the live region that changes of the size have left, or may have left.
type residue struct {
	found int // unexpected rows on the tape
	// the largest value of found: where rows are cut, a row may go out of sight and come back
	mostFound int
	// limit for rows above the live region that are not final, after the window has changed while a
	// frame was in flight
	stale      int
	raced      bool // the window has changed while a frame was in flight
	unheard    int  // live rows in windows whose size the renderer was never told
	splitLines int  // lines that the terminal may have split, one at each new size
	// rows that foot may have made of blanks up to the saved cursor, and urxvt of blanks up to the
	// caret
	padded      int
	savedCursor bool // somebody has saved the cursor: ghostty keeps blank rows down to there
	wide        bool // there were wide characters on a terminal that tears lines, see mayTearLines
}

// Run plays p and returns the first contradiction, or nil. A panic of the renderer is an error,
// too.
func Run(p program.Program) error {
	h, err := start(p, false)
	if err != nil {
		return err
	}
	return h.play(p)
}

// Record plays p as Run does. It returns what the terminal was given, and the terminal at the end.
func Record(p program.Program) ([]Event, *vt.Terminal, error) {
	h, err := start(p, true)
	if err != nil {
		return nil, nil, err
	}
	err = h.play(p)
	return h.wire.events, h.term.Terminal, err
}

// engine is the part of a renderer that the harness uses.
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

// start creates the terminal of p, with the output of a shell, and starts a session.
func start(p program.Program, record bool) (*harness, error) { return startSpoiled(p, record, nil) }

// startSpoiled does the same as start, with a deliberate bug in the renderer.
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
	h.session.noResize = p.Nature() == program.Still
	if h.cutsWithoutHistory() {
		h.printShell(1, 100, false)
	}
	h.printShell(0, t.Shell, t.Partial && h.session.noResize)
	h.startSession()
	return h, nil
}
