package config

import "fmt"

// Agents limits the agents that the model may start with the tool task. A setting that is nil has
// its default.
type Agents struct {
	Max int `toml:"max"` // The number of agents that may work at the same time; 0: the tool does not exist.
	// The limits of one task of an agent, including the agents that it starts; 0: no limit.
	MaxRequests int     `toml:"max_requests"`
	MaxTokens   int     `toml:"max_tokens"`
	MaxCost     float64 `toml:"max_cost"`    // The limit in dollars.
	MaxMinutes  int     `toml:"max_minutes"` // The time limit of one task; 0: none.
	Background  bool    `toml:"background"`  // In an interactive shell, the model goes on while its agents work.
	// The number of levels to which agents may start other agents; nil: 2.
	Depth    *int     `toml:"depth"`
	Disabled []string `toml:"disabled"` // The names of the kinds of agents that are not started.
	// IdleMinutes is the time for which an agent's conversation stays in memory after the agent's
	// result; 0: until the session ends; nil: 7.
	IdleMinutes *int `toml:"idle_minutes"`
	// MessageSeconds is the time for which an agent waits for a message of another agent; 0:
	// without limit; nil: 120.
	MessageSeconds *int `toml:"message_seconds"`
	// Isolation is "worktree" if agents may work in copies of the workspace, and "none" or ""
	// otherwise.
	Isolation string `toml:"isolation"`
	// Merge says how changes in such a copy come into the workspace: "patch" or "" proposes each
	// changed file to the user, "branch" merges commits.
	Merge string `toml:"merge"`
}

// problem returns what is wrong with the settings, or "".
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

// given returns the value of a setting, or 0 if it is nil.
func given(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}
