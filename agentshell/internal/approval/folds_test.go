package approval

import (
	"strings"
	"testing"
)

// Rules that deny or ask see every spelling of a path where the file system takes it for the same
// file, and only there. What allows does not.
func TestRulesFoldWhereTheFileSystemDoes(t *testing.T) {
	asked := 0
	folds := func(p string) bool { asked++; return !strings.HasPrefix(p, "plain/") }
	for _, c := range []struct {
		rule, tool, path, also string
		want                   Action
	}{
		{"deny write_file(secret/**)", "write_file", "secret/x", "", Deny},
		{"deny write_file(secret/**)", "write_file", "SECRET/x", "", Deny},
		{"deny write_file(SECRET/**)", "write_file", "secret/x", "", Deny},
		{"deny write_file(secret/**)", "write_file", "SE\u200cCRET./x", "", Deny},
		{"deny write_file(**/*.KEY)", "write_file", "a/b.key", "", Deny},
		{"deny write_file({a,Sec*}/x)", "write_file", "SECRET/X", "", Deny},
		{"deny write_file(plain/secret)", "write_file", "plain/SECRET", "", Allow},
		{"deny write_file(secret/**)", "write_file", "public/x", "", Allow},
		{"deny write_file(secret/**)", "edit_file", "SECRET/x", "", Allow},
		{"deny diff(secret/**)", "diff", "a", "SECRET/x", Deny},
		{"ask read_file(secret/**)", "read_file", "SECRET/x", "", Ask},
		{"ask read_file(secret/**)", "read_file", "plain/SECRET/x", "", Allow},
		{"allow write_file(docs/**)", "write_file", "docs/x", "", Allow},
		{"allow write_file(docs/**)", "write_file", "DOCS/x", "", Ask},
	} {
		action, text, _ := strings.Cut(c.rule, " ")
		r, err := ParseRule(map[string]Action{"deny": Deny, "ask": Ask, "allow": Allow}[action], text)
		if err != nil {
			t.Fatal(err)
		}
		rules := []Entry{{Rule: r}}
		if r.Action != Allow { // else everything else runs
			all, err := ParseRule(Allow, c.tool)
			if err != nil {
				t.Fatal(err)
			}
			rules = append(rules, Entry{Rule: all})
		}
		s := Subject{Tool: c.tool, Path: c.path, Asks: true}
		if c.also != "" {
			s.Also = []string{c.also}
		}
		p, err := NewPolicy(PolicyConfig{Rules: rules, Folds: folds})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Decide(s).Action; got != c.want {
			t.Errorf("%s, %s: %v, want %v", c.rule, c.path, got, c.want)
		}
		if p, _ = NewPolicy(PolicyConfig{Rules: rules}); c.path == "SECRET/x" && c.want == Deny &&
			p.Decide(s).Action == Deny {
			t.Errorf("%s, %s: denied where nothing folds", c.rule, c.path)
		}
	}
	if asked == 0 || asked > 12 {
		t.Errorf("the file system was asked %d times", asked)
	}
}
