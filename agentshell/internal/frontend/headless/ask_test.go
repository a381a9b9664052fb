package headless_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// typed is a text that the user types, and the time since the previous one.
type typed struct {
	after time.Duration
	text  string
}

// one is a tool set whose only tool always proposes p.
type one struct{ p *approval.Proposal }

func (one) Specs() []provider.Tool { return []provider.Tool{{Name: "change"}} }

func (o one) Prepare(context.Context, string, string, json.RawMessage) (tool.Call, error) {
	return tool.Call{Title: "change", Mutates: true, Proposal: o.p,
		Run: func(context.Context, func(string)) (tool.Result, error) { return tool.Result{}, nil }}, nil
}

// recorder is an approver that stores the first answer and stops the turn.
type recorder struct {
	approval.Approver
	answer approval.Answer
	err    error
}

func (r *recorder) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	r.answer, r.err = r.Approver.Ask(ctx, p)
	return approval.Stop{ID: p.ID}, nil
}

// ask asks a user, who types keys, about a proposal. shown is what the terminal shows from the
// proposal to the answer.
func ask(t *testing.T, p *approval.Proposal, keys ...typed) (answer approval.Answer, shown string, err error) {
	t.Helper()
	return askWith(t, nil, p, keys...)
}

func askWith(t *testing.T, rules *approval.Policy, p *approval.Proposal,
	keys ...typed) (answer approval.Answer, shown string, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		var out bytes.Buffer
		plain := &headless.Plain{Stdin: r, Stdout: &out, Stderr: io.Discard, Person: true, Policy: rules}
		rec := &recorder{Approver: plain}
		go func() {
			_, _ = io.WriteString(w, "go\n")
			for _, k := range keys {
				<-time.After(k.after)
				_, _ = io.WriteString(w, k.text)
			}
			<-time.After(time.Hour)
			w.Close()
		}()
		plain.Run(t.Context(),
			agent.New(agent.Config{Model: model(t, `{"tool_calls":[{"id":"1","name":"change"}],"delay_ms":0}`),
				Tools: one{p}, Approver: rec}))
		answer, err = rec.answer, rec.err
		shown, _ = strings.CutPrefix(out.String(), "> ")
		if i := strings.LastIndex(shown, "] "); i >= 0 {
			shown = shown[:i+2]
		}
	})
	return answer, shown, err
}

func edit(flags ...approval.Flag) *approval.Proposal {
	return &approval.Proposal{
		ID:      "p1",
		Payload: approval.Edit{Base: approval.Base{Kind: "edit", Description: "Edit workspace/a\x1b: replace 1 line"}},
		Flags:   flags,
		Before:  []byte("one\nold\n"), After: []byte("one\nnew\r\n"), Notes: []string{"CRLF kept"},
		Diff: diff.Diff{Hunks: []diff.Hunk{{OldStart: 1, OldLines: 2, NewStart: 1, NewLines: 2, Lines: []diff.Line{
			{Op: diff.Equal, Old: 1, New: 1, Text: "one", End: "\n"}, {Op: diff.Delete, Old: 2, Text: "old", End: "\n"},
			{Op: diff.Insert, New: 2, Text: "new", End: "\r\n"}}}}},
	}
}

func TestOnlyAClearAndQuietYesApproves(t *testing.T) {
	second := time.Second
	flagged := approval.Flag{Name: "runs code", Text: "git runs this file"}
	stale := edit()
	stale.Check = edited
	yes, no := approval.Yes{ID: "p1"}, approval.No{ID: "p1"}
	tests := map[string]struct {
		p    *approval.Proposal
		keys []typed
		want approval.Answer // never a Revise, which cannot be compared
	}{
		"y":   {edit(), []typed{{2 * second, "y\n"}}, yes},
		"yes": {edit(), []typed{{2 * second, " yes \n"}}, yes},
		"n":   {edit(), []typed{{2 * second, "n\n"}}, no},
		"n and a reason": {edit(), []typed{{2 * second, "n it is a quote\n"}},
			approval.No{ID: "p1", Reason: "it is a quote"}},
		"stop": {edit(), []typed{{2 * second, "s\n"}},
			approval.Stop{ID: "p1"}},
		"the end of the input":    {edit(), nil, approval.Stop{ID: "p1"}},
		"a y typed ahead, then n": {edit(), []typed{{0, "y\n"}, {2 * second, "n\n"}}, no},
		"a y too early, then n":   {edit(), []typed{{second / 2, "y\n"}, {2 * second, "n\n"}}, no},
		"another y right after it": {edit(),
			[]typed{{second / 2, "y\n"}, {second / 2, "y\n"}, {2 * second, "n\n"}}, no},
		"a y when it was quiet again": {edit(), []typed{{second / 2, "y\n"}, {2 * second, "y\n"}}, yes},
		"a paste that begins with y": {edit(),
			[]typed{{2 * second, "y\nthat is what he said\n"}, {2 * second, "n\n"}}, no},
		"a paste that ends with y": {edit(), []typed{{2 * second, "he said\ny\n"}, {2 * second, "n\n"}},
			no},
		"Enter and blanks, then n": {edit(),
			[]typed{{2 * second, "\n"}, {2 * second, "  \n"}, {2 * second, "n\n"}}, no},
		"other words, then n": {edit(),
			[]typed{{2 * second, "yep\n"}, {2 * second, "ok\n"}, {2 * second, "n\n"}}, no},
		"y for a flagged change, then n": {edit(flagged), []typed{{2 * second, "y\n"}, {2 * second, "n\n"}},
			no},
		"Y for a flagged change":     {edit(flagged), []typed{{2 * second, "Y\n"}}, yes},
		"a look at the file, then y": {edit(), []typed{{2 * second, "v\n"}, {2 * second, "y\n"}}, yes},
		"a y to a file that has changed": {stale, []typed{{2 * second, "y\n"}},
			approval.Stale{ID: "p1"}},
		"an n to a file that has changed": {stale, []typed{{2 * second, "n\n"}}, no},
		"y and words, then n": {edit(),
			[]typed{{2 * second, "y but not yet\n"}, {2 * second, "n\n"}}, no},
		"Y and words, then n": {edit(flagged),
			[]typed{{2 * second, "Y yes\n"}, {2 * second, "n\n"}}, no},
		"s and words, then n":       {edit(), []typed{{2 * second, "s it\n"}, {2 * second, "n\n"}}, no},
		"hunks of one hunk, then n": {edit(), []typed{{2 * second, "h 1\n"}, {2 * second, "n\n"}}, no},
		"a rule without a policy, then n": {edit(),
			[]typed{{2 * second, "a\n"}, {2 * second, "a 1\n"}, {2 * second, "n\n"}}, no},
		"in place without a reason for it, then n": {edit(), []typed{{2 * second, "i\n"}, {2 * second, "n\n"}}, no},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, shown, err := ask(t, test.p, test.keys...)
			if err != nil || got != test.want {
				t.Errorf("%+v, %v, want %+v; shown %q", got, err, test.want, shown)
			}
		})
	}
}

func TestTheQuestionShowsTheWholeProposalInWords(t *testing.T) {
	_, shown, _ := ask(t, edit(approval.Flag{Name: "hidden", Text: "1 control"}), typed{2 * time.Second, "v\n"},
		typed{2 * time.Second, "n\n"})
	want := `
? Edit workspace/a␛: replace 1 line
change 1 of 1, at line 1:
line 1: one
removed 2: old
added 2: new␍
CRLF kept
! hidden: 1 control
Apply this edit? [y/n/v(iew full file)]    1  one
   2  new␍
Apply this edit? [y/n/v(iew full file)] `
	if shown != want {
		t.Errorf("got %q\nwant %q", shown, want)
	}
}

func TestEachPayloadHasItsQuestion(t *testing.T) {
	n := 42
	base := func(kind, text string) approval.Base { return approval.Base{Kind: kind, Description: text} }
	tests := map[string]struct {
		p    *approval.Proposal
		want []string
	}{
		"a rewrite": {
			&approval.Proposal{Payload: approval.Write{Base: base("write", "Write 150 lines to workspace/a"),
				FileExists: true, ExistingLines: &n, ContentLines: 150}, Before: []byte("x"), After: []byte("x")},
			[]string{"? Write 150 lines to workspace/a\n",
				"This will overwrite existing file (was 42 lines, now 150 lines)\n", "(no changes)\n",
				"Write this file? [y/n/v(iew all)] "}},
		"an edit": {
			&approval.Proposal{Payload: approval.Edit{Base: base("edit", "Edit workspace/a: replace 1 line")},
				Before: []byte("x"), After: []byte("x")},
			[]string{"? Edit workspace/a: replace 1 line\n", "Apply this edit? [y/n/v(iew full file)] "}},
		"an empty file": {
			&approval.Proposal{Payload: approval.Write{Base: base("write", "Write 0 lines to workspace/a")},
				After: []byte{}}, []string{"(empty file)\n"}},
		"a binary file": {&approval.Proposal{Payload: approval.Write{Base: base("write", "w")}, Before: []byte("\x00"),
			After: []byte("\x00\x01"), Flags: []approval.Flag{{Name: approval.FlagBinary, Text: "b"}}},
			[]string{"old: binary, 1 bytes, sha256 6e340b9c", "new: binary, 2 bytes, sha256 b413f47d",
				"! binary: b\n"}},
		"a command": {
			&approval.Proposal{Payload: approval.Command{Base: base("command", "Run rm"), Command: "rm -r x\ny",
				Note: "can change any file", Opaque: "it runs sh -c"}},
			[]string{"  rm -r x\n  y\n", "! can change any file\n", "! it runs sh -c\n", `"Run rm" - Approve? [y/n] `}},
		"a change that is taken back": {
			&approval.Proposal{Payload: approval.Undo{Base: base("undo", "Undo change 3: change workspace/a")},
				Before: []byte("x"), After: []byte("y")},
			[]string{"? Undo change 3: change workspace/a\n", "Undo this change? [y/n/v(iew full file)] "}},
		"a creation that is taken back": {
			&approval.Proposal{Payload: approval.Undo{Base: base("undo", "Undo change 3: remove workspace/a"),
				Removes: true}, Remove: true, Before: []byte{}},
			[]string{"! This removes the file\n", "(empty file)\n", "Undo this change? [y/n] "}},
		"a binary one": {&approval.Proposal{Payload: approval.Undo{Base: base("undo", "u"), Removes: true},
			Remove: true, Before: []byte("\x00"), Flags: []approval.Flag{{Name: approval.FlagBinary, Text: "b"}}},
			[]string{"old: binary, 1 bytes, sha256 6e340b9c", "! binary: b\nUndo this change? [y/n] "}},
		"a foreign call": {
			&approval.Proposal{Payload: approval.Generic{Base: base("generic", "Call mcp__x__y"), Detail: "{\n\x1b"}},
			[]string{"no preview possible\n", "  {\n  ␛\n", `"Call mcp__x__y" - Approve? [y/n] `}},
	}
	for name, test := range tests {
		_, shown, _ := ask(t, test.p, typed{2 * time.Second, "n\n"})
		for _, want := range test.want {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: %q is not in %q", name, want, shown)
			}
		}
	}
}

func edited(context.Context) error { return errors.New("changed") }
