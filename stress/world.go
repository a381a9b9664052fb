package stress

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/flicker"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Run plays p and returns the first contradiction, nil if there is none. Panics of the renderer are
// errors, too.
func Run(p program.Program) error {
	w, err := newWorld(p, false)
	if err != nil {
		return err
	}
	return w.run(p)
}

// scene is what a frame showed.
type scene struct {
	live    []renderer.Line
	overlay *renderer.Overlay
	caret   *renderer.Pos
	careful bool
}

// Record is Run, and returns what the terminal was given, and the terminal as it is at the end.
func Record(p program.Program) ([]Event, *vt.Terminal, error) {
	w, err := newWorld(p, true)
	if err != nil {
		return nil, nil, err
	}
	err = w.run(p)
	return w.wire.events, w.term.Terminal, err
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

// world is a program that runs: the renderer, the terminal, and the ledger between them.
type world struct {
	profile profile.Profile
	term    *profile.Reader
	wire    *wire
	r       engine
	spoil   func(engine) engine // puts a bug of a test before the renderer; nil: none
	l       ledger
	config  renderer.Config
	model   width.Model

	cols, rows int
	told       [2]int          // the size that the renderer knows
	blocks     []program.Block // live
	base       int             // session index of commit[0]
	commit     []renderer.Line // final rows of the next frame
	overlay    *renderer.Overlay
	shown      scene // by the last frame
	caret      bool
	up, col    int // of the caret
	careful    bool

	fresh   bool // the session has written nothing yet
	begin   vt.Cursor
	stall   int // ops until the terminal takes bytes again
	scrolls int // rows that must have left the grid since the terminal has taken bytes
	seam    renderer.Seam
	extra   int      // rows on the tape that nobody wanted, all residue
	most    int      // the most of them that there have been: where rows are cut, one may go out of sight and come back
	pushed  int      // rows in history when the terminal was last looked at
	view    []string // rows that a scrolled reader must go on seeing
	viewTop int
	full    int  // ops until the whole tape is compared again
	still   bool // the program has no resize
	resized bool
	saved   bool // somebody has saved the cursor: ghostty keeps blank rows down to there
	single  bool // the window has been one column wide
	narrow  bool // the window has had fewer than ten columns: what fits in a row is in doubt, and rows are not counted
	raced   bool // the window has changed while a frame was in flight
	untold  bool // and the renderer is to be told of that change now
	stale   int  // rows above the live region that are no final ones, at most, after that
	unheard int  // live rows in windows of a size that the renderer was never told of

	via      []program.Op // sizes on the way to that of the next resize
	drawn    []drawing    // by the frame that is rendered
	images   int          // drawn so far
	graphics bool         // the terminal knows kitty graphics
	resumed  int          // rows that were final when the session was last resumed
	wide     bool         // there were wide characters on a terminal that tears lines: see tears
	apart    int          // lines that the terminal may have taken apart, one at each new size
	// rows that foot may have made of blanks up to the saved cursor, wherever that is, and urxvt of
	// those up to the caret
	padded     int
	moved      bool   // the window has changed since the last frame
	dropped    bool   // the last frame had a character that the terminal drops, see drops
	cursorLine []*row // see sized
}

func newWorld(p program.Program, record bool) (*world, error) { return spoiledWorld(p, record, nil) }

// spoiledWorld is newWorld with a bug before the renderer.
func spoiledWorld(p program.Program, record bool, spoil func(engine) engine) (*world, error) {
	t := p.Terminal
	pr, ok := profile.ByName(t.Profile)
	if !ok {
		return nil, fmt.Errorf("no profile is called %q", t.Profile)
	}
	if t.Unknown {
		pr = pr.Unrecognised()
	}
	w := &world{profile: pr, spoil: spoil, cols: max(1, t.Cols), rows: max(1, t.Rows)}
	term := pr.New(w.cols, w.rows, t.Scrollback)
	w.term = pr.Read(term)
	w.wire = &wire{term: term, chunk: t.Chunk, record: record}
	if pr.Differs.HoldSync > 0 && t.Chunk == 0 {
		w.wire.chunk = -1 // in between, such a terminal shows nothing
	}
	if w.wire.chunk == 0 {
		w.wire.between = flicker.New(term)
	}
	if clusters := !pr.Differs.NoGraphemeClusters || pr.Differs.LeadingWidths; clusters != t.Wide {
		if w.model.Method = width.Grapheme; pr.Differs.LeadingWidths {
			w.model.Method = width.Leading
		}
	}
	w.model.MarksWrap = pr.Differs.MarksWrap
	w.graphics = !pr.Differs.NoKittyGraphics
	w.wire.graphics = w.graphics
	w.config = renderer.Config{Out: w.wire, Sync: t.Sync, Model: w.model, Links: true, Marks: t.Marks}
	if !t.Unknown {
		w.config.Quirks = renderer.Known(pr.Is)
		w.wire.deletes = pr.Differs.DeleteLinesPushes != vt.Anywhere
		w.wire.redraws = w.config.Redraws
	}
	// Blanks that keep a partial line run into our first row; a resize would move it.
	w.still = p.Nature() == program.Still
	if pr.Differs.Layout == profile.LayoutTopLine {
		w.shell(1, 100, false) // without history it cuts final rows and loses them at the end of the grid
	}
	w.shell(0, t.Shell, t.Partial && w.still)
	w.session()
	return w, nil
}

// session starts a renderer on the terminal as it is.
func (w *world) session() {
	w.config.Cols, w.config.Rows = w.cols, w.rows
	if w.r = renderer.New(w.config); w.spoil != nil {
		w.r = w.spoil(w.r)
	}
	w.l.before += w.l.doubt
	w.l.doubt, w.l.doubled, w.l.origin, w.l.b, w.l.handed, w.base = 0, 0, 0, 0, nil, 0
	w.started()
	w.l.origin = 0
}

// started notes where the cursor stands when the renderer begins.
func (w *world) started() {
	w.fresh = true
	w.told = [2]int{w.cols, w.rows}
	w.begin = w.term.Cursor()
	w.before()
	w.l.start(w.begin.Row)
	w.full = 0
}

// print is output of another program.
func (w *world) print(text string) {
	w.wire.put([]byte(text))
}

// shell writes n rows as another program would.
func (w *world) shell(seed uint32, n int, partial bool) {
	put := func(text string) {
		w.print(text)
		r := newRow(renderer.Line{Spans: []renderer.Span{{Text: text}}}, w.cols, w.model)
		w.l.foreign(r)
	}
	if w.term.Cursor().Col > 0 {
		w.print("\r\n")
	}
	for i := range n {
		text := fmt.Sprintf("sh%d.%d", seed, i)
		put(text[:min(len(text), w.cols)])
		w.print("\r\n")
	}
	if partial && w.cols > 4 {
		put("$ ")
		w.l.rows[len(w.l.rows)-1].loose = true
	}
}

func (w *world) run(p program.Program) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("panic: %v\n%s", e, stack())
		}
	}()
	for i, o := range p.Ops {
		if err := w.op(o); err != nil {
			return fmt.Errorf("op %d, %s: %w", i+1, o, err)
		}
	}
	w.overlay, w.careful = nil, false
	w.full = 0
	if err := w.unstall(); err != nil {
		return fmt.Errorf("at the end: %w", err)
	}
	if err := w.frame(); err != nil {
		return fmt.Errorf("the last frame: %w", err)
	}
	if err := w.repaint(); err != nil {
		return fmt.Errorf("at the end: %w", err)
	}
	if err := w.release(len(p.Ops)%2 == 1); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	return nil
}

// op does o, and a frame.
func (w *world) op(o program.Op) error {
	if w.stall > 0 {
		if w.stall--; w.stall == 0 || o.Kind >= program.Scroll {
			w.stall = 0
			if err := w.unstall(); err != nil {
				return err
			}
		}
	}
	if o.Kind == program.Via {
		if o.Cols > 0 && o.Rows > 0 {
			w.via = append(w.via, o)
		}
		return nil
	}
	defer func() { w.via = nil }()
	switch o.Kind {
	case program.Commit:
		for i := range bound(o.N, 4*w.rows) {
			b := program.NewBlock(o.Seed, i, o.How%program.SoftWrapped, w.cols, w.model)
			w.commit = append(w.commit, b.Layout(w.cols, w.model)...)
		}
	case program.Paragraph:
		b := program.NewParagraph(o.Seed, bound(o.N, 3*w.rows), w.cols, o.At%2 == 1, w.model)
		w.commit = append(w.commit, b.Layout(w.cols, w.model)...)
	case program.Insert:
		at := o.At % (len(w.blocks) + 1)
		for i := range bound(o.N, 2*w.rows) {
			w.blocks = slices.Insert(w.blocks, at, program.NewBlock(o.Seed, i, o.How%program.Looks, w.cols, w.model))
		}
	case program.Change:
		if len(w.blocks) > 0 {
			i, how := o.At%len(w.blocks), o.How
			w.blocks[i] = w.blocks[i].Changed(o.Seed, how, w.cols, w.model)
		}
	case program.Remove:
		if len(w.blocks) > 0 {
			i := o.At % len(w.blocks)
			w.blocks = slices.Delete(w.blocks, i, min(len(w.blocks), i+bound(o.N, 1<<20)))
		}
	case program.Slide:
		w.slide(o)
	case program.Finalise:
		w.finalise(o.N)
	case program.Rewind:
		w.rewind(o)
	case program.Overlay:
		w.toggle(o)
	case program.Caret:
		w.caret, w.up, w.col = o.N > 0, o.At, o.How
	case program.Careful:
		w.careful = o.N > 0
	case program.Sync:
		w.config.Sync = o.N > 0
		w.r.SetSync(w.config.Sync)
	case program.Scroll:
		w.scroll(o.N)
	case program.Stall:
		if o.N > 0 {
			if err := w.frame(); err != nil {
				return err
			}
			w.stall, w.wire.stall = o.N, true
		}
	case program.Suspend, program.Session:
		if err := w.suspend(o); err != nil {
			return err
		}
	case program.Pager:
		w.pager(o)
	case program.Pane:
		if err := w.pane(o); err != nil {
			return err
		}
	case program.Picture:
		w.picture(o)
	case program.Resize, program.Race, program.InFlight:
		if o.Cols > 0 && o.Rows > 0 {
			if err := w.resize(o); err != nil {
				return err
			}
		}
	}
	if o.Hold {
		return nil
	}
	return w.frame()
}

// bound is n, at most limit.
func bound(n, limit int) int { return max(0, min(n, limit)) }

// scene is what the next frame shows, laid out for the current width.
func (w *world) scene() scene {
	p := scene{overlay: w.overlay, careful: w.careful}
	for _, b := range w.blocks {
		p.live = append(p.live, b.Layout(w.cols, w.model)...)
	}
	for i := range p.live {
		p.live[i].Wrapped = false // live rows end hard
	}
	if n := len(p.live); w.caret && n > 0 {
		p.caret = &renderer.Pos{Col: w.col % w.cols, Row: n - 1 - w.up%min(n, w.rows)}
	}
	return p
}

// slide scrolls a body of live blocks; those that are missing are made.
func (w *world) slide(o program.Op) {
	at, body := o.At%(len(w.blocks)+1), bound(o.Cols, 2*w.rows)
	n := bound(o.N, body)
	block := func(i int) program.Block {
		return program.NewBlock(o.Seed, i, o.How%program.SoftWrapped, w.cols, w.model)
	}
	for i := n; len(w.blocks) < at+body; i++ {
		w.blocks = append(w.blocks, block(i))
	}
	var come []program.Block
	for i := range n {
		come = append(come, block(i))
	}
	if o.Rows%2 == 1 {
		w.blocks = slices.Insert(slices.Delete(w.blocks, at+body-n, at+body), at, come...)
		return
	}
	w.blocks = slices.Delete(slices.Insert(w.blocks, at+body, come...), at, at+n)
}

// finalise makes the first n live rows final: whole lines, and one at least.
func (w *world) finalise(n int) {
	for n > 0 && len(w.blocks) > 0 {
		rows := w.blocks[0].Layout(w.cols, w.model)
		w.commit = append(w.commit, rows...)
		w.blocks = w.blocks[1:]
		n -= len(rows)
	}
}

// rewind hands rows over once more.
func (w *world) rewind(o program.Op) {
	n := min(o.N, len(w.l.handed))
	if n <= 0 || w.base < len(w.l.handed) {
		return
	}
	w.base = len(w.l.handed) - n
	again := slices.Clone(w.l.handed[w.base:])
	pixels := 0 // rows of a picture to come
	for i := range again {
		if p := again[i].Picture; p != nil {
			if pixels = p.Rows; !blank(again[i:], pixels) { // some of them were handed over as others since
				again[i].Picture, pixels = nil, 0
			}
		}
		if pixels--; o.How%2 == 1 && i >= o.At && pixels < 0 {
			again[i] = program.NewBlock(o.Seed, i, program.Plain, w.cols, w.model).Layout(w.cols, w.model)[0]
		}
	}
	w.commit = append(again, w.commit...)
}

func (w *world) toggle(o program.Op) {
	if w.overlay != nil {
		w.overlay = nil
		return
	}
	v := &renderer.Overlay{Up: bound(o.At, w.rows-1), Col: o.How % w.cols, Width: o.Cols}
	rng := rand.New(rand.NewPCG(uint64(o.Seed), 5))
	for i := range bound(o.N, w.rows) {
		l := program.NewBlock(o.Seed, i, []int{program.Short, program.Full, program.Styled,
			program.Empty}[rng.IntN(4)], max(1, w.cols/2), w.model).Layout(w.cols, w.model)[0]
		v.Lines = append(v.Lines, l)
	}
	if len(v.Lines) == 0 {
		return
	}
	if rng.IntN(2) == 0 {
		v.Cursor = &renderer.Pos{Col: rng.IntN(3), Row: rng.IntN(len(v.Lines))}
	}
	w.overlay = v
}

// frame renders and judges.
func (w *world) frame() error {
	w.shown = w.scene()
	for i := range w.commit {
		w.commit[i].Prompt = program.Said(w.commit[i])
	}
	f := renderer.Frame{Base: w.base, Commit: w.commit, Live: w.shown.live, Careful: w.shown.careful,
		Cursor: w.shown.caret, Overlay: w.shown.overlay}
	w.hang()
	before := len(w.l.rows)
	w.l.commit(w.base, w.commit, w.overlay != nil, w.careful, w.cols, w.rows, w.model)
	writes, moved := w.wire.writes, w.moved
	w.wire.seen = flicker.Seen{}
	if !w.l.known {
		w.scrolls = -1
	}
	s, err := w.r.Render(f)
	if err != nil {
		return err
	}
	drops := w.drops(f)
	// what such a row covers is erased
	doubtful := w.config.Keeps && len(w.l.rows) > before ||
		slices.ContainsFunc(w.l.rows[min(before, len(w.l.rows)):], (*row).holds)
	// A frame with final rows, of which nobody sees a half, and which erases what stands.
	whole := w.config.Overtakes && w.config.Sync && (len(f.Commit) > 0 || w.seam.Pending > s.Pending)
	if g := w.wire.seen; g.Needless > 0 && !g.Wraps && !doubtful && !f.Careful && !moved && !drops && !w.dropped &&
		!whole {
		return fmt.Errorf("a row flickers without need: %s, in %q", g, w.wire.last)
	}
	w.seam, w.moved, w.dropped, w.cursorLine = s, false, drops, nil
	if w.l.vague && w.profile.Differs.Reflow == profile.Cut {
		for _, r := range w.l.rows {
			r.torn = r.torn || r.holds() // at the next width it cuts both parts of such a row
		}
	}
	w.raced = w.raced || w.l.vague && !w.single // the terminal may have wrapped a final row
	w.commit = nil
	w.base = len(w.l.handed)
	if w.wire.writes > writes+1+2*len(w.drawn) {
		return fmt.Errorf("%d Writes for one frame", w.wire.writes-writes)
	}
	wrote := w.wire.writes > writes
	writes = w.wire.writes
	f.Base, f.Commit = w.base, nil
	if again, err := w.r.Render(f); err != nil || w.wire.writes != writes || again != s {
		return fmt.Errorf("the same frame again wrote %q and says %+v after %+v, %v", w.wire.last, again, s, err)
	}
	if w.wire.bad != nil {
		return w.wire.bad
	}
	if err := w.pictures(); err != nil {
		return err
	}
	return w.judge(wrote)
}

// unstall lets the terminal catch up.
func (w *world) unstall() error {
	if !w.wire.stall {
		return nil
	}
	w.wire.release()
	if w.wire.bad != nil {
		return w.wire.bad
	}
	return w.look()
}

var errNoReport = errors.New("the terminal does not answer the request for the cursor")
