package app_test

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestATurnEndsAtTheStepsOfTheConfig(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "max_steps = 2\nmax_cost = 0.5\n")
	look := `{"tool_calls":[{"id":"1","name":"list_dir","input":{"path":"."}}],"delay_ms":0}`
	got := p.run("", "-p", "go", "--script", p.script(look, look))
	if got.code != 5 || !strings.Contains(got.stderr, "asked as often as max_steps") {
		t.Errorf("code %d, %s", got.code, got.stderr)
	}
	p.env = append(p.env, "ANTHROPIC_API_KEY=sk-test-0123456789abcdef")
	for model, told := range map[string]bool{"nobody-knows-1": true, "claude-sonnet-5": false} {
		const free = "max_cost does not hold: the price of nobody-knows-1 is not known."
		if got := p.run("", "--plain", "--model", model); strings.Contains(got.stdout, free) != told {
			t.Errorf("%s: %s%s", model, got.stdout, got.stderr)
		}
	}
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "max_steps = -1\n")
	if got = p.run("", "-p", "go", "--script", p.script(hi)); got.code != 2 ||
		!strings.Contains(got.stderr, "config.toml:1: max_steps may be 1 to 100000") {
		t.Errorf("code %d, %s", got.code, got.stderr)
	}
}

// Each limit of the command line ends a run with code 5, and the result names it.
func TestARunEndsAtALimitOfTheCommandLine(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	look := func(used string) string {
		return `{"tool_calls":[{"id":"1","name":"list_dir","input":{"path":"."}}],"delay_ms":0` + used + `}`
	}
	used := `,"usage":{"input":600,"output":10}`
	sleep := `{"tool_calls":[{"id":"1","name":"bash","input":{"command":"sleep 60"}}],"delay_ms":0}`
	slow := `{"say":"` + strings.Repeat("a long answer ", 50) + `","delay_ms":1000}`
	for _, c := range []struct {
		limit string
		args  []string
		lines []string
		turns string
	}{
		{"steps", []string{"--max-turns", "2"}, []string{look(""), look("")}, "2"},
		{"tokens", []string{"--max-tokens", "1000"}, []string{look(used), look(used)}, "2"},
		{"time", []string{"--timeout", "1s"}, []string{look(""), slow}, "2"},
		{"time", []string{"--timeout", "2s", "--allow", "bash"}, []string{sleep}, "1"},
	} {
		for _, form := range []string{"json", "stream-json"} {
			flags := append([]string{"-p", "go", "--output", form, "--script", p.script(c.lines...)}, c.args...)
			got := p.run("", flags...)
			if got.code != 5 || !strings.Contains(got.stdout, `"limit":"`+c.limit+`"`) ||
				!strings.Contains(got.stdout, `"turns":`+c.turns) || !strings.Contains(got.stderr, "stopped: ") {
				t.Errorf("%s, %v: %+v", form, c.args, got)
			}
		}
	}
	if got := p.run("", "-p", "go", "--max-turns", "2", "--max-tokens", "99", "--max-cost", "9", "--timeout", "1m",
		"--script", p.script(hi)); got.code != 0 {
		t.Errorf("below all limits: %+v", got)
	}
	p.env = append(p.env, "ANTHROPIC_API_KEY=sk-test-0123456789abcdef")
	for said, args := range map[string][]string{
		"max_cost does not hold: the price of":          {"-p", "go", "--model", "nobody-knows-1", "--max-cost", "1"},
		"--timeout goes with -p":                        {"--plain", "--timeout", "1m"},
		"--max-turns has to be a number above 0; leave": {"-p", "go", "--max-turns=-1"},
		"--max-tokens has to be a number above 0":       {"-p", "go", "--max-tokens", "0"},
		"--max-cost has to be a number above 0":         {"-p", "go", "--max-cost", "nan"},
		"--timeout has to be a number above 0":          {"-p", "go", "--timeout", "0s"},
		`--timeout: "5" is not a time above 0, such`:    {"-p", "go", "--timeout", "5"},
		`--max-turns: "-1" is not a whole number`:       {"-p", "go", "--max-turns", "-1"},
		`--max-cost: "much" is not a number above 0`:    {"-p", "go", "--max-cost", "much"},
		"--max-turns: a value is missing":               {"-p", "go", "--max-turns", ""},
		"there are two prompts: -p may stand only":      {"-p", "go", "-p", "on"},
		"the prompt is empty":                           {"-p", "  "},
	} {
		if got := p.run("", args...); got.code != 2 || !strings.Contains(got.stderr, said) {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// What was denied, and why, is in the result.
func TestTheResultListsWhatWasDenied(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	lines := []string{`{"tool_calls":[{"id":"w","name":"write_file","input":{"path":"a","content":"x"}},` +
		`{"id":"d","name":"bash","input":{"command":"git push"}}],"delay_ms":0}`, hi}
	for _, form := range []string{"json", "stream-json"} {
		got := p.run("", "-p", "go", "--output", form, "--deny", "bash(git push)", "--script", p.script(lines...))
		for _, want := range []string{
			`"denials":[{"call":"w","name":"write_file","title":"write_file workspace/a","by":"no_terminal"`,
			`{"call":"d","name":"bash","title":"bash git push","by":"rule","reason":"denied by rule bash(git push)"}`,
		} {
			if got.code != 4 || !strings.Contains(got.stdout, want) {
				t.Errorf("%s: %q is missing: %+v", form, want, got)
			}
		}
	}
}

func TestAProgramDrivesTheShellByLinesOfJSON(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(filepath.Join(p.work, "notes.md"), "a heron\n")
	script := p.script(`{"expect":"a heron","say":"One.","delay_ms":0}`, `{"say":"Two.","delay_ms":0}`)
	got := p.run(`{"type":"message","text":"see @notes.md"}`+"\n?\n"+`{"type":"message","text":"and on"}`+"\n",
		"--input", "stream-json", "--script", script)
	if got.code != 0 || strings.Count(got.stdout, `"type":"end","reason":"done"`) != 2 ||
		!strings.Contains(got.stdout, `{"type":"bad_line","line":2,`) {
		t.Errorf("%+v", got)
	}
	for said, args := range map[string][]string{
		"--input may be stream-json": {"--input", "json"},
		"leave out the other one":    {"--input", "stream-json", "-p", "x"},
		"prints stream-json: leave":  {"--input", "stream-json", "--output", "json"},
	} {
		if got := p.run("", append(args, "--script", script)...); got.code != 2 || !strings.Contains(got.stderr, said) {
			t.Errorf("%v: %+v", args, got)
		}
	}
}
