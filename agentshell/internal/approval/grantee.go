package approval

// Grantee says for whom a granted rule holds. The zero value is everybody: the agent that the
// person talks to, and all that it starts.
type Grantee struct {
	Agent string // the id of the only agent; "": not one alone
	Kind  string // the kind of the only agents; "": not one alone
}

// String returns the end of a sentence: a rule holds ...
func (g Grantee) String() string {
	switch {
	case g.Agent != "":
		return "for " + g.Agent
	case g.Kind != "":
		return "for agents of the kind " + g.Kind
	}
	return "for all"
}

// includes reports whether a rule for g holds for a call of an agent.
func (g Grantee) includes(caller Grantee) bool {
	return (g.Agent == "" || g.Agent == caller.Agent) && (g.Kind == "" || g.Kind == caller.Kind)
}

// Of returns the policy as it decides about the calls of an agent of that kind.
func (p *Policy) Of(agent, kind string) AgentPolicy { return AgentPolicy{p, Grantee{agent, kind}} }

// AgentPolicy decides about the calls of one agent. Rules that were granted to others alone do not
// hold for it.
type AgentPolicy struct {
	policy *Policy
	caller Grantee
}

// Decide decides about a call.
func (a AgentPolicy) Decide(s Subject) Verdict {
	s.Caller = a.caller
	return a.policy.Decide(s)
}

// GrantTo stores all allow rules of an offer for this session and for one grantee, or none of them.
func (p *Policy) GrantTo(offer string, whom Grantee) error { return p.grant(offer, whom) }
