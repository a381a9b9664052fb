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

// treeFilter decides which entries of the session /tree shows.
type treeFilter struct {
	name string
	// The letter that selects the filter together with Alt.
	key rune
	// Reports whether the filter shows an entry.
	shows func(sessionlog.Node) bool
}

// treeFilters lists the filters of /tree. Tab switches to the next one, and Alt with a filter's key
// to that filter.
var treeFilters = []treeFilter{
	{"what was said and called", 'd', func(n sessionlog.Node) bool { return n.Text != "" || len(n.Tools) > 0 }},
	{"without tools", 't', func(n sessionlog.Node) bool { return n.Text != "" }},
	{"your messages", 'u', sessionlog.Node.IsPersons},
	{"named", 'l', func(n sessionlog.Node) bool { return n.Label != "" }},
	{"everything", 'a', func(sessionlog.Node) bool { return true }},
}

// Indexes of entries of treeFilters.
const (
	withoutTools = 1
	yourMessages = 2
)

// treeList holds the entries of the list that /tree opens. They are read and searched on another
// goroutine, which works on a copy. The fields belong to the event loop.
type treeList struct {
	sh          *Shell
	log         Sessions
	widget      *widget.List
	close       func()
	filterIndex int
	number      string // The number of the message that is selected first; "": the last one of the conversation.
	branches    bool   // The list is that of /branch: choosing an entry starts a new session before it.

	loaded bool // The session was read, and the fields below are set.
	nodes  []sessionlog.Node
	// The number of forks above each entry, by the index in nodes.
	depths []int
	texts  []string // The text of each entry in lower case, for the search, by the index in nodes.
	// The id of the last entry of the conversation.
	leaf string
}

// openTree runs /tree: it opens a list in which the user chooses the message after which the
// conversation continues. The message of that number is selected first; "": the last one.
func (sh *Shell) openTree(number string) {
	log := sh.requireSessions("/tree")
	if log == nil {
		return
	}
	number = strings.TrimPrefix(strings.TrimSpace(number), "#")
	if _, err := strconv.ParseUint(number, 10, 32); err != nil && number != "" {
		sh.addBlock(notice, problem(fmt.Sprintf("%q is no number of a message.", number),
			"/tree shows the numbers behind the messages; /tree 7 begins at the seventh."))
		return
	}
	t := newTreeList(sh, log)
	t.filterIndex, t.number = sh.treeFilter, number
	t.widget.Hint = sh.cfg.Keys.ExpandAll(" · ", "{list-choose} goes there", "{tree-summary} with a summary",
		"{tree-filter} filters", "{tree-label} labels", "{list-close} closes")
	t.open()
}

// openBranch runs /branch. It opens the list of /tree if Esc does so, too. Otherwise it lists the
// user's messages, and starts a new session before the chosen one.
func (sh *Shell) openBranch() {
	if sh.cfg.Tree.DoubleEsc == "" || sh.cfg.Tree.DoubleEsc == "tree" {
		sh.openTree("")
		return
	}
	log := sh.requireSessions("/branch")
	if log == nil {
		return
	}
	t := newTreeList(sh, log)
	t.branches, t.filterIndex = true, yourMessages
	t.widget.Hint = sh.listHint()
	t.open()
}

// newTreeList returns a list of the session's entries, not opened yet.
func newTreeList(sh *Shell, log Sessions) *treeList {
	t := &treeList{sh: sh, log: log, widget: &widget.List{Centered: true}}
	t.widget.Source = t
	t.widget.OnKey = t.handleKey
	t.widget.OnChoose = func(i int) { t.choose(i, false) }
	return t
}

// open shows the list.
func (t *treeList) open() {
	t.updateTitle()
	t.widget.Changed()
	t.close = t.sh.overlay(t.sh.withKeys(t.widget), tui.Place{Replace: true})
	t.widget.OnLeave = t.close
}

// updateTitle sets the title of the list, which names the filter.
func (t *treeList) updateTitle() {
	t.widget.Title = "This session: " + treeFilters[t.filterIndex].name
	if t.branches {
		t.widget.Title = "A new session from before which of your messages?"
	}
}

// Len returns the number of entries.
func (t *treeList) Len() int { return len(t.nodes) }

// Item returns the row of entry i.
func (t *treeList) Item(i int) widget.Item {
	return treeRow(t.nodes[i], t.depths[i], t.nodes[i].ID == t.leaf)
}

// Match calls done with the indexes of the entries that pass the filter and contain all words. The
// first call reads the session. The work runs on another goroutine.
func (t *treeList) Match(words []string, done func([]int)) {
	filter, copied := t.filterIndex, *t
	go func() {
		var err error
		start := -1
		if !copied.loaded {
			err = copied.load()
			if start = copied.start(); copied.number != "" && !copied.shows(start, filter) {
				filter = len(treeFilters) - 1 // the message has to be seen
			}
		}
		found := copied.find(words, filter)
		t.sh.app.Do(func() {
			if !t.loaded {
				t.loaded, t.nodes, t.depths = true, copied.nodes, copied.depths
				t.texts, t.leaf = copied.texts, copied.leaf
				t.widget.At, t.filterIndex = max(start, 0), filter
				t.updateTitle()
				t.closeIfEmpty(err, start)
			}
			done(found)
		})
	}()
}

// load reads the entries of the session.
func (t *treeList) load() (err error) {
	t.loaded = true
	if t.nodes, t.leaf, err = t.log.Tree(); err != nil {
		return err
	}
	t.arrange()
	return nil
}

// arrange sorts the entries in the order of the tree.
func (t *treeList) arrange() {
	t.nodes, t.depths = ordered(t.nodes)
	t.texts = make([]string, len(t.nodes))
	for i, n := range t.nodes {
		t.texts[i] = searchText(n)
	}
}

// start returns the index of the entry that is selected first: the message of t.number, or the last
// entry of the conversation. It returns -1 if there is no such entry.
func (t *treeList) start() int {
	if number, err := strconv.Atoi(t.number); err == nil {
		return slices.IndexFunc(t.nodes, func(n sessionlog.Node) bool { return n.Number == number && n.Number > 0 })
	}
	return slices.IndexFunc(t.nodes, func(n sessionlog.Node) bool { return n.ID == t.leaf })
}

// shows reports whether entry i passes the filter of that index. The first two filters also show
// the last entry of the conversation if it has no text.
func (t *treeList) shows(i, filter int) bool {
	if i < 0 {
		return true
	}
	return treeFilters[filter].shows(t.nodes[i]) || t.nodes[i].ID == t.leaf && filter <= withoutTools
}

// find returns the indexes of the entries that pass a filter and contain all words. A word such as
// #12 selects the message of that number.
func (t *treeList) find(words []string, filter int) (found []int) {
	number := 0
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		n, err := strconv.Atoi(strings.TrimPrefix(w, "#"))
		isNumber := err == nil && n > 0 && w[0] == '#'
		if isNumber {
			number = n
		}
		return isNumber
	})
	for i := range t.nodes {
		if number > 0 && t.nodes[i].Number != number || !t.shows(i, filter) {
			continue
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(t.texts[i], w) }) {
			found = append(found, i)
		}
	}
	return found
}

// closeIfEmpty closes the list with a notice if the session cannot be read (err), has no messages,
// or lacks the message to select first (start is -1).
func (t *treeList) closeIfEmpty(err error, start int) {
	hasMessage := slices.ContainsFunc(t.nodes, sessionlog.Node.IsMessage)
	switch {
	case err != nil:
		t.close()
		t.sh.addBlock(notice, problem("Cannot read the session: "+err.Error()))
	case !hasMessage:
		t.close()
		t.sh.addBlock(notice, paragraphs(false, "This session has no messages yet."))
	case start < 0 && t.number != "":
		t.close()
		t.sh.addBlock(notice, problem("This session has no message "+t.number+".", "/tree shows them all."))
	}
}

// searchText returns the text of n in which a search looks, in lower case.
func searchText(n sessionlog.Node) string {
	text := n.Text
	if n.IsPersons() {
		text = agent.AsTyped(text, n.Origin)
	}
	return strings.ToLower(strings.Join([]string{n.Label, string(n.Role), text, n.Mark, strings.Join(n.Tools, " "),
		n.Calls}, " "))
}

// handleKey handles keys that only this list has: those for filters, labels and summaries. i is the
// selected entry, or -1. It reports whether the key was used.
func (t *treeList) handleKey(k tui.Key, i int) bool {
	switchFilter := func(step int) {
		t.filterIndex = (t.filterIndex + step + len(treeFilters)) % len(treeFilters)
		t.sh.treeFilter = t.filterIndex
		t.updateTitle()
		t.widget.Changed()
	}
	switch s := k.String(); {
	case t.branches: // it has only the user's messages
		return false
	case s == "tab":
		switchFilter(1)
	case s == "shift+tab":
		switchFilter(-1)
	case s == "alt+n" && i >= 0:
		t.editLabel(i)
	case k.Mods == terminal.Alt:
		f := slices.IndexFunc(treeFilters, func(f treeFilter) bool { return f.key == k.Code })
		if f < 0 {
			return false
		}
		switchFilter(f - t.filterIndex)
	case s == "ctrl+s" && i >= 0:
		t.choose(i, true)
	default:
		return false
	}
	return true
}

// editLabel lets the user type a label for entry i. An empty text removes the label.
func (t *treeList) editLabel(i int) {
	var leave func()
	f := &lineField{keys: t.sh.cfg.Keys, title: "A name for: " + firstLine(titleText(t.nodes[i])) + "  (empty: none)"}
	f.editor.Prompt = "name: "
	f.editor.SetText(t.nodes[i].Label)
	f.onCancel = func() { leave() }
	f.editor.OnSubmit = func(name string) {
		leave()
		name = strings.TrimSpace(name)
		t.sh.runBeside("naming", func(context.Context) func() {
			err := t.log.Label(t.nodes[i].ID, name)
			return func() {
				if err != nil {
					t.sh.addBlock(notice, problem("The label was not set: "+err.Error()))
					return
				}
				t.nodes, t.texts = slices.Clone(t.nodes), slices.Clone(t.texts) // a Match may have the others
				t.nodes[i].Label = name
				t.texts[i] = searchText(t.nodes[i])
				t.widget.Changed()
			}
		})
	}
	leave = t.sh.overlay(f, tui.Place{Replace: true})
}

// titleText returns the text by which a title names entry n.
func titleText(n sessionlog.Node) string {
	switch {
	case n.IsPersons():
		return agent.AsTyped(n.Text, n.Origin)
	case n.Text != "":
		return n.Text
	}
	return n.Mark + strings.Join(n.Tools, ", ")
}

// treeRow returns the row of the list for entry n. here says that n is the last entry of the
// conversation.
func treeRow(n sessionlog.Node, depth int, here bool) widget.Item {
	item := widget.Item{Mark: "  ", Text: strings.Repeat("  ", depth)}
	if n.Active {
		item.Mark = "* "
	}
	if n.Label != "" {
		item.Text += "[" + n.Label + "] "
	}
	switch {
	case n.Compacted:
		item.Text += "(" + firstLine(n.Text) + ")"
	case n.Mark != "":
		item.Text += "(" + n.Mark + ")"
	case n.IsPersons():
		item.Text += "> " + firstLine(agent.AsTyped(n.Text, n.Origin))
	case n.Text != "":
		item.Text += firstLine(n.Text)
	case len(n.Tools) > 0:
		item.Text += "(" + strings.Join(n.Tools, ", ") + ")"
	default:
		item.Text += "(" + countOf(n.Results, "result") + ")"
	}
	var notes []string
	if here {
		notes = append(notes, "you are here")
	}
	if n.Number > 0 {
		notes = append(notes, "#"+strconv.Itoa(n.Number))
	}
	item.Note = strings.Join(notes, ", ")
	return item
}

// ordered returns nodes in the order of the tree, each after its parent, and for each the number of
// forks above it. An entry that is no message, such as a label, makes no fork, and follows its
// message directly.
func ordered(nodes []sessionlog.Node) (list []sessionlog.Node, depths []int) {
	children := make(map[string][]int, len(nodes))
	for i, n := range nodes {
		children[n.Parent] = append(children[n.Parent], i)
	}
	type entry struct{ index, depth int }
	var stack []entry
	push := func(parent string, depth int) {
		branch, markDepth := 0, depth
		for _, i := range children[parent] {
			if nodes[i].IsMessage() {
				branch++
			}
		}
		if branch > 1 {
			depth++
		}
		for _, messages := range []bool{true, false} { // what is pushed last comes first
			for _, i := range slices.Backward(children[parent]) {
				switch {
				case nodes[i].IsMessage() != messages:
				case messages:
					stack = append(stack, entry{i, depth})
				default:
					stack = append(stack, entry{i, markDepth})
				}
			}
		}
	}
	push("", 0)
	list, depths = make([]sessionlog.Node, 0, len(nodes)), make([]int, 0, len(nodes))
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		list, depths = append(list, nodes[s.index]), append(depths, s.depth)
		if nodes[s.index].IsMessage() {
			push(nodes[s.index].ID, s.depth)
		}
	}
	return list, depths
}

// lineField is a text field of one line that replaces the prompt.
type lineField struct {
	keys     keymap.Map
	title    string
	editor   tui.Editor
	onCancel func() // Called on Esc and Ctrl+C.
}

// View returns a blank row, the title and the field.
func (f *lineField) View(s tui.Space) tui.View {
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

// HandleEvent passes keys to the field. Enter submits the text, also an empty one.
func (f *lineField) HandleEvent(ev tui.Event, s tui.Space) bool {
	k, ok := ev.(tui.Key)
	switch {
	case !ok:
		f.editor.HandleEvent(ev, s)
		return true
	case !f.editor.Searching() && (k.Is("esc") || k.Is("ctrl+c")):
		f.onCancel()
		return true
	}
	switch k = f.keys.Translate(keymap.Field, k); {
	case k.Is("enter") && f.editor.Empty():
		f.editor.OnSubmit("")
	case k.Code != 0:
		f.editor.HandleEvent(k, s)
	}
	return true
}
