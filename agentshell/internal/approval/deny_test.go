package approval

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

var deniedLine = regexp.MustCompile(`^(- )?([a-z][^@]*) @@ `)

func TestDenyRulesSeeThrough(t *testing.T) {
	data, err := os.ReadFile("testdata/denied.txt")
	if err != nil {
		t.Fatal(err)
	}
	var cases []string // a command may have several lines
	for line := range strings.SplitSeq(string(data), "\n") {
		switch {
		case line == "", line[0] == '#':
		case deniedLine.MatchString(line):
			cases = append(cases, line)
		default:
			cases[len(cases)-1] += "\n" + line
		}
	}
	denied, free := 0, 0
	for _, c := range cases {
		words, command, _ := strings.Cut(c, " @@ ")
		words, control := strings.CutPrefix(words, "- ")
		p, err := NewPolicy(PolicyConfig{Rules: rules(t, "deny bash("+words+")")})
		if err != nil {
			t.Fatal(err)
		}
		got := p.Decide(Subject{Tool: "bash", Command: command, Mutates: true, Asks: true}).Action == Deny
		if got == control {
			t.Errorf("deny %s: %q denied: %v", words, command, got)
		}
		if control {
			free++
		} else {
			denied++
		}
	}
	if denied < 200 || free < 35 {
		t.Errorf("%d lines and %d controls were read", denied, free)
	}
}

// A line that was made to keep the rules busy is decided in time, and denied where it cannot be
// looked at whole. With SCROLLKEEP_COMMANDS set (`make fuzz`) lines are sixteen times as long, and
// begin in more ways.
func TestDenyRulesAreDecidedInTime(t *testing.T) {
	p, err := NewPolicy(PolicyConfig{Rules: rules(t, "deny bash(rm -rf *)", "deny bash(git push --force *)",
		"deny bash(a b c d *)")})
	if err != nil {
		t.Fatal(err)
	}
	bytes, firsts := 4_000, []string{"", "foo "}
	if os.Getenv("SCROLLKEEP_COMMANDS") != "" {
		bytes, firsts = 64_000, []string{"", "foo ", "sh -c ", "git ", "xargs "}
	}
	for _, unit := range []string{"rm ", "foo ", "git -C ", "-x ", "'rm x' ", "-c'a b' ", "--x='rm y' ", "rm;",
		"git push;", "$x ", "\"$(rm)\" ", "a b c "} {
		for _, first := range firsts {
			line := first + strings.Repeat(unit, bytes/len(unit))
			began := time.Now()
			p.Decide(Subject{Tool: "bash", Command: line, Mutates: true, Asks: true})
			if d := time.Since(began); d > 10*time.Second {
				t.Errorf("%q and many times %q: %v", first, unit, d)
			} else if d > time.Second {
				t.Logf("%q and many times %q: %v", first, unit, d)
			}
		}
	}
}
