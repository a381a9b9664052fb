package play

import (
	"reflect"
	"strings"
	"testing"
)

// Each fault is put into rows of a good tape, and must be counted; what a terminal does by itself
// is told from it.
func TestFaultsOfASequenceAreCounted(t *testing.T) {
	rows := transcript(6)
	row := func(i int) string { return rows[i] }
	text := strings.Join(rows[:3], " ") + "\n" + strings.Join(rows[3:], " ")
	words := func(from, n int) string { return strings.Join(strings.Fields(text)[from:from+n], " ") }
	first := strings.Fields(row(0))
	good := []string{row(0), row(1), row(2), row(3), row(4), row(5)}
	with := func(i int, lines ...string) []string {
		return append(append(append([]string(nil), good[:i]...), lines...), good[i+1:]...)
	}
	n, half := len(first), len(row(0))/2
	for strings.Contains(row(0)[half-1:half+1], " ") {
		half++
	}
	somehow := verdict{Erasures: -1} // in which counts it shows does not matter
	for _, c := range []struct {
		name  string
		lines []string
		rules rules
		want  verdict
	}{
		{"nothing wrong", good, rules{}, verdict{}},
		{"broken at other words", with(0, words(0, n-1), first[n-1]), rules{}, verdict{}},
		{"a row lost", with(1), rules{}, verdict{Lost: 1, LostIDs: 1, LostWords: len(strings.Fields(row(1)))}},
		{"a word lost", with(0, words(0, n-2), first[n-1]), rules{}, verdict{Lost: 1, LostWords: 1}},
		{"a letter written over", with(5, row(5)[:30]+"#"+row(5)[31:]), rules{}, somehow},
		{"a row doubled", with(1, row(1), row(1)), rules{},
			verdict{Dup: 1, DupIDs: 1, Extra: len(strings.Fields(row(1)))}},
		{"rows out of order", []string{row(0), row(2), row(1), row(3), row(4), row(5)}, rules{}, somehow},
		{"broken within a word", with(0, row(0)[:half], row(0)[half:]), rules{}, verdict{Garbage: 1}},
		{"taken apart by the terminal", with(0, row(0)[:half], row(0)[half:]), rules{pieces: 1},
			verdict{exempt: exempt{Split: 1}}},
		{"taken apart once too often", with(0, row(0)[:9], row(0)[9:half], row(0)[half:]), rules{pieces: 1},
			verdict{Garbage: 1, exempt: exempt{Split: 1}}},
		{"cut by the terminal", with(0, row(0)[:40]), rules{cut: []int{40}, widest: 80},
			verdict{exempt: exempt{Cut: 1}}},
		{"cut at another column", with(0, row(0)[:half]), rules{cut: []int{70}, widest: 80}, somehow},
		{"a row that was live left behind", with(1, row(1), row(1)), rules{left: []string{withoutBlanks(row(1))}},
			verdict{exempt: exempt{Left: 1, LeftIDs: 1}}},
		{"left behind twice", with(1, row(1), row(1), row(1)), rules{left: []string{withoutBlanks(row(1))}},
			verdict{Dup: 1, DupIDs: 1, Extra: len(strings.Fields(row(1))), exempt: exempt{Left: 1, LeftIDs: 1}}},
		{"a part of one left behind", with(1, words(n, 3), row(1)), rules{parts: []string{withoutBlanks(words(n, 3))}},
			verdict{exempt: exempt{Left: 1, LeftIDs: 1}}},
		{"glued to what was left behind", with(1, row(2)[:20]+row(1)),
			rules{parts: []string{withoutBlanks(row(2)[:20])}},
			verdict{exempt: exempt{Left: 1, LeftIDs: 1}}},
		{"a footer left behind", with(1, row(1), "> "), rules{}, verdict{StaleFooterRows: 1}},
		{"a blank row", with(1, row(1), ""), rules{}, verdict{Blank: 1}},
		{"something else", with(1, row(1), "what is this?"), rules{}, verdict{Garbage: 1, Extra: 3}},
	} {
		v := verdict{}
		s := sequence{text: text, p: len(text), rules: c.rules, lines: c.lines, v: &v}
		s.compare()
		if c.want == somehow && v.clean() || c.want != somehow && v != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, v, c.want)
		}
	}
}

// Columns that are free behind a cluster of doubtful width are no fault, others are. A row may end
// beside a wide cluster, not within one.
func TestDoubtfulWidthsAreNoFault(t *testing.T) {
	for _, c := range []struct {
		text  string
		lines []string
		good  bool
	}{
		{"a wave\U0001f44d\U0001f3fd and more", []string{"a wave\U0001f44d\U0001f3fd   and more"}, true},
		{"a wave\U0001f44d\U0001f3fd and more", []string{"a wave\U0001f44d\U0001f3fd           and more"}, false},
		{"a wave and some more", []string{"a wave  and some more"}, false},
		{"some 漢字 and more", []string{"some 漢", "字 and more"}, true},
		{"some ku\u0308ken and more", []string{"some ku", "\u0308ken and more"}, false},
		{"some \U0001f1ef\U0001f1f5 and more", []string{"some \U0001f1ef", "\U0001f1f5 and more"}, false},
		{"some \U0001f1ef\U0001f1f5 and more", []string{"some \U0001f1ef  and more"}, false},
	} {
		v := verdict{}
		s := sequence{text: c.text, p: len(c.text), v: &v}
		for _, l := range c.lines {
			s.lines = append(s.lines, withoutDoubtfulGaps(l))
		}
		s.compare()
		if v.clean() != c.good {
			t.Errorf("%q as %q: %s", c.text, c.lines, &v)
		}
	}
}

// What a terminal pushes out is found by comparing its grid before and after, from the first live
// row on.
func TestPushedRowsAreThoseOfTheLiveRegion(t *testing.T) {
	live := "one two three\nfour five six\n"
	foot := []string{"* Working", "> ", "  model"}
	rows := append(strings.Fields(strings.Repeat("final ", 9)), "one two three", "four five six")
	before := view{Rows: append(rows, foot...), Cursor: 12, Cols: 20}
	for _, c := range []struct {
		name  string
		after view
		cut   bool
		want  []string
		part  int
	}{
		{"nothing", view{Rows: append([]string{"four five six"}, before.Rows...), Cursor: 13, Cols: 20}, false, nil, 0},
		{"final rows", view{Rows: before.Rows[1:], Cursor: 11, Cols: 20}, false, nil, 0},
		{"a row", view{Rows: before.Rows[10:], Cursor: 2, Cols: 20}, false, []string{"onetwothree"}, 0},
		{"one and a part", view{Rows: append([]string{"six"}, foot...), Cursor: 2, Cols: 9}, false,
			[]string{"onetwothree", "fourfivesix"}, 8},
		{"by a terminal that cuts", view{Rows: append([]string{"four"}, foot...), Cursor: 2, Cols: 4}, true,
			[]string{"onetwothree"}, 0},
	} {
		got, part := moment{before, c.after}.pushedRows(live, c.cut)
		if !reflect.DeepEqual(got, c.want) || part != c.part {
			t.Errorf("%s: %q and %d", c.name, got, part)
		}
	}
}
