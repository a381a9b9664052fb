package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// unknown makes d a device that nobody has measured and that has answered all questions.
func unknown(d *fakeDevice) { d.caps.Unmeasured, d.caps.Answered = true, true }

// likeVim draws joiners and flags as vim 9.0 does. The emulator draws a letter for each column.
func likeVim(s string) string {
	for i, sample := range width.Samples() {
		s = strings.ReplaceAll(s, sample, strings.Repeat("x", []int{18, 1, 4, 4}[i]))
	}
	return s
}

func TestWidthsAreMeasuredWhereNobodyHas(t *testing.T) {
	for _, c := range []struct {
		name  string
		with  func(*fakeDevice)
		asked int // cursor reports
		model width.Model
	}{
		{"a terminal that is known", func(d *fakeDevice) {}, 0, width.Model{}},
		{"one that has answers to come", func(d *fakeDevice) { d.caps.Unmeasured = true }, 0, width.Model{}},
		{"one without Unicode", func(d *fakeDevice) { unknown(d); d.caps.Unicode = false }, 0, width.Model{}},
		{"one that measures clusters", unknown, 6, width.Model{Method: width.Grapheme}},
		{"one that tells nothing", func(d *fakeDevice) { unknown(d); d.mute = true }, 1, width.Model{}},
		{"vim", func(d *fakeDevice) { unknown(d); d.draws = likeVim }, 6,
			width.Model{Parts: width.Parts{Joiner: 6, Indicator: 2, NarrowEmoji: true, Jamo: true}}},
		{"one that draws as nobody does", func(d *fakeDevice) { unknown(d); d.draws = wide }, 6, width.Model{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				app := &App{Footer: NewText("footer")}
				r := start(t, app, 40, 12, func(d *fakeDevice) { d.vt.WriteString("\x1b[?2027h"); c.with(d) })
				pass(time.Second)
				r.settle()
				if n := strings.Count(string(r.bytes()), "\x1b[6n"); n != c.asked {
					t.Errorf("%d questions, want %d", n, c.asked)
				}
				var got width.Model
				app.Do(func() { got = app.getState().loop.widthModel() })
				r.settle()
				if got != c.model {
					t.Errorf("the model is %+v", got)
				}
				if tape := strings.TrimRight(r.tape(), "\n "); tape != "footer" {
					t.Errorf("something is left of it:\n%s", tape)
				}
				r.quit()
			})
		})
	}
}

// All that a measurement prints is gone within the write that prints it.
func TestNothingOfAMeasurementIsSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 40, 12, unknown)
		pass(time.Second)
		r.settle()
		for _, w := range strings.SplitAfter(string(r.bytes()), "footer") {
			for _, sample := range width.Samples() {
				if i := strings.Index(w, sample); i >= 0 && !strings.HasSuffix(w, "\x1b[Kfooter") {
					t.Errorf("%q stays until another write", sample)
				}
			}
		}
		r.quit()
	})
}

// A size that comes before the answers spoils the measurement, and it is made again. Answers that
// come late are still its own, and no report of a change of size.
func TestAMeasurementOutlivesSizesAndLateAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 40, 12, func(d *fakeDevice) {
			d.vt.WriteString("\x1b[?2027h")
			unknown(d)
			d.holds = true
		})
		pass(time.Second)
		r.settle()
		r.d.hold(false) // the cursor; now the samples are printed
		r.d.hold(true)
		r.settle()
		r.d.resize(50, 12)
		pass(5 * time.Second)
		r.settle()
		r.d.hold(false)
		for range 4 {
			pass(time.Second)
			r.settle()
		}
		var got width.Model
		app.Do(func() { got = app.getState().loop.widthModel() })
		r.settle()
		if got.Method != width.Grapheme {
			t.Errorf("the model is %+v", got)
		}
		fmt.Fprintln(app.Transcript(), "text")
		r.settle()
		if tape := strings.TrimRight(r.tape(), "\n "); !strings.HasSuffix(tape, "text\nfooter") {
			t.Errorf("the tape is\n%s", tape)
		}
		r.quit()
	})
}

// A scene waits for the measurement, and counts where that is answered.
func TestAProofFollowsAMeasurement(t *testing.T) {
	for _, mute := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			j := &judge{text: paneText, scene: "write"}
			app := &App{Footer: NewText("footer")}
			app.Overlay(j, Place{Replace: true})
			r := start(t, app, 40, 12, func(d *fakeDevice) { unknown(d); d.mute = mute })
			for range 8 {
				pass(time.Second)
				r.settle()
			}
			if proven := !j.shown.IsZero(); proven == mute || mute && j.why != noCursorReports {
				t.Errorf("mute %v: the scene stands since %v, %q", mute, j.shown, j.why)
			}
			r.quit()
		})
	}
}
