package renderer

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// album is a session of rows and pictures on an emulator, with what each picture was told.
type album struct {
	t      *testing.T
	v      *vt.Terminal
	r      *Renderer
	writes []string
	drawn  map[int]bool // by number: whether its rows were there
	base   int
}

func (a *album) Write(p []byte) (int, error) {
	a.writes = append(a.writes, string(p))
	return a.v.Write(p)
}

func newAlbum(t *testing.T, cols, rows int) *album {
	a := &album{t: t, v: vt.New(vt.Config{Cols: cols, Rows: rows, Scrollback: 10000}), drawn: map[int]bool{}}
	a.r = New(Config{Out: a, Cols: cols, Rows: rows, Sync: true})
	return a
}

// picture returns rows blank lines with picture n, which is one pixel scaled to them.
func (a *album) picture(n, rows int) []Line {
	lines := make([]Line, rows)
	lines[0].Picture = &Picture{Rows: rows, Draw: func(dst []byte, there bool) []byte {
		if _, twice := a.drawn[n]; twice {
			a.t.Errorf("picture %d is drawn twice", n)
		}
		a.drawn[n] = there
		if !there {
			return dst
		}
		return fmt.Appendf(dst, "\x1b_Ga=T,f=24,s=1,v=1,C=1,q=2,i=%d,c=4,r=%d;AAAA\x1b\\", n, rows)
	}}
	return lines
}

func caption(format string, n int) []Line {
	return []Line{{Spans: []Span{{Text: fmt.Sprintf(format, n)}}}}
}

func (a *album) render(commit, live []Line, o *Overlay) {
	if _, err := a.r.Render(Frame{Base: a.base, Commit: commit, Live: live, Overlay: o}); err != nil {
		a.t.Fatal(err)
	}
	a.base += len(commit)
	a.r.ledger.check()
}

// tape returns history and grid, a row each.
func (a *album) tape() []string {
	return append(a.v.Scrollback(), strings.Split(a.v.String(), "\n")...)
}

func TestPicturesAreDrawnOverTheirOwnRows(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 11))
		cols, rows := 10+rng.IntN(30), 4+rng.IntN(10)
		a := newAlbum(t, cols, rows)
		n, marks := 0, 0
		var heights []int
		for range 1 + rng.IntN(12) {
			var commit, live []Line
			for range rng.IntN(5) {
				for range rng.IntN(4) {
					commit = append(commit, caption("row %d", marks)...)
					marks++
				}
				if rng.IntN(2) == 0 {
					h := 1 + rng.IntN(rows-1)
					commit = append(commit, caption("above %d", n)...)
					commit = append(commit, a.picture(n+1, h)...)
					commit = append(commit, caption("under %d", n)...)
					heights = append(heights, h)
					n++
				}
			}
			for i := range rng.IntN(2 * rows) {
				live = append(live, caption("live %d", i)...)
			}
			var o *Overlay
			if rng.IntN(4) == 0 {
				o = &Overlay{Lines: caption("over %d", 1)}
			}
			a.render(commit, live, o)
			for _, w := range a.writes {
				if begin := strings.Count(w, "\x1b[?2026h"); strings.Contains(w, "\x1b_G") &&
					(begin != 0 || !strings.HasPrefix(w, "\x1b7") || !strings.HasSuffix(w, "\x1b8")) {
					t.Fatalf("seed %d: a picture inside a frame: %q", seed, w)
				}
			}
			a.writes = nil
		}
		a.render(nil, nil, nil)
		tape := a.tape()
		at := map[string]int{}
		for i, row := range tape {
			at[row] = i
		}
		placed := map[int]vt.Placement{}
		for _, p := range a.v.Placements() {
			placed[p.Image] = p
		}
		for i, h := range heights {
			there, drawn := a.drawn[i+1]
			p, ok := placed[i+1]
			if !drawn || !there || !ok {
				t.Errorf("seed %d: picture %d: drawn %v, there %v, placed %v", seed, i, drawn, there, ok)
				continue
			}
			top := p.Row + a.v.ScrollbackLen()
			if p.Rows != h || p.Col != 0 || top != at[fmt.Sprint("above ", i)]+1 ||
				top+h != at[fmt.Sprint("under ", i)] {
				t.Errorf("seed %d: picture %d of %d rows stands in row %d, between %d and %d", seed, i, h, top,
					at[fmt.Sprint("above ", i)], at[fmt.Sprint("under ", i)])
			}
			for y := top; y < top+h; y++ {
				if tape[y] != "" {
					t.Errorf("seed %d: picture %d stands on %q", seed, i, tape[y])
				}
			}
		}
		for i := range marks {
			if _, ok := at[fmt.Sprint("row ", i)]; !ok {
				t.Errorf("seed %d: row %d is lost", seed, i)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
}

func TestPictureThatDoesNotFitIsTold(t *testing.T) {
	a := newAlbum(t, 20, 6)
	a.render(append(a.picture(1, 6), caption("under %d", 1)...), caption("live %d", 1), nil)
	if there, drawn := a.drawn[1]; !drawn || there || len(a.v.Placements()) != 0 {
		t.Errorf("drawn %v, there %v, %+v", drawn, there, a.v.Placements())
	}
	a.r.config.Out = failing{}
	if _, err := a.r.Render(Frame{Base: a.base, Commit: a.picture(2, 2)}); err == nil {
		t.Error("an error of the writer is not told")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
