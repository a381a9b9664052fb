package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommandsDoNotReadWhatRulesKeepBack is about commands in a sandbox, with rules about files.
func TestCommandsDoNotReadWhatRulesKeepBack(t *testing.T) {
	p := confinedPlace(t)
	for _, name := range []string{".env", "sub/.env", "secrets/deep/key", "hard"} {
		p.write(filepath.Join(p.work, name), "KEY=1\n")
	}
	if err := os.Symlink("sub/.env", filepath.Join(p.work, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(p.work, "hard"), filepath.Join(p.work, "name")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		deny, command string
		asks          bool
		want          string
	}{
		{"", "cat .env", false, "KEY=1"},
		{"read_file(.env)", "cat .env", false, "denied"},
		{"read_file(.env)", "cat sub/.env", false, "KEY=1"},
		{"read_file(**/.env)", "grep -r . .env sub link", false, "denied"},
		{"read_file(secrets/**)", "cat secrets/deep/key", false, "denied"},
		{"read_file(.env)", "echo x > y; cat y", false, "x"},
		{"read_file(later)", "cat later", false, "No such file"},
		{"read_file", "echo KEY=", true, ""},
		{"read_file(hard)", "cat name", true, ""},
		{"search(secrets)", "cat secrets/deep/key", true, ""},
		{"read_file(~/**)", "true", true, ""},
		{"bash(rm *)", "cat .env", false, "KEY=1"},
	} {
		args := []string{}
		if c.deny != "" {
			args = []string{"--deny", c.deny}
		}
		text, by, _ := p.one(c.command, args...)
		text = strings.ReplaceAll(text, "Permission denied", "denied")
		switch asked := by != "sandbox" && by != ""; {
		case asked != c.asks:
			t.Errorf("%+v: by %s: %s", c, by, text)
		case !strings.Contains(text, c.want), c.want != "KEY=1" && strings.Contains(text, "KEY=1"):
			t.Errorf("%+v: %s", c, text)
		}
	}
	p.write(filepath.Join(p.work, "later"), "KEY=1\n") // the next command does not see it
	if text, _, _ := p.one("cat later", "--deny", "read_file(later)"); strings.Contains(text, "KEY=") {
		t.Error(text)
	}
}

// TestTrustedCommandsAskWhereARuleKeepsFilesBack is about commands without a sandbox.
func TestTrustedCommandsAskWhereARuleKeepsFilesBack(t *testing.T) {
	p := newPlace(t)
	p.write(filepath.Join(p.work, ".env"), "KEY=1\n")
	for _, mode := range []string{"trusted", "unconfined"} {
		for _, c := range []struct {
			command, deny string
			shown         bool
		}{
			{"cat .env", "read_file(.env)", false},
			{"grep -r KEY .", "read_file(.env)", false},
			{"cat .e*", "read_file(.env)", false},
			{"cat .env", "write_file(.env)", true},
		} {
			text, _, _ := p.one(c.command, "--mode", mode, "--deny", c.deny)
			if strings.Contains(text, "KEY=") != c.shown {
				t.Errorf("%s, %+v: %s", mode, c, text)
			}
		}
	}
}
