package team

// Restore adds an agent of an earlier process, and reports whether it did: it does not if the id is
// taken. Unless the agent is Aborted, its state becomes Parked.
func (t *Team) Restore(a Agent) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.find(a.ID) != nil {
		return false
	}
	if a.State != Aborted {
		a.State = Parked
	}
	a.Unread = 0
	t.agents = append(t.agents, &member{Agent: a})
	t.announce()
	return true
}

// Forget removes all agents but Main, and all messages to Main, which come from them.
func (t *Team) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.agents = t.agents[:1]
	t.agents[0].mailbox, t.agents[0].returned = nil, nil
	t.announce()
}
