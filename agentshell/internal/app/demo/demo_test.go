package demo_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/app/demo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

type answers func(p *approval.Proposal) bool

func (a answers) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	if a(p) {
		return approval.Yes{ID: p.ID}, nil
	}
	return approval.No{ID: p.ID}, nil
}

// play runs the demo to its end in a real workspace. The function yes answers the proposals.
func play(t *testing.T, yes answers) (dir string, events []agent.Event, took time.Duration) {
	t.Helper()
	dir, err := demo.NewWorkspace(t.TempDir(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	synctest.Test(t, func(t *testing.T) {
		m, err := demo.NewModel()
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		a := agent.New(agent.Config{Model: m, Tools: tool.Builtin(tool.Env{Workspace: ws}), Approver: yes})
		_ = a.RunText(t.Context(), demo.SuggestedMessage, func(e agent.Event) { events = append(events, e) })
		took = time.Since(began)
		if n := m.UnusedLines(); n != 0 {
			t.Errorf("%d lines left after the first message, want none", n)
		}
		_ = a.RunText(t.Context(), "more", func(e agent.Event) { events = append(events, e) })
	})
	return dir, events, took
}

func TestTheDemoPlaysToItsEndWhateverIsAnswered(t *testing.T) {
	for name, yes := range map[string]answers{
		"yes":        func(*approval.Proposal) bool { return true },
		"no":         func(*approval.Proposal) bool { return false },
		"first no":   func(p *approval.Proposal) bool { return !strings.HasSuffix(p.Path, "haiku.txt") },
		"only haiku": func(p *approval.Proposal) bool { return strings.HasSuffix(p.Path, "haiku.txt") },
	} {
		t.Run(name, func(t *testing.T) {
			var proposals []*approval.Proposal
			dir, events, took := play(t, func(p *approval.Proposal) bool {
				proposals = append(proposals, p)
				return yes(p)
			})
			for _, e := range events {
				switch e := e.(type) {
				case agent.ToolEnd:
					if !e.OK && e.Kind != agent.KindDenied {
						t.Errorf("%s: %s", e.Title, e.Text)
					}
				case agent.TurnEnd:
					if e.Reason != agent.Done {
						t.Errorf("%+v", e)
					}
				}
			}
			if took < 20*time.Second || took > 60*time.Second {
				t.Errorf("it streams for %v, want 20 to 60 s", took)
			}
			if len(proposals) != 3 {
				t.Fatalf("%d proposals, want 3", len(proposals))
			}
			for _, p := range proposals {
				if len(p.Flags) > 0 {
					t.Errorf("%s is flagged: %v", p.Path, p.Flags)
				}
				file := filepath.Join(dir, filepath.Base(p.Path))
				want := p.After
				if !yes(p) {
					want = p.Before
				}
				got, err := os.ReadFile(file)
				if string(got) != string(want) || (err != nil) != (want == nil) {
					t.Errorf("%s is %q (%v)", p.Path, got, err)
				}
			}
			if got := demo.Changed(dir); got != (name != "no") {
				t.Errorf("the workspace is changed: %v", got)
			}
			if s := proposals[1].Diff.Stats; s.Added+s.Removed < 60 || s.Hunks < 3 {
				t.Errorf("the long change is %+v, want 60 lines in 3 hunks or more", s)
			}
		})
	}
}

func TestTheFirstChangeIsProposedWithinSeconds(t *testing.T) {
	var first time.Time
	_, events, _ := play(t, func(*approval.Proposal) bool {
		if first.IsZero() {
			first = time.Now()
		}
		return true
	})
	// A bubble's clock begins at 2000-01-01.
	if after := first.Sub(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)); after < time.Second || after > 4*time.Second {
		t.Errorf("the first pane comes after %v, want 1 to 4 s", after)
	}
	if rows := rows(events, 0) + rows(events, 1); rows > 16 {
		t.Errorf("%d rows are said before it, which must stand above it on 24", rows)
	}
}

// Behind the tour the script answers what the person does, and to anything else that it is a
// script. A compaction uses up no answer, and the model is told the summary.
func TestTheDemoGoesOnBehindItsTour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, err := demo.NewModel()
		if err != nil {
			t.Fatal(err)
		}
		yes := answers(func(*approval.Proposal) bool { return true })
		dir, err := demo.NewWorkspace(t.TempDir(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
		if err != nil {
			t.Fatal(err)
		}
		defer ws.Close()
		a := agent.New(agent.Config{Model: m, Tools: tool.Builtin(tool.Env{Workspace: ws}), Approver: yes})
		say := func(what string) string {
			var said strings.Builder
			if err := a.RunText(t.Context(), what, func(e agent.Event) {
				if text, ok := e.(agent.Text); ok {
					said.WriteString(text.Delta)
				}
			}); err != nil {
				t.Fatal(err)
			}
			return said.String()
		}
		for _, step := range []struct{ what, said string }{
			{demo.SuggestedMessage, "`/compact`"}, {"hello", "nothing more to say"},
			{"what is in @notes.md", "Now `/compact`"}, {"go on", "nothing more to say"}, {"", ""},
			{"go on", "Now `/rewind`"}, {"and now?", "nothing more to say"}, {"really?", "nothing more to say"},
		} {
			if step.what != "" {
				if said := say(step.what); !strings.Contains(said, step.said) {
					t.Errorf("to %q it says %q, want %q in it", step.what, said, step.said)
				}
				continue
			}
			before := len(a.Messages())
			if err := a.Compact(t.Context(), "", func(agent.Event) {}); err != nil {
				t.Fatal(err)
			}
			after := a.Messages()
			if len(after) >= before || !strings.Contains(fmt.Sprint(after), "proposed three changes") {
				t.Errorf("%d messages became %v", before, after)
			}
		}
	})
}

func TestOneAnswerIsTallerThanAScreen(t *testing.T) {
	_, events, _ := play(t, func(*approval.Proposal) bool { return true })
	if rows := rows(events, 2); rows < 40 || rows > 62 {
		t.Errorf("%d rows at 80 columns, want 40 to 60 and a little", rows)
	}
}

// rows returns about how many rows of 80 columns the n-th message of the model has.
func rows(events []agent.Event, n int) (rows int) {
	var said strings.Builder
	for _, e := range events {
		if text, ok := e.(agent.Text); ok && n == 0 {
			said.WriteString(text.Delta)
		}
		if _, ok := e.(agent.MessageEnd); ok {
			n--
		}
	}
	for line := range strings.SplitSeq(said.String(), "\n") {
		rows += max(1, (width.Model{}.String(line)+79)/80)
	}
	return rows
}

func TestTheProgramsOfTheDemoAreFormatted(t *testing.T) {
	for _, name := range []string{"seed/tides.go.txt", "proposed/tides.go.txt"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if formatted, err := format.Source(text); err != nil || string(formatted) != string(text) {
			t.Errorf("%s: not as gofmt writes it (%v)", name, err)
		}
	}
}

func TestAWorkspaceIsNeverOneThatIsThere(t *testing.T) {
	dir := t.TempDir()
	random := bytes.NewReader([]byte{0x7f, 0x2a, 0x7f, 0x2a, 0, 1})
	first, err := demo.NewWorkspace(dir, random)
	if err != nil || filepath.Base(first) != "agentshell-demo-7f2a" {
		t.Fatal(first, err)
	}
	if second, err := demo.NewWorkspace(dir, random); err != nil || filepath.Base(second) != "agentshell-demo-0001" {
		t.Error(second, err)
	}
	if third, err := demo.NewWorkspace(dir, random); err == nil {
		t.Error("without random:", third)
	}
	if info, err := os.Stat(first); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info.Mode(), err)
	}
}
