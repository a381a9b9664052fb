package session

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// Choices are what a person has chosen for a session. Its texts are untrusted: whoever resumes a
// session decides what of them may hold again.
type Choices struct {
	Model    string `json:"model"`
	Server   string `json:"server,omitempty"` // where Model was asked; "": not known
	Effort   string `json:"effort,omitempty"` // "": as configured
	Thinking bool   `json:"thinking,omitempty"`
	Mode     string `json:"mode,omitempty"`
}

// redact returns the choices without secrets.
func (c Choices) redact(s secret.Set) *Choices {
	c.Model, c.Server = s.Redact(c.Model), s.Redact(c.Server)
	c.Effort, c.Mode = s.Redact(c.Effort), s.Redact(c.Mode)
	return &c
}

// Choices returns what holds for the next message of the session. A log of an earlier version has
// the model with which the session began, and no Server.
func (l *Log) Choices() Choices {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.choices
}

// SetChoices says what holds from now on. The next entry stores it, where it differs.
func (l *Log) SetChoices(c Choices) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.choices = c
}

// Choose says what holds from now on because the person has just chosen it. [Log.StoreChoices] and
// Close store it also if no other entry follows.
func (l *Log) Choose(c Choices) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.choices, l.choiceDue = c, true
}

// StoreChoices writes an entry about what was chosen, if no other has stored it. A session without
// any message gets none, because it is not kept.
func (l *Log) StoreChoices() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.storeChoices()
}

// storeChoices does what StoreChoices does, for a caller that holds l.mu.
func (l *Log) storeChoices() error {
	if !l.choiceDue || l.backlog.closed || l.isEmpty() || l.choices == l.choicesStored {
		return nil
	}
	return l.appendLocked(entry{Kind: kindChoice})
}

// choicesAt returns the newest choices on the way to entry i. What was chosen before a /clear or a
// rewind of the model's holds after it, too.
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

// ChoicesOf returns what held where a move to the entry id leads. other reports whether that is on
// another branch, and not a place that the conversation has come through.
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

// mark returns what was chosen, for the tree.
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
