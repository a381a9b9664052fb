package app_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// evalLine returns a line of a script in which the model runs a code cell in Python.
func evalLine(t *testing.T, code string) string {
	t.Helper()
	input, err := json.Marshal(map[string]any{"cells": []any{map[string]any{"language": "py", "code": code}}})
	if err != nil {
		t.Fatal(err)
	}
	return `{"delay_ms":0,"tool_calls":[{"id":"c","name":"eval","input":` + string(input) + `}]}`
}

func TestCellsAreOffUntilTheConfigTurnsThemOn(t *testing.T) {
	t.Parallel()
	need.Program(t, "python3")
	p := newPlace(t)
	script := p.script(evalLine(t, "print(6 * 7)"), `{"say":"end","delay_ms":0}`)
	got := p.run("", "-p", "x", "--script", script, "--output", "stream-json")
	if !strings.Contains(got.stdout, `there is no tool \"eval\"`) {
		t.Errorf("off: %+v", got)
	}
	if got = p.run("", "doctor"); !strings.Contains(got.stdout, "enabled = true below [eval]") {
		t.Errorf("doctor: %+v", got)
	}
	config := filepath.Join(p.home, ".config/agentshell", "config.toml")
	p.write(config, "[eval]\nenabled = true\njupyter = false\njs = false\n")
	got = p.run("", "-p", "x", "--script", script, "--output", "stream-json", "--allow", "eval")
	if !strings.Contains(got.stdout, `"42\n"`) {
		t.Errorf("on: %+v", got)
	}
	if got = p.run("", "-p", "x", "--script", script); !strings.Contains(got.stderr, "eval") ||
		strings.Contains(got.stdout, "42") {
		t.Errorf("without a rule nobody allows it: %+v", got)
	}
	got = p.run("", "doctor")
	if !strings.Contains(got.stdout, "cells of Python") || strings.Contains(got.stdout, "cells of JavaScript") {
		t.Errorf("doctor: %+v", got)
	}
}

// agent() starts agents as the tool task does.
func TestACellLetsAgentsWork(t *testing.T) {
	t.Parallel()
	need.Program(t, "python3")
	p := newPlace(t)
	config := filepath.Join(p.home, ".config/agentshell", "config.toml")
	p.write(config, "[eval]\nenabled = true\njupyter = false\n[agents]\nmax = 2\nbackground = true\n")
	script := p.script(evalLine(t, "print(parallel([lambda: agent('a', label='Lexer'), "+
		"lambda: agent('b', label='Parser', agent_type='explore', schema={'type': 'object', 'properties': {'n': "+
		"{'type': 'integer'}}, "+
		"'required': ['n']})['n']]))\ntry: agent('x', agent_type='nobody')\nexcept ToolError as e: print(e)\n"+
		"try: agent('x', label='Bad')\nexcept ToolError as e: print(e)"),
		evalLine(t, "agent('x', label='Other', model='another')"),
		`{"say":"end","delay_ms":0}`,
		`{"agent":"Lexer","delay_ms":0,"tool_calls":[{"id":"y","name":"yield","input":{"result":"The tokens."}}]}`,
		`{"agent":"Parser","delay_ms":0,"tool_calls":[{"id":"y","name":"yield","input":{"result":{"n":7}}}]}`,
		`{"agent":"Bad","delay_ms":0,"tool_calls":[{"id":"y","name":"yield","input":{"error":"I cannot."}}]}`)
	got := p.run("", "-p", "x", "--script", script, "--output", "stream-json", "--allow", "eval")
	for _, want := range []string{`['The tokens.', 7]\n`, `the kinds are task`, `Bad: I cannot.`, `Other: `,
		`the model another`} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %s in\n%s\n%s", want, got.stdout, got.stderr)
		}
	}
	p.write(config, "[eval]\nenabled = true\njupyter = false\n")
	if got = p.run("", "-p", "x", "--script", p.script(evalLine(t, "agent('a')"), `{"say":"end","delay_ms":0}`),
		"--output", "stream-json", "--allow", "eval"); !strings.Contains(got.stdout, `there is no tool \"task\"`) {
		t.Errorf("without agents: %+v", got)
	}
}
