package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/workload"
	"github.com/scrollkeep/scrollkeep/tui"
)

// chat is the program under test: a transcript, and a live region of a status, an input box and a line about the model.
type chat struct {
	app    *tui.App
	status *status
	tools  io.Writer
	whole  bool // a message is final as a whole, not by paragraphs

	text  *message // that grows
	block *tui.Block
	pane  *pane
}

func newChat(whole bool) *chat {
	c := &chat{app: &tui.App{Still: true}, status: &status{}, whole: whole}
	model := &tui.Text{Spans: []tui.Span{{Text: "  model peer-1 · 100% context left", Style: tui.Style{}.With(tui.Faint)}}}
	c.app.Footer = tui.NewStack(c.status, &tui.Editor{Prompt: "> "}, model)
	c.tools = tui.NewANSI(c.app.Transcript())
	return c
}

// status is the spinner's row.
type status struct {
	frames, ticks, tokens int
	shown                 [3]int
	row                   [1]tui.Line
}

var glyphs = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

func (s *status) View(tui.Space) tui.View {
	if now := [3]int{s.frames / 4, s.ticks, s.tokens}; now != s.shown || s.row[0].Spans == nil {
		s.shown = now
		s.row[0].Spans = []tui.Span{
			{Text: glyphs[(s.frames/4+s.ticks)%len(glyphs)], Style: tui.Style{Fg: tui.Indexed(6)}},
			{Text: " Working · " + strconv.Itoa(s.tokens) + " tokens · esc to interrupt", Style: tui.Style{}.With(tui.Faint)},
		}
		return tui.View{Lines: []tui.Line{s.row[0]}}
	}
	return tui.View{Lines: s.row[:]}
}

// message is paragraphs of prose; the last one may grow.
type message struct {
	pars  []string
	rows  []tui.Line // of all paragraphs but the last
	laid  int        // paragraphs in rows
	width int
}

func (m *message) View(s tui.Space) tui.View {
	if s.Width != m.width {
		m.rows, m.laid, m.width = nil, 0, s.Width
	}
	for ; m.laid < len(m.pars)-1; m.laid++ {
		m.rows = append(m.rows, s.Wrap(tui.Span{Text: m.pars[m.laid]})...)
	}
	rows := m.rows[:len(m.rows):len(m.rows)]
	if n := len(m.pars); n > 0 {
		rows = append(rows, s.Wrap(tui.Span{Text: m.pars[n-1]})...)
	}
	return tui.View{Lines: rows}
}

// stream adds text to the message; a newline at its end ends the paragraph.
func (c *chat) stream(text string) {
	par, ended := strings.CutSuffix(text, "\n")
	if c.block == nil {
		c.text = &message{pars: []string{""}}
		c.block = c.app.Transcript().Append(c.text)
	}
	m := c.text
	c.block.Update(func() { m.pars[len(m.pars)-1] += par })
	switch {
	case ended && c.whole:
		c.block.Update(func() { m.pars = append(m.pars, "") })
	case ended:
		c.end()
	}
}

// end makes the message final.
func (c *chat) end() {
	if c.block == nil {
		return
	}
	m := c.text
	c.block.Update(func() {
		if n := len(m.pars); n > 1 && m.pars[n-1] == "" {
			m.pars = m.pars[:n-1]
			m.rows, m.laid = nil, 0
		}
	})
	c.block.Done()
	c.block, c.text = nil, nil
}

// do carries out an op; it reports whether a frame belongs to it.
func (c *chat) do(o workload.Op, s *sink) (frame bool, err error) {
	switch o.K {
	case "s":
		c.app.Do(func() { c.status.tokens += 4 })
		c.stream(o.T)
	case "hist":
		for _, par := range o.Rows {
			c.stream(par + "\n")
		}
	case "msgend":
		c.end()
	case "out":
		for _, row := range o.Rows {
			if _, err := io.WriteString(c.tools, row+"\n"); err != nil {
				return false, err
			}
		}
	case "tick":
		c.app.Do(func() { c.status.ticks++ })
	case "key":
		s.input <- []byte(o.T)
	case "resize":
		s.resize(o.W, o.H)
	case "pane":
		c.pane = newPane(o.Rows)
		c.app.Do(func() { c.app.Overlay(c.pane, tui.Place{Full: true}) })
	case "scroll":
		c.app.Do(func() { c.pane.top += o.N })
	default:
		return false, fmt.Errorf("an op is called %q", o.K)
	}
	if o.K != "tick" && o.K != "key" { // the spinner turns with the work, not with what is typed
		c.app.Do(func() { c.status.frames++ })
	}
	return true, nil
}

// pane is a window over many rows.
type pane struct {
	rows []tui.Line
	top  int
}

func newPane(rows []string) *pane {
	p := &pane{}
	for _, r := range rows {
		p.rows = append(p.rows, tui.Line{Spans: spans(r)})
	}
	return p
}

func (p *pane) View(s tui.Space) tui.View {
	p.top = max(0, min(p.top, len(p.rows)-s.Height))
	end := min(len(p.rows), p.top+s.Height)
	return tui.View{Lines: p.rows[p.top:end:end]}
}

// spans reads the few SGR parameters that the scripts use.
func spans(row string) []tui.Span {
	var out []tui.Span
	var style tui.Style
	for row != "" {
		text, rest, found := strings.Cut(row, "\x1b[")
		if text != "" {
			out = append(out, tui.Span{Text: text, Style: style})
		}
		if !found {
			break
		}
		params, after, _ := strings.Cut(rest, "m")
		for _, p := range strings.Split(params, ";") {
			switch n, _ := strconv.Atoi(p); {
			case n == 0:
				style = tui.Style{}
			case n == 1:
				style = style.With(tui.Bold)
			case n == 2:
				style = style.With(tui.Faint)
			case n == 3:
				style = style.With(tui.Italic)
			case n == 4:
				style = style.With(tui.Underline)
			case n == 7:
				style = style.With(tui.Inverse)
			case n >= 30 && n <= 37:
				style.Fg = tui.Indexed(uint8(n - 30))
			case n >= 40 && n <= 47:
				style.Bg = tui.Indexed(uint8(n - 40))
			case n >= 90 && n <= 97:
				style.Fg = tui.Indexed(uint8(n - 82))
			}
		}
		row = after
	}
	return out
}
