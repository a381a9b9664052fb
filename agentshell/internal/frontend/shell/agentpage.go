package shell

import (
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// agentPage implements the live transcript of one subagent on the alternate screen. It shows the
// newest rows until the user scrolls.
type agentPage struct {
	id   string
	log  *agentLog
	stop func() // Stops the delivery of the subagent's events to log.
	top  int    // The index of the first visible row.
	// The page scrolls to the end with each new row.
	follow bool
	rows   []tui.Line // All rows of the transcript, as the last frame laid them out.

	field rowField // The input field of the search.
	find  string   // The text that is searched for; "": no search.
	match int      // The index of the current match in rows; -1: none.
}

// openAgentPage returns a page with the transcript of the subagent with that id, and subscribes it
// to the events of that subagent. It fails if there is no such subagent.
func (sh *Shell) openAgentPage(id string) (*agentPage, error) {
	p := &agentPage{id: id, follow: true, match: -1, log: &agentLog{thinking: sh.showsThinking()}}
	look, stop, err := sh.cfg.Crew.Watch(id, p.log.receive)
	if err != nil {
		return nil, err
	}
	p.stop = stop
	p.log.load(look)
	return p, nil
}

// view returns the rows of the page: a title, the visible part of the transcript, and a last row
// with the key hints in keys.
func (p *agentPage) view(s tui.Space, a crew.Agent, keys string) tui.View {
	t := s.Look()
	p.log.update()
	p.rows = p.log.rows(s)
	height := bodyHeight(s)
	last := max(len(p.rows)-height, 0)
	if p.follow {
		p.top = last
	}
	p.top = max(min(p.top, last), 0)
	to := min(p.top+height, len(p.rows))
	state, text, _ := agentDoing(a)
	if !works(a) {
		state, text = string(a.State), endedLine(a)
	}
	where := fmt.Sprintf("%d-%d of %d", min(p.top+1, to), to, len(p.rows))
	head := s.Cut(tui.Span{Text: visibleLine(a.ID, t), Style: t.Strong}, tui.Span{Text: "  " + state},
		tui.Span{Text: "  " + where + "  " + visibleLine(displayTitle(text), t), Style: t.Dim})
	v := tui.View{Lines: []tui.Line{head}, RefreshAfter: 100 * time.Millisecond}
	for i, row := range p.rows[p.top:to] {
		row.End, row.Prompt = 0, false
		if p.top+i == p.match {
			row = markRow(row, t)
		}
		v.Lines = append(v.Lines, row)
	}
	padRows(&v, height+1)
	if p.find != "" {
		keys = p.found() + "  " + keys
	}
	v.Lines = append(v.Lines, s.Cut(tui.Span{Text: keys, Style: t.Dim}))
	p.field.show(&v, s)
	return v
}

// markRow returns a copy of the row in the style that marks the current match of a search.
func markRow(row tui.Line, t *tui.Theme) tui.Line {
	spans := make([]tui.Span, len(row.Spans))
	for i, span := range row.Spans {
		span.Style = t.Ask
		spans[i] = span
	}
	row.Spans = spans
	return row
}

// found returns the text about the search, such as "match 2 of 5".
func (p *agentPage) found() string {
	n, at := 0, 0
	for i := range p.rows {
		if p.matches(i) {
			n++
			if i <= p.match {
				at = n
			}
		}
	}
	if n == 0 {
		return "not found: " + p.find
	}
	return fmt.Sprintf("match %d of %d", at, n)
}

func (p *agentPage) matches(i int) bool {
	return strings.Contains(strings.ToLower(plainText(p.rows[i])), strings.ToLower(p.find))
}

// next goes to the next row that contains the searched text (step 1), or to the previous one (step
// -1). After the last row it goes on with the first one. height is the number of visible rows.
func (p *agentPage) next(step, height int) {
	n := len(p.rows)
	if p.find == "" || n == 0 {
		return
	}
	at := p.match
	if at < 0 {
		at = p.top - step
	}
	for k := 1; k <= n; k++ {
		if i := ((at+step*k)%n + n) % n; p.matches(i) {
			p.match, p.follow = i, false
			p.top = max(i-height/2, 0)
			return
		}
	}
}

// handleKey handles a key while the page is open. It returns false for a key that closes the page.
func (p *agentPage) handleKey(k tui.Key, keys keymap.Map, s tui.Space) (stays bool) {
	height := bodyHeight(s)
	if p.field.isOpen() {
		p.field.handleKey(k, keys, s)
		return true
	}
	k = keys.Translate(keymap.Pager, k)
	move := func(n int) { p.follow, p.top = false, p.top+n }
	switch {
	case k.Code == terminal.KeyEscape && p.find != "":
		p.find, p.match = "", -1
	case k.Code == terminal.KeyEscape, k.Text() == "q", k.Is("ctrl+c"):
		return false
	case k.Text() == "/":
		p.field.open("/", func(text string) {
			p.find, p.match = text, -1
			p.next(1, height)
		})
	case k.Text() == "n", k.Text() == ">":
		p.next(1, height)
	case k.Text() == "N", k.Text() == "<":
		p.next(-1, height)
	case k.Text() == "g", k.Code == terminal.KeyHome:
		move(-p.top)
	case k.Text() == "G", k.Code == terminal.KeyEnd:
		p.follow = true
	default:
		if n := pageStep(k, height, height/2); n != 0 {
			move(n)
		}
	}
	return true
}
