package approval

import "testing"

// A rule about pages answers the question about their host, and about no other one. Rules about
// files do not speak of pages, and rules about pages not of files.
func TestRulesNameTheHostOfPages(t *testing.T) {
	fresh := []Flag{{Name: FlagNetwork, Text: "it sends this address to the host"}}
	for _, c := range []struct {
		action     Action
		rule, path string
		want       Action
	}{
		{Allow, "read_file(https://docs.python.org/**)", "https://docs.python.org/3/library/re.html?x=1", Allow},
		{Allow, "read_file(https://docs.python.org/**)", "https://docs.python.org", Allow},
		{Allow, "read_file(https://docs.python.org/**)", "https://DOCS.python.org:443/a", Allow},
		{Allow, "read_file(https://docs.python.org/**)", "http://docs.python.org/3", Ask},
		{Allow, "read_file(https://docs.python.org/**)", "https://docs.python.org:8443/3", Ask},
		{Allow, "read_file(https://docs.python.org/**)", "https://docs.python.org.example.com/3", Ask},
		{Allow, "read_file(https://docs.python.org/**)", "https://example.com/docs.python.org/", Ask},
		{Allow, "read_file(https://docs.python.org/**)", "https://u@docs.python.org/", Ask},
		{Allow, "read_file(https://docs.python.org/**)", "https://x.docs.python.org/", Ask},
		{Allow, "read_file(https://*.python.org/**)", "https://docs.python.org/", Allow},
		{Allow, "read_file(https://*.python.org/**)", "https://a.b.python.org/", Allow},
		{Allow, "read_file(https://*.python.org/**)", "https://python.org/", Ask},
		{Allow, "read_file(https://*.python.org/**)", "https://evilpython.org/", Ask},
		{Allow, "read_file(https://h.example:8443/**)", "https://h.example:8443/", Allow},
		{Allow, "read_file(**)", "https://docs.python.org/", Ask},
		{Allow, "read_file", "https://docs.python.org/", Ask},
		{Deny, "read_file(https://example.com/**)", "https://example.com/a", Deny},
		{Deny, "read_file(https://example.com/private/**)", "https://example.com/private/a", Deny},
		{Deny, "read_file(https://example.com/private/**)", "https://example.com/a", Ask},
	} {
		rule, err := ParseRule(c.action, c.rule)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPolicy(PolicyConfig{Rules: []Entry{{Rule: rule, Origin: "flag"}}})
		if err != nil {
			t.Fatal(err)
		}
		s := Subject{Tool: "read_file", Path: c.path, Asks: true, Flags: fresh}
		if got := p.Decide(s).Action; got != c.want {
			t.Errorf("%s %s: %s is %s, want %s", c.action, c.rule, c.path, got, c.want)
		}
		s.Flags = append(s.Flags, Flag{Name: FlagHidden})
		if got := p.Decide(s).Action; c.want == Allow && got != Ask {
			t.Errorf("%s: %s with another flag is %s", c.rule, c.path, got)
		}
		file, reads := Subject{Tool: "read_file", Path: "example.com/a"}, Subject{Tool: "bash", Command: "ls",
			Mutates: true, Asks: true, Reads: func() string { return "" }}
		if p.Decide(file).Action == Deny || p.Decide(reads).Action != Allow {
			t.Errorf("%s %s: a file is %s, ls is %s", c.action, c.rule, p.Decide(file).Action, p.Decide(reads).Action)
		}
	}
	for _, text := range []string{"read_file(https://docs.python.org/3/**)", "read_file(https://**)",
		"read_file(https:///**)", "read_file(https://*/**)", "read_file(https://*.*/**)", "read_file(https://a?b/**)",
		"read_file(http://a.b/**)",
		"read_file(https://a.b)", "read_file(https://{a,b}.c/**)", "read_file(https://u@a.b/**)"} {
		if _, err := ParseRule(Allow, text); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// A question about a page offers the rule for its host.
func TestAPageOffersTheRuleForItsHost(t *testing.T) {
	p, err := NewPolicy(PolicyConfig{})
	if err != nil {
		t.Fatal(err)
	}
	s := Subject{Tool: "read_file", Path: "https://Docs.python.org/3/", Asks: true, Flags: []Flag{{Name: FlagNetwork}}}
	offers := p.Offers(s)
	if len(offers) != 1 || offers[0] != "read_file(https://docs.python.org/**)" {
		t.Fatalf("%q", offers)
	}
	if err := p.Grant(offers[0]); err != nil || p.Decide(s).Action != Allow {
		t.Errorf("%v, %+v", err, p.Decide(s))
	}
}

// Without a sandbox, mode trusted runs ordinary lines of Python, Go and JavaScript projects. Code
// in a line still asks.
func TestModeTrustedRunsOrdinaryLines(t *testing.T) {
	p, err := NewPolicy(PolicyConfig{Mode: ModeTrusted})
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, command := range []string{"ls -la src", "git status --short && git diff --stat", "make test 2>&1 | tail -20",
		"npm test --silent", "npm run build 2>&1 | tail -5", "python3 -m pytest -q", "go build ./... && go vet ./...",
		"go test ./... 2>&1 | tail -20", "ls src && make build", "git status && make test", "make test || true",
		`grep -rn "def " src | head`, "for x in $(seq 3); do echo $x; done", `git add -A && git commit -m "x"`,
		"cd src && ls; cd ..", `python3 -c "print(1)"`, `node -e "console.log(1)"`} {
		s := Subject{Tool: "bash", Command: command, Mutates: true, Asks: true,
			Reads: func() string { return "it may not" }}
		if why := (Location{}).Parse(command).Opaque; why != "" {
			s.Flags = []Flag{{Name: FlagOpaque, Text: why}}
		}
		if p.Decide(s).Action != Allow {
			asked = append(asked, command)
		}
	}
	if len(asked) > 3 {
		t.Errorf("%d of 17 lines are asked: %q", len(asked), asked)
	}
}
