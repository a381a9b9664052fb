package shell

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestThePagerShowsAllOutputAndLeavesTheTranscriptAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := beginLogged(t, tuitest.Config{Cols: 60, Rows: 20}, nil,
			`{"tool_calls":[{"id":"1","name":"bash","input":{"command":"seq 100; printf 'a\\033[31mb\\n'"}}],`+
				`"delay_ms":0}`,
			`{"tool_calls":[{"id":"2","name":"bash","input":{"command":"echo second"}}],"delay_ms":0}`,
			`{"say":"Done.","delay_ms":0}`)
		s.Press("ctrl+o")
		s.Settle()
		if v := s.Visible(); !strings.Contains(v, "no call has given any output yet") {
			t.Errorf("without output:\n%s", v)
		}
		s.send("go")
		s.Type("y")
		s.pass(3 * time.Second)
		s.Type("y")
		s.pass(3 * time.Second)
		before := s.tape()
		sees := func(keys []string, want ...string) {
			t.Helper()
			s.Press(keys...)
			s.Settle()
			v := s.Visible()
			for _, w := range want {
				if !strings.Contains(v, w) {
					t.Errorf("after %q there is no %q in\n%s", keys, w, v)
				}
			}
			if n := strings.Count(v, "\n") + 1; n > 20 {
				t.Errorf("%d rows", n)
			}
		}
		sees([]string{"ctrl+o"}, "second", "call 2 of 2", "q closes")
		sees([]string{"["}, "seq 100", "1-18 of 101", "call 1 of 2")
		sees([]string{"["}, "call 1 of 2") // there is none before it
		sees([]string{"G"}, "100", "ab", "101, 100%")
		if v := s.Visible(); strings.ContainsRune(v, 0x1b) {
			t.Errorf("a control reached the terminal:\n%q", v)
		}
		sees([]string{"g"}, "1-18 of 101")
		sees([]string{"/", "9", "enter"}, "match 1 of ")
		sees([]string{"n"}, "match 2 of ")
		sees([]string{"N"}, "match 1 of ")
		sees([]string{"]"}, "second", "call 2 of 2")
		sees([]string{"x", "enter"}, "call 2 of 2") // nothing reaches the prompt
		s.Press("q")
		s.pass(time.Second)
		if got := s.tape(); got != before || s.sh.editor.Text() != "" {
			t.Errorf("the transcript was\n%s\nand is\n%s\nprompt %q", before, got, s.sh.editor.Text())
		}
	})
}

func TestThePagerFollowsACallThatRuns(t *testing.T) {
	c := &call{title: "bash make"}
	sh := &Shell{}
	sh.addPaged(&paged{title: c.title, live: c})
	p := &pager{calls: sh.pagerCalls}
	p.show(0)
	at := tui.Space{Width: 60, Height: 6}
	rows := func() string { return strings.Join(plainRows(p.View(at).Lines), "\n") }
	key := func(r rune) { p.HandleEvent(tui.Key{Code: r}, at) }
	c.appendOutput(strings.Repeat("old\n", 10) + "new\n")
	if got := rows(); !strings.Contains(got, "new") || !strings.Contains(got, "running") ||
		p.View(at).RefreshAfter <= 0 {
		t.Errorf("while it runs:\n%s", got)
	}
	key('g')
	rows()
	c.appendOutput("newer\n")
	if got := rows(); strings.Contains(got, "newer") || !strings.Contains(got, "1-4 of 12") {
		t.Errorf("a reader was moved:\n%s", got)
	}
	key('G')
	c.appendOutput("newest\n")
	if got := rows(); !strings.Contains(got, "newest") {
		t.Errorf("G does not follow:\n%s", got)
	}
	sh.setPagedResult(c, agent.ToolEnd{Kind: agent.KindInterrupted, Text: "interrupted"})
	if got := rows(); !strings.Contains(got, "newest") || strings.Contains(got, "interrupted") ||
		strings.Contains(got, "running") || p.View(at).RefreshAfter != 0 {
		t.Errorf("at its end:\n%s", got)
	}
}

func TestThePagerKeepsABoundedAmount(t *testing.T) {
	sh := &Shell{}
	for range 3 * pagedCalls {
		sh.setPagedResult(nil,
			agent.ToolEnd{OK: true, Title: "x", Result: tool.Result{Detail: strings.Repeat("é", pagedBytes)}})
	}
	sum := 0
	for _, p := range sh.pagerCalls {
		if !p.truncated || !strings.HasPrefix(p.text, "é") {
			t.Fatalf("cut %v, begins with %q", p.truncated, p.text[:2])
		}
		sum += len(p.text)
	}
	if len(sh.pagerCalls) != pagedCalls || sum > pagedCalls*pagedBytes {
		t.Errorf("%d calls, %d bytes", len(sh.pagerCalls), sum)
	}
}
