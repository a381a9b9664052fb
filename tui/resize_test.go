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
	}
}

// meets plays a change of the width beside a frame with a final row, above a footer that wraps at the new one, and returns the tape. The terminal takes the
// frame before the change, or late; the news comes so long after it.
func meets(t *testing.T, name string, late bool, after time.Duration) (tape string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		bar := strings.Repeat("=", 28)
		app := &App{Footer: NewText(bar + "\n" + bar)}
		r := start(t, app, 30, 9, is(name))
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

func TestAFrameThatALateTerminalTakesAtItsNewSizeCostsNoFinalText(t *testing.T) {
	for _, name := range []string{"kitty", "kitty-0.40"} {
		tape := "\n" + meets(t, name, true, 0)
		for _, line := range append(numbered("line %d", 1, 20), "on its way", "the end") {
			at := strings.Index(tape, "\n"+line+"\n")
			if at < 0 {
				t.Fatalf("%s: %q is not there, or not in its place:\n%s", name, line, indent(tape))
			}
			tape = tape[at+len(line)+1:]
		}
	}
}

// What a frame that was taken in time would leave behind if it were not known to be.
func TestOnlyALateTerminalPutsTheLiveRowsInDoubt(t *testing.T) {
	bar := strings.Repeat("=", 20) + "\n" + strings.Repeat("=", 8)
	want := strings.Join(append(numbered("line %d", 1, 20), "on its way", "the end", bar, bar), "\n")
	for _, c := range []struct {
		name  string
		after time.Duration
		exact bool
	}{
		{"ghostty", 0, true}, {"vte", 0, true}, {"kitty-0.40", metTime, true}, {"kitty-0.40", 0, false},
	} {
		if tape := meets(t, c.name, false, c.after); (tape == want) != c.exact {
			t.Errorf("%s, %v after a frame:\n%s", c.name, c.after, indent(tape))
		}
	}
}
