package shell

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/recall"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestWhatWasSentComesBackInTheNextSession(t *testing.T) {
	dir := t.TempDir()
	paste := strings.Repeat("a pasted line\n", 30)
	remember := func(cfg *Config) { cfg.Prompt.History = recall.Open(dir, "/w", secret.New("correct-horse-battery")) }
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, small, remember, `{"say":"One."}`, `{"say":"Two."}`, `{"say":"Three."}`)
		s.send("first message")
		s.send("it is correct-horse-battery")
		s.Type("look: ")
		s.Paste(paste)
		s.Press("enter")
		s.pass(2 * time.Second)
		s.send("/quit")
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, small, remember)
		for _, want := range []string{"/quit", "look: " + paste, "first message", "first message"} {
			s.Press("up")
			s.pass(time.Second)
			if got := s.prompt(); got != want {
				t.Errorf("Up: %q, want %q", got, want)
			}
			if strings.HasPrefix(want, "look") && !strings.Contains(s.Visible(), "› look: [pasted 30 lines]") {
				t.Errorf("the paste is no chip\n%s", s.Visible())
			}
		}
	})
}

func TestAHistoryThatCannotBeWrittenIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s := beginConfigured(t, small, func(cfg *Config) {
			cfg.Prompt.History = recall.Open(filepath.Join(file, "dir"), "/w", secret.Set{})
		})
		s.send("/workspace")
		s.send("/mode")
		if n := strings.Count(s.tape(), "are not kept for"); n != 1 {
			t.Errorf("told %d times\n%s", n, s.tape())
		}
	})
}

func TestTheEditorChangesThePromptOrLeavesItAsItIs(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(file string) error
		want string
		says string
	}{
		{"changed", func(file string) error { return os.WriteFile(file, []byte("a new\ntext\n\n"), 0o600) },
			"a new\ntext", ""},
		{"unchanged", func(string) error { return nil }, "the draft", ""},
		{"left with an error", func(file string) error {
			return errors.Join(os.WriteFile(file, []byte("half"), 0o600), errors.New("exit status 1"))
		}, "the draft", "The prompt stays as it was: ed: exit status 1"},
		{"huge", func(file string) error {
			return os.WriteFile(file, make([]byte, maxEditedPrompt+1), 0o600)
		}, "the draft", "it has become longer than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				run := func(_ context.Context, cmd *exec.Cmd) error {
					file := filepath.Join(cmd.Dir, cmd.Args[len(cmd.Args)-1])
					if b, err := os.ReadFile(file); err != nil || string(b) != "the draft\n" {
						t.Errorf("the editor gets %q, %v", b, err)
					}
					return c.run(file)
				}
				s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) {
					cfg.Prompt.Editor = &Editor{Command: "ed", Dir: t.TempDir(), Run: run}
				})
				s.Type("the draft")
				s.Press("ctrl+g")
				s.pass(time.Second)
				if got := s.prompt(); got != c.want {
					t.Errorf("the prompt is %q", got)
				}
				s.holds(c.says)
			})
		})
	}
}

func TestWithoutAnEditorThePromptSaysWhatToDo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, small, nil)
		s.Type("the draft")
		s.Press("ctrl+g")
		s.pass(time.Second)
		s.holds("No editor is known.", "Set VISUAL or EDITOR")
		if got := s.prompt(); got != "the draft" {
			t.Errorf("the prompt is %q", got)
		}
	})
}

func TestAMessageOfTheCommandLineIsSentAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, small, func(cfg *Config) { cfg.Start.FirstMessage = "fix the typo" },
			`{"expect":"fix the typo","say":"I look."}`)
		s.pass(3 * time.Second)
		s.holds("› fix the typo", "I look.")
		s.Press("up")
		s.Settle()
		if got := s.prompt(); got != "fix the typo" {
			t.Errorf("Up brings %q", got)
		}
	})
}
