package shell

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// What Ctrl+O can show: the output of so many calls, and of each so many bytes from its end.
const (
	pagedCalls = 20
	pagedBytes = 256 << 10
)

// paged is a call whose output the pager shows.
type paged struct {
	title string
	live  *call  // while it runs
	text  string // then
	cut   bool   // text lost its beginning
	// look is the output of a background job, a few words on its state, and whether it runs; nil:
	// it is a call's. cancel ends the job.
	look   func() (text, state string, running bool)
	cancel func()
}

// runs reports whether more output may come.
func (p *paged) runs() bool {
	if p.look != nil {
		_, _, running := p.look()
		return running
	}
	return p.live != nil
}

// now returns the output as it is now.
func (p *paged) now() (text string, cut bool) {
	switch {
	case p.look != nil:
		text, _, _ = p.look()
		return text, false
	case p.live != nil:
		return p.live.output, p.live.cut
	}
	return p.text, p.cut
}

// pages remembers a call, on the loop.
func (sh *Shell) pages(p *paged) {
	if sh.paged = append(sh.paged, p); len(sh.paged) > pagedCalls {
		sh.paged = append(sh.paged[:0:0], sh.paged[1:]...)
	}
}

// ends puts what a call gave in the place of what it has printed, on the loop; c is nil for one
// that was not shown at work.
func (sh *Shell) ends(c *call, ev agent.ToolEnd) {
	text := ev.Result.Detail
	if !ev.OK {
		text = ev.Text
	}
	if c != nil && ev.Kind == agent.KindInterrupted { // what it had printed is all that there is
		text = strings.TrimRight(c.output, "\n") + "\n" + text
	}
	var cut bool
	if over := len(text) - pagedBytes; over > 0 {
		for over < len(text) && !utf8.RuneStart(text[over]) {
			over++
		}
		text, cut = strings.Clone(text[over:]), true
	}
	if c != nil {
		for _, p := range sh.paged {
			if p.live == c {
				p.live, p.text, p.cut = nil, text, cut
			}
		}
		return
	}
	if text != "" {
		sh.pages(&paged{title: shownTitle(ev.Title), text: text, cut: cut})
	}
}

// pager shows the whole output of a call on the alternate screen, and goes on with it while the
// call runs.
type pager struct {
	calls  []*paged // as they were when it was opened
	what   string   // they are, "" for call
	at     int
	body   *diffview.Body
	text   string // of body
	follow bool   // stay at the end
	leave  func()
	keys   keymap.Map
}

// page opens the pager at the last call, on the loop.
func (sh *Shell) page() {
	if len(sh.paged) == 0 {
		sh.hint("no call has given any output yet")
		return
	}
	p := &pager{keys: sh.cfg.Keys, calls: append([]*paged(nil), sh.paged...)}
	p.show(len(p.calls) - 1)
	p.leave = sh.overlay(p, tui.Place{Full: true})
}

// show goes to a call: to its end while it runs, else to its beginning.
func (p *pager) show(i int) {
	if i < 0 || i >= len(p.calls) {
		return
	}
	p.at = i
	p.text, _ = p.calls[i].now()
	p.body, p.follow = diffview.New(pagedRows(p.text)), p.calls[i].runs()
}

func pagedRows(text string) []diffview.Row {
	var rows []diffview.Row
	for _, l := range outputLines(text) {
		rows = append(rows, diffview.Row{Kind: diffview.Context, Text: l})
	}
	return rows
}

// inner returns the space of the body: a row above and one below are ours.
func (p *pager) inner(s tui.Space) tui.Space {
	s.Height, s.From = max(s.Height-2, 1), 0
	return s
}

// View returns the title, the rows in sight, and the keys.
func (p *pager) View(s tui.Space) tui.View {
	t, c := s.Look(), p.calls[p.at]
	text, cut := c.now()
	if text != p.text {
		p.text = text
		p.body.Replace(pagedRows(text))
	}
	inner := p.inner(s)
	if p.follow {
		p.body.End(inner)
	}
	v := p.body.View(inner)
	rows := v.Lines
	first, last, of, percent := p.body.Position()
	where := fmt.Sprintf("%d-%d of %d, %d%%", first, last, of, percent)
	if of == 0 {
		where = "no output"
	}
	if cut {
		where += ", the beginning is not kept"
	}
	running := c.runs()
	switch {
	case c.look != nil:
		_, state, _ := c.look()
		where += ", " + state
	case running:
		where += ", running"
	}
	if len(p.calls) > 1 {
		where += fmt.Sprintf(", %s %d of %d", cmp.Or(p.what, "call"), p.at+1, len(p.calls))
	}
	title, _ := clip(c.title)
	room := s
	room.Width = max(s.Width-s.Columns(where)-2, 10)
	head := append(room.Cut(tui.Span{Text: clean(title, t), Style: t.Strong}).Spans,
		tui.Span{Text: "  " + where, Style: t.Dim})
	v.Lines = append([]tui.Line{s.Cut(head...)}, rows...)
	for len(v.Lines) < inner.Height+1 {
		v.Lines = append(v.Lines, tui.Line{})
	}
	hints := []string{"{pager-close} closes"}
	if c.cancel != nil && running {
		hints = append(hints, "{cancel-job} ends the job")
	}
	hint := p.keys.Join("  ", append(hints, "{find} search", "{pager-next-match} {pager-previous-match} matches",
		"{top} {end} ends", "{previous-call} {next-call} other "+cmp.Or(p.what, "call")+"s")...)
	if text, open, at, found := p.body.Search(); open {
		v.Cursor = &tui.Pos{Col: min(s.Columns("/"+clean(text, t)), s.Width-1), Row: len(v.Lines)}
		hint = "/" + clean(text, t)
	} else if text != "" {
		hint = fmt.Sprintf("match %d of %d  ", at, found) + hint
	}
	v.Lines = append(v.Lines, s.Cut(tui.Span{Text: hint, Style: t.Dim}))
	if running {
		v.Again = 100 * time.Millisecond
	}
	return v
}

// HandleEvent takes every key: none reaches the prompt.
func (p *pager) HandleEvent(ev tui.Event, s tui.Space) bool {
	inner := p.inner(s)
	k, ok := ev.(tui.Key)
	_, open, _, _ := p.body.Search()
	if k.Text() == "" || !open {
		k = p.keys.Key(keymap.Pager, k)
	}
	switch {
	case !ok:
		_, paste := ev.(tui.Paste)
		return p.body.HandleEvent(ev, inner) || paste
	case k.Code == 0:
	case k.Is("ctrl+c"), k.Is("q") && !(open && ev.(tui.Key).Text() != ""):
		p.leave()
	case open:
		p.follow = false
		p.body.HandleEvent(ev, inner)
	case k.Code == '[' || k.Code == ']':
		p.show(p.at + int(k.Code-'\\')) // they stand on both sides of it
	case k.Text() == "x":
		if c := p.calls[p.at]; c.cancel != nil && c.runs() {
			c.cancel()
		}
	case k.Text() == "n":
		k.Code, p.follow = '>', false
		p.body.HandleEvent(k, inner)
	case k.Text() == "N":
		k.Code, k.Mods, p.follow = '<', 0, false
		p.body.HandleEvent(k, inner)
	default:
		handled := p.body.HandleEvent(k, inner)
		switch {
		case !handled && k.Code == terminal.KeyEscape:
			p.leave()
		case handled:
			p.follow = k.Code == terminal.KeyEnd || k.Text() == "G"
		}
	}
	return true
}
