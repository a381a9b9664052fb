package headless

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/internal/unseen"
)

// Everything that plain output and the JSON forms show of a decision, with all characters in it
// that a reader does not see.
func TestNoOutputHoldsACharacterThatIsNotSeen(t *testing.T) {
	all, points := unseen.Text(), len(unseen.Points())
	hunk := diff.Hunk{OldStart: 1, NewStart: 1,
		Lines: []diff.Line{{Op: diff.Insert, New: 1, Text: all, End: "\n"}, {Op: diff.Delete, Old: 1, Text: all}}}
	proposals := map[string]*approval.Proposal{
		"write": {ID: all, Path: all, Payload: approval.Write{Base: approval.Base{Path: all}}, After: []byte(all),
			Diff: diff.Diff{Hunks: []diff.Hunk{hunk}}, Notes: []string{all}},
		"command": {Payload: approval.Command{Base: approval.Base{Path: all}, Command: all, Note: all, Opaque: all},
			Flags: []approval.Flag{{Name: all, Text: all}}},
		"tool": {Payload: approval.Generic{Base: approval.Base{Path: all}, Detail: all}},
	}
	outputs := map[string]func(w *bytes.Buffer){
		"a line":   func(w *bytes.Buffer) { (&transcript{w: w}).writeLine(all) },
		"a prompt": func(w *bytes.Buffer) { (&transcript{w: w}).writePrompt(all) },
		"an answer": func(w *bytes.Buffer) {
			tr := &transcript{w: w}
			tr.event(agent.Text{Delta: all})
			tr.endTurn(false)
		},
		"a call": func(w *bytes.Buffer) { (&transcript{w: w}).event(agent.ToolEnd{Name: all, Title: all, Text: all}) },
		"a result": func(w *bytes.Buffer) {
			(&transcript{w: w}).event(agent.ToolEnd{Title: all, OK: true,
				Result: tool.Result{Summary: all, Detail: all}})
		},
		"a retry":     func(w *bytes.Buffer) { (&transcript{w: w}).event(agent.Retry{Err: errors.New(all)}) },
		"what we say": func(w *bytes.Buffer) { say(w, "%s", all) },
		"a live answer": func(w *bytes.Buffer) {
			l := &linePrinter{visibleWriter: visibleWriter{w: w}}
			l.event(agent.Text{Delta: all})
			l.event(agent.MessageEnd{})
		},
		"json, its end": func(w *bytes.Buffer) {
			_ = (&jsonPrinter{w: w, session: all}).end(agent.TurnEnd{Err: errors.New(all)}, nil, 1)
		},
		"stream, a call": func(w *bytes.Buffer) {
			(&streamPrinter{w: w}).event(agent.ToolCall{ID: all, Name: all, Input: quoted(all)})
		},
		"stream, a text": func(w *bytes.Buffer) { (&streamPrinter{w: w}).event(agent.Text{Delta: all}) },
		"stream, its end": func(w *bytes.Buffer) {
			_ = (&streamPrinter{w: w}).end(agent.TurnEnd{Err: errors.New(all)}, nil, 1)
		},
	}
	for name, p := range proposals {
		outputs["the question of a "+name] = func(w *bytes.Buffer) { (&transcript{w: w}).writePrompt(promptFor(p)) }
		outputs["a "+name] = func(w *bytes.Buffer) { tr := &transcript{w: w}; tr.writeProposal(p); tr.writeFile(p) }
		outputs["stream, a "+name] = func(w *bytes.Buffer) {
			(&streamPrinter{w: w}).event(agent.Approval{Call: all, Proposal: p})
		}
	}
	for name, write := range outputs {
		var b bytes.Buffer
		write(&b)
		if b.Len() < 3*points && !strings.HasPrefix(name, "the question of a ") {
			t.Errorf("%s: %d bytes only: %.80q", name, b.Len(), b.String())
		}
		if r := unseen.In(b.String()); r != 0 {
			i := strings.IndexRune(b.String(), r)
			t.Errorf("%s holds U+%04X: %q", name, r, b.String()[max(i-20, 0):i+10])
		}
	}
	line, err := Encode(textRecord{"text", all})
	if err != nil {
		t.Fatal(err)
	}
	var back textRecord
	if err := json.Unmarshal(line, &back); err != nil || back.Delta != all {
		t.Errorf("what is escaped does not come back: %v", err)
	}
}

func quoted(s string) json.RawMessage {
	b, _ := json.Marshal(s)
	return b
}
