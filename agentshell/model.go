package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/block"
	"github.com/scrollkeep/scrollkeep/agentshell/config"
	"github.com/scrollkeep/scrollkeep/agentshell/demo"
	"github.com/scrollkeep/scrollkeep/agentshell/hashline"
	"github.com/scrollkeep/scrollkeep/agentshell/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/provider/anthropic"
	"github.com/scrollkeep/scrollkeep/agentshell/provider/openai"
	"github.com/scrollkeep/scrollkeep/agentshell/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/snapshot"
	"github.com/scrollkeep/scrollkeep/agentshell/window"
)

// service is a provider over the network. Its settings in the config file count only where the file
// is about it.
type service struct {
	name         string
	keyName      string // environment variable that holds the key
	urlName      string // and the one for another address
	keys         string // where a person gets a key
	defaultModel string
	model        func(key, name, url string, thinking bool, answer int) (provider.Model, error)
}

// services are those that we know, the preferred one first.
var services = []service{
	{
		name: "anthropic", keyName: "ANTHROPIC_API_KEY", urlName: "ANTHROPIC_BASE_URL",
		keys: "https://console.anthropic.com/settings/keys", defaultModel: anthropic.DefaultModel,
		model: func(key, name, url string, thinking bool, answer int) (provider.Model, error) {
			return anthropic.New(anthropic.Config{Key: key, Model: name, BaseURL: url, Thinking: thinking,
				Answer: answer})
		},
	},
	{
		name: "openai", keyName: "OPENAI_API_KEY", urlName: "OPENAI_BASE_URL",
		keys: "https://platform.openai.com/api-keys", defaultModel: openai.DefaultModel,
		model: func(key, name, url string, _ bool, _ int) (provider.Model, error) { // it does not show what it thinks
			return openai.New(openai.Config{Key: key, Model: name, BaseURL: url})
		},
	},
}

// serviceOf is the provider over the network that f, the config or the keys in the environment
// choose; the first one if nothing does.
func (p process) serviceOf(f flags, cfg config.Config) service {
	for _, name := range []string{f.Provider, cfg.Provider} {
		for _, s := range services {
			if s.name == name {
				return s
			}
		}
	}
	for _, s := range services {
		if p.getenv(s.keyName) != "" {
			return s
		}
	}
	return services[0]
}

// settings are those of the config file that are about s.
func (s service) settings(cfg config.Config) config.Config {
	if about := cfg.Provider; about == s.name || about == "" && s.name == services[0].name {
		return cfg
	}
	return config.Config{}
}

// keyNames are the variables that hold keys.
func keyNames() []string {
	var list []string
	for _, s := range services {
		list = append(list, s.keyName)
	}
	return list
}

// errNoKey says that no model can be asked for want of a key.
var errNoKey = errors.New("no key")

func (s service) noKey() error {
	return fmt.Errorf("%w: set %s, or name a key_command in the config file; --demo plays a demo without one",
		errNoKey, s.keyName)
}

// who answers.
type who struct {
	model    provider.Model
	demo     bool
	script   bool                                      // the demo's, or one that was given with --script
	leftover func() int                                // lines of a script that was given with --script; else nil
	secrets  secret.Set                                // values that must not be shown, logged or passed on
	service  string                                    // over the network, or ""
	another  func(name string) (provider.Model, error) // another model of the same provider; nil: there is none
}

// choose finds the model: what the flags say, else the config, else whose key there is (section
// 11).
func (p process) choose(ctx context.Context, f flags, cfg config.Config) (who, error) {
	name := f.Provider
	switch {
	case f.Demo:
		return p.demoModel()
	case f.Script != "":
		return p.scriptModel(f.Script)
	case name == "":
		name = cfg.Provider
	}
	if name == "script" {
		return p.demoModel()
	}
	service := p.serviceOf(f, cfg)
	limits := known(cfg, false)
	cfg = service.settings(cfg)
	key := p.getenv(service.keyName)
	if key == "" && len(cfg.KeyCommand) > 0 {
		var err error
		if key, err = cfg.Key(ctx, p.family, p.environ); err != nil {
			return who{}, err
		}
	}
	if key == "" {
		return who{}, service.noKey()
	}
	another := func(name string) (provider.Model, error) {
		return service.model(key, name, cmp.Or(p.getenv(service.urlName), cfg.BaseURL), f.Thinking,
			limits(cmp.Or(name, service.defaultModel)).Answer())
	}
	m, err := another(cmp.Or(f.Model, cfg.Model))
	if err != nil {
		return who{}, usageError{err}
	}
	return who{model: m, secrets: p.secrets().With(key), service: service.name, another: another}, nil
}

func (p process) demoModel() (who, error) {
	m, err := demo.Model()
	return who{model: m, demo: true, script: true, secrets: p.secrets()}, err
}

func (p process) scriptModel(path string) (who, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return who{}, usage("--script: %w", err)
	}
	m, err := script.Parse("script "+path, text)
	if err != nil {
		return who{}, usage("--script %s: %w", path, err)
	}
	return who{model: m, script: true, leftover: m.Leftover, secrets: p.secrets()}, nil
}

// tags is what the tools of a model keep of the texts that it has read, for edits by line numbers;
// nil: it edits by the exact text. A script was written for the latter.
func (w who) tags(format string) *snapshot.Store {
	if format == "hashline" && !w.demo {
		return new(snapshot.Store)
	}
	return nil
}

// blocks finds the blocks of a file by its name.
func blocks(name string) hashline.Blocks { return hashline.Blocks(block.Of(name)) }

// names are models that can be chosen: the one that answers, those that are preferred or in the
// config file, and those of the table.
func (r *run) names() (list []string) {
	if r.another == nil {
		return nil
	}
	list = append(list, r.model.Name())
	for _, s := range services {
		if s.name == r.service {
			list = append(list, s.defaultModel)
		}
	}
	list = append(list, slices.Sorted(maps.Keys(r.cfg.Models))...)
	for _, name := range window.Names() {
		if strings.HasPrefix(name, "claude-") == (r.service == services[0].name) {
			list = append(list, name)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(name string) bool {
		again := seen[name]
		seen[name] = true
		return again
	})
}
