package shell

import (
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
)

// noDebugger is a debugger without a session.
type noDebugger struct{}

func (noDebugger) Status() []helper.Status  { return nil }
func (noDebugger) Summaries() []dap.Summary { return nil }
func (noDebugger) Stop() error              { return nil }

func TestTheCommandAboutDebuggersIsThereWhereTheyAreOn(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want bool
	}{{Config{}, false}, {Config{Programs: Programs{Debugger: noDebugger{}}}, true}} {
		sh := &Shell{cfg: c.cfg}
		if _, found := findCommand(sh.slashCommands(), "/debug"); found != c.want {
			t.Errorf("/debug is there: %v", found)
		}
	}
}

func TestTheStateOfADebugSessionIsTwoLines(t *testing.T) {
	got := strings.Join(debuggerLines([]dap.Summary{{ID: "debug-1", Status: dap.Stopped, StopReason: "breakpoint",
		Program: "/w/main"}}, []helper.Status{{Name: "dlv", State: helper.Ready, Memory: 90 << 20,
		Reach: "confined: workspace only, no network"}}, time.Now()), "\n")
	want := "debug-1  stopped (breakpoint)  /w/main\n" +
		"dlv  ready, 90 MiB  (confined: workspace only, no network)"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := debuggerLines(nil, nil, time.Now()); len(got) != 1 {
		t.Errorf("without a session: %q", got)
	}
}
