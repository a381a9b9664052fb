package session

// Spent is the total cost of all requests of a session.
type Spent struct {
	Dollars  float64 `json:"dollars"`
	Priced   bool    `json:"priced,omitempty"`   // at least one request had a known price
	Unpriced bool    `json:"unpriced,omitempty"` // at least one request had no known price
}

// SetSpent sets the cost of the session so far. The next entry stores it.
func (l *Log) SetSpent(s Spent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent = s
}

// Spent returns the cost of the session so far, including the time before it was resumed.
func (l *Log) Spent() Spent {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.spent
}

// lastSpent returns the cost in the last of the entries that has it.
func lastSpent(entries []entry) (s Spent) {
	for _, e := range entries {
		if e.Spent != nil {
			s = *e.Spent
		}
	}
	return s
}
