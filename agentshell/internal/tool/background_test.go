//go:build unix

package tool

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// behind returns a bench whose commands can run in the background.
func behind(t *testing.T, patience time.Duration) *bench {
	t.Helper()
	need.Program(t, "bash")
	b := newBench(t, nil)
	b.env.Commands.Family, b.env.Commands.Patience = new(child.Family), patience
	b.env.Commands.Jobs = job.New(time.Now, 0)
	b.reg = Builtin(b.env)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		b.env.Commands.Jobs.Close(ctx)
		b.env.Commands.Family.Close(0)
	})
	return b
}

// gate returns a named pipe: a command that reads it waits until it is opened.
func (b *bench) gate(name string) (open func()) {
	b.t.Helper()
	if err := unix.Mkfifo(filepath.Join(b.dir, name), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return func() {
		b.t.Helper()
		ended := b.env.Commands.Jobs.Changed() // of before the write: the job may be over right behind it
		f, err := os.OpenFile(filepath.Join(b.dir, name), os.O_RDWR, 0)
		if err != nil {
			b.t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString("go\n"); err != nil {
			b.t.Fatal(err)
		}
		<-ended // f is open until the job has read it
	}
}

func (b *bench) told(r Result, texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.Text, text) {
			b.t.Errorf("%q does not stand in\n%s", text, r.Text)
		}
	}
}

func TestACommandGoesToTheBackgroundAndItsEndIsTold(t *testing.T) {
	b := behind(t, 0)
	open := b.gate("gate")
	r := b.run("bash", args{"command": "read x < gate; echo $x > f; echo built; exit 3", "async": true})
	b.told(r, "The command goes on in the background as job-1. ")
	if r.Summary != "job-1 runs in the background" {
		t.Error(r.Summary)
	}
	b.told(b.run("job", args{"list": true}), "# Still running (1)\n- job-1, for ", "bash read x < gate")
	open()
	over := b.run("job", args{"poll": []string{"job-1", "job-9"}})
	b.told(over, "# Ended (1)\n## job-1 failed after ", "built\n[exit 3]\n", "workspace/f (new)")
	if b.read("f") != "go\n" {
		t.Error(b.read("f"))
	}
	if ended := b.env.Commands.Jobs.TakeEnded(); len(ended) > 0 {
		t.Errorf("it is told again: %+v", ended)
	}
	b.told(b.run("job", args{"poll": []string{"job-9"}}), "There are no jobs of these ids: job-9")
	b.told(b.run("job", args{}), "No background job is running.")
}

func TestACommandThatTakesLongGoesToTheBackgroundByItself(t *testing.T) {
	b := behind(t, time.Second) // a loaded machine starts a shell and prints in that time
	open := b.gate("gate")
	b.told(b.run("bash", args{"command": "echo quick"}), "quick\n")
	r := b.run("bash", args{"command": "echo first; read x < gate; echo last"})
	b.told(r, "in the background as job-1", "Its output so far:\nfirst\n")
	open()
	b.told(b.run("job", args{"poll": []string{"job-1"}}), "## job-1 completed after ", "first\nlast\n")

	// A person's own command stays where it was typed.
	call := b.must("bash", args{"command": "sleep 1.2; echo mine"})
	if r, err := call.Own(t.Context(), func(string) {}); err != nil || r.Text != "mine\n" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestACancelledJobLeavesNoProcess(t *testing.T) {
	b := behind(t, 0)
	sleep := fmt.Sprintf("sleep 63.%d", os.Getpid()) // another run of this test may be under way
	b.run("bash", args{"command": "mkfifo up; (" + sleep + " &); echo > up & " + sleep, "async": true})
	for { // both run
		if f, err := os.Open(filepath.Join(b.dir, "up")); err == nil {
			f.Close()
			break
		}
	}
	r := b.run("job", args{"cancel": []string{"job-1", "job-7"}})
	b.told(r, "# Cancelled (2)\n## job-1 cancelled\n## job-7 not_found\n")
	b.told(b.run("job", args{"poll": []string{"job-1"}}), "## job-1 cancelled after ", "[ended before it was done]")
	b.told(b.run("job", args{"cancel": []string{"job-1"}}), "## job-1 already_completed")
	if left := b.run("bash", args{"command": "pgrep -xf '" + sleep + "'"}); !strings.Contains(left.Text, "exit 1") {
		t.Errorf("left: %s", left.Text)
	}
}

func TestAJobIsAskedAboutAsItsCommandIs(t *testing.T) {
	b := behind(t, 0)
	p := b.must("bash", args{"command": "rm -r x", "async": true}).Proposal
	plain := b.must("bash", args{"command": "rm -r x"}).Proposal
	if p == nil || p.Subject.Command != plain.Subject.Command || len(p.Flags) != len(plain.Flags) ||
		p.Notes[len(p.Notes)-1] != "runs in the background" {
		t.Errorf("%+v", p)
	}
	b.fails("job", args{"list": true, "poll": []string{"job-1"}}, "invalid_args")
	none := newBench(t, nil)
	none.fails("bash", args{"command": "true", "async": true}, "invalid_args")
}

func TestWhatAModelIsToldOfJobsIsReadAgain(t *testing.T) {
	for line, want := range map[string]string{
		inBackground + "job-3. You are told":                                               "job-3 false",
		strings.SplitN(Told([]job.Job{{ID: "job-4", State: job.Completed}}), "\n", 2)[0]:   "job-4 true",
		strings.SplitN(Told([]job.Job{{ID: "job-5", State: job.Cancelled}}), "\n", 2)[0]:   "job-5 true",
		strings.Split(jobResult(nil, []job.Job{{ID: "job-6", Ended: true}}).Text, "\n")[1]: "job-6 true",
		strings.Split(jobResult([]cancelled{{"job-7", "cancelled"}}, nil).Text, "\n")[1]:   "job-7 true",
		"- job-8, for 2 s": " false", "anything": " false",
	} {
		id, over := JobLine(line)
		got := id + " false"
		if over {
			got = id + " true"
		}
		if got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}
