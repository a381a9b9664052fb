package cli

import (
	"os"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
)

// kong would search the long text of --help for variables, which costs memory at each start.
func TestTheDescriptionOfACommandHasNoVariables(t *testing.T) {
	const about = "A cell costs ${price}."
	parser, err := commandLine{Host: app.Host{Stdout: os.Stdout, Stderr: os.Stderr}}.newParser(
		command{about: about, flags: &struct{}{}}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	if parser.Model.Help != about {
		t.Errorf("%q", parser.Model.Help)
	}
}
