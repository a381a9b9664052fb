package approval

import (
	"fmt"
	"slices"
	"strings"
)

// request is a call that is decided, with what the steps look at.
type request struct {
	Subject
	mode  string
	rules []Entry
	line  *line
	folds func(path string) bool
	tools Tools

	looked bool   // at whether it only reads
	unread string // why it may do more
}

// step is one question about a call. decide answers it, or leaves the call to the next step.
type step struct {
	name, verdict string // as a person is told them
	decide        func(r *request) (v Verdict, decided bool)
}

// steps returns the questions by which a call is decided. Their order is what keeps it safe: the
// first that has an answer decides.
func steps() []step {
	return []step{
		{"a rule denies it", "denied", (*request).deniedByRule},
		{"mode plan, and it does more than read", "denied", (*request).deniedByPlan},
		{"a rule asks about it", "asks", (*request).askedByRule},
		{"mode plan, and it only reads", "runs", (*request).readsInPlan},
		{"mode unconfined", "runs", (*request).unconfined},
		{"a rule allows it, and nothing flags it", "runs", (*request).allowedByRule},
		{"the sandbox confines it, and nothing in it is dangerous or flagged", "runs", (*request).confined},
		{"it only reads, and no rule says what may be read", "runs", (*request).onlyReads},
		{"something in it is dangerous, where commands run by themselves", "asks", (*request).dangerous},
		{"something flags it", "asks", (*request).flaggedCall},
		{"mode trusted", "runs", (*request).trustedCall},
		{"mode edits, and it changes a file", "runs", (*request).edits},
		{"it is a tool of ours that changes nothing", "runs", (*request).harmless},
	}
}

// Precedence returns the steps by which a call is decided, a sentence each: the first that applies
// decides.
func Precedence() (list []string) {
	for _, s := range steps() {
		list = append(list, s.name+": "+s.verdict)
	}
	return append(list, "anything else: asks")
}

// numberedLines returns lines with their numbers in front.
func numberedLines(list []string) (lines []string) {
	for i, l := range list {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, l))
	}
	return lines
}

// decide takes the first answer.
func (r *request) decide() Verdict {
	for _, s := range steps() {
		if v, decided := s.decide(r); decided {
			return v
		}
	}
	return Verdict{}
}

// speaks reports whether a rule that denies or asks is about the call, or about a file that the
// call writes by a redirection.
func (r *request) speaks(rule Rule) bool {
	of := func(s Subject) bool { return rule.matches(s, r.line) || rule.matchesFolded(s, r.folds) }
	return of(r.Subject) || rule.tool == "write_file" &&
		slices.ContainsFunc(r.line.Writes, func(f string) bool { return of(writing(f)) })
}

// spoken returns the first rule of an action that is about the call.
func (r *request) spoken(a Action) (rule string, ok bool) {
	for _, e := range r.rules {
		if e.Rule.Action == a && r.speaks(e.Rule) {
			return e.Rule.text, true
		}
	}
	return "", false
}

// foreign reports whether a server does the call: nobody here knows what it does.
func (r *request) foreign() bool { return strings.HasPrefix(r.Tool, "mcp__") }

// more says why the call may do more than read, or "".
func (r *request) more() string {
	if !r.looked {
		r.looked, r.unread = true, unread(r.Subject, r.rules, r.tools)
	}
	return r.unread
}

func (r *request) deniedByRule() (Verdict, bool) {
	rule, ok := r.spoken(Deny)
	return Verdict{Action: Deny, By: "rule", Rule: rule, Reason: "denied by rule " + rule}, ok
}

// planned reports whether plan mode has a say: the call counts as one that changes something.
func (r *request) planned() bool { return r.mode == ModePlan && (r.Mutates || r.foreign()) }

func (r *request) deniedByPlan() (Verdict, bool) {
	if !r.planned() || r.more() == "" {
		return Verdict{}, false
	}
	return Verdict{Action: Deny, By: "mode", Reason: r.more()}, true
}

func (r *request) askedByRule() (Verdict, bool) {
	rule, ok := r.spoken(Ask)
	return Verdict{Action: Ask, By: "rule", Rule: rule}, ok
}

func (r *request) readsInPlan() (Verdict, bool) {
	return Verdict{Action: Allow, By: "mode", Reading: true}, r.planned()
}

func (r *request) unconfined() (Verdict, bool) {
	return Verdict{Action: Allow, By: "mode"}, r.mode == ModeUnconfined
}

func (r *request) allowedByRule() (Verdict, bool) {
	if len(r.Flags) > 0 {
		return Verdict{}, false
	}
	rule, ok := allowed(r.rules, r.Subject, r.line, r.mode == ModeEdits)
	return Verdict{Action: Allow, By: "rule", Rule: rule}, ok
}

// alone reports whether commands run by themselves here, so that what is dangerous in one asks.
func (r *request) alone() bool { return r.Confined || r.mode == ModeTrusted }

// danger returns what is dangerous in a command that would run by itself.
func (r *request) danger() string {
	if r.Tool != "bash" || r.flagged() || !r.alone() {
		return ""
	}
	return Loud(r.Command)
}

func (r *request) confined() (Verdict, bool) {
	return Verdict{Action: Allow, By: "sandbox"}, r.Confined && !r.flagged() && r.danger() == ""
}

// trusted reports whether mode trusted lets the call run with the person's environment.
func (r *request) trusted() bool {
	return r.mode == ModeTrusted && r.line.Opaque == "" && len(r.Flags) == 0 && !r.Confined
}

func (r *request) onlyReads() (Verdict, bool) {
	return Verdict{Action: Allow, By: "mode", Reading: true},
		r.Mutates && !r.trusted() && !r.flagged() && r.more() == ""
}

func (r *request) dangerous() (Verdict, bool) {
	v := Verdict{Action: Ask, By: "mode", Reason: r.danger()}
	if r.Confined {
		v.By = "sandbox"
	}
	return v, v.Reason != "" && (r.Confined || r.line.Opaque == "")
}

func (r *request) flaggedCall() (Verdict, bool) {
	return Verdict{Action: Ask, By: "flag"}, len(r.Flags) > 0
}

func (r *request) trustedCall() (Verdict, bool) {
	return Verdict{Action: Allow, By: "mode"}, r.trusted()
}

func (r *request) edits() (Verdict, bool) {
	return Verdict{Action: Allow, By: "mode"},
		r.mode == ModeEdits && (r.Tool == "write_file" || r.Tool == "edit_file")
}

func (r *request) harmless() (Verdict, bool) {
	return Verdict{Action: Allow}, !r.Asks && !r.foreign()
}
