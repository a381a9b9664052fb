package shell

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// fakeSettings are settings whose changes go to written.
type fakeSettings struct {
	fails   error
	written []string
}

func (f *fakeSettings) All() ([]Setting, error) {
	return []Setting{
		{Name: "mode", Value: `"plan"`, Typed: "plan", From: "config.toml:3", About: "what needs your approval",
			Choices: []string{"ask", "plan"}},
		{Name: "max_steps", Value: "200", From: "default", About: "the most requests"},
		{Name: "mcp", Value: "none", From: "default", About: "servers", ByHand: "It is changed in the file itself."},
	}, nil
}

func (f *fakeSettings) Change(name, typed string) (SettingChange, error) {
	if typed == "x" {
		return SettingChange{}, errors.New("it must be a number")
	}
	return SettingChange{Question: "Write this into /home/config.toml?", Since: "It holds from the next start.",
		Patch: "@@ -3,1 +3,1 @@\n-" + name + " = 1\n+" + name + " = " + typed + "\n",
		Write: func() error {
			f.written = append(f.written, name+"="+typed)
			return f.fails
		}}, nil
}

func TestHowConfigLooks(t *testing.T) {
	for _, input := range []struct{ name, typed string }{
		{"list", "/config"}, {"choices", "/config\r"}, {"one", "/config max_steps"},
		{"question", "/config max_steps 7"},
	} {
		t.Run(input.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := beginConfigured(t, tuitest.Config{Cols: 60, Rows: 16},
					func(c *Config) { c.Settings = new(fakeSettings) })
				command, choose := strings.CutSuffix(input.typed, "\r")
				s.line(command)
				s.pass(3 * time.Second)
				if choose {
					s.Press("enter")
				}
				s.Golden()
			})
		})
	}
}

// A setting is written after a yes to the shown line only.
func TestASettingIsWrittenAfterAYesOnly(t *testing.T) {
	for _, c := range []struct {
		typed, key, written, tape string
		fails                     error
	}{
		{"/config max_steps 7", "y", "max_steps=7", "max_steps is written. It holds from the next start.", nil},
		{"/config max_steps 7", "n", "", "Nothing was written.", nil},
		{"/config max_steps 7", "escape", "", "Nothing was written.", nil},
		{"/config max_steps x", "y", "", "Nothing was changed: it must be a number.", nil},
		{"/config max_step 7", "y", "", "Did you mean max_steps?", nil},
		{"/config max_step", "y", "", "Did you mean max_steps?", nil},
		{"/config max_steps 7", "y", "max_steps=7", "Nothing was written: no disk.", errors.New("no disk")},
	} {
		t.Run(c.typed+" "+c.key, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				settings := &fakeSettings{fails: c.fails}
				s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24},
					func(cfg *Config) { cfg.Settings = settings })
				s.line(c.typed)
				s.pass(3 * time.Second)
				if len(settings.written) > 0 {
					t.Error("it was written without a yes")
				}
				s.Press(c.key)
				s.pass(time.Second)
				if got := strings.Join(settings.written, " "); got != c.written {
					t.Errorf("written: %q", got)
				}
				s.holds(c.tape)
			})
		})
	}
}

// Esc in the values of a setting goes back to the settings, and once more to the prompt.
func TestEscapeGoesBackToTheSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(c *Config) { c.Settings = new(fakeSettings) })
		s.line("/config")
		s.pass(3 * time.Second)
		s.Press("enter")
		s.holds("without a line in the file", "goes back")
		s.Press("escape")
		s.holds("max_steps: 200")
		s.lacks("without a line in the file")
		s.Press("escape")
		s.lacks("max_steps: 200")
	})
}
