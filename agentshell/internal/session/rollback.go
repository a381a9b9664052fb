package session

import (
	"reflect"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// RollBack shortens the conversation to its first messages, kept, and continues it with report.
// modelText is the part of report that the model wrote (SH-42). All of this is one entry, so that a
// crash cannot leave half of it. The removed messages stay in the file as a branch.
func (l *Log) RollBack(kept, report []provider.Message, modelText string) error {
	f, err := l.parsedFile()
	if err != nil {
		return err
	}
	e := entry{Kind: kindReport, Text: modelText, Messages: l.storedMessages(report)}
	if to := f.entryAfter(l.currentLeaf(), len(kept), kept[len(kept)-1].Redact(l.cfg.Secrets)); to >= 0 {
		e.Target, e.Count = f.entries[to].ID, f.entries[to].Count
	} else {
		e.Target, e.Messages, e.Kept = l.currentLeaf(), append(l.storedMessages(kept), e.Messages...), len(kept)
	}
	return l.appendEntry(e)
}

// entryAfter returns the index of the entry on the path to leaf up to which the conversation has
// count messages and ends with last. It returns -1 if there is none, for instance because that
// point lies within a compaction.
func (f file) entryAfter(leaf string, count int, last provider.Message) int {
	found, sum := -1, 0
	for _, i := range f.path(f.index(leaf)) {
		e := f.entries[i]
		messages := e.messages()
		if e.Kind == kindCompact || e.Kind == kindReport && e.Kept > 0 {
			found, sum, messages = -1, 0, e.messageRange(0, len(e.Messages))
		}
		sum += len(messages)
		if sum == count && len(messages) > 0 && sameMessage(messages[len(messages)-1], last) {
			found = i
		}
	}
	return found
}

// sameMessage reports whether two messages are equal, ignoring their pictures.
func sameMessage(a, b provider.Message) bool {
	return a.Role == b.Role && reflect.DeepEqual(encode(a.Parts), encode(b.Parts))
}

// countAsked returns the number of the user's messages that the entry adds.
func (e entry) countAsked() (n int) {
	for _, m := range e.Messages[min(max(e.Kept, 0), len(e.Messages)):] {
		if m.isPersons() {
			n++
		}
	}
	return n
}

// isAcceptedRewind reports whether e calls the tool rewind and the call succeeded: the entry
// results contains its result, which is not an error.
func (e entry) isAcceptedRewind(results entry) bool {
	accepted := func(id string) bool {
		return slices.ContainsFunc(results.Parts, func(p part) bool {
			return p.Type == "tool_result" && p.ID == id && !p.IsError
		})
	}
	return slices.ContainsFunc(e.Parts, func(c part) bool {
		return c.Type == "tool_call" && c.Name == provider.RewindName && accepted(c.ID)
	})
}
