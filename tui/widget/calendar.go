package widget

import (
	"errors"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Calendar is a month, of which one day is chosen. Left and Right move by days, Up and Down by
// weeks, PgUp and PgDn by months, Shift+PgUp and Shift+PgDn by years, Home and End go to the ends
// of the month. A typed date (2026-11-28) goes there. Enter chooses; Esc and Ctrl+C leave. Where
// the month has no place it is a row with the date. In a space without a height it is text, for
// [Calendar.Submit]. Fields are for the loop.
type Calendar struct {
	Date     time.Time                // the chosen day; zero: today
	Min, Max time.Time                // the first and the last day that can be chosen; zero: none
	Off      func(day time.Time) bool // reports days that cannot be chosen; nil: there are none
	Sunday   bool                     // a week begins on Sunday; else on Monday
	Mouse    bool                     // a click goes to a day, a second one chooses it, the wheel moves by months
	OnMove   func(day time.Time)      // another day is the chosen one
	OnChoose func(day time.Time)      // Enter
	OnLeave  func()                   // Esc, Ctrl+C

	today   time.Time
	typed   string
	err     error
	firstAt int // the row of the first week in the last View; 0: there are no weeks
	weekAt  int // the first week in sight
	weeks   int // in sight
}

// dateForm is how a date is typed and written.
const dateForm = "2006-1-2"

// errDate is the error of a typed text that is no date.
var errDate = errors.New("a date is written as in 2026-11-28")

// ParseDate returns the day that text names, as a person types it: 2026-11-28.
func ParseDate(text string) (time.Time, error) {
	day, err := time.Parse(dateForm, strings.TrimSpace(text))
	if err != nil {
		return time.Time{}, errDate
	}
	return day, nil
}

// dayOf returns midnight of the day of t, in its place.
func dayOf(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// monthStart returns the first day of the month of t.
func monthStart(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.Day()) }

// addMonths returns the same day so many months later, or the last one of that month.
func addMonths(t time.Time, n int) time.Time {
	first := monthStart(t).AddDate(0, n, 0)
	last := first.AddDate(0, 1, -1)
	return first.AddDate(0, 0, min(t.Day(), last.Day())-1)
}

// fixDate sets Date to a day that can be chosen.
func (c *Calendar) fixDate(now time.Time) {
	if c.today = dayOf(now); c.Date.IsZero() {
		c.Date = c.today
	}
	c.Date = c.within(dayOf(c.Date))
}

// within returns day, or the nearest one between Min and Max.
func (c *Calendar) within(day time.Time) time.Time {
	if !c.Max.IsZero() && day.After(dayOf(c.Max)) {
		day = dayOf(c.Max)
	}
	if !c.Min.IsZero() && day.Before(dayOf(c.Min)) {
		day = dayOf(c.Min)
	}
	return day
}

// isOff reports whether a day cannot be chosen.
func (c *Calendar) isOff(day time.Time) bool {
	return !c.within(day).Equal(day) || c.Off != nil && c.Off(day)
}

// firstCell returns the day at the upper left of the month.
func (c *Calendar) firstCell() time.Time {
	first := monthStart(c.Date)
	back := (int(first.Weekday()) + 6) % 7
	if c.Sunday {
		back = int(first.Weekday())
	}
	return first.AddDate(0, 0, -back)
}

const (
	calendarCols = 22 // seven days of three columns, and the edge
	calendarRows = 2  // the month and the names of the days
)

// View returns the month.
func (c *Calendar) View(s tui.Space) tui.View {
	c.fixDate(s.Now)
	th := s.Look()
	v := tui.View{Mouse: c.Mouse}
	c.firstAt, c.weeks = 0, 0
	if s.Height <= 0 {
		v.Lines = s.Wrap(tui.Span{Text: "A date [" + c.Date.Format(time.DateOnly) + "]:"})
		return v
	}
	head := []tui.Span{{Text: c.Date.Format("2 January 2006"), Style: th.Strong}}
	if c.typed != "" {
		head = append(head, tui.Span{Text: "  /" + c.typed, Style: th.Accent})
	}
	v.Lines = append(v.Lines, s.Cut(head...))
	if c.err != nil && s.Height > 1 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: th.Glyphs.Problem + " " + c.err.Error(), Style: th.Error}))
	}
	if free := s.Height - len(v.Lines) - 1; free > 0 && s.Width >= calendarCols {
		names := " Mo Tu We Th Fr Sa Su"
		if c.Sunday {
			names = " Su Mo Tu We Th Fr Sa"
		}
		v.Lines = append(v.Lines, tui.Line{Spans: []tui.Span{{Text: names, Style: th.Dim}}})
		v.Lines = c.appendWeeks(v.Lines, s, free)
	}
	return v
}

// appendWeeks appends the weeks of the month, n at most, with the chosen day among them.
func (c *Calendar) appendWeeks(lines []tui.Line, s tui.Space, n int) []tui.Line {
	first := c.firstCell()
	last := monthStart(c.Date).AddDate(0, 1, -1)
	total := int(last.Sub(first).Hours()+12)/24/7 + 1
	week := int(c.Date.Sub(first).Hours()+12) / 24 / 7
	c.weeks, c.firstAt = min(total, n), len(lines)
	c.weekAt = max(min(week-c.weeks/2, total-c.weeks), 0)
	for w := c.weekAt; w < c.weekAt+c.weeks; w++ {
		lines = append(lines, c.weekRow(s, first.AddDate(0, 0, 7*w)))
	}
	return lines
}

// weekRow returns the row of the week that begins at day. Brackets are around the chosen day.
func (c *Calendar) weekRow(s tui.Space, day time.Time) tui.Line {
	th := s.Look()
	spans := make([]tui.Span, 0, 15)
	for i := range 8 {
		chosen, before := i < 7 && day.Equal(c.Date), i > 0 && day.AddDate(0, 0, -1).Equal(c.Date)
		switch {
		case chosen:
			spans = append(spans, tui.Span{Text: "[", Style: th.Accent})
		case before:
			spans = append(spans, tui.Span{Text: "]", Style: th.Accent})
		default:
			spans = append(spans, tui.Span{Text: " "})
		}
		if i == 7 {
			break
		}
		text, style := day.Format("_2"), tui.Style{}
		switch {
		case day.Month() != c.Date.Month():
			text = "  "
		case c.isOff(day):
			style = th.Dim.With(tui.Strike)
		case day.Equal(c.today):
			style = tui.Style{Attr: tui.Underline}
		}
		if chosen {
			style = style.With(th.Strong.Attr)
		}
		spans = append(spans, tui.Span{Text: text, Style: style})
		day = day.AddDate(0, 0, 1)
	}
	return tui.Line{Spans: trimBlanks(spans)}
}

// HandleEvent takes the keys that move, choose and leave, a typed date, and the mouse.
func (c *Calendar) HandleEvent(ev tui.Event, s tui.Space) bool {
	c.fixDate(s.Now)
	switch ev := ev.(type) {
	case tui.Mouse:
		return c.Mouse && c.handleMouse(ev)
	case tui.Paste:
		c.typed = ""
		for _, r := range strings.TrimSpace(ev.Text) {
			c.typeRune(r)
		}
		return true
	case tui.Key:
		return c.handleKey(ev)
	}
	return false
}

// handleKey acts on k.
func (c *Calendar) handleKey(k tui.Key) bool {
	switch {
	case k.Mods == 0 && k.Code == terminal.KeyBackspace && c.typed != "":
		c.typed = c.typed[:len(c.typed)-1]
	case k.Mods == 0 && k.Code == terminal.KeyEnter:
		c.handleEnter()
	case k.Mods == 0 && k.Code == terminal.KeyEscape && c.typed != "":
		c.typed, c.err = "", nil
	case k.Mods == 0 && k.Code == terminal.KeyEscape, k.Mods == terminal.Ctrl && k.Code == 'c':
		if c.OnLeave == nil {
			return false
		}
		c.OnLeave()
	case k.Text() != "":
		r := []rune(k.Text())
		return c.typeRune(r[0])
	default:
		return c.handleMove(k)
	}
	return true
}

// handleMove takes the keys that move.
func (c *Calendar) handleMove(k tui.Key) bool {
	to := c.Date
	switch by := k.Mods; {
	case by == terminal.Shift && k.Code == terminal.KeyPageUp:
		to = addMonths(to, -12)
	case by == terminal.Shift && k.Code == terminal.KeyPageDown:
		to = addMonths(to, 12)
	case by != 0:
		return false
	case k.Code == terminal.KeyLeft:
		to = to.AddDate(0, 0, -1)
	case k.Code == terminal.KeyRight:
		to = to.AddDate(0, 0, 1)
	case k.Code == terminal.KeyUp:
		to = to.AddDate(0, 0, -7)
	case k.Code == terminal.KeyDown:
		to = to.AddDate(0, 0, 7)
	case k.Code == terminal.KeyPageUp:
		to = addMonths(to, -1)
	case k.Code == terminal.KeyPageDown:
		to = addMonths(to, 1)
	case k.Code == terminal.KeyHome:
		to = monthStart(to)
	case k.Code == terminal.KeyEnd:
		to = monthStart(to).AddDate(0, 1, -1)
	default:
		return false
	}
	c.moveTo(to)
	return true
}

// moveTo makes day the chosen one.
func (c *Calendar) moveTo(day time.Time) {
	day = c.within(day)
	c.typed, c.err = "", nil
	if day.Equal(c.Date) {
		return
	}
	if c.Date = day; c.OnMove != nil {
		c.OnMove(day)
	}
}

// typeRune adds a sign to the typed date, and goes there once it is one.
func (c *Calendar) typeRune(r rune) bool {
	if (r < '0' || r > '9') && r != '-' || len(c.typed) > len("2026-11-28") {
		return false
	}
	c.typed, c.err = c.typed+string(r), nil
	if day, err := c.parse(c.typed); err == nil {
		typed := c.typed
		c.moveTo(day)
		c.typed = typed
	}
	return true
}

// parse returns the day that text names, in the place of Date.
func (c *Calendar) parse(text string) (time.Time, error) {
	day, err := time.ParseInLocation(dateForm, strings.TrimSpace(text), c.Date.Location())
	if err != nil {
		return day, errDate
	}
	return day, nil
}

// handleEnter chooses the day, if it can be chosen and nothing else was typed.
func (c *Calendar) handleEnter() {
	day := c.Date
	if c.typed != "" {
		if day, c.err = c.parse(c.typed); c.err != nil {
			return
		}
	}
	if c.err = c.Check(day); c.err != nil {
		return
	}
	c.moveTo(day)
	if c.OnChoose != nil {
		c.OnChoose(c.Date)
	}
}

// Check returns why a day cannot be chosen, nil if it can.
func (c *Calendar) Check(day time.Time) error {
	switch day = dayOf(day); {
	case !c.Min.IsZero() && day.Before(dayOf(c.Min)):
		return errors.New("the first possible day is " + c.Min.Format(time.DateOnly))
	case !c.Max.IsZero() && day.After(dayOf(c.Max)):
		return errors.New("the last possible day is " + c.Max.Format(time.DateOnly))
	case c.isOff(day):
		return errors.New(day.Format(time.DateOnly) + " cannot be chosen")
	}
	return nil
}

// handleMouse takes the mouse.
func (c *Calendar) handleMouse(m tui.Mouse) bool {
	if by := wheelSteps(m); by != 0 {
		c.moveTo(addMonths(c.Date, by/wheelRows))
		return true
	}
	week, column := m.Row-c.firstAt, m.Col/3
	if !isClick(m) || c.weeks == 0 || week < 0 || week >= c.weeks || m.Col < 0 || column > 6 {
		return false
	}
	day := c.firstCell().AddDate(0, 0, 7*(c.weekAt+week)+column)
	switch {
	case day.Month() != c.Date.Month():
		return false
	case day.Equal(c.Date):
		c.handleEnter()
	default:
		c.moveTo(day)
	}
	return true
}

// Submit chooses without a terminal: by a date. An empty line is the chosen day.
func (c *Calendar) Submit(line string) {
	if c.typed = strings.TrimSpace(line); c.typed != "" || !c.Date.IsZero() {
		c.handleEnter()
	}
	c.typed = ""
}
