package widget

import (
	"errors"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Calendar shows one month, in which the user chooses a day. Left and Right move by days, Up and
// Down by weeks, PgUp and PgDn by months, Shift+PgUp and Shift+PgDn by years. Home and End go to
// the ends of the month. A typed date (2026-11-28) is highlighted. Enter chooses the highlighted
// day; Esc and Ctrl+C leave. If the Space is too small for the month, only the date is shown. If
// the Space has no height, the calendar is a text prompt that [Calendar.Submit] answers. Access the
// fields only on the App's loop.
type Calendar struct {
	Date     time.Time                // the highlighted day; zero: today
	Min, Max time.Time                // the first and the last day that can be chosen; zero: no limit
	Off      func(day time.Time) bool // reports whether a day cannot be chosen; nil: all days can
	Sunday   bool                     // weeks begin on Sunday, otherwise on Monday
	Mouse    bool                     // a click highlights a day, a second click chooses it, the wheel moves by months
	OnMove   func(day time.Time)      // called when another day is highlighted
	OnChoose func(day time.Time)      // called on Enter
	OnLeave  func()                   // called on Esc and Ctrl+C

	today            time.Time
	typedText        string
	err              error
	firstWeekRow     int // row of the first visible week in the last View; 0: no week is visible
	firstVisibleWeek int // index of the first visible week of the month
	visibleWeeks     int // number of visible weeks
}

// dateLayout is the layout in which the user types a date, for time.Parse.
const dateLayout = "2006-1-2"

// errDate is the error for typed text that is not a date.
var errDate = errors.New("a date is written as in 2026-11-28")

// ParseDate parses a date that the user has typed, such as 2026-11-28. It returns midnight in UTC.
func ParseDate(text string) (time.Time, error) {
	day, err := time.Parse(dateLayout, strings.TrimSpace(text))
	if err != nil {
		return time.Time{}, errDate
	}
	return day, nil
}

// startOfDay returns midnight of t's day, in t's location.
func startOfDay(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// monthStart returns the first day of t's month, at the same time of day.
func monthStart(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.Day()) }

// addMonths returns the same day n months later. It returns the last day of that month if the month
// is shorter.
func addMonths(t time.Time, n int) time.Time {
	first := monthStart(t).AddDate(0, n, 0)
	last := first.AddDate(0, 1, -1)
	return first.AddDate(0, 0, min(t.Day(), last.Day())-1)
}

// fixDate sets Date to midnight of a day between Min and Max. A zero Date becomes today.
func (c *Calendar) fixDate(now time.Time) {
	if c.today = startOfDay(now); c.Date.IsZero() {
		c.Date = c.today
	}
	c.Date = c.clampDay(startOfDay(c.Date))
}

// clampDay returns day, or the nearest day between Min and Max.
func (c *Calendar) clampDay(day time.Time) time.Time {
	if !c.Max.IsZero() && day.After(startOfDay(c.Max)) {
		day = startOfDay(c.Max)
	}
	if !c.Min.IsZero() && day.Before(startOfDay(c.Min)) {
		day = startOfDay(c.Min)
	}
	return day
}

// isUnavailable reports whether day cannot be chosen.
func (c *Calendar) isUnavailable(day time.Time) bool {
	return !c.clampDay(day).Equal(day) || c.Off != nil && c.Off(day)
}

// firstShownDay returns the day at the top left of the month's grid. It may belong to the previous
// month.
func (c *Calendar) firstShownDay() time.Time {
	first := monthStart(c.Date)
	back := (int(first.Weekday()) + 6) % 7
	if c.Sunday {
		back = int(first.Weekday())
	}
	return first.AddDate(0, 0, -back)
}

const (
	calendarCols = 22 // columns of the grid: seven days of three columns, and the right edge
	calendarRows = 2  // rows above the weeks: the month and the names of the days
)

// View returns the rows of the month.
func (c *Calendar) View(s tui.Space) tui.View {
	c.fixDate(s.Now)
	th := s.Look()
	v := tui.View{Mouse: c.Mouse}
	c.firstWeekRow, c.visibleWeeks = 0, 0
	if s.Height <= 0 {
		v.Lines = s.Wrap(tui.Span{Text: "A date [" + c.Date.Format(time.DateOnly) + "]:"})
		return v
	}
	head := []tui.Span{{Text: c.Date.Format("2 January 2006"), Style: th.Strong}}
	if c.typedText != "" {
		head = append(head, tui.Span{Text: "  /" + c.typedText, Style: th.Accent})
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

// appendWeeks appends at most n weeks of the month to lines. The highlighted day is in one of them.
func (c *Calendar) appendWeeks(lines []tui.Line, s tui.Space, n int) []tui.Line {
	first := c.firstShownDay()
	last := monthStart(c.Date).AddDate(0, 1, -1)
	total := int(last.Sub(first).Hours()+12)/24/7 + 1
	week := int(c.Date.Sub(first).Hours()+12) / 24 / 7
	c.visibleWeeks, c.firstWeekRow = min(total, n), len(lines)
	c.firstVisibleWeek = max(min(week-c.visibleWeeks/2, total-c.visibleWeeks), 0)
	for w := c.firstVisibleWeek; w < c.firstVisibleWeek+c.visibleWeeks; w++ {
		lines = append(lines, c.weekRow(s, first.AddDate(0, 0, 7*w)))
	}
	return lines
}

// weekRow returns the row of the week that begins at day. The highlighted day is in brackets.
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
		case c.isUnavailable(day):
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

// HandleEvent handles the keys that move, choose and leave, a typed or pasted date, and the mouse.
func (c *Calendar) HandleEvent(ev tui.Event, s tui.Space) bool {
	c.fixDate(s.Now)
	switch ev := ev.(type) {
	case tui.Mouse:
		return c.Mouse && c.handleMouse(ev)
	case tui.Paste:
		c.typedText = ""
		for _, r := range strings.TrimSpace(ev.Text) {
			c.typeRune(r)
		}
		return true
	case tui.Key:
		return c.handleKey(ev)
	}
	return false
}

func (c *Calendar) handleKey(k tui.Key) bool {
	switch {
	case k.Mods == 0 && k.Code == terminal.KeyBackspace && c.typedText != "":
		c.typedText = c.typedText[:len(c.typedText)-1]
	case k.Mods == 0 && k.Code == terminal.KeyEnter:
		c.handleEnter()
	case k.Mods == 0 && k.Code == terminal.KeyEscape && c.typedText != "":
		c.typedText, c.err = "", nil
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

// handleMove handles the keys that highlight another day. It returns false for other keys.
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

// moveTo highlights day, or the nearest day between Min and Max, and calls OnMove.
func (c *Calendar) moveTo(day time.Time) {
	day = c.clampDay(day)
	c.typedText, c.err = "", nil
	if day.Equal(c.Date) {
		return
	}
	if c.Date = day; c.OnMove != nil {
		c.OnMove(day)
	}
}

// typeRune adds a digit or a dash to the typed date, and highlights the date once it is complete.
// It returns false for other characters.
func (c *Calendar) typeRune(r rune) bool {
	if (r < '0' || r > '9') && r != '-' || len(c.typedText) > len("2026-11-28") {
		return false
	}
	c.typedText, c.err = c.typedText+string(r), nil
	if day, err := c.parseDate(c.typedText); err == nil {
		typed := c.typedText
		c.moveTo(day)
		c.typedText = typed
	}
	return true
}

// parseDate parses a typed date in the location of Date.
func (c *Calendar) parseDate(text string) (time.Time, error) {
	day, err := time.ParseInLocation(dateLayout, strings.TrimSpace(text), c.Date.Location())
	if err != nil {
		return day, errDate
	}
	return day, nil
}

// handleEnter chooses the typed date, or the highlighted day if nothing was typed. If that day
// cannot be chosen it shows why.
func (c *Calendar) handleEnter() {
	day := c.Date
	if c.typedText != "" {
		if day, c.err = c.parseDate(c.typedText); c.err != nil {
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

// Check returns an error that says why the user cannot choose day. It returns nil if that is
// possible.
func (c *Calendar) Check(day time.Time) error {
	switch day = startOfDay(day); {
	case !c.Min.IsZero() && day.Before(startOfDay(c.Min)):
		return errors.New("the first possible day is " + c.Min.Format(time.DateOnly))
	case !c.Max.IsZero() && day.After(startOfDay(c.Max)):
		return errors.New("the last possible day is " + c.Max.Format(time.DateOnly))
	case c.isUnavailable(day):
		return errors.New(day.Format(time.DateOnly) + " cannot be chosen")
	}
	return nil
}

// handleMouse handles clicks on days and the wheel.
func (c *Calendar) handleMouse(m tui.Mouse) bool {
	if by := wheelSteps(m); by != 0 {
		c.moveTo(addMonths(c.Date, by/wheelRows))
		return true
	}
	week, column := m.Row-c.firstWeekRow, m.Col/3
	if !isClick(m) || c.visibleWeeks == 0 || week < 0 || week >= c.visibleWeeks || m.Col < 0 || column > 6 {
		return false
	}
	day := c.firstShownDay().AddDate(0, 0, 7*(c.firstVisibleWeek+week)+column)
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

// Submit chooses a date without a terminal. An empty line chooses Date.
func (c *Calendar) Submit(line string) {
	if c.typedText = strings.TrimSpace(line); c.typedText != "" || !c.Date.IsZero() {
		c.handleEnter()
	}
	c.typedText = ""
}
