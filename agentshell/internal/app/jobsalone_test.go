package app_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// Without a person a job that still runs at the end is ended, and the model is told of one that has
// ended before.
func TestWithoutAPersonTheEndOfTheRunEndsItsJobs(t *testing.T) {
	need.Program(t, "bash")
	need.Program(t, "pgrep")
	p := newPlace(t)
	server := fmt.Sprintf("sleep 60.4%d", os.Getpid()) // another run of this test may be under way
	got := p.run("", "-p", "go", "--allow", "bash", "--output", "stream-json", "--script", p.script(
		`{"delay_ms":0,"tool_calls":[{"id":"a","name":"bash","input":{"async":true,"command":"`+server+`"}},`+
			`{"id":"b","name":"bash","input":{"async":true,"command":"until [ -e go ]; do sleep 0.02; done; `+
			`echo built; touch over"}}]}`,
		`{"delay_ms":0,"tool_calls":[{"id":"c","name":"bash","input":{"command":"touch go; `+
			`until [ -e over ]; do sleep 0.02; done; sleep 0.5"}}]}`,
		`{"expect":"The background job job-2 completed","say":"Done.","delay_ms":0}`))
	const over = `{"type":"job","id":"job-2","state":"completed"`
	if got.code != headless.ExitDone || !strings.Contains(got.stdout, over) ||
		!strings.Contains(got.stderr, "job-1 was still running and was ended: bash "+server) {
		t.Errorf("%+v", got)
	}
	for at := time.Now(); exec.Command("pgrep", "-xf", server).Run() == nil; {
		if time.Since(at) > 10*time.Second {
			t.Fatal("the server runs on")
		}
	}
}

// A job of an earlier run is said to have ended with it, and its id is not given again.
func TestAJobOfAnEarlierRunIsSaidToBeOver(t *testing.T) {
	need.Program(t, "bash")
	p := newPlace(t)
	job := func(say string) string {
		return `{"say":"` + say + `","delay_ms":0,"tool_calls":[{"id":"a","name":"bash","input":{"async":true,` +
			`"command":"sleep 60.0075"}}]}`
	}
	p.run("", "-p", "go", "--allow", "bash", "--script", p.script(job("One."), `{"say":"Well.","delay_ms":0}`))
	got := p.run("", "-p", "and?", "--continue", "--allow", "bash", "--script", p.script(
		strings.Replace(job("Two."), `{"say"`, `{"expect":"ended with the earlier run of the shell, before they were `+
			`done: job-1.","say"`, 1),
		`{"expect":"in the background as job-2","say":"Again.","delay_ms":0}`))
	if got.code != headless.ExitDone || !strings.Contains(got.stderr, "These background jobs ended with the earlier "+
		"run of the shell") {
		t.Errorf("%+v", got)
	}
}
