package session

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// Choices holds the user's settings in a session: model, effort and mode. The texts are untrusted:
// when a session is resumed, the caller decides which of them to apply again.
type Choices struct {
	Model    string `json:"model"`
	Server   string `json:"server,omitempty"` // the server that answers for Model; "": not known
	Effort   string `json:"effort,omitempty"` // the reasoning effort of the model; "": as configured
	Thinking bool   `json:"thinking,omitempty"`
	Mode     string `json:"mode,omitempty"`
}

// redact returns a copy in which secrets are replaced.
func (c Choices) redact(s secret.Set) *Choices {
	c.Model, c.Server = s.Redact(c.Model), s.Redact(c.Server)
	c.Effort, c.Mode = s.Redact(c.Effort), s.Redact(c.Mode)
	return &c
}

// Choices returns the settings that apply to the next message of the session. For a log of an
// earlier version, they have only the model with which the session began, and no Server.
func (l *Log) Choices() Choices {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.choices
}

// SetChoices changes the settings. The next entry stores them if they are new.
func (l *Log) SetChoices(c Choices) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.choices = c
}

// Choose changes the settings because the user has just chosen them. They are stored even if no
// other entry follows, by [Log.StoreChoices] or Close.
func (l *Log) Choose(c Choices) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.choices, l.choiceDue = c, true
}

// StoreChoices writes an entry with the user's choices if no other entry has stored them. It does
// nothing in a session without a message, because such a session is removed.
func (l *Log) StoreChoices() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.storeChoices()
}

// storeChoices does the work of StoreChoices. The caller holds l.mu.
func (l *Log) storeChoices() error {
	if !l.choiceDue || l.backlog.closed || l.isEmpty() || l.choices == l.choicesStored {
		return nil
	}
	return l.appendLocked(entry{Kind: kindChoice})
}

// choicesAt returns the latest choices on the path to entry i. Choices from before a /clear or a
// rewind of the model still apply after it.
func (f file) choicesAt(i int) (c Choices) {
	if len(f.entries) > 0 {
		c.Model = f.entries[0].Model
	}
	if !slices.ContainsFunc(f.entries, func(e entry) bool { return e.Choices != nil }) {
		return c
	}
	parents := f.parents()
	onWay := map[string]bool{}
	for i >= 0 {
		e := f.entries[i]
		onWay[e.ID] = true
		if i--; e.Kind != kindClear && e.Kind != kindReport {
			i = parents[i+1]
		}
	}
	for _, e := range f.entries {
		if e.Choices != nil && (onWay[e.ID] || e.isOutsideConversation() && onWay[e.Parent]) {
			c = *e.Choices
		}
	}
	return c
}

// ChoicesOf returns the choices that applied at the entry to which Move(id) would go. other is true
// if that entry is on another branch.
func (l *Log) ChoicesOf(id string) (c Choices, other bool, err error) {
	f, err := l.parsedFile()
	if err != nil {
		return Choices{}, false, err
	}
	target, err := f.moveTarget(id)
	if err != nil {
		return Choices{}, false, err
	}
	other, parents := true, f.parents()
	for i := f.index(l.currentLeaf()); i >= 0 && other; i = parents[i] {
		other = i != target
	}
	return f.choicesAt(target), other && target >= 0, nil
}

// mark returns a line about the choices for the session tree.
func (c Choices) mark() string {
	text := "chosen: model " + c.Model
	if c.Effort != "" {
		text += ", effort " + c.Effort
	}
	if c.Mode != "" {
		text += ", mode " + c.Mode
	}
	return head(text, nodeText)
}
