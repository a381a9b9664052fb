package form

import (
	"errors"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// Date asks for a day with a [widget.Calendar]. The initial day is that of *value, or today if
// *value is zero. The time of day is kept, so that a Date and a Time field can share a variable.
func Date(label string, value *time.Time) *Field[time.Time] {
	return newField[time.Time](label, value, &date{value: value})
}

// Time asks for a time of day, such as 15:04. The day in *value is kept.
func Time(label string, value *time.Time) *Field[time.Time] {
	k := &clock{value: value}
	k.w.Bare, k.w.Placeholder = true, "15:04"
	return newField[time.Time](label, value, k)
}

// date is the control of a Date field.
type date struct {
	w     widget.Calendar
	value *time.Time
}

func (d *date) typedText() string         { return d.format(d.w.Date) }
func (d *date) setMouse(on bool)          { d.w.Mouse = on }
func (d *date) onEnter(f func())          { d.w.OnChoose = func(time.Time) { f() } }
func (d *date) keyHint() string           { return "arrows move, a typed date goes there" }
func (d *date) wantsRows() bool           { return true }
func (d *date) checkUsable() error        { return nil }
func (d *date) isEmpty() bool             { return d.w.Date.IsZero() }
func (d *date) setAnswer(v time.Time)     { d.w.Date = v }
func (d *date) View(s tui.Space) tui.View { return d.w.View(s) }
func (d *date) HandleEvent(ev tui.Event, s tui.Space) bool {
	return d.w.HandleEvent(ev, s)
}

func (d *date) getAnswer() (time.Time, error) {
	if d.isEmpty() {
		return time.Time{}, nil
	}
	return onDay(*d.value, d.w.Date), d.w.Check(d.w.Date)
}

// onDay returns the time of day of clock, on the day of day.
func onDay(clock, day time.Time) time.Time {
	year, month, d := day.Date()
	return time.Date(year, month, d, clock.Hour(), clock.Minute(), clock.Second(), clock.Nanosecond(), day.Location())
}

// takeLine takes line as the date. An empty line keeps the answer.
func (d *date) takeLine(line string) error {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	day, err := widget.ParseDate(line)
	if err != nil {
		return err
	}
	location := time.UTC
	if !d.isEmpty() {
		location = d.w.Date.Location()
	}
	d.w.Date = time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, location)
	return d.w.Check(d.w.Date)
}

func (d *date) format(v time.Time) string {
	if v.IsZero() {
		return ""
	}
	return v.Format(time.DateOnly)
}

func (d *date) questionLines(label string, s tui.Space) []tui.Line {
	return s.Wrap(tui.Span{Text: promptText(label, d.typedText())})
}

// clock is the control of a Time field.
type clock struct {
	w     widget.Input
	value *time.Time
}

const clockLayout = "15:04"

func (c *clock) input() *widget.Input      { return &c.w }
func (c *clock) typedText() string         { return c.w.Text() }
func (c *clock) setMouse(on bool)          { c.w.Mouse = on }
func (c *clock) onEnter(f func())          { c.w.OnSubmit = func(string) { f() } }
func (c *clock) keyHint() string           { return "" }
func (c *clock) wantsRows() bool           { return false }
func (c *clock) checkUsable() error        { return nil }
func (c *clock) isEmpty() bool             { return strings.TrimSpace(c.w.Text()) == "" }
func (c *clock) View(s tui.Space) tui.View { return c.w.View(s) }
func (c *clock) HandleEvent(ev tui.Event, s tui.Space) bool {
	return c.w.HandleEvent(ev, s)
}

func (c *clock) setAnswer(v time.Time) { c.w.SetText(c.format(v)) }

func (c *clock) getAnswer() (time.Time, error) {
	if c.isEmpty() {
		return *c.value, nil
	}
	t, err := time.Parse(clockLayout, strings.TrimSpace(c.w.Text()))
	if err != nil {
		return t, errors.New("a time is written as in 15:04")
	}
	year, month, day := c.value.Date()
	return time.Date(year, month, day, t.Hour(), t.Minute(), 0, 0, c.value.Location()), nil
}

// takeLine takes line as the time. An empty line keeps the answer.
func (c *clock) takeLine(line string) error {
	if line != "" {
		c.w.SetText(line)
	}
	return nil
}

func (c *clock) format(v time.Time) string {
	if v.IsZero() {
		return ""
	}
	return v.Format(clockLayout)
}

func (c *clock) questionLines(label string, s tui.Space) []tui.Line {
	return s.Wrap(tui.Span{Text: promptText(label, c.typedText())})
}
