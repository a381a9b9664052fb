package shell

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui"
)

func TestASearchFindsWhatWasWrappedAndGoesByCase(t *testing.T) {
	rows := []tui.Line{{Spans: []tui.Span{{Text: "one "}, {Text: "two"}}}, {Spans: []tui.Span{{Text: "thr"}},
		Wrapped: true},
		{Spans: []tui.Span{{Text: "ee four"}}}}
	if text, from := joinedText(rows); text != "one two three four " || !slices.Equal(from, []int{0, 8, 11}) {
		t.Errorf("%q, %v", text, from)
	}
	for _, c := range []struct {
		query string
		want  []int
	}{{"the", []int{0, 4}}, {"The", []int{0}}, {"tHE", nil}, {"", nil}, {"é", []int{8}}} {
		if got := found("The the Éa", c.query); !slices.Equal(got, c.want) {
			t.Errorf("%q is at %v", c.query, got)
		}
	}
	if got := found("\u0130 The", "the"); len(got) != 0 { // its small letter is longer: offsets would be wrong
		t.Errorf("%v", got)
	}
	marked := markFound(rows[0], 0, []int{2, 6}, 3, 6)
	var parts []string
	for _, s := range marked.Spans {
		mark := s.Text
		if s.Style.Attr&tui.Inverse != 0 {
			mark = "[" + mark + "]"
		}
		if s.Style.Attr&tui.Bold != 0 {
			mark += "!"
		}
		parts = append(parts, mark)
	}
	if got := strings.Join(parts, "|"); got != "on|[e ]|[t]|w|[o]!" {
		t.Errorf("marked is %s", got)
	}
}

func TestTheEntriesOfATranscriptStandApartAndAreNoPrompts(t *testing.T) {
	items := transcriptItems(storedSession(2))
	var blanks []bool
	for _, it := range items {
		rows := it.lay(tui.Space{Width: 40}, nil)
		blanks = append(blanks, len(rows[0].Spans) == 0)
		for _, row := range rows {
			if row.Prompt || row.End != 0 {
				t.Errorf("%q is a mark for the terminal or has a place in a source", plainText(row))
			}
		}
	}
	if want := []bool{false, true, true, true, true, true, true, true}; !slices.Equal(blanks, want) {
		t.Errorf("blank rows before entries: %v", blanks)
	}
}

func TestASearchGoesFromMatchToMatchAndForgetsAnEarlierOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan func(), 1000)
		p := newTranscriptPage(transcriptItems(storedSession(40)), nil, func(f func()) bool { told <- f; return true })
		defer p.cancel()
		hear := func() {
			synctest.Wait()
			for len(told) > 0 {
				(<-told)()
			}
		}
		const height = 10
		p.View(tui.Space{Width: 60, Height: height + 2})
		at := func(item, index int) {
			t.Helper()
			if p.search.item != item || p.search.index != index {
				t.Errorf("at match %d of entry %d, want %d of %d", p.search.index, p.search.item, index, item)
			}
			if text := strings.Join(plainRows(p.View(tui.Space{Width: 60, Height: height + 2}).Lines),
				"\n"); !strings.Contains(
				text, p.search.query) {
				t.Errorf("what was found is not in sight:\n%s", text)
			}
		}
		p.goTo(transcriptPlace{}, height)
		p.find("row", height)
		hear()
		at(2, 0)
		for range 30 {
			p.nextMatch(1, height)
		}
		at(6, 0)
		p.nextMatch(-1, height)
		at(2, 29)
		p.nextMatch(-1, height)
		at(2, 28)
		for range 29 {
			p.nextMatch(-1, height)
		}
		at(158, 29) // past the first one comes the last one
		if state := p.search.state(len(p.items)); state != "match 1200 of 1200" {
			t.Error(state)
		}

		p.find("question", height)
		synctest.Wait()
		p.find("nowhere", height) // before the loop has heard of the first one
		hear()
		if state := p.search.state(len(p.items)); state != "not found: nowhere" {
			t.Errorf("the earlier search is heard: %s", state)
		}
	})
}
