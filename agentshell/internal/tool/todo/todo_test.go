package todo

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func applied(t *testing.T, l List, ops ...Op) List {
	t.Helper()
	l, wrong := l.Apply(ops)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	return l
}

func TestAListHasPhasesAndOneActiveItem(t *testing.T) {
	var l List
	for _, step := range []struct {
		ops  []Op
		text string
	}{
		{[]Op{{Op: "init", List: []Group{{"Look", []string{"read", "ask"}}, {"Build", []string{"write"}}}}},
			"## Look\n[>] read\n[ ] ask\n## Build\n[ ] write\n"},
		{[]Op{{Op: "done", Phase: "Look"}}, "## Look\n[x] read\n[x] ask\n## Build\n[>] write\n"},
		{[]Op{{Op: "append", Phase: "Ship", Items: []string{"tag"}}, {Op: "start", Item: "tag"}},
			"## Look\n[x] read\n[x] ask\n## Build\n[ ] write\n## Ship\n[>] tag\n"},
		{[]Op{{Op: "append", Items: []string{"tell"}}, {Op: "note", Item: "tag", Text: " v1\n\n  signed \n"},
			{Op: "rm", Phase: "Look"}},
			"## Build\n[ ] write\n## Ship\n[>] tag\n      v1\n        signed\n[ ] tell\n"},
		{[]Op{{Op: "start", Item: "write"}, {Op: "start", Item: "tell"}},
			"## Build\n[ ] write\n## Ship\n[ ] tag\n      v1\n        signed\n[>] tell\n"},
		{[]Op{{Op: "drop"}}, "## Build\n[-] write\n## Ship\n[-] tag\n      v1\n        signed\n[-] tell\n"},
		{[]Op{{Op: "start", Item: "tag"}},
			"## Build\n[-] write\n## Ship\n[>] tag\n      v1\n        signed\n[-] tell\n"},
		{[]Op{{Op: "rm"}}, Empty},
		{[]Op{{Op: "append", Items: []string{"a"}}}, "[>] a\n"},
		{[]Op{{Op: "init", Items: []string{"b", "c"}}}, "[>] b\n[ ] c\n"},
		{[]Op{{Op: "init", List: []Group{{"Look", []string{"read"}}, {"", []string{"first"}}}}},
			"[>] first\n## Look\n[ ] read\n"},
	} {
		if l = applied(t, l, step.ops...); l.Text() != step.text {
			t.Errorf("%+v: %s, want %s", step.ops, l.Text(), step.text)
		}
		if got := Parse(l.Text()); got.Text() != l.Text() {
			t.Errorf("read again: %s, want %s", got.Text(), l.Text())
		}
	}
}

func TestAnOperationThatFailsChangesNothingAndStopsNoOther(t *testing.T) {
	l := applied(t, nil, Op{Op: "init", Items: []string{"a", "b"}})
	for _, c := range []struct {
		op   Op
		want string
	}{
		{Op{Op: "done", Item: "A"}, `there is no item "A"`},
		{Op{Op: "start"}, `there is no item ""`},
		{Op{Op: "rm", Phase: "P"}, `there is no phase "P"`},
		{Op{Op: "note", Item: "a", Text: " \n"}, "text is missing"},
		{Op{Op: "append"}, "items is missing"},
		{Op{Op: "append", Items: []string{"a"}}, `"a" is in the list already`},
		{Op{Op: "append", Items: []string{"  "}}, "an item has no name"},
		{Op{Op: "append", Items: []string{"x\n[x] y"}}, `"x\n[x] y" is no single line`},
		{Op{Op: "append", Phase: "P\nQ", Items: []string{"x"}}, "a phase has no name, or one of several lines"},
		{Op{Op: "init"}, "items or list is missing"},
		{Op{Op: "append", Items: []string{strings.Repeat("x", MaxBytes)}}, "the list would be longer than 8000 bytes"},
	} {
		got, wrong := l.Apply([]Op{c.op, {Op: "done", Item: "b"}})
		if want := "operation 1 (" + c.op.Op + "): " + c.want; len(wrong) != 1 || wrong[0] != want {
			t.Errorf("%+v: %q, want %q", c.op, wrong, want)
		}
		if got.Text() != "[>] a\n[x] b\n" {
			t.Errorf("%+v: %s", c.op, got.Text())
		}
	}
	if l.Text() != "[>] a\n[ ] b\n" {
		t.Errorf("the list that it began with: %s", l.Text())
	}
}

// Whatever is done to a list, its text makes the same list again: the text is all that is kept.
func TestTheTextOfAListIsAllOfIt(t *testing.T) {
	words := []string{"a", "b c", "[x] d", "## e", "errors:", "- [ ] f", "ü", "1", ">g", "      h", "i\tj", "#",
		"\x1b[2J", "two\nlines", " blank", "\u2028", "[ ]"}
	verbs := []string{"init", "append", "start", "done", "drop", "rm", "note"}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		word := func() string { return words[r.IntN(len(words))] }
		var l List
		for range 12 {
			op := Op{Op: verbs[r.IntN(len(verbs))], Item: word(), Text: word() + "\n" + word(),
				Items: []string{word(), word()}}
			if r.IntN(3) == 0 {
				op.Phase, op.Item = word(), ""
				op.List = []Group{{word(), []string{word()}}, {word(), []string{word(), word()}}}
			}
			l, _ = l.Apply([]Op{op})
			got := Parse(l.Text() + "errors:\n[ ] none\n")
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", l) {
				t.Fatalf("seed %d: %q is read as %q", seed, l, got)
			}
			active := strings.Count("\n"+l.Text(), "\n[>] ")
			if open := len(l.Items()) > 0 && l.Unfinished() != nil; active > 1 || open && active == 0 {
				t.Fatalf("seed %d: %d active items in %q", seed, active, l.Text())
			}
		}
	}
}

func TestAChecklistInMarkdownIsAList(t *testing.T) {
	got := Parse("# Look\n\n- [x] read\n- [/] ask\n  > who?\n* [~] guess\n\n## Build\n- [ ] write\n- [ ] read\n\n" +
		"That is all.\n- [ ] no\n")
	if want := "## Look\n[x] read\n[>] ask\n      who?\n[-] guess\n## Build\n[ ] write\n"; got.Text() != want {
		t.Errorf("%s", got.Text())
	}
}

func TestWhatAPersonTypes(t *testing.T) {
	l := applied(t, nil, Op{Op: "init", Items: []string{"a", "b c"}})
	for line, want := range map[string]string{
		"done 1": "[x] a\n[>] b c\n", "drop b c": "[>] a\n[-] b c\n", "append d e": "[>] a\n[ ] b c\n[ ] d e\n",
		"start 2": "[ ] a\n[>] b c\n", "rm a": "[>] b c\n", "note 2 see x": "[>] a\n[ ] b c\n      see x\n",
	} {
		ops, err := l.ParseCommand(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		got, wrong := l.Apply(ops)
		if got.Text() != want || wrong != nil {
			t.Errorf("%s: %s %q", line, got.Text(), wrong)
		}
		if text := FromPerson(got.EditMessage()); Parse(text).Text() != want {
			t.Errorf("%s is told as %q", line, got.EditMessage())
		}
	}
	for _, line := range []string{"done 3", "done 0", "done x", "append", "frob 1", "note x y", "done"} {
		if _, err := l.ParseCommand(line); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
}
