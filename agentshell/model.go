package main

import (
	"context"
	"errors"
	"os"

	"github.com/scrollkeep/scrollkeep/agentshell/config"
	"github.com/scrollkeep/scrollkeep/agentshell/demo"
	"github.com/scrollkeep/scrollkeep/agentshell/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/provider/anthropic"
	"github.com/scrollkeep/scrollkeep/agentshell/provider/script"
)

const keyName = "ANTHROPIC_API_KEY"

// errNoKey says that no model can be asked for want of a key.
var errNoKey = errors.New("no key: set " + keyName + ", or name a key_command in the config file; --demo plays a demo without one")

// who answers.
type who struct {
	model    provider.Model
	demo     bool
	leftover func() int                                // lines of a script that was given with --script; else nil
	secrets  []string                                  // values that must not reach a log
	another  func(name string) (provider.Model, error) // another model of the same provider; nil: there is none
}

// choose finds the model: what the flags say, else the config, else whose key there is (section 11).
func (p process) choose(ctx context.Context, f flags, cfg config.Config) (who, error) {
	name := f.Provider
	switch {
	case f.Demo:
		return demoModel()
	case f.Script != "":
		return scriptModel(f.Script)
	case name == "":
		name = cfg.Provider
	}
	if name == "script" {
		return demoModel()
	}
	key := p.getenv(keyName)
	if key == "" && len(cfg.KeyCommand) > 0 {
		var err error
		if key, err = cfg.Key(ctx, p.environ); err != nil {
			return who{}, err
		}
	}
	if key == "" {
		return who{}, errNoKey
	}
	url := p.getenv("ANTHROPIC_BASE_URL")
	if url == "" {
		url = cfg.BaseURL
	}
	model := f.Model
	if model == "" {
		model = cfg.Model
	}
	another := func(name string) (provider.Model, error) {
		return anthropic.New(anthropic.Config{Key: key, Model: name, BaseURL: url, Thinking: f.Thinking})
	}
	m, err := another(model)
	if err != nil {
		return who{}, usageError{err}
	}
	return who{model: m, secrets: []string{key}, another: another}, nil
}

func demoModel() (who, error) {
	m, err := demo.Model()
	return who{model: m, demo: true}, err
}

func scriptModel(path string) (who, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return who{}, usage("--script: %w", err)
	}
	m, err := script.Parse("script "+path, text)
	if err != nil {
		return who{}, usage("--script %s: %w", path, err)
	}
	return who{model: m, leftover: m.Leftover}, nil
}
