package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// openTranscript runs /transcript: it shows the whole session on the alternate screen.
func (sh *Shell) openTranscript() {
	if sh.cfg.Session.Conversation == nil {
		sh.addBlock(notice, problem("This session cannot show its transcript."))
		return
	}
	go func() {
		messages, err := sh.cfg.Session.Conversation()
		sh.app.Do(func() {
			items := transcriptItems(messages)
			switch {
			case err != nil:
				sh.addBlock(notice, problem("Cannot read the session: "+err.Error()))
			case len(items) == 0:
				sh.addBlock(notice, paragraphs(false, "This session has no message yet."))
			default:
				p := newTranscriptPage(items, sh.cfg.Files.ChangesBy, sh.app.Do)
				p.keys = sh.cfg.Keys
				leave := sh.overlay(p, tui.Place{Full: true})
				p.leave = func() {
					p.cancel()
					leave()
				}
			}
		})
	}()
}

// transcriptItem is one entry of the page that /transcript shows: a message or a tool call. Its
// rows are made only when the entry is shown or searched.
type transcriptItem struct {
	gap bool // A blank row separates the entry from the one above.
	// The blocks of a message.
	blocks []storedBlock
	end    func() agent.ToolEnd // Returns the end of a tool call; nil: the entry is a message.
	reads  bool                 // The entry is a call of a tool that never changes files.
}

// transcriptItems returns the entries for all messages of a conversation.
func transcriptItems(messages []provider.Message) (items []transcriptItem) {
	last := noBlock
	add := func(it transcriptItem, first, end blockKind) {
		it.gap = last != noBlock && !(first == toolCall && last == toolCall)
		items, last = append(items, it), end
	}
	for i, m := range messages {
		text, _ := m.MainText()
		switch {
		case m.Role == provider.Assistant && strings.TrimSpace(text) != "":
			add(transcriptItem{blocks: []storedBlock{{kind: answer, rows: answerRows(text)}}}, answer, answer)
		case m.Role == provider.User:
			if blocks := messageBlocks(m, wholeOutput); len(blocks) > 0 {
				add(transcriptItem{blocks: blocks}, blocks[0].kind, blocks[len(blocks)-1].kind)
			}
		}
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.ToolCall:
				kind := toolCall
				if changesFiles(p.Name) {
					kind = fileChange
				}
				end := func() agent.ToolEnd { return wholeEnd(p, messages[i+1:]) }
				add(transcriptItem{end: end, reads: tool.Quiet(p.Name)}, kind, kind)
			case provider.Image:
				line := p.Line()
				add(transcriptItem{blocks: []storedBlock{{kind: notice, rows: func(s tui.Space) []tui.Line {
					return s.Wrap(tui.Span{Text: visibleLine(line, s.Look()), Style: s.Look().Dim})
				}}}}, notice, notice)
			}
		}
	}
	return items
}

// answerRows returns the transcript block of a text that the model has written in Markdown.
func answerRows(text string) staticBlock {
	return func(s tui.Space) []tui.Line {
		d := &markdown.Document{Breaks: true}
		_, _ = d.Write([]byte(text))
		return d.View(s).Lines
	}
}

// wholeOutput returns the rows of an output. If there are more than maxOutputRows it omits those in
// the middle.
func wholeOutput(text string, s tui.Space) []tui.Line {
	return firstAndLastRows(text, maxOutputRows/2, maxOutputRows/2, s)
}

// lay returns the rows of the entry at the width of s. edits are the file changes of its call, if
// it is one. It may be called on any goroutine.
func (it transcriptItem) lay(s tui.Space, edits []tool.Edited) (rows []tui.Line) {
	s.Height, s.From, s.Focused = 0, 0, false
	if it.gap {
		rows = append(rows, tui.Line{})
	}
	for i, b := range it.blocks {
		if i > 0 && (b.kind != toolCall || it.blocks[i-1].kind != toolCall) {
			rows = append(rows, tui.Line{})
		}
		rows = append(rows, b.rows(s)...)
	}
	if it.end != nil {
		rows = append(rows, wholeCall(it.end(), edits, s)...)
	}
	for i := range rows { // rows in sight have no source order, and are no marks for the terminal
		rows[i].End, rows[i].Prompt = 0, false
	}
	return rows
}

// wholeCall returns the rows of a tool call with all of its output and of its file changes, edits.
func wholeCall(e agent.ToolEnd, edits []tool.Edited, s tui.Space) []tui.Line {
	t := s.Look()
	e.Result.Edits = edits
	if showsAsChanges(e) {
		return storedChanges(e, maxOutputRows, 0, s)
	}
	glyph, style, summary := t.Glyphs.Tool, t.Accent, e.Result.Summary
	text := e.Result.Detail
	switch {
	case e.Kind == agent.KindDenied:
		glyph, style, summary, text = t.Glyphs.No, t.Removed, denialText(e.Decision), ""
	case e.Kind == agent.KindInterrupted:
		glyph, style, summary, text = t.Glyphs.Problem, t.Error, stoppedWord, stoppedOutput(e)
	case !e.OK:
		glyph, style = t.Glyphs.Problem, t.Error
		summary, text, _ = strings.Cut(e.Text, "\n")
	case hidesResult(e.Name):
		text = ""
	}
	title, more, _ := strings.Cut(displayTitle(e.Title), "\n")
	rows := append(titleRows(s, glyph, style, title, summary), commandTail(glyph, more, s)...)
	rows = append(rows, wholeOutput(text, s)...)
	return append(rows, changedRows(e, 0, s)...)
}

// wholeEnd returns the end of a stored tool call. For a shell command the title holds all of its
// lines. following are the messages after the call, with its result.
func wholeEnd(c provider.ToolCall, following []provider.Message) agent.ToolEnd {
	end := agent.StoredCallEnd(c, following)
	var in struct{ Command string }
	if c.Name == "bash" && json.Unmarshal(c.Input, &in) == nil && in.Command != "" {
		end.Title = c.Name + " " + strings.TrimSpace(in.Command)
	}
	return end
}

// commandTail returns the rows for the further lines of a command, more, whose first line is the
// title. They are indented to where the command begins in the title.
func commandTail(glyph, more string, s tui.Space) (rows []tui.Line) {
	if more == "" {
		return nil
	}
	indent := s.Columns(glyph + " bash ")
	if s.Width < 5*indent {
		indent = 2
	}
	prefix := []tui.Span{{Text: strings.Repeat(" ", indent)}}
	layout := tui.Layout{Width: s.Width, Model: s.Model, FirstPrefix: prefix, NextPrefix: prefix}
	for i, line := range strings.Split(strings.TrimRight(more, "\n"), "\n") {
		if i == maxOutputRows {
			return append(rows, s.Cut(tui.Span{Text: s.Look().Glyphs.More + " not shown", Style: s.Look().Dim}))
		}
		text, clipped := clipLine(line)
		if clipped > 0 {
			text += omittedNote(s.Look(), clipped)
		}
		if text == "" {
			rows = append(rows, tui.Line{})
			continue
		}
		rows = layout.Append(rows, 0, tui.Span{Text: text})
	}
	return rows
}

// changesBy returns the file changes of the tool call with that id. It is called outside of the
// event loop.
type changesBy func(ctx context.Context, call string) []tool.Edited

// mayChange reports whether the entry is a call that may have changed files, and whether that can
// be looked up.
func (it transcriptItem) mayChange(by changesBy) bool { return it.end != nil && !it.reads && by != nil }

// changes returns the file changes of the entry's call, or nil. It is called outside of the event
// loop.
func (it transcriptItem) changes(ctx context.Context, by changesBy) []tool.Edited {
	if !it.mayChange(by) {
		return nil
	}
	if end := it.end(); end.OK || end.Kind == agent.KindDenied {
		return by(ctx, end.ID)
	}
	return nil
}

// joinedText returns the text of rows. Rows that were wrapped from one line are one line again.
// from[i] is the offset of rows[i] in text, in bytes.
func joinedText(rows []tui.Line) (text string, from []int) {
	var b strings.Builder
	for _, row := range rows {
		from = append(from, b.Len())
		b.WriteString(plainText(row))
		if !row.Wrapped { // prose has lost a blank there
			b.WriteByte(' ')
		}
	}
	return b.String(), from
}

// found returns the byte offsets in text at which query occurs. A query without an upper-case
// letter matches either case.
func found(text, query string) (list []int) {
	if query == "" {
		return nil
	}
	if low := strings.ToLower(text); query == strings.ToLower(query) && len(low) == len(text) {
		text = low
	}
	for at := 0; ; {
		i := strings.Index(text[at:], query)
		if i < 0 {
			return list
		}
		list = append(list, at+i)
		at += i + len(query)
	}
}

// markFound returns row with the matches of a search highlighted. from is the offset of the row in
// the entry's text, places are the offsets of the matches, length is their length in bytes, and
// current is the offset of the match that the search has moved to, or -1.
func markFound(row tui.Line, from int, places []int, length, current int) tui.Line {
	var spans []tui.Span
	at := from
	for _, span := range row.Spans {
		text := span.Text
		for _, p := range places {
			begin, end := max(p-at, 0), min(p+length-at, len(text))
			if begin >= end {
				continue
			}
			style := span.Style.With(tui.Inverse)
			if p == current {
				style = style.With(tui.Bold)
			}
			spans = append(spans, part(span, text[:begin]), tui.Span{Text: text[begin:end], Link: span.Link,
				Style: style})
			text, at = text[end:], at+end
		}
		spans, at = append(spans, part(span, text)), at+len(text)
	}
	row.Spans = withoutEmptySpans(spans)
	return row
}

// part returns a span with the style and link of s, and another text.
func part(s tui.Span, text string) tui.Span {
	s.Text = text
	return s
}

// withoutEmptySpans returns spans without those that have no text.
func withoutEmptySpans(spans []tui.Span) (kept []tui.Span) {
	for _, s := range spans {
		if s.Text != "" {
			kept = append(kept, s)
		}
	}
	return kept
}

// percentOf returns done as a percentage of all, such as "40%".
func percentOf(done, all int) string { return fmt.Sprintf("%d%%", 100*done/max(all, 1)) }
