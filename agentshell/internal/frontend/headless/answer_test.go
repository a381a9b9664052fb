package headless_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

func twenty(first, last string) []byte {
	return []byte(first + "\n" + strings.Repeat("same\n", 18) + last + "\n")
}

// several returns a proposal that changes two places of a file, and for which rules can be offered.
func several() *approval.Proposal {
	p := edit()
	p.Before, p.After, p.Notes = twenty("a", "b"), twenty("A", "B"), nil
	p.Diff = diff.Make(p.Before, p.After, diff.Context)
	p.Path = "workspace/a.txt"
	p.Subject = approval.Subject{Tool: "edit_file", Path: "a.txt", Mutates: true, Asks: true}
	return p
}

// h chooses changes by the numbers that stand above them; what comes of it is no yes, but a new
// proposal.
func TestChangesAreChosenByNumber(t *testing.T) {
	second := time.Second
	for _, test := range []struct {
		lines string
		after string // "" : denied
		say   string
	}{
		{"h 1", string(twenty("A", "b")), ""},
		{"h 2", string(twenty("a", "B")), ""},
		{" h  2, 2 ", string(twenty("a", "B")), ""},
		{"h", "", "Type h and the numbers of the changes that you want, from 1 to 2, as in: h 1 2. The result is " +
			"shown, and you are asked again.\n"},
		{"h 1 2", "", "These are all of the changes: y approves them.\n"},
		{"h 3", "", "There is no change 3: choose from 1 to 2.\n"},
		{"h 1 0", "", "There is no change 0: choose from 1 to 2.\n"},
		{"h -1", "", "There is no change -1: choose from 1 to 2.\n"},
		{"h one\x1b", "", "There is no change one␛: choose from 1 to 2.\n"},
		{"h 1 y", "", "There is no change y: choose from 1 to 2.\n"},
		{"?", "", "h and numbers applies only those of the 2 changes, as in: h 1. You are asked again.\n"},
	} {
		got, shown, err := ask(t, several(), typed{2 * second, test.lines + "\n"}, typed{2 * second, "n\n"})
		var want approval.Answer = approval.No{ID: "p1"}
		if test.after != "" {
			want = approval.Revise{ID: "p1", After: []byte(test.after)}
		}
		if err != nil || !reflect.DeepEqual(got, want) || !strings.Contains(shown, test.say) {
			t.Errorf("%q: %+v, %v\n%s", test.lines, got, err, shown)
		}
	}
	stale := several()
	stale.Check = edited
	if got, _, _ := ask(t, stale, typed{2 * second, "h 1\n"}); got != (approval.Stale{ID: "p1"}) {
		t.Errorf("of a file that has changed: %+v", got)
	}
}

// a shows rules word for word, and stores one that was shown only when its number is given then.
func TestARuleIsStoredOnlyAfterItWasShown(t *testing.T) {
	second := time.Second
	const list = "A rule allows calls like this one from now on, in this session, without asking:\n" +
		"1  edit_file(a.txt)\n2  write_file(a.txt)\na and a number stores that rule and approves this, as in: a 1\n"
	flagged := several()
	flagged.Flags = []approval.Flag{{Name: "hidden"}}
	for _, test := range []struct {
		p      *approval.Proposal
		lines  []string
		allow  bool
		stored string
		say    string
	}{
		{several(), []string{"a", "a 2"}, true, "write_file(a.txt)", list},
		{several(), []string{"a 1", "n"}, false, "", list}, // not shown yet
		{several(), []string{"a", "a 3", "n"}, false, "", list},
		{several(), []string{"a", "a", "n"}, false, "", list},
		{several(), []string{"a", "1", "n"}, false, "", list},
		{several(), []string{"a", "y"}, true, "", list},
		{flagged, []string{"a", "a 1", "n"}, false, "", "No rule is offered for this change.\n"},
	} {
		rules, err := approval.NewPolicy(approval.PolicyConfig{})
		if err != nil {
			t.Fatal(err)
		}
		var keys []typed
		for _, l := range test.lines {
			keys = append(keys, typed{2 * second, l + "\n"})
		}
		got, shown, err := askWith(t, rules, test.p, keys...)
		stored := ""
		for _, e := range rules.Rules() {
			stored += e.Rule.String()
		}
		_, allowed := got.(approval.Yes)
		if err != nil || allowed != test.allow || stored != test.stored || !strings.Contains(shown, test.say) {
			t.Errorf("%q: %+v, %v, stored %q\n%s", test.lines, got, err, stored, shown)
		}
	}
}

func TestAHardLinkedFileMayBeWrittenInPlace(t *testing.T) {
	p := edit(approval.Flag{Name: approval.FlagHardLink, Text: "2 names"})
	got, shown, err := ask(t, p, typed{2 * time.Second, "?\n"}, typed{2 * time.Second, "i\n"})
	if err != nil || got != (approval.InPlace{ID: "p1"}) ||
		!strings.Contains(shown,
			"i writes into the file itself, so that all of its names change. You are asked again.\n") {
		t.Errorf("%+v, %v\n%s", got, err, shown)
	}
}

// A plan is shown whole; m approves it for mode edits where that can be chosen.
func TestAPlanIsAnsweredInPlainMode(t *testing.T) {
	for _, c := range []struct {
		broad, lines string
		want         approval.Answer
	}{
		{"", "y", approval.Yes{ID: "p1"}},
		{"", "m", approval.Yes{ID: "p1", Mode: approval.ModeEdits}},
		{"it is your home", "m", approval.No{ID: "p1"}},
		{"", "v", approval.No{ID: "p1"}},
		{"", "n too long", approval.No{ID: "p1", Reason: "too long"}},
	} {
		p := &approval.Proposal{ID: "p1", Payload: approval.Plan{Plan: "# One\n\x1b[31mtwo\n"},
			After: []byte("# One\n")}
		policy, err := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModePlan, Broad: c.broad})
		if err != nil {
			t.Fatal(err)
		}
		got, shown, err := askWith(t, policy, p, typed{2 * time.Second, c.lines + "\n"},
			typed{2 * time.Second, "n\n"})
		if err != nil || got != c.want || !strings.Contains(shown, "  # One\n  ␛[31mtwo\n") ||
			!strings.Contains(shown, "Go on by this plan? [y/n] ") {
			t.Errorf("%q: %+v, %v\n%s", c.lines, got, err, shown)
		}
	}
}

// An MCP server that asks again may be stopped; at its first question x is no answer.
func TestAServerThatAsksAgainIsStoppedInPlainMode(t *testing.T) {
	for _, again := range []bool{false, true} {
		p := &approval.Proposal{ID: "p1", Payload: approval.Form{Base: approval.Base{Kind: "form"}, Again: again}}
		got, shown, err := ask(t, p, typed{2 * time.Second, "?\n"}, typed{2 * time.Second, "x\n"},
			typed{2 * time.Second, "n\n"})
		if (got == approval.StopServer{ID: "p1"}) != again || err != nil ||
			strings.Contains(shown, "x stops the MCP server.") != again ||
			strings.Contains(shown, "Send these answers? [y/n/x(stop the server)]") != again {
			t.Errorf("again %v: %+v, %v\n%s", again, got, err, shown)
		}
	}
}
