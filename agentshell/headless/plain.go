package headless

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/diff"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// MaxLine is the longest line that Plain reads, in bytes.
const MaxLine = 10 << 20

// Plain is the shell for what is no terminal, or a dumb one: each line read is a message, everything written is text that is only ever added
// to. It writes no escape sequence.
type Plain struct {
	Agent  *agent.Agent // without an approver
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Hello  string // the first line; "" for none
	Prompt bool   // write "> " before each line: a person is typing
}

// Run reads until the input ends, "/quit", or the context does. The code is the worst of the turns' codes, and ExitDone if a person was typing.
func (p Plain) Run(ctx context.Context) int {
	out := &transcript{w: p.Stdout}
	if p.Hello != "" {
		out.line(p.Hello)
	}
	result := ExitDone
	lines := readLines(p.Stdin)
	for {
		if p.Prompt {
			out.raw("> ")
		}
		var line string
		select {
		case <-ctx.Done():
			out.fresh()
			return worst(result, ExitInterrupted)
		case read, open := <-lines:
			if !open {
				out.fresh()
				return p.code(worst(result, out.code()))
			}
			if read.err != nil {
				say(p.Stderr, "scrollkeep: cannot read the input: %v", read.err)
				return worst(result, ExitError)
			}
			line = strings.TrimSpace(read.text)
			out.open = false // the terminal echoed the newline
		}
		switch line {
		case "":
			continue
		case "/quit", "/exit":
			return p.code(worst(result, out.code()))
		}
		if !p.Prompt {
			out.line("> " + line)
		}
		_ = p.Agent.Turn(ctx, line, func(e agent.Event) {
			if e, ok := e.(agent.TurnEnd); ok {
				result = worst(result, code(e))
				out.fresh()
				problem(p.Stderr, e)
				return
			}
			out.event(e)
		})
		out.blank()
		if out.err != nil {
			return worst(result, ExitError)
		}
	}
}

func (p Plain) code(c int) int {
	if p.Prompt {
		return ExitDone
	}
	return c
}

type lineRead struct {
	text string
	err  error
}

// readLines reads on a goroutine of its own, so that a stop does not wait for a line. The goroutine ends with the input.
func readLines(r io.Reader) <-chan lineRead {
	lines := make(chan lineRead)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(r)
		s.Buffer(nil, MaxLine)
		for s.Scan() {
			lines <- lineRead{text: s.Text()}
		}
		if err := s.Err(); err != nil {
			if errors.Is(err, bufio.ErrTooLong) {
				err = fmt.Errorf("a line is longer than %d bytes", MaxLine)
			}
			lines <- lineRead{err: err}
		}
	}()
	return lines
}

// transcript writes the events of turns as plain text, every byte of it harmless.
type transcript struct {
	w    io.Writer
	open bool // the last byte was no newline
	text *sieve
	err  error
}

func (t *transcript) event(e agent.Event) {
	switch e := e.(type) {
	case agent.Text:
		if t.text == nil {
			t.text = &sieve{w: t.w}
		}
		_, _ = io.WriteString(t.text, e.Delta)
		if e.Delta != "" {
			t.open = !strings.HasSuffix(e.Delta, "\n")
		}
	case agent.MessageEnd:
		t.fresh()
	case agent.Retry:
		t.fresh()
		t.line(fmt.Sprintf("! %v; trying again in %v (attempt %d of %d)", e.Err, e.Wait, e.Attempt, e.Of))
	case agent.ToolEnd:
		t.fresh()
		t.tool(e)
	}
}

func (t *transcript) tool(e agent.ToolEnd) {
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
	t.line(head)
	if e.Proposal != nil {
		t.diff(e.Proposal.Diff)
	}
	if e.OK && e.Result.Detail != "" {
		t.lines(e.Result.Detail)
	}
}

// diff writes the hunks, as a unified diff without its header; the CR of a CRLF is a visible token.
func (t *transcript) diff(d diff.Diff) {
	for _, h := range d.Hunks {
		t.line(fmt.Sprintf("@@ -%d,%d +%d,%d @@", h.OldStart, h.OldLines, h.NewStart, h.NewLines))
		for _, l := range h.Lines {
			t.line(string(rune(l.Op)) + l.Text + strings.TrimSuffix(l.End, "\n"))
			if l.End == "" {
				t.line(`\ No newline at end of file`)
			}
		}
	}
}

// line writes one line of untrusted text.
func (t *transcript) line(s string) {
	t.fresh()
	s, _ = visible.Options{Tab: true}.String(s)
	t.raw(s + "\n")
}

func (t *transcript) lines(s string) {
	for l := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		t.line(l)
	}
}

// fresh ends a line that is open.
func (t *transcript) fresh() {
	if t.text != nil {
		if err := t.text.Close(); t.err == nil {
			t.err = err
		}
		t.text = nil
	}
	if t.open {
		t.raw("\n")
	}
}

func (t *transcript) blank() { t.fresh(); t.raw("\n") }

func (t *transcript) raw(s string) {
	_, err := io.WriteString(t.w, s)
	if t.err == nil {
		t.err = err
	}
	t.open = !strings.HasSuffix(s, "\n")
}

// code is ExitError when the output could not be written.
func (t *transcript) code() int {
	if t.err != nil {
		return ExitError
	}
	return ExitDone
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
