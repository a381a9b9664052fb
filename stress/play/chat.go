package play

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/workload"
	"github.com/scrollkeep/scrollkeep/tui"
)

// chat is the program under test: a chat with a transcript, and below it a live region of a status
// row, an input box and a row about the model.
type chat struct {
	app    *tui.App
	status *status
	tools  io.Writer
	whole  bool // a message becomes final as a whole, not by paragraphs

	answer *tui.Stream // the message that is being streamed; nil: none
	pane   *pane
}

func newChat(whole bool) *chat {
	c := &chat{app: &tui.App{Still: true, Theme: plainTheme}, status: &status{}, whole: whole}
	model := &tui.Text{Spans: []tui.Span{{Text: "  model peer-1 · 100% context left",
		Style: tui.Style{}.With(tui.Faint)}}}
	c.app.Footer = tui.NewStack(c.status, &tui.Editor{Prompt: "> "}, model)
	c.tools = tui.NewANSI(c.app.Transcript())
	return c
}

// plainTheme returns a theme in which the prompt has no colour, so that the chat shows the same
// rows as the programs of other libraries.
func plainTheme(c tui.Caps) *tui.Theme {
	t := tui.NewTheme(c)
	t.Accent = tui.Style{}
	return t
}

// status is the component that draws the row with the spinner and the number of tokens.
type status struct {
	frames, ticks, tokens int

	text  []byte
	spans [2]tui.Span
	row   [1]tui.Line
}

var glyphs = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

func (s *status) View(tui.Space) tui.View {
	s.text = append(s.text[:0], " Working · "...)
	s.text = strconv.AppendInt(s.text, int64(s.tokens), 10)
	s.text = append(s.text, " tokens · esc to interrupt"...)
	if s.spans[1].Text != string(s.text) {
		s.spans[1] = tui.Span{Text: string(s.text), Style: tui.Style{}.With(tui.Faint)}
	}
	s.spans[0] = tui.Span{Text: glyphs[(s.frames/4+s.ticks)%len(glyphs)], Style: tui.Style{Fg: tui.Indexed(6)}}
	s.row[0].Spans = s.spans[:]
	return tui.View{Lines: s.row[:]}
}

// next counts an event of the given kind, so that the status row changes.
func (s *status) next(kind string) {
	switch kind {
	case "tick":
		s.ticks++
		return
	case "s":
		s.tokens += 4
	}
	s.frames++
}

// unsplitProse is a [tui.Prose] that becomes final as a whole: none of its rows is final before its
// end.
type unsplitProse struct{ tui.Prose }

func (p *unsplitProse) View(s tui.Space) tui.View { return tui.View{Lines: p.Prose.View(s).Lines} }

// stream appends text to the message that grows. A newline at the end of text ends the paragraph.
func (c *chat) stream(text string) error {
	if c.answer == nil {
		c.answer = c.app.Transcript().Stream(&unsplitProse{})
	}
	if _, err := c.answer.WriteString(text); err != nil {
		return err
	}
	if strings.HasSuffix(text, "\n") && !c.whole {
		return c.end()
	}
	return nil
}

// end makes the message that grows final. It does nothing if there is none.
func (c *chat) end() error {
	if c.answer == nil {
		return nil
	}
	err := c.answer.Close()
	c.answer = nil
	return err
}

// do carries out one operation of the script. frame reports whether the program draws a frame for
// it.
func (c *chat) do(o workload.Op, s *sink) (frame bool, err error) {
	switch o.K {
	case "s":
		err = c.stream(o.T)
	case "hist":
		for _, par := range o.Rows {
			err = errors.Join(err, c.stream(par+"\n"))
		}
	case "msgend":
		err = c.end()
	case "out":
		_, err = io.WriteString(c.tools, strings.Join(o.Rows, "\n")+"\n")
	case "tick":
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
	if o.K != "key" { // the spinner turns with the work, not with what is typed
		kind := o.K
		c.app.Do(func() { c.status.next(kind) })
	}
	return true, err
}

// pane is a component that covers the screen and shows a part of a long list of rows.
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

// spans returns the row as spans. It understands the few SGR parameters that the scripts use.
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
