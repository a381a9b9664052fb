package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// What each emulator does is what is recorded of it. Those that have to be built first are asked by
// the program alone.
func TestTheRecordedAnswersAreThoseOfTheEmulators(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := readAnswers(root)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, p := range peers(root) {
		for _, q := range probes {
			if _, ok := recorded[p.name][q.name]; !ok {
				t.Errorf("%s: %q is not recorded (go run ./stress/cmd/vtprobe -update)", p.name, q.name)
			}
		}
		if len(p.command) > 0 && p.command[0] == "go" {
			continue
		}
		got, err := p.ask(probes)
		if errors.Is(err, errMissing) {
			t.Logf("%s is not installed", p.name)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		asked++
		for _, q := range probes {
			if got[q.name] != recorded[p.name][q.name] {
				t.Errorf("%s, %q: %q, recorded is %q", p.name, q.name, got[q.name], recorded[p.name][q.name])
			}
		}
	}
	if asked < 3 {
		need.Missing(t, "ghostty",
			errors.New("ghostty's core or xterm.js is not installed (npm ci --prefix stress/oracle)"))
	}
}

func TestThePageHasTheRecordedTable(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := readAnswers(root)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), begin+table(recorded)+end) {
		t.Error("go run ./stress/cmd/vtprobe -update")
	}
	file, err := os.ReadFile(filepath.Join(root, answersFile))
	if err != nil {
		t.Fatal(err)
	}
	if formatAnswers(recorded) != string(file) {
		t.Errorf("%s is not as it is written", answersFile)
	}
}

func TestEachProbeHasAnAnswerOfEitherKind(t *testing.T) {
	names := make(map[string]bool)
	for _, q := range probes {
		if names[q.name] || strings.Contains(q.name, ": \"") {
			t.Errorf("the name %q stands twice, or cannot be recorded", q.name)
		}
		names[q.name] = true
		if q.verdict("something else") != "no" || q.verdict(untold) != "untold" {
			t.Errorf("%q: %q takes anything", q.name, q.want)
		}
	}
}
