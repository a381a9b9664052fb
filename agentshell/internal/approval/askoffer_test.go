package approval

import "testing"

// An allow rule never wins against an ask rule, so none is offered.
func TestNothingIsOfferedWhereAnAskRuleAsks(t *testing.T) {
	write := Subject{Tool: "write_file", Path: "docs/a.md", Mutates: true, Asks: true}
	line := func(command string) Subject {
		return Subject{Tool: "bash", Command: command, Mutates: true, Asks: true}
	}
	page := Subject{Tool: "read_file", Path: "https://a.org/x", Asks: true}
	for _, c := range []struct {
		rule   string
		by     Grantee
		call   Subject
		offers bool
	}{
		{"write_file(docs/**)", Grantee{}, write, false},
		{"write_file(src/**)", Grantee{}, write, true},
		{"write_file(docs/**)", Grantee{Agent: "Lexer"}, write, true}, // it is about calls of another one
		{"bash(git *)", Grantee{}, line("git fetch"), false},
		{"bash(git *)", Grantee{}, line("make && git fetch"), false},
		{"bash(git *)", Grantee{}, line("make"), true},
		{"read_file(https://a.org/**)", Grantee{}, page, false},
	} {
		r, err := ParseRule(Ask, c.rule)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPolicy(PolicyConfig{Rules: []Entry{{Rule: r, For: c.by}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Offers(c.call); (len(got) > 0) != c.offers {
			t.Errorf("ask %s, %+v: offered %q", c.rule, c.call, got)
		}
	}
}
