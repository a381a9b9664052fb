package tool

import (
	"testing"
	"time"
)

// The results say what comes next, and a call touches nothing.
func TestACheckpointAndARewindSayWhatComesNext(t *testing.T) {
	b := newBench(t, map[string]string{"f": "x"})
	b.env.Checkpoints = true
	b.env.Now = func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.FixedZone("", 3600)) }
	b.reg = Builtin(b.env)
	r := b.run("checkpoint", args{"goal": " find the leak\n"})
	if want := "Checkpoint created.\nGoal: find the leak\nRun your investigation, then call rewind with a concise " +
		"report."; r.Text != want || r.Data != (Checkpoint{"find the leak", "2026-03-04T04:06:07.089Z"}) {
		t.Errorf("%q, %+v", r.Text, r.Data)
	}
	if r := b.run("rewind", args{"report": "A stone.\n"}); r.Detail != "A stone." || r.Text == "" {
		t.Errorf("%+v", r)
	}
	for _, c := range []struct {
		tool string
		args args
	}{{"checkpoint", args{}}, {"checkpoint", args{"goal": "\n"}}, {"checkpoint", args{"goal": "x", "id": 1}},
		{"rewind", args{}}, {"rewind", args{"report": ""}}, {"rewind", args{"report": 5}}} {
		b.fails(c.tool, c.args, "invalid_args")
	}
	for _, name := range []string{"checkpoint", "rewind"} {
		c := b.must(name, args{map[string]string{"checkpoint": "goal", "rewind": "report"}[name]: "x"})
		if c.Mutates || c.Proposal != nil || c.Path != "" {
			t.Errorf("%s: %+v", name, c)
		}
	}
}
