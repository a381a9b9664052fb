package shell

import (
	"context"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// transcriptPlace is a row of the page that /transcript shows: the index of an entry, and the index
// of a row in it.
type transcriptPlace struct{ item, row int }

// before reports whether row p is above row q.
func (p transcriptPlace) before(q transcriptPlace) bool {
	return p.item < q.item || p.item == q.item && p.row < q.row
}

// maxLaidRows is the number of laid-out rows beyond which the page drops them all, to save memory.
const maxLaidRows = 4096

// transcriptPage shows a session on the alternate screen for /transcript. It lays out only entries
// that are in sight. Its methods are called on the event loop, except scan.
type transcriptPage struct {
	items  []transcriptItem
	change changesBy // Looks up the file changes of a call; nil: they are not known.
	// Runs a function on the event loop.
	do     func(func()) bool
	ctx    context.Context // Ends when the page is closed.
	cancel context.CancelFunc
	leave  func()
	keys   keymap.Map

	space tui.Space // The space of the last frame, for which rows are laid out.
	// The rows of entries that were laid out, by the index of the entry.
	laid  map[int][]tui.Line
	count int                   // The number of rows in laid.
	edits map[int][]tool.Edited // The file changes of calls that were laid out, by the index of the entry.
	// The first row in sight.
	top    transcriptPlace
	offset int  // The offset of the first row in the text of its entry, in bytes.
	atEnd  bool // The page shows the end of the session, and stays there when the window changes.

	field  rowField // The field for the text to search for.
	search transcriptSearch
}

// newTranscriptPage returns a page that shows the end of a session. do runs a function on the event
// loop.
func newTranscriptPage(items []transcriptItem, change changesBy, do func(func()) bool) *transcriptPage {
	p := &transcriptPage{items: items, change: change, do: do, atEnd: true}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// rows returns the rows of entry i. The file changes of a call are looked up on another goroutine,
// and appear in a later frame.
func (p *transcriptPage) rows(i int) []tui.Line {
	if rows, ok := p.laid[i]; ok {
		return rows
	}
	if p.laid == nil || p.count > maxLaidRows {
		p.laid, p.edits, p.count = map[int][]tui.Line{}, map[int][]tool.Edited{}, 0
	}
	it := p.items[i]
	edits, known := p.edits[i]
	rows := it.lay(p.space, edits)
	p.laid[i], p.count = rows, p.count+len(rows)
	if !known && it.mayChange(p.change) {
		p.edits[i] = nil
		go func() {
			if edits := it.changes(p.ctx, p.change); len(edits) > 0 {
				p.do(func() {
					p.edits[i] = edits
					p.drop(i)
				})
			}
		}()
	}
	return rows
}

// drop forgets the rows of entry i, so that they are laid out again.
func (p *transcriptPage) drop(i int) {
	p.count -= len(p.laid[i])
	delete(p.laid, i)
}

// last returns the first row in sight when a page of that height shows the end of the session.
func (p *transcriptPage) last(height int) transcriptPlace {
	for i := len(p.items) - 1; i >= 0; i-- {
		n := len(p.rows(i))
		if n >= height {
			return transcriptPlace{i, n - height}
		}
		height -= n
	}
	return transcriptPlace{}
}

// move scrolls by n rows: down if n is positive, up if it is negative. height is the number of rows
// in sight.
func (p *transcriptPage) move(n, height int) {
	at := p.top
	for ; n > 0 && at.item < len(p.items); n-- {
		if at.row++; at.row >= len(p.rows(at.item)) {
			at = transcriptPlace{at.item + 1, 0}
		}
	}
	for ; n < 0 && at != (transcriptPlace{}); n++ {
		if at.row--; at.row < 0 {
			at.item--
			at.row = max(len(p.rows(at.item))-1, 0)
		}
	}
	p.goTo(at, height)
}

// goTo scrolls so that row at becomes the first in sight. Near the end of the session it scrolls
// only so far that the page stays full. height is the number of rows in sight.
func (p *transcriptPage) goTo(at transcriptPlace, height int) {
	last := p.last(height)
	if p.atEnd = !at.before(last); p.atEnd {
		at = last
	}
	p.top = at
	p.noteOffset()
}

// noteOffset notes which text the first row in sight shows, so that resize can find it at another
// width.
func (p *transcriptPage) noteOffset() {
	_, from := joinedText(p.rows(p.top.item))
	p.offset = 0
	if p.top.row < len(from) {
		p.offset = from[p.top.row]
	}
}

// resize drops all rows, to lay them out for the space s. The text of the first row in sight stays
// in sight.
func (p *transcriptPage) resize(s tui.Space) {
	p.space, p.laid, p.count = s, map[int][]tui.Line{}, 0
	if p.edits == nil {
		p.edits = map[int][]tool.Edited{}
	}
	_, from := joinedText(p.rows(p.top.item))
	p.top.row = 0
	for row, at := range from {
		if at <= p.offset {
			p.top.row = row
		}
	}
}

// View returns the title, the rows in sight, and the keys.
func (p *transcriptPage) View(s tui.Space) tui.View {
	t, height := s.Look(), bodyHeight(s)
	if p.space.Width != s.Width || p.space.Theme != s.Theme || p.space.Model != s.Model {
		p.resize(s)
	}
	p.space = s
	if last := p.last(height); p.atEnd || last.before(p.top) {
		p.top, p.atEnd = last, true
		p.noteOffset()
	}
	p.top.row = max(min(p.top.row, len(p.rows(p.top.item))-1), 0)
	var body []tui.Line
	end := p.top.item
	for i, skip := p.top.item, p.top.row; i < len(p.items) && len(body) < height; i, skip = i+1, 0 {
		rows := p.marked(i)[skip:]
		body, end = append(body, rows[:min(len(rows), height-len(body))]...), i
	}
	where := fmt.Sprintf("entry %d of %d, %s", p.top.item+1, len(p.items), percentOf(end+1, len(p.items)))
	if p.atEnd {
		where = fmt.Sprintf("%d entries, the end", len(p.items))
	}
	v := tui.View{Lines: []tui.Line{s.Cut(tui.Span{Text: "Transcript", Style: t.Strong},
		tui.Span{Text: "  " + where, Style: t.Dim})}}
	v.Lines = append(v.Lines, body...)
	padRows(&v, height+1)
	hint := p.keys.ExpandAll("  ", "{pager-close} closes", "{find} search",
		"{pager-next-match} {pager-previous-match} matches", "{page-up} {page-down} pages", "{top} {end} ends")
	if state := p.search.state(len(p.items)); state != "" {
		hint = visibleLine(state, t) + "  " + hint
	}
	v.Lines = append(v.Lines, s.Cut(tui.Span{Text: hint, Style: t.Dim}))
	p.field.show(&v, s)
	return v
}

// marked returns the rows of entry i with the matches of the search highlighted.
func (p *transcriptPage) marked(i int) []tui.Line {
	rows := p.rows(i)
	if p.search.query == "" {
		return rows
	}
	text, from := joinedText(rows)
	places := found(text, p.search.query)
	if len(places) == 0 {
		return rows
	}
	current := -1
	if i == p.search.item && p.search.index < len(places) {
		current = places[p.search.index]
	}
	marked := make([]tui.Line, len(rows))
	for k, row := range rows {
		marked[k] = markFound(row, from[k], places, len(p.search.query), current)
	}
	return marked
}

// HandleEvent handles every key, so that no key reaches the prompt.
func (p *transcriptPage) HandleEvent(ev tui.Event, s tui.Space) bool {
	k, ok := ev.(tui.Key)
	switch {
	case !ok:
		paste, isPaste := ev.(tui.Paste)
		if isPaste && p.field.isOpen() {
			paste.Text, _, _ = strings.Cut(paste.Text, "\n")
			p.field.editor.HandleEvent(paste, s)
		}
		return isPaste
	case p.field.isOpen():
		p.field.handleKey(k, p.keys, s)
		return true
	}
	k = p.keys.Translate(keymap.Pager, k)
	height := bodyHeight(s)
	switch {
	case k.Code == terminal.KeyEscape && p.search.query != "":
		p.search.stop()
	case k.Code == terminal.KeyEscape, k.Text() == "q", k.Is("ctrl+c"):
		p.leave()
	case k.Text() == "/":
		p.field.open("/", func(text string) { p.find(text, height) })
	case k.Text() == "n", k.Text() == ">":
		p.nextMatch(1, height)
	case k.Text() == "N", k.Text() == "<":
		p.nextMatch(-1, height)
	case k.Text() == "g", k.Code == terminal.KeyHome:
		p.goTo(transcriptPlace{}, height)
	case k.Text() == "G", k.Code == terminal.KeyEnd:
		p.goTo(p.last(height), height)
	default:
		if n := pageStep(k, max(height-1, 1), height/2); n != 0 {
			p.move(n, height)
		}
	}
	return true
}
