package config

import "fmt"

// Agents says how many agents the model may start with the tool task, and what each of them may
// take. A setting that is nil has its default.
type Agents struct {
	Max int `toml:"max"` // how many work at the same time; 0: there is no such tool
	// What one agent and those that it starts may take for one piece of work; 0: no limit.
	MaxRequests int      `toml:"max_requests"`
	MaxTokens   int      `toml:"max_tokens"`
	MaxCost     float64  `toml:"max_cost"`    // in dollars
	MaxMinutes  int      `toml:"max_minutes"` // how long one may work; 0: as long as it takes
	Background  bool     `toml:"background"`  // in the shell on a screen the model goes on while they work
	Depth       *int     `toml:"depth"`       // how deep agents may start others; nil: 2
	Disabled    []string `toml:"disabled"`    // names of kinds of agents that are not started
	// IdleMinutes is how long one that has given its result keeps its conversation in memory; 0: to
	// the end. Its default is 7.
	IdleMinutes *int `toml:"idle_minutes"`
	// MessageSeconds is how long one waits for a message of another one; 0: as long as it takes.
	// Its default is 120.
	MessageSeconds *int `toml:"message_seconds"`
	// Isolation is "worktree" if agents may work in copies of the workspace, else "none" or "".
	Isolation string `toml:"isolation"`
	// Merge is what becomes of what one has changed in a copy: "patch" or "" proposes each file,
	// "branch" merges commits.
	Merge string `toml:"merge"`
}

// problem returns what is wrong with the settings, "" for nothing.
func (a Agents) problem() string {
	for _, s := range []struct {
		name  string
		value int
		most  int
	}{
		{"max", a.Max, 100}, {"max_requests", a.MaxRequests, 1 << 30}, {"max_tokens", a.MaxTokens, 1 << 30},
		{"max_minutes", a.MaxMinutes, 1 << 20},
		{"depth", given(a.Depth), 9},
		{"idle_minutes", given(a.IdleMinutes), 1 << 20}, {"message_seconds", given(a.MessageSeconds), 1 << 20},
	} {
		if s.value < 0 || s.value > s.most {
			return fmt.Sprintf("%s of agents may be 0 to %d", s.name, s.most)
		}
	}
	if a.Isolation != "" && a.Isolation != "none" && a.Isolation != "worktree" {
		return fmt.Sprintf("isolation of agents is %q; it may be none or worktree", a.Isolation)
	}
	if a.Merge != "" && a.Merge != "patch" && a.Merge != "branch" {
		return fmt.Sprintf("merge of agents is %q; it may be patch or branch", a.Merge)
	}
	if a.MaxCost < 0 {
		return "max_cost of agents is in dollars, and may not be less than 0"
	}
	return ""
}

// given returns a setting, 0 for one that is not set.
func given(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
