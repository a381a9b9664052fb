// Package headless runs the agent without drawing on a screen: [Print] answers one prompt as text
// or JSON, [Plain] runs a conversation as plain text, and [Driven] lets another program lead one.
//
// Print asks nobody, so its agent has no approver, and calls that no rule allows are denied (SH-7,
// HARN-10). It prints the answer to the standard output and everything else to the standard error.
package headless

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// Exit codes of the agentshell binary; docs/headless.md explains them.
const (
	// The turn is complete.
	ExitDone = 0
	// The model or agentshell failed.
	ExitError = 1
	// The command line or the configuration is wrong.
	ExitUsage = 2
	// A scripted model did not get the requests that its script expects.
	ExitScript = 3
	// The turn is complete, but at least one tool call was denied.
	ExitDenied = 4
	// A limit stopped the turn.
	ExitLimit = 5
	// The model refused to answer, or the provider's filter cut the answer.
	ExitRefused = 6
	// The user or a signal stopped the turn.
	ExitInterrupted = 130
)

// ErrNoReader is the cause of a context that is cancelled because nobody reads the standard output
// any more.
var ErrNoReader = errors.New("nobody reads the output any more")

// precedence lists the exit codes of failures, the most important one first.
var precedence = [...]int{ExitInterrupted, ExitScript, ExitError, ExitLimit, ExitRefused, ExitDenied}

// worstCode returns the most important of several exit codes, by precedence. Without a failure it
// is ExitDone.
func worstCode(codes ...int) int {
	for _, p := range precedence {
		for _, c := range codes {
			if c == p {
				return c
			}
		}
	}
	return ExitDone
}

// exitCode returns the exit code for a turn of the agent that has ended with end. A turn that was
// stopped by a limit counts as failed, because the task is not finished.
func exitCode(end agent.TurnEnd) int {
	switch end.Reason {
	case agent.Interrupted:
		return ExitInterrupted
	case agent.Mismatch:
		return ExitScript
	case agent.Failed:
		return ExitError
	case agent.Limit:
		if end.Limit == agent.Refusal || end.Limit == agent.Filter {
			return ExitRefused
		}
		return ExitLimit
	}
	if end.Denied > 0 {
		return ExitDenied
	}
	return ExitDone
}

// say writes one line of agentshell's own messages to w. The arguments may be untrusted: control
// characters are made visible.
func say(w io.Writer, format string, args ...any) {
	line, _ := visible.Options{Newline: true, Tab: true, ASCII: true}.String(fmt.Sprintf(format, args...))
	_, _ = io.WriteString(w, strings.TrimRight(line, "\n")+"\n")
}

// limitTexts says for each limit, in a clause for the user, why the turn was stopped.
var limitTexts = map[agent.Bound]string{
	agent.Steps:   "the model was asked as often as max_steps or --max-turns allows",
	agent.Length:  "the answer was cut by its length",
	agent.Window:  "the answer was cut because the conversation fills what the model holds",
	agent.Refusal: "the model refused to answer",
	agent.Filter:  "the provider's content filter cut the answer",
	agent.Cost:    "the session has cost what max_cost or --max-cost allows",
	agent.Tokens:  "the session has taken as many tokens as --max-tokens allows",
	agent.Time:    "the time of --timeout is up",
}

// reportEnd writes a line to w that says why a turn has ended, unless the turn has ended without a
// problem.
func reportEnd(w io.Writer, end agent.TurnEnd) {
	switch end.Reason {
	case agent.Failed, agent.Mismatch:
		say(w, "agentshell: %v", end.Err)
		var e *provider.Error
		if errors.As(end.Err, &e) && e.Advice != "" {
			say(w, "%s", e.Advice)
		}
	case agent.Limit:
		say(w, "agentshell: stopped: %s", limitTexts[end.Limit])
	case agent.Interrupted:
		say(w, "agentshell: interrupted")
	}
}

// visibleWriter writes untrusted text line by line, and makes control characters visible. It
// buffers a line until the line is complete, because a character may change the meaning of the one
// before it. Close writes the rest of the buffer.
type visibleWriter struct {
	w     io.Writer
	exact bool // The text is written byte for byte, without making control characters visible.
	// The incomplete line.
	held  strings.Builder
	lines int // The number of writes to w since the beginning of the model's message.
	err   error
}

// Write adds p to the buffer, and writes the lines that are complete.
func (w *visibleWriter) Write(p []byte) (int, error) {
	w.held.Write(p)
	text := w.held.String()
	end := strings.LastIndexByte(text, '\n') + 1
	if end > 0 {
		w.held.Reset()
		w.held.WriteString(text[end:])
		w.flush(text[:end])
	}
	return len(p), w.err
}

// drop empties the buffer. It reports whether anything of the current message has been written.
func (w *visibleWriter) drop() bool {
	w.held.Reset()
	return w.lines > 0
}

// Close writes the rest of the buffer. It does not close w.
func (w *visibleWriter) Close() error {
	text := w.held.String()
	w.held.Reset()
	w.flush(text)
	return w.err
}

// flush writes text to w, with control characters made visible.
func (w *visibleWriter) flush(text string) {
	if w.err != nil || text == "" {
		return
	}
	w.lines++
	if !w.exact {
		text, _ = visible.Options{Newline: true, Tab: true, Joiners: true}.String(text)
	}
	_, w.err = io.WriteString(w.w, text)
}
