package agent

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// JobsEnded says that the model is told of background jobs that have ended.
type JobsEnded struct {
	Jobs []job.Job
	Text string // the text that the model gets about the jobs
}

func (JobsEnded) event() {}

// Line returns a one-line description of all ended jobs for the user.
func (e JobsEnded) Line() string {
	var parts []string
	for _, j := range e.Jobs {
		took := j.Took.Round(100 * time.Millisecond)
		parts = append(parts, fmt.Sprintf("%s %s after %s: %s", j.ID, j.State, took, j.Label))
	}
	return strings.Join(parts, "; ")
}

// reportJobs tells the model of the background jobs that have ended. reported is false if there are
// none. It is called only when every call has its result.
func (t *turn) reportJobs() (reported bool, err error) {
	ended := t.agent.cfg.Inbox.FinishedJobs()
	if len(ended) == 0 {
		return false, nil
	}
	share := t.share(len(ended))
	for i := range ended {
		ended[i].Result = tool.Fit(share.context(t.ctx), ended[i].Result, t.agent.cfg.Budget.keepOverflow)
		share.used(ended[i].Result)
	}
	t.progress.changed()
	text := tool.Told(ended)
	t.on(JobsEnded{Jobs: ended, Text: text})
	return true, t.addMessage(shellMessage(provider.Job, text))
}

// OpenJobs returns the ids of the background jobs that have started and not ended according to a
// conversation, and the highest number in the id of any job. If the conversation was resumed by
// another process, none of these jobs runs any more.
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
				number, isJob := strings.CutPrefix(id, "job-")
				digits := len(number) - len(strings.TrimLeft(number, "0123456789"))
				n, err := strconv.Atoi(number[:digits])
				if !isJob || err != nil {
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
