package session

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// The results that replace lost results of calls when the shell has ended.
//
// NotRunText is used only if the log proves that the call had not begun. The entry of the call's
// message promises that another entry is written before each of its calls runs, and there is no
// such entry.
const (
	CutOffText = "interrupted: the shell ended while this tool call was open; it may have had effects"
	NotRunText = "interrupted: the shell ended before this tool call was run; it had no effect"
)

// isLostResult reports whether a result only says that the shell ended.
func isLostResult(r provider.ToolResult) bool {
	return r.Text == CutOffText || r.Text == NotRunText
}

// cutCall is a call whose result was lost when the shell ended.
type cutCall struct {
	call   provider.ToolCall
	notRun bool // the call had certainly not begun when the shell ended
}

// result returns the result that says what is known about the call.
func (c cutCall) result() provider.ToolResult {
	text := CutOffText
	if c.notRun {
		text = NotRunText
	}
	return provider.ToolResult{ID: c.call.ID, Text: text, IsError: true}
}

// addCut adds calls to Cut or NotRun, from which the user is told of them.
func (l *Log) addCut(cut []cutCall) {
	for _, c := range cut {
		if c.notRun {
			l.NotRun = append(l.NotRun, c.call)
		} else {
			l.Cut = append(l.Cut, c.call)
		}
	}
}

// BeginCall records that a call of the last message is about to run, and may have effects from now
// on. If it returns an error, the call must not run: the record is not on the disk, and after a
// crash the log would say that the call had no effect.
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

// noteCalls sets l.noted: whether BeginCall has to write an entry for each call of message e. If
// the line of e still waits in memory, it is replaced by one without this promise, because it may
// reach the disk without the entries of its calls.
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

// notRun returns the ids of the calls in the last message that had certainly not begun. It returns
// nil if a part of the file is damaged, or if the conversation has moved to another branch since.
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
