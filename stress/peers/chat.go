package main

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// box is the input: "> " and what was typed, in as many rows as it takes.
type box interface {
	resize(cols int)
	key(msg any) // of the library
	view() string
}

// chat is the program: the unfinished text, a status, an input, a line about the model.
type chat struct {
	width, height         int
	whole                 bool // a message is final as a whole, not by paragraphs
	text                  strings.Builder
	box                   box
	pane                  []string
	top                   int
	frames, ticks, tokens int
}

var glyphs = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// update does what o says and returns what goes to the scrollback, "" for nothing.
func (c *chat) update(o workload.Op) (finished string) {
	switch o.K {
	case "s":
		c.tokens += 4
		c.text.WriteString(o.T)
		if strings.HasSuffix(o.T, "\n") && !c.whole {
			finished = c.end()
		}
	case "msgend":
		finished = c.end()
	case "hist":
		c.text.WriteString(strings.Join(o.Rows, "\n") + "\n")
		if !c.whole {
			finished = c.end()
		}
	case "out":
		finished = strings.Join(o.Rows, "\n")
	case "pane":
		c.pane = o.Rows
	case "scroll":
		c.top = max(0, min(c.top+o.N, len(c.pane)-c.height))
	case "resize":
		c.width, c.height = o.W, o.H
		c.box.resize(o.W)
	case "tick":
		c.ticks++
		return ""
	}
	c.frames++
	return finished
}

// end takes the text as final.
func (c *chat) end() string {
	defer c.text.Reset()
	return c.wrapped()
}

// wrapped returns the text in rows.
func (c *chat) wrapped() string {
	return ansi.Wordwrap(strings.TrimSuffix(c.text.String(), "\n"), c.width, "")
}

// view returns the live region.
func (c *chat) view() string {
	if c.pane != nil {
		return strings.Join(c.pane[c.top:min(c.top+c.height, len(c.pane))], "\n")
	}
	var b strings.Builder
	if c.text.Len() > 0 {
		b.WriteString(c.wrapped())
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\x1b[36m%s\x1b[0m\x1b[2m Working · %d tokens · esc to interrupt\x1b[0m\n%s\n\x1b[2m  model"+
		" peer-1 · 100%% context left\x1b[0m",
		glyphs[(c.frames/4+c.ticks)%len(glyphs)], c.tokens, c.box.view())
	return b.String()
}
