package approval

import "testing"

// A verdict that asks says why, where there is more to say than that each change is asked about.
func TestAVerdictThatAsksSaysWhy(t *testing.T) {
	const reads, more = "", "it writes"
	for _, c := range []struct {
		line  string
		reads string // why it may do more than read
		flags []Flag
		rules []string
		want  string
	}{
		{"make", more, nil, nil, ""},
		{"make", more, nil, []string{"allow bash(go vet)"}, ""},
		{"git tag v1", more, nil, []string{"ask bash(git tag *)"}, "the rule bash(git tag *) asks about it"},
		{"ls", reads, nil, []string{"deny read_file(.env)"}, "it can read what the rule read_file(.env) keeps back"},
		{"make", more, nil, []string{"deny read_file(.env)"}, ""},
		{"make && ./deploy", more, nil, []string{"allow bash(make)"}, "no rule allows ./deploy"},
		{"make > f", more, nil, []string{"allow bash(make)"}, "no rule allows that it writes f"},
		{"make", more, []Flag{{Name: FlagRunsCode}}, []string{"allow bash(make)"}, "no rule allows what is flagged"},
		{"make", more, []Flag{{Name: FlagRunsCode}}, nil, ""},
	} {
		p, err := NewPolicy(PolicyConfig{Rules: rules(t, c.rules...),
			Tools: Tools{"read_file": {Subject: PathSubject, Shows: true}}})
		if err != nil {
			t.Fatal(err)
		}
		s := bash(c.line)
		s.Flags, s.Mutates, s.Asks = c.flags, true, true
		s.Reads = func() string { return c.reads }
		s.Beside = func([]int) string { return more }
		if got := p.Decide(s); got.Action != Ask || got.Reason != c.want {
			t.Errorf("%s with %q: %+v, want %q", c.line, c.rules, got, c.want)
		}
	}
}

// A command that publishes or discards says so, unless its effects do.
func TestAProposalNamesItsDanger(t *testing.T) {
	for line, want := range map[string]string{"make": "", "git push": "it publishes commits",
		"git reset --hard": "it discards changes that are not committed", "rm -r build": "", "git push --force": ""} {
		p := &Proposal{Tool: "bash", Payload: Command{Command: line, Effects: Effects(line)}}
		if got := p.Danger(); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
		if p = p.AskedBecause(want); p.Danger() != "" {
			t.Errorf("%s: it is said twice", line)
		}
	}
}
