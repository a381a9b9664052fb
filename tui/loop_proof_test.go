package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
)

// judge is an overlay with a scene, which remembers what it was told of it.
type judge struct {
	text  []string
	scene string
	shown time.Time // at its last frame
	keyed []time.Time
	why   string
}

func (j *judge) View(s Space) View {
	j.shown = s.Shown
	if s.Unproven != "" {
		j.why = s.Unproven
	}
	v := View{Scene: j.scene}
	for _, l := range j.text {
		v.Lines = append(v.Lines, Line{Spans: []Span{{Text: l, Link: "https://h.example/"}}})
	}
	return v
}

func (j *judge) HandleEvent(ev Event, s Space) bool {
	if _, key := ev.(Key); key {
		j.keyed = append(j.keyed, s.Shown)
	}
	return true
}

// otherwise makes a device draw what it is sent in another way.
func otherwise(f func(string) string) func(*fakeDevice) {
	return func(d *fakeDevice) { d.caps.Unmeasured, d.draws = true, f }
}

// wide draws characters that are not ASCII twice as wide, as Emacs and vim do with some.
func wide(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
		if r > unicode.MaxLatin1 {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// prints shows what it should obey.
func prints(s string) string { return strings.ReplaceAll(s, "\x1b]8;;", "]8;;") }

var paneText = []string{"", "write notes.txt", "one", "two 日本 lines", "four", "five", "six", "seven", "eight",
	"[y]es [n]o"}

func TestASceneCountsWhereTheTerminalDrawsItAsBelieved(t *testing.T) {
	links := func(d *fakeDevice) { d.caps.Links = true }
	for _, c := range []struct {
		name string
		text []string
		with func(*fakeDevice)
		want string // why it is not proven; "": it is
	}{
		{"a terminal that is known", paneText, func(d *fakeDevice) { d.mute = true }, ""},
		{"one that is not, and draws as others do", paneText, func(d *fakeDevice) { d.caps.Unmeasured = true }, ""},
		{"one that measures otherwise", paneText, otherwise(wide), wrongCursor},
		{"one that measures what is in doubt otherwise", []string{"\u2764\ufe0f heart", "[y]es"},
			otherwise(func(s string) string { return strings.ReplaceAll(s, "\ufe0f", "") }), ""},
		{"and what it measures as we do", []string{"ascii", "[y]es"}, otherwise(wide), ""},
		{"one that prints strings", paneText,
			func(d *fakeDevice) { links(d); otherwise(prints)(d) }, wrongCursor},
		{"one that reads them", paneText, func(d *fakeDevice) { links(d); d.caps.Unmeasured = true }, ""},
		{"one that says nothing", paneText, func(d *fakeDevice) { d.caps.Unmeasured, d.mute = true, true },
			noCursorReports},
		{"one that answers some", paneText, func(d *fakeDevice) { d.caps.Unmeasured, d.answers = true, 4 },
			noCursorReports},
		{"one that answers twice", paneText, func(d *fakeDevice) { d.caps.Unmeasured, d.twice = true, true },
			wrongCursor},
		{"and whose rows end in one column", []string{"four", "five", "nine", "[y]s"},
			func(d *fakeDevice) { d.caps.Unmeasured, d.twice = true, true }, wrongCursor},
	} {
		for i, place := range []Place{{Replace: true}, {Full: true}, {Top: true}, {Center: true}, {Center: true},
			{Replace: true}} {
			t.Run(fmt.Sprintf("%s %+v %d", c.name, place, i), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					j := &judge{text: c.text, scene: "write"}
					app := &App{Footer: NewText("footer")}
					if i > 3 { // over a full screen, of which every terminal knows how to draw it
						app.Overlay(NewText("page"), Place{Full: true})
					}
					app.Overlay(j, place)
					r := start(t, app, 40, 12, c.with)
					for range 8 {
						pass(time.Second)
						r.settle()
					}
					r.press("y")
					r.settle()
					proven := !j.shown.IsZero() && len(j.keyed) == 1 && !j.keyed[0].IsZero()
					if proven != (c.want == "") || j.why != c.want {
						t.Errorf("a frame was told %v, a key %v, %q", j.shown, j.keyed, j.why)
					}
					r.quit()
				})
			})
		}
	}
}

// A key that comes before the answer to the last frame counts for nothing, and a report of another
// frame proves none.
func TestAKeyCountsOnlyOnTheFrameThatWasProven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &judge{text: paneText, scene: "write"}
		app := &App{Footer: NewText("footer")}
		app.Overlay(j, Place{Replace: true})
		r := start(t, app, 40, 12, func(d *fakeDevice) { d.caps.Unmeasured = true })
		pass(2 * time.Second)
		r.settle()
		since := j.shown
		if since.IsZero() {
			t.Fatal("it is not proven")
		}
		r.d.hold(true)
		r.app.Do(func() { j.text = append([]string{"", "another title"}, paneText[2:]...) })
		r.settle()
		r.press("y")
		r.settle()
		r.d.hold(false) // the answers come
		r.settle()
		r.press("y")
		r.settle()
		if len(j.keyed) != 2 || !j.keyed[0].IsZero() || !j.keyed[1].Equal(since) {
			t.Errorf("keys were told %v; the scene stands since %v", j.keyed, since)
		}
		// A size comes before the answers do: they are of a frame that is gone.
		r.d.hold(true)
		r.app.Do(func() { j.text = paneText })
		r.settle()
		r.d.resize(40, 11)
		pass(time.Second)
		r.press("y")
		r.settle()
		if n := len(j.keyed); n != 3 || !j.keyed[2].IsZero() {
			t.Errorf("keys were told %v", j.keyed)
		}
		r.d.hold(false)
		r.quit()
	})
}

// Known terminals do not pay for it.
func TestNoByteIsSpentOnATerminalThatIsKnown(t *testing.T) {
	written := func(doubt bool) (n int) {
		synctest.Test(t, func(t *testing.T) {
			app := &App{Footer: NewText("footer")}
			app.Overlay(&judge{text: paneText, scene: "write"}, Place{Replace: true})
			r := start(t, app, 40, 12, func(d *fakeDevice) { d.caps.Unmeasured = doubt })
			pass(2 * time.Second)
			n = strings.Count(string(r.bytes()), "\x1b[6n")
			r.quit()
		})
		return n
	}
	if n := written(false); n != 0 {
		t.Errorf("%d requests", n)
	}
	if n := written(true); n != len(paneText) {
		t.Errorf("%d requests where they are needed", n)
	}
}

func TestAProofIsGivenUpWithItsOverlay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &judge{text: paneText, scene: "write"}
		app := &App{Footer: NewText("footer")}
		remove := app.Overlay(j, Place{Replace: true})
		r := start(t, app, 40, 12, func(d *fakeDevice) { d.caps.Unmeasured, d.mute = true, true })
		app.Do(remove)
		r.settle()
		fmt.Fprintln(app.Transcript(), "text")
		r.settle()
		if got := r.tape(); !strings.Contains(got, "text\nfooter") {
			t.Errorf("frames do not go on:\n%s", got)
		}
		other := &judge{text: paneText, scene: "write"}
		app.Do(func() { app.Overlay(other, Place{Replace: true}) })
		pass(100 * time.Millisecond)
		r.settle()
		if other.why != noCursorReports {
			t.Errorf("while answers are owed nothing can be proven, and it says %q", other.why)
		}
		r.quit()
	})
}

// A scene counts only while nothing stands over it: no layer, and no message on the alternate
// screen. Above a pane a message covers nothing.
func TestASceneUnderALayerDoesNotCount(t *testing.T) {
	for _, c := range []struct {
		place, over Place
		counts      bool
	}{
		{Place{Full: true}, Place{Passive: true, Top: true}, false},
		{Place{Center: true}, Place{Top: true}, false},
		{Place{Replace: true}, Place{Center: true}, false},
		{Place{Replace: true}, Place{Passive: true}, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			j := &judge{text: []string{"write notes.txt", "[y]es"}, scene: "write"}
			app := &App{Footer: NewText("footer")}
			app.Overlay(j, c.place)
			r := start(t, app, 40, 12)
			pass(time.Second)
			r.settle()
			if j.shown.IsZero() {
				t.Fatalf("%+v: it does not count at all", c.place)
			}
			var remove func()
			app.Do(func() { remove = app.Overlay(NewText("note"), c.over) })
			for range 3 {
				pass(time.Second)
				r.settle()
			}
			if counts := !j.shown.IsZero(); counts != c.counts {
				t.Errorf("%+v under %+v: it counts: %v", c.place, c.over, counts)
			}
			app.Do(func() { remove() })
			pass(time.Second)
			r.settle()
			if j.shown.IsZero() {
				t.Errorf("%+v: it does not count afterwards", c.place)
			}
			r.quit()
		})
	}
}
