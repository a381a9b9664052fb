package approval

import (
	"slices"
	"testing"
)

// A part that no rule covers may run beside the others if it only reads.
func TestAPartThatOnlyReadsNeedsNoRule(t *testing.T) {
	const top = "/top"
	for _, c := range []struct {
		name, mode, line string
		rules            []string
		reads            string // why the open parts do not only read
		want             Action
		open             []int // nil: nobody was asked about them
	}{
		{"it reads", "", "make && ls", []string{"allow bash(make)"}, "", Allow, []int{1}},
		{"it does more", "", "make && ls", []string{"allow bash(make)"}, "it writes", Ask, []int{1}},
		{"all are covered", "", "make && ls", []string{"allow bash(make)", "allow bash(ls)"}, "it writes", Allow, nil},
		{"no part is covered", "", "make && ls", []string{"allow bash(go vet)"}, "", Ask, nil},
		{"the line cannot be read", "", "make & ls", []string{"allow bash(make)"}, "", Ask, nil},
		{"a rule says what may be read", "", "make && ls", []string{"allow bash(make)", "deny read_file(x)"}, "", Ask,
			nil},
		{"a rule asks about the part", "", "make && ls", []string{"allow bash(make)", "ask bash(ls *)"}, "", Ask, nil},
		{"a rule denies the part", "", "make && ls", []string{"allow bash(make)", "deny bash(ls *)"}, "", Deny, nil},
		{"a file that it writes is covered", "", "ls > f", []string{"allow write_file(f)"}, "", Allow, []int{0}},
		{"one is not", "", "ls > f; make", []string{"allow bash(make)"}, "", Ask, nil},
		{"mode edits covers files only beside a rule", ModeEdits, "ls > f", nil, "", Ask, nil},
		{"it does where there is one", ModeEdits, "ls > f; make", []string{"allow bash(make)"}, "", Allow, []int{0}},
		{"the rule's part runs elsewhere", "", "cd x && make && ls", []string{"allow bash(make)"}, "", Allow,
			[]int{0, 2}}, // the tool does not take cd for reading
		{"the other part runs elsewhere", "", "(cd x && ls); make", []string{"allow bash(make)"}, "", Allow, []int{1}},
		{"cd to the top", "", "cd /top && make", []string{"allow bash(make)"}, "", Allow, nil},
		{"cd back to the top", "", "cd /top/x && ls && cd .. && make", []string{"allow bash(make)"}, "", Allow,
			[]int{1}},
		{"cd above the top", "", "cd .. && make", []string{"allow bash(make)"}, "", Ask, nil},
		{"cd out of the top by its path", "", "cd /top/../other && make", []string{"allow bash(make)"}, "", Ask, nil},
		{"cd beside the top", "", "cd /topic && make", []string{"allow bash(make)"}, "", Ask, nil},
		{"cd to a hidden directory", "", "cd /top/.git && make", []string{"allow bash(make)"}, "", Ask, nil},
		{"cd through links", "", "cd -P x/../y && make", []string{"allow bash(make)"}, "", Ask, nil},
		{"a variable of the environment", "", "make && echo \"$FOO\"", []string{"allow bash(make)"}, "", Ask, nil},
		{"no rule covers a computed option", "", "ls $x && make", []string{"allow bash(make)", "allow bash(ls *)"},
			"it writes", Ask, nil},
		{"cd - names another directory", "", "cd - && make", []string{"allow bash(make)", "allow bash(cd -)"}, "", Ask,
			nil},
	} {
		p, err := NewPolicy(PolicyConfig{Mode: c.mode, Rules: rules(t, c.rules...),
			Tools: Tools{"read_file": {Subject: PathSubject, Shows: true}}})
		if err != nil {
			t.Fatal(err)
		}
		s := bash(c.line)
		s.Location = Location{Top: top}
		s.Flags = nil
		var open []int
		s.Beside = func(parts []int) string { open = parts; return c.reads }
		if got := p.Decide(s); got.Action != c.want || !slices.Equal(open, c.open) {
			t.Errorf("%s: %+v, asked about %v", c.name, got, open)
		}
	}
}
