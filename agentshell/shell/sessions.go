package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/provider"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/session"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// Sessions is the log of this conversation and of others in the same workspace (SH-20). The shell
// calls it on the loop while no turn runs. What returns messages has made them the conversation.
type Sessions interface {
	ID() string
	Tree() (nodes []sessionlog.Node, leaf string, err error)
	Move(id string) ([]provider.Message, error)
	Label(id, name string) error
	Recent() ([]sessionlog.Summary, error)
	Resume(id string) ([]provider.Message, error)
	Fork() error
}

// sessions is cfg.Sessions if it can be used now; what is what for.
func (sh *Shell) sessions(what string) Sessions {
	switch {
	case sh.cfg.Sessions == nil:
		sh.append(notice, problem("No log of this session is kept, so there is no "+what+"."))
		return nil
	case sh.busy():
		sh.append(notice, problem("A turn is running.", "Esc stops it; then "+what+" works."))
		return nil
	}
	return sh.cfg.Sessions
}

// pick shows a list until one of its items is chosen.
func (sh *Shell) pick(l *widget.List, choose func(i int)) {
	leave := sh.app.Overlay(l, tui.Place{Replace: true})
	l.OnLeave = leave
	l.OnChoose = func(i int) {
		leave()
		choose(i)
	}
}

// resume is /resume: another session goes on here.
func (sh *Shell) resume(id string) {
	log := sh.sessions("/resume")
	if log == nil {
		return
	}
	if id != "" {
		sh.goOn(log, id)
		return
	}
	list, err := log.Recent()
	if err != nil {
		sh.append(notice, problem("The sessions cannot be listed: "+err.Error()))
		return
	}
	list = slices.DeleteFunc(list, func(s sessionlog.Summary) bool { return s.ID == log.ID() })
	if len(list) == 0 {
		sh.append(notice, words(false, "There is no other session of this workspace yet."))
		return
	}
	l := &widget.List{Title: "Sessions of this workspace"}
	now := time.Now()
	for _, s := range list {
		l.Items = append(l.Items, widget.Item{Text: firstLine(asTyped(s.First)),
			Note: ago(now.Sub(s.At)) + ", " + count(s.Messages, "message") + ", " + s.ID})
	}
	sh.pick(l, func(i int) { sh.goOn(log, list[i].ID) })
}

// ago is how long something is past, in the unit that matters.
func ago(d time.Duration) string {
	switch hours := int(d / time.Hour); {
	case d < time.Minute:
		return "now"
	case hours < 1:
		return strconv.Itoa(int(d/time.Minute)) + " min ago"
	case hours < 48:
		return strconv.Itoa(hours) + " h ago"
	default:
		return strconv.Itoa(hours/24) + " days ago"
	}
}

func (sh *Shell) goOn(log Sessions, id string) {
	messages, err := log.Resume(id)
	if err != nil {
		sh.append(notice, problem("That session does not go on: "+err.Error()))
		return
	}
	sh.measure()
	sh.append(notice, words(true, fmt.Sprintf("session %s goes on, with %s", id, count(len(messages), "message"))))
	sh.recap(messages)
}

// fork is /fork: the conversation goes on in a copy, and the session as it was stays.
func (sh *Shell) fork() {
	log := sh.sessions("/fork")
	if log == nil {
		return
	}
	was := log.ID()
	if err := log.Fork(); err != nil {
		sh.append(notice, problem("The session was not copied: "+err.Error()))
		return
	}
	sh.append(notice,
		words(true, "This conversation goes on in a copy, "+log.ID()+". As it was until now it stays in "+was+"."))
}

// label is /label: a name for the last message, to be found in /tree.
func (sh *Shell) label(name string) {
	log := sh.sessions("/label")
	if log == nil {
		return
	}
	_, leaf, err := log.Tree()
	if err == nil && leaf == "" {
		sh.append(notice, problem("There is no message to name yet."))
		return
	}
	if err == nil {
		err = log.Label(leaf, name)
	}
	switch {
	case err != nil:
		sh.append(notice, problem("The message was not named: "+err.Error()))
	case name == "":
		sh.append(notice, words(true, "The last message has no name any more."))
	default:
		sh.append(notice, words(true, "The last message is called "+name+" in /tree."))
	}
}

// filters are what /tree can show; Tab goes from one to the next.
var filters = []struct {
	name string
	show func(sessionlog.Node) bool
}{
	{"what was said and called", func(n sessionlog.Node) bool { return n.Text != "" || len(n.Tools) > 0 }},
	{"without tools", func(n sessionlog.Node) bool { return n.Text != "" }},
	{"your messages", func(n sessionlog.Node) bool { return n.Role == provider.User && n.Text != "" }},
	{"named", func(n sessionlog.Node) bool { return n.Label != "" }},
	{"everything", func(sessionlog.Node) bool { return true }},
}

// tree is /tree: the conversation goes on behind another message of its session.
func (sh *Shell) tree() {
	log := sh.sessions("/tree")
	if log == nil {
		return
	}
	nodes, leaf, err := log.Tree()
	switch {
	case err != nil:
		sh.append(notice, problem("The session cannot be read: "+err.Error()))
		return
	case len(nodes) == 0:
		sh.append(notice, words(false, "Nothing was said in this session yet."))
		return
	}
	nodes, depths := ordered(nodes)
	var (
		l      = &widget.List{Hint: "Enter goes on from there, Tab: other messages, typing searches, Esc leaves"}
		shown  []int // indexes of nodes
		filter int
	)
	fill := func() {
		at := -1
		if l.At < len(shown) {
			at = shown[l.At]
		}
		l.Title, l.Items, l.At, shown = "This session: "+filters[filter].name, nil, 0, shown[:0]
		for i, n := range nodes {
			if !filters[filter].show(n) && !(n.ID == leaf && filter == 0) {
				continue
			}
			if i <= at || at < 0 && n.Active {
				l.At = len(shown)
			}
			shown = append(shown, i)
			l.Items = append(l.Items, row(n, depths[i], n.ID == leaf))
		}
		l.Changed()
	}
	fill()
	l.OnKey = func(k tui.Key, _ int) bool {
		if k.String() != "tab" {
			return false
		}
		filter = (filter + 1) % len(filters)
		fill()
		return true
	}
	sh.pick(l, func(i int) { sh.move(log, nodes[shown[i]], leaf) })
}

// row is a message in the tree.
func row(n sessionlog.Node, depth int, here bool) widget.Item {
	item := widget.Item{Mark: "  ", Text: strings.Repeat("  ", depth)}
	if n.Active {
		item.Mark = "* "
	}
	switch {
	case n.Compacted:
		item.Text += "(" + firstLine(n.Text) + ")"
	case n.Role == provider.User && n.Text != "":
		item.Text += "> " + firstLine(asTyped(n.Text))
	case n.Text != "":
		item.Text += firstLine(n.Text)
	case len(n.Tools) > 0:
		item.Text += "(" + strings.Join(n.Tools, ", ") + ")"
	default:
		item.Text += "(" + count(n.Results, "result") + ")"
	}
	var notes []string
	if n.Label != "" {
		notes = append(notes, "["+n.Label+"]")
	}
	if here {
		notes = append(notes, "you are here")
	}
	item.Note = strings.Join(notes, " ")
	return item
}

// ordered is nodes with each behind its parent, and how many turnings lead to it.
func ordered(nodes []sessionlog.Node) (list []sessionlog.Node, depths []int) {
	children := map[string][]sessionlog.Node{}
	for _, n := range nodes {
		children[n.Parent] = append(children[n.Parent], n)
	}
	type step struct {
		node  sessionlog.Node
		depth int
	}
	var todo []step
	push := func(parent string, depth int) {
		branch := children[parent]
		if len(branch) > 1 {
			depth++
		}
		for _, n := range slices.Backward(branch) {
			todo = append(todo, step{n, depth})
		}
	}
	push("", 0)
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		list, depths = append(list, s.node), append(depths, s.depth)
		push(s.node.ID, s.depth)
	}
	return list, depths
}

// move makes the conversation go on behind n; a message of the person's comes back to the prompt,
// to be said otherwise.
func (sh *Shell) move(log Sessions, n sessionlog.Node, leaf string) {
	if n.ID == leaf {
		return
	}
	to, again := n.ID, n.Role == provider.User && n.Text != ""
	if again {
		to = n.Parent
	}
	if _, err := log.Move(to); err != nil {
		sh.append(notice, problem("The conversation stays where it was: "+err.Error()))
		return
	}
	sh.measure()
	where := "after: " + firstLine(n.Text)
	if again {
		where = "before: " + firstLine(asTyped(n.Text))
		sh.editor.SetText(asTyped(n.Text))
	} else if n.Text == "" {
		where = "after a call of " + strings.Join(n.Tools, ", ")
	}
	sh.append(notice, words(true, "The conversation goes on "+where,
		"What stands above stays; of what came later the model knows nothing, the files stay as they are, and /tree "+
			"leads back."))
}

// recap shows the end of a conversation that goes on: from the last but one message of the person
// on. All of theirs are to be had with Up again.
func (sh *Shell) recap(messages []provider.Message) {
	for _, m := range messages {
		text := textOf(m)
		if m.Role == provider.User && text != "" && !slices.Contains(sh.editor.History, asTyped(text)) {
			sh.editor.History = append(sh.editor.History, asTyped(text))
		}
	}
	from := len(messages)
	for n := 0; n < 2 && from > 0; {
		from--
		if messages[from].Role == provider.User && textOf(messages[from]) != "" {
			n++
		}
	}
	if from > 0 {
		sh.append(notice, words(true, count(from, "earlier message")+" not shown"))
	}
	for _, m := range messages[from:] {
		text := textOf(m)
		if len(m.Parts) > 0 {
			if c, ok := m.Parts[0].(provider.Compaction); ok {
				sh.copies.title, sh.copies.output = "compacted", c.Text
				sh.append(notice, words(true,
					"compacted: /output shows what the model is told of what was said before"))
			}
		}
		switch {
		case m.Role == provider.User && text != "":
			sh.append(person, said(asTyped(text)))
			if _, output, own := agent.Own(text); own {
				sh.append(tooling, still(func(s tui.Space) []tui.Line { return detail(output, s) }))
			}
		case text != "":
			d := &markdown.Document{Breaks: true}
			_, _ = d.Write([]byte(text))
			sh.block(prosaic, func(gap bool) tui.Component { d.Gap = gap; return d }).Done()
		}
		for _, p := range m.Parts {
			if c, ok := p.(provider.ToolCall); ok {
				input, _ := clip(firstLine(string(c.Input)))
				sh.append(tooling, still(func(s tui.Space) []tui.Line {
					return []tui.Line{
						s.Cut(tui.Span{Text: s.Look().Glyphs.Tool + " " + c.Name + " " + input, Style: s.Look().Dim})}
				}))
			}
		}
	}
}

// textOf is what is said in m.
func textOf(m provider.Message) string {
	var said []string
	for _, p := range m.Parts {
		if t, ok := p.(provider.Text); ok && strings.TrimSpace(t.Text) != "" {
			said = append(said, t.Text)
		}
	}
	return strings.Join(said, "\n\n")
}

// firstLine is the first line of s that has text.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}
