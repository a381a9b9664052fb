package approval

import "testing"

// A word of a free tail may make a program read, fetch or run what the rule does not name.
func TestAFreeTailCoversNoWordWithAMeaningOfItsOwn(t *testing.T) {
	for _, c := range []struct {
		rule, covered string
		asked         []string
	}{
		{"bash(curl *)", "curl -s https://example.org/a", []string{"curl '{file:}///etc/hostname'",
			"curl 'file:///etc/hostname'", "curl '[f-f]ile:///etc/hostname'", "curl -g '{file:}///etc/hostname'"}},
		{"bash(pandoc *)", "pandoc -f gfm+smart -t html a.md", []string{"pandoc -t evil.lua a.md",
			"pandoc --from=evil.lua+smart a.md", "pandoc -t ./evil a.md"}},
		{"bash(kubectl get *)", "kubectl get pods -o jsonpath='{.file}'", []string{
			"kubectl get pods -o go-template-file=/etc/passwd", "kubectl get pods --output=jsonpath-file=a",
			"kubectl get pods -ocustom-columns-file=/etc/passwd"}},
		{"bash(mocha *)", "mocha -R dot a.js", []string{"mocha -R ./evil.js"}},
		{"bash(deno run *)", "deno run a.ts", []string{"deno run https://example.org/x.ts", "deno run npm:x",
			"deno run data:text/javascript,x"}},
	} {
		p, err := NewPolicy(PolicyConfig{Rules: []Entry{{Rule: rule(t, Allow, c.rule), Origin: "config"}}})
		if err != nil {
			t.Fatal(err)
		}
		decide := func(command string) Action {
			return p.Decide(Subject{Tool: "bash", Command: command, Mutates: true, Asks: true}).Action
		}
		if got := decide(c.covered); got != Allow {
			t.Errorf("%s: %s", c.covered, got)
		}
		for _, command := range c.asked {
			if got := decide(command); got == Allow {
				t.Errorf("%s covers %s", c.rule, command)
			}
		}
	}
}
