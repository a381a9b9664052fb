package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Compact replaces the conversation with messages. The earlier messages stay in the file. line
// describes the compaction to the user.
func (l *Log) Compact(messages []provider.Message, line string) error {
	return l.appendEntry(entry{Kind: kindCompact, Text: line, Messages: l.storedMessages(messages)})
}

// storedMessages returns messages in the form in which the log stores them, without secrets.
func (l *Log) storedMessages(messages []provider.Message) (list []stored) {
	for _, m := range messages {
		m = m.Redact(l.cfg.Secrets)
		list = append(list, stored{Role: string(m.Role), Parts: l.encode(m.Parts)})
	}
	return list
}

// FullConversation returns all messages of the current branch, including those that were compacted.
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

// ErrNoText is returned if the log contains no text with a given name.
var ErrNoText = errors.New("the session has no such text")

// TextName returns the name by which [Log.Text] finds a text of the conversation: the first 16
// hexadecimal digits of its hash.
func (l *Log) TextName(text string) string { return textName(l.cfg.Secrets.Redact(text)) }

// textName returns the name of a text in the form in which JSON stores it: each byte that is not
// valid UTF-8 becomes one replacement character.
func textName(text string) string {
	sum := sha256.Sum256([]byte(string([]rune(text))))
	return hex.EncodeToString(sum[:8])
}

// Text returns the text with that name: the result of a call, or the text of a message.
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
