package approval

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The origins of rules that the person has kept beyond a session.
const (
	keptHere = "kept for this workspace"
	keptAll  = "kept for all workspaces"
)

// Keeper keeps the texts of allow rules beyond a session.
type Keeper interface {
	Keep(rule string, everywhere bool) error
	Forget(rule string, everywhere bool) error
}

// Term is how long a granted rule holds.
type Term uint8

// The terms, in the order in which the pane offers them.
const (
	ThisSession Term = iota
	ThisWorkspace
	Everywhere
)

// String ends a sentence: a rule holds ...
func (t Term) String() string {
	return [...]string{"for this session", "for this workspace", "for all workspaces"}[t]
}

// Keepable says why the rules of an offer hold for this session only; nil: they can be kept.
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

// GrantFor stores the allow rules of an offer for a term: all of them, or none.
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
		p.settle(text, term == Everywhere)
	}
	return nil
}

// settle makes a rule of this session one that was kept.
func (p *Policy) settle(text string, everywhere bool) {
	kept, err := Kept(text, everywhere)
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, old := range p.rules {
		if (old.Origin == "grant" || old.Origin == keptHere) && old.Rule.text == text && old.Rule.Action == Allow {
			p.rules[i] = kept
		}
	}
}

// Kept returns an allow rule that was kept, for the workspace or for all, as [PolicyConfig.Rules]
// takes it. An error says why it does not hold.
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

// keepable says why a rule may not be kept beyond a session: it is for every call of a tool, or for
// what is never silent.
func (r Rule) keepable() error {
	var own SimpleCommand
	for _, w := range r.words {
		own = append(own, Word{Text: w, Literal: true})
	}
	switch {
	case r.all:
		return errors.New("a rule for all calls of a tool stands in the config file only")
	case own.loud() != "":
		return fmt.Errorf("%s, so it is asked about in each session", own.loud())
	}
	return nil
}

// Command handles /rules with what stands behind it: revoke N, keep N, keep N everywhere, order.
// said tells the person what came of it.
func (p *Policy) Command(arg string) (said string, ok bool) {
	words := strings.Fields(arg)
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

// numbered returns the entry of that number in [Policy.Rules], counted from 1.
func (p *Policy) numbered(number string) (e Entry, said string) {
	all := p.Rules()
	i, err := strconv.Atoi(number)
	if err != nil || i < 1 || i > len(all) {
		return Entry{}, "There is no rule " + number + ". /rules shows their numbers."
	}
	return all[i-1], ""
}

// keep makes a rule of this session one that stays.
func (p *Policy) keep(number string, everywhere bool) (said string, ok bool) {
	e, said := p.numbered(number)
	if said != "" {
		return said, false
	}
	kept, err := Kept(e.Rule.text, everywhere)
	switch {
	case e.Origin != "grant" && e.Origin != keptHere || e.Rule.Action != Allow:
		return fmt.Sprintf("The rule %s stays anyway. It comes from the %s.", e.Rule, e.Origin), false
	case p.keeper == nil:
		return "This session keeps no rules.", false
	case err != nil:
		return fmt.Sprintf("The rule %s holds for this session only: %v.", e.Rule, err), false
	}
	if err := p.keeper.Keep(e.Rule.text, everywhere); err != nil {
		return fmt.Sprintf("The rule %s was not kept: %v.", e.Rule, err), false
	}
	p.settle(e.Rule.text, everywhere)
	return fmt.Sprintf("%s is %s.", e.Rule, kept.Origin), true
}

// revokeNumber removes the rule of that number, if it was granted in a session.
func (p *Policy) revokeNumber(number string) (said string, ok bool) {
	e, said := p.numbered(number)
	if said != "" {
		return said, false
	}
	if e.Origin == keptHere || e.Origin == keptAll {
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

const (
	mostSeen     = 200 // command lines of a session that examples come from
	mostExamples = 3
)

// see notes a command line of the session. The lock is held.
func (p *Policy) see(command string) {
	if command == "" || slices.Contains(p.seen, command) {
		return
	}
	if p.seen = append(p.seen, command); len(p.seen) > mostSeen {
		p.seen = slices.Delete(p.seen, 0, 1)
	}
}

// Reach returns a few command lines of this session. The rule covers a part of each that it does
// not name word for word.
func (p *Policy) Reach(r Rule) (examples []string) {
	if r.tool != "bash" || r.Action != Allow || !r.open {
		return nil
	}
	p.mu.Lock()
	seen := slices.Clone(p.seen)
	p.mu.Unlock()
	for _, command := range slices.Backward(seen) {
		parsed := ParseCommand(command)
		if parsed.Opaque == "" && len(examples) < mostExamples &&
			slices.ContainsFunc(parsed.parts, func(c SimpleCommand) bool { return r.allows(c) && r.says(c) }) {
			examples = append(examples, command)
		}
	}
	return examples
}

// Covers returns a few other command lines of this session than command that an offer would cover a
// part of.
func (p *Policy) Covers(offer, command string) (examples []string) {
	for text := range strings.SplitSeq(offer, RuleSeparator) {
		r, err := ParseRule(Allow, text)
		if err != nil {
			continue
		}
		for _, e := range p.Reach(r) {
			if e != command && !slices.Contains(examples, e) {
				examples = append(examples, e)
			}
		}
	}
	return examples[:min(len(examples), mostExamples)]
}
