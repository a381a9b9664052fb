package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// is makes the device the terminal of a profile.
func is(name string) func(*fakeDevice) {
	return func(d *fakeDevice) {
		p, ok := profile.ByName(name)
		if !ok {
			panic("no profile " + name)
		}
		d.caps.Name, d.caps.Version = p.Is, p.Version
		cols, rows := d.vt.Size()
		c := p.Config(cols, rows, 1000)
		c.Reply = d.reply
		d.vt = vt.New(c)
		if r := p.Differs.Replies; r != nil && r.Modes[2048] != 0 {
			d.caps.SizeReports = true
			d.vt.Write([]byte("\x1b[?2048h"))
		}
	}
}

// bar is a row that wraps at 20 columns.
var bar = strings.Repeat("=", 28)

// meets plays a change of the width beside a frame with a final row, above a footer that wraps at
// the new one, and returns the tape. The terminal takes the frame before the change, or late; the
// news comes so long after it.
func meets(t *testing.T, late bool, after time.Duration, with ...func(*fakeDevice)) (tape string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText(bar + "\n" + bar)}
		app.OnEvent = func(ev Event) bool {
			if _, ok := ev.(Resize); !ok {
				t.Errorf("the program is given a %T", ev)
			}
			return false
		}
		r := start(t, app, 30, 9, with...)
		fmt.Fprint(app.Transcript(), strings.Join(numbered("line %d", 1, 20), "\n")+"\n")
		r.settle()
		if late {
			r.d.stall()
		}
		fmt.Fprintln(app.Transcript(), "on its way")
		synctest.Wait()
		r.d.mu.Lock()
		r.d.vt.Resize(20, 9)
		r.d.mu.Unlock()
		r.d.flow()
		pass(after)
		r.d.events <- Resize{Cols: 20, Rows: 9}
		pass(time.Second)
		r.settle()
		fmt.Fprintln(app.Transcript(), "the end")
		pass(2 * carefulTime)
		r.settle()
		tape = strings.ReplaceAll(r.tape(), "--\n", "")
		r.quit()
	})
	return tape
}

// said returns the final rows of meets.
func said() []string { return append(numbered("line %d", 1, 20), "on its way", "the end") }

// asSaid returns the tape of meets with nothing but what has to be there.
func asSaid() string {
	return strings.Join(append(said(), bar[:20], bar[20:], bar[:20], bar[20:]), "\n")
}

func TestAFrameThatALateTerminalTakesAtItsNewSizeCostsNoFinalText(t *testing.T) {
	for _, name := range []string{"kitty", "ghostty", "vte", "xterm", "tmux", "alacritty", "konsole", "foot", "urxvt"} {
		tape := "\n" + meets(t, true, 0, is(name))
		for _, line := range said() {
			at := strings.Index(tape, "\n"+line+"\n")
			if at < 0 {
				t.Fatalf("%s: %q is not there, or not in its place:\n%s", name, line, indent(tape))
			}
			tape = tape[at+len(line)+1:]
		}
	}
}

// A frame that was sent long before the change leaves nothing behind.
func TestAFrameLongBeforeASizeLeavesNoLiveRowBehind(t *testing.T) {
	for _, name := range []string{"ghostty", "vte", "tmux", "alacritty", "konsole", "foot", "kitty", "kitty-0.40"} {
		if tape := meets(t, false, raceTime, is(name)); tape != asSaid() {
			t.Errorf("%s:\n%s", name, indent(tape))
		}
	}
}

// Where frames end with a status request it is known at which size each was read, however long ago
// it was sent.
func TestAnAnsweredFrameHasNotMetTheSizeThatWasReportedAfterIt(t *testing.T) {
	if tape := meets(t, false, 0, is("kitty-0.40")); tape != asSaid() {
		t.Errorf("read before the change of size, and sent right before it:\n%s", indent(tape))
	}
	tape := "\n" + meets(t, true, 100*time.Millisecond, is("kitty-0.40"))
	for _, line := range said() {
		_, rest, ok := strings.Cut(tape, "\n"+line+"\n")
		if !ok {
			t.Fatalf("read after the change of size: no %q, or not in its place:\n%s", line, indent(tape))
		}
		tape = "\n" + rest
	}
}

// In kitty, which may be late, a frame waits until the last one has been read, at most a second.
func TestAFrameWaitsForTheLastOneWhereItIsAnswered(t *testing.T) {
	for _, c := range []struct {
		name string
		want int // frames in half a second, and then in another whole one
		more int
	}{{"kitty-0.40", 1, 1}, {"kitty", 1, 1}, {"ghostty", 5, 10}} {
		synctest.Test(t, func(t *testing.T) {
			app := &App{Footer: NewText("footer")}
			r := start(t, app, 30, 9, is(c.name))
			pass(2 * carefulTime)
			r.settle()
			r.d.stall()
			written := func() int {
				r.d.mu.Lock()
				defer r.d.mu.Unlock()
				return r.d.writes
			}
			frames := func(n int) int {
				before := written()
				for i := range n {
					fmt.Fprintln(app.Transcript(), "line", i)
					pass(100 * time.Millisecond)
				}
				synctest.Wait()
				return written() - before
			}
			if got := frames(5); got != c.want {
				t.Errorf("%s: %d frames while nothing is read, want %d", c.name, got, c.want)
			}
			if got := frames(10); got != c.more {
				t.Errorf("%s: %d frames in a second more, want %d", c.name, got, c.more)
			}
			r.d.flow()
			r.settle()
			if got := frames(5); got != 5 {
				t.Errorf("%s: %d frames once it reads again, want 5", c.name, got)
			}
			r.quit()
		})
	}
}

// sized changes the terminal's size long after the last frame, and tells the program.
func (r *rig) sized(size Resize) {
	pass(raceTime)
	r.d.mu.Lock()
	r.d.vt.Resize(size.Cols, size.Rows)
	r.d.mu.Unlock()
	r.d.events <- size
}

// Kitty pushes rows into history when a window becomes too low for them. From the mark of the live
// region on they are blank.
func TestInKittyALowerWindowLeavesNoLiveRowInHistory(t *testing.T) {
	for _, name := range []string{"kitty", "kitty-0.40"} {
		for _, to := range [][2]int{{60, 4}, {60, 2}, {20, 5}, {11, 3}} {
			size := Resize{Cols: to[0], Rows: to[1]}
			synctest.Test(t, func(t *testing.T) {
				app := &App{Footer: NewText(strings.Join(numbered("row %d of the footer", 1, 9), "\n"))}
				r := start(t, app, 60, 20, is(name))
				fmt.Fprint(app.Transcript(), strings.Join(numbered("line %d", 1, 30), "\n")+"\n")
				r.settle()
				r.sized(size)
				pass(time.Second)
				r.settle()
				r.sized(Resize{Cols: 60, Rows: 20})
				pass(time.Second)
				r.settle()
				rows := append(numbered("line %d", 1, 30), numbered("row %d of the footer", 1, 9)...)
				want := strings.Join(rows, "\n")
				if tape := strings.ReplaceAll(r.tape(), "--\n", ""); tape != want {
					t.Errorf("%s, %dx%d and back:\n%s", name, size.Cols, size.Rows, indent(tape))
				}
				r.quit()
			})
		}
	}
}

// While the alternate screen is shown kitty heeds no mark on the normal one, and there is no live
// row there.
func TestInKittyASizeDuringAFullViewLeavesNoLiveRowInHistory(t *testing.T) {
	for _, name := range []string{"kitty", "kitty-0.40"} {
		synctest.Test(t, func(t *testing.T) {
			app := &App{Footer: NewText(bar + "\n" + bar)}
			r := start(t, app, 30, 9, is(name))
			fmt.Fprint(app.Transcript(), strings.Join(numbered("line %d", 1, 20), "\n")+"\n")
			r.settle()
			var remove func()
			app.Do(func() { remove = app.Overlay(NewText("all of it"), Place{Full: true}) })
			r.settle()
			for _, cols := range []int{20, 16} {
				r.sized(Resize{Cols: cols, Rows: 9})
				pass(time.Second)
			}
			app.Do(remove)
			pass(2 * carefulTime)
			r.settle()
			want := strings.Join(append(numbered("line %d", 1, 20), bar[:16], bar[16:], bar[:16], bar[16:]), "\n")
			if tape := strings.ReplaceAll(r.tape(), "--\n", ""); tape != want {
				t.Errorf("%s:\n%s", name, indent(tape))
			}
			r.quit()
		})
	}
}

// A size that a frame has found is told by a signal at once. One that comes later tells of another
// size in between, which has cut the rows.
func TestASignalLongAfterItsSizeWasFoundTellsOfAnotherOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText(bar[:25])}
		r := start(t, app, 30, 9, is("xterm"))
		fmt.Fprintln(app.Transcript(), "one")
		r.settle()
		sized := func(cols int) {
			r.d.mu.Lock()
			defer r.d.mu.Unlock()
			r.d.vt.Resize(cols, 9)
		}
		sized(28)
		fmt.Fprintln(app.Transcript(), "two") // the frame finds it
		pass(2 * carefulTime)
		r.settle()
		sized(10)
		sized(28)
		r.d.events <- Resize{Cols: 28, Rows: 9}
		pass(2 * carefulTime)
		r.settle()
		if tape := r.tape(); !strings.Contains(tape+"\n", "\n"+bar[:25]+"\n") {
			t.Errorf("the footer is cut off:\n%s", indent(tape))
		}
		r.quit()
	})
}

// While text streams, the terminal's cursor stands in the prompt for two seconds after a key, and
// is hidden on top at once when Enter has sent what was typed, or when the window changes its size.
func TestTheCursorIsInThePromptOnlyWhileSomebodyTypes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: &Editor{}}
		r := start(t, app, 30, 9)
		app.Transcript().Append(&rows{lines: []string{"an answer"}})
		pass(caretTime)
		for _, step := range []struct {
			what string
			do   func()
			want bool
		}{
			{"nothing typed", func() {}, false},
			{"a key", func() { r.press("a") }, true},
			{"two seconds later", func() { pass(caretTime); app.Transcript().Append(NewText("more")) }, false},
			{"another key", func() { r.press("b") }, true},
			{"Enter", func() { r.press("enter") }, false},
			{"a key again", func() { r.press("c") }, true},
			{"another size", func() { r.sized(Resize{Cols: 20, Rows: 9}); pass(settleTime) }, false},
			{"a key beside it", func() { r.press("d") }, false},
		} {
			step.do()
			r.settle()
			if got := r.d.vt.Cursor().Visible; got != step.want {
				t.Errorf("%s: visible %v", step.what, got)
			}
		}
		r.quit()
	})
}

// A frame that shows what stands there already writes nothing, and still costs its composition.
func TestInTheSecondAfterAResizeNothingIsPaintedAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: &Editor{}}
		r := start(t, app, 30, 9)
		fmt.Fprintln(app.Transcript(), "said long ago")
		pass(time.Minute)
		r.sized(Resize{Cols: 20, Rows: 9})
		pass(carefulTime / 2)
		app.Do(func() {
			l := app.state.loop
			if !l.frames.careful || !l.frames.caretDrawn {
				t.Error("the frame is not careful, or the caret is not drawn")
			}
			if next, ok := l.nextWake(); !ok || !next.Equal(l.clocks.lastResize.Add(carefulTime)) {
				t.Errorf("the next frame is due %v after the change of size, %v", next.Sub(l.clocks.lastResize), ok)
			}
		})
		pass(2 * carefulTime)
		r.quit()
	})
}
