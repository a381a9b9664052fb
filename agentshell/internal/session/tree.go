package session

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// ErrNoEntry says that a session has no entry of that id.
var ErrNoEntry = errors.New("the session has no such entry")

// Node is an entry of a session as its tree shows it (SH-20). Parent is the message or the
// compaction before it, "" for a first one. Text is untrusted.
type Node struct {
	ID, Parent string
	Time       time.Time
	Role       provider.Role
	Text       string // what was said, at most its first 4 KiB
	Origin     provider.Origin
	Tools      []string // names of the tools that it calls
	Calls      string   // the beginning of what it calls them with
	Results    int      // of calls that it brings
	Rewinds    bool     // it is a rewind of the model's, or brings its result: who goes there goes before it
	Label      string
	Active     bool   // it is on the way to the leaf
	Compacted  bool   // no message: Text says what was compacted
	Mark       string // of an entry that is neither: what happened
	Change     int    // number of the last change of a file before it, on whatever branch; 0: none
}

// Said reports whether n is a message, or stands for some.
func (n Node) Said() bool { return n.Mark == "" }

// Asks reports whether n is what the person said or did.
func (n Node) Asks() bool {
	return n.Role == provider.User && n.Text != "" && n.Origin.Person()
}

// What a node keeps of its message, in bytes: a tree is for finding.
const (
	nodeText  = 4 << 10
	nodeCalls = 512
)

// Tree returns all entries of the session in the order of the file, every branch of it. leaf is the
// message that the conversation goes on behind, "" for an empty one. Its time is that of one
// reading of the file; it may be called beside anything else.
func (l *Log) Tree() (nodes []Node, leaf string, err error) {
	f, err := l.contents()
	if err != nil {
		return nil, "", err
	}
	up := f.parents()
	at := make(map[string]int, len(f.entries)) // in nodes
	above := make([]string, len(f.entries))    // the message that an entry is, or stands behind
	nodes = make([]Node, 0, len(f.entries))
	changed := 0
	for i, e := range f.entries {
		n := e.node()
		if n.Change = changed; e.Kind == kindChange && e.Change != nil {
			changed = max(changed, e.Change.N)
		}
		if up[i] >= 0 {
			n.Parent = above[up[i]]
		}
		if above[i] = n.Parent; e.stands() {
			above[i] = e.ID
		}
		if n.Results > 0 && up[i] >= 0 && f.entries[up[i]].rewinds(e) {
			n.Rewinds, nodes[at[f.entries[up[i]].ID]].Rewinds = true, true
		}
		if e.Kind == kindLabel {
			if k, ok := at[e.Target]; ok {
				nodes[k].Label = e.Text
			}
		}
		at[e.ID] = len(nodes)
		nodes = append(nodes, n)
	}
	for i := f.index(l.end()); i >= 0; i = up[i] {
		if leaf == "" && f.entries[i].stands() {
			leaf = f.entries[i].ID
		}
		nodes[at[f.entries[i].ID]].Active = true
	}
	return nodes, leaf, nil
}

// end returns the id of the entry that the next one stands behind.
func (l *Log) end() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leaf
}

// node returns an entry for the tree.
func (e entry) node() Node {
	if e.Kind == kindCompact {
		return Node{ID: e.ID, Time: e.Time, Text: e.Text, Compacted: true}
	}
	n := Node{ID: e.ID, Time: e.Time, Role: provider.Role(e.Role)}
	switch e.Kind {
	case kindMessage:
		var said, calls strings.Builder
		for _, p := range e.Parts {
			switch p.Type {
			case "text":
				if p.Origin.Beside() {
					continue
				}
				if said.Len() > 0 {
					said.WriteByte('\n')
				} else {
					n.Origin = p.Origin
				}
				said.WriteString(head(p.Text, nodeText-said.Len()))
			case "tool_call":
				n.Tools = append(n.Tools, strings.Clone(p.Name))
				calls.WriteString(head(p.Input, nodeCalls-calls.Len()))
			case "tool_result":
				n.Results++
			}
		}
		n.Text, n.Calls = said.String(), calls.String()
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

// head returns the first bytes of s, at most n of them, without a part of a letter.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(strings.Clone(s[:max(n, 0)]), "")
}

// parents returns where the parent of each entry stands, -1 for none. It stands before its child: a
// circle ends. Where it is damaged, the entry before takes its place.
func (f file) parents() []int {
	at := make(map[string]int, len(f.entries))
	for i, e := range f.entries {
		at[e.ID] = i
	}
	up := make([]int, len(f.entries))
	for i, e := range f.entries {
		parent, known := at[e.Parent]
		switch {
		case e.Parent == "":
			up[i] = -1
		case known && parent < i:
			up[i] = parent
		default:
			up[i] = i - 1
		}
	}
	return up
}

// place returns the entry that the conversation goes on behind when it goes to the entry id: behind
// a message that calls tools the results come along, and what is aside has no place of its own. A
// rewind has none either: behind it the conversation would go back to its checkpoint again, so it
// goes on before it.
func (f file) place(id string) (i int, err error) {
	if id == "" {
		return f.index(f.root()), nil
	}
	if i = f.index(id); i < 0 {
		return i, fmt.Errorf("%w: %s", ErrNoEntry, id)
	}
	e := f.entries[i]
	up := f.parents()
	if e.aside() {
		return up[i], nil
	}
	if e.Kind == kindMessage && e.node().Results > 0 && up[i] >= 0 && f.entries[up[i]].rewinds(e) {
		return up[up[i]], nil
	}
	if e.Kind == kindMessage && len(e.node().Tools) > 0 {
		for k, r := range f.entries[i+1:] {
			if r.Parent == id && r.Kind == kindMessage && r.node().Results > 0 {
				if e.rewinds(r) {
					return up[i], nil
				}
				return i + 1 + k, nil
			}
		}
	}
	return i, nil
}

// Left returns what a move to the entry id leaves: the conversation from where the two ways part,
// oldest first. It is empty where the present way goes on to there, or the entry is the present
// one.
func (l *Log) Left(id string) ([]provider.Message, error) {
	f, err := l.contents()
	if err != nil {
		return nil, err
	}
	to, err := f.place(id)
	if err != nil {
		return nil, err
	}
	up := f.parents()
	kept := map[int]bool{}
	for i := to; i >= 0; i = up[i] {
		kept[i] = true
	}
	var left []provider.Message
	for i := f.index(l.end()); i >= 0 && !kept[i]; i = up[i] {
		said := f.entries[i].said()
		slices.Reverse(said)
		left = append(left, said...)
	}
	slices.Reverse(left)
	left, _ = whole(left)
	return left, nil
}

// Move makes the conversation go on behind the entry id, "" for an empty one, and gives it.
// Summary is what the model is told of the branch that is left, "" for nothing; the branch stays
// in the file.
func (l *Log) Move(id, summary string) ([]provider.Message, error) {
	f, err := l.contents()
	if err != nil {
		return nil, err
	}
	root := f.root()
	to, err := f.place(id)
	if err != nil {
		return nil, err
	}
	e := entry{Kind: kindMove, Target: root}
	if to >= 0 {
		e.Target, e.Count = f.entries[to].ID, f.entries[to].Count
	}
	if summary != "" {
		e.Kind, e.Text = kindSummary, summary
	}
	if err := l.append(e); err != nil {
		return nil, err
	}
	if f, err = l.contents(); err != nil {
		return nil, err
	}
	messages, _, err := l.complete(f.messages(), root)
	return messages, err
}

// Wording returns all that was said in the message id: a Node has the beginning only.
func (l *Log) Wording(id string) (string, error) {
	f, err := l.contents()
	if err != nil {
		return "", err
	}
	i := f.index(id)
	if i < 0 {
		return "", fmt.Errorf("%w: %s", ErrNoEntry, id)
	}
	return f.entries[i].wording(), nil
}

// wording returns the text of a message.
func (e entry) wording() string {
	var said []string
	for _, p := range e.Parts {
		if p.Type == "text" && !p.Origin.Beside() {
			said = append(said, p.Text)
		}
	}
	return strings.Join(said, "\n")
}

// asks reports whether e is what the person said or did.
func (e entry) asks() bool { return e.Kind == kindMessage && stored{e.Role, e.Parts}.asks() }

func (m stored) asks() bool {
	return provider.Role(m.Role) == provider.User && slices.ContainsFunc(m.Parts, func(p part) bool {
		return p.Type == "text" && p.Text != "" && p.Origin.Person()
	})
}

// Label names the entry id; "" takes its name away.
func (l *Log) Label(id, name string) error {
	f, err := l.contents()
	if err != nil {
		return err
	}
	if f.index(id) < 0 {
		return fmt.Errorf("%w: %s", ErrNoEntry, id)
	}
	return l.append(entry{Kind: kindLabel, Target: id, Text: name})
}

// index returns where entry id stands, -1 if it does not.
func (f file) index(id string) int {
	return slices.IndexFunc(f.entries, func(e entry) bool { return e.ID == id })
}

// contents reads what was appended.
func (l *Log) contents() (file, error) {
	l.mu.Lock()
	text, err := l.sink.text()
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
	if f.damaged > l.passed {
		l.backlog.say("%d damaged entries of the session log were passed over.", f.damaged-l.passed)
		l.passed = f.damaged
	}
	return f, nil
}
