package approval

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// shelf is a Keeper in memory.
type shelf struct {
	list   []string
	err    error // of a change
	unread error
}

func (s *shelf) Keep(rule string, everywhere bool) error {
	if s.err == nil {
		s.list = append(s.list, name(rule, everywhere))
	}
	return s.err
}

func (s *shelf) Forget(rule string, everywhere bool) error {
	s.list = slices.DeleteFunc(s.list, func(text string) bool { return text == name(rule, everywhere) })
	return s.err
}

func (s *shelf) Load() (everywhere, here []string, err error) {
	for _, text := range s.list {
		if rule, everywhereToo := strings.CutSuffix(text, " everywhere"); everywhereToo {
			everywhere = append(everywhere, rule)
		} else {
			here = append(here, text)
		}
	}
	return everywhere, here, s.unread
}

func name(rule string, everywhere bool) string {
	if everywhere {
		return rule + " everywhere"
	}
	return rule
}

func TestARuleOfTheSessionIsKeptAndRevoked(t *testing.T) {
	s := &shelf{}
	p, err := NewPolicy(PolicyConfig{Keeper: s, Rules: []Entry{{Rule: rule(t, Allow, "bash(ls)"), Origin: "config"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Grant("bash(make)" + RuleSeparator + "bash(go test *)"); err != nil {
		t.Fatal(err)
	}
	const all = "bash(go test *) everywhere"
	for _, c := range []struct {
		arg, said string
		ok        bool
		kept      string
	}{
		{"keep 1", "The rule bash(ls) stays anyway. It comes from the config.", false, ""},
		{"keep 2", "bash(make) is kept for this workspace.", true, "bash(make)"},
		{"keep 3 everywhere", "bash(go test *) is kept for all workspaces.", true, "bash(make), " + all},
		{"keep 9", "There is no rule 9. /rules shows their numbers.", false, "bash(make), " + all},
		{"keep", "/rules keep is not known. " + RulesHint, false, "bash(make), " + all},
		{"revoke 2", "Revoked bash(make).", true, all},
		{"revoke 2", "Revoked bash(go test *).", true, ""},
		{"revoke 1", "The rule bash(ls) cannot be revoked here. It comes from the config.", false, ""},
	} {
		said, ok := p.Command(c.arg)
		if said != c.said || ok != c.ok || strings.Join(s.list, ", ") != c.kept {
			t.Errorf("%s: %q, %v, %q", c.arg, said, ok, s.list)
		}
	}
	s.err = errors.New("the disk is full")
	if err := p.Grant("bash(make)"); err != nil {
		t.Fatal(err)
	}
	if said, ok := p.Command("keep 2"); ok || !strings.Contains(said, "the disk is full") {
		t.Error(said)
	}
}

// What is never silent, and every call of a tool, is not kept, and does not hold if it stands in
// the file.
func TestWhatIsLoudIsKeptForNoOtherSession(t *testing.T) {
	for _, text := range []string{"bash(git push)", "bash(git push *)", "bash(rm -r build)", "bash(git reset --hard)",
		"bash", "write_file", "bash(", "bash(make; git push)", "bash(a; * b)"} {
		if _, err := Kept(text, false); err == nil {
			t.Errorf("%s is kept", text)
		}
	}
	for _, text := range []string{"bash(make)", "bash(go test *)", "write_file(a/b)", "bash(git log *)"} {
		if e, err := Kept(text, true); err != nil || e.Origin != keptAll || e.Rule.Action != Allow {
			t.Errorf("%s: %+v, %v", text, e, err)
		}
	}
	p, _ := NewPolicy(PolicyConfig{Keeper: &shelf{}})
	if err := p.Grant("bash(git push)"); err != nil {
		t.Fatal(err)
	}
	if said, ok := p.Command("keep 1"); ok || said != "The rule bash(git push) holds for this session only: "+
		"it publishes commits, so it is asked about in each session." {
		t.Error(said)
	}
}

func TestARuleIsGrantedForATerm(t *testing.T) {
	const both = "bash(make)" + RuleSeparator + "bash(go test *)"
	for _, c := range []struct {
		offer  string
		term   Term
		origin string // of its last rule
		kept   string
	}{
		{both, ThisSession, "grant", ""},
		{both, ThisWorkspace, keptHere, "bash(make), bash(go test *)"},
		{both, Everywhere, keptAll, "bash(make) everywhere, bash(go test *) everywhere"},
		{"bash(git push)", ThisSession, "grant", ""},
		{"bash(git push)", ThisWorkspace, "", ""},
		{"bash(make)" + RuleSeparator + "bash(git push)", Everywhere, "", ""},
	} {
		s := &shelf{}
		p, _ := NewPolicy(PolicyConfig{Keeper: s})
		err := p.GrantFor(c.offer, c.term)
		if (err == nil) != (c.origin != "") || strings.Join(s.list, ", ") != c.kept {
			t.Errorf("%s %s: %v, kept %q", c.offer, c.term, err, s.list)
		}
		if all := p.Rules(); len(all) > 0 && all[len(all)-1].Origin != c.origin || len(all) == 0 && c.origin != "" {
			t.Errorf("%s %s: %v", c.offer, c.term, all)
		}
	}
	s := &shelf{err: errors.New("the disk is full")}
	p, _ := NewPolicy(PolicyConfig{Keeper: s})
	if err := p.GrantFor(both, ThisWorkspace); err == nil || len(p.Rules()) > 0 {
		t.Errorf("%v, %v", err, p.Rules())
	}
	if err := (&Policy{}).Keepable("bash(make)"); err == nil {
		t.Error("a session that keeps nothing can keep")
	}
}

func TestTheReachOfARuleIsShownByCommandsOfTheSession(t *testing.T) {
	p := &Policy{}
	for _, command := range []string{"go test ./a", "make", "cd x && go test ./b", "go test -exec x", "go vet",
		"go test ./c", "go test ./d", "go test ./d"} {
		p.Decide(bash(command))
	}
	want := []string{"go test ./d", "go test ./c", "cd x && go test ./b"}
	if got := p.Examples(rule(t, Allow, "bash(go test *)")); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := p.Covers("bash(make)"+RuleSeparator+"bash(go test *)", "go test ./d"); !slices.Equal(got, want[1:]) {
		t.Errorf("%q", got)
	}
	for range 2 * maxRemembered {
		p.Decide(bash("echo " + strings.Repeat("x", len(p.commands))))
	}
	if len(p.commands) > maxRemembered {
		t.Error(len(p.commands))
	}
}
