package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/app/demo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/block"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/hashline"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/snapshot"
)

// errNoKey says that no model can be asked for want of a key.
var errNoKey = errors.New("no key")

// who answers.
type who struct {
	model    provider.Model
	demo     bool
	script   bool                                      // the demo's, or one that was given with --script
	leftover func() int                                // lines of a script that was given with --script; else nil
	secrets  secret.Set                                // values that must not be shown, logged or passed on
	service  string                                    // over the network, or ""
	another  func(name string) (provider.Model, error) // another model; nil: there is none
	// offered asks the service for the names of its models; nil: there is nobody to ask.
	offered func(ctx context.Context) ([]string, error)
}

// choose finds the model: what the flags say, else the config, else whose key there is.
func (p Host) choose(ctx context.Context, s settings) (who, error) {
	switch {
	case s.Demo:
		return p.demoModel()
	case s.Script != "":
		return p.scriptModel(s.Script)
	case s.provider.value == "script":
		return p.demoModel()
	}
	e := &endpoints{p: p, flags: s.Options, cfg: s.cfg, service: p.serviceOf(s)}
	own := e.service.settings(s.cfg)
	if err := e.open(ctx, cmp.Or(s.Model, own.Model)); err != nil {
		return who{}, err
	}
	chosen := cmp.Or(s.Model, own.Model)
	if at := e.base(); chosen == "" && at.url != "" && at.key == "" && at.token == "" {
		// A server without a key has models of its own; the provider's default is none of them.
		list, err := e.offered(ctx)
		if err != nil || len(list) == 0 {
			return who{}, usage("which model is to answer? %s does not tell which it has%s; name one with --model, or "+
				"with model in the config file", e.base().url, because(err))
		}
		chosen = list[0]
	}
	m, err := e.model(ctx, chosen)
	if err != nil {
		return who{}, err
	}
	return who{model: m, secrets: p.secrets().With(e.keys()...), service: e.service.name,
		another: func(name string) (provider.Model, error) { return e.model(ctx, name) }, offered: e.offered}, nil
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf(" (%v)", err)
}

// endpoints are where models are asked: the one of the config file or the environment for all, and
// those of single models. Keys are looked up once, when they are needed.
type endpoints struct {
	p       Host
	flags   Options
	cfg     config.Config
	service service

	dialects remote.Dialects

	mu      sync.Mutex
	key     string            // of base
	printed map[string]string // keys of single models, by their names
}

// base returns where models are asked that have no address of their own.
func (e *endpoints) base() endpoint {
	s := e.service.settings(e.cfg)
	e.mu.Lock()
	defer e.mu.Unlock()
	at := endpoint{url: cmp.Or(e.p.getenv(e.service.urlName), s.BaseURL), insecure: s.Insecure, header: s.Headers,
		keyHeader: s.KeyHeader, key: e.key}
	if e.service.tokenName != "" && at.key == "" {
		at.token = e.p.getenv(e.service.tokenName)
	}
	return at
}

// open looks for the key of base. One is needed unless the model that is going to be asked has an
// address of its own, or base may do without.
func (e *endpoints) open(ctx context.Context, model string) error {
	key := e.p.getenv(e.service.keyName)
	at := e.base()
	if command := e.service.settings(e.cfg).KeyCommand; key == "" && at.token == "" && len(command) > 0 {
		var err error
		if key, err = config.Key(ctx, command, e.p.family, e.p.environ); err != nil {
			return err
		}
	}
	if key == "" && at.token == "" && !at.free() && e.cfg.Models[model].URL == "" && e.cfg.Models[model].KeyEnv == "" &&
		len(e.cfg.Models[model].KeyCommand) == 0 {
		return e.service.noKey()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.key = key
	return nil
}

// model returns the model of that name, "" for the provider's default one.
func (e *endpoints) model(ctx context.Context, name string) (provider.Model, error) {
	own := e.cfg.Models[name]
	s, at := e.service, e.base()
	if own.Provider != "" && own.Provider != s.name {
		s, at = serviceNamed(own.Provider), endpoint{}
		at.key = e.p.getenv(s.keyName)
	}
	if own.URL != "" { // no key goes there that was not named for it
		at = endpoint{url: own.URL, insecure: own.Insecure}
	}
	if own.KeyEnv != "" || len(own.KeyCommand) > 0 {
		key, err := e.keyOf(ctx, name, own)
		if err != nil {
			return nil, err
		}
		at.key, at.token = key, ""
	}
	if own.KeyHeader != "" {
		at.keyHeader = own.KeyHeader
	}
	if len(own.Headers) > 0 {
		at.header = maps.Clone(at.header)
		if at.header == nil {
			at.header = map[string]string{}
		}
		maps.Copy(at.header, own.Headers)
	}
	at.model, at.api, at.sees = cmp.Or(own.ID, name), own.API, own.SeesPictures
	at.dialects, at.output = &e.dialects, own.Output
	at.effort = cmp.Or(e.flags.Effort, own.Effort, e.cfg.Effort)
	at.thinking = e.flags.Thinking
	at.answer = known(e.cfg, false)(cmp.Or(name, s.defaultModel)).MaxAnswer()
	m, err := s.model(at)
	switch {
	case err != nil && name != "" && own.URL != "":
		return nil, usage("models.%s in the config file: %w", name, err)
	case err != nil:
		return nil, usageError{err}
	case own.ID != "":
		return named{m, name}, nil
	}
	return m, nil
}

// keyOf returns the key of a model with one of its own.
func (e *endpoints) keyOf(ctx context.Context, name string, own config.Model) (string, error) {
	if own.KeyEnv != "" {
		if key := e.p.getenv(own.KeyEnv); key != "" {
			return key, nil
		}
		return "", usage("models.%s in the config file: set %s, which is to hold its key", name, own.KeyEnv)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if key := e.printed[name]; key != "" {
		return key, nil
	}
	key, err := config.Key(ctx, own.KeyCommand, e.p.family, e.p.environ)
	if err != nil {
		return "", err
	}
	if e.printed == nil {
		e.printed = map[string]string{}
	}
	e.printed[name] = key
	return key, nil
}

// keys returns all keys that may be sent, as far as they are known now: those of the environment,
// too.
func (e *endpoints) keys() (list []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	list = append(list, e.key)
	for _, m := range e.cfg.Models {
		if m.KeyEnv != "" {
			list = append(list, e.p.getenv(m.KeyEnv))
		}
		list = append(list, headerSecrets(m.Headers)...)
	}
	list = append(list, headerSecrets(e.cfg.Headers)...)
	return append(list, slices.Collect(maps.Values(e.printed))...)
}

// offered asks base which models it has.
func (e *endpoints) offered(ctx context.Context) ([]string, error) {
	at := e.base()
	at.model, at.dialects = e.service.defaultModel, &e.dialects
	m, err := e.service.model(at)
	if err != nil {
		return nil, err
	}
	asks, ok := m.(interface {
		Models(ctx context.Context) ([]string, error)
	})
	if !ok {
		return nil, nil
	}
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return asks.Models(ctx)
}

// named is a model under the name that the person gave it.
type named struct {
	provider.Model
	name string
}

func (n named) Name() string { return n.name }

// Sees returns what the model says.
func (n named) Sees() bool { return provider.Sees(n.Model) }

func (p Host) demoModel() (who, error) {
	m, err := demo.Model()
	return who{model: m, demo: true, script: true, secrets: p.secrets()}, err
}

func (p Host) scriptModel(path string) (who, error) {
	text, err := os.Open(path)
	if err != nil {
		return who{}, usage("--script: %w", err)
	}
	defer text.Close()
	m, err := script.Read("script "+path, text)
	if err != nil {
		return who{}, usage("--script %s: %w", path, err)
	}
	return who{model: m, script: true, leftover: m.Leftover, secrets: p.secrets()}, nil
}

// tags returns what the tools of a model keep of the texts that it has read, for edits by line
// numbers; nil: it edits by the exact text. A script was written for the latter.
func (w who) tags(format string) *snapshot.Store {
	if format == "hashline" && !w.demo {
		return new(snapshot.Store)
	}
	return nil
}

// blocks finds the blocks of a file by its name.
func blocks(name string) hashline.Blocks { return hashline.Blocks(block.Of(name)) }

// names returns models that can be chosen: the one that answers, those that are preferred or in the
// config file, and those of the table.
func (r *project) names() (list []string) {
	if r.another == nil {
		return nil
	}
	list = append(list, r.model.Name())
	if s := serviceNamed(r.service); s.name != "" {
		list = append(list, s.defaultModel)
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
