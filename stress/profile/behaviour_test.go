package profile_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A tape is a terminal whose rows and history can be read back: a profile of terminal/vt, or the
// real ghostty core.
type tape interface {
	write(s string)
	resize(cols, rows int)
	look() look
	replies() string // since the last call
	fresh()          // start over, 80x24
	wait(time.Duration)
}

// A look is what a tape shows: rows without trailing blanks, the cursor 1-based.
type look struct {
	history, grid []string
	row, col      int
}

func (l look) rows() []string { return append(slices.Clone(l.history), l.grid...) }

// A behaviour is one row of the tables: it does to a fresh 80x24 terminal what was done to the real
// one and answers in the table's own words.
type behaviour struct {
	name string
	run  func(tape) string
}

func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "A%02d\r\n", i)
	}
	return b.String()
}

var label = regexp.MustCompile(`^A\d\d$`)

// missing lists the labels from..to that are in no row.
func missing(l look, from, to int) []string {
	seen := map[string]bool{}
	for _, row := range l.rows() {
		seen[row] = true
	}
	var list []string
	for i := from; i <= to; i++ {
		if s := fmt.Sprintf("A%02d", i); !seen[s] {
			list = append(list, s)
		}
	}
	return list
}

func span(list []string, sep string) string {
	if len(list) == 1 {
		return list[0]
	}
	return list[0] + sep + list[len(list)-1]
}

// pushes returns the form of most cells: "+5", "none (lost A18-A22)", "+5, out of order".
func pushes(do func(tape)) func(tape) string {
	return func(t tape) string {
		t.write(numbered(1, 40))
		before := len(t.look().history)
		do(t)
		l := t.look()
		s := "none"
		if n := len(l.history) - before; n != 0 {
			s = fmt.Sprintf("%+d", n)
		}
		if lost := missing(l, 1, 40); len(lost) > 0 {
			s += " (lost " + span(lost, "-") + ")"
		}
		var order []string
		for _, row := range l.rows() {
			if label.MatchString(row) {
				order = append(order, row)
			}
		}
		if !slices.IsSorted(order) {
			s += ", out of order"
		}
		return s
	}
}

func writes(s string) func(tape) string { return pushes(func(t tape) { t.write(s) }) }

func asks(s string) func(tape) string {
	return func(t tape) string {
		t.replies()
		t.write(s)
		r := t.replies()
		if r == "" {
			return "-"
		}
		return "`" + strings.ReplaceAll(strings.ReplaceAll(r, "\x1b", "E"), "|", `\|`) + "`"
	}
}

// decrqm answers with the state number alone, as the tables do.
func decrqm(mode int) func(tape) string {
	return func(t tape) string {
		t.replies()
		t.write(fmt.Sprintf("\x1b[?%d$p", mode))
		var state int
		if _, err := fmt.Sscanf(t.replies(), fmt.Sprintf("\x1b[?%d;%%d$y", mode), &state); err != nil {
			return "-"
		}
		return fmt.Sprint(state)
	}
}

// five is five rows of n columns with the cursor left at the end of the last.
func five(n int) string {
	var rows []string
	for i := range 5 {
		rows = append(rows, fmt.Sprintf("F%d%s", i+1, strings.Repeat("x", n-2)))
	}
	return strings.Join(rows, "\r\n")
}

// below returns the distance of the cursor from the first piece of the fifth row.
func below(l look) string {
	for i, row := range l.grid {
		if strings.HasPrefix(row, "F5") {
			return fmt.Sprint(l.row - 1 - i)
		}
	}
	return "gone"
}

var behaviours = []behaviour{
	{"height 24 to 12: rows pushed", pushes(func(t tape) { t.resize(80, 12) })},
	{"height 24 to 34", func(t tape) string {
		t.write(numbered(1, 40))
		before := len(t.look().history)
		t.resize(80, 34)
		if n := before - len(t.look().history); n != 0 {
			return fmt.Sprintf("pulls back %d", n)
		}
		return "blank rows below"
	}},
	{"24 to 12 to 24", func(t tape) string {
		t.write(numbered(1, 40))
		t.resize(80, 12)
		t.resize(80, 24)
		return fmt.Sprintf("sb %d", len(t.look().history))
	}},
	{"shrink with rows below the cursor", func(t tape) string {
		t.write(numbered(1, 23) + "\x1b[10;1H")
		t.resize(80, 12)
		l := t.look()
		s := "exact"
		if lost := missing(l, 1, 23); len(lost) > 0 {
			s = fmt.Sprintf("lost %s(%d)", span(lost, ".."), len(lost))
		}
		return fmt.Sprintf("%s, sb %d, cursor [%d, %d]", s, len(l.history), l.row, l.col)
	}},
	{"width 80 to 40, rows of 70", func(t tape) string {
		for i := range 40 {
			t.write(fmt.Sprintf("A%02d%s\r\n", i+1, strings.Repeat("abcdefg", 10)[:67]))
		}
		before := map[string]bool{"": true}
		for _, row := range t.look().rows() {
			before[row] = true
		}
		t.resize(40, 24)
		s := "reflow"
		if !strings.Contains(strings.Join(t.look().grid, ""), "A40"+strings.Repeat("abcdefg", 10)[:67]) {
			s = "cut"
		}
		t.resize(80, 24)
		differ, total := 0, 0
		for _, row := range t.look().rows() {
			if row != "" {
				total++
			}
			if !before[row] {
				differ++
			}
		}
		if differ == 0 {
			return s + "; back: same"
		}
		return fmt.Sprintf("%s; back: differs: %d of %d rows", s, differ, total)
	}},
	{"five 70-wide rows, cursor at end of 5th, to 40", func(t tape) string {
		t.write(five(70))
		t.resize(40, 24)
		l := t.look()
		return fmt.Sprintf("row %d col %d, %d rows to scrollback", l.row, l.col, len(l.history))
	}},
	{"same, cursor parked in column 1 of the 5th: rows below that row's first piece", func(t tape) string {
		t.write(five(70) + "\r")
		t.resize(40, 24)
		return below(t.look())
	}},
	{"same after an ED0: rows pushed by narrowing (screen nearly empty)", func(t tape) string {
		t.write(five(70) + "\x1b[J")
		t.resize(40, 24)
		with := len(t.look().history)
		t.fresh()
		t.write(five(70))
		t.resize(40, 24)
		return fmt.Sprintf("%d (without ED0 %d)", with, len(t.look().history))
	}},
	{"same, rows of 80, cursor left pending at the edge: rows below", func(t tape) string {
		t.write(five(80))
		t.resize(40, 24)
		return below(t.look())
	}},
	{"ED2 pushes the screen", writes("\x1b[2J")},
	{"home + ED2", writes("\x1b[H\x1b[2J")},
	{"home + ED0", writes("\x1b[H\x1b[J")},
	{"ED22", writes("\x1b[22J")},
	{"ED3", func(t tape) string {
		t.write(numbered(1, 40))
		before := t.look()
		t.write("\x1b[3J")
		l := t.look()
		s := "clears scrollback"
		if len(l.history) > 0 {
			s = fmt.Sprintf("keeps %d", len(l.history))
		}
		if !slices.Equal(l.grid, before.grid) {
			s += ", grid changed"
		}
		return s
	}},
	{"alt screen rows leak into the tape", func(t tape) string {
		t.write(numbered(1, 40) + "\x1b[?1049h" + strings.ReplaceAll(numbered(1, 40), "A", "B") + "\x1b[?1049l")
		n := 0
		for _, row := range t.look().rows() {
			if strings.HasPrefix(row, "B") {
				n++
			}
		}
		return fmt.Sprint(n)
	}},
	{"resize inside alt, tape after", func(t tape) string {
		t.write(numbered(1, 40) + "\x1b[?1049h")
		t.resize(80, 12)
		t.write("\x1b[?1049l")
		if lost := missing(t.look(), 1, 40); len(lost) > 0 {
			return fmt.Sprintf("lost %s(%d)", span(lost, ".."), len(lost))
		}
		return "exact"
	}},
	{"SU 5", writes("\x1b[5S")},
	{"region 1..20 + LF x5", writes("\x1b[1;20r\x1b[20;1H\n\n\n\n\n")},
	{"region 1..20 + SU 5", writes("\x1b[1;20r\x1b[5S")},
	{"region 2..24 + LF x5", writes("\x1b[2;24r\x1b[24;1H\n\n\n\n\n")},
	{"RI at home x3", writes("\x1b[H\x1bM\x1bM\x1bM")},
	{"IL 3 at home", writes("\x1b[H\x1b[3L")},
	{"DL 3 at home", writes("\x1b[H\x1b[3M")},
	{"DL on grid row 21", func(t tape) string {
		t.write(numbered(1, 40))
		before := len(t.look().history)
		t.write("\x1b[21;1H\x1b[M")
		if n := len(t.look().history) - before; n != 0 {
			return fmt.Sprintf("%+d", n)
		}
		return "clean"
	}},
	{"DL 3 at row 5", writes("\x1b[5H\x1b[3M")},
	{"IL 3 at row 5", writes("\x1b[5H\x1b[3L")},
	{"SD 3", writes("\x1b[3T")},
	{"CSI 3 + T", writes("\x1b[3+T")},
	{"RIS clears scrollback", func(t tape) string {
		t.write(numbered(1, 40) + "\x1bc")
		if len(t.look().history) == 0 {
			return "yes"
		}
		return "no"
	}},
	{"open 2026 hides text", func(t tape) string {
		t.write("\x1b[?2026hhello")
		if slices.Contains(t.look().grid, "hello") {
			return "readable at once"
		}
		for s := time.Duration(0); s < 10*time.Second; s += 20 * time.Millisecond {
			t.wait(20 * time.Millisecond)
			if slices.Contains(t.look().grid, "hello") {
				return fmt.Sprintf("held %v s", (s + 40*time.Millisecond).Seconds()) // seen at the next look
			}
		}
		return "held for ever"
	}},
	{"DA1", asks("\x1b[c")},
	{"DA2", asks("\x1b[>c")},
	{"XTVERSION", asks("\x1b[>q")},
	{"DECRQM 2026", decrqm(2026)},
	{"DECRQM 2027", decrqm(2027)},
	{"DECRQM 2031", decrqm(2031)},
	{"DECRQM 2048", decrqm(2048)},
	{"kitty keyboard `?u`", asks("\x1b[?u")},
	{"kitty graphics", asks("\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\")},
	{"OSC 10", asks("\x1b]10;?\x1b\\")},
	{"OSC 11", asks("\x1b]11;?\x1b\\")},
	{"OSC 4;1", asks("\x1b]4;1;?\x1b\\")},
	{"CSI 14t", asks("\x1b[14t")},
	{"CSI 16t", asks("\x1b[16t")},
	{"CSI 18t", asks("\x1b[18t")},
	{"XTGETTCAP RGB", asks("\x1bP+q524742\x1b\\")},
}
