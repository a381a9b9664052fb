package app

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// check finds what is wrong with the rules, the workspace and the session, whoever answers.
func check(f Options, cfg config.Config) error {
	if _, err := rules(f, cfg); err != nil {
		return err
	}
	if f.Workspace != "" {
		if _, err := (Host{}).directory(f, who{}); err != nil {
			return err
		}
	}
	if f.Resume != "" && !session.ValidID(f.Resume) {
		return usageError{session.ErrID}
	}
	switch {
	case f.MaxTurns < 0 || f.MaxTokens < 0 || f.MaxCost < 0 || f.Timeout < 0:
		return usage("a limit may not be less than 0")
	case f.Timeout > 0 && f.Prompt == nil && f.Input == "":
		return usage("--timeout goes with -p")
	}
	return nil
}

// bounded is cfg under the limits of the command line.
func (f Options) bounded(cfg config.Config) config.Config {
	if f.MaxTurns > 0 {
		cfg.MaxSteps = f.MaxTurns
	}
	if f.MaxCost > 0 {
		cfg.MaxCost = f.MaxCost
	}
	return cfg
}
