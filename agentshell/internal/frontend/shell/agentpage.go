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

// agentPage is the live transcript of one agent on the alternate screen. It follows the end until
// the person moves.
type agentPage struct {
	id     string
	log    *agentLog
	stop   func() // ends the watch
	top    int    // the first row in sight
	follow bool
	rows   []tui.Line // of the last frame

	field rowField // of the search
	find  string   // what is searched; "": nothing
	match int      // the index of the row that was found; -1: none
}

// openAgentPage begins to watch an agent.
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

// view returns the title, the rows in sight, and the row of keys.
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

// markRow returns a row in the style of what was found.
func markRow(row tui.Line, t *tui.Theme) tui.Line {
	spans := make([]tui.Span, len(row.Spans))
	for i, span := range row.Spans {
		span.Style = t.Ask
		spans[i] = span
	}
	row.Spans = spans
	return row
}

// found says how many rows have what is searched.
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

// next goes to the next row that has what is searched, or to the previous one.
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

// handleKey handles a key. It reports whether the page stays open.
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
