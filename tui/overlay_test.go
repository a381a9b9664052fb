package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// pane is a component that answers with the letters it is given.
type pane struct {
	title   string
	keys    string
	focused bool
	answer  func(rune)
}

func (p *pane) View(s Space) View {
	p.focused = s.Focused
	t := p.title + " " + p.keys
	if !s.Focused {
		t += " (wait)"
	}
	return View{Lines: []Line{{Spans: []Span{{Text: t}}}, {Spans: []Span{{Text: "[y]es [n]o"}}}}}
}

func (p *pane) HandleEvent(ev Event, s Space) bool {
	k, ok := ev.(Key)
	if !ok || k.Mods != 0 || k.Text() == "" {
		return false
	}
	p.keys += k.Text()
	if p.answer != nil {
		p.answer(k.Code)
	}
	return true
}

func TestOverlayCoversTheWindowAndNeverReachesHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 4)
		fmt.Fprint(app.Transcript(), strings.Join(numbered("line %d", 1, 5), "\n")+"\n")
		r.settle()
		var remove func()
		app.Do(func() { remove = app.Overlay(&pane{title: "menu"}, Place{}) })
		r.settle()
		// It covers live rows only: one was made for it.
		r.want("line 1", "line 2", "line 3", "--", "line 4", "line 5", "menu", "[y]es [n]o")
		fmt.Fprint(app.Transcript(), "line 6\nline 7\n")
		r.settle()
		if n := r.d.vt.ScrollbackLen(); n != 3 {
			t.Errorf("%d rows are in history under the overlay", n)
		}
		app.Do(func() { remove(); remove() })
		r.settle()
		r.want("line 1", "line 2", "line 3", "line 4", "--", "line 5", "line 6", "line 7", "footer")
		r.quit()
	})
}

func TestPaneReplacesTheFooterAndItsKeysFallThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ed := &Editor{}
		app := &App{Footer: ed}
		r := start(t, app, 20, 5)
		r.typed("dr")
		p := &pane{title: "edit a.go"}
		var remove func()
		app.Do(func() { remove = app.Overlay(p, Place{Replace: true}) })
		r.settle()
		r.want("edit a.go", "[y]es [n]o")
		r.typed("y")
		r.press("left")
		r.settle()
		if p.keys != "y" || ed.Text() != "dr" || ed.buf.caret != 1 {
			t.Errorf("pane %q, editor %q with the caret at %d", p.keys, ed.Text(), ed.buf.caret)
		}
		app.Do(func() { remove() })
		r.settle()
		r.want("› dr")
		r.quit()
	})
}

func TestQuietPaneTakesNoKeyBeforeItWasPaintedAndQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ed := &Editor{}
		app := &App{Footer: ed}
		r := start(t, app, 30, 5)
		p := &pane{title: "edit"}
		r.d.stall()
		app.Do(func() { app.Overlay(p, Place{Replace: true, FocusDelay: 500 * time.Millisecond}) })
		r.settle()
		pass(time.Second) // nothing of it was seen yet
		r.typed("a")
		r.d.flow()
		r.settle()
		pass(300 * time.Millisecond)
		r.typed("b") // painted, but not for long enough
		pass(400 * time.Millisecond)
		r.typed("c") // quiet, but not for long enough
		if p.keys != "" || ed.Text() != "abc" || p.focused {
			t.Fatalf("pane %q, editor %q, focused %v", p.keys, ed.Text(), p.focused)
		}
		r.want("edit  (wait)", "[y]es [n]o")
		pass(500 * time.Millisecond)
		r.settle()
		if !p.focused {
			t.Error("the pane does not know that it is armed")
		}
		r.want("edit", "[y]es [n]o")
		r.typed("y")
		if p.keys != "y" || ed.Text() != "abc" {
			t.Errorf("pane %q, editor %q", p.keys, ed.Text())
		}
		r.quit()
	})
}

func TestKeyThatWasReadEarlyDoesNotAnswerLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ed := &Editor{}
		app := &App{Footer: ed}
		r := start(t, app, 30, 5)
		p := &pane{title: "edit"}
		app.Do(func() { app.Overlay(p, Place{Replace: true, FocusDelay: 500 * time.Millisecond}) })
		r.settle()
		app.Do(func() { pass(2 * time.Second) }) // a slow callback
		pass(100 * time.Millisecond)
		r.press("y")
		pass(3 * time.Second)
		r.settle()
		if p.keys != "" || ed.Text() != "y" {
			t.Errorf("pane %q, editor %q", p.keys, ed.Text())
		}
		r.quit()
	})
}

func TestAsksAreShownOneByOneInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 30, 5)
		got := make(chan string, 10)
		ask := func(ctx context.Context, n int) {
			v, err := Ask(ctx, app, Place{Replace: true}, func(done func(rune)) Component {
				return &pane{title: fmt.Sprint("question ", n), answer: func(c rune) { done(c); done('!'); done('?') }}
			})
			got <- fmt.Sprintf("%d: %c %v", n, v, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		for n := 1; n <= 4; n++ {
			c := t.Context()
			if n == 2 {
				c = ctx
			}
			go ask(c, n)
			synctest.Wait()
		}
		r.settle()
		r.want("question 1", "[y]es [n]o")
		cancel()
		synctest.Wait()
		if s := <-got; !strings.HasPrefix(s, "2: ") || !strings.HasSuffix(s, "context canceled") {
			t.Error(s)
		}
		r.typed("y")
		if s := <-got; s != "1: y <nil>" {
			t.Error(s)
		}
		r.want("question 3", "[y]es [n]o")
		r.typed("n")
		if s := <-got; s != "3: n <nil>" {
			t.Error(s)
		}
		r.want("question 4", "[y]es [n]o")
		r.quit()
		if s := <-got; !strings.HasSuffix(s, ErrClosed.Error()) {
			t.Error(s)
		}
		if _, err := Ask(t.Context(), app, Place{}, func(func(int)) Component { return nil }); !errors.Is(err,
			ErrClosed) {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestFramesWaitWhileTheTerminalTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 80, 24)
		r.d.stall()
		written := 0
		line := strings.Repeat("x", 70) + "\n"
		go func() {
			for written < 2<<20 {
				n, err := fmt.Fprint(app.Transcript(), line)
				if err != nil {
					return
				}
				written += n
			}
		}()
		pass(time.Minute)
		synctest.Wait()
		if n := r.d.Backlog(); n > maxBacklog+maxFrameBytes+8<<10 {
			t.Errorf("a backlog of %d bytes", n)
		}
		if written > maxBacklog+maxFrameBytes+maxQueuedBytes {
			t.Errorf("the writer was allowed %d bytes", written)
		}
		r.d.flow()
		pass(time.Second)
		synctest.Wait()
		if written < 2<<20 {
			t.Errorf("after the stall only %d bytes came", written)
		}
		r.settle()
		r.quit()
		if got := strings.Count(strings.ReplaceAll(r.tape(), "--\n", ""), "xxx\n") + 1; got != written/len(line) {
			t.Errorf("%d of %d lines", got, written/len(line))
		}
	})
}

func TestOneFrameCarriesABoundedNumberOfBytes(t *testing.T) {
	for name, fill := range map[string]func(*Transcript, []string){
		"written": func(tr *Transcript, lines []string) { fmt.Fprintln(tr, strings.Join(lines, "\n")) },
		"printed": func(tr *Transcript, lines []string) {
			var rows []Line
			for _, l := range lines {
				rows = append(rows, Line{Spans: []Span{{Text: l}}})
			}
			tr.Print(rows...)
		},
		"in a block": func(tr *Transcript, lines []string) { tr.Append(&rows{lines: lines}).Done() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				app := &App{}
				r := start(t, app, 80, 24, func(d *fakeDevice) { d.sizes = []int{} })
				fill(app.Transcript(), numbered(strings.Repeat("x", 60)+"%d", 10_000, 13_999))
				r.settle()
				r.quit()
				r.d.mu.Lock()
				defer r.d.mu.Unlock()
				for _, n := range r.d.sizes {
					if n > maxFrameBytes+16<<10 {
						t.Errorf("one Write of %d bytes", n)
					}
				}
				if got := r.d.vt.Scrolled(); got < 3_900 {
					t.Errorf("%d rows", got)
				}
			})
		})
	}
}

func TestCallbackMayWriteHoweverMuchWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		r := start(t, app, 80, 24)
		app.Do(func() {
			for range 40 {
				fmt.Fprintln(app.Transcript(), strings.Repeat("x", 100_000))
			}
		})
		r.settle()
		r.quit()
	})
}

func TestResizeWaitsUntilItHasSettledAndAsksOnce(t *testing.T) {
	for _, mute := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			app := &App{Footer: NewText("footer")}
			r := start(t, app, 20, 6)
			r.d.mute = mute
			fmt.Fprint(app.Transcript(), strings.Join(numbered("line %d", 1, 9), "\n")+"\n")
			r.settle()
			r.bytes()
			for _, w := range []int{19, 18, 17, 16} {
				r.d.resize(w, 6)
				pass(50 * time.Millisecond)
			}
			fmt.Fprintln(app.Transcript(), "line 10")
			synctest.Wait()
			if b := r.bytes(); len(b) > 0 {
				t.Errorf("while it is resized it writes %q", b)
			}
			pass(70 * time.Millisecond) // 120 ms after the last one
			synctest.Wait()
			if b := string(r.bytes()); strings.Count(b, "\x1b[6n") != 1 {
				t.Errorf("after it has settled: %q", b)
			}
			if mute {
				pass(cursorReportTimeout)
				synctest.Wait()
				if b := string(r.bytes()); strings.Count(b, "\x1b[6n") != 1 || strings.Contains(b, "line 10") {
					t.Errorf("without a report: %q", b)
				}
				pass(cursorReportTimeout)
				synctest.Wait()
			}
			r.settle()
			r.want("line 1", "line 2", "line 3", "line 4", "line 5", "--", "line 6", "line 7", "line 8", "line 9",
				"line 10", "footer")
			r.quit()
		})
	}
}

func TestTheSameSizeAgainPaintsTheLiveRegionAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 6)
		fmt.Fprintln(app.Transcript(), "line")
		r.settle()
		r.d.mu.Lock()
		r.d.vt.Resize(3, 6) // some terminals cut what stands on the screen
		r.d.vt.Resize(20, 6)
		fmt.Fprint(r.d.vt, "\rfoo   \r")
		r.d.mu.Unlock()
		r.d.resize(20, 6)
		pass(time.Second)
		r.settle()
		r.want("line", "footer")
		r.quit()
	})
}

func TestSizeIsAskedBeforeAFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 6)
		r.bytes()
		r.d.mu.Lock()
		r.d.vt.Resize(15, 6) // and nobody says so
		r.d.mu.Unlock()
		fmt.Fprintln(app.Transcript(), "line")
		synctest.Wait()
		pass(settleTime - time.Millisecond)
		synctest.Wait()
		if b := r.bytes(); len(b) > 0 {
			t.Errorf("it writes %q", b)
		}
		pass(time.Second)
		synctest.Wait()
		r.want("line", "footer")
		r.quit()
	})
}

// tmux tells of a size at once, of another one within 250 ms when those are over: a cursor request
// before would be answered from a grid of another size.
func TestASizeInTmuxSettlesForLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 6, func(d *fakeDevice) { d.caps.Mux = "tmux" })
		fmt.Fprintln(app.Transcript(), "line")
		r.settle()
		r.bytes()
		r.d.resize(15, 6)
		synctest.Wait()
		pass(250 * time.Millisecond)
		synctest.Wait()
		if b := r.bytes(); len(b) > 0 {
			t.Errorf("it writes %q", b)
		}
		pass(time.Second)
		synctest.Wait()
		if b := r.bytes(); !strings.Contains(string(b), "\x1b[6n") {
			t.Errorf("it writes %q, and no request", b)
		}
		r.quit()
	})
}

func TestBlockGoesOnAtANewWidthAfterItsLastCommittedRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f")}
		r := start(t, app, 20, 5, func(d *fakeDevice) { d.caps.Name = "ghostty" }) // which is known to wrap anew
		s := app.Transcript().Stream(&prose{})
		fmt.Fprint(s, "one two three four five six seven ")
		r.settle()
		r.want("one two three four", "five six seven", "f")
		r.d.resize(10, 5)
		pass(time.Second)
		fmt.Fprint(s, "eight nine ten")
		s.Close()
		r.settle()
		// What was final stays as it is, the terminal has wrapped it; what was not is laid out
		// anew.
		r.want("one two th", "ree four", "--", "five six", "seven", "eight nine", "ten", "f")
		r.quit()
	})
}

// A conjunct takes the column of its first letter in kitty, two where mode 2027 is confirmed, and
// is the sum of its letters elsewhere.
func TestClustersAreMeasuredAsTheTerminalDoes(t *testing.T) {
	for caps, want := range map[Caps]int{
		{Name: "kitty", Grapheme: true}:                1,
		{Name: "kitty"}:                                3,
		{Name: "kitty", Grapheme: true, Mux: "screen"}: 2,
		{Name: "ghostty", Grapheme: true}:              2,
	} {
		if got := (&loop{caps: caps}).widthModel().String("\u0915\u094d\u0937\u093f"); got != want {
			t.Errorf("%s in %q: %d columns, want %d", caps.Name, caps.Mux, got, want)
		}
	}
	for name, want := range map[string]bool{"urxvt": true, "xterm": false, "tmux": false} {
		if got := (&loop{caps: Caps{Name: name}}).widthModel().MarksWrap; got != want {
			t.Errorf("in %s marks wrap: %v", name, got)
		}
	}
}

// The terminal may say late that it measures clusters: rows break elsewhere then, and those that
// are final stay as they are.
func TestBlockGoesOnWithOtherWidthsAfterItsLastCommittedRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f")}
		r := start(t, app, 20, 6)
		s := app.Transcript().Stream(&prose{})
		fmt.Fprint(s,
			"\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f468\u200d\U0001f469\u200d\U0001f467 one two three "+
				"four five ")
		r.settle()
		r.d.mu.Lock()
		r.d.caps.Grapheme = true
		r.d.mu.Unlock()
		r.d.events <- terminal.Changed{}
		r.settle()
		fmt.Fprint(s, "six seven")
		s.Close()
		r.settle()
		var words []string
		for _, row := range r.d.vt.Lines() {
			words = append(words, strings.Fields(row)...)
		}
		if got := strings.Join(words[2:], " "); got != "one two three four five six seven f" {
			t.Errorf("it reads %q", got)
		}
		r.quit()
	})
}

// prose is a WriterComponent of flowing text, of which all rows but the last are stable.
type prose struct{ text string }

func (p *prose) Write(b []byte) (int, error) {
	p.text += string(b)
	return len(b), nil
}

func (p *prose) View(s Space) View {
	rows := Layout{Width: s.Width, Model: s.Model}.Append(nil, s.From, Span{Text: p.text[s.From:]})
	return View{Lines: rows, Stable: max(len(rows)-1, 0)}
}

func TestComponentWithoutEndsKeepsItsWidth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		r := start(t, app, 20, 8)
		var widths []int
		b := app.Transcript().Append(ComponentFunc(func(s Space) View {
			widths = append(widths, s.Width)
			return View{Lines: make([]Line, 3), Stable: 1}
		}))
		r.settle()
		r.d.resize(10, 8)
		pass(time.Second)
		b.Update(nil)
		r.settle()
		for _, w := range widths {
			if w != 20 {
				t.Errorf("asked at %v", widths)
			}
		}
		r.quit()
	})
}

func TestRewindWritesAgainWhatIsInHistoryAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f")}
		r := start(t, app, 20, 9)
		c := &rows{lines: []string{"a", "b", "c"}, stable: 2}
		b := app.Transcript().Append(c)
		r.settle()
		b.Update(func() {
			c.lines, c.stable = []string{"a", "B", "C"}, 1
			b.Rewind(1)
		})
		b.Done()
		r.settle()
		r.want("a", "b", "(written again)", "B", "C", "f")
		r.quit()
	})
}

func TestAbortDropsWhatIsNotInHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f")}
		r := start(t, app, 30, 9)
		s := app.Transcript().Stream(nil)
		fmt.Fprint(s, "kept\ndropped")
		r.settle()
		s.Abort("connection lost\nreally")
		r.settle()
		r.want("kept", "! connection lost really", "f")
		if _, err := s.Write([]byte("x")); !errors.Is(err, ErrClosed) {
			t.Errorf("a write after Abort: %v", err)
		}
		if err := s.Close(); !errors.Is(err, ErrClosed) {
			t.Errorf("Close after Abort: %v", err)
		}
		r.quit()
	})
}

func TestStopAndSuspendHandTheTerminalOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 6)
		fmt.Fprintln(app.Transcript(), "one")
		r.settle()
		err := app.Suspend(t.Context(), func() error {
			r.want("one")
			r.d.vt.WriteString("from the editor\r\n")
			fmt.Fprintln(app.Transcript(), "two")
			r.settle()
			r.want("one", "from the editor")
			short, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			never := func() error { t.Error("two have the terminal"); return nil }
			if err := app.Suspend(short, never); err != context.DeadlineExceeded {
				t.Errorf("Suspend beside another one returned %v", err)
			}
			return context.Canceled
		})
		if err != context.Canceled {
			t.Errorf("Suspend returned %v", err)
		}
		r.settle()
		r.want("one", "from the editor", "two", "footer")
		r.press("ctrl+z")
		r.settle()
		if r.d.stops != 1 {
			t.Errorf("%d stops", r.d.stops)
		}
		if strings.Contains(r.d.stopped, "footer") || !strings.Contains(r.d.stopped, "two") {
			t.Errorf("while it is stopped the screen shows\n%s", r.d.stopped)
		}
		r.want("one", "from the editor", "two", "footer")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := app.Suspend(ctx, func() error { t.Error("called"); return nil }); err != context.Canceled {
			t.Errorf("Suspend returned %v", err)
		}
		r.settle()
		r.want("one", "from the editor", "two", "footer")
		r.quit()
		r.want("one", "from the editor", "two")
	})
}

// A program that has the terminal may keep it for longer than Main takes to end, and than Main is
// given to.
func TestRunEndsWhenTheTerminalComesBackLate(t *testing.T) {
	for _, c := range []struct{ main, lent time.Duration }{
		{0, 10 * time.Millisecond}, {0, graceTime / 2}, {0, 5 * graceTime}, {graceTime / 2, 5 * graceTime},
		{2 * graceTime, 5 * graceTime}, {3 * graceTime, 2 * graceTime}, {3 * graceTime, graceTime / 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			app := &App{Footer: NewText("footer"), Main: func(ctx context.Context) error {
				<-ctx.Done()
				<-time.After(c.main)
				return nil
			}}
			r := start(t, app, 20, 6)
			go func() {
				_ = app.Suspend(t.Context(), func() error {
					<-time.After(c.lent)
					return nil
				})
			}()
			pass(time.Millisecond)
			began := time.Now()
			if err := r.quit(); err != nil {
				t.Error(err)
			}
			want := max(min(c.main, graceTime), c.lent)
			if took := time.Since(began); took > want+frameInterval || took < want-10*time.Millisecond {
				t.Errorf("Main takes %v, the other program %v: Run ends after %v", c.main, c.lent, took)
			}
			pass(5 * graceTime)
		})
	}
}

func TestStreamTallerThanTheScreenLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer"), LiveRows: 6}
		r := start(t, app, 20, 6)
		c := &rows{}
		b := app.Transcript().Append(c)
		for i := 1; i <= 30; i++ { // nothing is stable until the end
			b.Update(func() { c.lines = numbered("row %d", 1, i) })
			r.settle()
		}
		r.want("row 26", "row 27", "row 28", "row 29", "row 30", "footer")
		b.Done()
		r.settle()
		want := append(numbered("row %d", 1, 25), "--")
		want = append(append(want, numbered("row %d", 26, 30)...), "footer")
		r.want(want...)
		r.quit()
	})
}

func TestResizeWhileATallStreamRunsKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 30, 8)
		s := app.Transcript().Stream(nil)
		sizes := [][2]int{{30, 8}, {25, 8}, {25, 5}, {40, 12}, {30, 6}, {12, 6}, {30, 8}}
		n := 0
		for _, size := range sizes {
			r.d.resize(size[0], size[1])
			for range 10 {
				n++
				fmt.Fprintf(s, "line %d\n", n)
				pass(30 * time.Millisecond)
			}
			pass(time.Second)
		}
		s.Close()
		r.settle()
		r.quit()
		got := strings.ReplaceAll(r.tape(), "--\n", "")
		if want := strings.Join(numbered("line %d", 1, n), "\n"); got != want {
			t.Errorf("got\n%s", got)
		}
	})
}

func TestFocusEventsAndOnEventSeeWhatNobodyTook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		app := &App{Footer: &Editor{}}
		app.OnEvent = func(ev Event) bool {
			seen = append(seen, fmt.Sprintf("%T", ev))
			return true
		}
		r := start(t, app, 20, 5)
		r.typed("x") // the editor's
		r.d.events <- Focus{In: true}
		r.press("esc", "ctrl+c")
		r.d.resize(21, 5)
		r.settle()
		if got := strings.Join(seen, " "); got != "terminal.Focus terminal.Key terminal.Resize" {
			// Ctrl+C clears the editor
			t.Error(got)
		}
		r.d.events <- terminal.Key{Code: 'c', Mods: terminal.Ctrl}
		r.settle()
		if got := len(seen); got != 4 {
			t.Errorf("%d events", got)
		}
		r.quit()
	})
}

func TestFullOverlayLeavesTheTranscriptAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 4)
		fmt.Fprint(app.Transcript(), strings.Join(numbered("line %d", 1, 5), "\n")+"\n")
		r.settle()
		var remove func()
		p := &pane{title: "all of it"}
		app.Do(func() { remove = app.Overlay(p, Place{Full: true}) })
		r.settle()
		r.want("all of it", "[y]es [n]o")
		if !r.d.vt.AltScreen() {
			t.Error("it is on the normal screen")
		}
		fmt.Fprint(app.Transcript(), "line 6\n")
		r.typed("x")
		r.want("all of it x", "[y]es [n]o")
		app.Do(func() { remove() })
		r.settle()
		r.want("line 1", "line 2", "line 3", "--", "line 4", "line 5", "line 6", "footer")

		app.Do(func() { remove = app.Overlay(p, Place{Full: true}) })
		r.settle()
		r.d.resize(24, 5)
		r.settle()
		r.want("all of it x", "[y]es [n]o")
		r.typed("y")
		r.bytes()
		app.Do(func() { remove() })
		r.settle()
		if b := string(r.bytes()); !strings.Contains(b, "\x1b[6n") {
			t.Errorf("after a resize on the alternate screen it does not ask where it is: %q", b)
		}
		pass(time.Second)
		r.settle()
		fmt.Fprint(app.Transcript(), "line 7\n")
		r.settle()
		if got, want := strings.ReplaceAll(r.tape(), "--\n", ""),
			strings.Join(append(numbered("line %d", 1, 7), "footer"), "\n"); got != want {
			t.Errorf("got\n%s", got)
		}
		app.Do(func() { app.Overlay(p, Place{Full: true}) })
		r.settle()
		r.quit() // from the alternate screen
		if r.d.vt.AltScreen() {
			t.Error("the alternate screen was not left")
		}
		if got, want := strings.ReplaceAll(r.tape(), "--\n", ""),
			strings.Join(numbered("line %d", 1, 7), "\n"); got != want {
			t.Errorf("got\n%s", got)
		}
	})
}

func TestPaneGoesFullAndBackWithoutMovingTheTranscript(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 6)
		fmt.Fprint(app.Transcript(), strings.Join(numbered("line %d", 1, 9), "\n")+"\n")
		r.settle()
		p := &rows{lines: numbered("row %d", 1, 3)}
		var remove func()
		app.Do(func() { remove = app.Overlay(p, Place{Replace: true}) })
		r.settle()
		before := r.tape()
		app.Do(func() {
			remove()
			p.lines = numbered("row %d", 1, 6)
			remove = app.Overlay(p, Place{Full: true})
		})
		r.settle()
		r.want("row 1", "row 2", "row 3", "row 4", "row 5", "row 6")
		app.Do(func() {
			remove()
			p.lines = numbered("row %d", 1, 3)
			remove = app.Overlay(p, Place{Replace: true})
		})
		r.settle()
		if got := r.tape(); got != before {
			t.Errorf("before\n%s\nafter\n%s", indent(before), indent(got))
		}
		r.quit()
	})
}

func TestRowsThatWaitUnderAnOverlayAreLaidOutAtTheWidthAfterIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f")}
		r := start(t, app, 40, 8, func(d *fakeDevice) { d.caps.Name = "ghostty" })
		var remove func()
		app.Do(func() { remove = app.Overlay(&pane{title: "menu"}, Place{}) })
		r.settle()
		fmt.Fprintln(app.Transcript(), "one two three four five six seven")
		app.Transcript().Append(NewText("words that wrap at the width there is")).Done()
		r.settle()
		r.d.resize(15, 8)
		pass(2 * time.Second)
		app.Do(func() { remove() })
		r.settle()
		r.quit()
		got := strings.Join(strings.Fields(strings.Join(r.d.vt.Lines(), " ")), " ")
		if want := "one two three four five six seven words that wrap at the width there is"; !strings.HasSuffix(got,
			want) {
			t.Errorf("got %q", got)
		}
	})
}

func TestWritersWaitUnderAnOverlay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f")}
		r := start(t, app, 40, 6)
		var remove func()
		app.Do(func() { remove = app.Overlay(&pane{title: "menu"}, Place{}) })
		r.settle()
		var written atomic.Int32
		go func() {
			for n := range 500 {
				fmt.Fprintln(app.Transcript(), "line", n)
				written.Store(int32(n + 1))
				pass(time.Millisecond)
			}
		}()
		pass(time.Second)
		synctest.Wait()
		if n := written.Load(); n < 4*6 || n > 10*6 {
			t.Errorf("%d lines were taken while four windows wait", n)
		}
		app.Do(func() { remove() })
		pass(time.Second)
		synctest.Wait()
		if n := written.Load(); n != 500 {
			t.Errorf("%d lines were taken after it", n)
		}
		r.quit()
		if n := r.d.vt.Scrolled(); n < 490 {
			t.Errorf("%d rows", n)
		}
	})
}
