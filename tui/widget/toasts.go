package widget

import (
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

// ToastKind is what a toast is about.
type ToastKind uint8

// The kinds of toasts.
const (
	Note ToastKind = iota
	Success
	Warning
	Failure
)

const (
	toastTime = 5 * time.Second
	maxToasts = 4
)

// Toasts is short messages that go away by themselves, the newest at the bottom. It takes no keys,
// and has no rows while there are none. [Toasts.Open] shows it at the upper right of the window; it
// can also stand in a footer. A message that must not be lost belongs in the transcript: without a
// terminal no toast is seen. Fields and methods are for the loop.
type Toasts struct {
	For time.Duration // how long a message stays; 0: 5 s
	Max int           // the most messages, the oldest go; 0: 4

	all []toast
}

// toast is one message.
type toast struct {
	kind ToastKind
	text string
	ends time.Time // zero: it was not shown yet
}

// Open shows the messages until remove is called: over everything, at the upper right of a full
// screen, or above the footer. Keys and the caret stay where they are, see [tui.Place].Passive. It
// is for the loop or before Run, as [tui.App.Overlay] is.
func (t *Toasts) Open(app *tui.App) (remove func()) {
	return app.Overlay(t, tui.Place{Top: true, Right: true, Margin: tui.Pos{Col: 1}, Passive: true})
}

// Show adds a message.
func (t *Toasts) Show(kind ToastKind, text string) {
	t.all = append(t.all, toast{kind: kind, text: text})
	limit := t.Max
	if limit <= 0 {
		limit = maxToasts
	}
	if extra := len(t.all) - limit; extra > 0 {
		t.all = append(t.all[:0], t.all[extra:]...)
	}
}

// Clear takes all messages away.
func (t *Toasts) Clear() { t.all = nil }

// look returns the mark of a kind, and its style.
func (k ToastKind) look(th *tui.Theme) (mark string, st tui.Style) {
	switch k {
	case Success:
		return th.Glyphs.Yes, th.Added
	case Warning:
		return th.Glyphs.Problem, th.Warning
	case Failure:
		return th.Glyphs.No, th.Error
	}
	return th.Glyphs.Dot, th.Accent
}

// dropOld drops the messages whose time is over. next is the time until the next one goes, 0 if
// there is none.
func (t *Toasts) dropOld(now time.Time) (next time.Duration) {
	stay := t.For
	if stay <= 0 {
		stay = toastTime
	}
	left := t.all[:0]
	for _, one := range t.all {
		if one.ends.IsZero() {
			one.ends = now.Add(stay)
		}
		if d := one.ends.Sub(now); d > 0 {
			left = append(left, one)
			if next == 0 || d < next {
				next = d
			}
		}
	}
	clear(t.all[len(left):])
	t.all = left
	return next
}

// maxToastCols is the most columns of a message.
const maxToastCols = 50

// View returns the rows of the messages. Those that have no place are the oldest.
func (t *Toasts) View(s tui.Space) tui.View {
	v := tui.View{RefreshAfter: t.dropOld(s.Now)}
	th := s.Look()
	for _, one := range t.all {
		mark, style := one.kind.look(th)
		l := tui.Layout{Width: max(min(s.Width, maxToastCols), 1), Model: s.Model,
			FirstPrefix: []tui.Span{{Text: " "}, {Text: mark, Style: style}, {Text: " "}},
			NextPrefix:  []tui.Span{{Text: "   "}}}
		if l.Width < 20 { // a token of a character that nobody sees may take eight columns
			l.FirstPrefix, l.NextPrefix = nil, nil
		}
		v.Lines = l.Append(v.Lines, 0, tui.Span{Text: one.text})
	}
	for i := range v.Lines {
		v.Lines[i].Wrapped, v.Lines[i].End = false, 0 // what is below may be seen beside it
	}
	if extra := len(v.Lines) - s.Height; s.Height > 0 && extra > 0 {
		v.Lines = v.Lines[extra:]
	}
	return v
}
