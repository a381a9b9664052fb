package widget

import (
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

// ToastKind is the kind of a message in [Toasts]. It determines the mark and the colour.
type ToastKind uint8

// The kinds of messages.
const (
	Note ToastKind = iota
	Success
	Warning
	Failure
)

const (
	// how long a message stays
	defaultToastTime = 5 * time.Second
	// number of messages at a time
	defaultMaxToasts = 4
)

// Toasts shows short messages that disappear by themselves, the newest at the bottom. It takes no
// keys, and has no rows while there are no messages. [Toasts.Open] shows it at the upper right of
// the window; it can also be part of a footer. Put messages that must not be missed in the
// transcript instead: without a terminal no toast is seen. Access fields and methods only on the
// App's loop.
type Toasts struct {
	For time.Duration // how long a message stays; 0: 5 s
	Max int           // the maximum number of messages, beyond which the oldest is dropped; 0: 4

	messages []toast
}

// toast is one message.
type toast struct {
	kind   ToastKind
	text   string
	endsAt time.Time // when the message disappears; zero: it was not shown yet
}

// Open shows the messages above everything else until remove is called: at the upper right of a
// full screen, or above the footer. Keys and the caret stay with the component that has them, see
// [tui.Place].Passive. Call Open on the loop or before Run, like [tui.App.Overlay].
func (t *Toasts) Open(app *tui.App) (remove func()) {
	return app.Overlay(t, tui.Place{Top: true, Right: true, Margin: tui.Pos{Col: 1}, Passive: true})
}

// Show adds a message. The oldest message is dropped if there are more than Max.
func (t *Toasts) Show(kind ToastKind, text string) {
	t.messages = append(t.messages, toast{kind: kind, text: text})
	limit := t.Max
	if limit <= 0 {
		limit = defaultMaxToasts
	}
	if extra := len(t.messages) - limit; extra > 0 {
		t.messages = append(t.messages[:0], t.messages[extra:]...)
	}
}

// Clear removes all messages.
func (t *Toasts) Clear() { t.messages = nil }

// markAndStyle returns the glyph before messages of the kind k, and the glyph's style.
func (k ToastKind) markAndStyle(th *tui.Theme) (mark string, st tui.Style) {
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

// dropOld removes the messages whose time is over. It returns the time until the next one
// disappears, or 0 if there is none.
func (t *Toasts) dropOld(now time.Time) (next time.Duration) {
	stay := t.For
	if stay <= 0 {
		stay = defaultToastTime
	}
	left := t.messages[:0]
	for _, one := range t.messages {
		if one.endsAt.IsZero() {
			one.endsAt = now.Add(stay)
		}
		if d := one.endsAt.Sub(now); d > 0 {
			left = append(left, one)
			if next == 0 || d < next {
				next = d
			}
		}
	}
	clear(t.messages[len(left):])
	t.messages = left
	return next
}

// maxToastCols is the maximum width of a message in columns.
const maxToastCols = 50

// View returns the rows of the messages. If they do not all fit, the oldest are left out.
func (t *Toasts) View(s tui.Space) tui.View {
	v := tui.View{RefreshAfter: t.dropOld(s.Now)}
	th := s.Look()
	for _, one := range t.messages {
		mark, style := one.kind.markAndStyle(th)
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
