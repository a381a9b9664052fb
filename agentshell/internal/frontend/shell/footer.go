package shell

import (
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// How long the second Ctrl+C may take (SH-5), and how long behind one that has ended a question:
// the next question may come in between.
const (
	again     = 500 * time.Millisecond
	askedThen = 3 * time.Second
)

// hint is what the row of facts or a pane says besides, for a moment. It is judged by the frames
// that were painted.
type hint struct {
	text  string
	holds time.Duration
	new   bool
	at    time.Time
}

// patience is how long what should take no time is waited for without a word.
const patience = 200 * time.Millisecond

// footer is what stands below the transcript: what runs, what waits, the prompt and a row of facts.
type footer struct{ sh *Shell }

// View returns the footer's rows. When there is little room the prompt has its row first, then what
// runs and the facts; what is offered to complete the prompt, the model's list and what waits share
// the rest with a longer prompt.
func (f *footer) View(s tui.Space) tui.View {
	sh := f.sh
	if sh.busy() && sh.status.Since.IsZero() {
		sh.status.Since = s.Now
	}
	var v tui.View
	if s.Height >= 6 {
		v.Lines = append(v.Lines, tui.Line{})
	}
	status := sh.status.View(s)
	if left := sh.status.Since.Add(patience).Sub(s.Now); sh.brief && left > 0 {
		status = tui.View{Again: left}
	}
	room := s
	room.Height -= len(v.Lines) + len(status.Lines) + 1 // the prompt
	facts := s.Height >= 3
	if facts {
		room.Height--
	}
	offered := sh.offer.rows(room)
	room.Height -= len(offered)
	list := todoRows(sh.todo, room)
	room.Height -= len(list)
	queue := sh.waiting(room)
	room.Height = max(room.Height-len(queue), 0) + 1
	v.Lines = append(append(append(v.Lines, list...), status.Lines...), queue...)
	v.Again = status.Again
	own := sh.dress()
	e := sh.editor.View(room)
	if e.Cursor != nil {
		v.Cursor = &tui.Pos{Col: e.Cursor.Col, Row: e.Cursor.Row + len(v.Lines)}
	}
	v.Lines = append(append(v.Lines, e.Lines...), offered...)
	v.Again = sooner(v.Again, e.Again)
	if facts {
		row, wait := sh.facts(s, own)
		v.Lines = append(v.Lines, row)
		v.Again = sooner(v.Again, wait)
	}
	return v
}

// queueRows is the most messages that are shown while they wait.
const queueRows = 3

// waiting returns what the person sent while a turn runs, a row for each message, as far as there
// is room.
func (sh *Shell) waiting(s tui.Space) (rows []tui.Line) {
	t := s.Look()
	most := min(queueRows, s.Height)
	if most <= 0 {
		return nil
	}
	for i, q := range sh.queue {
		if i == most {
			rows[i-1] = s.Cut(tui.Span{Text: fmt.Sprintf("  and %d more", len(sh.queue)-i+1), Style: t.Dim})
			break
		}
		first, _, more := strings.Cut(q.String(), "\n")
		if more {
			first += " " + t.Glyphs.More
		}
		rows = append(rows, s.Cut(tui.Span{Text: "next: " + first, Style: t.Dim}))
	}
	return rows
}

func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// facts returns the dim row below the prompt. It stays clear of the edge, so that a narrower
// terminal does not wrap it.
func (sh *Shell) facts(s tui.Space, own bool) (tui.Line, time.Duration) {
	t := s.Look()
	hinted, wait := sh.hinting(s.Now)
	s.Width = max(s.Width-2, 1)
	dot := " " + t.Glyphs.Dot + " "
	always := "  "
	if sh.mode() == approval.ModeUnconfined { // also beside a hint
		always += sh.mode() + dot
	}
	if hinted != "" {
		return s.Cut(tui.Span{Text: always + hinted, Style: t.Warning}), wait
	}
	if own {
		return s.Cut(tui.Span{Text: always + sh.cfg.Keys.Say(ownFacts), Style: t.Warning}), wait
	}
	if len(sh.cfg.Look.Status) > 0 {
		parts, hold := sh.chosen(s)
		if parts = append([]string{sh.vimMode(), sh.jobFact()}, parts...); sh.cfg.Log == "" {
			parts = append(parts, "no log")
		}
		return s.Cut(tui.Span{Text: "  " + shortest(s, parts, dot), Style: t.Status}), sooner(wait, hold)
	}
	facts := []string{sh.vimMode(), sh.mode(), sh.jobFact(), sh.cfg.Models.Name, sh.gauge.left(), sh.gauge.dollars()}
	if sh.spent > 0 && sh.gauge.left() == "" {
		facts = append(facts, tokens(sh.spent))
	}
	facts = append(facts, sh.cfg.Workspace)
	if sh.cfg.Log == "" {
		facts = append(facts, "no log")
	}
	row := strings.Join(fields(facts), dot)
	if sh.gauge.left() != "" && s.Columns(row) > s.Width-2 { // what is left matters more than who answers and where
		row = shortest(s, []string{sh.vimMode(), sh.mode(), sh.jobFact(), sh.gauge.left(), sh.gauge.dollars(),
			sh.cfg.Models.Name, sh.cfg.Workspace}, dot)
	}
	return s.Cut(tui.Span{Text: "  " + row, Style: t.Status}), wait
}

// vimMode returns the mode of the prompt, where it is not the one that types.
func (sh *Shell) vimMode() string {
	if sh.editor.Normal() {
		return "normal"
	}
	return ""
}

// mode returns the mode for the screen.
func (sh *Shell) mode() string {
	if sh.cfg.Policy != nil {
		return sh.cfg.Policy.Mode()
	}
	return sh.cfg.Mode
}

// fields returns list without empty strings.
func fields(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// tokens returns "812 tokens" or "3.1k tokens".
func tokens(n int) string {
	switch {
	case n < 1000:
		return count(n, "token")
	case n < 1_000_000:
		return fmt.Sprintf("%.1fk tokens", float64(n)/1000)
	}
	return fmt.Sprintf("%.1fM tokens", float64(n)/1e6)
}

// HandleEvent takes the keys of SH-5 and gives the others to the prompt.
func (f *footer) HandleEvent(ev tui.Event, s tui.Space) bool {
	sh := f.sh
	k, ok := ev.(tui.Key)
	if !ok {
		sh.offer.close()
		if p, is := ev.(tui.Paste); is {
			return sh.pasted(p, s)
		}
		return sh.editor.HandleEvent(ev, s)
	}
	sh.pressed(k)
	if sh.open != nil && sh.open.moving() {
		return sh.open.between(k, s)
	}
	pressed := k
	k, taken := sh.meant(pressed)
	if taken || k.Code == 0 {
		return true
	}
	defer func() { sh.offerAfter(k) }()
	switch {
	case k.Mods == terminal.Ctrl && k.Code == 'c':
		sh.interrupt(k, s)
		return true
	case sh.editor.Searching(), sh.editor.Takes(pressed):
	case k.Mods == terminal.Ctrl && k.Code == 'd' && sh.editor.Empty():
		if sh.busy() {
			sh.hint(sh.cfg.Keys.Say("a turn is running: {stop} stops it, {interrupt} twice quits"))
		} else {
			sh.quit()
		}
		return true
	case k.Code == terminal.KeyEscape && k.Mods == 0 && sh.busy():
		sh.stop()
		return true
	case k.Mods == terminal.Ctrl && k.Code == 'o' && sh.open == nil:
		if !sh.editor.HandleEvent(k, s) { // there is no paste to be opened
			sh.page()
		}
		return true
	case k.Mods == terminal.Ctrl && k.Code == 'v':
		sh.paste()
		return true
	case k.Mods == terminal.Ctrl && k.Code == 'g':
		sh.editPrompt()
		return true
	case k.Code == terminal.KeyUp && k.Mods == 0 && sh.open == nil && sh.takeBack():
		return true
	case k.Code == terminal.KeyTab && k.Mods == terminal.Shift:
		if sh.cfg.Policy != nil && sh.open == nil {
			if err := sh.cfg.Policy.SetMode(sh.cfg.Policy.Next()); err != nil {
				sh.hint(err.Error())
			}
		}
		return true
	case k.Code == terminal.KeyEnter && k.Mods == 0 && sh.editor.Empty() && sh.editor.Placeholder != "" && !sh.busy():
		sh.submit(sh.cfg.Start.First)
		return true
	}
	return sh.editor.HandleEvent(k, s) || k != pressed // what was pressed means nothing more to anybody
}

// meant returns the key that k stands for, with the person's own keys: the one that the code knows
// its action by, or the zero Key for none. What is offered to complete the prompt may take it.
func (sh *Shell) meant(k tui.Key) (_ tui.Key, taken bool) {
	keys := sh.cfg.Keys
	if sh.editor.Takes(k) && (sh.editor.Normal() || sh.open != nil || !sh.offer.visible()) {
		return k, false
	}
	if sh.editor.Searching() {
		if k.Text() != "" || keys.Does(keymap.Search, k) != "" {
			return keys.Key(keymap.Search, k), false
		}
		sh.editor.Found()
	}
	did := keys.Key(keymap.Prompt, k)
	if sh.editor.Normal() && did.Is("ctrl+r") {
		did = tui.Key{Code: '/', Alone: k.Alone} // there Ctrl+R takes an undo back
	}
	if sh.open != nil {
		return did, false
	}
	if sh.offer.visible() && keys.Does(keymap.Offer, k) != "" {
		picked := keys.Key(keymap.Offer, k)
		taken, sent := sh.pickOffer(picked)
		if sent {
			did = picked // Enter
		}
		return did, taken
	}
	if did.Code == terminal.KeyTab && did.Mods == 0 {
		taken, _ = sh.pickOffer(did)
	}
	return did, taken
}

// Submit takes a line of standard input, without a terminal.
func (f *footer) Submit(line string) { f.sh.submit(line) }

// interrupt is Ctrl+C: the second one within half a second quits, the first one stops what runs, or
// clears the prompt.
func (sh *Shell) interrupt(k tui.Key, s tui.Space) {
	if sh.interrupted(again) {
		return
	}
	switch {
	case sh.busy():
		sh.stop()
	default:
		sh.editor.HandleEvent(k, s) // Ctrl+Y brings the draft back
	}
}

// interrupted takes note of a Ctrl+C, behind which the next one quits for so long. It reports
// whether this is that one.
func (sh *Shell) interrupted(next time.Duration) (quits bool) {
	if sh.hinted.text == quitHint || sh.hinted.text == partHint {
		sh.quit()
		return true
	}
	sh.hinted = hint{text: quitHint, holds: next, new: true}
	return false
}

// pressed takes note of a key: a Ctrl+C behind another one is not the second one.
func (sh *Shell) pressed(k tui.Key) {
	if sh.hinted.text == quitHint && !(k.Mods == terminal.Ctrl && k.Code == 'c') {
		sh.hinted = hint{}
	}
}

const quitHint = "Ctrl+C again quits"

func (sh *Shell) hint(text string) { sh.hinted = hint{text: text, holds: again, new: true} }

// hinting returns the hint of now, and how long it still holds.
func (sh *Shell) hinting(now time.Time) (text string, left time.Duration) {
	h := &sh.hinted
	if h.text == "" {
		return "", 0
	}
	if h.new {
		h.new, h.at = false, now
	}
	if left = h.at.Add(h.holds).Sub(now); left <= 0 {
		*h = hint{}
		return "", 0
	}
	return h.text, left
}
