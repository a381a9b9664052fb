package app

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// origin says where the value of a setting comes from.
type origin string

const (
	// Neither the command line nor the configuration file sets a value.
	byDefault origin = ""
	byFile    origin = "config file"
	byFlag    origin = "command line"
)

// setting is the value of a setting together with its origin.
type setting[T comparable] struct {
	value T
	from  origin
}

// firstSet returns the value of the command line unless it is zero, else that of the configuration
// file.
func firstSet[T comparable](flag, file T) setting[T] {
	var zero T
	switch {
	case flag != zero:
		return setting[T]{flag, byFlag}
	case file != zero:
		return setting[T]{file, byFile}
	}
	return setting[T]{}
}

// settings holds the options of the command line, combined with the configuration file. It is
// computed once, at the start.
type settings struct {
	Options
	cfg      config.Config // The configuration file, with the limits of the command line.
	provider setting[string]
	// The approval mode.
	mode setting[string]
	cost setting[float64] // The largest cost of a session, in dollars.
	// The approval rules of the file and the command line.
	rules  []approval.Entry
	screen bool // The shell runs on the terminal's screen, and not as plain text.
}

// resolveSettings checks the options, loads the configuration file, and combines both.
func (p Host) resolveSettings(o Options) (settings, error) {
	if err := o.check(); err != nil {
		return settings{}, err
	}
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil {
		return settings{}, usageError{err}
	}
	s := settings{Options: o, cfg: cfg, provider: firstSet(o.Provider, cfg.Models[o.Model].Provider),
		mode: firstSet(o.Mode, cfg.Mode), cost: firstSet(o.MaxCost, cfg.MaxCost), screen: p.usesScreen(o)}
	if s.provider.from == byDefault {
		s.provider = firstSet("", cfg.Provider)
	}
	s.cfg.MaxSteps, s.cfg.MaxCost = firstSet(o.MaxTurns, cfg.MaxSteps).value, s.cost.value
	if s.rules, err = parseRules(o, cfg); err != nil {
		return settings{}, err
	}
	return s, o.checkPlaces()
}

// checkPlaces checks the options for the workspace, the session and the time limit. It is called
// before a key is looked up, so that the user learns about a wrong option and not about a missing
// key.
func (o Options) checkPlaces() error {
	if o.Workspace != "" {
		if _, err := (Host{}).workspaceDir(o.Workspace, false); err != nil {
			return err
		}
	}
	if o.Resume != "" && !session.ValidID(o.Resume) {
		return usageError{session.ErrID}
	}
	if o.Timeout > 0 && o.Prompt == nil && o.Input == "" {
		return UsageErrorf("--timeout goes with -p")
	}
	return nil
}
