package headless_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// box is a sandbox that records the user's answer.
type box struct {
	answer approval.Answer
	on     bool
}

func (b *box) On() bool { return b.on }

func (b *box) Offer(context.Context) (question, text string) {
	return "Confine commands?", "writes   here\n"
}

func (b *box) Answer(_ context.Context, a approval.Answer) (bool, string) {
	b.answer = a
	_, no := a.(approval.No)
	b.on = !no
	return b.on, "It is noted."
}

func (b *box) Command(_ context.Context, argument string) ([]string, error) {
	return []string{"The sandbox is " + argument + "."}, nil
}

// Before the first command the sandbox is offered once, with three answers. After a yes the command
// is prepared again; after a no it is asked.
func TestPlainModeOffersTheSandbox(t *testing.T) {
	for typed, c := range map[string]struct {
		want  approval.Answer
		again bool
	}{
		"Y": {approval.Yes{}, true}, "h": {approval.Here{}, true}, "n": {approval.No{}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			var out bytes.Buffer
			sandbox := new(box)
			plain := &headless.Plain{Stdin: r, Stdout: &out, Stderr: io.Discard, Person: true, Sandbox: sandbox}
			var wg sync.WaitGroup
			defer wg.Wait()
			wg.Go(func() {
				for _, line := range []string{"y", typed, "n"} { // y is meant for a command
					<-time.After(3 * time.Second)
					_, _ = io.WriteString(w, line+"\n")
				}
				w.Close()
			})
			answer, err := plain.AskOnce(t.Context(), &approval.Proposal{ID: "c", Tool: "bash",
				Payload: approval.Command{Base: approval.Base{Kind: "command", Description: "Run touch a"},
					Command: "touch a"}})
			_, stale := answer.(approval.Stale)
			if err != nil || stale != c.again {
				t.Errorf("%s: %T, %v", typed, answer, err)
			}
			switch sandbox.answer.(type) {
			case approval.Yes, approval.Here, approval.No:
			default:
				t.Errorf("%s: the answer is %T", typed, sandbox.answer)
			}
			if got, want := typeName(sandbox.answer), typeName(c.want); got != want {
				t.Errorf("%s: %s, want %s", typed, got, want)
			}
			for _, want := range []string{"Confine commands?", "  writes   here", "[h(ere)/Y/n(ot now)]",
				"It is noted.", "h uses it in this workspace, Y in all"} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q does not show %q", out.String(), want)
				}
			}
		})
	}
}

func typeName(a approval.Answer) string {
	switch a.(type) {
	case approval.Yes:
		return "yes"
	case approval.Here:
		return "here"
	case approval.No:
		return "no"
	}
	return "another one"
}

// A directory is added after a yes, and what cannot be added is said.
func TestPlainModeAddsADirectoryAfterAYes(t *testing.T) {
	for typed, want := range map[string]string{"y": "Added lib.", "n": "Nothing was changed."} {
		synctest.Test(t, func(t *testing.T) {
			r, w := io.Pipe()
			var out bytes.Buffer
			plain := &headless.Plain{Stdin: r, Stdout: &out, Stderr: io.Discard, Person: true, Sandbox: new(box),
				AddDir: func(_ context.Context, dir string) (approval.Deed, error) {
					if dir == "/" {
						return approval.Deed{}, errors.New("it is the whole file system")
					}
					q := &approval.Proposal{ID: "d", Payload: approval.Prompts{Verb: "add",
						Question: "Add " + dir + "?"}}
					return approval.Deed{Question: q, Do: func(context.Context) ([]string, error) {
						return []string{"Added " + dir + "."}, nil
					}}, nil
				}}
			go func() {
				for _, line := range []string{"/add-dir /", "/sandbox on", "/add-dir lib", typed} {
					<-time.After(3 * time.Second)
					_, _ = io.WriteString(w, line+"\n")
				}
				<-time.After(3 * time.Second)
				w.Close()
			}()
			plain.Run(t.Context(), nil)
			for _, want := range []string{"! Not added: it is the whole file system.", "The sandbox is on.",
				"Add lib?", want} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q does not show %q", out.String(), want)
				}
			}
		})
	}
}
