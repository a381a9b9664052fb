// Command owntimer counts a time down: owntimer 25m "write the report". Space pauses, q stops. What
// was done stays on the screen.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/chart"
	"github.com/scrollkeep/scrollkeep/tui/layout"
)

const interval = 100 * time.Millisecond

// timer is the rows of the footer.
type timer struct {
	label       string
	total, done time.Duration
	last        time.Time
	paused      bool
	end         func(result string)
}

func (t *timer) View(s tui.Space) tui.View {
	if !t.paused && !t.last.IsZero() {
		t.done = min(t.done+s.Now.Sub(t.last), t.total)
	}
	if t.last = s.Now; t.done == t.total {
		t.end("done")
		return tui.View{}
	}
	state := "Space pauses, q stops"
	if t.paused {
		state = "paused: Space goes on, q stops"
	}
	left := func(float64) string { return (t.total - t.done).Round(time.Second).String() + " left" }
	th := s.Look()
	v := layout.NewRows(
		&tui.Text{Spans: []tui.Span{{Text: t.label, Style: th.Strong}}},
		&chart.Gauge{Value: t.done.Seconds(), Max: t.total.Seconds(), Format: left},
		&tui.Text{Spans: []tui.Span{{Text: state, Style: th.Dim}}}).View(s)
	v.RefreshAfter = interval
	return v
}

func (t *timer) HandleEvent(ev tui.Event, _ tui.Space) bool {
	switch k, _ := ev.(tui.Key); {
	case k.Is("space"):
		t.paused = !t.paused
	case k.Is("q"), k.Is("ctrl+c"):
		t.end("stopped")
	default:
		return false
	}
	return true
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: owntimer 25m LABEL")
		os.Exit(2)
	}
	total, err := time.ParseDuration(os.Args[1])
	if err != nil || total <= 0 {
		fmt.Fprintln(os.Stderr, "owntimer: no time:", os.Args[1])
		os.Exit(2)
	}
	app := &tui.App{}
	t := &timer{label: strings.Join(os.Args[2:], " "), total: total}
	t.end = func(result string) {
		fmt.Fprintf(app.Transcript(), "%s: %s after %s\n", t.label, result, t.done.Round(time.Second))
		app.Quit(nil)
	}
	app.Footer = t
	tui.Main(app)
}
