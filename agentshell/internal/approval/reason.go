package approval

// whyAsked returns why the user is asked about the call, other than that it changes something; "":
// there is nothing to add. v is the verdict on the call.
func (r *request) whyAsked(v Verdict) string {
	switch {
	case v.By == "rule":
		return "the rule " + v.Rule + " asks about it"
	case r.keptFromReading() != "":
		return "it can read what the rule " + r.keptFromReading() + " keeps back"
	case r.Tool != "bash":
		return ""
	case len(r.Flags) > 0:
		if _, allowed := r.allowedByRules(); allowed {
			return "no rule allows what is flagged"
		}
		return ""
	}
	if part := r.uncovered(); part != "" {
		return "no rule allows " + part
	}
	return ""
}

// keptFromReading returns a rule about which files may be read, if the call would only read but
// need not obey that rule. Otherwise it returns "".
func (r *request) keptFromReading() string {
	if !r.Mutates || r.Reads == nil || r.hasOtherFlag() {
		return ""
	}
	rule := limitOfReading(r.rules, r.tools)
	if rule == "" || r.Reads() != "" {
		return ""
	}
	return rule
}

// uncovered returns the first part of a command line that no rule allows, if rules allow other
// parts. Otherwise it returns "".
func (r *request) uncovered() string {
	if r.line.unread != "" {
		return ""
	}
	c := coverage{rules: r.rules}
	for i, part := range r.line.Parts {
		if !c.cover(func(rule Rule) bool { return rule.allowsPart(part) }) {
			c.open = append(c.open, i)
		}
	}
	if len(c.used) == 0 {
		return ""
	}
	for _, file := range r.line.Writes {
		if r.mode != ModeEdits && !c.cover(func(rule Rule) bool { return rule.matches(writeSubject(file), r.line) }) {
			return "that it writes " + file
		}
	}
	for k, i := range c.open {
		if last := len(c.open) - 1; k == last || !r.reads([]int{i}) {
			return r.line.Parts[i].Words.String()
		}
	}
	return ""
}
