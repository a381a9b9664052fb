package shell

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// paneKey is one key of a pane that shows its proposal. It has three readers: act does what it
// does, row shows its label, keyHelp its help.
type paneKey struct {
	key   rune
	when  func(n *pane) bool   // it works there; nil: always
	label func(n *pane) string // on the decision row, with the key in brackets; nil or "": it has none
	help  func(n *pane) string // what it does, for the list of keys; nil: it has no row there
	keys  string               // how that row names it; "": by the key
	do    func(n *pane)
	// approves: it works once the pane is armed. That is for do to see to where it decides, and for
	// the row.
	approves bool
	// inHelp: it works also while the list of keys is in sight.
	inHelp bool
	// first: its label comes before those of other keys.
	first func(n *pane) bool
}

// same returns a text that is the same in every pane.
func same(text string) func(*pane) string { return func(*pane) string { return text } }

// either returns a text that depends on the pane.
func either(which func(n *pane) bool, yes, no string) func(*pane) string {
	return func(n *pane) string {
		if which(n) {
			return yes
		}
		return no
	}
}

// paneKeys returns all keys of a pane, in the order of the list of keys and of the row. There y, n
// and ? have a place of their own.
func paneKeys() []paneKey {
	isOffer := func(n *pane) bool { return offers(n.prop) }
	inPlace := func(n *pane) bool { return n.prop.InPlace }
	full := func(n *pane) bool { return n.full }
	inDeck := func(n *pane) bool { return n.deck != nil }
	several := func(n *pane) bool { return n.deck != nil && n.deck.several() }
	views := func(n *pane) bool { return len(n.views) > 1 }
	return []paneKey{
		{key: 'y', approves: true, inHelp: true, label: yesLabel, help: yesHelp, do: (*pane).pressYes},
		{key: 'Y', approves: true, when: (*pane).flagged, do: (*pane).approve,
			help: same("approve this once, despite its flag")},
		{key: 'm', approves: true, when: func(n *pane) bool { return n.edits }, label: same("[m] yes, edits run"),
			help: same("approve it; file changes run without a question from then on, but for flagged ones"),
			do:   (*pane).approveEdits},
		{key: 'n', inHelp: true, label: same("[n]o"), help: same("deny"), do: (*pane).deny},
		{key: 'x', when: (*pane).asksAgain, label: same("[x] stop server"), help: stopHelp, do: (*pane).stopServer},
		{key: 'r', inHelp: true, label: either(isOffer, "", "[r]eason"), help: same("deny with a reason for the model"),
			do: (*pane).openReason},
		{key: terminal.KeyEscape, inHelp: true, keys: "Esc  Ctrl+C", label: either(isOffer, "Esc later", ""),
			help: same("deny and stop the turn")}, // see escape
		{key: 'a', approves: true, when: func(n *pane) bool { return len(n.offers) > 0 },
			label: same("[a]lways" + more), do: (*pane).openRules,
			help: same("always allow: a digit chooses a rule, w how long, y stores it")},
		{key: 'i', when: func(n *pane) bool { return n.prop.Flagged(approval.FlagHardLink) },
			label: either(inPlace, "[i] new file", "[i]n place"),
			help: either(inPlace, "make a new file after all; the other names keep the old content",
				"write into the file itself, so that all its names change; it is shown again"),
			do: func(n *pane) { n.give(approval.InPlace{ID: n.prop.ID}) }},
		{key: '}', inHelp: true, when: inDeck, label: either(several, "[}] next", ""), keys: "} {",
			help: same("next and previous change of this message"), do: func(n *pane) { n.moveDeck(1) }},
		{key: '{', inHelp: true, when: inDeck, do: func(n *pane) { n.moveDeck(-1) }},
		{key: 'A', approves: true, when: inDeck, label: either(several, "[A]ll", ""),
			help: same("one answer for all you have seen"), do: func(n *pane) { n.deck.openAll() }},
		{key: 'e', when: func(n *pane) bool { return n.edit != nil }, label: same("[e]dit"),
			help: same("edit the change in your editor; it is shown again"), do: func(n *pane) { n.edit() }},
		{key: 's', when: func(n *pane) bool { return canChoose(n.prop) }, label: same("[s]ome"),
			help: same("choose hunks; the rest is shown again"), do: func(n *pane) { n.mode = newChoosing(n.prop) }},
		{key: 'v', inHelp: true, label: either(views, "[v]iew", ""),
			help: either(views, "next view: diff, new version, old version", ""), do: (*pane).nextView},
		{key: 'f', inHelp: true, label: either(full, "[f] small", "[f]ull"), first: full,
			help: same("full screen, and back"), do: func(n *pane) { n.setFull(!n.full) }},
		{key: '?', inHelp: true, label: same("[?]"), help: same("this list, and back"), do: (*pane).toggleHelp},
	}
}

// more stands in a label for the mark of what goes on.
const more = "…"

// yesLabel returns the label of what approves.
func yesLabel(n *pane) string {
	if n.flagged() {
		return pressY
	}
	return "[y]es"
}

// yesHelp returns what y does, "" where Y does it.
func yesHelp(n *pane) string {
	_, plan := aPlan(n.prop)
	switch {
	case n.flagged():
		return ""
	case offers(n.prop):
		return "use them, and do not ask until they change"
	case plan:
		return "approve the plan; each change is asked from then on"
	}
	return "approve this once"
}

// asksAgain reports whether an MCP server asks that was not answered before.
func (n *pane) asksAgain() bool {
	_, again := asksAgain(n.prop)
	return again
}

// stopHelp returns what the key does that stops a server.
func stopHelp(n *pane) string {
	server, _ := asksAgain(n.prop)
	return "stop the MCP server " + server + "; /mcp restart " + server + " starts it again"
}

// pressYes approves what has no flag. Over the list of keys it goes back.
func (n *pane) pressYes() {
	switch {
	case n.helped():
		n.closeHelp()
	case n.lit && n.flagged():
		n.sure = true
	default:
		n.approve()
	}
}

// approve gives a yes, if the pane is armed.
func (n *pane) approve() {
	if n.lit {
		n.give(approval.Yes{ID: n.prop.ID})
	}
}

func (n *pane) approveEdits() {
	if !n.flagged() {
		n.goesOn(approval.ModeEdits)
	}
}

func (n *pane) deny() { n.give(approval.No{ID: n.prop.ID}) }

func (n *pane) stopServer() { n.give(approval.StopServer{ID: n.prop.ID}) }

func (n *pane) openReason() {
	field := &tui.Editor{Prompt: "reason: ", MaxRows: 3, OnSubmit: func(text string) {
		n.give(approval.No{ID: n.prop.ID, Reason: text})
	}}
	n.mode = &reasoning{field, n.mode}
}

func (n *pane) openRules() { n.mode = &ruling{list: diffview.New(note(n.offered()...))} }

func (n *pane) moveDeck(step int) {
	n.closeHelp()
	n.deck.move(step)
}

func (n *pane) nextView() {
	n.closeHelp()
	n.at = (n.at + 1) % len(n.views)
}

func (n *pane) toggleHelp() {
	if n.helped() {
		n.closeHelp()
	} else {
		n.help()
	}
}

// act does what a key of the table does, and reports whether it is one.
func (n *pane) act(k tui.Key) bool {
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	for _, c := range paneKeys() {
		if c.key != k.Code {
			continue
		}
		sure := n.sure
		n.sure = false
		switch {
		case c.key == terminal.KeyEscape:
			return n.escape(sure)
		case (c.when == nil || c.when(n)) && (c.inHelp || !n.helped()):
			c.do(n)
		}
		return true
	}
	return false
}

// escape closes what is open, else it denies and stops. It reports whether the key is the pane's:
// the body closes its own search. sure: y was pressed on a flagged proposal just before.
func (n *pane) escape(sure bool) bool {
	switch {
	case n.query() != "":
		return false
	case n.helped():
		n.closeHelp()
	case sure:
	case n.full:
		n.setFull(false)
	default:
		n.give(approval.Stop{ID: n.prop.ID})
	}
	return true
}

// works reports whether c does something now, but for what stands over the proposal.
func (c paneKey) works(n *pane) bool { return c.when == nil || c.when(n) }

// labels returns the labels of the row that works now, in its order: those that are always there,
// then the others.
func (n *pane) labels(s tui.Space) (always, others []choice) {
	for _, c := range paneKeys() {
		if c.label == nil || !c.works(n) {
			continue
		}
		label := choice{strings.Replace(c.label(n), more, s.Look().Glyphs.More, 1), n.focus}
		if c.approves {
			label.on = n.lit
		}
		if label.text == pressY && s.Width < narrowKeys {
			label.text = shortY
		}
		switch {
		case label.text == "":
		case c.key == 'y' || c.key == 'n' || c.key == '?':
			always = append(always, label)
		case c.first != nil && c.first(n):
			others = append([]choice{label}, others...)
		default:
			others = append(others, label)
		}
	}
	return always, others
}

// narrowKeys is the width below which the row of keys is as short as can be.
const narrowKeys = 40

// row returns the row of keys: those that are always there, and of the others what fits.
func (n *pane) row(s tui.Space) tui.Line {
	gap := "  "
	if s.Width < narrowKeys {
		gap = " "
	}
	choices, others := n.labels(s)
	used := -len(gap)
	for _, c := range choices {
		used += len(gap) + len(c.text)
	}
	for _, c := range others {
		if need := len(gap) + s.Columns(c.text); used+need <= s.Width {
			used += need
			choices = slices.Insert(choices, len(choices)-1, c) // before the last one
		}
	}
	return s.Cut(spread(choices, gap, s.Look())...)
}

// spread returns choices with gaps between them. Those that do not work yet are dim, without their
// brackets.
func spread(choices []choice, gap string, t *tui.Theme) (spans []tui.Span) {
	for i, c := range choices {
		if i > 0 {
			spans = append(spans, tui.Span{Text: gap})
		}
		if c.on {
			spans = append(spans, tui.Span{Text: c.text, Style: t.Strong})
		} else {
			spans = append(spans, tui.Span{Text: resting(c.text), Style: t.Dim})
		}
	}
	return spans
}

// keyHelp returns a row for each key that works now.
func (n *pane) keyHelp() (rows []string) {
	for _, c := range paneKeys() {
		if c.help == nil || !c.works(n) {
			continue
		}
		name := cmp.Or(c.keys, string(c.key))
		if help := c.help(n); help != "" {
			rows = append(rows, fmt.Sprintf("%-13s  %s", name, help))
		}
	}
	return rows
}
