package shell

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// echoCells says what it would run, in place of the tool eval.
type echoCells struct{}

func (echoCells) Spec() provider.Tool {
	return provider.Tool{Name: tool.EvalName, Schema: json.RawMessage(`{"type":"object"}`)}
}

func (echoCells) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindRuns}
}

func (echoCells) Prepare(_ context.Context, _ string, input json.RawMessage) (tool.Call, error) {
	var args struct {
		Cells []struct{ Language, Code string }
	}
	if err := json.Unmarshal(input, &args); err != nil || len(args.Cells) != 1 {
		return tool.Call{}, errors.Join(err, errors.New("not one cell"))
	}
	text := "ran " + args.Cells[0].Language + " <" + args.Cells[0].Code + ">\n"
	return tool.Call{Title: "eval py", Mutates: true, Proposal: &approval.Proposal{ID: "p", Tool: tool.EvalName,
		Payload: approval.Command{Command: args.Cells[0].Code}},
		Run: func(context.Context, func(string)) (tool.Result, error) {
			return tool.Result{Text: text, Detail: text, Summary: "done"}, nil
		}}, nil
}

func (echoCells) Status() []helper.Status {
	return []helper.Status{{Name: "Python", State: helper.Ready, Memory: 9 << 20, Reach: "r"}}
}

func (echoCells) Stop(language string) error {
	if language != "py" {
		return errors.New("cells of it are turned off")
	}
	return nil
}

func TestACellOfOnesOwnRunsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asShell := func(sh *Shell) approval.Approver { return sh }
		s := beginAll(t, tuitest.Config{Cols: 70, Rows: 24}, nil, []tool.Tool{echoCells{}}, asShell,
			func(c *Config) { c.Programs.Cells = echoCells{} },
			`{"say":"I saw it.","delay_ms":0,"expect":["I ran this cell of Python myself","ran py <x = 1\ny = 2>"],`+
				`"expect_not":["secret"]}`)
		for typed, want := range map[string]string{"$": "the model sees it and its output",
			"$$": "the model does not see it"} {
			s.Type(typed)
			s.Settle()
			if v := s.Visible(); !strings.Contains(v, "py "+typed+"\n") || !strings.Contains(v, want) {
				t.Errorf("the prompt does not show %s:\n%s", typed, v)
			}
			for range typed {
				s.Press("backspace")
			}
		}
		s.Type("${")
		s.Settle()
		if v := s.Visible(); strings.Contains(v, "py $") {
			t.Errorf("a placeholder is taken for a cell:\n%s", v)
		}
		s.Press("backspace")
		s.Press("backspace")
		s.Paste("$x = 1\ny = 2")
		s.Press("enter")
		s.Settle()
		s.holds("› $x = 1", "ran py <x = 1", "done")
		s.lacks("[y]es")
		s.send("$$ secret")
		s.holds("› $$secret", "ran py <secret>")
		s.send("what was that?")
		s.holds("I saw it.")
		s.send("/eval")
		s.holds("Python  ready, 9 MiB  (r)")
		s.send("/eval stop py")
		s.holds("Python is stopped; its next cell starts it again,", "without the variables.")
		s.send("/eval stop rb")
		s.holds("Nothing was done: cells of it are turned off")
		s.send("/eval dance")
		s.holds("There is no /eval dance.")
	})
}

func TestWithoutCellsADollarIsText(t *testing.T) {
	sh := &Shell{}
	if m := sh.parseMessage("$5 is enough"); m.cell || m.text != "$5 is enough" {
		t.Errorf("%+v", m)
	}
	if _, found := findCommand(sh.slashCommands(), "/eval"); found {
		t.Error("/eval is there")
	}
	sh.cfg.Programs.Cells = echoCells{}
	for text, cell := range map[string]bool{"${HOME} is empty": false, "$5 is enough": true, "5$": false} {
		if m := sh.parseMessage(text); m.cell != cell {
			t.Errorf("with cells %q is %+v", text, m)
		}
	}
}
