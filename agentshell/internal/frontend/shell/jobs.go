package shell

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/tui"
)

// reportJobs counts the running background jobs for the status row, and adds a block for each job
// that ends. It returns when ctx ends or the app has closed.
func (sh *Shell) reportJobs(ctx context.Context) {
	if sh.cfg.Programs.Jobs == nil {
		return
	}
	reported := map[string]bool{}
	for {
		changed := sh.cfg.Programs.Jobs.Changed()
		running := 0
		for _, j := range sh.cfg.Programs.Jobs.List() {
			switch {
			case !j.Ended:
				running++
			case !reported[j.ID]:
				reported[j.ID] = true
				if j.Agent == "" || sh.cfg.Crew == nil { // else what came of the agent has a block
					sh.addBlock(notice, jobEndBlock(j))
				}
			}
		}
		if !sh.app.Do(func() {
			sh.runningJobs = running
			sh.wake()
		}) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// jobEndBlock returns the transcript's block about a background job that has ended: its state,
// duration and label, and the last rows of its output.
func jobEndBlock(j job.Job) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		head := fmt.Sprintf("%s %s after %s", j.ID, j.State, elapsed(j.Took))
		rows := []tui.Line{s.Cut(tui.Span{Text: head + "  ", Style: t.Strong},
			tui.Span{Text: visibleLine(j.Label, t), Style: t.Dim})}
		return append(rows, jobTail(j.Result, s)...)
	}
}

// jobTail returns the last rows of a job's output, at most jobRows. A row above them counts the
// missing ones.
func jobTail(text string, s tui.Space) (rows []tui.Line) {
	t := s.Look()
	lines := outputLines(text)
	if hidden := len(lines) - jobRows; hidden > 1 {
		omitted := fmt.Sprintf("%s %s not shown, /jobs shows all", t.Glyphs.More, countOf(hidden, "row"))
		rows, lines = append(rows, s.Cut(tui.Span{Text: omitted, Style: t.Dim})), lines[hidden:]
	}
	return append(rows, firstAndLastRows(strings.Join(lines, "\n"), len(lines), 0, s)...)
}

// jobRows is the number of output rows in the block of a background job that has ended.
const jobRows = 4

// elapsed returns a duration for the screen, such as "4 s" or "2 min 5 s".
func elapsed(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

// jobFact returns the number of running background jobs for the status row, such as "2 jobs". It
// returns "" if none runs.
func (sh *Shell) jobFact() string {
	if sh.runningJobs == 0 {
		return ""
	}
	return countOf(sh.runningJobs, "job")
}

// showJobs handles the command /jobs: it opens a pager with the output of the background jobs. It
// begins with the newest job that runs, or else with the newest one.
func (sh *Shell) showJobs() {
	var list []job.Job
	if sh.cfg.Programs.Jobs != nil {
		list = sh.cfg.Programs.Jobs.List()
	}
	if len(list) == 0 {
		sh.addBlock(notice, paragraphs(false, "No background job runs, and none has ended lately."))
		return
	}
	p := &pager{keys: sh.cfg.Keys, itemName: "job"}
	first := len(list) - 1
	for i, j := range list {
		id := j.ID
		p.calls = append(p.calls, &paged{title: j.ID + "  " + j.Label, jobOutput: func() (string, string, bool) {
			return sh.jobOutput(id)
		}, cancelJob: func() { sh.cfg.Programs.Jobs.Cancel(id, false) }})
		if !j.Ended {
			first = i
		}
	}
	p.show(first)
	p.leave = sh.overlay(p, tui.Place{Full: true})
}

// jobOutput returns the current output of the background job with that id, its state in a few
// words, and whether it runs.
func (sh *Shell) jobOutput(id string) (text, state string, running bool) {
	for _, j := range sh.cfg.Programs.Jobs.List() {
		if j.ID != id {
			continue
		}
		text, state = j.Output, string(j.State)+" after "+elapsed(j.Took)
		switch {
		case !j.Ended && j.State == job.Cancelled:
			return text, "ending", true
		case !j.Ended:
			return text, "running for " + elapsed(j.Took), true
		}
		return j.Result, state, false
	}
	return "", "no longer kept", false
}

// quit ends the shell. If the model may propose notes for later sessions, a turn for that runs
// first. If background jobs run, it only warns that they would end too, and the next quit ends the
// shell.
func (sh *Shell) quit() {
	if sh.cfg.LastMessage != "" && sh.spoke && !sh.lastSent && !sh.busy() {
		sh.lastSent, sh.closing = true, true
		sh.addBlock(notice, paragraphs(true,
			"The model may propose notes for later sessions now; quit again to leave at "+
				"once."))
		sh.startTurn(message{text: sh.cfg.LastMessage, hidden: true})
		return
	}
	if sh.runningJobs == 0 || sh.quitWarned {
		sh.app.Quit(nil)
		return
	}
	sh.quitWarned = true
	var rows []string
	for _, j := range sh.cfg.Programs.Jobs.List() {
		if !j.Ended {
			rows = append(rows, "  "+j.ID+"  "+strings.TrimSpace(j.Label))
		}
	}
	sh.addBlock(notice, staticBlock(func(s tui.Space) []tui.Line {
		t := s.Look()
		line := countOf(len(rows), "background job") + " would end with the shell:"
		lines := problem(line)(s)
		for _, r := range rows {
			lines = append(lines, s.Cut(tui.Span{Text: visibleLine(r, t)}))
		}
		them := "them"
		if len(rows) == 1 {
			them = "it"
		}
		line = "  Quit again to end " + them + ", or go on. /jobs shows " + them + "."
		return append(lines, s.Wrap(tui.Span{Text: line})...)
	}))
	sh.showHint(quitJobsHint)
}

// quitJobsHint is the hint that follows the first quit while background jobs run.
const quitJobsHint = "quit again to end what runs in the background"
