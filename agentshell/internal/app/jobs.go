package app

import (
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// backgroundAfter is how long a command runs on the screen before it continues in the background.
const backgroundAfter = time.Minute

// What begins a turn of the model while the person does nothing, besides the usual: agents.
const (
	wakeAll = "all" // also the end of a command in the background
	wakeOff = "off"
)

// arrived says what has come that the model begins a turn for by itself, in a few words; "":
// nothing. A job that the person has cancelled is no reason.
func (r *conversation) arrived() string {
	if r.cfg.Wake == wakeOff {
		return ""
	}
	for _, j := range r.jobs.Unreported() {
		switch {
		case j.State == job.Cancelled:
		case j.Agent != "":
			return j.Agent + " has ended"
		case r.cfg.Wake == wakeAll:
			return j.ID + " has ended"
		}
	}
	if r.crew != nil {
		if from := r.crew.MailFrom(); len(from) > 0 {
			return strings.Join(from, " and ") + " wrote to it"
		}
	}
	return ""
}

// usesScreen reports whether the shell is going to run on the terminal's screen.
func (p Host) usesScreen(f Options) bool {
	return f.Prompt == nil && f.Input == "" && p.hasPerson() && !f.Plain && !p.plainOnly()
}

// findLostJobs finds the background jobs of a resumed conversation that ended with an earlier
// process.
func (r *conversation) findLostJobs(messages []provider.Message) {
	started, highest := agent.OpenJobs(messages)
	r.jobs.Skip(highest)
	running := r.jobs.List()
	r.lostJobs = slices.DeleteFunc(started, func(id string) bool {
		return slices.ContainsFunc(running, func(j job.Job) bool { return j.ID == id })
	})
}

// lostJobsText tells the model and the person about the lost jobs.
func (r *conversation) lostJobsText() string {
	return "These background jobs ended with the earlier run of the shell, before they were done: " +
		strings.Join(r.lostJobs, ", ") + "."
}
