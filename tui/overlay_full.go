package tui

import (
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// fullScreen is the alternate screen while an overlay has it.
type fullScreen struct {
	screen  *renderer.Screen
	resized bool // since it was entered
}

// fullness goes to the alternate screen, or back from it, as the overlay on top wants.
func (l *loop) fullness(now time.Time) {
	o := l.state.top()
	want := o != nil && o.place.Full && l.term != nil && alternates(l.caps)
	switch {
	case want && l.chrome.full == nil && l.resize.phase == steady:
		if quirksOf(l.caps).RedrawsPrompt {
			l.render(renderer.Frame{Base: l.frames.base}) // no live row, since kitty heeds no mark from there
		}
		l.term.SetAltScreen(true)
		l.unseen()
		l.chrome.mouse.forget()
		l.chrome.full = &fullScreen{screen: renderer.NewScreen(renderer.Config{
			Out: counted{l.term, &l.frames.wrote}, Cols: l.cols, Rows: l.rows, Model: l.model(), Sync: l.caps.Sync,
			Links:     l.caps.Links,
			AltScroll: l.caps.Name != "urxvt", // it keeps those rows in its history
		})}
		l.want(forced, "screen")
	case !want && l.chrome.full != nil:
		l.leaveFull(now)
	}
}

// alternates reports whether the terminal has an alternate screen that leaves history alone: GNU
// screen has one only if it is told, Emacs' term (28.2) has none.
func alternates(c Caps) bool { return c.Mux != "screen" && c.Name != "emacs" }

// leaveFull goes back to the normal screen. A resize that came meanwhile is made up for.
func (l *loop) leaveFull(now time.Time) {
	f := l.chrome.full
	if f == nil {
		return
	}
	l.chrome.full = nil
	l.unseen()
	l.chrome.mouse.forget()
	l.erasePictures(&l.pics.alternate)
	l.term.SetAltScreen(false)
	if f.resized && l.pics.how.floats {
		l.erasePictures(&l.pics.normal)
	}
	l.touch()
	l.want(forced, "screen")
	if f.resized {
		l.out.Resize(l.cols, l.rows)
		l.resize = resizing{phase: settling, at: now} // it has settled long since
	}
}

// paintFull shows the overlay on top on the alternate screen.
func (l *loop) paintFull(now time.Time) {
	o := l.state.top()
	s := l.space(now)
	l.chrome.mouse.forget()
	s.Height, s.Focused, s.Shown, s.pics = l.rows, o.armed, o.stands.since, &l.pics.alternate
	s.Unproven = l.unproven()
	v := o.look(s, l.q)
	o.stands.frame(v.Scene, len(v.Lines), len(v.Lines) <= l.rows, now)
	if l.set.caret && v.Cursor != nil {
		v.Lines, v.Cursor = l.chrome.drawn[1].in(v.Lines, *v.Cursor, s), nil
	}
	l.chrome.mouse.place(o, v, area{width: l.cols, rows: min(len(v.Lines), l.rows)})
	if err := l.chrome.full.screen.Render(v.Lines[:min(len(v.Lines), l.rows)], v.Cursor); err != nil {
		l.gone = err
	}
	l.report()
}
