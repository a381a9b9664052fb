package stress

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	stdimage "image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer/image/decode"
	"github.com/scrollkeep/scrollkeep/stress/harness"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

var pictures = flag.Int("pictures", 80, "pictures of each session")

// a shot is a picture of a session, in a block of its own.
type shot struct {
	alt    string
	w, h   int // pixels
	height int // rows that its block was first seen to have
	id     int // that its rows show or have shown
	row    int // of the tape, where it was last found; drawn pictures only
	drawn  bool
}

// testPNG returns a PNG of w by h pixels with content of its own.
func testPNG(n, w, h int) []byte {
	pix := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	for i := range w * h {
		v := rng.Uint32()
		pix.SetNRGBA(i%w, i/w, color.NRGBA{byte(n), byte(n >> 8), byte(v), 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, pix); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// A pictureSession is a session with pictures in it: a program on tui, the terminal, the watch on
// it, and the book of what was added.
type pictureSession struct {
	*tuitest.Screen
	t     *testing.T
	seed  uint64
	rng   *rand.Rand
	app   *tui.App
	g     *graphicsWatch
	outer *vt.Terminal // in a multiplexer
	cells bool         // pictures are made of cells
	cols  int
	book  []any // *shot, or the text of a row
	live  *tui.Block
	lost  int // blocks before it were drawn before the last change of the width
	open  int // index in book of the block that is not final
	rows  int // final rows that were judged
	at    int // blocks that they belong to
	over  func()
	added int
}

type setting struct {
	name    string
	profile string // of stress/profile
	cells   bool
	tmux    bool
	rebuild bool
	env     map[string]string
}

var settings = []setting{
	{name: "ghostty", profile: "ghostty", cells: true},
	{name: "ghostty, rebuilt by each resize", profile: "ghostty", cells: true, rebuild: true,
		env: map[string]string{"SCROLLKEEP_RESIZE": "rebuild"}},
	{name: "tmux in ghostty", profile: "tmux", cells: true, tmux: true, env: map[string]string{
		"TMUX": "/tmp/none,1,0", "TERM": "tmux-256color", "SCROLLKEEP_IMAGES": "kitty",
		"SCROLLKEEP_PLACEHOLDERS": "1"}},
	{name: "kitty 0.26", profile: "kitty", env: map[string]string{"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}},
}

const maxPictures = 8

func startPictureSession(t *testing.T, c setting, seed uint64) *pictureSession {
	p, _ := profile.ByName(c.profile)
	s := &pictureSession{t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 0x9a11e)),
		g: newGraphicsWatch(maxPictures), cells: c.cells,
		cols: 80}
	differs := p.Differs
	differs.HoldSync = 0 // nothing is looked at within an update
	if c.tmux {
		around, _ := profile.ByName("ghostty")
		s.outer = around.New(80, 24, 0)
		s.g.keeps = s.outer
		pass := &profile.Passthrough{To: s.g}
		s.g.strip = pass.Strip
	}
	differs.Passthrough = func(p []byte, _ time.Time) []byte { return s.g.output(p) }
	s.app = &tui.App{LiveRows: 1000, Footer: tui.NewStack(&tui.Status{Text: "working"}, &tui.Editor{}),
		Images: tui.ImageBudget{Max: maxPictures, Seed: seed}}
	env := map[string]string{"COLORTERM": "truecolor"}
	for k, v := range c.env {
		env[k] = v
	}
	s.Screen = tuitest.Start(t, s.app, tuitest.Config{Cols: 80, Rows: 24, Env: env, Personality: differs.Build(),
		Tmux: func(context.Context, ...string) ([]byte, error) {
			// asked only where TMUX is set
			return []byte("3.3a\nghostty 1.3.0\n256,RGB\non\noff\noff\nexternal\n2000\n500\n"), nil
		}})
	s.Inspect(func(v *vt.Terminal) {
		if !c.tmux {
			s.g.keeps = v
		}
	})
	s.Watch(func(*vt.Terminal) { s.g.check() })
	<-time.After(300 * time.Millisecond) // tmux does not tell the size of a cell: until then a picture waits for it
	return s
}

// step does one thing.
func (s *pictureSession) step() {
	rng := s.rng
	switch n := rng.IntN(20); {
	case n < 9:
		s.add(1 + rng.IntN(3))
	case n < 12:
		for range 1 + rng.IntN(4) {
			s.text()
		}
	case n < 14: // a block that stays open keeps everything behind it from becoming final
		if s.live == nil {
			text := fmt.Sprintf("open %d", len(s.book))
			s.open = len(s.book)
			s.book = append(s.book, text)
			s.live = s.app.Transcript().Append(tui.ComponentFunc(func(tui.Space) tui.View {
				return tui.View{Lines: []tui.Line{{Spans: []tui.Span{{Text: text}}}}}
			}))
		}
	case n < 16:
		s.finish()
	case n < 17:
		if s.over == nil {
			s.app.Do(func() {
				s.over = s.app.Overlay(tui.NewText("an overlay\nover\nthe transcript"), tui.Place{Width: 30, Height: 3})
			})
		}
	case n < 18:
		s.close()
	case n < 19:
		s.close()
		s.finish() // hidden live rows become residue, which other programs of this package judge
		s.Settle()
		s.cols = 50 + rng.IntN(60) // wide enough that no row is wrapped anew
		rows := 12 + rng.IntN(30)
		if s.outer != nil {
			s.outer.Resize(s.cols, rows)
		}
		// no frame may have been on its way in kitty, which could leave a live row behind
		<-time.After(10 * time.Millisecond)
		s.Resize(s.cols, rows)
		s.lost = len(s.book)
	default:
		s.Press("ctrl+l")
	}
	s.Settle()
}

func (s *pictureSession) text() {
	text := fmt.Sprintf("row %d", len(s.book))
	s.book = append(s.book, text)
	fmt.Fprintln(s.app.Transcript(), text)
}

// add appends n pictures, each with a row of text behind it.
func (s *pictureSession) add(n int) {
	for range n {
		p := &shot{alt: fmt.Sprintf("p%d", s.added), w: 8 + s.rng.IntN(120), h: 8 + s.rng.IntN(100)}
		s.added++
		source, err := decode.New(testPNG(s.added, p.w, p.h), decode.Limits{})
		if err != nil {
			s.t.Fatal(err)
		}
		s.book = append(s.book, p)
		s.app.Transcript().Append(&tui.Image{Source: source, Alt: p.alt, MaxCols: 4 + s.rng.IntN(30),
			MaxRows: 2 + s.rng.IntN(6)}).Done()
		s.text()
	}
}

func (s *pictureSession) finish() {
	if s.live != nil {
		s.live.Done()
		s.live = nil
	}
}

func (s *pictureSession) close() {
	if s.over != nil {
		s.app.Do(s.over)
		s.over = nil
		s.Settle()
	}
}

// judge compares history and grid with the book, from the first row on that was not judged yet;
// everything if whole.
func (s *pictureSession) judge(whole bool) {
	s.t.Helper()
	if s.g.bad != nil {
		s.t.Fatalf("seed %d, %d pictures: %v", s.seed, s.added, s.g.bad)
	}
	if s.over != nil {
		return // rows wait, and some are covered
	}
	s.Inspect(func(v *vt.Terminal) {
		if err := s.compare(v, whole); err != nil {
			s.t.Fatalf("seed %d, %d pictures, open %v (block %d of %d), settled %v: %v\n%s", s.seed, s.added,
				s.live != nil, s.open, len(s.book), s.app.Settled(), err, v)
		}
	})
}

func (s *pictureSession) compare(v *vt.Terminal, whole bool) error {
	if whole {
		s.rows, s.at = 0, 0
	}
	t := harness.Tape{Terminal: v}
	at, final := s.rows, len(s.book)
	if s.live != nil {
		final = s.open
	}
	for i := s.at; i < len(s.book); i++ {
		if i == final {
			// the first of the live rows are on no screen
			if left := s.height(i) + 2; left > t.Len()-t.ScrollbackLen() {
				return nil
			}
		}
		switch b := s.book[i].(type) {
		case string:
			if at >= t.Len() || t.RowAt(at).Text() != b {
				return fmt.Errorf("row %d reads %q, want %q", at, rowText(t, at), b)
			}
			at++
		case *shot:
			n, err := s.shot(t, at, b, s.book[i+1].(string))
			if err != nil {
				return fmt.Errorf("picture %s on row %d: %w", b.alt, at, err)
			}
			b.row, b.drawn = at, i < final && rowText(t, at) == ""
			at += n
		}
		if i < final {
			s.rows, s.at = at, i+1
		}
	}
	if got := rowText(t, at); !strings.Contains(got, "working") {
		return fmt.Errorf("row %d, behind the last, reads %q", at, got)
	}
	return s.newest(v)
}

func rowText(t harness.Tape, i int) string {
	if i >= t.Len() {
		return ""
	}
	return t.RowAt(i).Text()
}

// height returns how many rows the blocks from i on have, as far as is known.
func (s *pictureSession) height(i int) (n int) {
	for _, b := range s.book[i:] {
		n++
		if p, ok := b.(*shot); ok {
			n += max(p.height, 8) - 1
		}
	}
	return n
}

// shot judges the rows of one picture, which end before the row that reads next.
func (s *pictureSession) shot(t harness.Tape, at int, p *shot, next string) (rows int, err error) {
	for rows < 12 && rowText(t, at+rows) != next {
		rows++
	}
	switch {
	case rows == 0 || rows == 12:
		return 0, fmt.Errorf("%q follows after %d rows", next, rows)
	case p.height == 0:
		p.height = rows
	case p.height != rows:
		return 0, fmt.Errorf("it had %d rows and has %d", p.height, rows)
	}
	cells := 0
	for i := range rows {
		col := 0
		for x, c := range t.RowAt(at + i).Placeholders() {
			if x != col || c.Row != i || c.Col != col {
				return 0, fmt.Errorf("cell %d of row %d shows column %d of row %d", x, i, c.Col, c.Row)
			}
			if p.id == 0 {
				p.id = c.Image
			}
			if c.Image != p.id {
				return 0, fmt.Errorf("it shows picture %d, and %d before", c.Image, p.id)
			}
			col++
			cells++
		}
		if n := len(t.RowAt(at + i).Text()); col > 0 && n > 5*max(col, 2) {
			return 0, fmt.Errorf("row %d has %d bytes for %d cells", i, n, col)
		}
	}
	first := rowText(t, at)
	switch {
	case cells > 0 && cells%rows != 0:
		return 0, fmt.Errorf("%d cells in %d rows", cells, rows)
	case cells > 0:
		if img, ok := s.g.keeps.Image(p.id); ok &&
			(!img.Virtual || img.Width > p.w || img.Height > p.h || img.Width*p.h-img.Height*p.w > 2*max(p.w, p.h) ||
				img.Height*p.w-img.Width*p.h > 2*max(p.w, p.h)) {
			return 0, fmt.Errorf("it is shown as %+v, and has %d by %d pixels", img, p.w, p.h)
		}
		return rows, nil
	case first != fmt.Sprintf("[%s, %d by %d pixels]", p.alt, p.w, p.h) && (first != "" || s.cells):
		return 0, fmt.Errorf("it reads %q", first)
	}
	for i := 1; i < rows; i++ {
		if got := rowText(t, at+i); got != "" {
			return 0, fmt.Errorf("its row %d reads %q", i, got)
		}
	}
	return rows, nil
}

// newest requires that the newest pictures, and only they, can be seen.
func (s *pictureSession) newest(v *vt.Terminal) error {
	if !s.cells {
		return s.drawn(v)
	}
	n := 0
	for i := len(s.book) - 1; i >= 0 && n < maxPictures; i-- {
		p, ok := s.book[i].(*shot)
		if !ok {
			continue
		}
		n++
		if _, ok := s.g.keeps.Image(p.id); !ok {
			return fmt.Errorf("picture %s (%d), one of the newest %d, is not with the terminal, which has %+v", p.alt,
				p.id, maxPictures, s.g.keeps.Images())
		}
	}
	if got := len(s.g.keeps.Images()); got != n {
		return fmt.Errorf("the terminal has %d pictures, want %d", got, n)
	}
	return nil
}

// drawn requires that pictures that are no cells stand on the first of their rows, and nowhere
// else: never at another text.
func (s *pictureSession) drawn(v *vt.Terminal) error {
	on := map[int]vt.Placement{}
	for _, p := range v.Placements() {
		on[p.Row+v.ScrollbackLen()] = p
	}
	n := 0
	for i := len(s.book) - 1; i >= 0; i-- {
		p, ok := s.book[i].(*shot)
		if !ok || !p.drawn {
			continue
		}
		n++
		place, ok := on[p.row]
		switch delete(on, p.row); {
		case ok && (n > maxPictures || place.Col != 0 || place.Rows != p.height):
			return fmt.Errorf("picture %s, the %dth from the end, has %d rows and is drawn as %+v", p.alt, n, p.height,
				place)
		case !ok && n <= maxPictures && i >= s.lost:
			return fmt.Errorf("picture %s, the %dth from the end, is not drawn on row %d", p.alt, n, p.row)
		}
	}
	for row, p := range on {
		return fmt.Errorf("a picture is drawn on row %d, where none belongs: %+v", row, p)
	}
	return nil
}

// Sessions full of pictures, with text, overlays, open blocks, resizes and redraws: what the
// terminal keeps is bounded, nothing is sent twice, and history and grid are exact.
func TestSessionsOfPictures(t *testing.T) {
	for i, c := range settings {
		t.Run(c.name, func(t *testing.T) {
			seed := *seedFlag
			if seed == 0 {
				seed = uint64(i + 1)
			}
			synctest.Test(t, func(t *testing.T) {
				s := startPictureSession(t, c, seed)
				for n := 0; s.added < *pictures; n++ {
					s.step()
					s.judge(n%200 == 199)
					s.Bytes()
				}
				s.close()
				s.finish()
				s.Settle()
				s.judge(true)
				g := s.g
				most := s.added + g.rebuilt*maxPictures
				if g.sent > most || g.sent < s.added || g.frames == 0 {
					t.Errorf("seed %d: %d pictures were sent %d times, with %d rebuilds", seed, s.added, g.sent,
						g.rebuilt)
				}
				if limit := g.payload/100 + 200*g.sent; g.control > limit {
					t.Errorf("seed %d: %d bytes of control for %d bytes of %d pictures, at most %d", seed, g.control,
						g.payload, g.sent, limit)
				}
				t.Logf("%d pictures sent %d times, %d deleted, at most %d live, %d rebuilds, %d frames; %d bytes"+
					" of payload, %d of control (%.2f%%, %.0f a picture)",
					s.added, g.sent, g.deletes, g.live, g.rebuilt, g.frames, g.payload, g.control,
					100*float64(g.control)/float64(g.payload), float64(g.control)/float64(g.sent))
			})
		})
	}
}
