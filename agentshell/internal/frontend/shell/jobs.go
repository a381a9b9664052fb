package shell

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/tui"
)

// follow tells the person of background jobs, until ctx ends: how many run, and each end.
func (sh *Shell) follow(ctx context.Context) {
	if sh.cfg.Jobs == nil {
		return
	}
	told := map[string]bool{}
	for {
		changed := sh.cfg.Jobs.Changed()
		running := 0
		for _, j := range sh.cfg.Jobs.List() {
			switch {
			case !j.Over:
				running++
			case !told[j.ID]:
				told[j.ID] = true
				sh.append(notice, jobEnded(j))
			}
		}
		if !sh.app.Do(func() { sh.jobs = running }) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// jobEnded returns the block of a job that has ended: what became of it, and the end of its output.
func jobEnded(j job.Job) still {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		head := fmt.Sprintf("%s %s after %s", j.ID, j.State, since(j.Took))
		rows := []tui.Line{s.Cut(tui.Span{Text: head + "  ", Style: t.Strong},
			tui.Span{Text: clean(j.Label, t), Style: t.Dim})}
		return append(rows, jobTail(j.Text, s)...)
	}
}

// jobTail returns the end of what a job gave.
func jobTail(text string, s tui.Space) (rows []tui.Line) {
	t := s.Look()
	lines := outputLines(text)
	if hidden := len(lines) - jobRows; hidden > 1 {
		left := fmt.Sprintf("%s %s not shown, /jobs shows all", t.Glyphs.More, count(hidden, "row"))
		rows, lines = append(rows, s.Cut(tui.Span{Text: left, Style: t.Dim})), lines[hidden:]
	}
	return append(rows, excerpt(strings.Join(lines, "\n"), len(lines), 0, s)...)
}

// jobRows is how much of the output of a job its block shows.
const jobRows = 4

// since returns how long something took, for a person: "4 s", "2 min 5 s".
func since(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

// jobFact returns what the row of facts says of background jobs, "" if none runs.
func (sh *Shell) jobFact() string {
	if sh.jobs == 0 {
		return ""
	}
	return count(sh.jobs, "job")
}

// showJobs handles /jobs: the output of the background jobs as it comes, the last one that runs
// first.
func (sh *Shell) showJobs() {
	var list []job.Job
	if sh.cfg.Jobs != nil {
		list = sh.cfg.Jobs.List()
	}
	if len(list) == 0 {
		sh.append(notice, words(false, "No background job runs, and none has ended lately."))
		return
	}
	p := &pager{keys: sh.cfg.Keys, what: "job"}
	first := len(list) - 1
	for i, j := range list {
		id := j.ID
		p.calls = append(p.calls, &paged{title: j.ID + "  " + j.Label, look: func() (string, string, bool) {
			return sh.lookAt(id)
		}, cancel: func() { sh.cfg.Jobs.Cancel(id, false) }})
		if !j.Over {
			first = i
		}
	}
	p.show(first)
	p.leave = sh.overlay(p, tui.Place{Full: true})
}

// lookAt returns the output of a job as it is now, and its state in a few words.
func (sh *Shell) lookAt(id string) (text, state string, running bool) {
	for _, j := range sh.cfg.Jobs.List() {
		if j.ID != id {
			continue
		}
		text, state = j.Output, string(j.State)+" after "+since(j.Took)
		switch {
		case !j.Over && j.State == job.Cancelled:
			return text, "ending", true
		case !j.Over:
			return text, "running for " + since(j.Took), true
		}
		return j.Text, state, false
	}
	return "", "not kept any more", false
}

// quit ends the shell; with background jobs it asks once, since they end with it.
func (sh *Shell) quit() {
	if sh.jobs == 0 || sh.parting {
		sh.app.Quit(nil)
		return
	}
	sh.parting = true
	var rows []string
	for _, j := range sh.cfg.Jobs.List() {
		if !j.Over {
			rows = append(rows, "  "+j.ID+"  "+strings.TrimSpace(j.Label))
		}
	}
	sh.append(notice, still(func(s tui.Space) []tui.Line {
		t := s.Look()
		what := count(len(rows), "background job") + " would end with the shell:"
		lines := problem(what)(s)
		for _, r := range rows {
			lines = append(lines, s.Cut(tui.Span{Text: clean(r, t)}))
		}
		it := "them"
		if len(rows) == 1 {
			it = "it"
		}
		what = "  Quit again to end " + it + ", or go on. /jobs shows " + it + "."
		return append(lines, s.Fill(tui.Span{Text: what})...)
	}))
	sh.hint(partHint)
}

const partHint = "quit again to end what runs in the background"
