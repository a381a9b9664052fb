// Package hook runs the user's hook programs. They are asked about a tool call before anybody
// decides on it, about the result of a call, and about a turn that has ended.
//
// A hook reads one JSON object and may print one. It can deny a call, and it can add a text for the
// model. It cannot allow a call: if the hook does not deny it, the call is decided as usual. If a
// hook fails, the call that it was asked about is denied.
package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// When says on which event a hook is asked.
type When string

const (
	Before When = "before_tool" // the hook is asked before anybody decides on a call
	After  When = "after_tool"  // the hook is asked after a call has run
	End    When = "turn_end"    // the hook is asked at the end of a turn, unless the turn was stopped
)

// Hook is a program of the user that is asked about calls or turns. It is started without a shell.
type Hook struct {
	On      When
	Tools   []string // the names of the tools whose calls it is asked about; empty: all tools
	Command []string
	Timeout time.Duration
}

// Name returns the base name of the program, which is shown on the screen.
func (h Hook) Name() string { return filepath.Base(h.Command[0]) }

// matches reports whether the hook has to be asked question q. A hook for the tool edit_file is
// also asked about the tool edit.
func (h Hook) matches(q Question) bool {
	return h.On == q.On && (h.On == End || len(h.Tools) == 0 || slices.Contains(h.Tools, q.Tool) ||
		q.Tool == "edit" && slices.Contains(h.Tools, "edit_file"))
}

// Question is the JSON object that a hook reads from its standard input. Its texts come from a
// model or a tool and are untrusted.
type Question struct {
	On        When   `json:"event"`
	Workspace string `json:"workspace"`
	// the id of the call, distinct within one message of the model
	Call    string          `json:"call,omitempty"`
	Tool    string          `json:"tool,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Path    string          `json:"path,omitempty"`    // for a file tool: the path relative to the workspace
	Command string          `json:"command,omitempty"` // for bash: the command line
	OK      bool            `json:"ok,omitempty"`      // for After: the call did not fail
	// for After: the beginning of the result that the model gets
	Result string `json:"result,omitempty"`
	Reason string `json:"reason,omitempty"` // for End: done, limit or error
}

// Answer combines the answers of all hooks to one question.
type Answer struct {
	Denied   bool
	Reason   string   // the name of the hook that denied the call, and its reason
	Texts    []string // texts for the model, each with the name of its hook
	Problems []string // sentences about hooks that failed
}

// Limits in bytes on what is sent to a hook and read from it.
const (
	maxResult = 64 << 10
	maxOutput = 64 << 10
	maxText   = 16 << 10
)

// Runner runs hooks. The zero value has none.
type Runner struct {
	Hooks []Hook
	Dir   string   // the workspace directory, in which hooks run
	Env   []string // environment variables for hooks, without secrets
	// Run runs a program and waits for its end. When ctx ends, it stops the program and all
	// processes that it has started.
	Run func(ctx context.Context, cmd *exec.Cmd) error
	// Programs finds the file of a program; nil: the PATH of this process is searched.
	Programs *child.Programs
	// Inside reports whether a file lies in the workspace. Programs and arguments of hooks must
	// not, because other people can change files there; nil: nothing counts as inside.
	Inside func(path string) bool
}

// Ask asks all hooks that match q, one after the other, until one denies the call. It returns early
// when ctx ends.
func (r Runner) Ask(ctx context.Context, q Question) (a Answer) {
	q.Workspace = r.Dir
	if len(q.Result) > maxResult {
		q.Result = width.Head(q.Result, maxResult)
	}
	if !json.Valid(q.Input) {
		text, _ := json.Marshal(string(q.Input)) // of a broken call
		q.Input = text
	}
	for _, h := range r.Hooks {
		if !h.matches(q) || ctx.Err() != nil {
			continue
		}
		decision, err := r.askOne(ctx, h, q)
		switch {
		case ctx.Err() != nil:
		case err != nil && q.On == Before:
			a.Denied, a.Reason = true, fmt.Sprintf("%s failed, so the call was not made: %v", h.Name(), err)
			return a
		case err != nil:
			a.Problems = append(a.Problems, fmt.Sprintf("The hook %s failed: %v.", h.Name(), err))
			continue
		case decision.Decision == deny && q.On == Before:
			a.Denied, a.Reason = true, strings.TrimSuffix(h.Name()+": "+decision.Reason, ": ")
			return a
		}
		if text := strings.TrimSpace(decision.Text); text != "" {
			if len(text) > maxText {
				text = width.Head(text, maxText) + "\n[cut]"
			}
			a.Texts = append(a.Texts, fmt.Sprintf("[hook %s] %s", h.Name(), text))
		}
	}
	return a
}

const (
	allow = "allow"
	deny  = "deny"
)

// decision is the JSON object that a hook prints.
type decision struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Text     string `json:"text"`
}

// Broken returns a text for each hook whose program cannot run: the reason, and the consequence.
func (r Runner) Broken() (list []string) {
	for _, h := range r.Hooks {
		_, err := r.findProgram(h)
		if err == nil {
			continue
		}
		calls := "every call"
		if len(h.Tools) > 0 {
			calls += " of " + strings.Join(h.Tools, ", ")
		}
		text := fmt.Sprintf("The hook %s (%s) cannot run: %v.", h.Name(), h.On, err)
		if h.On == Before {
			text = fmt.Sprintf("The hook %s denies %s, because it cannot run: %v.", h.Name(), calls, err)
		}
		if errors.Is(err, child.ErrInside) {
			text += " Move it, or start in another directory."
		}
		list = append(list, text)
	}
	return list
}

// findProgram returns the path of a hook's program.
func (r Runner) findProgram(h Hook) (string, error) {
	return r.Programs.Find(h.Command, r.Dir, r.Inside)
}

// askOne asks one hook. If its output is not a valid decision, askOne returns an error.
func (r Runner) askOne(ctx context.Context, h Hook, q Question) (d decision, err error) {
	program, err := r.findProgram(h)
	if err != nil {
		return d, err
	}
	input, err := json.Marshal(q)
	if err != nil {
		return d, err
	}
	limited, cancel := context.WithTimeout(ctx, h.Timeout)
	defer cancel()
	cmd := exec.Command(program, h.Command[1:]...)
	cmd.Args[0] = h.Command[0]
	cmd.Dir, cmd.Env = r.Dir, child.SafeEnviron(r.Env, h.Command)
	cmd.Stdin = bytes.NewReader(append(input, '\n'))
	out, stderr, err := child.Output(limited, r.Run, cmd, maxOutput+1)
	switch {
	case limited.Err() != nil:
		return d, fmt.Errorf("it took longer than %v", h.Timeout)
	case err != nil:
		return d, errors.Join(err, child.FirstLine(stderr))
	case len(out) > maxOutput:
		return d, fmt.Errorf("it printed more than %d bytes", maxOutput)
	}
	return parseDecision(out)
}

// parseDecision parses the output of a hook. Empty output means that the call is decided as usual.
func parseDecision(out []byte) (d decision, err error) {
	if len(bytes.TrimSpace(out)) == 0 {
		return decision{Decision: allow}, nil
	}
	if !utf8.Valid(out) {
		return d, errors.New("it printed what is no UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return decision{}, fmt.Errorf("it printed what is no decision: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return decision{}, errors.New("it printed more than one decision")
	}
	switch d.Decision {
	case "", allow:
		if d.Reason != "" {
			return decision{}, errors.New("it gave a reason without the decision deny")
		}
	case deny:
	default:
		return decision{}, fmt.Errorf("there is no decision %q, only allow and deny", d.Decision)
	}
	return d, nil
}
