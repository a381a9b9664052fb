// Package harness plays a test program on the renderer and an emulated terminal, and checks after
// each frame that the terminal shows what the contract of the renderer demands.
//
// The ledger holds the expected rows. It is computed from the rows that the program hands over, and
// from the contract, never from the state of the renderer. The tape is the terminal's scrollback
// and grid, as one list of rows. Final rows are those that the program has committed; live rows are
// those below them that may still change.
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

// harness runs one test program. It holds the renderer under test, the emulated terminal, and the
// ledger of expected rows with which both are compared.
type harness struct {
	profile profile.Profile
	term    *profile.Reader
	wire    *wire
	model   width.Model
	config  renderer.Config
	// wraps the renderer in one that has a deliberate bug, to test the checks; nil: no bug
	spoil    func(engine) engine
	renderer engine
	ledger   ledger

	next     content // content that the program wants the next frame to show
	shown    frame   // content of the last frame
	seam     renderer.Seam
	dropped  bool // the last frame had a character that the terminal does not draw, see holdsDropped
	stall    int  // number of operations until the terminal reads bytes again
	pictures pictures
	session  session
	window   window
	history  history
	view     view
	residue  residue
}

// content holds what the test program wants the next frame to show.
type content struct {
	base    int             // index of commit[0] among the final rows of the session
	commit  []renderer.Line // rows that become final with the next frame
	blocks  []program.Block // blocks of text that form the live region, from the top down
	overlay *renderer.Overlay
	caret   bool
	up, col int // position of the caret: up counts rows from the last live row
	careful bool
}

// session holds the state of one session of the renderer, from its start to its Release.
type session struct {
	unwritten bool      // the renderer has not written anything yet
	begin     vt.Cursor // cursor of the terminal when the session began
	resumed   int       // number of final rows when the session was last resumed after a suspend
	noResize  bool      // the test program never changes the window's size
}

// window holds the size of the emulated terminal, in columns and rows, and what is known about its
// earlier sizes.
type window struct {
	cols, rows int
	toldSize   [2]int       // the last size that the renderer was told, in columns and rows
	untold     bool         // the size changed while a frame was on its way, and the renderer was not told yet
	detours    []program.Op // sizes that the window takes for a moment before that of the next resize
	moved      bool         // the window's size has changed since the last frame
	resized    bool         // the window's size has changed at least once
	oneColumn  bool         // the window was one column wide at some time
	// The window had fewer than ten columns at some time, so that it is not known which texts fit a
	// row.
	narrow bool
	// final rows in the line of the cursor, which the terminal cuts at a narrower width, see
	// resizeWindow
	cursorLine []*row
}

// history holds counters of the rows that must be in the terminal's history (scrollback).
type history struct {
	counted        int // number of rows in history when the terminal was last checked
	scrolls        int // number of rows that must have gone into history since then; -1: not known
	untilFullCheck int // number of checks until the whole tape is compared again
}

// view holds the rows that a user sees who has scrolled up, to check that output does not move
// them.
type view struct {
	rows []string // texts of the rows that must stay in view; nil: nobody has scrolled up
	top  int
}

// residue holds counters and limits for rows above the live region that are not final: changes of
// the size have left them there, or may have.
type residue struct {
	found int // number of unexpected rows above the live region at the last check
	// The largest value of found. Where the terminal cuts rows, a row may go out of sight and come
	// back.
	mostFound int
	// Limit for rows above the live region that are not final, once the size has changed while a
	// frame was on its way.
	stale      int
	raced      bool // the size has changed while a frame was on its way
	unheard    int  // number of live rows in windows whose size the renderer was never told
	splitLines int  // number of lines that the terminal may have split, one at each new size
	// Number of rows that the terminal may have made of blanks: foot of those up to the saved
	// cursor, urxvt of those up to the caret.
	padded      int
	savedCursor bool // a program has saved the cursor: ghostty keeps blank rows down to that position
	wide        bool // a wide character was shown on a terminal that tears lines, see mayTearLines
}

// Run plays the test program p with a renderer and an emulated terminal. It returns the first error
// of the renderer that a check finds, or nil. A panic of the renderer is returned as an error, too.
func Run(p program.Program) error {
	h, err := start(p, false)
	if err != nil {
		return err
	}
	return h.play(p)
}

// Record plays the test program p as [Run] does. It also returns the bytes and sizes that the
// terminal was given, in order, and the terminal as it was at the end.
func Record(p program.Program) ([]Event, *vt.Terminal, error) {
	h, err := start(p, true)
	if err != nil {
		return nil, nil, err
	}
	err = h.play(p)
	return h.wire.events, h.term.Terminal, err
}

// engine is the interface of a renderer as far as the harness uses it. Tests replace the renderer
// by one with a deliberate bug.
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

// start creates the emulated terminal that p asks for, prints the output of a shell there, and
// starts a session of the renderer. If record is true, the terminal's input is recorded.
func start(p program.Program, record bool) (*harness, error) { return startSpoiled(p, record, nil) }

// startSpoiled does the same as start. If spoil is not nil, it wraps the renderer in one that has a
// deliberate bug.
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
