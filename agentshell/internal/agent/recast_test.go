package agent_test

import (
	"context"
	"iter"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// rethinking says something, that it was thinking, and its answer.
type rethinking struct{}

func (rethinking) Name() string { return "m" }

func (rethinking) Stream(context.Context, provider.Request) iter.Seq2[provider.Event, error] {
	return func(yield func(provider.Event, error) bool) {
		for _, e := range []provider.Event{provider.TextDelta{Text: "hm"}, provider.TextWasThinking{},
			provider.TextDelta{Text: "ok"}, provider.End{Stop: "end", Message: provider.Message{
				Role: provider.Assistant, Parts: []provider.Part{
					provider.Thinking{Text: "hm", From: "x"}, provider.Text{Text: "ok"}}}}} {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func TestTextThatWasThinkingIsNoPartOfTheAnswer(t *testing.T) {
	var was, answer string
	for _, e := range turn(t, agent.New(agent.Config{Model: rethinking{}}), t.Context(), "x") {
		switch e := e.(type) {
		case agent.TextWasThinking:
			was = e.Text
		case agent.MessageEnd:
			answer = e.Text
		}
	}
	if was != "hm" || answer != "ok" {
		t.Errorf("%q was thinking, the answer is %q", was, answer)
	}
}
