package approval

// Grantee says to which agents a granted rule applies. The zero value means all: the agent that the
// user talks to, and all sub-agents.
type Grantee struct {
	Agent string // the id of the only agent; "": not limited to one
	Kind  string // the kind of the agents; "": not limited to a kind
}

// String returns the end of a sentence that begins with "the rule holds".
func (g Grantee) String() string {
	switch {
	case g.Agent != "":
		return "for " + g.Agent
	case g.Kind != "":
		return "for agents of the kind " + g.Kind
	}
	return "for all"
}

// includes reports whether a rule for g applies to the calls of an agent.
func (g Grantee) includes(caller Grantee) bool {
	return (g.Agent == "" || g.Agent == caller.Agent) && (g.Kind == "" || g.Kind == caller.Kind)
}

// Of returns the policy for the calls of the sub-agent with that id and kind.
func (p *Policy) Of(agent, kind string) AgentPolicy { return AgentPolicy{p, Grantee{agent, kind}} }

// AgentPolicy decides about the calls of one sub-agent. Rules that were granted only to other
// agents do not apply to it.
type AgentPolicy struct {
	policy *Policy
	caller Grantee
}

// Decide decides about a call of the sub-agent, see [Policy.Decide].
func (a AgentPolicy) Decide(s Subject) Verdict {
	s.Caller = a.caller
	return a.policy.Decide(s)
}

// GrantTo adds all allow rules of an offer for this session, for the given agents only. After an
// error it has added none.
func (p *Policy) GrantTo(offer string, whom Grantee) error { return p.grant(offer, whom) }
