package approval

import (
	"fmt"
	"slices"
)

// request is a call to decide on, with the mode and the rules that apply to its caller.
type request struct {
	Subject
	mode  string
	rules []Entry
	line  *line
	folds func(path string) bool
	tools Tools

	readChecked bool   // the field notReadOnly has been computed
	notReadOnly string // why the call may do more than read, or ""
	notHidden   string // why the sandbox may not hide all files that must not be read, or ""
}

// step is one of the questions that are put to a call in turn. decide returns false if the step
// does not apply, so that the next step is tried.
type step struct {
	name, verdict string // a description of the step for the user, and its result in a word
	decide        func(r *request) (v Verdict, decided bool)
}

// steps returns the steps that decide about a call. The first one that applies decides, so their
// order is essential for safety.
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

// Precedence describes the steps that decide about a call, one line each. The first one that
// applies decides.
func Precedence() (list []string) {
	for _, s := range steps() {
		list = append(list, s.name+": "+s.verdict)
	}
	return append(list, "anything else: asks")
}

// numberedLines returns the lines, each with its number in front.
func numberedLines(list []string) (lines []string) {
	for i, l := range list {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, l))
	}
	return lines
}

// decide returns the verdict of the first step that applies.
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

// concerns reports whether a deny or ask rule applies to the call, or to a file that its
// redirections read or write.
func (r *request) concerns(rule Rule) bool {
	of := func(s Subject) bool { return rule.matches(s, r.line) || rule.matchesFolded(s, r.folds) }
	return of(r.Subject) || rule.tool == "write_file" &&
		slices.ContainsFunc(r.line.Writes, func(f string) bool { return of(writeSubject(f)) }) ||
		rule.tool == "read_file" &&
			slices.ContainsFunc(r.line.Inputs, func(f string) bool { return of(Subject{Tool: "read_file", Path: f}) })
}

// firstRule returns the text of the first rule with that action that applies to the call, and
// whether there is one.
func (r *request) firstRule(a Action) (rule string, ok bool) {
	for _, e := range r.rules {
		if e.Rule.Action == a && r.concerns(e.Rule) {
			return e.Rule.text, true
		}
	}
	return "", false
}

// isForeign reports whether the tool belongs to an MCP server or an extension, so that its effects
// are not known.
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

// inPlanMode reports whether the mode is plan and the call may change something.
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

// runsUnasked reports whether commands run without a question because of a sandbox or the mode
// trusted. Then the user is asked about dangerous ones.
func (r *request) runsUnasked() bool { return r.Confined || r.mode == ModeTrusted }

// danger returns what is dangerous about a command that would otherwise run without a question, or
// "".
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

// isTrusted reports whether the mode trusted lets the call run. It does not apply to calls on other
// hosts, which have a Name.
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
