// Package headless runs the agent without a screen: one prompt as text or JSON events ([Print]), or
// line by line as plain text ([Plain]).
//
// Nobody can be asked here, so the agent has no approver, and what no rule allows is denied (SH-7,
// HARN-10). The answer goes to the standard output and everything else to the standard error.
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

// Exit codes of the binary; docs/headless.md lists them.
const (
	ExitDone        = 0
	ExitError       = 1
	ExitUsage       = 2
	ExitScript      = 3
	ExitDenied      = 4
	ExitLimit       = 5
	ExitRefused     = 6
	ExitInterrupted = 130
)

// ErrNoReader is the cause with which a context ends because nobody reads the output any more.
var ErrNoReader = errors.New("nobody reads the output any more")

// precedence lists the exit codes, the most important one first.
var precedence = [...]int{ExitInterrupted, ExitScript, ExitError, ExitLimit, ExitRefused, ExitDenied}

// worstCode returns the most important of several exit codes.
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

// exitCode returns the exit code of a turn. A turn that ended at a limit has not done what it was
// asked.
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

// say writes one line of this program. The arguments may be untrusted.
func say(w io.Writer, format string, args ...any) {
	line, _ := visible.Options{Newline: true, Tab: true, ASCII: true}.String(fmt.Sprintf(format, args...))
	_, _ = io.WriteString(w, strings.TrimRight(line, "\n")+"\n")
}

// limitTexts says of each limit why a turn ended there.
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

// reportEnd writes to w why a turn ended, unless it ended well.
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

// visibleWriter writes untrusted text line by line, with every control made visible. It holds a
// line until its end is known, because a character may change the meaning of the one before it.
// Close writes what is held.
type visibleWriter struct {
	w     io.Writer
	exact bool // nothing is made visible
	held  strings.Builder
	lines int // the number of writes so far
	err   error
}

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

// drop forgets what is held, and reports whether anything was written.
func (w *visibleWriter) drop() bool {
	w.held.Reset()
	return w.lines > 0
}

func (w *visibleWriter) Close() error {
	text := w.held.String()
	w.held.Reset()
	w.flush(text)
	return w.err
}

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
