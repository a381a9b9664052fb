package agent

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// JobsEnded says that the model is told of background jobs that have ended.
type JobsEnded struct {
	Jobs []job.Job
	Text string // what the model is told
}

func (JobsEnded) event() {}

// Line says it in one line.
func (e JobsEnded) Line() string {
	var parts []string
	for _, j := range e.Jobs {
		took := j.Took.Round(100 * time.Millisecond)
		parts = append(parts, fmt.Sprintf("%s %s after %s: %s", j.ID, j.State, took, j.Label))
	}
	return strings.Join(parts, "; ")
}

// jobs tells the model of the jobs that have ended since, where no call is without its result.
func (t *turn) jobs() (said bool, err error) {
	over := t.agent.cfg.Inbox.FinishedJobs()
	if len(over) == 0 {
		return false, nil
	}
	share := t.share(len(over))
	for i := range over {
		over[i].Text = tool.Fit(share.context(t.ctx), over[i].Text, t.agent.cfg.Budget.keepOverflow)
		share.used(over[i].Text)
	}
	t.progress.changed()
	text := tool.Told(over)
	t.on(JobsEnded{Jobs: over, Text: text})
	return true, t.add(told(provider.Job, text))
}

// OpenJobs returns the background jobs that a conversation tells of as going on and not as over,
// and the highest number of an id in it. Where the conversation goes on in another run of the shell
// none of them does.
func OpenJobs(messages []provider.Message) (open []string, highest int) {
	for _, m := range messages {
		for _, p := range m.Parts {
			var text string
			switch p := p.(type) {
			case provider.ToolResult:
				text = p.Text
			case provider.Text:
				if p.Origin != provider.Job {
					continue
				}
				text = p.Text
			}
			for line := range strings.SplitSeq(text, "\n") {
				id, over := tool.JobLine(line)
				var n int
				if _, err := fmt.Sscanf(id, "job-%d", &n); err != nil {
					continue
				}
				highest = max(highest, n)
				if over {
					open = slices.DeleteFunc(open, func(o string) bool { return o == id })
				} else {
					open = append(open, id)
				}
			}
		}
	}
	return open, highest
}
