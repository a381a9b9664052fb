package app

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// demoName is the name of the demo's workspace, which is another one in each run.
var demoName = regexp.MustCompile(`demo-[0-9a-f]{4}\b`)

// The session at the top of README is what the demo shows in a real tmux, row by row.
func TestTheSampleInReadmeIsWhatTheDemoPrints(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, sample, found := strings.Cut(string(readme), "\n    $ agentshell --demo\n")
	sample, _, ended := strings.Cut(sample, "\n## ")
	if !found || !ended {
		t.Fatal("README has no sample")
	}
	sample = strings.TrimSpace(strings.ReplaceAll("\n"+sample, "\n    ", "\n"))
	said := regexp.MustCompile(`(?m)^› (.+)$`).FindStringSubmatch(sample)
	if said == nil {
		t.Fatalf("nobody says anything in README's sample:\n%s", sample)
	}
	p := newPane(t, 132, 40)
	p.line("TMPDIR=$PWD ./agentshell --demo")
	p.sees("Type a message")
	p.line(said[1])
	p.armed()
	_, got, _ := strings.Cut(p.history(), " --demo\n")
	got, want := demoName.ReplaceAllString(got, "demo-NAME"), demoName.ReplaceAllString(sample, "demo-NAME")
	if got != want {
		t.Errorf("the demo shows\n%s\nREADME has\n%s", got, want)
	}
}
