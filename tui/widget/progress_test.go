package widget_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// after is a component that is told of each frame before it shows.
type after struct {
	tui.Component
	f func(s tui.Space)
}

func (a after) View(s tui.Space) tui.View {
	a.f(s)
	return a.Component.View(s)
}

// loading returns p, to which a megabyte is added in a second of the time of frames.
func loading(p *widget.Progress) tui.Component {
	var begin time.Time
	done := int64(0)
	return after{p, func(s tui.Space) {
		if begin.IsZero() {
			begin = s.Now
		}
		now := s.Now.Sub(begin).Milliseconds() * 1000
		p.Add(now - done)
		done = now
	}}
}

func TestProgressTellsHowFarHowFastAndHowLong(t *testing.T) {
	a := &album{t: t}
	known := func() tui.Component {
		return loading(&widget.Progress{Title: "linux-6.19.tar.xz", Total: 20e6, Bytes: true})
	}
	a.scene("at first", 3, known)
	a.scene("under way", 3, known, "~5010ms")
	a.scene("no total", 3, func() tui.Component {
		return loading(&widget.Progress{Title: "a stream", Bytes: true})
	}, "~3010ms")
	a.scene("items", 3, func() tui.Component {
		p := &widget.Progress{Title: "tests", Total: 40}
		p.Add(30)
		return p
	}, "~1010ms")
	ended := func(err error) func() tui.Component {
		return func() tui.Component {
			p := &widget.Progress{Title: "linux-6.19.tar.xz \x1b[2J", Total: 20e6, Bytes: true}
			p.Add(20e6)
			p.End(err)
			p.End(errors.New("the second end does not count"))
			return p
		}
	}
	a.scene("done", 3, ended(nil))
	a.scene("failed", 3, ended(errors.New("connection reset\nby peer")))
	a.plain("done", ended(nil)())
	a.plain("failed", ended(errors.New("no route to the host: "+strings.Repeat("far ", 20)))())
	a.compare("progress")
}

func TestProgressThatEndsStaysInHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		app.Main = func(ctx context.Context) error {
			var all sync.WaitGroup
			for i := range 3 {
				p := &widget.Progress{Title: fmt.Sprint("file ", i), Bytes: true, Total: 100_000}
				block := app.Transcript().Append(p)
				all.Go(func() {
					defer block.Done()
					pause := time.Duration(i+1) * 14 * time.Millisecond
					r := p.Reader(slowly{bytes.NewReader(make([]byte, 100_000)), pause})
					var sink bytes.Buffer
					_, err := io.Copy(&sink, r)
					p.End(err)
				})
			}
			all.Wait()
			return nil
		}
		s := tuitest.Start(t, app, tuitest.Config{Cols: 60, Rows: 8})
		<-time.After(1500 * time.Millisecond)
		if got := s.Visible(); !regexp.MustCompile(`^✓ file 0  100.0 kB in 1 s, \d\d.\d kB/s
· file 1 +━+─+ +\d\d% +\d s left
· file 2 +━+─+ +\d\d% +\d s left$`).MatchString(got) {
			t.Errorf("under way:\n%s", got)
		}
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		if got := s.Visible(); !regexp.MustCompile(`^✓ file 0  100.0 kB in 1 s, \d\d.\d kB/s
✓ file 1  100.0 kB in 2 s, \d\d.\d kB/s
✓ file 2  100.0 kB in 4 s, \d\d.\d kB/s$`).MatchString(got) {
			t.Errorf("at the end:\n%s", got)
		}
	})
}

// slowly is a reader of which 1,000 bytes take a time.
type slowly struct {
	io.Reader
	pause time.Duration
}

func (s slowly) Read(p []byte) (int, error) {
	<-time.After(s.pause)
	return s.Reader.Read(p[:min(len(p), 1000)])
}

func TestProgressCountsWhatIsReadAndWritten(t *testing.T) {
	p := &widget.Progress{}
	if p.Percent() != -1 {
		t.Errorf("no total: %d", p.Percent())
	}
	p.SetTotal(30)
	var out bytes.Buffer
	if _, err := io.Copy(p.Writer(&out), p.Reader(strings.NewReader("0123456789"))); err != nil {
		t.Fatal(err)
	}
	if p.Percent() != 66 || out.String() != "0123456789" {
		t.Errorf("%d percent, %q", p.Percent(), &out)
	}
	p.Add(1000)
	if p.Percent() != 100 {
		t.Errorf("more than all: %d", p.Percent())
	}
}

func TestTheRateIsThatOfTheLastSeconds(t *testing.T) {
	p := &widget.Progress{Bytes: true}
	s := tui.Space{Width: 60, Now: time.Unix(1000, 0)}
	row := ""
	for i := range 300 { // a megabyte in a second for ten seconds, then a tenth of it for twenty
		if p.Add(100_000); i > 100 {
			p.Add(-90_000)
		}
		s.Now = s.Now.Add(100 * time.Millisecond)
		row = texts(p.View(s))[0]
	}
	if !strings.HasSuffix(row, "100.0 kB/s") {
		t.Errorf("at the end: %q", row)
	}
}

func TestEachDoesSomeThingsAtOnceAndSaysWhatWentWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		var now, most atomic.Int32
		app.Main = func(ctx context.Context) error {
			items := strings.Fields("a b c d e f")
			return widget.Each(ctx, app, 2, items, func(_ context.Context, item string, p *widget.Progress) error {
				most.Store(max(most.Load(), now.Add(1)))
				defer now.Add(-1)
				<-time.After(100 * time.Millisecond)
				p.Add(1)
				if item == "b" || item == "e" {
					return errors.New("bad")
				}
				return nil
			})
		}
		s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10})
		if err := s.Wait(); err == nil || err.Error() != "b: bad\ne: bad" {
			t.Errorf("Run: %v", err)
		}
		if most.Load() != 2 {
			t.Errorf("%d at once", most.Load())
		}
		s.Want("✓ a  1", "✗ b  bad", "✓ c  1", "✓ d  1", "✗ e  bad", "✓ f  1")
	})
}

func TestEachBeginsNothingAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		var begun atomic.Int32
		app.Main = func(ctx context.Context) error {
			wait := func(ctx context.Context, _ string, _ *widget.Progress) error {
				begun.Add(1)
				<-ctx.Done()
				return ctx.Err()
			}
			return widget.Each(ctx, app, 1, []string{"a", "b"}, wait)
		}
		s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10})
		s.Press("ctrl+c")
		if err := s.Wait(); !errors.Is(err, tui.ErrInterrupted) {
			t.Errorf("Run: %v", err)
		}
		if begun.Load() != 1 {
			t.Errorf("%d were begun", begun.Load())
		}
		s.Want("✗ a  context canceled")
	})
}

func TestEachHandsOverARowAsSoonAsItHasEnded(t *testing.T) {
	var out strings.Builder
	app := &tui.App{Input: strings.NewReader(""), Output: &out}
	app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
	app.Main = func(ctx context.Context) error {
		work := func(ctx context.Context, item string, _ *widget.Progress) error {
			err := app.WaitShown(ctx)
			if got := out.String(); item == "two" && got != "✓ one  0\n" {
				t.Errorf("when the second one is at work: %q", got)
			}
			return err
		}
		return widget.Each(ctx, app, 1, []string{"one", "two"}, work)
	}
	if err := app.Run(t.Context()); err != nil {
		t.Error(err)
	}
}

func ExampleEach() {
	app := &tui.App{Input: strings.NewReader(""), Output: os.Stdout}
	app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
	app.Main = func(ctx context.Context) error {
		work := func(_ context.Context, _ string, p *widget.Progress) error {
			p.Add(10)
			return nil
		}
		return widget.Each(ctx, app, 1, []string{"one", "two"}, work)
	}
	if err := app.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ✓ one  10
	// ✓ two  10
}

func TestASpinnerTurnsUntilItsEnd(t *testing.T) {
	a := &album{t: t}
	a.scene("turning", 3, func() tui.Component {
		return &widget.Spinner{Text: "linking the program", Hint: "Ctrl+C stops"}
	}, "~2500ms")
	ended := func(err error) func() tui.Component {
		return func() tui.Component {
			sp := &widget.Spinner{Text: "linking the program"}
			sp.End(err)
			return sp
		}
	}
	a.scene("done", 3, ended(nil))
	a.scene("failed", 3, ended(errors.New("undefined: main")))
	a.plain("done", ended(nil)())
	a.plain("failed", ended(errors.New("undefined: main"))())
	a.compare("spinner")
}

func ExampleProgress() {
	p := &widget.Progress{Title: "notes.txt", Bytes: true}
	if _, err := io.Copy(io.Discard, p.Reader(strings.NewReader("some text"))); err != nil {
		fmt.Println(err)
	}
	p.End(nil)
	show(p)
	// Output: ✓ notes.txt  9 B
}

func ExampleSpinner() {
	sp := &widget.Spinner{Text: "building"}
	sp.End(nil)
	show(sp)
	// Output: ✓ building
}
