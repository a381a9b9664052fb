package tool

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/eval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// cellBench is a workspace with the tool eval.
type cellBench struct {
	*bench
	cells   *Cells
	jupyter bool
}

func newCellBench(t *testing.T, files map[string]string) *cellBench {
	t.Helper()
	for _, program := range []string{"python3", "node"} {
		need.Program(t, program)
	}
	b := &cellBench{bench: newBench(t, files)}
	b.env.Commands.Environ, b.env.Outputs = os.Environ(), new(Outputs)
	b.begin()
	return b
}

// begin makes the cells for what env is now.
func (b *cellBench) begin() {
	b.cells = NewCells(b.env, CellsConfig{Languages: []eval.Language{eval.Python, eval.JavaScript},
		Grace: time.Minute, Jupyter: b.jupyter})
	b.t.(*testing.T).Cleanup(b.cells.Close)
}

func (b *cellBench) prepare(cells ...args) (Call, error) {
	b.t.Helper()
	return b.cells.Tools()[0].Prepare(context.Background(), "t1", mustJSON(b.t, args{"cells": cells}))
}

func (b *cellBench) run(cells ...args) (Result, error) {
	b.t.Helper()
	c, err := b.prepare(cells...)
	if err != nil {
		b.t.Fatal(err)
	}
	return c.Run(context.Background(), func(string) {})
}

func py(code string) args { return args{"language": "py", "code": code} }
func js(code string) args { return args{"language": "js", "code": code} }

// The question shows all of the code and how far it reaches.
func TestCellsAreAskedForWithTheirCode(t *testing.T) {
	b := newCellBench(t, nil)
	c, err := b.prepare(args{"language": "py", "code": "x = 1\nprint(x)", "title": "count", "timeout": 5,
		"reset": true},
		js("1\u202e+1"))
	if err != nil {
		t.Fatal(err)
	}
	pay, ok := c.Proposal.Payload.(approval.Command)
	want := "# cell 1 of 2, Python: count (all its names are forgotten before)\nx = 1\nprint(x)\n" +
		"// cell 2 of 2, JavaScript\n1\u202e+1"
	if !ok || pay.Command != want || pay.Note != noteFree || pay.TimeoutS != 35 || !c.Mutates || c.Confined {
		t.Errorf("%+v, %+v", c, pay)
	}
	if !c.Proposal.Flagged(approval.FlagHidden) {
		t.Errorf("a hidden character has no flag: %+v", c.Proposal.Flags)
	}
	if pay.What != "2 cells of Python and JavaScript" {
		t.Errorf("it is asked for as %q", pay.What)
	}
	one, err := b.prepare(js("1"))
	if err != nil || one.Proposal.Payload.(approval.Command).What != "a cell of JavaScript" {
		t.Errorf("one cell: %+v, %v", one.Proposal, err)
	}
	if c.Title != "eval py count; js 1<U+202E>+1" {
		t.Errorf("the title is %q", c.Title)
	}
	policy := func(verb approval.Action, rule string) approval.Action {
		r, err := approval.ParseRule(verb, rule)
		if err != nil {
			t.Fatal(err)
		}
		p, err := approval.NewPolicy(approval.PolicyConfig{Tools: Traits(),
			Rules: []approval.Entry{{Rule: r, Origin: "flag"}}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := b.prepare(py("1"))
		if err != nil {
			t.Fatal(err)
		}
		s := c.Subject(EvalName)
		s.Confined = true
		return p.Decide(s).Action
	}
	// Cells can start commands: what forbids all of those forbids cells.
	for rule, want := range map[string]approval.Action{"bash": approval.Deny, "eval": approval.Deny,
		"bash(rm *)": approval.Allow, "read_file": approval.Ask} { // a sandbox cannot hide every file
		if got := policy(approval.Deny, rule); got != want {
			t.Errorf("deny %s: cells are %v, want %v", rule, got, want)
		}
	}
	if got := policy(approval.Ask, "bash"); got != approval.Ask {
		t.Errorf("ask bash: cells are %v", got)
	}
	p, _ := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModePlan})
	if v := p.Decide(c.Subject(EvalName)); v.Action != approval.Deny {
		t.Errorf("in plan mode: %+v", v)
	}
}

func TestWhatCellsNeed(t *testing.T) {
	b := newCellBench(t, nil)
	many := make([]args, maxCells+1)
	for i := range many {
		many[i] = py("1")
	}
	for name, c := range map[string]struct {
		cells []args
		want  string
	}{
		"none":           {nil, "cells"},
		"an empty list":  {[]args{}, "cells is empty: name one cell at least"},
		"too many":       {many, "cells are 65"},
		"no language":    {[]args{{"code": "1"}}, "language"},
		"another":        {[]args{{"language": "rb", "code": "1"}}, "language"},
		"no code":        {[]args{{"language": "py"}}, "code"},
		"blank code":     {[]args{py(" \n")}, "cells[0] has no code"},
		"a long time":    {[]args{{"language": "py", "code": "1", "timeout": 601}}, "timeout"},
		"no time":        {[]args{{"language": "py", "code": "1", "timeout": 0}}, "timeout"},
		"too much of it": {[]args{py(strings.Repeat("x", maxCommand+1))}, "too long"},
	} {
		if _, err := b.prepare(c.cells...); err == nil || Kind(err) != "invalid_args" ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if text := b.cells.Tools()[0].Spec().Description; !strings.Contains(text, "Do not use asyncio.run at the top") {
		t.Errorf("the model is told %q", text)
	}
	b.cells = NewCells(b.env, CellsConfig{Languages: []eval.Language{eval.JavaScript}})
	if _, err := b.prepare(py("1")); err == nil || err.Error() != "cells of Python are turned off" {
		t.Errorf("a language that is off: %v", err)
	}
	if text := b.cells.Tools()[0].Spec().Description; strings.Contains(text, "In Python") ||
		!strings.Contains(text, "Only JavaScript is installed here.") {
		t.Errorf("the model is told of what is off: %q", text)
	}
}

// Cells of both languages run in order, with names that stay, and the first that fails ends the
// call.
func TestCellsRunInOrder(t *testing.T) {
	b := newCellBench(t, map[string]string{"f.txt": "one\n"})
	var history undo.History
	b.env.History, b.env.Past = &history, new(Past)
	b.begin()
	r, err := b.run(args{"language": "py", "code": "n = 2", "title": "set"}, js("let n = 3; display({n})"),
		py("print(n)"))
	if want := "[1/3] set\n[2/3]\n{\n  \"n\": 3\n}\n[3/3]\n2\n"; err != nil || r.Text != want || r.Detail != want {
		t.Errorf("%q, %q, %v", r.Text, r.Detail, err)
	}
	data, ok := r.Data.(EvalResult)
	if !ok || len(data.Cells) != 3 || data.Cells[1].Status != "complete" ||
		data.Cells[0].Language+data.Cells[1].Language != "pyjs" ||
		fmt.Sprint(data.Cells[1].JSON) != "[map[n:3]]" {
		t.Errorf("%+v", r.Data)
	}
	r, err = b.run(py("n += 1"), py("open('f.txt', 'w').write('two\\n'); 1/0"), js("print('never')"))
	if err == nil || Kind(err) != "tool_failed" || !strings.HasPrefix(err.Error(),
		"Cell 2 failed\n[1/3]\n[2/3]\nTraceback") ||
		strings.Contains(err.Error(), "never") || !strings.Contains(err.Error(),
		"[workspace files changed: workspace/f.txt]") {
		t.Errorf("%+v, %v", r, err)
	}
	if len(history.Changes()) != 1 {
		t.Errorf("what a cell changes cannot be taken back: %+v", history.Changes())
	}
	if r, err = b.run(py("n")); err != nil || r.Text != "3\n" {
		t.Errorf("the names of the cells before are gone: %q, %v", r.Text, err)
	}
	if r, err = b.run(args{"language": "py", "code": "'n' in globals()", "reset": true}, js("n")); err != nil ||
		r.Text != "[1/2]\nFalse\n[2/2]\n3\n" {
		t.Errorf("a reset: %q, %v", r.Text, err)
	}
	if r, err = b.run(py("x = 1")); err != nil || r.Text != "(no output)\n" {
		t.Errorf("%q, %v", r.Text, err)
	}
}

// pixel is a picture of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func TestWhatCellsShow(t *testing.T) {
	b := newCellBench(t, nil)
	r, err := b.run(py("print('a')\ndisplay({'type': 'image', 'data': '" + pixel + "'})\nprint('b')"))
	if err != nil || r.Text != "a\n[picture 1: image/png, 1 by 1 pixels]\nb\n" || len(r.Images) != 1 ||
		r.Images[0].W != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	for code, want := range map[string]string{
		"display({'type': 'image', 'data': " +
			"'AAAA'})": "[a picture that cannot be " +
			"shown: ",
		"display({'type': 'image', 'data': " +
			"'!'})": "[a picture that is not base64]",
		"class T:\n  def _repr_html_(self): return " +
			"'<table><tr><th>a</th></tr><tr><td>1</td></tr></table>'\nT()": "| a |\n|---|\n| 1 |",
		"class M:\n  def _repr_markdown_(self): return '# t'\n  def _repr_html_(self): return " +
			"'no'\nM()": "# t",
		"print('\\x1b]0;title\\x07\\x1b[2Jx\\x1b[31mred')": "xred",
	} {
		r, err := b.run(py(code))
		if err != nil || !strings.Contains(r.Text, want) || strings.ContainsAny(r.Text+r.Detail, "\x1b\x07\x1e") {
			t.Errorf("%s: %q, %v, want %q", code, r.Text, err, want)
		}
	}
	r, err = b.run(js("for (let i = 0; i < 10; i++) display({type: 'image', data: '" + pixel + "'})"))
	if err != nil || len(r.Images) != maxPictures || !strings.Contains(r.Text, "a further picture") {
		t.Errorf("ten pictures: %d, %q, %v", len(r.Images), r.Text, err)
	}
	r, err = b.run(py("for i in range(20000): print('line', i)"))
	if err != nil || len(r.Text) > maxResult || !strings.Contains(r.Text, "line 0\n") || !strings.HasSuffix(r.Text,
		"line 19999\n") ||
		!strings.Contains(r.Text, "read_file artifact://output-1 has all of it") {
		t.Errorf("a long output: %d bytes, %v", len(r.Text), err)
	}
}

func TestOutputOfACellIsSeenWhileItRuns(t *testing.T) {
	b := newCellBench(t, nil)
	c, err := b.prepare(py("print('begun')\nimport time\ntime.sleep(1000)"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := c.Run(ctx, func(text string) {
		if strings.Contains(text, "begun") {
			cancel()
		}
	})
	if want := "Cell was stopped by the user\nbegun\n"; err == nil || Kind(err) != "cancelled" ||
		err.Error() != want {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestACellThatIsStoppedSaysWhatBecameOfItsNames(t *testing.T) {
	t.Parallel()
	b := newCellBench(t, nil)
	for _, c := range []struct {
		cell args
		want string
	}{
		{args{"language": "py", "code": "while True: pass", "timeout": 1},
			"Cell 1 timed out after 1s of its own time\n"},
		{args{"language": "js", "code": "while (true);", "timeout": 1},
			"Cell 1 timed out after 1s of its own time; its kernel was ended, and its variables are lost\n"},
		{js("process.exit(3)"), "Cell 1 failed: the kernel of JavaScript has ended, and its variables are lost: " +
			"exit status 3"},
	} {
		if _, err := b.run(c.cell, py("print('never')")); err == nil || !strings.HasPrefix(err.Error(), c.want) ||
			strings.Contains(err.Error(), "never") {
			t.Errorf("%v: %v", c.cell, err)
		}
	}
}

func TestALanguageThatIsNotInstalledSaysWhatInstallsIt(t *testing.T) {
	b := newCellBench(t, nil)
	b.env.Commands.Family = &child.Family{Programs: child.NewPrograms("/nonexistent")}
	b.begin()
	if _, err := b.prepare(py("1")); err == nil || Kind(err) != "not_found" ||
		!strings.Contains(err.Error(), "is not installed. To install it: apt install python3") {
		t.Errorf("%v", err)
	}
}
