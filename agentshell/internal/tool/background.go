package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
)

// work carries out a call: it is a Run function.
type work func(ctx context.Context, progress func(string)) (Result, error)

// inBackground is the beginning of the message to the model that a command continues as a
// background job; the job's id follows.
const inBackground = "The command goes on in the background as "

// background returns a function that runs do as a background job: immediately if async is true,
// else as soon as it takes longer than patience. If patience is 0, or there is no job manager, do
// runs in the foreground.
func (c Commands) background(label string, async bool, patience time.Duration, do work) work {
	if c.Jobs == nil || !async && patience <= 0 {
		return do
	}
	if async {
		patience = 0
	}
	return func(ctx context.Context, progress func(string)) (Result, error) {
		var (
			result Result
			failed error
		)
		id, err := c.Jobs.Run(ctx, label, patience, progress, func(ctx context.Context,
			out func(string)) (string, error) {
			result, failed = do(ctx, out)
			switch {
			case failed != nil:
				return strings.Replace(result.Text, stoppedByUser, "[ended before it was done]", 1), failed
			case result.Summary != exitDone:
				return result.Text, errors.New(result.Summary)
			}
			return result.Text, nil
		})
		switch {
		case err != nil:
			return Result{}, &Error{Code: "failed", Text: err.Error(), Err: err}
		case id == "":
			return result, failed
		}
		text := inBackground + id + ". You are told when it ends. job with poll [\"" + id +
			"\"] waits for it, with cancel it is ended.\n"
		for _, j := range c.Jobs.List() {
			if j.ID == id && j.Output != "" {
				text += "Its output so far:\n" + j.Output
			}
		}
		return Result{Text: text, Summary: id + " runs in the background"}, nil
	}
}

// Told returns the message that tells a model of background jobs that have ended.
func Told(jobs []job.Job) string {
	var b strings.Builder
	for _, j := range jobs {
		state := string(j.State)
		if j.State == job.Cancelled { // what the model itself has cancelled it is not told
			state = "was cancelled by the user"
		}
		fmt.Fprintf(&b, "The background job %s %s after %s: %s\n", j.ID, state, took(j.Took), j.Label)
		b.WriteString(strings.TrimRight(j.Result, "\n") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// took returns a duration for display.
func took(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// agentInBackground is the format of the line that tells a model of a subagent that works as a
// background job. Its arguments are the ids of the agent and of the job.
const agentInBackground = "- The agent %s works in the background as %s."

// JobLine parses a line of a message to the model about background jobs, and returns the id of the
// job. over says whether the line reports that the job has ended. id is "" for other lines.
func JobLine(line string) (id string, over bool) {
	if strings.HasPrefix(line, "- ") { // the scan costs too much for each line of each result
		var agent string
		if n, _ := fmt.Sscanf(line, agentInBackground, &agent, &id); n == 2 {
			return strings.TrimSuffix(id, "."), false
		}
	}
	if rest, ok := strings.CutPrefix(line, inBackground); ok {
		id, _, _ = strings.Cut(rest, ".")
		return id, false
	}
	rest, ok := strings.CutPrefix(line, "The background job ")
	if !ok {
		if rest, ok = strings.CutPrefix(line, "## "); !ok {
			return "", false
		}
	}
	id, _, _ = strings.Cut(rest, " ")
	return id, true
}
