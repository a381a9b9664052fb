package session

// Spent is what all requests of a session have cost.
type Spent struct {
	Dollars  float64 `json:"dollars"`
	Priced   bool    `json:"priced,omitempty"`   // the cost of some request is known
	Unpriced bool    `json:"unpriced,omitempty"` // the cost of some request is not known
}

// SetSpent says what the session has cost by now. The next entry stores it.
func (l *Log) SetSpent(s Spent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent = s
}

// Spent returns what the session has cost, also before it was resumed.
func (l *Log) Spent() Spent {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent
}

// lastSpent returns what a session had cost at its last entry that says so.
func lastSpent(entries []entry) (s Spent) {
	for _, e := range entries {
		if e.Spent != nil {
			s = *e.Spent
		}
	}
	return s
}
