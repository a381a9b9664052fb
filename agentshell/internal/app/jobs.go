package app

import (
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// longCommand is how long a command takes on the screen before it goes on in the background.
const longCommand = time.Minute

// screen reports whether the shell is going to run on the terminal's screen.
func (p Host) screen(f Options) bool {
	return f.Prompt == nil && f.Input == "" && p.person() && !f.Plain && !p.dumb()
}

// reopened is told of a conversation that goes on here: its background jobs ended with the run that
// had started them, but for those that run here.
func (r *conversation) reopened(messages []provider.Message) {
	open, highest := agent.OpenJobs(messages)
	r.jobs.Skip(highest)
	here := r.jobs.List()
	r.gone = slices.DeleteFunc(open, func(id string) bool {
		return slices.ContainsFunc(here, func(j job.Job) bool { return j.ID == id })
	})
}

// lost says to the model what became of the jobs of an earlier run.
func (r *conversation) lost() string {
	return "These background jobs ended with the earlier run of the shell, before they were done: " +
		strings.Join(r.gone, ", ") + "."
}
