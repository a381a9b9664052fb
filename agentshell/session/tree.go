package session

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/provider"
)

// ErrNoEntry says that a session has no entry of that id.
var ErrNoEntry = errors.New("the session has no such entry")

// Node is a message of a session, or a compaction, as its tree shows it (SH-20). Parent is the
// message before it, "" for a first one. Text is untrusted.
type Node struct {
	ID, Parent string
	Time       time.Time
	Role       provider.Role
	Text       string   // what was said
	Tools      []string // names of the tools that it calls
	Results    int      // of calls that it brings
	Label      string
	Active     bool // it is on the way to the leaf
	Compacted  bool // no message: Text says what was compacted
}

// Tree is all messages of the session in the order of the file, every branch of it. leaf is the
// message that the conversation goes on behind, "" for an empty one.
func (l *Log) Tree() (nodes []Node, leaf string, err error) {
	f, err := l.contents()
	if err != nil {
		return nil, "", err
	}
	at := map[string]int{} // in nodes
	for i, e := range f.entries {
		switch e.Kind {
		case kindMessage, kindCompact:
			n := e.node()
			for _, k := range slices.Backward(f.path(i)[:len(f.path(i))-1]) {
				if f.entries[k].stands() {
					n.Parent = f.entries[k].ID
					break
				}
			}
			at[e.ID] = len(nodes)
			nodes = append(nodes, n)
		case kindLabel:
			if k, ok := at[e.Target]; ok {
				nodes[k].Label = e.Text
			}
		}
	}
	for _, i := range f.path(f.index(l.leaf)) {
		if k, ok := at[f.entries[i].ID]; ok {
			nodes[k].Active = true
			leaf = nodes[k].ID
		}
	}
	return nodes, leaf, nil
}

// stands reports whether e is something that a conversation can go on behind.
func (e entry) stands() bool { return e.Kind == kindMessage || e.Kind == kindCompact }

// node is an entry for the tree.
func (e entry) node() Node {
	if e.Kind == kindCompact {
		return Node{ID: e.ID, Time: e.Time, Text: e.Text, Compacted: true}
	}
	n := Node{ID: e.ID, Time: e.Time, Role: provider.Role(e.Role)}
	var said []string
	for _, p := range decode(e.Parts) {
		switch p := p.(type) {
		case provider.Text:
			said = append(said, p.Text)
		case provider.ToolCall:
			n.Tools = append(n.Tools, p.Name)
		case provider.ToolResult:
			n.Results++
		}
	}
	n.Text = strings.Join(said, "\n")
	return n
}

// Move makes the conversation go on behind the message id, "" for an empty one, and gives it.
// Behind a message that calls tools the results come along. The branch that is left stays in the
// file.
func (l *Log) Move(id string) ([]provider.Message, error) {
	f, err := l.contents()
	if err != nil {
		return nil, err
	}
	root := f.root()
	i := f.index(id)
	switch {
	case id == "":
		id = root
	case i < 0 || !f.entries[i].stands():
		return nil, fmt.Errorf("%w: %s", ErrNoEntry, id)
	case len(f.entries[i].node().Tools) > 0:
		for _, e := range f.entries[i+1:] {
			if e.Parent == id && e.Kind == kindMessage && e.node().Results > 0 {
				id = e.ID
				break
			}
		}
	}
	if err := l.append(entry{Kind: kindMove, Target: id}); err != nil {
		return nil, err
	}
	if f, err = l.contents(); err != nil {
		return nil, err
	}
	messages, _, err := l.complete(f.messages(), root)
	return messages, err
}

// Label names the message id; "" takes its name away.
func (l *Log) Label(id, name string) error {
	f, err := l.contents()
	if err != nil {
		return err
	}
	if i := f.index(id); i < 0 || !f.entries[i].stands() {
		return fmt.Errorf("%w: %s", ErrNoEntry, id)
	}
	return l.append(entry{Kind: kindLabel, Target: id, Text: name})
}

// index is where entry id stands, -1 if it does not.
func (f file) index(id string) int {
	return slices.IndexFunc(f.entries, func(e entry) bool { return e.ID == id })
}

// contents reads what was appended.
func (l *Log) contents() (file, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text, err := l.sink.text()
	if err != nil {
		return file{}, fmt.Errorf("session log: %w", err)
	}
	f := parse(text)
	if len(f.entries) == 0 {
		return f, fmt.Errorf("%s holds no session", l.Path())
	}
	if f.damaged > l.passed {
		l.backlog.say("%d damaged entries of the session log were passed over.", f.damaged-l.passed)
		l.passed = f.damaged
	}
	return f, nil
}

// Summary is a session for a list. First is what the person said first, untrusted text.
type Summary struct {
	ID       string
	At       time.Time // of the last write
	First    string
	Messages int
}

// Summaries describes the sessions of the workspace, the one that was written last first, most at a
// time; one that cannot be read is left out.
func Summaries(cfg Config, most int) ([]Summary, error) {
	ids, err := Recent(cfg)
	if err != nil {
		return nil, err
	}
	var list []Summary
	for _, id := range ids {
		if len(list) == most {
			break
		}
		path, err := cfg.path(id)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		s := Summary{ID: id}
		for _, e := range parse(text).entries {
			s.At = e.Time
			if e.Kind == kindMessage {
				if n := e.node(); n.Role == provider.User && n.Text != "" {
					s.Messages++
					if s.First == "" {
						s.First = n.Text
					}
				}
			}
		}
		if s.Messages > 0 {
			list = append(list, s)
		}
	}
	return list, nil
}
