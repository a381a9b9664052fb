package widget_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func TestACalendarIsMovedAndChosenFrom(t *testing.T) {
	a := &album{t: t}
	calendar := func() tui.Component {
		return &widget.Calendar{Date: day(2026, time.November, 28), Mouse: true,
			Off: func(d time.Time) bool { return d.Weekday() == time.Sunday }}
	}
	a.scene("a month", 8, calendar)
	a.scene("the next day", 8, calendar, "right")
	a.scene("the week before", 8, calendar, "up")
	a.scene("the next month", 8, calendar, "pgdown")
	a.scene("the end of the month", 8, calendar, "end")
	a.scene("a year back", 8, calendar, "shift+pgup")
	a.scene("a typed date", 8, calendar, "=2027-02-0")
	a.scene("a typed date that is none", 8, calendar, "=2027-02-30", "enter")
	a.scene("a day that cannot be chosen", 8, calendar, "right", "enter")
	a.scene("a click", 8, calendar, "@4,3")
	a.scene("few rows", 4, calendar)
	a.scene("one row", 1, calendar)
	a.plain("a calendar", calendar())
	a.compare("calendar")
}

func TestACalendarKeepsToItsDays(t *testing.T) {
	var chosen, moved []string
	c := &widget.Calendar{Date: day(2024, time.January, 31), Min: day(2023, time.December, 25),
		Max:      day(2025, time.March, 1),
		OnChoose: func(d time.Time) { chosen = append(chosen, d.Format(time.DateOnly)) },
		OnMove:   func(d time.Time) { moved = append(moved, d.Format(time.DateOnly)) }}
	s := tui.Space{Width: 30, Height: 9, Now: day(2024, time.May, 5)}
	yearBack := tui.Key{Code: terminal.KeyPageUp, Mods: terminal.Shift}
	pressKeys(c, s, rune(terminal.KeyPageDown), rune(terminal.KeyEnter), // the last of February
		tui.Key{Code: terminal.KeyPageDown, Mods: terminal.Shift}, rune(terminal.KeyPageDown), // March 1st at most
		yearBack, yearBack)
	want := "[2024-02-29] [2024-02-29 2025-02-28 2025-03-01 2024-03-01 2023-12-25]"
	if got := fmt.Sprint(chosen, moved); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, line := range []string{"2024-12-24", "24.12.2024", "2022-01-01", "2025-03-02", ""} {
		c.Submit(line)
	}
	if got := fmt.Sprint(chosen); got != "[2024-02-29 2024-12-24 2024-12-24]" {
		t.Errorf("lines: %s", got)
	}
	for _, line := range []string{"", "2024-13-01", "x"} {
		if _, err := widget.ParseDate(line); err == nil {
			t.Errorf("%q is a date", line)
		}
	}
}

// Each day of four years stands in its month once, in the column of its weekday.
func TestEachDayHasItsPlaceInTheCalendar(t *testing.T) {
	s := tui.Space{Width: 30, Height: 9}
	for _, sunday := range []bool{false, true} {
		for d := day(2023, time.January, 1); d.Year() < 2027; d = d.AddDate(0, 0, 1) {
			c := &widget.Calendar{Date: d, Sunday: sunday}
			rows := texts(c.View(s))
			column := (int(d.Weekday()) + 6) % 7
			if sunday {
				column = int(d.Weekday())
			}
			found := 0
			for _, row := range rows[2:] {
				if at := 3 * column; len(row) > at+3 && row[at:at+4] == fmt.Sprintf("[%2d]", d.Day()) {
					found++
				}
			}
			if found != 1 {
				t.Fatalf("%s was found %d times in %q", d.Format(time.DateOnly), found, rows)
			}
		}
	}
}

func ExampleCalendar() {
	c := &widget.Calendar{Date: time.Date(2026, time.November, 28, 0, 0, 0, 0, time.UTC)}
	for _, row := range texts(c.View(tui.Space{Width: 30, Height: 8})) {
		fmt.Println(row)
	}
	// Output:
	// 28 November 2026
	//  Mo Tu We Th Fr Sa Su
	//                     1
	//   2  3  4  5  6  7  8
	//   9 10 11 12 13 14 15
	//  16 17 18 19 20 21 22
	//  23 24 25 26 27[28]29
	//  30
}

func ExampleParseDate() {
	d, err := widget.ParseDate("2026-2-3")
	fmt.Println(d.Format(time.DateOnly), err)
	_, err = widget.ParseDate("3.2.2026")
	fmt.Println(err)
	// Output:
	// 2026-02-03 <nil>
	// a date is written as in 2026-11-28
}
