package shell

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/console"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// Limits of the output that Ctrl+O can show: the number of latest calls, and for each the number of
// bytes at the end of its output.
const (
	pagedCalls = 20
	pagedBytes = 256 << 10
)

// paged is a tool call or a background job whose output the pager can show.
type paged struct {
	title     string
	live      *call  // The call while it runs; nil once it has ended.
	text      string // The output of a call that has ended.
	truncated bool   // The beginning of text was dropped.
	// jobOutput returns the output of a background job, its state in a few words, and whether it
	// runs; nil: this is a call. cancelJob ends the job.
	jobOutput func() (text, state string, running bool)
	cancelJob func()
}

// running reports whether the call or job still runs, so that more output may come.
func (p *paged) running() bool {
	if p.jobOutput != nil {
		_, _, running := p.jobOutput()
		return running
	}
	return p.live != nil
}

// output returns the output so far, and whether its beginning was dropped.
func (p *paged) output() (text string, truncated bool) {
	switch {
	case p.jobOutput != nil:
		text, _, _ = p.jobOutput()
		return text, false
	case p.live != nil:
		return p.live.output.Text()
	}
	return p.text, p.truncated
}

// addPaged adds a call to those that Ctrl+O can show, and forgets the oldest beyond pagedCalls. It
// is called on the event loop.
func (sh *Shell) addPaged(p *paged) {
	if sh.pagerCalls = append(sh.pagerCalls, p); len(sh.pagerCalls) > pagedCalls {
		sh.pagerCalls = append(sh.pagerCalls[:0:0], sh.pagerCalls[1:]...)
	}
}

// setPagedResult replaces the output of a running call by the result of the call. c is nil if the
// call had no block in the transcript while it ran. It is called on the event loop.
func (sh *Shell) setPagedResult(c *call, ev agent.ToolEnd) {
	if c != nil {
		ev = withPrinted(ev, c)
	}
	text := ev.Result.Detail
	switch {
	case ev.Kind == agent.KindInterrupted:
		text = stoppedOutput(ev)
	case !ev.OK:
		text = ev.Text
	}
	var truncated bool
	if len(text) > pagedBytes {
		text, truncated = strings.Clone(width.Tail(text, pagedBytes)), true
	}
	if c != nil {
		for _, p := range sh.pagerCalls {
			if p.live == c {
				p.live, p.text, p.truncated = nil, text, truncated
			}
		}
		c.output = console.Tail{} // a block stays for the whole session
		return
	}
	if text != "" {
		sh.addPaged(&paged{title: displayTitle(ev.Title), text: text, truncated: truncated})
	}
}

// pager shows the whole output of a call or job on the alternate screen, and follows it while the
// call runs.
type pager struct {
	calls    []*paged // The calls that could be shown when the pager was opened.
	itemName string   // The noun for an entry of calls, such as "job"; "" means "call".
	// The index in calls of the entry that is shown.
	current int
	// The rows of the output, which can be scrolled and searched.
	body *diffview.Body
	// The output that the pager's rows were made from. View makes new rows if the output has grown.
	shownText string
	follow    bool   // The last row of the output stays in sight when more comes.
	asksAbout *paged // The job that a second x ends; nil: x was not pressed last.
	leave     func()
	keys      keymap.Map
}

// openPager opens the pager on the output of the latest tool call. It is called on the event loop.
func (sh *Shell) openPager() {
	if len(sh.pagerCalls) == 0 {
		sh.showHint("no call has given any output yet")
		return
	}
	p := &pager{keys: sh.cfg.Keys, calls: append([]*paged(nil), sh.pagerCalls...)}
	p.show(len(p.calls) - 1)
	p.leave = sh.overlay(p, tui.Place{Full: true})
}

// show shows entry i of calls, if there is one: the end of its output while it runs, else the
// beginning.
func (p *pager) show(i int) {
	if i < 0 || i >= len(p.calls) {
		return
	}
	p.current = i
	p.shownText, _ = p.calls[i].output()
	p.body, p.follow = diffview.New(pagerRows(p.shownText)), p.calls[i].running()
}

// pagerRows returns the lines of an output as rows of a diffview body.
func pagerRows(text string) []diffview.Row {
	var rows []diffview.Row
	for _, l := range outputLines(text) {
		rows = append(rows, diffview.Row{Kind: diffview.Context, Text: l})
	}
	return rows
}

// inner returns the space between the pager's title row and its row of keys.
func (p *pager) inner(s tui.Space) tui.Space {
	s.Height, s.From = max(s.Height-2, 1), 0
	return s
}

// View returns the title, the rows of the output that are in sight, and the keys.
func (p *pager) View(s tui.Space) tui.View {
	t, c := s.Look(), p.calls[p.current]
	text, truncated := c.output()
	if text != p.shownText {
		p.shownText = text
		p.body.Replace(pagerRows(text))
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
	if truncated {
		where += ", the beginning is not kept"
	}
	running := c.running()
	switch {
	case c.jobOutput != nil:
		_, state, _ := c.jobOutput()
		where += ", " + state
	case running:
		where += ", running"
	}
	if len(p.calls) > 1 {
		where += fmt.Sprintf(", %s %d of %d", cmp.Or(p.itemName, "call"), p.current+1, len(p.calls))
	}
	title, _ := clipLine(c.title)
	titleSpace := s
	titleSpace.Width = max(s.Width-s.Columns(where)-2, 10)
	head := append(titleSpace.Cut(tui.Span{Text: visibleLine(title, t), Style: t.Strong}).Spans,
		tui.Span{Text: "  " + where, Style: t.Dim})
	v.Lines = append([]tui.Line{s.Cut(head...)}, rows...)
	for len(v.Lines) < inner.Height+1 {
		v.Lines = append(v.Lines, tui.Line{})
	}
	hints := []string{"{pager-close} closes"}
	switch {
	case c.cancelJob == nil || !running:
	case p.asksAbout == c:
		hints = []string{"end this job? {cancel-job} ends it, any other key lets it run"}
	default:
		hints = append(hints, "{cancel-job} ends the job")
	}
	if p.asksAbout != c || !running {
		hints = append(hints, "{find} search", "{pager-next-match} {pager-previous-match} matches",
			"{top} {end} ends", "{previous-call} {next-call} other "+cmp.Or(p.itemName, "call")+"s")
	}
	hint := p.keys.ExpandAll("  ", hints...)
	if text, open, at, found := p.body.Search(); open {
		v.Cursor = &tui.Pos{Col: min(s.Columns("/"+visibleLine(text, t)), s.Width-1), Row: len(v.Lines)}
		hint = "/" + visibleLine(text, t)
	} else if text != "" {
		hint = fmt.Sprintf("match %d of %d  ", at, found) + hint
	}
	v.Lines = append(v.Lines, s.Cut(tui.Span{Text: hint, Style: t.Dim}))
	if running {
		v.RefreshAfter = 100 * time.Millisecond
	}
	return v
}

// endJob ends the job that is shown, if it is called twice. The first call makes the pager ask.
func (p *pager) endJob() {
	c := p.calls[p.current]
	if c.cancelJob == nil || !c.running() {
		return
	}
	if p.asksAbout != c {
		p.asksAbout = c
		return
	}
	p.asksAbout = nil
	c.cancelJob()
}

// HandleEvent handles every key, so that no key reaches the prompt.
func (p *pager) HandleEvent(ev tui.Event, s tui.Space) bool {
	inner := p.inner(s)
	k, ok := ev.(tui.Key)
	_, open, _, _ := p.body.Search()
	if k.Text() == "" || !open {
		k = p.keys.Translate(keymap.Pager, k)
	}
	if ok && (k.Text() != "x" || open) {
		p.asksAbout = nil
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
		p.show(p.current + int(k.Code-'\\')) // they stand on both sides of it
	case k.Text() == "x":
		p.endJob()
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
