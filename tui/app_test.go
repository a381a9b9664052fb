package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestPlainWritesGoIntoHistoryAboveTheFooter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 4)
		r.want("footer")
		fmt.Fprintln(app.Transcript(), "one")
		fmt.Fprint(app.Transcript(), "two\nthr")
		r.settle()
		r.want("one", "two", "thr", "footer")
		fmt.Fprint(app.Transcript(), "ee\nfour\nfive\n")
		r.settle()
		r.want("one", "two", "--", "three", "four", "five", "footer")
		if err := r.quit(); err != nil {
			t.Error(err)
		}
		r.want("one", "two", "--", "three", "four", "five")
		if _, err := fmt.Fprint(app.Transcript(), "late"); !errors.Is(err, ErrClosed) {
			t.Errorf("a write after the end: %v", err)
		}
	})
}

func TestBlockThatIsNotDoneHoldsBackWhatFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{LiveRows: 4}
		r := start(t, app, 20, 4)
		c := &rows{lines: []string{"a1", "a2"}}
		b := app.Transcript().Append(c)
		fmt.Fprint(app.Transcript(), "after 1\nafter 2\nafter 3\n")
		r.settle()
		r.want("a2", "after 1", "after 2", "after 3") // a1 is hidden: on no screen, and not in history
		b.Update(func() { c.lines = []string{"b1"} })
		b.Done()
		r.settle()
		r.want("b1", "--", "after 1", "after 2", "after 3") // without a footer the cursor has a row of its own
		r.quit()
		r.want("b1", "--", "after 1", "after 2", "after 3")
	})
}

func TestStableRowsOfTheTopmostBlockCommitWhileItStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("prompt")}
		r := start(t, app, 20, 5)
		c := &rows{}
		b := app.Transcript().Append(c)
		for i := 1; i <= 9; i++ {
			b.Update(func() {
				c.lines = append(c.lines[:max(len(c.lines)-1, 0):max(len(c.lines)-1, 0)], fmt.Sprint("row ", i),
					fmt.Sprint("working ", i))
				c.stable = len(c.lines) - 1
			})
			r.settle()
		}
		r.want("row 1", "row 2", "row 3", "row 4", "row 5", "row 6", "--", "row 7", "row 8", "row 9",
			"working 9", "prompt")
		b.Update(func() { c.lines = c.lines[:9] })
		b.Done()
		r.quit()
		r.want(append(append(numbered("row %d", 1, 6), "--"), numbered("row %d", 7, 9)...)...)
	})
}

func TestFooterGrowsAndShrinksWithoutATraceInHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		foot := &rows{lines: []string{"f1"}}
		app := &App{Footer: foot}
		r := start(t, app, 20, 5)
		fmt.Fprint(app.Transcript(), strings.Join(numbered("line %d", 1, 6), "\n")+"\n")
		for _, n := range []int{4, 1, 3, 2, 5, 1} {
			app.Do(func() { foot.lines = numbered("f%d", 1, n) })
			r.settle()
		}
		fmt.Fprint(app.Transcript(), strings.Join(numbered("line %d", 7, 9), "\n")+"\n")
		r.settle()
		if got, want := strings.ReplaceAll(r.tape(), "--\n", ""),
			strings.Join(append(numbered("line %d", 1, 9), "f1"), "\n"); got != want {
			t.Errorf("got\n%s", got)
		}
		r.quit()
	})
}

func TestManyGoroutinesWriteWholeLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f")}
		r := start(t, app, 40, 6)
		var wg sync.WaitGroup
		const writers, each = 8, 200
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					fmt.Fprintf(app.Transcript(), "writer %d line %d\n", w, i)
				}
			})
		}
		wg.Wait()
		r.quit()
		next := make([]int, writers)
		lines := strings.Split(strings.ReplaceAll(r.tape(), "--\n", ""), "\n")
		for _, l := range lines {
			var w, i int
			if n, _ := fmt.Sscanf(l, "writer %d line %d", &w, &i); n != 2 || next[w] != i {
				t.Fatalf("line %q, want line %d of its writer", l, next[w])
			}
			next[w]++
		}
		if len(lines) != writers*each {
			t.Errorf("%d lines, want %d", len(lines), writers*each)
		}
	})
}

func TestIdleProgramNeitherWakesNorWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		foot := &rows{lines: []string{"f"}}
		r := start(t, &App{Footer: foot}, 20, 5)
		r.bytes()
		views := foot.views
		pass(time.Hour)
		synctest.Wait()
		if b := r.bytes(); len(b) > 0 || foot.views != views {
			t.Errorf("%d views, wrote %q", foot.views-views, b)
		}
		r.quit()
	})
}

func TestTickAsksOnlyTheComponentThatTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quiet := &rows{lines: []string{"quiet"}}
		block := &rows{lines: []string{"block"}}
		ticks := 0
		spinner := ComponentFunc(func(s Space) View {
			ticks++
			return View{Lines: []Line{{Spans: []Span{{Text: fmt.Sprint("tick ", ticks%10)}}}},
				RefreshAfter: 80 * time.Millisecond}
		})
		app := &App{Footer: NewStack(quiet, spinner)}
		r := start(t, app, 20, 5)
		app.Transcript().Append(block)
		r.settle()
		q, b := quiet.views, block.views
		ticks = 0
		r.bytes()
		pass(800 * time.Millisecond)
		synctest.Wait()
		if quiet.views != q || block.views != b {
			t.Errorf("the others were asked %d and %d times", quiet.views-q, block.views-b)
		}
		if ticks < 9 || ticks > 10 {
			t.Errorf("%d ticks in 800 ms of 80 ms each", ticks)
		}
		if n := len(r.bytes()); n > 20*ticks {
			t.Errorf("%d bytes for %d ticks", n, ticks)
		}
		r.quit()
	})
}

func TestStillProgramHasNoAnimation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, &App{Footer: &Status{Text: "working"}, Still: true}, 20, 5)
		r.want("• working")
		r.bytes()
		pass(time.Hour)
		synctest.Wait()
		if b := r.bytes(); len(b) > 0 {
			t.Errorf("it wrote %q", b)
		}
		r.quit()
	})
}

func TestOrdinaryFramesKeepTheirIntervalAndAKeyIsEchoedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ed := &Editor{}
		r := start(t, &App{Footer: ed}, 20, 5)
		r.d.mu.Lock()
		before := r.d.writes
		r.d.mu.Unlock()
		for range 100 {
			fmt.Fprintln(r.app.Transcript(), "x")
			pass(time.Millisecond)
		}
		synctest.Wait()
		r.d.mu.Lock()
		frames := r.d.writes - before
		r.d.mu.Unlock()
		if frames < 8 || frames > 20 { // one each 8 ms, and in 5 rows of grid four windows fill every 20 rows
			t.Errorf("%d frames in 100 ms", frames)
		}
		r.settle()
		fmt.Fprintln(r.app.Transcript(), "x")
		synctest.Wait() // an ordinary frame has just been
		r.bytes()
		r.press("q")
		synctest.Wait()
		if b := r.bytes(); !strings.Contains(string(b), "q") {
			t.Errorf("the first key was not echoed at once: %q", b)
		}
		r.press("w") // the frames before were cheap
		synctest.Wait()
		if b := r.bytes(); !strings.Contains(string(b), "w") {
			t.Errorf("the second key was not echoed at once: %q", b)
		}
		r.quit()
	})
}

func TestRunEndsWithMainAndItsLastWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		boom := errors.New("boom")
		app := &App{Footer: NewText("f")}
		app.Main = func(ctx context.Context) error {
			fmt.Fprint(app.Transcript(), "hello\nunfinished")
			app.Transcript().Append(NewText("a block that nobody finished"))
			return boom
		}
		r := start(t, app, 40, 5)
		if err := r.wait(); err != boom {
			t.Errorf("Run returned %v", err)
		}
		r.want("hello", "unfinished", "a block that nobody finished")
	})
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		app.Main = func(ctx context.Context) error {
			<-ctx.Done()
			fmt.Fprintln(app.Transcript(), "bye")
			return ctx.Err()
		}
		r := start(t, app, 40, 5)
		if err := r.quit(); err != nil {
			t.Errorf("Quit(nil) gave %v", err)
		}
		r.want("bye")
	})
}

func TestWhatWasQueuedBeforeTheEndIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		r := start(t, app, 40, 5)
		app.Do(func() {
			app.Quit(nil)
			app.Do(func() { fmt.Fprintln(app.Transcript(), "said by a callback of a callback") })
		})
		if err := r.wait(); err != nil {
			t.Error(err)
		}
		r.want("said by a callback of a callback")
	})
}

func TestUnhandledKeysEndTheRun(t *testing.T) {
	for key, want := range map[string]error{"ctrl+c": ErrInterrupted, "ctrl+d": nil} {
		synctest.Test(t, func(t *testing.T) {
			r := start(t, &App{Footer: &Editor{}}, 40, 5)
			r.press(key)
			if err := r.wait(); err != want {
				t.Errorf("%s gave %v", key, err)
			}
		})
	}
}

func TestPanicInAComponentRestoresTheTerminalFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeDevice(20, 5)
		app := &App{Footer: ComponentFunc(func(Space) View { panic("ouch") })}
		app.openTerminal = func(context.Context) (device, error) { return d, nil }
		defer func() {
			if r := recover(); r != "ouch" {
				t.Errorf("recovered %v", r)
			}
			if !d.closed {
				t.Error("the terminal was not restored")
			}
		}()
		app.Run(t.Context())
	})
}

func TestPanicInMainRestoresTheTerminalAndGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newFakeDevice(20, 5)
		app := &App{Main: func(context.Context) error { panic("ouch") }}
		app.openTerminal = func(context.Context) (device, error) { return d, nil }
		defer func() {
			if r := recover(); r == nil || !strings.HasPrefix(r.(string), "ouch") {
				t.Errorf("recovered %v", r)
			}
			if !d.closed {
				t.Error("the terminal was not restored")
			}
		}()
		app.Run(t.Context())
	})
}

// What is replayed waits for no pace: all of a long history is painted as fast as it comes, and it
// is all there.
func TestWhatIsFlushedWaitsForNoFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		r := start(t, app, 20, 4)
		began := time.Now()
		var want strings.Builder
		for i := range 200 {
			text := fmt.Sprintf("message %d", i)
			want.WriteString(text + "\n")
			app.Transcript().Append(NewText(text))
			if err := app.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("200 messages took %v of waiting", took)
		}
		if err := r.quit(); err != nil {
			t.Error(err)
		}
		got := strings.ReplaceAll(r.tape(), "--\n", "") + "\n"
		if !strings.HasPrefix(got, want.String()) {
			t.Errorf("the tape is\n%s", got)
		}
	})
}

// A replay does not leave two thirds of a core idle: its frames come one behind the other, however
// much they cost.
func TestAReplayWaitsForNoPauseBehindADearFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, cost = 20, 5 * time.Millisecond
		app := &App{}
		r := start(t, app, 20, 4)
		began := time.Now()
		for range n {
			app.Transcript().Append(ComponentFunc(func(Space) View {
				<-time.After(cost)
				return View{Lines: []Line{{}}}
			})).Done()
			if err := app.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took > n*cost {
			t.Errorf("%d frames of %v took %v", n, cost, took)
		}
		if err := r.quit(); err != nil {
			t.Error(err)
		}
	})
}

func TestShownWaitsForAFrameWithAllThatWasQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := app.WaitShown(ctx); !errors.Is(err, context.Canceled) { // nobody paints yet
			t.Errorf("before Run, with a context that has ended: %v", err)
		}
		views := 0
		block := app.Transcript().Append(ComponentFunc(func(Space) View { views++; return View{} }))
		r := start(t, app, 20, 4)
		for range 5 {
			before := 0
			block.Update(func() { before = views })
			if err := app.WaitShown(t.Context()); err != nil || views == before {
				t.Errorf("shown after %d of more than %d views: %v", views, before, err)
			}
		}
		remove := func() {}
		app.Do(func() { remove = app.Overlay(NewText("over"), Place{}) }) // rows are held back: no frame takes them
		waits := make(chan error, 1)
		go func() { waits <- app.WaitShown(t.Context()) }()
		<-time.After(time.Minute)
		select {
		case err := <-waits:
			t.Errorf("shown below an overlay: %v", err)
		default:
		}
		app.Do(func() { remove() })
		if err := <-waits; err != nil {
			t.Error(err)
		}
		if err := r.quit(); err != nil {
			t.Error(err)
		}
		if err := app.WaitShown(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("after Run: %v", err)
		}
	})
}
