package headless

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// transcript writes the events of turns as plain text, without any escape sequence. It is safe for
// several goroutines: the lines that one call writes are not mixed with those of another one.
type transcript struct {
	mu      sync.Mutex
	w       io.Writer
	inWords bool // Diffs say "added" and "removed" in words, because a screen reader may not read signs aloud.
	open    bool // The last byte that was written is not a newline, so that the line has to be ended first.
	// Writes the model's message line by line; nil between messages.
	text *visibleWriter
	err  error
}

// event writes an event of a turn of the main agent.
func (t *transcript) event(e agent.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e := e.(type) {
	case agent.Text:
		if t.text == nil {
			t.text = &visibleWriter{w: t.w}
		}
		_, _ = io.WriteString(t.text, e.Delta)
		if e.Delta != "" {
			t.open = !strings.HasSuffix(e.Delta, "\n")
		}
	case agent.MessageEnd:
		t.endLine()
	case agent.Retry:
		t.write("! " + e.Line())
	case agent.Retracted:
		t.write("! " + e.Line())
	case agent.TextWasThinking:
		t.write("* " + e.Line())
	case agent.Compacted:
		t.write("* " + e.Line())
	case agent.Reported:
		t.write("* " + e.Line())
	case agent.JobsEnded:
		t.write("* " + e.Line())
	case agent.Notice:
		t.write("! " + e.Text)
	case agent.ToolEnd:
		t.writeCall(e)
	}
}

// writeCall writes a tool call that has ended, and the diff of the change that it made. If the user
// has approved the change, the diff was already shown with the question and is left out.
func (t *transcript) writeCall(e agent.ToolEnd) {
	glyph := "*"
	switch {
	case e.Proposal != nil && e.OK:
		glyph = "+"
	case e.Kind == agent.KindDenied:
		glyph = "x"
	case !e.OK:
		glyph = "!"
	}
	head := glyph + " " + e.Title
	switch {
	case e.OK && e.Result.Summary != "":
		head += "  " + e.Result.Summary
	case e.Kind == agent.KindDenied:
		head += "  denied"
		if e.Decision.Reason != "" {
			head += ": " + e.Decision.Reason
		}
	case !e.OK:
		head += "  " + firstLine(e.Text)
	}
	t.write(head)
	if e.Proposal != nil && e.Decision.By != "person" {
		t.writeDiff(e.Proposal.Diff)
	}
	if e.OK && !tool.Quiet(e.Name) && e.Result.Detail != "" {
		for l := range strings.SplitSeq(strings.TrimRight(e.Result.Detail, "\n"), "\n") {
			t.write(l)
		}
	}
}

// writeDiff writes all hunks of d as a unified diff without its header or, with inWords, as
// sentences. The CR of a CRLF is shown as a visible token.
func (t *transcript) writeDiff(d diff.Diff) {
	for i, h := range d.Hunks {
		if t.inWords {
			t.write(fmt.Sprintf("change %d of %d, at line %d:", i+1, len(d.Hunks), max(h.OldStart, h.NewStart)))
		} else {
			t.write(fmt.Sprintf("@@ -%d,%d +%d,%d @@", h.OldStart, h.OldLines, h.NewStart, h.NewLines))
		}
		for _, l := range h.Lines {
			text := l.Text + strings.TrimSuffix(l.End, "\n")
			if !t.inWords {
				t.write(string(rune(l.Op)) + text)
			} else {
				name, number := "line", l.New
				switch l.Op {
				case diff.Insert:
					name = "added"
				case diff.Delete:
					name, number = "removed", l.Old
				}
				t.write(fmt.Sprintf("%s %d: %s", name, number, text))
			}
			if l.End == "" {
				t.write(`\ No newline at end of file`)
			}
		}
	}
}

// writeLine writes one line of untrusted text, with control characters made visible.
func (t *transcript) writeLine(s string) { t.doLocked(func() { t.write(s) }) }

// writeLines writes several lines of untrusted text, with control characters made visible.
func (t *transcript) writeLines(s string) {
	t.doLocked(func() {
		for l := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
			t.write(l)
		}
	})
}

// doLocked calls f with the lock, so that no other goroutine writes meanwhile.
func (t *transcript) doLocked(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
}

// endTurn writes a blank line at the end of a turn. With bell it also rings the terminal's bell,
// for a user who looks at something else.
func (t *transcript) endTurn(bell bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.endLine()
	if bell {
		t.writeRaw("\a")
	}
	t.writeRaw("\n")
}

// writePrompt writes the untrusted text s without a newline. The user types the answer after it.
func (t *transcript) writePrompt(s string) {
	s, _ = visible.Line(s)
	t.doLocked(func() { t.writeRaw(s) })
}

// endOpenLine ends a line that has no newline yet.
func (t *transcript) endOpenLine() { t.doLocked(t.endLine) }

// markLineEnded records that the user has pressed Enter, so that the terminal's cursor is at the
// beginning of a line.
func (t *transcript) markLineEnded() { t.doLocked(func() { t.open = false }) }

// failed reports whether a write to the output has failed.
func (t *transcript) failed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err != nil
}

// What follows wants t.mu.

// write writes one line of untrusted text. The caller must hold t.mu.
func (t *transcript) write(s string) {
	t.endLine()
	s, _ = visible.Options{Tab: true}.String(s)
	t.writeRaw(s + "\n")
}

// endLine ends a line that has no newline yet. The caller must hold t.mu.
func (t *transcript) endLine() {
	if t.text != nil {
		if err := t.text.Close(); t.err == nil {
			t.err = err
		}
		t.text = nil
	}
	if t.open {
		t.writeRaw("\n")
	}
}

// writeRaw writes s unchanged. The caller must hold t.mu.
func (t *transcript) writeRaw(s string) {
	_, err := io.WriteString(t.w, s)
	if t.err == nil {
		t.err = err
	}
	t.open = !strings.HasSuffix(s, "\n") && s != "\a"
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
