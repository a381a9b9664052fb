package app

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// origin says where the value of a setting comes from.
type origin string

const (
	byDefault origin = ""
	byFile    origin = "config file"
	byFlag    origin = "command line"
)

// setting is a value with its origin.
type setting[T comparable] struct {
	value T
	from  origin
}

// settle returns the value of the command line, or else the config file's, as far as they are set.
func settle[T comparable](flag, file T) setting[T] {
	var none T
	switch {
	case flag != none:
		return setting[T]{flag, byFlag}
	case file != none:
		return setting[T]{file, byFile}
	}
	return setting[T]{}
}

// settings is what a run was asked for: the command line and the config file, resolved once.
type settings struct {
	Options
	cfg      config.Config // what only the file says, with the limits of the command line
	provider setting[string]
	mode     setting[string]
	cost     setting[float64] // the limit of a session, in dollars
	rules    []approval.Entry
	screen   bool // the shell is going to run on the terminal's screen
}

// resolve reads the config file, checks what was asked for, and settles what both say.
func (p Host) resolve(o Options) (settings, error) {
	if err := o.check(); err != nil {
		return settings{}, err
	}
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil {
		return settings{}, usageError{err}
	}
	s := settings{Options: o, cfg: cfg, provider: settle(o.Provider, cfg.Models[o.Model].Provider),
		mode: settle(o.Mode, cfg.Mode), cost: settle(o.MaxCost, cfg.MaxCost), screen: p.screen(o)}
	if s.provider.from == byDefault {
		s.provider = settle("", cfg.Provider)
	}
	s.cfg.MaxSteps, s.cfg.MaxCost = settle(o.MaxTurns, cfg.MaxSteps).value, s.cost.value
	if s.rules, err = rules(o, cfg); err != nil {
		return settings{}, err
	}
	return s, o.checkPlaces()
}

// checkPlaces finds what is wrong with the workspace, the session and the limits, before a key is
// missed, which is not what is wrong then.
func (o Options) checkPlaces() error {
	if o.Workspace != "" {
		if _, err := (Host{}).directory(o.Workspace, false); err != nil {
			return err
		}
	}
	if o.Resume != "" && !session.ValidID(o.Resume) {
		return usageError{session.ErrID}
	}
	switch {
	case o.MaxTurns < 0 || o.MaxTokens < 0 || o.MaxCost < 0 || o.Timeout < 0:
		return usage("a limit may not be less than 0")
	case o.Timeout > 0 && o.Prompt == nil && o.Input == "":
		return usage("--timeout goes with -p")
	}
	return nil
}
