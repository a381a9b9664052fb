package tui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheLiveRegionIsSmall(t *testing.T) {
	for _, c := range []struct {
		name                 string
		window, live, footer int // rows
		limit                int // App.LiveRows
		terminal             string
		shown                []string
	}{
		{"all has room", 24, 3, 2, 0, "", []string{"live 1", "live 2", "live 3", "foot 1", "foot 2"}},
		{"the end of the answer", 24, 20, 2, 0, "", append(numbered("live %d", 11, 20), "foot 1", "foot 2")},
		{"half of a low window", 8, 20, 2, 0, "", []string{"live 19", "live 20", "foot 1", "foot 2"}},
		{"the answer keeps a row", 8, 20, 9, 0, "", []string{"live 20", "foot 7", "foot 8", "foot 9"}},
		{"two rows", 2, 20, 3, 0, "", []string{"live 20", "foot 3"}},
		{"as the program wants", 24, 20, 2, 4, "", []string{"live 19", "live 20", "foot 1", "foot 2"}},
		{"not more than the window", 4, 20, 1, 40, "", []string{"live 18", "live 19", "live 20", "foot 1"}},
		{"a footer alone", 24, 0, 30, 0, "", numbered("foot %d", 19, 30)},
		{"no footer", 24, 30, 0, 0, "", numbered("live %d", 19, 30)},
		{"where a lower window takes it into history", 24, 20, 2, 0, "foot",
			append(numbered("live %d", 15, 20), "foot 1", "foot 2")},
		{"half of a low window there", 12, 20, 2, 0, "urxvt", append(numbered("live %d", 17, 20), "foot 1", "foot 2")},
		{"a high footer there", 24, 20, 9, 0, "foot", append([]string{"live 20"}, numbered("foot %d", 1, 9)...)},
		{"no footer there", 24, 30, 0, 0, "foot", numbered("live %d", 23, 30)},
		{"as the program wants there", 24, 20, 2, 10, "foot", append(numbered("live %d", 13, 20), "foot 1", "foot 2")},
	} {
		synctest.Test(t, func(t *testing.T) {
			app := &App{LiveRows: c.limit}
			if c.footer > 0 {
				app.Footer = &rows{lines: numbered("foot %d", 1, c.footer)}
			}
			r := start(t, app, 20, c.window, func(d *fakeDevice) { d.caps.Name = c.terminal })
			b := app.Transcript().Append(&rows{lines: numbered("live %d", 1, c.live)})
			r.settle()
			if cols, rows := app.LiveSize(); c.terminal != "" && (cols != 20 || rows != max(len(c.shown)-c.footer, 1)) {
				t.Errorf("%s: there is room for %dx%d", c.name, cols, rows)
			}
			if got := strings.TrimSpace(r.tape()); got != strings.Join(c.shown, "\n") {
				t.Errorf("%s: the screen is\n%s\n\nand should be\n%s", c.name, indent(got),
					indent(strings.Join(c.shown, "\n")))
			}
			b.Done()
			r.quit()
			got := strings.TrimSpace(strings.ReplaceAll(r.tape(), "--\n", ""))
			if want := strings.Join(numbered("live %d", 1, c.live), "\n"); got != want {
				t.Errorf("%s: in the end\n%s", c.name, indent(got))
			}
		})
	}
}

// For a second after a change of size a pane is no higher than an answer may be: the next size may
// have come already, and what finds no room in it goes into history. Where that takes the cursor
// along, as in foot, it is lower, and never half of a high window.
func TestAPaneIsLowWhileSizesChange(t *testing.T) {
	type look struct {
		after time.Duration
		size  int // rows of the window; 0: as they are
		shown int // rows of the pane
	}
	for _, c := range []struct {
		name  string // of the terminal
		most  int    // App.PaneRows
		looks []look
	}{
		{"ghostty", 0, []look{{0, 0, 30}, {200 * time.Millisecond, 50, 12}, {2 * time.Second, 0, 25}}},
		{"ghostty", 20, []look{{0, 0, 20}, {200 * time.Millisecond, 50, 12}, {2 * time.Second, 0, 20}}},
		{"foot", 0, []look{{0, 0, 12}, {200 * time.Millisecond, 50, 6}, {2 * time.Second, 0, 12},
			{2 * time.Second, 18, 9}, {2 * time.Second, 10, 6}, {2 * time.Second, 6, 6}}},
		{"foot", 20, []look{{0, 0, 20}, {200 * time.Millisecond, 50, 6}, {2 * time.Second, 0, 20}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			app := &App{PaneRows: c.most}
			r := start(t, app, 20, 60, func(d *fakeDevice) { d.caps.Name = c.name })
			app.Do(func() { app.Overlay(&rows{lines: numbered("pane %d", 1, 40)}, Place{Replace: true}) })
			for _, l := range c.looks {
				if l.size > 0 {
					r.d.resize(20, l.size)
				}
				pass(l.after)
				r.settle()
				if got := strings.Count(r.tape(), "pane "); got != l.shown {
					t.Errorf("%s, %+v: %d rows of the pane are shown:\n%s", c.name, l, got, indent(r.tape()))
				}
			}
			r.quit()
		})
	}
}

// Where a lower window takes into history what it has no room for, a row of the answer above a pane
// counts, too: half of a window fits into the half of it.
func TestAPaneAndTheAnswerAreHalfOfTheWindowWhereTheyWouldBePushed(t *testing.T) {
	for _, c := range []struct {
		name       string
		rows, want int
	}{
		{"ghostty", 16, 13},
		{"foot", 16, 8},
		{"foot", 12, 7}, // a pane of fewer rows than 6 could not ask
	} {
		synctest.Test(t, func(t *testing.T) {
			app := &App{}
			r := start(t, app, 20, c.rows, func(d *fakeDevice) { d.caps.Name = c.name })
			app.Transcript().Append(&rows{lines: []string{"answer"}})
			app.Do(func() { app.Overlay(pager(40), Place{Replace: true}) })
			r.settle()
			tape := r.tape()
			if got := strings.Count(tape, "answer") + strings.Count(tape, "pane "); got != c.want {
				t.Errorf("%s, %d rows: %d live ones:\n%s", c.name, c.rows, got, indent(tape))
			}
			r.quit()
		})
	}
}

// pager returns a component that shows as many of n rows as it has room for.
func pager(n int) Component {
	return ComponentFunc(func(s Space) View {
		return (&rows{lines: numbered("pane %d", 1, min(n, s.Height))}).View(s)
	})
}

// The row of the caret is among those of a footer that are shown, whichever that is.
func TestTheCaretsRowIsShown(t *testing.T) {
	for row := range 9 {
		synctest.Test(t, func(t *testing.T) {
			lines := numbered("foot %d", 1, 9)
			app := &App{Footer: ComponentFunc(func(Space) View {
				v := (&rows{lines: lines}).View(Space{})
				v.Cursor = &Pos{Col: 2, Row: row}
				return v
			})}
			r := start(t, app, 20, 8)
			at := r.d.vt.Cursor()
			got := strings.Split(r.tape(), "\n")
			if len(got) != 4 || at.Col != 2 || got[at.Row] != lines[row] {
				t.Errorf("caret in row %d: the cursor is at %d,%d of\n%s", row, at.Col, at.Row,
					indent(strings.Join(got, "\n")))
			}
			r.quit()
		})
	}
}

// For a second after a change of size nothing that is not final is shown but the footer, and then
// all of it again.
func TestAfterAResizeTheAnswerWaitsForASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 10)
		c := &rows{lines: []string{"one", "two"}, stable: 1}
		b := app.Transcript().Append(c)
		r.settle()
		r.want("one", "two", "footer")
		r.d.resize(30, 10)
		pass(settleTime + 10*time.Millisecond)
		r.settle()
		r.want("one", "footer")
		b.Update(func() { c.lines, c.stable = []string{"one", "two", "three"}, 2 })
		r.settle()
		r.want("one", "two", "footer")
		pass(carefulTime)
		r.settle()
		r.want("one", "two", "three", "footer")
		r.quit()
	})
}

// Whatever a program shows, its live region is within the limits, and its transcript comes out
// whole.
func TestNoProgramHasATallLiveRegion(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	for range 40 {
		synctest.Test(t, func(t *testing.T) {
			foot := &rows{}
			app := &App{Footer: foot}
			r := start(t, app, 20, 24)
			pane := false
			var remove func()
			want := []string{}
			for i := range 30 {
				switch random.IntN(6) {
				case 0:
					cols, height := 10+random.IntN(30), 1+random.IntN(30)
					r.d.resize(cols, height)
				case 1:
					app.Do(func() { foot.lines = numbered("foot %d", 1, random.IntN(20)) })
				case 2:
					if app.Do(func() {
						if pane = !pane; pane {
							remove = app.Overlay(&rows{lines: numbered("pane %d", 1, 40)}, Place{Replace: true})
						} else {
							remove()
						}
					}); random.IntN(2) == 0 {
						pass(time.Second)
					}
				default:
					n := random.IntN(30)
					lines := numbered(string(rune('a'+i))+"%d", 1, n)
					b := app.Transcript().Append(&rows{lines: lines})
					r.settle()
					b.Done()
					want = append(want, lines...)
				}
				r.settle()
				l := app.getState().loop
				limit := min(12, max(l.rows/2, 1))
				if pane {
					limit = min(max(12, l.rows/2)+1, l.rows) // and a row of the answer above it
				}
				if n := len(l.frames.live); n > limit && l.resize.phase == steady {
					t.Fatalf("seed %d: %d live rows in a window of %d", seed, n, l.rows)
				}
			}
			r.quit()
			rest := strings.Split(r.tape(), "\n")
			for _, row := range want {
				i := slices.Index(rest, row)
				if i < 0 {
					t.Fatalf("seed %d: %q is not there, or not in its place:\n%s", seed, row, indent(r.tape()))
				}
				rest = rest[i+1:]
			}
		})
	}
}

func TestRoomIsWhatTheFooterLeavesAndFollowsTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		foot := &rows{lines: []string{"f1", "f2"}}
		app := &App{Footer: foot}
		var seen []string
		app.Transcript().Append(ComponentFunc(func(Space) View {
			cols, rows := app.LiveSize()
			seen = append(seen, fmt.Sprintf("%dx%d", cols, rows))
			return View{}
		}))
		if cols, rows := app.LiveSize(); cols != 0 || rows != 0 {
			t.Errorf("before Run it is %d, %d", cols, rows)
		}
		r := start(t, app, 80, 24)
		app.Do(func() { foot.lines = append(foot.lines, "f3") }) // which changes nothing
		r.settle()
		r.d.resize(60, 10)
		pass(2 * carefulTime)
		r.settle()
		if got := slices.Compact(seen); !slices.Equal(got, []string{"0x0", "80x10", "60x2"}) {
			t.Errorf("%v", got)
		}
		r.quit()
	})
}
