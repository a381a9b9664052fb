package approval

import "testing"

// A rule about a tool with names takes the name, and what runs on another machine is asked for in
// mode trusted, too.
func TestRulesAboutNames(t *testing.T) {
	tools := Tools{"ssh": {Subject: NameSubject, Kind: KindRuns}, "bash": {Subject: LineSubject, Kind: KindRuns}}
	for _, c := range []struct {
		rules []string // + allows, - denies
		mode  string
		host  string
		want  Action
	}{
		{nil, ModeAsk, "build", Ask},
		{[]string{"+ssh(build)"}, ModeAsk, "build", Allow},
		{[]string{"+ssh(build)"}, ModeAsk, "db", Ask},
		{[]string{"+ssh", "-ssh(prod-*)"}, ModeAsk, "prod-1", Deny},
		{[]string{"+ssh", "-ssh(prod-*)"}, ModeAsk, "build", Allow},
		{[]string{"+bash(ls *)"}, ModeAsk, "build", Ask},
		{nil, ModeTrusted, "build", Ask},
		{nil, ModeEdits, "build", Ask},
		{[]string{"+ssh(build)"}, ModePlan, "build", Deny},
	} {
		var rules []Entry
		for _, text := range c.rules {
			action := Allow
			if text[0] == '-' {
				action = Deny
			}
			r, err := ParseRule(action, text[1:])
			if err != nil {
				t.Fatal(err)
			}
			if err := tools.Check(r); err != nil {
				t.Fatal(err)
			}
			rules = append(rules, Entry{Rule: r})
		}
		p, err := NewPolicy(PolicyConfig{Mode: c.mode, Rules: rules, Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		s := Subject{Tool: "ssh", Name: c.host, Mutates: true, Asks: true}
		if v := p.Decide(s); v.Action != c.want {
			t.Errorf("%v, mode %s, %s: %v", c.rules, c.mode, c.host, v)
		}
		if offers := p.Offers(s); len(offers) != 1 || offers[0] != "ssh("+c.host+")" {
			t.Errorf("%s offers %v", c.host, offers)
		}
	}
	for _, text := range []string{"todo(x)", "nothing(x)"} {
		r, err := ParseRule(Allow, text)
		if err == nil {
			err = (Tools{"todo": {Subject: NoSubject}}).Check(r)
		}
		if err == nil {
			t.Errorf("a rule %s is taken", text)
		}
	}
}
