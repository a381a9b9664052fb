package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Compact makes messages the conversation, in place of those before, which stay in the file; line
// says so to a person. What comes next goes on behind them.
func (l *Log) Compact(messages []provider.Message, line string) error {
	return l.append(entry{Kind: kindCompact, Text: line, Messages: l.keepAll(messages)})
}

// keepAll returns messages as the log keeps them.
func (l *Log) keepAll(messages []provider.Message) (list []stored) {
	for _, m := range messages {
		m = m.Redact(l.cfg.Secrets)
		list = append(list, stored{Role: string(m.Role), Parts: l.encode(m.Parts)})
	}
	return list
}

// Said returns all that was said up to where the conversation is now, as if nothing had been
// compacted.
func (l *Log) Said() ([]provider.Message, error) {
	f, err := l.contents()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	leaf := l.leaf
	l.mu.Unlock()
	return f.said(f.index(leaf)), nil
}

// ErrNoText says that the log has no text of that name.
var ErrNoText = errors.New("the session has no such text")

// Name returns what [Log.Text] finds a text of the conversation by: 16 hexadecimal digits of its
// sum.
func (l *Log) Name(text string) string { return name(l.cfg.Secrets.Redact(text)) }

// name is of the text as JSON keeps it: bytes that are no character are one character each.
func name(text string) string {
	sum := sha256.Sum256([]byte(string([]rune(text))))
	return hex.EncodeToString(sum[:8])
}

// Text returns the result of a call, or what somebody said, by its name. It looks into this log and
// nowhere else.
func (l *Log) Text(id string) (string, error) {
	if len(id) != 16 || strings.Trim(id, "0123456789abcdef") != "" {
		return "", ErrNoText
	}
	f, err := l.contents()
	if err != nil {
		return "", err
	}
	for _, e := range f.entries {
		if e.Kind != kindMessage {
			continue
		}
		for _, p := range e.Parts {
			if (p.Type == "tool_result" || p.Type == "text") && name(p.Text) == id {
				return p.Text, nil
			}
		}
	}
	return "", ErrNoText
}
