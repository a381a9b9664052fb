package approval

import (
	"slices"
	"testing"
)

// Every mode lets a command run that only reads; what rules say goes first, and rules about reading
// end it, since a command does not know of them.
func TestEveryModeLetsReadingCommandsRun(t *testing.T) {
	const nothing = "blocked by plan mode (read-only)"
	run := func(why string) Subject {
		return Subject{Tool: "bash", Command: "git log", Mutates: true, Asks: true,
			Flags: []Flag{{Name: FlagOpaque}}, Reads: func() string { return why }}
	}
	for _, c := range []struct {
		name   string
		mode   string
		rules  []string
		s      Subject
		want   Action
		reads  bool
		reason string
	}{
		{"it only reads", ModePlan, nil, run(""), Allow, true, ""},
		{"it may do more", ModePlan, nil, run("git log is not known"), Deny, false,
			nothing + "; git log is not known"},
		{"nobody knows", ModePlan, nil, bash("ls"), Deny, false, nothing},
		{"a rule denies it", ModePlan, []string{"deny bash(git *)"}, run(""), Deny, false,
			"denied by rule bash(git *)"},
		{"a rule asks", ModePlan, []string{"ask bash(git *)"}, run(""), Ask, false, ""},
		{"a rule about reading", ModePlan, []string{"deny read_file(.env)"}, run(""), Deny, false,
			nothing + "; rules say what may be read here, so use the file tools to read"},
		{"a rule that asks for a search", ModePlan, []string{"ask search"}, run(""), Deny, false,
			nothing + "; rules say what may be read here, so use the file tools to read"},
		{"a rule that allows reading", ModePlan, []string{"allow read_file(docs/**)"}, run(""), Allow, true, ""},
		{"mode ask lets it run", ModeAsk, nil, run(""), Allow, true, ""},
		{"mode edits lets it run", ModeEdits, nil, run(""), Allow, true, ""},
		{"mode trusted lets it run so that it only reads", ModeTrusted, nil, run(""), Allow, true, ""},
		{"mode ask asks for what may do more", ModeAsk, nil, run("git log is not known"), Ask, false, ""},
		{"mode trusted does", ModeTrusted, nil, run("git log is not known"), Ask, false, ""},
		{"a rule asks in mode ask", ModeAsk, []string{"ask bash(git *)"}, run(""), Ask, false, ""},
		{"a rule denies in mode ask", ModeAsk, []string{"deny bash(git *)"}, run(""), Deny, false,
			"denied by rule bash(git *)"},
		{"a rule about reading in mode ask", ModeAsk, []string{"deny read_file(.env)"}, run(""), Ask, false, ""},
		{"a rule that asks for a search in mode edits", ModeEdits, []string{"ask search"}, run(""), Ask, false, ""},
		{"a write is no command", ModePlan, nil, write("a"), Deny, false, nothing},
	} {
		p, err := NewPolicy(PolicyConfig{Mode: c.mode, Rules: rules(t, c.rules...)})
		if err != nil {
			t.Fatal(err)
		}
		v := p.Decide(c.s)
		if v.Action != c.want || v.Reading != c.reads || c.reason != "" && v.Reason != c.reason {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}

// Of the flags only the one that no rule can speak of a command leaves one that reads unasked.
func TestAFlaggedCommandIsAskedAlsoIfItReads(t *testing.T) {
	for _, c := range []struct {
		flag string
		want Action
	}{{FlagOpaque, Allow}, {FlagHidden, Ask}, {FlagOutside, Ask}} {
		for _, mode := range []string{ModeAsk, ModeEdits, ModeTrusted} {
			p, err := NewPolicy(PolicyConfig{Mode: mode})
			if err != nil {
				t.Fatal(err)
			}
			s := Subject{Tool: "bash", Command: "true", Mutates: true, Asks: true, Flags: []Flag{{Name: c.flag}},
				Reads: func() string { return "" }}
			if v := p.Decide(s); v.Action != c.want {
				t.Errorf("%s in mode %s: %+v", c.flag, mode, v)
			}
		}
	}
}

// What Reads gives are the commands of the line, all of them.
func TestReadsGivesEachCommand(t *testing.T) {
	line, why := Reads("ls -l | sort -r && (cat f; true)", Location{})
	var got []string
	for _, p := range line.Parts {
		got = append(got, p.Words.String())
	}
	if want := []string{"ls -l", "sort -r", "cat f", "true"}; why != "" || !slices.Equal(got, want) {
		t.Errorf("%q, %s", got, why)
	}
	if line, why := Reads("ls > f", Location{}); why == "" || line.Parts != nil {
		t.Errorf("%v, %q", line, why)
	}
}
