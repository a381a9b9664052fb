package shell

import (
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// Not every terminal shows the dim attribute, and without colours nothing else would tell.
func TestNothingDependsOnTheDimAttributeAlone(t *testing.T) {
	for _, caps := range []tui.Caps{{}, {Color: 16}, {Color: 16, Dark: true}} {
		s := tui.Space{Width: 80, Height: 24, Theme: tui.NewTheme(caps)}
		said := func(dim bool) string {
			d := markdown.Document{Dim: dim}
			_, _ = d.Write([]byte("Fine.\n\nAll tests pass.\n"))
			return strings.Join(plainRows(d.View(s).Lines), "\n")
		}
		if got := said(true); got != "| Fine.\n|\n| All tests pass." {
			t.Errorf("%+v: thoughts are\n%s\nan answer is\n%s", caps, got, said(false))
		}
		out := plainRows(endedCall(agent.ToolEnd{Title: "bash x", OK: true,
			Result: tool.Result{Detail: "a\n\nAll tests pass.\n"}}).View(s).Lines)
		if strings.Join(out, "\n") != "* bash x\na\n-\nAll tests pass." {
			t.Errorf("%+v: output with an empty line reads\n%s", caps, strings.Join(out, "\n"))
		}
		said1 := diffview.New([]diffview.Row{{Kind: diffview.Added, Text: "a [no newline at end]"}}).Lines(s)
		said2 := diffview.New([]diffview.Row{{Kind: diffview.Added, Text: "a", Mark: "no newline at end"}}).Lines(s)
		last := func(lines []tui.Line) tui.Style { return lines[0].Spans[len(lines[0].Spans)-1].Style }
		if last(said1).Attr&tui.Inverse == last(said2).Attr&tui.Inverse {
			t.Errorf("%+v: a mark looks like the text of a line", caps)
		}
	}
	for _, caps := range []tui.Caps{{Color: 256}, {Color: 256, Dark: true}, {Color: 1 << 24, Dark: true}} {
		if look := tui.NewTheme(caps); look.Dim.Fg == 0 || look.Dim.Attr&tui.Faint != 0 {
			t.Errorf("%+v: dim is %+v", caps, look.Dim)
		}
	}
}

// The keys of a pane stand in brackets when they work, and in parentheses before. The row keeps its
// width.
func TestKeysThatDoNotWorkYetHaveNoBrackets(t *testing.T) {
	flagged := edit(3)
	flagged.Flags = []approval.Flag{{Name: approval.FlagRunsCode, Text: "x"}}
	for _, c := range []struct {
		prop                    *approval.Proposal
		resting, early, working string
	}{
		{edit(3), "(y)es  (n)o  (r)eason  (v)iew  (f)ull  (?)", "(y)es  [n]o  [r]eason  [v]iew  [f]ull  [?]",
			"[y]es  [n]o  [r]eason  [v]iew  [f]ull  [?]"},
		{flagged, "wait, then press Y  (n)o  (r)eason  (v)iew  (f)ull  (?)",
			"wait, then press Y  [n]o  [r]eason  [v]iew  [f]ull  [?]",
			"press Y to approve  [n]o  [r]eason  [v]iew  [f]ull  [?]"},
	} {
		d := open(t, c.prop, 80, 24)
		for i, want := range []string{c.resting, c.early, c.working} {
			d.after(time.Duration(min(i, 1)) * 500 * time.Millisecond)
			rows := d.rows()
			if got := strings.TrimRight(rows[len(rows)-1], " "); got != want {
				t.Errorf("step %d: the row is %q, want %q", i, got, want)
			}
		}
	}
}

// The command is what the pane of a command is about: bold, and no other row of the body is.
func TestTheCommandIsTheMostProminentRowOfItsPane(t *testing.T) {
	p := &approval.Proposal{Tool: "bash",
		Payload: approval.Command{Command: "go test ./...\n\techo " + strings.Repeat("x", 90), TimeoutS: 120,
			Note: "a note"}}
	for _, caps := range []tui.Caps{{}, {Color: 16}, {Color: 256, Dark: true}} {
		rows, _ := mainView(p)
		for _, l := range addColours(diffview.New(rows), p).Lines(tui.Space{Width: 80, Theme: tui.NewTheme(caps)}) {
			text := plainText(l)
			strong := l.Spans[len(l.Spans)-1].Style.Attr&tui.Bold != 0
			if command := strings.HasPrefix(text, " "); strong != command {
				t.Errorf("%+v: %q is bold: %v", caps, text, strong)
			}
			if strings.HasPrefix(strings.TrimLeft(text, " ~"), "xxx") && !strings.HasPrefix(text, " ~") {
				t.Errorf("a row that goes on has no mark: %q", text)
			}
		}
	}
}

// What stays of a change has the rows that its pane had (PANE-9).
func TestTheRecordOfAChangeLooksLikeItsPane(t *testing.T) {
	p := write(t, []byte("a\n\tb\n\nc\n"), "a\n\tB "+strings.Repeat("long ", 40)+"\n\nc\n")
	for _, width := range []int{30, 50, 80, 120} {
		s := tui.Space{Width: width, Height: 100, Theme: tui.NewTheme(tui.Caps{Color: 256, Dark: true, Unicode: true})}
		rows, _ := mainView(p)
		pane := addColours(diffview.New(rows), p).View(s).Lines
		record := diffExcerpt(p, approvedRows, 0, s)
		if len(pane) != len(record) {
			t.Fatalf("%d columns: the pane has %d rows, the record %d", width, len(pane), len(record))
		}
		for i := range pane {
			got, want := plainText(record[i]), plainText(pane[i])
			if got != want && (strings.TrimRight(want, " ") != got || strings.ContainsAny(got, "abc")) {
				t.Errorf("%d columns: %q, and in the pane %q", width, got, want)
			}
		}
	}
}
