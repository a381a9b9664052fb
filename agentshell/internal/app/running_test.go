package app

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/running"
)

// desk asks all questions together; look sees each.
type desk struct {
	approval.Approver
	look func()
}

func (d desk) AskAll(_ context.Context, ps []*approval.Proposal,
	answered func(int, approval.Answer) *approval.Proposal) error {
	d.look()
	for i, p := range ps {
		answered(i, approval.Yes{ID: p.ID})
	}
	return nil
}

// While the person is asked, other sessions see for what, without keys in it.
func TestOthersSeeWhoWaitsForAnAnswer(t *testing.T) {
	dir := running.Directory(t.TempDir())
	member, err := dir.Join(running.Record{ID: "20261128-120000-aa", Front: "terminal", Started: time.Now(),
		PID: os.Getpid()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { member.Leave() })
	r := &project{member: member}
	r.secrets = secret.New("sesame-0123456789abcdef")
	p := &approval.Proposal{ID: "1", Payload: approval.Generic{Base: approval.Base{
		Description: "Edit notes.md with sesame-0123456789abcdef"}}}
	seen := 0
	look := func() {
		runs, _ := dir.List()
		line := running.Lines(runs, nil, "", "/")[0]
		if !strings.HasSuffix(line, ", waits for an answer: Edit notes.md with "+secret.Hidden) {
			t.Errorf("others see %q", line)
		}
		seen++
	}
	works := func(when string) {
		t.Helper()
		if runs, _ := dir.List(); len(runs) != 1 || runs[0].State != running.Works || runs[0].Asks != "" {
			t.Errorf("%s: %+v", when, runs)
		}
	}
	one := r.watchQuestions(&answers{list: []func(*approval.Proposal) (approval.Answer, error){
		func(p *approval.Proposal) (approval.Answer, error) { look(); return yes(p) }}})
	if _, ok := one.(approval.Desk); ok {
		t.Error("who asks one by one asks all together")
	}
	if answer, err := one.Ask(t.Context(), p); err != nil || answer != (approval.Yes{ID: "1"}) {
		t.Errorf("%+v, %v", answer, err)
	}
	works("after an answer")
	all, ok := r.watchQuestions(desk{look: look}).(approval.Desk)
	if !ok {
		t.Fatal("a desk is none any more")
	}
	if err := all.AskAll(t.Context(), []*approval.Proposal{p, p}, func(int, approval.Answer) *approval.Proposal {
		return nil
	}); err != nil {
		t.Error(err)
	}
	works("after all answers")
	if seen != 2 {
		t.Errorf("looked %d times", seen)
	}
	if r.watchQuestions(nil) != nil {
		t.Error("nobody becomes somebody")
	}
}
