package shell

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// noLanguages are language servers of which none was used.
type noLanguages struct{}

func (noLanguages) Status() []helper.Status              { return nil }
func (noLanguages) Diagnostics(context.Context) []string { return nil }
func (noLanguages) Stop(string) error                    { return nil }

func TestCommandsAboutLanguageServersAreThereWhereThoseAreOn(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want bool
	}{{Config{}, false}, {Config{Programs: Programs{Languages: noLanguages{}}}, true}} {
		sh := &Shell{cfg: c.cfg}
		for _, name := range []string{"/lsp", "/diagnostics"} {
			if _, found := findCommand(sh.slashCommands(), name); found != c.want {
				t.Errorf("%s is there: %v", name, found)
			}
		}
	}
}

func TestTheStateOfALanguageServerIsOneLine(t *testing.T) {
	now := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	got := strings.Join(languageLines([]helper.Status{
		{Name: "clangd", State: helper.NotStarted, Reach: "not confined: can change any file",
			Install: "apt-get install clangd"},
		{Name: "gopls", State: helper.Ready, Memory: 430 << 20, Reach: "confined: workspace only, no network"},
		{Name: "pyright", State: helper.Waiting, Why: "exit status 1", Again: now.Add(2 * time.Second), Reach: "r"},
	}, now), "\n")
	want := "clangd  not started  (not confined: can change any file). To install it: apt-get install clangd\n" +
		"gopls  ready, 430 MiB  (confined: workspace only, no network)\n" +
		"pyright  ended: exit status 1; can start again in 2s  (r)"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
