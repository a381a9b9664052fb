package tui

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// chunks is a WriterComponent that remembers what each Write brought.
type chunks struct {
	Prose
	got []string
}

func (c *chunks) Write(p []byte) (int, error) {
	c.got = append(c.got, string(p))
	return c.Prose.Write(p)
}

func TestStreamedComponentSeesWholeCharacters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		r := start(t, app, 20, 5)
		c := &chunks{}
		s := app.Transcript().Stream(c)
		const text = "aé日👩b"
		for i := range len(text) {
			s.Write([]byte{text[i]})
			r.settle()
		}
		s.Write([]byte("\xe6\x97")) // cut off by the end
		s.Close()
		r.settle()
		for _, g := range c.got[:len(c.got)-1] {
			if !utf8.ValidString(g) {
				t.Errorf("a Write of %q", g)
			}
		}
		if got := strings.Join(c.got, ""); got != text+"\xe6\x97" {
			t.Errorf("together %q", got)
		}
		r.quit()
	})
}

func TestEndlessLineGoesIntoHistoryRowByRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f")}
		r := start(t, app, 20, 5)
		text := ""
		for i := range 2500 {
			text += fmt.Sprintf("%d,", i)
		}
		for s := text; s != ""; {
			n := min(len(s), 500)
			fmt.Fprint(app.Transcript(), s[:n])
			s = s[n:]
			r.settle()
		}
		if n := len(app.state.loop.frames.live); n > longLineBytes/20+2 {
			t.Errorf("%d live rows", n)
		}
		r.quit()
		r.d.mu.Lock()
		defer r.d.mu.Unlock()
		got := r.d.vt.Lines() // a line of more than 256 rows is broken, and at the end of a frame
		if all := strings.Join(got, ""); all != text || len(got) > 16 {
			t.Errorf("%d lines, %d of %d bytes", len(got), len(all), len(text))
		}
	})
}

func TestSignalEndsTheRunInOrder(t *testing.T) {
	for _, c := range []struct {
		sig  os.Signal
		want func(error) bool
	}{
		{os.Interrupt, func(err error) bool { return err == ErrInterrupted }},
		{syscall.SIGTERM, func(err error) bool { return errors.As(err, new(terminal.SignalError)) }},
	} {
		synctest.Test(t, func(t *testing.T) {
			app := &App{Footer: NewText("f")}
			r := start(t, app, 20, 5)
			fmt.Fprint(app.Transcript(), "last words")
			app.state.queue.add(op{kind: opGone, err: &terminal.GoneError{Cause: terminal.SignalError{Signal: c.sig}}})
			if err := r.wait(); !c.want(err) {
				t.Errorf("%v gives %v", c.sig, err)
			}
			r.want("last words")
		})
	}
}

// Whatever a program does, every line that it has finished stands on the tape once and in order.
func TestEveryLineIsOnTheTapeOnceWhateverTheProgramDoes(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) { randomProgram(t, seed) })
	}
}

func randomProgram(t *testing.T, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	foot := &rows{lines: []string{"f"}}
	app := &App{Footer: foot}
	r := start(t, app, 30+rnd.IntN(20), 4+rnd.IntN(8), func(d *fakeDevice) { d.caps.Name = "ghostty" })
	tr := app.Transcript()
	var want []string
	n := 0
	next := func() string { // short enough for every width
		n++
		return fmt.Sprintf("line %d %s", n, strings.Repeat("x", 1+rnd.IntN(8)))
	}
	var open []func()
	var log []string
	closeOverlay := func() {}
	for range 60 {
		step := rnd.IntN(9)
		switch step {
		case 0, 1:
			for range 1 + rnd.IntN(6) {
				l := next()
				want = append(want, l)
				app.Do(func() { fmt.Fprintln(tr, l) }) // on the loop, so that it does not wait under an overlay
			}
		case 2:
			l := next()
			want = append(want, l)
			app.Do(func() { tr.Print(Line{Spans: []Span{{Text: l}}}) })
		case 3: // a block whose rows are final at once, or later
			c := &rows{lines: []string{next(), next(), next()}, stable: rnd.IntN(4)}
			want = append(want, c.lines...)
			var b *Block
			app.Do(func() { b = tr.Append(c) })
			open = append(open, func() { app.Do(func() { b.Done() }) })
		case 4:
			var s *Stream
			app.Do(func() { s = tr.Stream(&Prose{}) })
			for range rnd.IntN(12) {
				l := next()
				want = append(want, l)
				app.Do(func() { fmt.Fprintln(s, l) })
			}
			open = append(open, func() { app.Do(func() { s.Close() }) })
		case 5:
			k := 1 + rnd.IntN(6)
			app.Do(func() { foot.lines = numbered("f%d", 1, k) })
		case 6:
			var remove func()
			place := Place{Replace: rnd.IntN(2) == 0, Top: rnd.IntN(2) == 0, Full: rnd.IntN(4) == 0}
			app.Do(func() { remove = app.Overlay(&pane{title: "pane"}, place) })
			closeOverlay()
			closeOverlay = func() { app.Do(func() { remove() }) }
			open = append(open, closeOverlay)
		case 7:
			if len(open) > 0 {
				i := rnd.IntN(len(open))
				open[i]()
				open = append(open[:i], open[i+1:]...)
			}
		case 8:
			if rnd.IntN(3) == 0 {
				r.d.resize(30+rnd.IntN(20), 4+rnd.IntN(8))
				pass(time.Second)
			}
		}
		log = append(log, fmt.Sprint(step))
		if rnd.IntN(2) == 0 {
			r.settle()
		}
	}
	app.Do(func() { app.Quit(nil) })
	r.wait()
	tape := strings.Split(strings.ReplaceAll(r.tape(), "--\n", ""), "\n")
	i := 0
	for _, row := range tape {
		if i < len(want) && row == want[i] {
			i++
		}
	}
	if i < len(want) {
		t.Errorf("seed %d: %q is not on the tape in its place; steps %s\ntape:\n%s", seed, want[i],
			strings.Join(log, " "), indent(strings.Join(tape, "\n")))
		return
	}
	// What else is there is live rows that a resize has pushed into history; with the doubt that
	// the renderer admits.
	if extra := len(tape) - len(want); extra > r.app.state.loop.frames.seam.Doubt+8 {
		t.Errorf("seed %d: %d rows too many, %d in doubt; steps %s\ntape:\n%s", seed, extra,
			r.app.state.loop.frames.seam.Doubt, strings.Join(log, " "), indent(strings.Join(tape, "\n")))
	}
}

func TestMemoryDoesNotGrowWithTheTranscript(t *testing.T) {
	app := &App{Footer: NewText("f")}
	l := benchLoop(app, 100, 30)
	now := time.Unix(0, 0)
	line := []byte(strings.Repeat("word ", 15) + "\n")
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	feed := func(rows int) {
		for i := range rows {
			switch {
			case i%100 == 0:
				b := app.Transcript().Append(NewText("a block of its own"))
				b.Done()
			default:
				app.Transcript().Write(line)
			}
			if i%50 == 0 {
				l.frame(now)
			}
		}
		l.frame(now)
	}
	feed(10_000)
	before := heap()
	const more = 60_000
	feed(more)
	if n := len(l.transcript.blocks); n != 0 {
		t.Errorf("%d blocks are kept", n)
	}
	if grown := int64(heap()) - int64(before); grown > 24*more {
		t.Errorf("%d bytes for a row in history", grown/more)
	} else {
		t.Logf("%.1f bytes for a row in history", float64(grown)/more)
	}
}

func TestPace(t *testing.T) {
	const dear = quickCost + time.Millisecond
	at := func(ms int) time.Time { return time.UnixMilli(int64(ms)) }
	for _, c := range []struct {
		name string
		p    pace
		lags bool
		want int // ms, -1: none
	}{
		{"nothing is wanted", pace{lastStart: at(1000)}, false, -1},
		{"ordinary", pace{lastStart: at(1000), wanted: ordinary}, false, 1008},
		{"ordinary after a dear one", pace{lastStart: at(1000), lastCost: dear, wanted: ordinary}, false, 1033},
		{"ordinary while the terminal takes its time", pace{lastStart: at(1000), wanted: ordinary}, true, 1033},
		{"a slow frame is followed by a pause of twice its own length",
			pace{lastStart: at(1000), lastCost: 50 * time.Millisecond, wanted: ordinary}, false, 1150},
		{"forced", pace{lastStart: at(1000), wanted: forced}, true, 1000},
		{"forced after a slow one", pace{lastStart: at(1000), lastCost: 50 * time.Millisecond, wanted: forced}, false,
			1150},
		{"the first echo", pace{lastStart: at(1000), wanted: echo}, false, 1000},
		{"the next echo", pace{lastStart: at(1000), lastEcho: at(1000), wanted: echo}, false, 1000},
		{"the next echo after a dear one", pace{lastStart: at(1000), lastEcho: at(1000), lastCost: dear, wanted: echo},
			false, 1033},
		{"the next echo while the terminal takes its time",
			pace{lastStart: at(1000), lastEcho: at(990), wanted: echo}, true, 1023},
	} {
		due, ok := c.p.due(c.lags)
		if got := due.UnixMilli(); ok != (c.want >= 0) || ok && got != int64(c.want) {
			t.Errorf("%s: due at %d (%v), want %d", c.name, got, ok, c.want)
		}
	}
	p := pace{wanted: echo}
	p.noteFrame(at(10), at(14))
	if p.lastEcho != at(10) || p.lastCost != 4*time.Millisecond || p.wanted != notWanted {
		t.Errorf("%+v", p)
	}
}
