package shell

import (
	"context"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/tui"
)

const (
	maxSuggestionRows = 8  // suggestions that are visible at a time
	maxSuggestions    = 50 // paths that a search returns at most
)

// suggestion describes one row of the completion: text is offered, args hints at what follows it,
// and note explains it.
type suggestion struct {
	text, args, note string
	insert           string // the text that replaces the typed word; "": the field text is used
}

// inserted returns the text that replaces the typed word if the user takes the suggestion.
func (s suggestion) inserted() string {
	if s.insert == "" {
		return s.text
	}
	return s.insert
}

// completion holds the suggestions for the word before the prompt's cursor: slash commands and
// their arguments, files after @, and on Tab the paths of a shell command after !. It belongs to
// the event loop, but slow searches run outside it, so that no key waits for them.
type completion struct {
	items []suggestion
	// chosen is the index of the selected item, -1: none; top is the index of the first visible
	// item.
	chosen, top  int
	visibleRows  int    // The number of rows that the last frame had for items.
	word         string // The word before the cursor that a suggestion replaces.
	before       string // The text before the cursor that the suggestions are for.
	dismissed    bool   // The suggestions for that text were closed, so a late search does not show any.
	takeFirst    bool   // Tab was pressed during the search, so its first result is taken without another key.
	sendsOnEnter bool   // Enter on an item also sends the prompt.
	lookups      int    // The number of searches so far; it tells whether a result is out of date.
	// Stops the search that runs; nil: none does.
	cancel context.CancelFunc
}

// close removes the suggestions and cancels the search for more.
func (c *completion) close() {
	if c.cancel != nil {
		c.cancel()
	}
	*c = completion{lookups: c.lookups + 1, before: c.before, dismissed: true}
}

// show shows items as suggestions that replace word. chosen is the index of the selected one, -1
// for none.
func (c *completion) show(word string, items []suggestion, chosen int) {
	c.word, c.items, c.chosen, c.top = word, items, chosen, 0
}

// maxCompletionPrompt is the size in bytes of the longest prompt for which suggestions are made,
// because each key reads the whole prompt.
const maxCompletionPrompt = 256 << 10

// suggest updates the suggestions for the current text of the prompt. It does nothing if the text
// before the cursor is the same as last time.
func (sh *Shell) suggest() {
	c := &sh.completion
	if sh.editor.Size() > maxCompletionPrompt {
		c.close()
		return
	}
	before := sh.editor.TextBeforeCaret()
	if before == c.before || sh.question != nil || sh.editor.Searching() {
		return
	}
	oldItems := c.items
	c.close()
	c.before, c.dismissed = before, false
	text := sh.editor.Text()
	if strings.HasPrefix(text, "/") && !strings.Contains(text, "\n") {
		name, arg, spaced := strings.Cut(before, " ")
		if !spaced {
			c.show(before, matchingCommands(sh.slashCommands(), before), 0)
			c.sendsOnEnter = true
			return
		}
		s, ok := findCommand(sh.slashCommands(), name)
		if ok && s.complete != nil {
			sh.lookUp(func(ctx context.Context) []suggestion { return s.complete(ctx, arg) }, arg, -1)
			return
		}
		if ok && s.arguments != nil {
			cfg := sh.cfg
			sh.lookUp(func(ctx context.Context) (list []suggestion) {
				for _, v := range s.arguments(ctx, cfg) {
					if strings.HasPrefix(strings.ToLower(v.text), strings.ToLower(arg)) && v.text != arg {
						list = append(list, v)
					}
				}
				return list
			}, arg, -1)
		}
		return
	}
	if strings.HasPrefix(text, "!") || sh.hasCell(text) {
		return
	}
	from, path, ok := mention.Unfinished(before)
	if !ok || sh.cfg.Files.Find == nil {
		return
	}
	c.items, c.chosen = oldItems, -1 // until the others are here
	chosen := 0
	if strings.HasSuffix(path, "/") { // Enter sends the directory
		chosen = -1
	}
	sh.lookUp(func(ctx context.Context) []suggestion {
		return sh.pathSuggestions(ctx, path,
			func(name string, open bool) string { return "@" + mention.Quote(name, open) })
	}, before[from:], chosen)
}

// suggestAfterKey updates the suggestions after the key k. After an arrow key, and in the normal
// mode of vim, it closes them: the key may have taken a message from the history, and the next one
// should go on through the history.
func (sh *Shell) suggestAfterKey(k tui.Key) {
	switch name := k.String(); {
	case name == "up", name == "down", name == "ctrl+p", name == "ctrl+n", sh.editor.InNormalMode():
		sh.completion.close()
		if sh.editor.Size() <= maxCompletionPrompt {
			sh.completion.before = sh.editor.TextBeforeCaret()
		}
	default:
		sh.suggest()
	}
}

// pathSuggestions returns suggestions for a path whose beginning was typed. quote returns the
// spelling of a path for the prompt; "" leaves the path out. Its argument open tells that the path
// is a directory, after which the user may type on.
func (sh *Shell) pathSuggestions(ctx context.Context, typed string,
	quote func(name string, open bool) string) (list []suggestion) {
	found, err := sh.cfg.Files.Find(ctx, typed, maxSuggestions)
	if err != nil {
		return nil
	}
	for _, name := range found {
		dir := strings.HasSuffix(name, "/")
		inserted := quote(name, dir)
		if inserted == "" || dir && name == typed { // it stands in the prompt already
			continue
		}
		item := suggestion{text: mention.Quote(name, false), insert: inserted}
		if !dir {
			item.insert += " "
		}
		list = append(list, item)
	}
	return list
}

// lookUp calls find on a goroutine of its own and shows its results as suggestions that replace
// word, with the one at index chosen selected. If the prompt has changed meanwhile, the results are
// dropped.
func (sh *Shell) lookUp(find func(context.Context) []suggestion, word string, chosen int) {
	c := &sh.completion
	if c.cancel != nil {
		c.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.lookups++
	c.cancel, c.word = cancel, word
	lookup := c.lookups
	go func() {
		defer cancel()
		items := find(ctx)
		if ctx.Err() != nil {
			return
		}
		sh.app.Do(func() {
			if c.lookups != lookup || c.dismissed {
				return
			}
			c.cancel = nil
			c.show(word, items, chosen)
			if c.takeFirst && len(items) > 0 {
				sh.takeSuggestion(max(chosen, 0))
			}
		})
	}()
}

// completeShellPath searches for paths that begin with the last word of a shell command after !. It
// returns false if the prompt holds no such command, or if the word contains quotes or patterns.
func (sh *Shell) completeShellPath() bool {
	if sh.editor.Size() > maxCompletionPrompt {
		return false
	}
	before := sh.editor.TextBeforeCaret()
	word := before[strings.LastIndexAny(before, " \t!=<>|&;(")+1:]
	if sh.cfg.Files.Find == nil || !sh.editor.HasPrefix("!") || strings.ContainsAny(word, "\"'\\$`*?[") {
		return false
	}
	sh.completion.before, sh.completion.dismissed = before, false
	sh.lookUp(func(ctx context.Context) []suggestion {
		list := sh.pathSuggestions(ctx, word, func(name string, _ bool) string {
			quoted, err := syntax.Quote(name, syntax.LangBash)
			if err != nil || strings.HasPrefix(name, "-") {
				return ""
			}
			return quoted
		})
		return list
	}, word, 0)
	return true
}

// takeSuggestion replaces the word before the cursor by suggestion i. After a directory or a
// command it suggests what can follow.
func (sh *Shell) takeSuggestion(i int) {
	c := &sh.completion
	word, inserted := c.word, c.items[i].inserted()
	userCommand := strings.HasPrefix(sh.editor.Text(), "!")
	c.close()
	c.before = ""
	if !sh.editor.Complete(word, inserted) {
		return
	}
	if userCommand && strings.HasSuffix(inserted, "/") {
		sh.completeShellPath()
		return
	}
	sh.suggest()
}

// visible reports whether the last frame showed suggestions.
func (c *completion) visible() bool { return c.visibleRows > 0 && len(c.items) > 0 }

// handleCompletionKey handles a key that the completion may use: Tab, Enter, Esc, up and down.
// taken is false if the prompt has to handle the key. sends tells that the key chose a command
// which is complete, so that the prompt has to be sent.
func (sh *Shell) handleCompletionKey(k tui.Key) (taken, sends bool) {
	c := &sh.completion
	visible := c.visible()
	switch key := k.String(); {
	case key == "tab" && visible && c.cancel == nil:
		sh.takeSuggestion(max(c.chosen, 0))
	case key == "tab" && c.cancel != nil:
		c.takeFirst = true
	case key == "tab":
		return sh.completeShellPath(), false
	case !visible:
		return false, false
	case key == "escape":
		c.close()
	case key == "up" || key == "ctrl+p":
		c.chosen = (max(c.chosen, 0) + len(c.items) - 1) % len(c.items)
	case key == "down" || key == "ctrl+n":
		c.chosen = (c.chosen + 1) % len(c.items)
	case key == "enter" && c.chosen >= 0 && c.cancel == nil:
		if strings.TrimSpace(c.items[c.chosen].inserted()) == c.word {
			c.close()
			return false, true // it is what was typed
		}
		if run := c.sendsOnEnter && c.items[c.chosen].args == ""; run {
			sh.takeSuggestion(c.chosen)
			c.close()
			return false, true
		}
		sh.takeSuggestion(c.chosen)
	default:
		return false, false
	}
	return true, false
}

// rows returns the rows of the suggestions, for at most three quarters of the height of s, so that
// the prompt keeps some rows. The last row says how many suggestions follow.
func (c *completion) rows(s tui.Space) (rows []tui.Line) {
	t := s.Look()
	c.visibleRows = max(min(maxSuggestionRows, len(c.items), (s.Height*3+3)/4), 0)
	if c.visibleRows == 0 {
		return nil
	}
	c.top = max(min(c.top, max(c.chosen, 0), len(c.items)-c.visibleRows), c.chosen-c.visibleRows+1, 0)
	visible := c.items[c.top : c.top+c.visibleRows]
	s.Width = max(s.Width-2, 1) // clear of the edge
	nameColumns := 0            // columns of the names
	for _, item := range visible {
		nameColumns = min(max(nameColumns, s.Columns(suggestionName(item))), s.Width/2)
	}
	for i, item := range visible {
		pointer, style := "    ", tui.Style{} // below the text of the prompt
		if c.top+i == c.chosen {
			pointer, style = "  "+t.Glyphs.Prompt+" ", t.Strong
		}
		spans := []tui.Span{{Text: pointer, Style: t.Accent}, {Text: item.text, Style: style}}
		if item.args != "" {
			spans = append(spans, tui.Span{Text: " " + item.args, Style: t.Dim})
		}
		if item.note != "" {
			gap := strings.Repeat(" ", max(nameColumns-s.Columns(suggestionName(item)), 0)+2)
			spans = append(spans, tui.Span{Text: gap + visibleLine(firstLine(item.note), t), Style: t.Dim})
		}
		row := s
		var after []tui.Span
		if below := len(c.items) - c.top - len(visible); below > 0 && i == len(visible)-1 && s.Width >= 30 {
			more := fmt.Sprintf("  %s %d more", t.Glyphs.Dot, below)
			if len(c.items) >= maxSuggestions { // no more are searched for
				more = "  " + t.Glyphs.Dot + " more"
			}
			after = []tui.Span{{Text: more, Style: t.Dim}}
			row.Width = max(s.Width-s.Columns(after[0].Text), 1)
		}
		line := row.Cut(spans...)
		line.Spans = append(line.Spans, after...)
		rows = append(rows, line)
	}
	return rows
}

// suggestionName returns the text of a suggestion and its hint at arguments, for the width of the
// first column.
func suggestionName(item suggestion) string { return strings.TrimSpace(item.text + " " + item.args) }
