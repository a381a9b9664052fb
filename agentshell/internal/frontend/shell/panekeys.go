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

// paneKey describes one key of an approval pane that shows its proposal: act runs it, keyRow shows
// its label, and keyHelp shows its help.
type paneKey struct {
	key     rune
	enabled func(n *pane) bool // Reports whether the key can be used; nil: always.
	// Returns the label for the row of keys, with the key in brackets; nil or "": the row does not
	// show it.
	label func(n *pane) string
	// Returns the label in a window narrower than shortLabels columns; nil: it is the same.
	short    func(width int) string
	help     func(n *pane) string // Returns the text for the list of keys; nil or "": the key is not listed.
	helpName string               // The name of the key in the list of keys; "": the character itself.
	// Carries out the key; nil for Escape, which pane.escape carries out.
	run func(n *pane)
	// approves marks a key that works only once the pane has been in sight long enough. The row of
	// keys shows that, but run must check it.
	approves bool
	// opens marks a key with approves that only opens a list, and so works at any time.
	opens bool
	// inHelp marks a key that also works while the list of keys is open.
	inHelp bool
	off    string // The reason to show if the key is pressed while it is not enabled; "": none is shown.
	// first reports whether the label comes before those of other keys that are not always shown.
	first func(n *pane) bool
}

// fixedText returns a function for paneKey.label or paneKey.help that always returns text.
func fixedText(text string) func(*pane) string { return func(*pane) string { return text } }

// textIf returns a function for paneKey.label or paneKey.help. That function returns text if the
// condition holds for its pane, else otherwise.
func textIf(condition func(n *pane) bool, text, otherwise string) func(*pane) string {
	return func(n *pane) string {
		if condition(n) {
			return text
		}
		return otherwise
	}
}

// paneKeys returns all keys of an approval pane, in the order of the list of keys and of the row of
// keys. In the row y, h, Y, n and ? have fixed places.
func paneKeys() []paneKey {
	isOffer := func(n *pane) bool { return isOffer(n.proposal) }
	sandbox := func(n *pane) bool { return asksAboutSandbox(n.proposal) }
	forModel := func(n *pane) bool {
		_, undo := n.proposal.Payload.(approval.Undo) // the user's own
		return (!isOffer(n) || sandbox(n)) && !undo
	}
	inPlace := func(n *pane) bool { return n.proposal.InPlace }
	fullScreen := func(n *pane) bool { return n.fullScreen }
	queued := func(n *pane) bool { return n.queue != nil }
	several := func(n *pane) bool { return n.queue != nil && n.queue.hasSeveral() }
	byAgent := func(n *pane) bool { return n.proposal.By != "" }
	othersWait := func(n *pane) bool { return n.askers != nil && n.askers.others(n.askers.sh.question) > 0 }
	hasViews := func(n *pane) bool { return len(n.views) > 1 }
	const nothingElse = "nothing else is asked"
	return []paneKey{
		// a hasty y for a command does not answer the sandbox's offer, which comes before it
		{key: 'y', approves: true, inHelp: true, enabled: func(n *pane) bool { return !sandbox(n) || n.showsHelp() },
			off:   "h uses it here, Y in all workspaces",
			label: approveLabel, help: approveHelp, run: (*pane).pressYes},
		{key: 'h', approves: true, enabled: sandbox, label: fixedText("[h]ere"),
			help: fixedText("use it in this workspace only"), run: (*pane).approveHere},
		{key: 'Y', approves: true, enabled: func(n *pane) bool { return n.flagged() || sandbox(n) },
			run: (*pane).approve, label: textIf(sandbox, "[Y] everywhere", ""),
			off: "nothing is flagged, y approves",
			help: textIf(sandbox, "use it in all workspaces: it goes into your config.toml",
				"approve this once, despite its flag")},
		{key: 'm', approves: true, enabled: func(n *pane) bool { return n.canAllowEdits },
			label: fixedText("[m] yes, edits run"),
			help:  fixedText("approve it; file changes run without a question from then on, but for flagged ones"),
			run:   (*pane).approveEdits},
		{key: 'n', inHelp: true, label: textIf(sandbox, "[n]ot now", "[n]o"), run: (*pane).deny,
			help: textIf(sandbox, "do not use it; this is not asked again in this workspace", "deny")},
		{key: 'D', inHelp: true, enabled: byAgent, label: fixedText("[D] stop it"), short: shortStop,
			help: stopAgentHelp, run: (*pane).stopAgent},
		{key: terminal.KeyTab, inHelp: true, enabled: othersWait, helpName: "Tab", label: fixedText("[Tab] next agent"),
			short: shortNext, help: fixedText("the question of the next agent that waits"),
			run: func(n *pane) { n.nextAsker() }},
		{key: 'x', enabled: (*pane).isRepeatedQuestion, label: fixedText("[x] stop server"), help: stopServerHelp,
			run: (*pane).stopServer},
		{key: 'r', inHelp: true, label: textIf(isOffer, "", "[r]eason"), enabled: forModel,
			off: "no model reads a reason", help: fixedText("deny with a reason for the model"),
			run: (*pane).openReason},
		{key: terminal.KeyEscape, inHelp: true, helpName: "Esc  Ctrl+C", label: escapeLabel,
			help: escapeHelp}, // see escape
		{key: 'a', approves: true, enabled: func(n *pane) bool { return len(n.ruleOffers) > 0 },
			label: fixedText("[a]lways" + moreMark), run: (*pane).openRules, opens: true, off: "no rule can cover this",
			help: textIf(byAgent, "always allow: a digit chooses a rule, f for whom, w how long, y stores it",
				"always allow: a digit chooses a rule, w how long, y stores it")},
		{key: 'i', enabled: func(n *pane) bool { return n.proposal.Flagged(approval.FlagHardLink) },
			label: textIf(inPlace, "[i] new file", "[i]n place"),
			help: textIf(inPlace, "make a new file after all; the other names keep the old content",
				"write into the file itself, so that all its names change; it is shown again"),
			run: func(n *pane) { n.giveAnswer(approval.InPlace{ID: n.proposal.ID}) }},
		{key: '}', inHelp: true, enabled: queued, label: textIf(several, "[}] next", ""), helpName: "} {",
			off: nothingElse, help: fixedText("next and previous change of this message"),
			run: func(n *pane) { n.moveDeck(1) }},
		{key: '{', inHelp: true, enabled: queued, off: nothingElse, run: func(n *pane) { n.moveDeck(-1) }},
		{key: 'A', approves: true, opens: true, enabled: queued, label: textIf(several, "[A]ll", ""),
			off: nothingElse, help: fixedText("one answer for all you have seen"),
			run: func(n *pane) { n.queue.openList() }},
		{key: 'e', enabled: func(n *pane) bool { return n.openEditor != nil }, label: fixedText("[e]dit"),
			off:  "it cannot be edited",
			help: fixedText("edit the change in your editor; it is shown again"),
			run:  func(n *pane) { n.openEditor() }},
		{key: 's', enabled: func(n *pane) bool { return canChoose(n.proposal) }, label: fixedText("[s]ome"),
			off:  "there are no parts to choose",
			help: fixedText("choose hunks; the rest is shown again"),
			run:  func(n *pane) { n.mode = newHunkChoice(n.proposal) }},
		{key: 'v', inHelp: true, label: textIf(hasViews, "[v]iew", ""),
			help: textIf(hasViews, "next view: diff, new version, old version", ""), run: (*pane).nextView},
		{key: 'f', inHelp: true, label: textIf(fullScreen, "[f] small", "[f]ull"), first: fullScreen,
			help: fixedText("full screen, and back"), run: func(n *pane) { n.showFullScreen(!n.fullScreen) }},
		{key: '?', inHelp: true, label: fixedText("[?]"), help: fixedText("this list, and back"),
			run: (*pane).toggleHelp},
	}
}

// shortStop returns the label of key D in a narrow window.
func shortStop(int) string { return "[D] stop" }

// shortNext returns the label of Tab in a narrow window.
func shortNext(width int) string {
	if width < narrowKeys {
		return "[Tab]"
	}
	return "[Tab] next"
}

// moreMark is replaced in a label by the theme's ellipsis.
const moreMark = "…"

// approveLabel returns the label of the key that approves: y, or Y for a flagged proposal.
func approveLabel(n *pane) string {
	if n.flagged() {
		return pressY
	}
	return "[y]es"
}

// escapeLabel returns the label of Escape, or "" where Escape denies and stops the turn.
func escapeLabel(n *pane) string {
	switch {
	case askedFor(n.proposal):
		return "Esc cancel"
	case isOffer(n.proposal) && !asksAboutSandbox(n.proposal):
		return "Esc later"
	}
	return ""
}

// escapeHelp returns the help text of Escape and Ctrl+C.
func escapeHelp(n *pane) string {
	switch {
	case asksAboutSandbox(n.proposal):
		return "not now; Ctrl+C stops the turn"
	case askedFor(n.proposal):
		return "leave it as it is"
	case isOffer(n.proposal):
		return "not now; the next session asks again"
	}
	return "deny and stop the turn"
}

// approveHelp returns the help text of key y, or "" where y does not approve.
func approveHelp(n *pane) string {
	_, plan := planOf(n.proposal)
	switch {
	case n.flagged():
		return ""
	case asksAboutSandbox(n.proposal): // Y does
		return ""
	case isOffer(n.proposal) && !askedFor(n.proposal):
		return "use them, and do not ask until they change"
	case plan:
		return "approve the plan; each change is asked from then on"
	}
	return "approve this once"
}

// isRepeatedQuestion reports whether an MCP server asks although the user has left an earlier
// question of it unanswered.
func (n *pane) isRepeatedQuestion() bool {
	_, repeated := repeatedServerQuestion(n.proposal)
	return repeated
}

// stopServerHelp returns the help text of the key that stops an MCP server.
func stopServerHelp(n *pane) string {
	server, _ := repeatedServerQuestion(n.proposal)
	return "stop the MCP server " + server + "; /mcp restart " + server + " starts it again"
}

// pressYes carries out key y: it approves a proposal without a flag if the pane is armed. On a
// flagged one it only makes the pane ask for Y. While the list of keys is open it closes that list.
func (n *pane) pressYes() {
	switch {
	case n.showsHelp():
		n.closeHelp()
	case n.armed && n.flagged():
		n.yesPressed = true
	default:
		n.approve()
	}
}

// approve answers yes if the pane has been in sight long enough.
func (n *pane) approve() {
	if n.armed {
		n.giveAnswer(approval.Yes{ID: n.proposal.ID})
	}
}

// approveHere answers yes for this workspace only, if the pane has been in sight long enough.
func (n *pane) approveHere() {
	if n.armed {
		n.giveAnswer(approval.Here{ID: n.proposal.ID})
	}
}

// approveEdits approves a plan, and lets file changes run without a question from then on.
func (n *pane) approveEdits() {
	if !n.flagged() {
		n.approvePlan(approval.ModeEdits)
	}
}

// deny answers no.
func (n *pane) deny() { n.giveAnswer(approval.No{ID: n.proposal.ID}) }

// stopAgentHelp returns the help text of the key that stops an agent.
func stopAgentHelp(n *pane) string { return "deny, and stop " + n.proposal.By }

// stopAgent denies the proposal, and stops the agent that asks.
func (n *pane) stopAgent() { n.giveAnswer(approval.StopAgent{ID: n.proposal.ID}) }

// nextAsker shows the question of the next agent that waits.
func (n *pane) nextAsker() {
	n.closeHelp()
	n.askers.move(n.askers.sh.question)
}

// stopServer denies the proposal, and stops the MCP server that asks.
func (n *pane) stopServer() { n.giveAnswer(approval.StopServer{ID: n.proposal.ID}) }

// openReason opens the field for the reason of a denial.
func (n *pane) openReason() {
	field := &tui.Editor{Prompt: "reason: ", MaxRows: 3, OnSubmit: func(text string) {
		n.giveAnswer(approval.No{ID: n.proposal.ID, Reason: text})
	}}
	n.mode = &reasonMode{field, n.mode}
}

// openRules opens the list of rules. If an agent asks, a rule holds for that agent until the user
// changes it.
func (n *pane) openRules() {
	n.mode = &rulesMode{list: diffview.New(n.offeredRules()), whom: approval.Grantee{Agent: n.proposal.By}}
}

// widen returns the next choice of the agents that a rule holds for: the agent that asks, then all
// agents of its kind, then all agents, then the first again.
func (n *pane) widen(whom approval.Grantee) approval.Grantee {
	switch {
	case whom.Agent != "" && n.kind != "":
		return approval.Grantee{Kind: n.kind}
	case whom.Agent != "" || whom.Kind != "":
		return approval.Grantee{}
	}
	return approval.Grantee{Agent: n.proposal.By}
}

// store stores the rule that is chosen in m, and tells the user how long and for whom it holds.
func (n *pane) store(m *rulesMode) error {
	rule, validity := n.ruleOffers[m.chosen-1], m.term.String()
	err := error(nil)
	if (m.whom == approval.Grantee{}) {
		err = n.storeRule(rule, m.term)
	} else {
		validity = m.whom.String() + ", " + approval.ThisSession.String()
		err = n.storeRuleFor(rule, m.whom)
	}
	if err == nil && n.ruleStored != nil {
		n.ruleStored(rule, validity)
	}
	return err
}

// ruleList returns the rules of one offer as one line. An offer can hold several, for a command
// line with several commands.
func ruleList(offer string) string {
	return strings.ReplaceAll(offer, approval.RuleSeparator, "  and  ")
}

// storedRuleBlock returns the transcript block that tells which rule was stored, and how long and
// for whom it holds.
func storedRuleBlock(offer, validity string) staticBlock {
	return func(s tui.Space) []tui.Line {
		return paragraphs(true, fmt.Sprintf("Always allowed %s: %s. /rules takes it back.", validity,
			visibleLine(ruleList(offer), s.Look())))(s)
	}
}

// moveDeck shows the next proposal of those that are asked together, or the previous one if step is
// -1.
func (n *pane) moveDeck(step int) {
	n.closeHelp()
	n.queue.move(step)
}

// nextView switches to the next view of the proposal, such as the new version of the file.
func (n *pane) nextView() {
	n.closeHelp()
	n.viewIndex = (n.viewIndex + 1) % len(n.views)
}

// toggleHelp opens or closes the list of keys.
func (n *pane) toggleHelp() {
	if n.showsHelp() {
		n.closeHelp()
	} else {
		n.openHelp()
	}
}

// act carries out key k if paneKeys has it. It reports whether k was used.
func (n *pane) act(k tui.Key) bool {
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	for _, c := range paneKeys() {
		if c.key != k.Code {
			continue
		}
		confirming := n.yesPressed
		n.yesPressed = false
		switch {
		case c.key == terminal.KeyEscape:
			return n.escape(confirming)
		case (c.enabled == nil || c.enabled(n)) && (c.inHelp || !n.showsHelp()):
			c.run(n)
		}
		return true
	}
	return false
}

// escape closes what is open over the proposal, or denies the proposal and stops the turn. It
// returns false if a search is open, which the content closes itself. confirming tells that y was
// pressed on a flagged proposal just before; Escape then only takes that back.
func (n *pane) escape(confirming bool) bool {
	switch {
	case n.searchText() != "":
		return false
	case n.showsHelp():
		n.closeHelp()
	case confirming:
	case n.fullScreen:
		n.showFullScreen(false)
	case asksAboutSandbox(n.proposal): // the command is asked next
		n.deny()
	default:
		n.giveAnswer(approval.Stop{ID: n.proposal.ID})
	}
	return true
}

// isEnabled reports whether the key can be used in pane n.
func (c paneKey) isEnabled(n *pane) bool { return c.enabled == nil || c.enabled(n) }

// labels returns the labels of the keys that can be used: those that are always shown, and the
// others by priority.
func (n *pane) labels(s tui.Space) (always, others []keyLabel) {
	for _, c := range paneKeys() {
		if c.label == nil || !c.isEnabled(n) {
			continue
		}
		label := keyLabel{strings.Replace(c.label(n), moreMark, s.Look().Glyphs.More, 1), n.hasFocus}
		if c.approves {
			label.works = n.armed
		}
		if label.text == pressY && s.Width < narrowKeys {
			label.text = shortY
		}
		if c.short != nil && s.Width < shortLabels {
			label.text = c.short(s.Width)
		}
		switch {
		case label.text == "":
		case strings.ContainsRune("yhYn?", c.key):
			always = append(always, label)
		case c.first != nil && c.first(n):
			others = append([]keyLabel{label}, others...)
		default:
			others = append(others, label)
		}
	}
	return always, others
}

// The widths of the window in columns below which the labels of keys are short, and as short as
// possible.
const (
	shortLabels = 60
	narrowKeys  = 40
)

// keyRow returns the last row of the pane: the labels that are always shown, and as many others as
// fit.
func (n *pane) keyRow(s tui.Space) tui.Line {
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
	return s.Cut(labelSpans(choices, gap, s.Look())...)
}

// labelSpans returns labels with gaps between them. The label of a key that does not work yet is
// dim and in parentheses.
func labelSpans(choices []keyLabel, gap string, t *tui.Theme) (spans []tui.Span) {
	for i, c := range choices {
		if i > 0 {
			spans = append(spans, tui.Span{Text: gap})
		}
		if c.works {
			spans = append(spans, tui.Span{Text: c.text, Style: t.Strong})
		} else {
			spans = append(spans, tui.Span{Text: waitingText(c.text), Style: t.Dim})
		}
	}
	return spans
}

// keyHelp returns the rows of the list of keys: one for each key that can be used.
func (n *pane) keyHelp() (rows []string) {
	for _, c := range paneKeys() {
		if c.help == nil || !c.isEnabled(n) {
			continue
		}
		name := cmp.Or(c.helpName, string(c.key))
		if help := c.help(n); help != "" {
			rows = append(rows, fmt.Sprintf("%-13s  %s", name, help))
		}
	}
	return rows
}
