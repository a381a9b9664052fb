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

// lostJobsText tells the model about the lost jobs.
func (r *conversation) lostJobsText() string {
	return "These background jobs ended with the earlier run of the shell, before they were done: " +
		strings.Join(r.lostJobs, ", ") + "."
}
