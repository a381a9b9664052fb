package shell

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// filter is a choice of the entries of a tree.
type filter struct {
	name string
	key  rune
	show func(sessionlog.Node) bool
}

// filters are what /tree can show; Tab goes from one to the next, Alt with the letter to one of
// them.
var filters = []filter{
	{"what was said and called", 'd', func(n sessionlog.Node) bool { return n.Text != "" || len(n.Tools) > 0 }},
	{"without tools", 't', func(n sessionlog.Node) bool { return n.Text != "" }},
	{"your messages", 'u', sessionlog.Node.Asks},
	{"named", 'l', func(n sessionlog.Node) bool { return n.Label != "" }},
	{"everything", 'a', func(sessionlog.Node) bool { return true }},
}

// tree is the list of /tree: the entries of the session, read and searched beside the loop. It
// belongs to the loop; a Match works on a copy.
type tree struct {
	sh     *Shell
	log    Sessions
	list   *widget.List
	leave  func()
	filter int

	read   bool // what follows is there
	nodes  []sessionlog.Node
	depths []int
	texts  []string // of nodes, in lower case, for the search
	leaf   string
}

// tree handles /tree: the conversation goes on behind another message of its session.
func (sh *Shell) tree() {
	log := sh.sessions("/tree")
	if log == nil {
		return
	}
	t := &tree{sh: sh, log: log, list: &widget.List{}}
	t.list.Hint = sh.cfg.Keys.Join(" · ", "{list-choose} goes there", "{tree-summary} with a summary",
		"{tree-filter} filters", "{tree-label} labels", "{list-close} closes")
	t.list.Source = t
	t.list.OnKey = t.key
	t.list.OnChoose = func(i int) { t.choose(i, false) }
	t.show()
}

// show opens the list.
func (t *tree) show() {
	t.title()
	t.list.Changed()
	t.leave = t.sh.overlay(t.sh.keyed(t.list), tui.Place{Replace: true})
	t.list.OnLeave = t.leave
}

func (t *tree) title() { t.list.Title = "This session: " + filters[t.filter].name }

// Len returns the number of entries.
func (t *tree) Len() int { return len(t.nodes) }

// Item returns the row of entry i.
func (t *tree) Item(i int) widget.Item { return row(t.nodes[i], t.depths[i], t.nodes[i].ID == t.leaf) }

// Match reads the session if that was not done yet, and looks for words, beside the loop.
func (t *tree) Match(words []string, done func([]int)) {
	filter, now := t.filter, *t
	go func() {
		var err error
		if !now.read {
			err = now.load()
		}
		found := now.find(words, filter)
		t.sh.app.Do(func() {
			if !t.read {
				t.read, t.nodes, t.depths, t.texts, t.leaf = true, now.nodes, now.depths, now.texts, now.leaf
				t.list.At = max(slices.IndexFunc(t.nodes, func(n sessionlog.Node) bool { return n.ID == t.leaf }), 0)
				t.refuse(err)
			}
			done(found)
		})
	}()
}

// load reads the session.
func (t *tree) load() (err error) {
	t.read = true
	if t.nodes, t.leaf, err = t.log.Tree(); err != nil {
		return err
	}
	t.lay()
	return nil
}

// lay puts the entries in their order.
func (t *tree) lay() {
	t.nodes, t.depths = ordered(t.nodes)
	t.texts = make([]string, len(t.nodes))
	for i, n := range t.nodes {
		t.texts[i] = searched(n)
	}
}

// find returns the entries that a filter shows and that hold all words.
func (t *tree) find(words []string, filter int) (found []int) {
	for i, n := range t.nodes {
		shown := filters[filter].show(n) || n.ID == t.leaf && filter == 0
		if shown && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(t.texts[i], w) }) {
			found = append(found, i)
		}
	}
	return found
}

// refuse leaves a tree that cannot be shown.
func (t *tree) refuse(err error) {
	said := slices.ContainsFunc(t.nodes, sessionlog.Node.Said)
	switch {
	case err != nil:
		t.leave()
		t.sh.append(notice, problem("Cannot read the session: "+err.Error()))
	case !said:
		t.leave()
		t.sh.append(notice, words(false, "This session has no messages yet."))
	}
}

// searched returns what a search finds n by.
func searched(n sessionlog.Node) string {
	said := n.Text
	if n.Asks() {
		said = agent.AsTyped(said, n.Origin)
	}
	return strings.ToLower(strings.Join([]string{n.Label, string(n.Role), said, n.Mark, strings.Join(n.Tools, " "),
		n.Calls}, " "))
}

// key takes the keys that are not the list's own.
func (t *tree) key(k tui.Key, i int) bool {
	turn := func(by int) {
		t.filter = (t.filter + by + len(filters)) % len(filters)
		t.title()
		t.list.Changed()
	}
	switch s := k.String(); {
	case s == "tab":
		turn(1)
	case s == "shift+tab":
		turn(-1)
	case s == "alt+n" && i >= 0:
		t.name(i)
	case k.Mods == terminal.Alt:
		f := slices.IndexFunc(filters, func(f filter) bool { return f.key == k.Code })
		if f < 0 {
			return false
		}
		turn(f - t.filter)
	case s == "ctrl+s" && i >= 0:
		t.choose(i, true)
	default:
		return false
	}
	return true
}

// name asks for the name of entry i; an empty one takes it away.
func (t *tree) name(i int) {
	var leave func()
	f := &field{keys: t.sh.cfg.Keys, title: "A name for: " + firstLine(spoken(t.nodes[i])) + "  (empty: none)"}
	f.editor.Prompt = "name: "
	f.editor.SetText(t.nodes[i].Label)
	f.left = func() { leave() }
	f.editor.OnSubmit = func(name string) {
		leave()
		name = strings.TrimSpace(name)
		t.sh.beside("naming", func(context.Context) func() {
			err := t.log.Label(t.nodes[i].ID, name)
			return func() {
				if err != nil {
					t.sh.append(notice, problem("The label was not set: "+err.Error()))
					return
				}
				t.nodes, t.texts = slices.Clone(t.nodes), slices.Clone(t.texts) // a Match may have the others
				t.nodes[i].Label = name
				t.texts[i] = searched(t.nodes[i])
				t.list.Changed()
			}
		})
	}
	leave = t.sh.overlay(f, tui.Place{Replace: true})
}

// spoken returns what entry n says, for a title.
func spoken(n sessionlog.Node) string {
	switch {
	case n.Asks():
		return agent.AsTyped(n.Text, n.Origin)
	case n.Text != "":
		return n.Text
	}
	return n.Mark + strings.Join(n.Tools, ", ")
}

// choose makes the conversation go on behind entry i; a message of the person's comes back to the
// prompt, to be said otherwise. With summed the model is told in short what is left. Nothing is
// moved before the summary is there.
func (t *tree) choose(i int, summed bool) {
	sh, n := t.sh, t.nodes[i]
	behind := n.ID // the message that the conversation goes on behind
	if !n.Said() {
		behind = n.Parent
	}
	if behind == t.leaf {
		t.leave()
		return
	}
	if sh.busy() {
		t.leave()
		sh.sessions("/tree") // says so
		return
	}
	if summed && sh.cfg.Models.Summarize == nil {
		t.list.Hint = t.sh.cfg.Keys.Say("this model cannot summarize; {list-choose} goes there without a summary")
		return
	}
	t.leave()
	to := n.ID
	if n.Asks() {
		to = n.Parent
	}
	what := "moving"
	if summed {
		what = "summarizing what is left"
	}
	sh.beside(what, func(ctx context.Context) func() {
		said, summary, err := t.move(ctx, n, to, summed)
		stopped := ctx.Err() != nil
		return func() {
			switch {
			case stopped && err != nil:
				sh.append(notice, words(true, "Stopped: the conversation stays where it was."))
				t.show()
			case err != nil:
				sh.append(notice, problem("The conversation stays where it was: "+err.Error()))
			default:
				t.moved(n, said, summary, "files are unchanged")
			}
		}
	})
}

// move moves, beside the loop. said is the whole text of a message of the person's.
func (t *tree) move(ctx context.Context, n sessionlog.Node, to string, summed bool) (said, summary string, err error) {
	if n.Asks() {
		if said, err = t.log.Wording(n.ID); err != nil {
			return "", "", err
		}
		if to == t.leaf {
			return said, "", nil
		}
	}
	if summed {
		left, err := t.log.Left(to)
		if err != nil {
			return "", "", err
		}
		if len(left) > 0 {
			if summary, err = t.sh.cfg.Models.Summarize(ctx, left); err != nil {
				return "", "", fmt.Errorf("there is no summary of what is left: %w", err)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	_, err = t.log.Move(to, summary)
	return said, summary, err
}

// moved tells where the conversation goes on, and what of the files.
func (t *tree) moved(n sessionlog.Node, said, summary, files string) {
	t.sh.measure()
	where := "after " + strconv.Quote(firstLine(n.Text))
	switch {
	case n.Asks():
		where = "before " + strconv.Quote(firstLine(agent.AsTyped(n.Text, n.Origin)))
		t.sh.editor.SetText(agent.AsTyped(said, n.Origin))
	case n.Rewinds:
		where = "before a rewind of the model's"
	case n.Mark != "":
		where = "after the entry " + strconv.Quote(n.Mark)
	case n.Text == "":
		where = "after a call to " + strings.Join(n.Tools, ", ")
	}
	knows := "The model has forgotten everything after it"
	if summary != "" {
		knows = "Of everything after it, the model knows the summary below"
	}
	t.sh.append(notice, words(true, "Went back to "+where+".", knows+"; "+files+". /tree returns."))
	if summary != "" {
		t.sh.append(notice, still(func(s tui.Space) []tui.Line { return detail(summary, s) }))
	}
}

// row returns an entry in the tree.
func row(n sessionlog.Node, depth int, here bool) widget.Item {
	item := widget.Item{Mark: "  ", Text: strings.Repeat("  ", depth)}
	if n.Active {
		item.Mark = "* "
	}
	switch {
	case n.Compacted:
		item.Text += "(" + firstLine(n.Text) + ")"
	case n.Mark != "":
		item.Text += "(" + n.Mark + ")"
	case n.Asks():
		item.Text += "> " + firstLine(agent.AsTyped(n.Text, n.Origin))
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

// ordered returns nodes with each behind its parent, and how many turnings lead to it. An entry
// that is no message turns nothing: it stands right behind the message that it belongs to.
func ordered(nodes []sessionlog.Node) (list []sessionlog.Node, depths []int) {
	children := make(map[string][]int, len(nodes))
	for i, n := range nodes {
		children[n.Parent] = append(children[n.Parent], i)
	}
	type step struct{ at, depth int }
	var todo []step
	push := func(parent string, depth int) {
		branch, marks := 0, depth
		for _, i := range children[parent] {
			if nodes[i].Said() {
				branch++
			}
		}
		if branch > 1 {
			depth++
		}
		for _, said := range []bool{true, false} { // what is pushed last comes first
			for _, i := range slices.Backward(children[parent]) {
				switch {
				case nodes[i].Said() != said:
				case said:
					todo = append(todo, step{i, depth})
				default:
					todo = append(todo, step{i, marks})
				}
			}
		}
	}
	push("", 0)
	list, depths = make([]sessionlog.Node, 0, len(nodes)), make([]int, 0, len(nodes))
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		list, depths = append(list, nodes[s.at]), append(depths, s.depth)
		if nodes[s.at].Said() {
			push(nodes[s.at].ID, s.depth)
		}
	}
	return list, depths
}

// field asks for a line of text in the prompt's place.
type field struct {
	keys   keymap.Map
	title  string
	editor tui.Editor
	left   func() // Esc, Ctrl+C
}

// View returns a blank row, the title and the line.
func (f *field) View(s tui.Space) tui.View {
	rows := []tui.Line{{}, s.Cut(tui.Span{Text: f.title, Style: s.Look().Strong})}
	in := s
	in.Height = max(s.Height-len(rows), 1)
	v := f.editor.View(in)
	if v.Cursor != nil {
		v.Cursor = &tui.Pos{Col: v.Cursor.Col, Row: v.Cursor.Row + len(rows)}
	}
	v.Lines = append(rows, v.Lines...)
	return v
}

// HandleEvent gives the editor its keys.
func (f *field) HandleEvent(ev tui.Event, s tui.Space) bool {
	k, ok := ev.(tui.Key)
	switch {
	case !ok:
		f.editor.HandleEvent(ev, s)
		return true
	case !f.editor.Searching() && (k.Is("esc") || k.Is("ctrl+c")):
		f.left()
		return true
	}
	switch k = f.keys.Key(keymap.Field, k); {
	case k.Is("enter") && f.editor.Empty():
		f.editor.OnSubmit("")
	case k.Code != 0:
		f.editor.HandleEvent(k, s)
	}
	return true
}
