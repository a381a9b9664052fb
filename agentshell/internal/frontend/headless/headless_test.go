package headless_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

var update = flag.Bool("update", false, "write the golden files")

// tools is a tool set with two tools: look returns a text, and write proposes a change.
type tools struct{}

func (tools) Specs() []provider.Tool {
	return []provider.Tool{{Name: "look", ReadOnly: true}, {Name: "write"}}
}

func (tools) Prepare(_ context.Context, name, id string, raw json.RawMessage) (tool.Call, error) {
	var in struct{ Path string }
	if err := json.Unmarshal(raw, &in); err != nil {
		return tool.Call{}, err
	}
	c := tool.Call{Title: name + " " + in.Path, Path: in.Path,
		Run: func(context.Context, func(string)) (tool.Result, error) {
			return tool.Result{Text: name + " has " + in.Path, Summary: "3 entries"}, nil
		}}
	if name == "write" {
		c.Mutates = true
		c.Proposal = &approval.Proposal{ID: "p-" + id, Call: id, Tool: name,
			Payload: approval.Write{Base: approval.Base{Kind: "write",
				Description: "Write 1 line to workspace/" + in.Path, Path: in.Path, Sandbox: "workspace"},
				Content: "<b>\n"},
			Diff: diff.Diff{Hunks: []diff.Hunk{{OldStart: 1, OldLines: 1, NewStart: 1, NewLines: 1, Lines: []diff.Line{
				{Op: '-', Old: 1, Text: "old\x1b[2J", End: "\n"}, {Op: '+', New: 1, Text: "new", End: "\r\n"}}}}},
		}
	}
	return c, nil
}

type allow string

func (a allow) Decide(s approval.Subject) approval.Verdict {
	if s.Path == string(a) {
		return approval.Verdict{Action: approval.Allow, By: "rule"}
	}
	return approval.Verdict{}
}

func model(t *testing.T, lines ...string) *script.Model {
	t.Helper()
	m, err := script.Parse("test", []byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const (
	saysHi = `{"say":"hi","delay_ms":0}`
	writes = `{"say":"I write.","delay_ms":0,"tool_calls":[{"id":"t1","name":"write","input":{"path":"a"}}]}`
)

// run prints one turn, and returns its outputs and the exit code.
func run(t *testing.T, p headless.Print, m *script.Model, prompt string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	p.Agent = agent.New(agent.Config{Model: m, Tools: tools{}, Policy: allow("ok")})
	p.Stdout, p.Stderr, p.UnusedScriptLines, p.Session = &out, &errs, m.UnusedLines, "20261120-abcd"
	synctest.Test(t, func(t *testing.T) { code = p.Run(t.Context(), prompt) })
	return out.String(), errs.String(), code
}

func TestTheExitCodeSaysHowTheTurnEnded(t *testing.T) {
	tests := map[string]struct {
		lines []string
		code  int
		says  string // on the standard error
	}{
		"done":             {[]string{saysHi}, 0, ""},
		"after the script": {nil, 0, ""},
		"an error": {[]string{`{"error":{"status":401,"message":"bad key"}}`}, 1,
			"refused the key (401): bad key"},
		"a limit": {[]string{`{"stop":"length"}`}, 5, "cut by its length"},
		"a mismatch": {[]string{`{"expect":"something else"}`}, 3,
			`script line 1: expected "something else"`},
		"lines left over": {[]string{saysHi, saysHi}, 3, "1 script lines left over"},
		"a denial":        {[]string{writes, saysHi}, 4, "denied: write a (nobody to ask"},
		"an allowed write": {[]string{strings.Replace(writes, `"a"`, `"ok"`, 1), saysHi}, 0,
			"+ write ok  3 entries, allowed by rule\n"},
		"a denial, then an error":   {[]string{writes, `{"error":{"status":400}}`}, 1, "denied"},
		"a denial, then lines left": {[]string{writes, saysHi, saysHi}, 3, "left over"},
		"an error and lines left":   {[]string{`{"error":{"status":400}}`, saysHi}, 3, "left over"},
		"errors that pass": {[]string{`{"error":{"status":529}}`, saysHi}, 0,
			"retrying in 1s (attempt 2 of 5)"},
		"a mismatch beats what it left": {[]string{`{"expect":"x y z"}`, saysHi}, 3, "line 1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, stderr, code := run(t, headless.Print{}, model(t, test.lines...), "hello")
			if code != test.code || !strings.Contains(stderr, test.says) || (test.says == "") != (stderr == "") {
				t.Errorf("code %d, want %d; standard error %q, want %q", code, test.code, stderr, test.says)
			}
		})
	}
}

func TestAnInterruptIs130WhateverElseHappened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		m := model(t, writes, `{"say":"half","hang":true}`, saysHi)
		var out, errs bytes.Buffer
		code := headless.Print{Agent: agent.New(agent.Config{Model: m, Tools: tools{}}), Stdout: &out, Stderr: &errs,
			UnusedScriptLines: m.UnusedLines, Output: headless.StreamJSON}.Run(ctx, "x")
		if code != 130 || !strings.Contains(out.String(), `{"type":"end","reason":"interrupted","code":130,`) {
			t.Errorf("code %d, output %s", code, out.String())
		}
	})
}

func TestTextIsByteExactUnlessATerminalShowsIt(t *testing.T) {
	lines := []string{
		`{"say":"this never becomes a line","error":{"status":529},"delay_ms":0}`,
		`{"say":"lost\nand not a line","error":{"status":529},"delay_ms":0}`,
		`{"say":"one \u001b[2J \u202e \u0000 ❤️ ` +
			`é","delay_ms":0,"chunk_runes":1,"tool_calls":[{"id":"t1","name":"look","input":{"path":"x"}}]}`,
		`{"delay_ms":0,"tool_calls":[{"id":"t1","name":"look","input":{"path":"x"}}]}`,
		`{"say":"two\n\n","delay_ms":0}`,
	}
	for terminal, want := range map[bool]string{
		false: "lost\n[the answer broke off here and starts again]\none \x1b[2J \u202e \x00 ❤️ é\ntwo\n\n",
		true:  "lost\n[the answer broke off here and starts again]\none ␛[2J <U+202E> ␀ ❤️ é\ntwo\n\n",
	} {
		got, _, code := run(t, headless.Print{Terminal: terminal}, model(t, lines...), "x")
		if got != want || code != 0 {
			t.Errorf("terminal %v: code %d, got %q, want %q", terminal, code, got, want)
		}
	}
}

func TestTheStandardErrorIsAlwaysHarmless(t *testing.T) {
	_, stderr, _ := run(t, headless.Print{}, model(t, `{"error":{"status":400,"message":"\u001b]0;x\u0007 \u009b"}}`),
		"x")
	if strings.ContainsAny(stderr, "\x1b\x07\u009b") || !strings.Contains(stderr, "<ESC>]0;x") {
		t.Errorf("%q", stderr)
	}
}

func TestJSONFormsAreAsTheGoldenFiles(t *testing.T) {
	lines := []string{
		`{"say":"lo","error":{"status":529,"message":"busy"},"delay_ms":0}`,
		`{"say":"I write ` +
			`<it>.","delay_ms":0,"usage":{"input":10,"output":20},"tool_calls":[{"id":"t1","name":"look",` +
			`"input":{"path":"x"}},{"id":"t2","name":"write","input":{"path":"ok"}},` +
			`{"id":"t3","name":"write","input":{"path":"no"}},{"id":"t4","name":"write","raw":"{\"path\": ` +
			`"},{"id":"t5","name":"fly","input":{}}]}`,
		`{"say":"C1 \u009b, DEL \u007f, bidi \u202e, tag ` +
			`\udb40\udc41.","chunk_runes":99,"usage":{"input":1,"output":2},"expect":"denied"}`,
		`{"say":"left over"}`,
	}
	for _, form := range []headless.Output{headless.StreamJSON, headless.JSON} {
		got, _, code := run(t, headless.Print{Output: form}, model(t, lines...), "x")
		if code != 3 {
			t.Errorf("%s: code %d", form, code)
		}
		for line := range strings.Lines(got) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: not JSON: %s", form, line)
			}
		}
		path := filepath.Join("testdata", string(form)+".golden")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s(%v)", form, got, want, err)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAnOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	for _, form := range []headless.Output{headless.Text, headless.JSON, headless.StreamJSON} {
		for _, terminal := range []bool{false, true} {
			var errs bytes.Buffer
			code := headless.Print{Agent: agent.New(agent.Config{Model: model(t, saysHi)}), Output: form,
				Terminal: terminal, Stdout: full{}, Stderr: &errs}.Run(t.Context(), "x")
			if code != 1 || !strings.Contains(errs.String(), "disk full") {
				t.Errorf("%s: code %d, %q", form, code, errs.String())
			}
		}
	}
}

func plain(t *testing.T, input string, person bool, lines ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	a := agent.New(agent.Config{Model: model(t, lines...), Tools: tools{}, Policy: allow("ok")})
	p := headless.Plain{Stdin: strings.NewReader(input), Stdout: &out, Stderr: &errs, Hello: "agentshell 0.1",
		Person: person}
	code = p.Run(t.Context(), a)
	return out.String(), errs.String(), code
}

func TestPlainOnlyAddsHarmlessText(t *testing.T) {
	got, stderr, code := plain(t, "write it\n\nagain\n", false,
		`{"say":"I look \u001b[2J `+
			`first.","delay_ms":0,"tool_calls":[{"id":"1","name":"look","input":{"path":"a\u001bb"}},{"id":"2",`+
			`"name":"write","input":{"path":"ok"}},{"id":"3","name":"write","input":{"path":"no"}},{"id":"4",`+
			`"name":"fly"}]}`,
		`{"say":"Done.\n","delay_ms":0}`, `{"say":"Yes?","delay_ms":0}`)
	want := `agentshell 0.1
> write it
I look ␛[2J first.
* look a␛b  3 entries
+ write ok  3 entries
@@ -1,1 +1,1 @@
-old␛[2J
+new␍
x write no  denied: nobody to ask, and no rule allows this call
@@ -1,1 +1,1 @@
-old␛[2J
+new␍
! fly {}  there is no tool "fly"; the tools are look, write
Done.

> again
Yes?

`
	if got != want || stderr != "" || code != 4 {
		t.Errorf("code %d, standard error %q, got\n%s\nwant\n%s", code, stderr, got, want)
	}
}

func TestPlainAtATerminalLeavesWithZero(t *testing.T) {
	for input, want := range map[string]string{
		"hello\n":       "agentshell 0.1\n> Hi.\n\a\n> \n",
		"/quit\nmore\n": "agentshell 0.1\n> ",
	} {
		got, _, code := plain(t, input, true, `{"say":"Hi.","delay_ms":0,"error":{"status":400}}`)
		if got != want || code != 0 {
			t.Errorf("%q: code %d, %q, want %q", input, code, got, want)
		}
	}
}

func TestPlainStopsWithTheContextAndNotWithTheNextLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		r, w := io.Pipe()
		defer w.Close()
		p := headless.Plain{Stdin: r, Stdout: io.Discard, Stderr: io.Discard}
		code := p.Run(ctx, agent.New(agent.Config{Model: model(t)}))
		if code != 130 {
			t.Errorf("code %d", code)
		}
	})
}

func TestPlainRefusesALineWithoutEnd(t *testing.T) {
	_, stderr, code := plain(t, strings.Repeat("x", headless.MaxLine+1), false, saysHi)
	if code != 1 || !strings.Contains(stderr, "longer than 10485760 bytes") {
		t.Errorf("code %d, %q", code, stderr)
	}
}

// What plain mode says about the mode of the session is true in each.
func TestPlainModeSaysWhatTheModeMeans(t *testing.T) {
	for _, mode := range []string{approval.ModeAsk, approval.ModeEdits, approval.ModePlan, approval.ModeTrusted} {
		policy, err := approval.NewPolicy(approval.PolicyConfig{Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		p := headless.Plain{Stdin: strings.NewReader("/help\n/rules\n/mode\n"), Stdout: &out, Stderr: io.Discard,
			Person: true, Policy: policy}
		p.Run(t.Context(), agent.New(agent.Config{Model: model(t), Tools: tools{}}))
		about := approval.ModeAbout(mode) + "."
		if got := out.String(); strings.Count(got, about) != 3 || strings.Contains(got, "without your yes") {
			t.Errorf("mode %s: want %q in the answers to /help, /rules and /mode:\n%s", mode, about, got)
		}
	}
}

// A word behind /mode sets the mode, as far as the policy lets it, and none is ignored.
func TestPlainModeSetsTheMode(t *testing.T) {
	policy, err := approval.NewPolicy(approval.PolicyConfig{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := headless.Plain{Stdin: strings.NewReader("/mode plan\n/mode trusted\n/mode x\n"), Stdout: &out,
		Stderr: io.Discard, Person: true, Policy: policy}
	p.Run(t.Context(), agent.New(agent.Config{Model: model(t), Tools: tools{}}))
	for _, want := range []string{"mode: plan. The model looks around", `not changed: there is no mode "x".`,
		"! The mode is not changed: mode trusted can only be chosen at the start"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if policy.Mode() != approval.ModePlan {
		t.Errorf("the mode is %s", policy.Mode())
	}
}
