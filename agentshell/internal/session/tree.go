package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// ErrNoEntry is returned if the session has no entry with that id.
var ErrNoEntry = errors.New("the session has no such entry")

// Node is an entry of a session as a node of the tree of its branches (SH-20). Parent is the id of
// the message or compaction before it, or "". All texts are untrusted.
type Node struct {
	ID, Parent string
	Number     int // number of the message, from 1, in the order of the file; 0: not a message
	Time       time.Time
	Role       provider.Role
	Text       string // the first 4 KiB of the message's text
	Origin     provider.Origin
	Tools      []string // the names of the tools that the message calls
	Calls      string   // the beginning of the arguments of these calls
	Results    int      // the number of tool results in the message
	Rewinds    bool     // it calls rewind, or is the result of that; a move to it leads to the entry before
	Label      string
	Active     bool   // the entry is on the current branch
	Compacted  bool   // the entry is a compaction, which Text describes
	Mark       string // a description of an entry that is neither a message nor a compaction
	Change     int    // the number of the last file change before it, on any branch; 0: none
}

// IsMessage reports whether n is a message or a compaction.
func (n Node) IsMessage() bool { return n.Mark == "" }

// IsPersons reports whether n is a message or an action of the user.
func (n Node) IsPersons() bool {
	return n.Role == provider.User && n.Text != "" && n.Origin.IsFromPerson()
}

// Limits in bytes on the parts of a message that a node contains.
const (
	nodeText  = 4 << 10
	nodeCalls = 512
)

// Tree returns all entries of the session as nodes, with all branches, in the order of the file.
// leaf is the id of the last message of the current branch, or "". Tree reads the whole file. It
// may be called at any time.
func (l *Log) Tree() (nodes []Node, leaf string, err error) {
	f, err := l.parsedFile()
	if err != nil {
		return nil, "", err
	}
	parents := f.parents()
	nodeIndex := make(map[string]int, len(f.entries)) // in nodes
	messageIDs := make([]string, len(f.entries))      // the message that an entry is, or stands behind
	nodes = make([]Node, 0, len(f.entries))
	lastChange, messages := 0, 0
	for i, e := range f.entries {
		n := e.node()
		if n.IsMessage() {
			messages++
			n.Number = messages
		}
		if n.Change = lastChange; e.Kind == kindChange && e.Change != nil {
			lastChange = max(lastChange, e.Change.N)
		}
		if parents[i] >= 0 {
			n.Parent = messageIDs[parents[i]]
		}
		if messageIDs[i] = n.Parent; e.isMessage() {
			messageIDs[i] = e.ID
		}
		if n.Results > 0 && parents[i] >= 0 && f.entries[parents[i]].isAcceptedRewind(e) {
			n.Rewinds, nodes[nodeIndex[f.entries[parents[i]].ID]].Rewinds = true, true
		}
		if e.Kind == kindLabel {
			if k, ok := nodeIndex[e.Target]; ok {
				nodes[k].Label = e.Text
			}
		}
		nodeIndex[e.ID] = len(nodes)
		nodes = append(nodes, n)
	}
	for i := f.index(l.currentLeaf()); i >= 0; i = parents[i] {
		if leaf == "" && f.entries[i].isMessage() {
			leaf = f.entries[i].ID
		}
		nodes[nodeIndex[f.entries[i].ID]].Active = true
	}
	return nodes, leaf, nil
}

// currentLeaf returns the id of the last entry of the current branch, to which the next entry is
// appended.
func (l *Log) currentLeaf() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leaf
}

// node returns the entry as a node of the tree, without the fields that depend on other entries.
func (e entry) node() Node {
	if e.Kind == kindCompact {
		return Node{ID: e.ID, Time: e.Time, Text: e.Text, Compacted: true}
	}
	n := Node{ID: e.ID, Time: e.Time, Role: provider.Role(e.Role)}
	switch e.Kind {
	case kindMessage:
		var text, calls strings.Builder
		for _, p := range e.Parts {
			switch p.Type {
			case "text":
				if p.Origin.IsAside() {
					continue
				}
				if text.Len() > 0 {
					text.WriteByte('\n')
				} else {
					n.Origin = p.Origin
				}
				text.WriteString(head(p.Text, nodeText-text.Len()))
			case "tool_call":
				n.Tools = append(n.Tools, strings.Clone(p.Name))
				calls.WriteString(head(p.Input, nodeCalls-calls.Len()))
			case "tool_result":
				n.Results++
			}
		}
		n.Text, n.Calls = text.String(), calls.String()
	case kindSummary:
		n.Role, n.Text = provider.Assistant, "summary of the branch that was left: "+head(e.Text, nodeText)
	case kindReport:
		n.Role, n.Origin = provider.Assistant, provider.Report
		n.Text = "back at the checkpoint: " + head(e.Text, nodeText)
	case kindSession:
		n.Mark = "the session begins"
	case kindClear:
		n.Mark = "the model forgets what was said"
	case kindMove:
		n.Mark = "the conversation goes on from here"
	case kindLabel:
		if n.Mark = "a name is taken away"; e.Text != "" {
			n.Mark = "named: " + e.Text
		}
	case kindName:
		n.Mark = "the session is called " + head(e.Name, nodeText)
	case kindRun:
		n.Mark = "a call is run"
	case kindDir:
		n.Mark = "a directory is added: " + head(e.Text, nodeText)
	case kindChoice:
		if n.Mark = "a choice"; e.Choices != nil {
			n.Mark = e.Choices.mark()
		}
	case kindBegin, kindChange:
		n.Mark = "a file is changed"
		if e.Change != nil {
			n.Mark += ": " + e.Change.Rel
		}
	default:
		n.Mark = "another entry: " + head(e.Kind, 40)
	}
	return n
}

// head returns the first n bytes of s, or fewer so that no character is cut.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(strings.Clone(width.Head(s, n)), "")
}

// parents returns the index of each entry's parent, or -1. A parent always comes before its child
// in the file, so that there is no cycle. If a parent is damaged, the entry before the child takes
// its place.
func (f file) parents() []int {
	indexes := make(map[string]int, len(f.entries))
	for i, e := range f.entries {
		indexes[e.ID] = i
	}
	list := make([]int, len(f.entries))
	for i, e := range f.entries {
		parent, known := indexes[e.Parent]
		switch {
		case e.Parent == "":
			list[i] = -1
		case known && parent < i:
			list[i] = parent
		default:
			list[i] = i - 1
		}
	}
	return list
}

// moveTarget returns the index of the entry after which the conversation continues when it moves to
// the entry id. Usually that is the entry itself. For a message that calls tools, it is the entry
// with their results. For an entry outside the conversation, such as a file change, it is the entry
// before. For a rewind it is also the entry before, because the conversation would otherwise go
// back to its checkpoint again.
func (f file) moveTarget(id string) (i int, err error) {
	if id == "" {
		return f.index(f.root()), nil
	}
	if i = f.index(id); i < 0 {
		return i, fmt.Errorf("%w: %s", ErrNoEntry, id)
	}
	e := f.entries[i]
	parents := f.parents()
	if e.isOutsideConversation() {
		return parents[i], nil
	}
	if e.Kind == kindMessage && e.node().Results > 0 && parents[i] >= 0 && f.entries[parents[i]].isAcceptedRewind(e) {
		return parents[parents[i]], nil
	}
	if e.Kind == kindMessage && len(e.node().Tools) > 0 {
		for k, r := range f.entries[i+1:] {
			if r.Parent == id && r.Kind == kindMessage && r.node().Results > 0 {
				if e.isAcceptedRewind(r) {
					return parents[i], nil
				}
				return i + 1 + k, nil
			}
		}
	}
	return i, nil
}

// LeftBehind returns the messages of the current branch that a move to the entry id would leave,
// oldest first. There are none if the current branch is a part of the path to that entry.
func (l *Log) LeftBehind(id string) ([]provider.Message, error) {
	f, err := l.parsedFile()
	if err != nil {
		return nil, err
	}
	target, err := f.moveTarget(id)
	if err != nil {
		return nil, err
	}
	parents := f.parents()
	onPath := map[int]bool{}
	for i := target; i >= 0; i = parents[i] {
		onPath[i] = true
	}
	var left []provider.Message
	for i := f.index(l.currentLeaf()); i >= 0 && !onPath[i]; i = parents[i] {
		messages := f.entries[i].messages()
		slices.Reverse(messages)
		left = append(left, messages...)
	}
	slices.Reverse(left)
	left, _ = completed(left, nil)
	return left, nil
}

// Move continues the conversation after the entry id, or with an empty one if id is "", and returns
// the new conversation. summary tells the model about the branch that is left; it may be "". That
// branch stays in the file.
func (l *Log) Move(id, summary string) ([]provider.Message, error) {
	f, err := l.parsedFile()
	if err != nil {
		return nil, err
	}
	root := f.root()
	target, err := f.moveTarget(id)
	if err != nil {
		return nil, err
	}
	e := entry{Kind: kindMove, Target: root}
	if target >= 0 {
		e.Target, e.Count = f.entries[target].ID, f.entries[target].Count
	}
	if summary != "" {
		e.Kind, e.Text = kindSummary, summary
	}
	if err := l.appendEntry(e); err != nil {
		return nil, err
	}
	if f, err = l.parsedFile(); err != nil {
		return nil, err
	}
	messages, _, err := l.complete(f.messages(), root, nil)
	return messages, err
}

// MessageText returns the full text of a message. A Node has only its beginning.
func (l *Log) MessageText(id string) (string, error) {
	f, err := l.parsedFile()
	if err != nil {
		return "", err
	}
	i := f.index(id)
	if i < 0 {
		return "", fmt.Errorf("%w: %s", ErrNoEntry, id)
	}
	return f.entries[i].messageText(), nil
}

// messageText returns the text of a message, without notes that the user did not write.
func (e entry) messageText() string {
	var texts []string
	for _, p := range e.Parts {
		if p.Type == "text" && !p.Origin.IsAside() {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// isPersons reports whether e is a message or an action of the user.
func (e entry) isPersons() bool { return e.Kind == kindMessage && stored{e.Role, e.Parts}.isPersons() }

func (s stored) isPersons() bool {
	return provider.Role(s.Role) == provider.User && slices.ContainsFunc(s.Parts, func(p part) bool {
		return p.Type == "text" && p.Text != "" && p.Origin.IsFromPerson()
	})
}

// Label gives the entry id a label; "" removes the label.
func (l *Log) Label(id, name string) error {
	f, err := l.parsedFile()
	if err != nil {
		return err
	}
	if f.index(id) < 0 {
		return fmt.Errorf("%w: %s", ErrNoEntry, id)
	}
	return l.appendEntry(entry{Kind: kindLabel, Target: id, Text: name})
}

// maxName is the largest number of bytes of a session's name.
const maxName = 200

// Rename names the session; "" removes the name. Line breaks become blanks.
func (l *Log) Rename(name string) error {
	name = head(strings.Join(strings.Fields(name), " "), maxName)
	l.mu.Lock()
	l.name = name
	l.mu.Unlock()
	return l.appendEntry(entry{Kind: kindName})
}

// AddDirectory records that the user has added a directory to the session.
func (l *Log) AddDirectory(dir string, readOnly bool) error {
	if readOnly {
		dir += ":ro"
	}
	return l.appendEntry(entry{Kind: kindDir, Text: dir})
}

// Directories returns the directories that the user has added to the session. A read-only one has
// the suffix :ro.
func (l *Log) Directories() (list []string) {
	f, err := l.parsedFile()
	if err != nil {
		return nil
	}
	for _, e := range f.entries {
		if e.Kind == kindDir && !slices.Contains(list, e.Text) {
			list = append(list, e.Text)
		}
	}
	return list
}

// Name returns the name that the user has given to the session, or "".
func (l *Log) Name() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.name
}

// index returns the index of the entry with that id, or -1.
func (f file) index(id string) int {
	return slices.IndexFunc(f.entries, func(e entry) bool { return e.ID == id })
}

// parsedFile returns the parsed log, including the entries that are not on the disk yet.
func (l *Log) parsedFile() (file, error) {
	l.mu.Lock()
	text, err := l.sink.content()
	resumed := l.resumed
	l.mu.Unlock() // what follows takes a while
	if err != nil {
		return file{}, fmt.Errorf("session log: %w", err)
	}
	f := resumed.parse(text)
	if len(f.entries) == 0 {
		return f, fmt.Errorf("%s holds no session", l.Path())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if f.damaged > l.damagedTold {
		l.backlog.addNews("%d damaged entries of the session log were passed over.", f.damaged-l.damagedTold)
		l.damagedTold = f.damaged
	}
	return f, nil
}
