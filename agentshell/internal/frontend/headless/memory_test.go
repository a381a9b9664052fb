package headless_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// talk types lines, each three seconds after the previous one, and returns what the terminal shows.
func talk(t *testing.T, p *headless.Plain, lines []string, script ...string) (shown string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		var out bytes.Buffer
		p.Stdin, p.Stdout, p.Stderr, p.Person = r, &out, io.Discard, true
		typed := make(chan struct{})
		go func() {
			defer close(typed)
			for _, l := range lines {
				<-time.After(3 * time.Second)
				_, _ = io.WriteString(w, l+"\n")
			}
			<-time.After(3 * time.Second)
			w.Close()
		}()
		p.Run(t.Context(), agent.New(agent.Config{Model: model(t, script...), Tools: tools{}, Approver: p}))
		shown = out.String()
		r.Close()
		<-typed
	})
	return shown
}

// In plain mode /memory shows notes, and forgets one after a yes to what was shown.
func TestThePersonKeepsTheNotesInPlainMode(t *testing.T) {
	forgotten := 0
	memory := func(_ context.Context, arg string) (tool.MemoryReply, error) {
		switch arg {
		case "":
			return tool.MemoryReply{Lines: []string{"person/build"}}, nil
		case "open build":
			return tool.MemoryReply{Title: "person/build", Text: "Use \x1b[2Jmake.\n"}, nil
		case "forget build", "confirm build":
			return tool.MemoryReply{Propose: func(context.Context, string) (tool.Call, error) {
				return tool.Call{Title: "forget", Mutates: true, Run: func(context.Context,
					func(string)) (tool.Result, error) {
					forgotten++
					return tool.Result{Text: "forgotten"}, nil
				}, Proposal: &approval.Proposal{ID: "1", Before: []byte("x\n"),
					Payload: approval.Prompts{Question: "Trust it?",
						Text: "Use make.", Base: approval.Base{Description: "Confirm the note"}}}}, nil
			}}, nil
		}
		return tool.MemoryReply{}, errors.New("there is no note x")
	}
	got := talk(t, &headless.Plain{Memory: memory}, []string{"/memory", "/memory open build", "/memory x",
		"/memory forget build",
		"n", "/memory confirm build", "y"})
	for _, want := range []string{"> person/build\n", "person/build\nUse ␛[2Jmake.\n", "! there is no note x\n",
		"? Confirm the note\nTrust it?\n  Use make.\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if forgotten != 1 {
		t.Errorf("run %d times, after a no and a yes", forgotten)
	}
	if got := talk(t, &headless.Plain{}, []string{"/memory"}); !strings.Contains(got, "Memory is off.") {
		t.Errorf("without memory: %s", got)
	}
}

// The model may propose notes when a person leaves with /quit after a message.
func TestTheModelMayProposeNotesAtTheEndInPlainMode(t *testing.T) {
	p := &headless.Plain{LastMessage: "Propose notes."}
	const last = `{"expect":["Propose notes."],"say":"no notes","delay_ms":0}`
	if got := talk(t, p, []string{"/quit"}, last); strings.Contains(got, "no notes") {
		t.Errorf("nothing was said: %s", got)
	}
	got := talk(t, p, []string{"go", "/quit", "more"}, `{"say":"Hi.","delay_ms":0}`, last)
	if !strings.Contains(got, "The model may propose notes for later sessions now.\nno notes\n") ||
		strings.Contains(got, "more") {
		t.Errorf("%s", got)
	}
}
