package shell

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// The time within which a second Ctrl+C quits (SH-5), long enough to read the hint about it. After
// a Ctrl+C that has ended a question there is more time, because another question may appear in
// between.
const (
	secondCtrlC         = 2 * time.Second
	secondCtrlCAfterAsk = 3 * time.Second
)

// The time for which a hint is shown, and the time within which a second Esc opens /tree or
// /rewind.
const (
	hintDuration = 2 * time.Second
	secondEsc    = time.Second
)

// hint holds a short message for the status row or a pane. It disappears by itself, a while after
// the first frame that shows it.
type hint struct {
	text     string
	duration time.Duration
	// No frame has shown the hint yet.
	new bool
	// The time of the first frame that showed it.
	shownAt time.Time
	escapes bool // The hint says that a second Esc opens something, such as /tree.
}

// statusDelay is the time that quick work may take before the status row shows it, so that the row
// does not flicker.
const statusDelay = 200 * time.Millisecond

// footer draws the rows below the transcript: the running work, queued messages, the prompt and the
// status row.
type footer struct{ sh *Shell }

// View returns the rows of the footer. In a low window the prompt gets one row first, then the
// running work and the status row. The rest is shared by suggestions, the todo list, queued
// messages, and further rows of the prompt.
func (f *footer) View(s tui.Space) tui.View {
	sh := f.sh
	if sh.busy() && sh.status.Since.IsZero() {
		sh.status.Since = s.Now
	}
	var v tui.View
	if s.Height >= 6 {
		v.Lines = append(v.Lines, tui.Line{})
	}
	status := sh.statusView(s)
	if left := sh.status.Since.Add(statusDelay).Sub(s.Now); sh.hidesStatus && left > 0 {
		status = tui.View{RefreshAfter: left}
	}
	free := s
	free.Height -= len(v.Lines) + 1 // the prompt
	facts := s.Height >= 3
	if facts {
		free.Height--
	}
	below := sh.extensionFooter(s)
	free.Height -= len(below)
	agents, waits := sh.agentRows(free)
	if waits {
		status = tui.View{}
	}
	free.Height -= len(status.Lines) + len(agents.Lines)
	suggestions := sh.completion.rows(free)
	free.Height -= len(suggestions)
	list := todoRows(sh.todoList, free)
	free.Height -= len(list)
	queue := sh.queueLines(free)
	free.Height = max(free.Height-len(queue), 0) + 1
	v.Lines = append(append(append(append(v.Lines, list...), status.Lines...), agents.Lines...), queue...)
	v.RefreshAfter = sooner(status.RefreshAfter, agents.RefreshAfter)
	promptStatus := sh.setPrompt()
	e := sh.editor.View(free)
	if e.Cursor != nil {
		v.Cursor = &tui.Pos{Col: e.Cursor.Col, Row: e.Cursor.Row + len(v.Lines)}
	}
	v.Lines = append(append(v.Lines, e.Lines...), suggestions...)
	v.RefreshAfter = sooner(v.RefreshAfter, e.RefreshAfter)
	if facts {
		row, wait := sh.statusRow(s, promptStatus)
		v.Lines = append(v.Lines, row)
		v.RefreshAfter = sooner(v.RefreshAfter, wait)
	}
	v.Lines = append(v.Lines, below...)
	return v
}

// maxQueueRows is the number of rows that queued messages take at most.
const maxQueueRows = 3

// queueLines returns a row for each message that waits for the end of the turn, as far as the
// height of s allows. If there are more, the last row counts them.
func (sh *Shell) queueLines(s tui.Space) (rows []tui.Line) {
	t := s.Look()
	limit := min(maxQueueRows, s.Height)
	if limit <= 0 {
		return nil
	}
	for i, message := range sh.queue {
		if i == limit {
			rows[i-1] = s.Cut(tui.Span{Text: fmt.Sprintf("  and %d more", len(sh.queue)-i+1), Style: t.Dim})
			break
		}
		first, _, more := strings.Cut(message.String(), "\n")
		if more {
			first += " " + t.Glyphs.More
		}
		rows = append(rows, s.Cut(tui.Span{Text: "next: " + first, Style: t.Dim}))
	}
	return rows
}

// sooner returns the shorter of two waiting times. A time of 0 means that nothing is waited for, so
// the other one is returned.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// statusRow returns the dim row below the prompt, and the time after which it changes by itself; 0:
// it does not. A hint, or else the text promptStatus, takes the place of its usual contents. The
// last two columns stay blank, so that the row does not wrap when the window becomes a little
// narrower.
func (sh *Shell) statusRow(s tui.Space, promptStatus string) (tui.Line, time.Duration) {
	t := s.Look()
	hintText, wait := sh.currentHint(s.Now)
	s.Width = max(s.Width-2, 1)
	dot := " " + t.Glyphs.Dot + " "
	always := "  "
	if sh.modeName() == approval.ModeUnconfined { // also beside a hint
		always += sh.modeName() + dot
	}
	if hintText != "" {
		return s.Cut(tui.Span{Text: always + hintText, Style: t.Warning}), wait
	}
	if promptStatus != "" {
		return s.Cut(tui.Span{Text: always + sh.cfg.Keys.Expand(promptStatus), Style: t.Warning}), wait
	}
	added := sh.extensionStatus(s, dot)
	for _, span := range added {
		s.Width -= s.Columns(span.Text)
	}
	if len(sh.cfg.Appearance.Status) > 0 {
		parts, changesIn := sh.statusParts(s)
		if parts = append([]string{sh.vimMode(), sh.jobFact()}, parts...); sh.cfg.Session.Path == "" {
			parts = append(parts, "no log")
		}
		return withExtensions(s, "  "+joinFitting(s, parts, dot), added), sooner(wait, changesIn)
	}
	facts := []string{sh.vimMode(), sh.modeName(), sh.jobFact(), sh.cfg.Models.Name, sh.gauge.leftText(),
		sh.gauge.costText()}
	if sh.tokensUsed() > 0 && sh.gauge.leftText() == "" {
		facts = append(facts, tokenCount(sh.tokensUsed()))
	}
	facts = append(facts, sh.cfg.Workspace.Name)
	if sh.cfg.Session.Path == "" {
		facts = append(facts, "no log")
	}
	row := strings.Join(withoutEmpty(facts), dot)
	if len(added) > 0 && s.Columns(row) > s.Width-2 { // who answers and where is what is cut
		names := []string{sh.cfg.Models.Name, sh.cfg.Workspace.Name}
		facts = slices.DeleteFunc(facts, func(fact string) bool { return slices.Contains(names, fact) })
		row = strings.Join(withoutEmpty(append(facts, names...)), dot)
	}
	if sh.gauge.leftText() != "" && s.Columns(row) > s.Width-2 { // what is left matters more than who answers and where
		row = joinFitting(s,
			[]string{sh.vimMode(), sh.modeName(), sh.jobFact(), sh.gauge.leftText(), sh.gauge.costText(),
				sh.cfg.Models.Name, sh.cfg.Workspace.Name}, dot)
	}
	return withExtensions(s, "  "+row, added), wait
}

// withExtensions returns the status row: its text, cut at the width of s, and after it the spans
// that extensions have added.
func withExtensions(s tui.Space, row string, added []tui.Span) tui.Line {
	line := s.Cut(tui.Span{Text: row, Style: s.Look().Status})
	line.Spans = slices.Concat(line.Spans, added)
	return line
}

// vimMode returns "normal" if the prompt is in the normal mode of vim, or else "".
func (sh *Shell) vimMode() string {
	if sh.editor.InNormalMode() {
		return "normal"
	}
	return ""
}

// modeName returns the name of the approval mode, such as "ask".
func (sh *Shell) modeName() string {
	if sh.cfg.Approval.Policy != nil {
		return sh.cfg.Approval.Policy.Mode()
	}
	return sh.cfg.Approval.Mode
}

// withoutEmpty returns the non-empty strings of a list.
func withoutEmpty(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// tokenCount returns a number of tokens for the screen, such as "812 tokens" or "3.1k tokens".
func tokenCount(n int) string {
	switch {
	case n < 1000:
		return countOf(n, "token")
	case n < 1_000_000:
		return fmt.Sprintf("%.1fk tokens", float64(n)/1000)
	}
	return fmt.Sprintf("%.1fM tokens", float64(n)/1e6)
}

// HandleEvent handles the keys of the shell itself, such as Ctrl+C and Esc (SH-5). All others go to
// the completion or the prompt.
func (f *footer) HandleEvent(ev tui.Event, s tui.Space) bool {
	sh := f.sh
	k, ok := ev.(tui.Key)
	if !ok {
		sh.completion.close()
		if p, ok := ev.(tui.Paste); ok {
			return sh.handlePaste(p, s)
		}
		return sh.editor.HandleEvent(ev, s)
	}
	sh.noteKey(k)
	if sh.question != nil && sh.question.awaitsPaint() {
		return sh.question.handleKeyWhileMoving(k, s)
	}
	pressed := k
	k, taken := sh.translateKey(pressed)
	if taken || k.Code == 0 {
		return true
	}
	defer func() { sh.suggestAfterKey(k) }()
	switch {
	case k.Mods == terminal.Ctrl && k.Code == 'c':
		sh.interrupt(k, s)
		return true
	case sh.editor.Searching(), sh.editor.TakesKey(pressed):
	case k.Is("ctrl+j") && sh.editor.Empty():
		// An Enter that was typed before the terminal was in raw mode arrives as this key. There is
		// nothing to send, and an empty line above a message has no use either.
		return true
	case k.Mods == terminal.Ctrl && k.Code == 'd' && sh.editor.Empty():
		if sh.busy() {
			sh.showHint(sh.cfg.Keys.Expand("a turn is running: {stop} stops it, {interrupt} twice quits"))
		} else {
			sh.quit()
		}
		return true
	case k.Code == terminal.KeyEscape && k.Mods == 0 && sh.busy():
		sh.stopTurn()
		return true
	case k.Code == terminal.KeyEscape && k.Mods == 0 && sh.question == nil && sh.editor.Empty() && sh.noteEscape():
		return true
	case k.Code == terminal.KeyEscape && k.Mods == 0 && sh.question == nil && sh.setPrompt() != "":
		return sh.editor.HandleEvent(tui.Key{Code: 'c', Mods: terminal.Ctrl}, s) // Ctrl+Y brings the command back
	case k.Is("alt+g") && sh.question == nil:
		sh.openTree("")
		return true
	case k.Mods == terminal.Ctrl && k.Code == 'o' && sh.question == nil:
		if !sh.editor.HandleEvent(k, s) { // there is no paste to be opened
			sh.openPager()
		}
		return true
	case k.Mods == terminal.Ctrl && k.Code == 'v':
		sh.pasteClipboard()
		return true
	case k.Mods == terminal.Ctrl && k.Code == 'g':
		sh.editPrompt()
		return true
	case k.Code == terminal.KeyUp && k.Mods == 0 && sh.question == nil && sh.editLastQueued():
		return true
	case k.Code == terminal.KeyTab && k.Mods == terminal.Shift:
		if sh.cfg.Approval.Policy != nil && sh.question == nil {
			if err := sh.cfg.Approval.Policy.SetMode(sh.cfg.Approval.Policy.Next()); err != nil {
				sh.showHint(err.Error())
			}
		}
		return true
	case k.Code == terminal.KeyEnter && k.Mods == 0 && sh.editor.Empty() && sh.editor.Placeholder != "" && !sh.busy():
		sh.submit(sh.cfg.Start.SuggestedMessage)
		return true
	}
	return sh.editor.HandleEvent(k, s) || k != pressed // what was pressed means nothing more to anybody
}

// translateKey returns the built-in key of the action to which the user has bound the key k. It
// returns the zero Key if k has no action. taken reports whether the completion has handled the key
// already.
func (sh *Shell) translateKey(k tui.Key) (_ tui.Key, taken bool) {
	keys := sh.cfg.Keys
	if sh.editor.TakesKey(k) && (sh.editor.InNormalMode() || sh.question != nil || !sh.completion.visible()) {
		return k, false
	}
	if sh.editor.Searching() {
		if k.Text() != "" || keys.ActionOf(keymap.Search, k) != "" {
			return keys.Translate(keymap.Search, k), false
		}
		sh.editor.AcceptSearch()
	}
	translated := keys.Translate(keymap.Prompt, k)
	if sh.editor.InNormalMode() && translated.Is("ctrl+r") {
		translated = tui.Key{Code: '/', Alone: k.Alone} // there Ctrl+R takes an undo back
	}
	if sh.question != nil {
		return translated, false
	}
	if sh.completion.visible() && keys.ActionOf(keymap.Completion, k) != "" {
		picked := keys.Translate(keymap.Completion, k)
		taken, sends := sh.handleCompletionKey(picked)
		if sends {
			translated = picked // Enter
		}
		return translated, taken
	}
	if translated.Code == terminal.KeyTab && translated.Mods == 0 {
		taken, _ = sh.handleCompletionKey(translated)
	}
	return translated, taken
}

// Submit handles a line of standard input if there is no terminal: it is sent like a typed message.
func (f *footer) Submit(line string) { f.sh.submit(line) }

// interrupt handles Ctrl+C. It copies the selected text of the prompt if there is one. Otherwise
// the first Ctrl+C stops the running work or clears the prompt, and a second one within secondCtrlC
// quits.
func (sh *Shell) interrupt(k tui.Key, s tui.Space) {
	if sh.editor.Selected() != "" {
		sh.editor.HandleEvent(k, s) // it copies the marked text
		return
	}
	if sh.noteInterrupt(secondCtrlC) {
		return
	}
	switch {
	case sh.busy():
		sh.stopTurn()
	default:
		sh.editor.HandleEvent(k, s) // Ctrl+Y brings the draft back
	}
}

// noteInterrupt quits if the hint about a second Ctrl+C is shown, and returns true. Otherwise it
// shows that hint for the time window.
func (sh *Shell) noteInterrupt(window time.Duration) (quits bool) {
	if sh.hint.text == quitHint || sh.hint.text == quitJobsHint {
		sh.quit()
		return true
	}
	sh.hint = hint{text: quitHint, duration: window, new: true}
	return false
}

// noteKey removes the hint about a second Ctrl+C or Esc if k is another key.
func (sh *Shell) noteKey(k tui.Key) {
	if sh.hint.text == quitHint && !(k.Mods == terminal.Ctrl && k.Code == 'c') {
		sh.hint = hint{}
	}
	if sh.hint.escapes && k.Code != terminal.KeyEscape {
		sh.hint = hint{}
	}
}

// noteEscape handles Esc in an empty prompt. The first one shows a hint; a second one within
// secondEsc opens /tree, or /rewind if the user has configured that. It returns false if Esc has no
// effect here.
func (sh *Shell) noteEscape() bool {
	open, name := func() { sh.openTree("") }, "/tree"
	switch sh.cfg.Tree.DoubleEsc {
	case "rewind":
		open, name = sh.openRewind, "/rewind"
	case "off":
		return false
	}
	if sh.cfg.Session.Stored == nil {
		return false
	}
	if sh.hint.escapes {
		sh.hint = hint{}
		open()
		return true
	}
	text := sh.cfg.Keys.Expand("{stop} again opens ") + name
	sh.hint = hint{text: text, duration: secondEsc, new: true, escapes: true}
	return true
}

// quitHint is the hint that follows the first Ctrl+C.
const quitHint = "Ctrl+C again quits"

// showHint shows a message in the status row for hintDuration.
func (sh *Shell) showHint(text string) {
	sh.hint = hint{text: text, duration: hintDuration, new: true}
}

// currentHint returns the text of the hint in the status row, and the time for which it will still
// be shown. It returns "" if there is none.
func (sh *Shell) currentHint(now time.Time) (text string, remaining time.Duration) {
	return sh.hint.current(now)
}

// current returns the text of the hint, and the time for which it will still be shown. After that
// time it returns "" and clears the hint.
func (h *hint) current(now time.Time) (text string, remaining time.Duration) {
	if h.text == "" {
		return "", 0
	}
	if h.new {
		h.new, h.shownAt = false, now
	}
	if remaining = h.shownAt.Add(h.duration).Sub(now); remaining <= 0 {
		*h = hint{}
		return "", 0
	}
	return h.text, remaining
}
