package approval

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The order of the steps is what keeps a decision safe: it is the one that docs/configuration.md
// tells, and that /rules order prints.
func TestThePrecedenceIsTheOneThatIsTold(t *testing.T) {
	want := []string{
		"a rule denies it: denied",
		"mode plan, and it does more than read: denied",
		"a rule asks about it: asks",
		"mode plan, and it only reads: runs",
		"mode unconfined: runs",
		"a rule allows it, and nothing flags it: runs",
		"the sandbox confines it, and nothing in it is dangerous or flagged: runs",
		"it only reads, and no rule says what may be read: runs",
		"something in it is dangerous, where commands run by themselves: asks",
		"something flags it: asks",
		"it can read what a rule keeps back, where commands run by themselves: asks",
		"mode trusted: runs",
		"mode edits, and it changes a file: runs",
		"it is a tool of ours that changes nothing: runs",
		"anything else: asks",
	}
	if got := Precedence(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	doc, err := os.ReadFile("../../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	if list := strings.Join(numberedLines(want), "\n"); !strings.Contains(string(doc), "\n\n"+list+"\n\n") {
		t.Errorf("docs/configuration.md tells another order than\n%s", list)
	}
	said, ok := new(Policy).Command("order")
	if told := strings.Split(said, "\n")[1:]; !ok || !slices.Equal(told, numberedLines(want)) {
		t.Errorf("/rules order prints %q", said)
	}
}

// Each step decides a call that none before it does, and not as the others would.
func TestEachStepDecides(t *testing.T) {
	reads := func() string { return "" }
	more := func() string { return "more" }
	flag := []Flag{{Name: FlagRunsCode}}
	for i, c := range []struct {
		mode  string
		rules []string
		s     Subject
	}{
		{ModeUnconfined, []string{"deny bash(make)", "ask bash(make)"}, Subject{Tool: "bash", Command: "make"}},
		{ModePlan, []string{"ask bash(make)"}, Subject{Tool: "bash", Command: "make", Mutates: true, Reads: more}},
		{ModeUnconfined, []string{"ask bash(make)", "allow bash(make)"}, Subject{Tool: "bash", Command: "make"}},
		{ModePlan, nil, Subject{Tool: "bash", Command: "ls", Mutates: true, Flags: flag, Reads: reads}},
		{ModeUnconfined, nil, Subject{Tool: "bash", Command: "rm -rf /", Mutates: true, Flags: flag}},
		{ModeTrusted, []string{"allow bash(make)"},
			Subject{Tool: "bash", Command: "make", Mutates: true, Reads: reads}},
		{ModeAsk, nil, Subject{Tool: "bash", Command: "make", Mutates: true, Confined: true, Reads: reads}},
		{ModeAsk, nil, Subject{Tool: "bash", Command: "ls", Mutates: true, Asks: true, Reads: reads}},
		{ModeTrusted, nil, Subject{Tool: "bash", Command: "rm -rf x", Mutates: true, Asks: true}},
		{ModeTrusted, nil, Subject{Tool: "bash", Command: "ls", Mutates: true, Asks: true, Flags: flag, Reads: reads}},
		{ModeTrusted, []string{"deny read_file(a)"}, Subject{Tool: "bash", Command: "ls", Mutates: true, Asks: true}},
		{ModeTrusted, nil, Subject{Tool: "bash", Command: "ls", Mutates: true, Asks: true, Reads: reads}},
		{ModeEdits, nil, Subject{Tool: "write_file", Path: "a", Mutates: true, Asks: true}},
		{ModeEdits, nil, Subject{Tool: "todo"}},
	} {
		r := request{Subject: c.s, mode: c.mode, rules: rules(t, c.rules...), line: readLine(c.s, nil)}
		first := slices.IndexFunc(steps(), func(s step) bool { _, decided := s.decide(&r); return decided })
		if first != i {
			t.Errorf("%+v is decided by step %d, not %d (%s)", c.s, first, i, steps()[i].name)
		}
	}
	if n := len(steps()); n != 14 {
		t.Errorf("%d steps", n)
	}
}
