package approval

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The origins of rules that the user has stored beyond a session.
const (
	keptHere = "kept for this workspace"
	keptAll  = "kept for all workspaces"
)

// Keeper stores the texts of allow rules beyond a session.
type Keeper interface {
	Keep(rule string, everywhere bool) error
	Forget(rule string, everywhere bool) error
	// Load returns the texts of the stored rules for all workspaces and for this one. After an
	// error none applies.
	Load() (everywhere, here []string, err error)
}

// rereadKept loads the stored rules again, because another session may have added or revoked some.
// The caller holds the lock.
func (p *Policy) rereadKept() {
	if p.keeper == nil {
		return
	}
	everywhere, here, err := p.keeper.Load()
	if p.unread = err; err != nil {
		everywhere, here = nil, nil
	}
	stands := func(e Entry) bool {
		return e.Origin == keptAll && slices.Contains(everywhere, e.Rule.text) ||
			e.Origin == keptHere && slices.Contains(here, e.Rule.text)
	}
	p.rules = slices.DeleteFunc(p.rules, func(e Entry) bool { return e.isKept() && !stands(e) })
	for i, text := range slices.Concat(everywhere, here) {
		origin := keptHere
		if i < len(everywhere) {
			origin = keptAll
		}
		if slices.ContainsFunc(p.rules, func(e Entry) bool { return e.Origin == origin && e.Rule.text == text }) {
			continue
		}
		if e, err := Kept(text, origin == keptAll); err == nil {
			p.rules = append(p.rules, e)
		}
	}
}

// isKept reports whether the rule is stored beyond the session.
func (e Entry) isKept() bool { return e.Origin == keptHere || e.Origin == keptAll }

// List returns all rules in the order of the numbers that [Policy.Command] takes. The error says
// why no stored rule applies, if that is so.
func (p *Policy) List() ([]Entry, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rereadKept()
	p.listed = slices.Clone(p.rules)
	return slices.Clone(p.rules), p.unread
}

// Term says how long and where a granted rule applies.
type Term uint8

// The terms, in the order in which the user is offered them.
const (
	ThisSession Term = iota
	ThisWorkspace
	Everywhere
)

// String returns the end of a sentence that begins with "the rule holds".
func (t Term) String() string {
	return [...]string{"for this session", "for this workspace", "for all workspaces"}[t]
}

// Keepable returns an error if the rules of an offer may not be stored beyond this session, and nil
// if they may.
func (p *Policy) Keepable(offer string) error {
	if p.keeper == nil {
		return errors.New("this session keeps no rules")
	}
	for text := range strings.SplitSeq(offer, RuleSeparator) {
		if _, err := Kept(text, false); err != nil {
			return err
		}
	}
	return nil
}

// GrantFor adds all allow rules of an offer, for the given term. After an error it has added none.
func (p *Policy) GrantFor(offer string, term Term) error {
	if term == ThisSession {
		return p.Grant(offer)
	}
	if err := p.Keepable(offer); err != nil {
		return err
	}
	if err := p.Grant(offer); err != nil {
		return err
	}
	texts := strings.Split(offer, RuleSeparator)
	for i, text := range texts {
		err := p.keeper.Keep(text, term == Everywhere)
		if err == nil {
			continue
		}
		for _, text := range texts[:i] {
			err = errors.Join(err, p.keeper.Forget(text, term == Everywhere))
		}
		for _, text := range texts {
			p.Revoke(text)
		}
		return err
	}
	for _, text := range texts {
		p.markKept(text, term == Everywhere)
	}
	return nil
}

// markKept changes the origin of a rule of this session to that of a stored rule.
func (p *Policy) markKept(text string, everywhere bool) {
	kept, err := Kept(text, everywhere)
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, old := range p.rules {
		if (old.Origin == "grant" || old.Origin == keptHere) && old.Rule.text == text && old.Rule.Action == Allow &&
			(old.For == Grantee{}) {
			p.rules[i] = kept
		}
	}
}

// Kept returns the entry for a stored allow rule: one for all workspaces if everywhere is true,
// otherwise one for this workspace. It returns an error if the rule is invalid or may not be
// stored.
func Kept(text string, everywhere bool) (Entry, error) {
	r, err := ParseRule(Allow, text)
	if err == nil {
		err = r.keepable()
	}
	if err != nil {
		return Entry{}, err
	}
	if everywhere {
		return Entry{Rule: r, Origin: keptAll}, nil
	}
	return Entry{Rule: r, Origin: keptHere}, nil
}

// keepable returns an error if the rule may not be stored beyond a session: it covers every call of
// a tool, or something dangerous.
func (r Rule) keepable() error {
	danger := Danger(r.line)
	if r.words != nil {
		danger = r.command().danger()
	}
	switch {
	case r.all:
		return errors.New("a rule for all calls of a tool stands in the config file only")
	case danger != "":
		return fmt.Errorf("%s, so it is asked about in each session", danger)
	}
	return nil
}

// Command executes /rules with an argument: revoke N, keep N, keep N everywhere, or order. message
// tells the user the result. ok is false if nothing was done.
func (p *Policy) Command(arg string) (message string, ok bool) {
	words := strings.Fields(arg)
	p.mu.Lock()
	p.rereadKept()
	p.mu.Unlock()
	switch {
	case len(words) == 2 && words[0] == "revoke":
		return p.revokeNumber(words[1])
	case len(words) == 2 && words[0] == "keep":
		return p.keep(words[1], false)
	case len(words) == 3 && words[0] == "keep" && words[2] == "everywhere":
		return p.keep(words[1], true)
	}
	if arg == "order" {
		list := strings.Join(numberedLines(Precedence()), "\n")
		return "The first of these that applies decides about a call:\n" + list, true
	}
	return "/rules " + arg + " is not known. " + RulesHint, false
}

// ruleNumber returns the rule with that number, counted from 1. problem is a text for the user if
// there is none, or if the rules have changed since the user saw the list.
func (p *Policy) ruleNumber(number string) (e Entry, problem string) {
	p.mu.Lock()
	all, listed := slices.Clone(p.rules), p.listed
	p.mu.Unlock()
	i, err := strconv.Atoi(number)
	switch {
	case err == nil && i >= 1 && i <= len(listed) && (i > len(all) || all[i-1].Rule.text != listed[i-1].Rule.text):
		return Entry{}, "The rules have changed since /rules listed them. It shows their numbers now."
	case err != nil || i < 1 || i > len(all):
		return Entry{}, "There is no rule " + number + ". /rules shows their numbers."
	}
	return all[i-1], ""
}

// keep stores a rule of this session, given by its number, beyond the session.
func (p *Policy) keep(number string, everywhere bool) (message string, ok bool) {
	e, message := p.ruleNumber(number)
	if message != "" {
		return message, false
	}
	kept, err := Kept(e.Rule.text, everywhere)
	switch {
	case e.Origin != "grant" && e.Origin != keptHere || e.Rule.Action != Allow:
		return fmt.Sprintf("The rule %s stays anyway. It comes from the %s.", e.Rule, e.Origin), false
	case (e.For != Grantee{}):
		return fmt.Sprintf("The rule %s holds %s, and for this session only.", e.Rule, e.For), false
	case p.keeper == nil:
		return "This session keeps no rules.", false
	case err != nil:
		return fmt.Sprintf("The rule %s holds for this session only: %v.", e.Rule, err), false
	}
	if err := p.keeper.Keep(e.Rule.text, everywhere); err != nil {
		return fmt.Sprintf("The rule %s was not kept: %v.", e.Rule, err), false
	}
	if everywhere && e.Origin == keptHere {
		if err := p.keeper.Forget(e.Rule.text, false); err != nil {
			return fmt.Sprintf("%s is %s, and still for this workspace: %v.", e.Rule, kept.Origin, err), true
		}
	}
	p.markKept(e.Rule.text, everywhere)
	return fmt.Sprintf("%s is %s.", e.Rule, kept.Origin), true
}

// revokeNumber removes the rule with that number, if the user has granted it.
func (p *Policy) revokeNumber(number string) (message string, ok bool) {
	e, message := p.ruleNumber(number)
	if message != "" {
		return message, false
	}
	if e.isKept() {
		if p.keeper == nil {
			return "This session keeps no rules.", false
		}
		if err := p.keeper.Forget(e.Rule.text, e.Origin == keptAll); err != nil {
			return fmt.Sprintf("The rule %s was not revoked: %v.", e.Rule, err), false
		}
	}
	if !p.revoke(e.Rule.text, e.Origin) {
		return fmt.Sprintf("The rule %s cannot be revoked here. It comes from the %s.", e.Rule, e.Origin), false
	}
	return "Revoked " + e.Rule.text + ".", true
}

// Limits on the examples for what a rule would allow.
const (
	maxRemembered = 200 // command lines of the session that are remembered
	maxExamples   = 3
)

// rememberCommand remembers a command line of the session for examples. The caller holds the lock.
func (p *Policy) rememberCommand(command string) {
	if command == "" || slices.Contains(p.commands, command) {
		return
	}
	if p.commands = append(p.commands, command); len(p.commands) > maxRemembered {
		p.commands = slices.Delete(p.commands, 0, 1)
	}
}

// Examples returns a few recent command lines of this session in which the allow rule covers a
// command. It returns none for a rule that does not end with *, because such a rule covers only one
// command.
func (p *Policy) Examples(r Rule) (examples []string) {
	if r.tool != "bash" || r.Action != Allow || !r.open {
		return nil
	}
	p.mu.Lock()
	seen := slices.Clone(p.commands)
	p.mu.Unlock()
	for _, command := range slices.Backward(seen) {
		parsed := ParseCommand(command)
		if parsed.Opaque == "" && len(examples) < maxExamples &&
			slices.ContainsFunc(parsed.Parts, func(part Part) bool {
				return r.allowsPart(part)
			}) {
			examples = append(examples, command)
		}
	}
	return examples
}

// Covers returns a few recent command lines of this session, other than command, in which a rule of
// the offer covers a command.
func (p *Policy) Covers(offer, command string) (examples []string) {
	for text := range strings.SplitSeq(offer, RuleSeparator) {
		r, err := ParseRule(Allow, text)
		if err != nil {
			continue
		}
		for _, e := range p.Examples(r) {
			if e != command && !slices.Contains(examples, e) {
				examples = append(examples, e)
			}
		}
	}
	return examples[:min(len(examples), maxExamples)]
}
