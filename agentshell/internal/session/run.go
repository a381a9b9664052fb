package session

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Results of calls whose real results were lost. A call had no effect if the log proves that it was
// not begun: its message is on the disk and says that calls are noted, and no note is there.
const (
	CutOffText = "interrupted: the shell ended while this tool call was open; it may have had effects"
	NotRunText = "interrupted: the shell ended before this tool call was run; it had no effect"
)

// isLostResult reports whether a result says no more than that the shell ended.
func isLostResult(r provider.ToolResult) bool {
	return r.Text == CutOffText || r.Text == NotRunText
}

// cutCall is a call whose result was lost.
type cutCall struct {
	call   provider.ToolCall
	notRun bool // it had no effect
}

// result returns the result that says so.
func (c cutCall) result() provider.ToolResult {
	text := CutOffText
	if c.notRun {
		text = NotRunText
	}
	return provider.ToolResult{ID: c.call.ID, Text: text, IsError: true}
}

// addCut notes calls for the person.
func (l *Log) addCut(cut []cutCall) {
	for _, c := range cut {
		if c.notRun {
			l.NotRun = append(l.NotRun, c.call)
		} else {
			l.Cut = append(l.Cut, c.call)
		}
	}
}

// BeginCall notes that a call of the last message is about to be run and may have effects from now
// on. An error says that it must not run: the note is not on the disk, and after a kill the log
// would say that the call had no effect.
func (l *Log) BeginCall(id string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.noted {
		return nil // the log says nothing about the message
	}
	if err := l.appendLocked(entry{Kind: kindRun, Target: id}); err != nil {
		return err
	}
	if err := l.sink.flush(); err != nil {
		return fmt.Errorf("not run: the session log cannot be written (%s); nothing was changed, call it again",
			reason(err))
	}
	return nil
}

// noteCalls sets whether the calls of a message that was appended as line are noted. If the line
// waits, it is taken back and says nothing of that: it may come to the disk without the notes.
func (l *Log) noteCalls(e entry, line []byte) error {
	waiting := l.sink.waiting
	l.noted = e.Noted && (len(waiting) == 0 || l.sink.torn)
	if !e.Noted || len(waiting) == 0 || !bytes.Equal(waiting[len(waiting)-1], line) {
		return nil
	}
	e.Noted = false
	plain, err := e.line(l.cfg.Secrets)
	if err != nil {
		return err
	}
	waiting[len(waiting)-1] = plain
	l.sink.bytes += len(plain) - len(line)
	return nil
}

// hasCalls reports whether e is a message of the model that calls tools.
func (e entry) hasCalls() bool {
	for _, p := range e.Parts {
		if p.Type == "tool_call" && e.Role == string(provider.Assistant) {
			return true
		}
	}
	return false
}

// notRun returns the ids of the calls in the last message of the conversation that were not begun.
// Where anything is damaged, or the conversation has moved since, it knows of none.
func (f file) notRun() map[string]bool {
	if f.damaged > 0 || f.torn {
		return nil
	}
	var begun []string
	for i := len(f.entries) - 1; i >= 0; i-- {
		switch e := f.entries[i]; {
		case e.Kind == kindRun:
			begun = append(begun, e.Target)
		case e.Kind == kindMessage && e.Noted:
			ids := map[string]bool{}
			for _, p := range e.Parts {
				if p.Type == "tool_call" {
					ids[p.ID] = true
				}
			}
			for id := range ids {
				for _, b := range begun {
					if b == id || strings.HasPrefix(b, id+".") { // or a part of it
						delete(ids, id)
					}
				}
			}
			return ids
		case !e.isOutsideConversation() && e.Kind != kindLabel:
			return nil
		}
	}
	return nil
}
