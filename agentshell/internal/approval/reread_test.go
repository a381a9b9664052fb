package approval

import (
	"errors"
	"testing"
)

// Another session may revoke and store rules while this one runs. A file that cannot be read
// grants nothing.
func TestKeptRulesAreReadAgainBeforeTheyDecide(t *testing.T) {
	s := &shelf{}
	p, _ := NewPolicy(PolicyConfig{Keeper: s, Rules: []Entry{{Rule: rule(t, Allow, "bash(ls)"), Origin: "config"}}})
	want := func(when, command string, action Action, holding int) {
		t.Helper()
		if v := p.Decide(Subject{Tool: "bash", Command: command, Mutates: true, Asks: true}); v.Action != action {
			t.Errorf("%s: %s: %s", when, command, v.Action)
		}
		if all, _ := p.List(); len(all) != holding {
			t.Errorf("%s: %v", when, all)
		}
	}
	if err := p.GrantFor("bash(make)", ThisWorkspace); err != nil {
		t.Fatal(err)
	}
	s.list = nil
	want("revoked elsewhere, before it was read once", "make", Ask, 1)
	s.list = []string{"bash(make)", "bash(go vet) everywhere", "bash(git push)"}
	want("stored elsewhere", "make", Allow, 3)
	want("stored elsewhere", "go vet", Allow, 3)
	want("stored, but too dangerous", "git push", Ask, 3)
	s.unread = errors.New("it cannot be read")
	want("unread", "make", Ask, 1)
	want("unread", "ls", Allow, 1)
	if _, err := p.List(); err == nil {
		t.Error("a list without kept rules does not say why")
	}
	s.unread = nil
	want("read again", "make", Allow, 3)
}

func TestANumberMeansTheRuleThatWasListed(t *testing.T) {
	s := &shelf{list: []string{"bash(make)", "bash(go vet)"}}
	p, _ := NewPolicy(PolicyConfig{Keeper: s})
	p.List()
	s.list = []string{"bash(go vet)"}
	if said, ok := p.Command("revoke 1"); ok || len(s.list) != 1 {
		t.Errorf("%q, %q", said, s.list)
	}
	p.List()
	if said, ok := p.Command("keep 1 everywhere"); !ok || len(s.list) != 1 || s.list[0] != "bash(go vet) everywhere" {
		t.Errorf("%q, %q", said, s.list)
	}
	if said, ok := p.Command("revoke 1"); !ok || len(s.list) != 0 {
		t.Errorf("%q, %q", said, s.list)
	}
}
