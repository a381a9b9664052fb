// Package hook asks programs of the person's what they think of a tool call before it is decided,
// of its result, and of a turn that has ended.
//
// A hook reads one JSON object and may print one. It can forbid a call and add a text for the
// model; it can allow nothing: what it does not forbid is asked as ever. One that fails forbids the
// call that it was asked about.
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

// When says when a hook is asked.
type When string

const (
	Before When = "before_tool" // before a call is decided
	After  When = "after_tool"  // after a call that ran
	End    When = "turn_end"    // of a turn that was not stopped
)

// Hook is one program. It runs without a shell.
type Hook struct {
	On      When
	Tools   []string // whose calls; none: all
	Command []string
	Timeout time.Duration
}

// Name returns the program's name for the screen.
func (h Hook) Name() string { return filepath.Base(h.Command[0]) }

// about reports whether the hook is asked of q. One that is about edit_file is about edit.
func (h Hook) about(q Question) bool {
	return h.On == q.On && (h.On == End || len(h.Tools) == 0 || slices.Contains(h.Tools, q.Tool) ||
		q.Tool == "edit" && slices.Contains(h.Tools, "edit_file"))
}

// Question is what a hook reads. Texts come from a model or a tool and are untrusted.
type Question struct {
	On        When            `json:"event"`
	Workspace string          `json:"workspace"`
	Call      string          `json:"call,omitempty"` // its id, distinct within one message of the model
	Tool      string          `json:"tool,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	Path      string          `json:"path,omitempty"`    // of a file tool, relative to the workspace
	Command   string          `json:"command,omitempty"` // of bash
	OK        bool            `json:"ok,omitempty"`      // After: it did not fail
	Result    string          `json:"result,omitempty"`  // After: the beginning of what the model gets
	Reason    string          `json:"reason,omitempty"`  // End: done, limit, error
}

// Answer is what the hooks say together.
type Answer struct {
	Denied   bool
	Reason   string   // of a denial: which hook, and why
	Said     []string // texts for the model, with the name of the hook
	Problems []string // hooks that failed
}

// Bounds of what is sent and taken, in bytes.
const (
	maxResult = 64 << 10
	maxOutput = 64 << 10
	maxText   = 16 << 10
)

// Runner asks hooks. The zero value has none.
type Runner struct {
	Hooks []Hook
	Dir   string   // of the workspace, where they run
	Env   []string // without secrets
	// Run runs a program to its end, and ends it with all that it has started when ctx ends.
	Run func(ctx context.Context, cmd *exec.Cmd) error
	// Programs finds what is run; nil: on the PATH of this process.
	Programs *child.Programs
	// Inside reports whether a file lies in the workspace. Neither the program nor a word behind it
	// may: what is there is not the person's alone. Nil: nothing does.
	Inside func(path string) bool
}

// Ask asks all hooks that are about q, one after the other, up to the first one that forbids the
// call. It returns early when ctx ends.
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
		if !h.about(q) || ctx.Err() != nil {
			continue
		}
		said, err := r.one(ctx, h, q)
		switch {
		case ctx.Err() != nil:
		case err != nil && q.On == Before:
			a.Denied, a.Reason = true, fmt.Sprintf("%s failed, so the call was not made: %v", h.Name(), err)
			return a
		case err != nil:
			a.Problems = append(a.Problems, fmt.Sprintf("The hook %s failed: %v.", h.Name(), err))
			continue
		case said.Decision == deny && q.On == Before:
			a.Denied, a.Reason = true, strings.TrimSuffix(h.Name()+": "+said.Reason, ": ")
			return a
		}
		if text := strings.TrimSpace(said.Text); text != "" {
			if len(text) > maxText {
				text = width.Head(text, maxText) + "\n[cut]"
			}
			a.Said = append(a.Said, fmt.Sprintf("[hook %s] %s", h.Name(), text))
		}
	}
	return a
}

const (
	allow = "allow"
	deny  = "deny"
)

// decision is what a hook prints.
type decision struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Text     string `json:"text"`
}

// Broken says of each hook that cannot run why, and what that means, one sentence or two each.
func (r Runner) Broken() (list []string) {
	for _, h := range r.Hooks {
		_, err := r.program(h)
		if err == nil {
			continue
		}
		calls := "every call"
		if len(h.Tools) > 0 {
			calls += " of " + strings.Join(h.Tools, ", ")
		}
		said := fmt.Sprintf("The hook %s (%s) cannot run: %v.", h.Name(), h.On, err)
		if h.On == Before {
			said = fmt.Sprintf("The hook %s denies %s, because it cannot run: %v.", h.Name(), calls, err)
		}
		if errors.Is(err, child.ErrInside) {
			said += " Move it, or start in another directory."
		}
		list = append(list, said)
	}
	return list
}

// program returns the file that a hook runs.
func (r Runner) program(h Hook) (string, error) { return r.Programs.Find(h.Command, r.Dir, r.Inside) }

// one asks one hook. What it prints that is no decision is an error.
func (r Runner) one(ctx context.Context, h Hook, q Question) (d decision, err error) {
	program, err := r.program(h)
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
	cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, r.Env, bytes.NewReader(append(input, '\n'))
	out, problem, err := child.Output(limited, r.Run, cmd, maxOutput+1)
	switch {
	case limited.Err() != nil:
		return d, fmt.Errorf("it took longer than %v", h.Timeout)
	case err != nil:
		return d, errors.Join(err, child.FirstLine(problem))
	case len(out) > maxOutput:
		return d, fmt.Errorf("it printed more than %d bytes", maxOutput)
	}
	return parse(out)
}

// parse reads what a hook has printed; nothing is no objection.
func parse(out []byte) (d decision, err error) {
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
