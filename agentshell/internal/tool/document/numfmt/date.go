package numfmt

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// maxDayNumber is the number of the first day after the year 9999; workbooks have no later dates.
const maxDayNumber = 2958466

// dateText returns v in this date format. v counts days since the workbook's first day; its
// fraction is the time of day.
func (s *section) dateText(v float64, from1904 bool) string {
	if v < 0 || v >= maxDayNumber {
		return General(v)
	}
	places := s.secondDecimals()
	unit := math.Pow10(places)
	units := int64(math.Floor(v*86400*unit + 0.5)) // since day 0
	if !s.hasTime() {
		units = int64(math.Floor(v)) * 86400 * int64(unit)
	}
	seconds, below := units/int64(unit), units%int64(unit)
	at := momentOf(seconds, from1904)
	var b strings.Builder
	for i := 0; i < len(s.tokens); i++ {
		switch t := s.tokens[i]; t.kind {
		case literal, comma, digit:
			b.WriteString(t.text)
		case point:
			b.WriteByte('.')
			if n := s.zerosAfter(i); n > 0 && s.followsSeconds(i) {
				fmt.Fprintf(&b, "%0*d", places, below)
				i += n
			}
		case ampm:
			b.WriteString(amOrPM(t.text, at.hour))
		case elapsed:
			b.WriteString(elapsedText(t.text, seconds))
		case datePart:
			b.WriteString(s.partText(i, at))
		}
	}
	return b.String()
}

// moment is a date and time in a workbook. Excel's calendar has a day 0 and a 29th of February
// 1900, which did not exist.
type moment struct {
	year, day, hour, minute, second int
	month                           time.Month
	weekday                         time.Weekday
}

// momentOf returns the moment that is the given number of seconds after the start of day 0.
func momentOf(seconds int64, from1904 bool) moment {
	days, left := int(seconds/86400), int(seconds%86400)
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	weekday := (days + 6) % 7
	switch {
	case from1904:
		first, weekday = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC), (days+5)%7
	case days < 60:
		first = first.AddDate(0, 0, 1)
	}
	date := first.AddDate(0, 0, days)
	m := moment{year: date.Year(), month: date.Month(), day: date.Day(), weekday: time.Weekday(weekday),
		hour: left / 3600, minute: left / 60 % 60, second: left % 60}
	switch {
	case !from1904 && days == 0:
		m.year, m.month, m.day = 1900, time.January, 0
	case !from1904 && days == 60:
		m.month, m.day = time.February, 29
	}
	return m
}

func (s *section) hasTime() bool {
	for _, t := range s.tokens {
		if t.kind == elapsed || t.kind == ampm || t.kind == datePart && strings.ContainsAny(t.text[:1], "hs") {
			return true
		}
	}
	return false
}

// secondDecimals returns the number of decimal places that the format shows for seconds.
func (s *section) secondDecimals() int {
	for i, t := range s.tokens {
		if t.kind == point && s.followsSeconds(i) {
			return min(s.zerosAfter(i), 3)
		}
	}
	return 0
}

func (s *section) zerosAfter(i int) int {
	n := 0
	for i+1+n < len(s.tokens) && s.tokens[i+1+n].text == "0" && s.tokens[i+1+n].kind == digit {
		n++
	}
	return n
}

func (s *section) followsSeconds(i int) bool {
	return i > 0 && (s.tokens[i-1].kind == datePart || s.tokens[i-1].kind == elapsed) && s.tokens[i-1].text[0] == 's'
}

func amOrPM(word string, hour int) string {
	text := "AM"
	if hour >= 12 {
		text = "PM"
	}
	if len(word) == len("a/p") {
		return text[:1]
	}
	return text
}

func elapsedText(part string, seconds int64) string {
	switch part[0] {
	case 'h':
		seconds /= 3600
	case 'm':
		seconds /= 60
	}
	return fmt.Sprintf("%0*d", len(part), seconds)
}

// partText returns one part of a date or time, such as the year. i is the index of its token.
func (s *section) partText(i int, at moment) string {
	part := s.tokens[i].text
	number := func(n int) string { return fmt.Sprintf("%0*d", min(len(part), 2), n) }
	switch part[0] {
	case 'y':
		if len(part) <= 2 {
			return fmt.Sprintf("%02d", at.year%100)
		}
		return fmt.Sprintf("%04d", at.year)
	case 'e':
		return fmt.Sprintf("%04d", at.year)
	case 'd':
		switch {
		case len(part) == 3:
			return at.weekday.String()[:3]
		case len(part) > 3:
			return at.weekday.String()
		}
		return number(at.day)
	case 'h':
		hour := at.hour
		if s.has(ampm) {
			hour = (hour+11)%12 + 1
		}
		return number(hour)
	case 's':
		return number(at.second)
	}
	if s.isMinute(i) {
		return number(at.minute)
	}
	switch month := at.month.String(); {
	case len(part) == 3:
		return month[:3]
	case len(part) == 5:
		return month[:1]
	case len(part) > 3:
		return month
	}
	return number(int(at.month))
}

// isMinute reports whether the token i, an m, means minutes and not a month: it follows hours or
// precedes seconds.
func (s *section) isMinute(i int) bool {
	if len(s.tokens[i].text) > 2 {
		return false
	}
	near := func(step int) byte {
		for j := i + step; j >= 0 && j < len(s.tokens); j += step {
			if k := s.tokens[j].kind; k == datePart || k == elapsed {
				return s.tokens[j].text[0]
			}
		}
		return 0
	}
	return near(-1) == 'h' || near(1) == 's'
}
