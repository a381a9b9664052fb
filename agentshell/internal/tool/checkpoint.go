package tool

import (
	"context"
	"encoding/json"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// checkpoint is the tool checkpoint, which marks the present position in the conversation. Like
// [rewind] it changes only the conversation (SH-42). The agent, not the tool, decides whether a
// checkpoint is possible, and moves the conversation.
type checkpoint struct{ now func() time.Time }

type checkpointArgs struct {
	Goal string `json:"goal" doc:"What you want to find out."`
}

// Checkpoint is the structured result of the tool checkpoint.
type Checkpoint struct {
	Goal      string `json:"goal"`
	StartedAt string `json:"startedAt"` // StartedAt is the time in ISO 8601 format, UTC.
}

func (t *checkpoint) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindKeeps}
}

func (t *checkpoint) Spec() provider.Tool {
	return provider.Tool{
		Name: provider.CheckpointName, ReadOnly: true, Schema: schemaOf[checkpointArgs](),
		Description: "Mark this place of the conversation before an investigation whose details need not stay in it. " +
			"Then investigate, and call rewind with a report: the conversation goes back to here, and only the " +
			"report stays. It is about the conversation alone: files are not restored. One checkpoint can be " +
			"active at a time.",
	}
}

func (t *checkpoint) Prepare(_ context.Context, _ string, input json.RawMessage) (Call, error) {
	args, err := decode[checkpointArgs](input)
	if err != nil {
		return Call{}, err
	}
	goal := strings.TrimSpace(args.Goal)
	if goal == "" {
		return Call{}, invalidArgs("the goal is empty")
	}
	title := provider.CheckpointName + " " + titled(goal, 200)
	return Call{Title: title, Run: func(context.Context, func(string)) (Result, error) {
		text := "Checkpoint created.\nGoal: " + goal +
			"\nRun your investigation, then call rewind with a concise report."
		return Result{Text: text, Data: Checkpoint{goal, t.now().UTC().Format("2006-01-02T15:04:05.000Z07:00")}}, nil
	}}, nil
}

// rewind is the tool rewind, which returns the conversation to the active checkpoint and leaves a
// report there.
type rewind struct{}

type rewindArgs struct {
	Report string `json:"report" doc:"What you found, concise and complete: nothing else of the investigation stays."`
}

func (rewind) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindKeeps}
}

func (rewind) Spec() provider.Tool {
	return provider.Tool{
		Name: provider.RewindName, ReadOnly: true, Schema: schemaOf[rewindArgs](),
		Description: "End the active checkpoint: the conversation goes back to it, and your report takes the place " +
			"of all that came behind it. What the user said meanwhile stays, too. Files are not restored.",
	}
}

func (rewind) Prepare(_ context.Context, _ string, input json.RawMessage) (Call, error) {
	args, err := decode[rewindArgs](input)
	if err != nil {
		return Call{}, err
	}
	report := strings.TrimSpace(args.Report)
	if report == "" {
		return Call{}, invalidArgs("the report is empty")
	}
	return Call{Title: provider.RewindName, Run: func(context.Context, func(string)) (Result, error) {
		return Result{Text: "Rewind accepted. The conversation goes back to the checkpoint, and your report stays. " +
			"Files are not restored.", Detail: report}, nil
	}}, nil
}
