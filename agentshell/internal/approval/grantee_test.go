package approval

import (
	"strings"
	"testing"
)

func TestARuleForAnAgentHoldsForNoOther(t *testing.T) {
	p, err := NewPolicy(PolicyConfig{})
	if err != nil {
		t.Fatal(err)
	}
	call := func(path string) Subject { return Subject{Tool: "write_file", Path: path, Mutates: true, Asks: true} }
	for _, err := range []error{p.GrantTo("write_file(a.txt)", Grantee{Agent: "Lexer"}),
		p.GrantTo("write_file(b.txt)", Grantee{Kind: "task"}), p.Grant("write_file(c.txt)")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for who, want := range map[string]string{"Lexer task": "a.txt b.txt c.txt", "Docs task": "b.txt c.txt",
		"Lexer.Docs explore": "c.txt", "": "c.txt"} {
		id, kind, _ := strings.Cut(who, " ")
		var allowed []string
		for _, path := range []string{"a.txt", "b.txt", "c.txt"} {
			verdict := p.Of(id, kind).Decide(call(path))
			if who == "" {
				verdict = p.Decide(call(path))
			}
			if verdict.Action == Allow {
				allowed = append(allowed, path)
			}
		}
		if got := strings.Join(allowed, " "); got != want {
			t.Errorf("%q: %q runs, want %q", who, got, want)
		}
	}
	// What was granted to one can be granted to all later. It is not kept as it is.
	if err := p.Grant("write_file(a.txt)"); err != nil || p.Decide(call("a.txt")).Action != Allow {
		t.Errorf("granted to all: %v", err)
	}
	if said, ok := p.Command("keep 2"); ok || !strings.Contains(said, "for agents of the kind task") {
		t.Errorf("%v %s", ok, said)
	}
	if text := p.Rules()[0].String(); text != "allow write_file(a.txt)  (grant, for Lexer)" {
		t.Errorf("%s", text)
	}
	if _, ok := p.Command("revoke 1"); !ok || p.Of("Lexer", "task").Decide(call("a.txt")).Action != Ask {
		t.Error("a revoked rule holds")
	}
}
