package tuitest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	stdimage "image"
	"image/color"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer/image/decode"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
)

// painted returns a PNG of w by h pixels; n makes its content.
func painted(t testing.TB, n, w, h int) *decode.Picture {
	t.Helper()
	pix := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	for i := range w * h {
		pix.SetNRGBA(i%w, i/w, color.NRGBA{uint8(n), uint8(n >> 8), uint8(i), 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, pix); err != nil {
		t.Fatal(err)
	}
	p, err := decode.New(b.Bytes(), decode.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// dot is a picture of four pixels that says it is one of w by h; its number is its content.
type dot struct{ n, w, h int }

func (d dot) Size() (w, h int) { return d.w, d.h }

func (d dot) Sum() (sum [16]byte) {
	binary.LittleEndian.PutUint64(sum[:], uint64(d.n))
	return sum
}

func (d dot) Pixels(int, int) (*stdimage.NRGBA, []byte, error) {
	pix := stdimage.NewNRGBA(stdimage.Rect(0, 0, 2, 2))
	binary.LittleEndian.PutUint64(pix.Pix, uint64(d.n))
	return pix, nil, nil
}

// shown returns what stands on the tape as pictures: for each row of history and grid the id of the
// image that its cells show, and which part.
func shown(v *vt.Terminal) (rows []string) {
	one := func(r vt.Row) {
		var cells []string
		for x, p := range r.Placeholders() {
			cells = append(cells, fmt.Sprintf("%d@%d:%d,%d", p.Image, x, p.Row, p.Col))
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	for i := range v.ScrollbackLen() {
		one(v.ScrollbackRow(i))
	}
	_, n := v.Size()
	for y := range n {
		one(v.Row(y))
	}
	return rows
}

// base64Run is base64 of some length.
var base64Run = regexp.MustCompile(`[A-Za-z0-9+/=]{40,}`)

func TestPictureIsSentOnceAndMadeOfCells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}}
		s := Start(t, app, Config{Cols: 40, Rows: 12, Env: map[string]string{"COLORTERM": "truecolor"}})
		s.Bytes()
		fmt.Fprintln(app.Transcript(), "before")
		app.Transcript().Append(&tui.Image{Source: painted(t, 1, 40, 48), Alt: "plot"}).Done()
		fmt.Fprintln(app.Transcript(), "after")
		s.Settle()
		first := s.Bytes()
		s.Inspect(func(v *vt.Terminal) {
			if got := v.Images(); len(got) != 1 || got[0].Width != 40 || !got[0].Virtual {
				t.Errorf("the terminal has %+v", got)
			}
			rows := shown(v)
			id := v.Images()[0].ID
			for row := range 3 {
				var want []string
				for col := range 5 {
					want = append(want, fmt.Sprintf("%d@%d:%d,%d", id, col, row, col))
				}
				if got := rows[1+row]; got != strings.Join(want, " ") {
					t.Errorf("row %d shows %q", row, got)
				}
			}
		})
		if n := bytes.Count(first, []byte("a=t,")); n != 1 {
			t.Errorf("%d transmissions", n)
		}
		transmit := bytes.Index(first, []byte("\x1b_G"))
		if cells := bytes.Index(first, []byte("\U0010eeee")); cells < transmit {
			t.Error("cells came before their picture")
		}
		if !strings.HasPrefix(s.Lines()[0], "before") || s.Lines()[4] != "after" {
			t.Errorf("%q", s.Lines())
		}
		s.Type("typed")
		s.Press("ctrl+l")
		for n := range 30 {
			fmt.Fprintln(app.Transcript(), "line", n)
		}
		s.Settle()
		if more := s.Bytes(); base64Run.Match(more) || bytes.Contains(more, []byte("\x1b_G")) {
			t.Errorf("a frame without a new picture holds %.200q", more)
		}
	})
}

// hold appends a row that does not become final, so that none of those that follow does.
func hold(app *tui.App) {
	app.Transcript().Append(tui.ComponentFunc(func(tui.Space) tui.View {
		return tui.View{Lines: []tui.Line{{Spans: []tui.Span{{Text: "held"}}}}}
	}))
}

func TestOlderPicturesAreTextOfTheSameHeight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{LiveRows: 60, Images: tui.ImageBudget{Max: 3, Seed: 5}}
		s := Start(t, app, Config{Cols: 40, Rows: 60, Env: map[string]string{"COLORTERM": "truecolor"}})
		hold(app)
		for n := range 6 {
			app.Transcript().Append(&tui.Image{Source: painted(t, n, 24, 48), Alt: fmt.Sprint("number ", n)}).Done()
			s.Settle()
			s.Inspect(func(v *vt.Terminal) {
				if got := len(v.Images()); got > 3 || got != min(n+1, 3) {
					t.Errorf("after %d pictures the terminal keeps %d", n+1, got)
				}
			})
		}
		s.Inspect(func(v *vt.Terminal) {
			rows := shown(v)
			for n := range 6 {
				for row := range 3 {
					if got := rows[1+3*n+row] != ""; got != (n >= 3) {
						t.Errorf("picture %d, row %d: %q", n, row, rows[1+3*n+row])
					}
				}
			}
		})
		grid := strings.Split(s.Visible(), "\n")
		for n := range 3 {
			if want := fmt.Sprintf("[number %d, 24 by 48 pixels]", n); grid[1+3*n] != want || grid[2+3*n] != "" ||
				grid[3+3*n] != "" {
				t.Errorf("picture %d is %q", n, grid[1+3*n:4+3*n])
			}
		}
	})
}

func TestWhatIsNoPictureIsOneRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		s := Start(t, app, Config{Cols: 60, Rows: 12})
		whole := func(file []byte) *decode.Picture {
			p, _ := decode.New(file, decode.Limits{})
			return p
		}
		src := painted(t, 1, 50, 50)
		_, file, err := src.Pixels(100, 100)
		if err != nil {
			t.Fatal(err)
		}
		hold(app)
		for _, im := range []*tui.Image{
			{Alt: "nothing"}, {Source: whole([]byte("hello")), Alt: "no \x1b[31mpicture"},
			{Source: whole(file[:len(file)/2]), Alt: "half"},
		} {
			app.Transcript().Append(im).Done()
		}
		fmt.Fprintln(app.Transcript(), "after")
		s.Settle()
		s.Resize(50, 12)
		got := strings.Split(s.Visible(), "\n")
		for i, want := range []string{"held", "[nothing]", "! [no ␛[31mpicture: not a PNG",
			"! [half: the picture is broken", "after"} {
			if i >= len(got) || !strings.HasPrefix(got[i], want) {
				t.Errorf("row %d of %q is not %q", i, got, want)
			}
		}
		s.Inspect(func(v *vt.Terminal) {
			if v.Traffic().Commands > 1 { // one is the question whether it knows them
				t.Errorf("it was told %+v", v.Traffic())
			}
		})
	})
}

func TestNoPicturesWhereTheyAreOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		s := Start(t, app, Config{Cols: 60, Rows: 12, Env: map[string]string{"SCROLLKEEP_IMAGES": "off"}})
		app.Transcript().Append(&tui.Image{Source: painted(t, 1, 50, 50), Alt: "plot"}).Done()
		fmt.Fprintln(app.Transcript(), "after")
		s.Settle()
		s.Want("[plot, 50 by 50 pixels]", "after")
		if bytes.Contains(s.Bytes(), []byte("a=t,")) {
			t.Error("a picture was sent")
		}
	})
}

func TestPictureIsPlacedWhenItsRowsAreFinal(t *testing.T) {
	for _, tall := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			app := &tui.App{Footer: &tui.Editor{}}
			s := Start(t, app, Config{Cols: 40, Rows: 10, Env: map[string]string{"SCROLLKEEP_PLACEHOLDERS": "0"}})
			h := 48
			if tall {
				h = 1000
			}
			for n := range 5 {
				fmt.Fprintln(app.Transcript(), "before", n)
				app.Transcript().Append(&tui.Image{Source: painted(t, n, 100, h), Alt: "plot", MaxRows: 50}).Done()
				fmt.Fprintln(app.Transcript(), "after", n)
				s.Settle()
			}
			s.Type("x")
			tape := strings.Split(s.Scrollback()+"\n"+s.Visible(), "\n")
			s.Inspect(func(v *vt.Terminal) {
				placed := v.Placements()
				if len(placed) != 5 {
					t.Fatalf("%+v", placed)
				}
				for n, p := range placed {
					top := v.ScrollbackLen() + p.Row
					want := 3
					if tall {
						want = 8
					}
					if p.Virtual || p.Rows != want || top < 1 || tape[top-1] != fmt.Sprint("before ", n) ||
						tape[top+p.Rows] != fmt.Sprint("after ", n) {
						t.Errorf("picture %d: %+v between %q and %q", n, p, tape[max(top-1, 0)],
							tape[min(top+p.Rows, len(tape)-1)])
					}
					for i := range p.Rows {
						if tape[top+i] != "" {
							t.Errorf("picture %d stands on %q", n, tape[top+i])
						}
					}
				}
			})
		})
	}
}

func TestITermAndSixelAreSentByThemselves(t *testing.T) {
	for how, c := range map[string]struct{ begin, end string }{
		"iterm2": {"\x1b7\x1b[3A\x1b]1337;File=inline=1;", "\a\x1b8"},
		"sixel":  {"\x1b7\x1b[3A\x1bP0;1q\"1;1;100;48", "\x1b\\\x1b8"},
	} {
		synctest.Test(t, func(t *testing.T) {
			app := &tui.App{Footer: &tui.Editor{}}
			s := Start(t, app, Config{Cols: 40, Rows: 10, Env: map[string]string{"SCROLLKEEP_IMAGES": how}})
			s.Bytes()
			fmt.Fprintln(app.Transcript(), "before")
			app.Transcript().Append(&tui.Image{Source: painted(t, 1, 100, 48), Alt: "plot"}).Done()
			fmt.Fprintln(app.Transcript(), "after")
			s.Settle()
			got := string(s.Bytes())
			at := strings.Index(got, c.begin)
			if at < 0 || !strings.Contains(got[at:], c.end) || strings.Count(got, c.begin) != 1 {
				t.Fatalf("%s: %q", how, got)
			}
			if begin, done := strings.Count(got[:at], "\x1b[?2026h"),
				strings.Count(got[:at], "\x1b[?2026l"); begin != done {
				t.Errorf("%s: it is inside a frame: %q", how, got[:at])
			}
			s.Want("before", "", "", "", "after", "›")
			s.Type("x")
			fmt.Fprintln(app.Transcript(), "more")
			s.Settle()
			if more := string(s.Bytes()); strings.Contains(more, c.begin[:9]) {
				t.Errorf("%s: it was sent again: %q", how, more)
			}
		})
	}
}

func TestRebuildSendsTheNewestAgainAfterTheErasure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}, Resize: tui.ResizeRebuild, Images: tui.ImageBudget{Max: 2}}
		s := Start(t, app, Config{Cols: 40, Rows: 10, Env: map[string]string{"COLORTERM": "truecolor"}})
		for n := range 5 {
			fmt.Fprintln(app.Transcript(), "picture", n)
			app.Transcript().Append(&tui.Image{Source: painted(t, n, 40, 48), Alt: "plot"}).Done()
			s.Settle()
		}
		s.Bytes()
		var before []string
		s.Inspect(func(v *vt.Terminal) { before = shown(v) })
		s.Resize(60, 10)
		s.Settle()
		out := s.Bytes()
		erased, sent := bytes.Index(out, []byte("\x1b[3J")), bytes.Index(out, []byte("a=t,"))
		if erased < 0 || sent < erased || bytes.Count(out, []byte("a=t,")) != 2 {
			t.Errorf("erased at %d, first sent at %d, %d in all", erased, sent, bytes.Count(out, []byte("a=t,")))
		}
		s.Inspect(func(v *vt.Terminal) {
			if len(v.Images()) != 2 {
				t.Errorf("it keeps %+v", v.Images())
			}
			var old, now []string
			for _, r := range before {
				if r != "" {
					old = append(old, r)
				}
			}
			for _, r := range shown(v) {
				if r != "" {
					now = append(now, r)
				}
			}
			if len(old) != 15 || len(now) != 6 || strings.Join(old[9:], "|") != strings.Join(now, "|") {
				t.Errorf("before %d rows of pictures, now %q", len(old), now)
			}
		})
		if got := len(strings.Split(s.Scrollback()+"\n"+s.Visible(), "\n")); got != 5*4+1 {
			t.Errorf("%d rows:\n%s\n%s", got, s.Scrollback(), s.Visible())
		}
	})
}

func TestPictureOnTheAlternateScreenHasItsOwnID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}}
		s := Start(t, app, Config{Cols: 40, Rows: 10})
		app.Transcript().Append(&tui.Image{Source: painted(t, 1, 40, 48), Alt: "plot"}).Done()
		s.Settle()
		var normal vt.Image
		s.Inspect(func(v *vt.Terminal) { normal = v.Images()[0] })
		full := &tui.Image{Source: painted(t, 1, 40, 48), Alt: "plot"}
		for range 2 {
			var remove func()
			app.Do(func() { remove = app.Overlay(full, tui.Place{Full: true}) })
			s.Settle()
			s.Inspect(func(v *vt.Terminal) {
				im := v.Images()
				if !v.AltScreen() || len(im) != 1 || im[0].ID == normal.ID || shown(v)[0] == "" {
					t.Errorf("alternate screen %v: %+v, the other one has %d; %q", v.AltScreen(), im,
						normal.ID, shown(v))
				}
			})
			s.Bytes()
			app.Do(func() { remove() })
			s.Settle()
			out := s.Bytes()
			if bytes.Contains(out, fmt.Appendf(nil, "i=%d\x1b", normal.ID)) || bytes.Count(out, []byte("a=d,")) != 1 {
				t.Errorf("on the way back: %q", out)
			}
			s.Inspect(func(v *vt.Terminal) {
				if im := v.Images(); v.AltScreen() || len(im) != 1 || im[0].ID != normal.ID || shown(v)[0] == "" {
					t.Errorf("back: %+v, %q", im, shown(v))
				}
			})
		}
	})
}

func TestOverlayCutsAPictureWhereItStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{LiveRows: 8}
		s := Start(t, app, Config{Cols: 40, Rows: 8, Env: map[string]string{"COLORTERM": "truecolor"}})
		hold(app)
		app.Transcript().Append(&tui.Image{Source: painted(t, 1, 160, 80), Alt: "plot"}).Done()
		s.Settle()
		var remove func()
		app.Do(func() { remove = app.Overlay(tui.NewText("hello"), tui.Place{Width: 5}) })
		s.Settle()
		s.Inspect(func(v *vt.Terminal) {
			rows := shown(v)
			if rows[5] != "" || rows[4] == "" {
				t.Errorf("the covered row shows %q, the one above %q", rows[5], rows[4])
			}
		})
		app.Do(func() { remove() })
		s.Settle()
		s.Inspect(func(v *vt.Terminal) {
			if rows := shown(v); strings.Count(rows[5], "@") != 20 || !strings.Contains(rows[5], ":4,19") {
				t.Errorf("afterwards the row shows %q", rows[5])
			}
		})
	})
}

func TestALayerCoversAPictureOnTheAlternateScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		s := Start(t, app, Config{Cols: 40, Rows: 8, Env: map[string]string{"COLORTERM": "truecolor"}})
		open(s, &tui.Image{Source: painted(t, 1, 160, 80), Alt: "plot"}, tui.Place{Full: true})
		var before []string
		s.Inspect(func(v *vt.Terminal) { before = shown(v) })
		remove := open(s, filled("x"), tui.Place{Top: true, Left: true, Width: 9, Height: 2,
			Margin: tui.Pos{Col: 3, Row: 1}})
		s.Inspect(func(v *vt.Terminal) {
			rows := shown(v)
			if strings.Count(before[1], "@") != 20 || strings.Count(rows[1], "@") != 3 ||
				strings.Count(rows[2], "@") != 3 || rows[0] != before[0] || rows[3] != before[3] {
				t.Errorf("before %q, under the layer %q", before, rows)
			}
		})
		remove()
		s.Inspect(func(v *vt.Terminal) {
			if rows := shown(v); strings.Join(rows, "|") != strings.Join(before, "|") {
				t.Errorf("before %q, afterwards %q", before, rows)
			}
		})
	})
}

func TestPicturesAreNotDeletedAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}}
		s := Start(t, app, Config{Cols: 40, Rows: 10})
		app.Transcript().Append(&tui.Image{Source: painted(t, 1, 40, 48), Alt: "plot"}).Done()
		s.Settle()
		app.Quit(nil)
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		s.Inspect(func(v *vt.Terminal) {
			if len(v.Images()) != 1 || shown(v)[0] == "" {
				t.Errorf("%+v %q", v.Images(), shown(v))
			}
		})
	})
}

// A session of thousands: what the terminal keeps, what goes over the wire and what stands in
// history are exact.
func TestThousandsOfPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const total = 4_000
		app := &tui.App{Footer: &tui.Editor{}, Images: tui.ImageBudget{Seed: 3}}
		s := Start(t, app, Config{Cols: 40, Rows: 10, Env: map[string]string{"COLORTERM": "truecolor"}})
		kept := 0
		s.Watch(func(v *vt.Terminal) { kept = max(kept, len(v.Images())) })
		s.Bytes()
		cells, frames := 0, 0
		for n := range total {
			fmt.Fprintln(app.Transcript(), "picture", n)
			app.Transcript().Append(&tui.Image{Source: dot{n, 16, 32}, Alt: "plot"}).Done()
			if n%50 == 49 {
				s.Settle()
				out := s.Bytes()
				cells += bytes.Count(out, []byte("\U0010eeee"))
				frames += bytes.Count(out, []byte("\x1b[?2026h"))
			}
		}
		s.Settle()
		var traffic vt.Traffic
		s.Inspect(func(v *vt.Terminal) { traffic = v.Traffic() })
		if traffic.Images != total || kept > 8 {
			t.Errorf("%d pictures were sent, at most %d kept", traffic.Images, kept)
		}
		if most := traffic.Payload/100 + 200*total; traffic.Control > most {
			t.Errorf("%d bytes of control, %d of pictures", traffic.Control, traffic.Payload)
		}
		if cells != total*2*2 {
			t.Errorf("%d cells were written, %d are needed", cells, total*4)
		}
		lines := strings.Split(s.Scrollback()+"\n"+s.Visible(), "\n")
		s.Inspect(func(v *vt.Terminal) {
			rows := shown(v)
			ids := map[string]bool{}
			for n := range total {
				if lines[3*n] != fmt.Sprint("picture ", n) {
					t.Fatalf("row %d is %q", 3*n, lines[3*n])
				}
				var id, same int
				fmt.Sscanf(rows[3*n+1], "%d@0:0,0 ", &id)
				fmt.Sscanf(rows[3*n+2], "%d@0:1,0 ", &same)
				if id == 0 || id != same || ids[fmt.Sprint(id)] {
					t.Fatalf("picture %d shows %q and %q", n, rows[3*n+1], rows[3*n+2])
				}
				ids[fmt.Sprint(id)] = true
			}
		})
		t.Logf("%d pictures: %d bytes of payload, %d of control, %d frames, at most %d kept", total, traffic.Payload,
			traffic.Control, frames, kept)
	})
}

func TestPictureThatTheTerminalDoesNotHaveIsSentOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}}
		s := Start(t, app, Config{Cols: 40, Rows: 10})
		hold(app)
		app.Transcript().Append(&tui.Image{Source: painted(t, 1, 40, 48), Alt: "plot"}).Done()
		s.Settle()
		var id int
		s.Inspect(func(v *vt.Terminal) { id = v.Images()[0].ID })
		s.Bytes()
		for n, want := range []int{1, 0, 0} {
			s.Inspect(func(v *vt.Terminal) { v.WriteString(fmt.Sprintf("\x1b_Ga=d,d=I,i=%d\x1b\\", id)) })
			s.tty.send(fmt.Appendf(nil, "\x1b_Gi=%d;ENOENT:gone\x1b\\", id))
			s.Settle()
			if got := bytes.Count(s.Bytes(), []byte("a=t,")); got != want {
				t.Errorf("error %d: it was sent %d times", n+1, got)
			}
			s.Inspect(func(v *vt.Terminal) {
				if got := len(v.Images()); got != want {
					t.Errorf("error %d: the terminal has %d", n+1, got)
				}
			})
		}
		s.Want("held", "[plot, 40 by 48 pixels]", "", "", "›")
	})
}

func TestPicturesGoThroughTmux(t *testing.T) {
	for _, colors := range []string{"", "truecolor"} {
		synctest.Test(t, func(t *testing.T) {
			app := &tui.App{Footer: &tui.Editor{}, Images: tui.ImageBudget{Max: 2}}
			s := Start(
				t, app,
				Config{
					Cols: 40, Rows: 12,
					Env: map[string]string{"TMUX": "x", "TERM": "tmux-256color", "SCROLLKEEP_IMAGES": "kitty",
						"COLORTERM": colors},
					Personality: vt.Personality{
						Replies: &vt.Replies{DA1: "\x1b[?1;2c", CellPixels: true, Version: "\x1bP>|tmux 3.3a\x1b\\"}}})
			pane, outer := vt.New(vt.Config{Cols: 40, Rows: 12}), vt.New(vt.Config{Cols: 40, Rows: 12})
			pass := profile.Passthrough{To: outer}
			pane.Write(pass.Strip(s.Bytes()))
			for n := range 3 {
				app.Transcript().Append(&tui.Image{Source: painted(t, n, 40, 48), Alt: "plot"}).Done()
				s.Settle()
				pane.Write(pass.Strip(s.Bytes()))
			}
			if outer.Traffic().Images != 3 || pane.Traffic().Images != 0 || len(outer.Images()) != 2 {
				t.Fatalf("%q: outside %+v, in the pane %+v", colors, outer.Traffic(), pane.Traffic())
			}
			rows := shown(pane)
			for n, row := range []int{3, 6} { // the first picture has had its time
				var id int
				fmt.Sscanf(rows[row], "%d@0:0,0", &id)
				im, ok := outer.Image(id)
				if !ok || !im.Virtual || id > 255 { // tmux does not say that it leaves direct colours as they are
					t.Errorf("%q: picture %d shows %q, which is %+v", colors, n+1, rows[row], im)
				}
			}
			s.tty.send([]byte("\x1b[O")) // another window: tmux drops what comes now
			s.Settle()
			app.Transcript().Append(&tui.Image{Source: painted(t, 9, 40, 48), Alt: "plot"}).Done()
			s.Settle()
			if sent := s.Bytes(); bytes.Count(sent, []byte("a=t,")) != 1 {
				t.Errorf("%q", sent)
			}
			s.tty.send([]byte("\x1b[I"))
			s.Settle()
			pane.Write(pass.Strip(s.Bytes()))
			if outer.Traffic().Images != 4 {
				t.Errorf("back again: %+v", outer.Traffic())
			}
		})
	}
}

// kitty 0.26: its deletion frees every picture that is not placed yet, and what is placed stays
// where it is when the width changes.
func TestManyPicturesAreDrawnAtOnceInAnOldKitty(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}, Images: tui.ImageBudget{Max: 3}}
		s := Start(
			t, app,
			Config{Cols: 40, Rows: 100, Env: map[string]string{"TERM": "xterm-kitty"}, Personality: vt.Personality{
				DeleteFreesAll: true,
				Replies:        &vt.Replies{DA1: "\x1b[?62c", CellPixels: true, Version: "\x1bP>|kitty(0.26.5)\x1b\\"},
			}})
		kept := 0
		s.Watch(func(v *vt.Terminal) { kept = max(kept, len(v.Images())) })
		s.Bytes()
		var held tui.WriterComponent = &tui.Prose{}
		before := app.Transcript().Stream(held)
		for n := range 20 {
			app.Transcript().Append(&tui.Image{Source: painted(t, n, 40, 48), Alt: "plot"}).Done()
		}
		s.Settle()
		if got := bytes.Count(s.Bytes(), []byte("a=t,")); got != 0 {
			t.Errorf("%d were sent before their rows were final", got)
		}
		before.Close()
		s.Settle()
		s.Inspect(func(v *vt.Terminal) {
			placed := v.Placements()
			if v.Traffic().Images != 20 || len(placed) != 3 || kept > 3 {
				t.Errorf("%+v, %d kept, placed %+v", v.Traffic(), kept, placed)
			}
			for i, p := range placed {
				if want := (17 + i) * 3; p.Row != want || p.Rows != 3 {
					t.Errorf("%+v, row %d is wanted", p, want)
				}
			}
		})
		s.Resize(30, 100)
		s.Settle()
		s.Inspect(func(v *vt.Terminal) {
			if len(v.Images()) != 0 || len(v.Placements()) != 0 {
				t.Errorf("at another width: %+v", v.Placements())
			}
		})
	})
}

// A frame carries 64 KiB of final rows: its end may fall anywhere but into a picture.
func TestFrameDoesNotEndInsideAPicture(t *testing.T) {
	for pad := range 12 {
		synctest.Test(t, func(t *testing.T) {
			app := &tui.App{}
			s := Start(t, app, Config{Cols: 120, Rows: 12, Env: map[string]string{"SCROLLKEEP_PLACEHOLDERS": "0"}})
			before := app.Transcript().Stream(&tui.Prose{})
			for left := 64<<10 - 12 + pad; left > 0; {
				n := min(left-2, 98)
				left -= n + 2
				app.Transcript().Print(tui.Line{Spans: []tui.Span{{Text: strings.Repeat("x", n)}}})
			}
			app.Transcript().Append(&tui.Image{Source: painted(t, pad, 40, 96), Alt: "plot"}).Done()
			s.Settle()
			before.Close()
			s.Settle()
			s.Inspect(func(v *vt.Terminal) {
				if placed := v.Placements(); len(placed) != 1 || placed[0].Rows != 6 {
					t.Errorf("%d bytes further: %+v", pad, placed)
				}
			})
		})
	}
}

func TestPictureWaitsForTheSizeOfACell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		s := Start(
			t, app,
			Config{
				Cols: 40, Rows: 12,
				Env: map[string]string{"SCROLLKEEP_IMAGES": "kitty", "SCROLLKEEP_PLACEHOLDERS": "1"},
				Personality: vt.Personality{
					Replies: &vt.Replies{DA1: "\x1b[?62c"},
				}})
		app.Transcript().Append(&tui.Image{Source: painted(t, 1, 40, 48), Alt: "plot"}).Done()
		s.Settle()
		s.Want("[plot, 40 by 48 pixels]")
		s.tty.send([]byte("\x1b[6;24;10t")) // late, but in time
		s.Settle()
		s.Inspect(func(v *vt.Terminal) {
			if rows := shown(v); !strings.HasSuffix(rows[1], ":1,3") || rows[2] != "" {
				t.Errorf("%q", rows)
			}
		})
	})
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		s := Start(
			t, app,
			Config{
				Cols: 40, Rows: 12,
				Env: map[string]string{"SCROLLKEEP_IMAGES": "kitty", "SCROLLKEEP_PLACEHOLDERS": "1"},
				Personality: vt.Personality{
					Replies: &vt.Replies{DA1: "\x1b[?62c"},
				}})
		app.Transcript().Append(&tui.Image{Source: painted(t, 1, 40, 48), Alt: "plot"}).Done()
		<-time.After(300 * time.Millisecond)
		s.Settle()
		s.Inspect(func(v *vt.Terminal) {
			if rows := shown(v); !strings.HasSuffix(rows[2], ":2,3") || rows[3] != "" { // the usual cell, 10 by 20
				t.Errorf("%q", rows)
			}
		})
	})
}
