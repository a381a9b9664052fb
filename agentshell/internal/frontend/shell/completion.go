package shell

import (
	"context"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/tui"
)

const (
	offerRows = 8  // that are shown at most
	offered   = 50 // that are asked for
)

// suggestion is one row of what is offered.
type suggestion struct {
	text, args, note string
	insert           string // what comes into the prompt; "" is text
}

func (s suggestion) put() string {
	if s.insert == "" {
		return s.text
	}
	return s.insert
}

// completion is what is offered to complete the word before the caret: / commands and what follows
// them, @ files, and in a command of the person's own a path, on Tab. It belongs to the loop; what
// takes time is looked up beside it, and no key waits for that.
type completion struct {
	items   []suggestion
	at, top int    // the chosen row, -1: none yet; the first one that is shown
	size    int    // rows on the screen
	word    string // before the caret, what an item takes the place of
	before  string // the text before the caret that items are for
	shut    bool   // Esc has closed it for that text
	wanted  bool   // Tab has asked for the first one
	run     bool   // Enter on an item also sends
	asked   int    // lookups so far
	cancel  context.CancelFunc
}

// close takes what is offered away.
func (c *completion) close() {
	if c.cancel != nil {
		c.cancel()
	}
	*c = completion{asked: c.asked + 1, before: c.before, shut: true}
}

// show offers items for word; at is the one that is chosen.
func (c *completion) show(word string, items []suggestion, at int) {
	c.word, c.items, c.at, c.top = word, items, at, 0
}

// completed is how many bytes a prompt may hold for something to be offered: it is looked through
// at each key.
const completed = 256 << 10

// suggest looks what can be offered for the prompt as it is now.
func (sh *Shell) suggest() {
	c := &sh.offer
	if sh.editor.Size() > completed {
		c.close()
		return
	}
	before := sh.editor.Before()
	if before == c.before || sh.open != nil || sh.editor.Searching() {
		return
	}
	old := c.items
	c.close()
	c.before, c.shut = before, false
	text := sh.editor.Text()
	if strings.HasPrefix(text, "/") && !strings.Contains(text, "\n") {
		name, arg, spaced := strings.Cut(before, " ")
		if !spaced {
			c.show(before, commandsFor(sh.slashes(), before), 0)
			c.run = true
			return
		}
		if s, ok := find(sh.slashes(), name); ok && s.values != nil {
			cfg := sh.cfg
			sh.look(func(ctx context.Context) (list []suggestion) {
				for _, v := range s.values(ctx, cfg) {
					if strings.HasPrefix(strings.ToLower(v.text), strings.ToLower(arg)) && v.text != arg {
						list = append(list, v)
					}
				}
				return list
			}, arg, -1)
		}
		return
	}
	if strings.HasPrefix(text, "!") {
		return
	}
	from, path, ok := mention.Open(before)
	if !ok || sh.cfg.Files.Find == nil {
		return
	}
	c.items, c.at = old, -1 // until the others are here
	sh.look(func(ctx context.Context) []suggestion {
		return sh.files(ctx, path, func(name string, open bool) string { return "@" + mention.Quote(name, open) })
	}, before[from:], 0)
}

// offerAfter looks what can be offered after an ordinary key. A text that comes back from the
// history is not being typed: the next key goes on through it.
func (sh *Shell) offerAfter(k tui.Key) {
	switch name := k.String(); {
	case name == "up", name == "down", name == "ctrl+p", name == "ctrl+n", sh.editor.Normal():
		sh.offer.close()
		if sh.editor.Size() <= completed {
			sh.offer.before = sh.editor.Before()
		}
	default:
		sh.suggest()
	}
}

// files are suggestions for what was typed of a path; write says how a name is written, and one
// that another is to follow.
func (sh *Shell) files(ctx context.Context, typed string,
	write func(name string, open bool) string) (list []suggestion) {
	found, err := sh.cfg.Files.Find(ctx, typed, offered)
	if err != nil {
		return nil
	}
	for _, name := range found {
		dir := strings.HasSuffix(name, "/")
		put := write(name, dir)
		if put == "" {
			continue
		}
		it := suggestion{text: mention.Quote(name, false), insert: put}
		if !dir {
			it.insert += " "
		}
		list = append(list, it)
	}
	return list
}

// look finds items beside the loop; they are dropped if the prompt is another one by then.
func (sh *Shell) look(find func(context.Context) []suggestion, word string, at int) {
	c := &sh.offer
	if c.cancel != nil {
		c.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.asked++
	c.cancel, c.word = cancel, word
	asked := c.asked
	go func() {
		defer cancel()
		items := find(ctx)
		if ctx.Err() != nil {
			return
		}
		sh.app.Do(func() {
			if c.asked != asked || c.shut {
				return
			}
			c.cancel = nil
			c.show(word, items, at)
			if c.wanted && len(items) > 0 {
				sh.take(max(at, 0))
			}
		})
	}()
}

// ownPath offers paths for the last word of a command of the person's own.
func (sh *Shell) ownPath() bool {
	if sh.editor.Size() > completed {
		return false
	}
	before := sh.editor.Before()
	word := before[strings.LastIndexAny(before, " \t!=<>|&;(")+1:]
	if sh.cfg.Files.Find == nil || !sh.editor.Starts("!") || strings.ContainsAny(word, "\"'\\$`*?[") {
		return false
	}
	sh.offer.before, sh.offer.shut = before, false
	sh.look(func(ctx context.Context) []suggestion {
		list := sh.files(ctx, word, func(name string, _ bool) string {
			put, err := syntax.Quote(name, syntax.LangBash)
			if err != nil || strings.HasPrefix(name, "-") {
				return ""
			}
			return put
		})
		return list
	}, word, 0)
	return true
}

// take puts item i into the prompt. What can follow a directory or a command is offered next.
func (sh *Shell) take(i int) {
	c := &sh.offer
	word, put := c.word, c.items[i].put()
	own := strings.HasPrefix(sh.editor.Text(), "!")
	c.close()
	c.before = ""
	if !sh.editor.Complete(word, put) {
		return
	}
	if own && strings.HasSuffix(put, "/") {
		sh.ownPath()
		return
	}
	sh.suggest()
}

// visible reports whether something is offered.
func (c *completion) visible() bool { return c.size > 0 && len(c.items) > 0 }

// pickOffer takes the keys of what is offered. Not taken: it is an ordinary key, or sent: what
// stands in the prompt now is to be sent.
func (sh *Shell) pickOffer(k tui.Key) (taken, sent bool) {
	c := &sh.offer
	visible := c.visible()
	switch key := k.String(); {
	case key == "tab" && visible && c.cancel == nil:
		sh.take(max(c.at, 0))
	case key == "tab" && c.cancel != nil:
		c.wanted = true
	case key == "tab":
		return sh.ownPath(), false
	case !visible:
		return false, false
	case key == "escape":
		c.close()
	case key == "up" || key == "ctrl+p":
		c.at = (max(c.at, 0) + len(c.items) - 1) % len(c.items)
	case key == "down" || key == "ctrl+n":
		c.at = (c.at + 1) % len(c.items)
	case key == "enter" && c.at >= 0 && c.cancel == nil:
		if strings.TrimSpace(c.items[c.at].put()) == c.word {
			c.close()
			return false, true // it is what was typed
		}
		if run := c.run && c.items[c.at].args == ""; run {
			sh.take(c.at)
			c.close()
			return false, true
		}
		sh.take(c.at)
	default:
		return false, false
	}
	return true, false
}

// rows returns what is offered, as far as s has room: at most three quarters of it, so that a
// prompt of several rows keeps some.
func (c *completion) rows(s tui.Space) (rows []tui.Line) {
	t := s.Look()
	c.size = max(min(offerRows, len(c.items), (s.Height*3+3)/4), 0)
	if c.size == 0 {
		return nil
	}
	c.top = max(min(c.top, max(c.at, 0), len(c.items)-c.size), c.at-c.size+1, 0)
	part := c.items[c.top : c.top+c.size]
	s.Width = max(s.Width-2, 1) // clear of the edge
	wide := 0                   // columns of the names
	for _, it := range part {
		wide = min(max(wide, s.Columns(name(it))), s.Width/2)
	}
	for i, it := range part {
		pointer, style := "    ", tui.Style{} // below the text of the prompt
		if c.top+i == c.at {
			pointer, style = "  "+t.Glyphs.Prompt+" ", t.Strong
		}
		spans := []tui.Span{{Text: pointer, Style: t.Accent}, {Text: it.text, Style: style}}
		if it.args != "" {
			spans = append(spans, tui.Span{Text: " " + it.args, Style: t.Dim})
		}
		if it.note != "" {
			gap := strings.Repeat(" ", max(wide-s.Columns(name(it)), 0)+2)
			spans = append(spans, tui.Span{Text: gap + clean(firstLine(it.note), t), Style: t.Dim})
		}
		rows = append(rows, s.Cut(spans...))
	}
	return rows
}

// name returns what stands in the first column of an item.
func name(it suggestion) string { return strings.TrimSpace(it.text + " " + it.args) }
