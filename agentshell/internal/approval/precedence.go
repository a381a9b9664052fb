package approval

import (
	"fmt"
	"slices"
)

// request is a call to decide about, with what the steps need to know.
type request struct {
	Subject
	mode  string
	rules []Entry
	line  *line
	folds func(path string) bool
	tools Tools

	readChecked bool   // whether notReadOnly was determined
	notReadOnly string // why it may do more than read, or ""
	notHidden   string // why its sandbox may not hide what rules keep back, or ""
}

// step is one question about a call. decide answers it, or leaves the call to the next step.
type step struct {
	name, verdict string // texts for a person
	decide        func(r *request) (v Verdict, decided bool)
}

// steps returns the questions that decide about a call. Their order is a matter of safety: the
// first one with an answer decides.
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
		{"it can read what a rule keeps back, where commands run by themselves", "asks", (*request).mayReadLimited},
		{"mode trusted", "runs", (*request).trustedCall},
		{"mode edits, and it changes a file", "runs", (*request).edits},
		{"it is a tool of ours that changes nothing", "runs", (*request).harmless},
	}
}

// Precedence returns the steps that decide about a call, one sentence each. The first that applies
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

// decide returns the answer of the first step that has one.
func (r *request) decide() Verdict {
	var v Verdict
	for _, s := range steps() {
		if found, decided := s.decide(r); decided {
			v = found
			break
		}
	}
	if v.Action == Ask && v.Reason == "" {
		v.Reason = r.whyAsked(v)
	}
	return v
}

// concerns reports whether a deny or ask rule applies to the call, or to a file that the call
// writes or reads by a redirection.
func (r *request) concerns(rule Rule) bool {
	of := func(s Subject) bool { return rule.matches(s, r.line) || rule.matchesFolded(s, r.folds) }
	return of(r.Subject) || rule.tool == "write_file" &&
		slices.ContainsFunc(r.line.Writes, func(f string) bool { return of(writeSubject(f)) }) ||
		rule.tool == "read_file" &&
			slices.ContainsFunc(r.line.Inputs, func(f string) bool { return of(Subject{Tool: "read_file", Path: f}) })
}

// firstRule returns the first rule with that action that applies to the call.
func (r *request) firstRule(a Action) (rule string, ok bool) {
	for _, e := range r.rules {
		if e.Rule.Action == a && r.concerns(e.Rule) {
			return e.Rule.text, true
		}
	}
	return "", false
}

// isForeign reports whether a server or an extension carries out the call: what it does is not
// known here.
func (r *request) isForeign() bool { return isForeignName(r.Tool) }

// whyNotRead returns why the call may do more than read, or "".
func (r *request) whyNotRead() string {
	if !r.readChecked {
		r.readChecked, r.notReadOnly = true, whyNotReadOnly(r.Subject, r.rules, r.tools)
	}
	return r.notReadOnly
}

func (r *request) deniedByRule() (Verdict, bool) {
	rule, ok := r.firstRule(Deny)
	return Verdict{Action: Deny, By: "rule", Rule: rule, Reason: "denied by rule " + rule}, ok
}

// inPlanMode reports whether plan mode applies: the call counts as a change.
func (r *request) inPlanMode() bool { return r.mode == ModePlan && (r.Mutates || r.isForeign()) }

func (r *request) deniedByPlan() (Verdict, bool) {
	if !r.inPlanMode() || r.whyNotRead() == "" {
		return Verdict{}, false
	}
	return Verdict{Action: Deny, By: "mode", Reason: r.whyNotRead()}, true
}

func (r *request) askedByRule() (Verdict, bool) {
	rule, ok := r.firstRule(Ask)
	return Verdict{Action: Ask, By: "rule", Rule: rule}, ok
}

func (r *request) readsInPlan() (Verdict, bool) {
	return Verdict{Action: Allow, By: "mode", Reading: true}, r.inPlanMode()
}

func (r *request) unconfined() (Verdict, bool) {
	return Verdict{Action: Allow, By: "mode"}, r.mode == ModeUnconfined && r.unkept() == ""
}

func (r *request) allowedByRule() (Verdict, bool) {
	if rule, ok := r.allowedPage(); ok {
		return Verdict{Action: Allow, By: "rule", Rule: rule}, true
	}
	if r.isFlaggedForRules() {
		return Verdict{}, false
	}
	rule, ok := r.allowedByRules()
	return Verdict{Action: Allow, By: "rule", Rule: rule}, ok
}

// runsUnasked reports whether commands run without a question here, so that dangerous ones have to
// be asked about.
func (r *request) runsUnasked() bool { return r.Confined || r.mode == ModeTrusted }

// danger returns what is dangerous in a command that would run without a question.
func (r *request) danger() string {
	if r.Tool != "bash" || r.hasOtherFlag() || !r.runsUnasked() {
		return ""
	}
	return Danger(r.Command)
}

func (r *request) confined() (Verdict, bool) {
	return Verdict{Action: Allow, By: "sandbox"},
		r.Confined && !r.hasOtherFlag() && r.danger() == "" && r.unkept() == ""
}

// isTrusted reports whether mode trusted lets the call run with the person's environment. It speaks
// of this machine only.
func (r *request) isTrusted() bool {
	return r.mode == ModeTrusted && r.line.Opaque == "" && len(r.Flags) == 0 && !r.Confined && r.Name == ""
}

func (r *request) onlyReads() (Verdict, bool) {
	return Verdict{Action: Allow, By: "mode", Reading: true},
		r.Mutates && !r.isTrusted() && !r.hasOtherFlag() && r.whyNotRead() == ""
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
	return Verdict{Action: Allow, By: "mode"}, r.isTrusted()
}

func (r *request) edits() (Verdict, bool) {
	return Verdict{Action: Allow, By: "mode"},
		r.mode == ModeEdits && (r.Tool == "write_file" || r.Tool == "edit_file")
}

func (r *request) harmless() (Verdict, bool) {
	return Verdict{Action: Allow}, !r.Asks && !r.isForeign()
}
