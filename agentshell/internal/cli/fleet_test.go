package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
)

// Each flag of agentshell that stands on the page about fleets and in its files exists.
func TestTheFlagsOfAFleetExist(t *testing.T) {
	parser, err := commandLine{Host: app.Host{Stdout: os.Stdout, Stderr: os.Stderr}}.newParser(commands()[0], func() {})
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, group := range parser.Model.AllFlags(true) {
		for _, f := range group {
			known = append(known, "--"+f.Name)
		}
	}
	const docs = "../../../docs"
	files, err := filepath.Glob(docs + "/fleet/*.y*ml")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	call := regexp.MustCompile(`agentshell -p -((?:[^\n|<>']|\\\n)*)`)
	flag := regexp.MustCompile(`--[a-z-]+`)
	for _, file := range append(files, docs+"/fleet.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range call.FindAllStringSubmatch(string(text), -1) {
			for _, name := range flag.FindAllString(m[1], -1) {
				if n++; !slices.Contains(known, name) {
					t.Errorf("%s: agentshell has no flag %s", file, name)
				}
			}
		}
		if n < 4 {
			t.Errorf("%s: only %d flags were found", file, n)
		}
	}
}
