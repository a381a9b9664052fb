package session

import (
	"reflect"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Report makes the conversation go back to kept, one message or more that it begins with, and on
// with report, in one entry; said are the model's words in it (SH-42): a kill leaves all of it or
// nothing. What is left stays in the file as a branch.
func (l *Log) Report(kept, report []provider.Message, said string) error {
	f, err := l.contents()
	if err != nil {
		return err
	}
	e := entry{Kind: kindReport, Text: said, Messages: l.keepAll(report)}
	if to := f.behind(l.end(), len(kept), kept[len(kept)-1].Redact(l.cfg.Secrets)); to >= 0 {
		e.Target, e.Count = f.entries[to].ID, f.entries[to].Count
	} else {
		e.Target, e.Messages, e.Kept = l.end(), append(l.keepAll(kept), e.Messages...), len(kept)
	}
	return l.append(e)
}

// behind returns the entry on the way to the entry leaf behind which the conversation has so many
// messages, with that last one; -1: there is none, as for what stands within a compaction.
func (f file) behind(leaf string, many int, last provider.Message) int {
	to, n := -1, 0
	for _, i := range f.path(f.index(leaf)) {
		e := f.entries[i]
		said := e.said()
		if e.Kind == kindCompact || e.Kind == kindReport && e.Kept > 0 {
			to, n, said = -1, 0, e.stored(0, len(e.Messages))
		}
		n += len(said)
		if n == many && len(said) > 0 && same(said[len(said)-1], last) {
			to = i
		}
	}
	return to
}

// same reports whether two messages say the same, whatever became of their pictures.
func same(a, b provider.Message) bool {
	return a.Role == b.Role && reflect.DeepEqual(encode(a.Parts), encode(b.Parts))
}

// asked returns how many messages of the person's an entry stands for, beside those that it keeps.
func (e entry) asked() (n int) {
	for _, m := range e.Messages[min(max(e.Kept, 0), len(e.Messages)):] {
		if m.asks() {
			n++
		}
	}
	return n
}

// rewinds reports whether e calls the tool rewind, and the results in r say that it was accepted.
func (e entry) rewinds(r entry) bool {
	accepted := func(id string) bool {
		return slices.ContainsFunc(r.Parts, func(p part) bool {
			return p.Type == "tool_result" && p.ID == id && !p.IsError
		})
	}
	return slices.ContainsFunc(e.Parts, func(c part) bool {
		return c.Type == "tool_call" && c.Name == provider.RewindName && accepted(c.ID)
	})
}
