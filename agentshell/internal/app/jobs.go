package app

import (
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// backgroundAfter is how long a command of the model runs in the foreground, on the screen or in an
// editor, before it continues as a background job.
const backgroundAfter = time.Minute

// Values of the setting wake, which says what makes the model start a turn while the user does
// nothing. By default the end and the messages of agents do.
const (
	wakeAll = "all" // The end of a background command starts a turn, too.
	// Nothing starts a turn.
	wakeOff = "off"
)

// arrived returns a phrase about what has happened that makes the model start a turn by itself, or
// "" if nothing has. A job that the user has cancelled does not count.
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

// usesScreen reports whether the shell will run on the terminal's screen, and not as plain text.
func (p Host) usesScreen(f Options) bool {
	return f.Prompt == nil && f.Input == "" && p.hasPerson() && !f.Plain && !p.plainOnly()
}

// findLostJobs finds the background jobs that messages of a resumed session mention and that ended
// together with an earlier process.
func (r *conversation) findLostJobs(messages []provider.Message) {
	started, highest := agent.OpenJobs(messages)
	r.jobs.Skip(highest)
	running := r.jobs.List()
	r.lostJobs = slices.DeleteFunc(started, func(id string) bool {
		return slices.ContainsFunc(running, func(j job.Job) bool { return j.ID == id })
	})
}

// lostJobsText returns a sentence, for the model and the user, about the background jobs that ended
// together with an earlier process.
func (r *conversation) lostJobsText() string {
	return "These background jobs ended with the earlier run of the shell, before they were done: " +
		strings.Join(r.lostJobs, ", ") + "."
}
