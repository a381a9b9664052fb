package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Compact makes messages the conversation. The earlier messages stay in the file. line describes
// the compaction for a person. Later entries follow these messages.
func (l *Log) Compact(messages []provider.Message, line string) error {
	return l.appendEntry(entry{Kind: kindCompact, Text: line, Messages: l.storedMessages(messages)})
}

// storedMessages returns messages in the form of the log.
func (l *Log) storedMessages(messages []provider.Message) (list []stored) {
	for _, m := range messages {
		m = m.Redact(l.cfg.Secrets)
		list = append(list, stored{Role: string(m.Role), Parts: l.encode(m.Parts)})
	}
	return list
}

// FullConversation returns all messages of the current branch, also those that were compacted.
func (l *Log) FullConversation() ([]provider.Message, error) {
	f, err := l.parsedFile()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	leaf := l.leaf
	l.mu.Unlock()
	return f.fullMessages(f.index(leaf)), nil
}

// ErrNoText is the error for a name of which the log has no text.
var ErrNoText = errors.New("the session has no such text")

// TextName returns the name by which [Log.Text] finds a text of the conversation: 16 hexadecimal
// digits of its sum.
func (l *Log) TextName(text string) string { return textName(l.cfg.Secrets.Redact(text)) }

// textName returns the name of a text as JSON stores it: each byte that is no valid character is
// one character.
func textName(text string) string {
	sum := sha256.Sum256([]byte(string([]rune(text))))
	return hex.EncodeToString(sum[:8])
}

// Text returns a text of this log by its name: the result of a call, or the text of a message.
func (l *Log) Text(name string) (string, error) {
	if len(name) != 16 || strings.Trim(name, "0123456789abcdef") != "" {
		return "", ErrNoText
	}
	f, err := l.parsedFile()
	if err != nil {
		return "", err
	}
	for _, e := range f.entries {
		if e.Kind != kindMessage {
			continue
		}
		for _, p := range e.Parts {
			if (p.Type == "tool_result" || p.Type == "text") && textName(p.Text) == name {
				return p.Text, nil
			}
		}
	}
	return "", ErrNoText
}
