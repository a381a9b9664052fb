package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
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

// errNoKey says that no model can be used because there is no key.
var errNoKey = errors.New("no key")

// modelSource is the model that answers, and where other models come from.
type modelSource struct {
	model  provider.Model
	demo   bool
	script bool // the model is a script: that of the demo, or of --script
	// number of unused lines of a script from --script; nil: there is none
	unusedScriptLines func() int
	// the first expectation of that script that was not met; nil: there is no script
	scriptMismatch func() error
	secrets        secret.Set                                // values that must not be shown, logged or passed on
	service        string                                    // name of the provider over the network, or ""
	usualAddress   bool                                      // of that provider, and not one that the person named
	keyless        bool                                      // the address is of a server that gets no key
	newModel       func(name string) (provider.Model, error) // returns another model by its name; nil: there is none
	// answering changes how the models answer that newModel makes from now on; nil: that is fixed.
	answering func(change func(*answering))
	// serverOf says where a model is asked, in a few words; nil: nowhere.
	serverOf func(name string) string
	listed   []string // the models of a server without a key, as it listed them at the start; nil: it was not asked
	// unlisted is why such a server gave no list. No model is chosen then: the session that is
	// resumed has to name it.
	unlisted error
	// listModels asks the provider for the names of its models; nil: nobody can be asked.
	listModels func(ctx context.Context) ([]string, error)
}

// chooseModel returns the model that the flags choose, or else the configuration, or else the first
// provider with a key.
func (p Host) chooseModel(ctx context.Context, s settings) (modelSource, error) {
	switch {
	case s.Demo:
		return p.demoModel()
	case s.Script != "":
		return p.scriptModel(s.Script)
	case s.provider.value == "script":
		return p.demoModel()
	}
	e := &endpoints{p: p, flags: s.Options, cfg: s.cfg, service: p.chosenService(s),
		chosen: answering{thinking: s.Thinking}}
	providerCfg := e.service.relevantConfig(s.cfg)
	if err := e.findBaseKey(ctx, cmp.Or(s.Model, providerCfg.Model)); err != nil {
		return modelSource{}, err
	}
	chosen := cmp.Or(s.Model, providerCfg.Model)
	var listed []string
	var unlisted error
	if at := e.baseEndpoint(); chosen == "" && at.url != "" && at.key == "" && at.token == "" {
		// A server without a key has models of its own; the provider's default is none of them.
		list, err := e.listModels(ctx)
		switch {
		case err == nil && len(list) > 0:
			chosen, listed = list[0], list
		case s.Resume != "" || s.Continue:
			unlisted = unlistedError{at.url, err}
		default:
			return modelSource{}, noModel(unlistedError{at.url, err})
		}
	}
	m, err := e.newModel(ctx, chosen)
	if err != nil {
		return modelSource{}, err
	}
	return modelSource{model: m, secrets: p.environSecrets().With(e.keys()...), service: e.service.name,
		usualAddress: e.baseEndpoint().url == "", keyless: e.baseEndpoint().isKeyless(),
		newModel: func(name string) (provider.Model,
			error) {
			return e.newModel(ctx, name)
		}, listModels: e.listModels, answering: e.setAnswering, serverOf: e.serverOf, listed: listed,
		unlisted: unlisted}, nil
}

// unlistedError says that the server at url gave no list of its models; err is the reason, or nil.
type unlistedError struct {
	url string
	err error
}

// Error implements error.
func (e unlistedError) Error() string {
	if errors.Is(e.err, syscall.ECONNREFUSED) {
		return "nothing answers at " + e.url
	}
	return e.url + " does not list its models" + because(e.err)
}

// noModel says that nobody has named a model, and why the server does not do it either.
func noModel(why error) error {
	return UsageErrorf("no model is chosen, and %w: name one with --model, or with model in the config file", why)
}

// serverOf says where a model is asked, without what may be a secret: a host, or the name of a
// provider.
func (e *endpoints) serverOf(name string) string {
	address, m := e.baseEndpoint().url, e.cfg.Models[name]
	switch {
	case m.URL != "":
		address = m.URL
	case m.Provider != "" && m.Provider != e.service.name:
		return m.Provider
	case address == "":
		return e.service.name
	}
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return "another address"
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf(" (%v)", err)
}

// endpoints finds the address and the key for each model: the common ones from the configuration or
// the environment, and those of single models. A key is looked up once, when it is needed.
type endpoints struct {
	p       Host
	flags   Options
	cfg     config.Config
	service service

	dialects remote.Dialects

	mu      sync.Mutex
	baseKey string            // key of base
	chosen  answering         // by the person in this session
	printed map[string]string // keys of single models that a command has printed, by name
}

// baseEndpoint returns the endpoint of models without an address of their own.
func (e *endpoints) baseEndpoint() endpoint {
	s := e.service.relevantConfig(e.cfg)
	e.mu.Lock()
	defer e.mu.Unlock()
	base := endpoint{url: cmp.Or(e.p.getenv(e.service.urlName), s.BaseURL), insecure: s.Insecure, header: s.Headers,
		keyHeader: s.KeyHeader, key: e.baseKey}
	if e.service.tokenName != "" && base.key == "" {
		base.token = e.p.getenv(e.service.tokenName)
	}
	return base
}

// answering overrides how models answer, whatever the command line and the configuration say.
type answering struct {
	effort   string // "": as configured
	thinking bool
}

// setAnswering changes how models answer that are made from now on.
func (e *endpoints) setAnswering(change func(*answering)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(&e.chosen)
}

// answers returns how a model of that configuration answers.
func (e *endpoints) answers(m config.Model) (effort string, thinking bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return cmp.Or(e.chosen.effort, e.flags.Effort, m.Effort, e.cfg.Effort), e.chosen.thinking
}

// findBaseKey looks up the key of the base endpoint. One is needed, unless the next model has an
// address of its own or the base endpoint works without a key.
func (e *endpoints) findBaseKey(ctx context.Context, model string) error {
	key := e.p.getenv(e.service.keyName)
	base := e.baseEndpoint()
	if command := e.service.relevantConfig(e.cfg).KeyCommand; key == "" && base.token == "" && len(command) > 0 {
		var err error
		if key, err = config.Key(ctx, command, e.p.family, e.p.environ); err != nil {
			return err
		}
	}
	if key == "" && base.token == "" && !base.mayOmitKey() && e.cfg.Models[model].URL == "" &&
		e.cfg.Models[model].KeyEnv == "" &&
		len(e.cfg.Models[model].KeyCommand) == 0 {
		return e.service.noKeyError()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.baseKey = key
	return nil
}

// newModel returns the model of that name; "" is the provider's default model.
func (e *endpoints) newModel(ctx context.Context, name string) (provider.Model, error) {
	modelCfg := e.cfg.Models[name]
	s, target := e.service, e.baseEndpoint()
	if modelCfg.Provider != "" && modelCfg.Provider != s.name {
		s, target = serviceNamed(modelCfg.Provider), endpoint{}
		target.key = e.p.getenv(s.keyName)
	}
	if modelCfg.URL != "" { // no key goes there that was not named for it
		target = endpoint{url: modelCfg.URL, insecure: modelCfg.Insecure}
	}
	if modelCfg.KeyEnv != "" || len(modelCfg.KeyCommand) > 0 {
		key, err := e.keyOf(ctx, name, modelCfg)
		if err != nil {
			return nil, err
		}
		target.key, target.token = key, ""
	}
	if modelCfg.KeyHeader != "" {
		target.keyHeader = modelCfg.KeyHeader
	}
	if len(modelCfg.Headers) > 0 {
		target.header = maps.Clone(target.header)
		if target.header == nil {
			target.header = map[string]string{}
		}
		maps.Copy(target.header, modelCfg.Headers)
	}
	target.model, target.api, target.seesPictures = cmp.Or(modelCfg.ID, name), modelCfg.API, modelCfg.SeesPictures
	target.dialects, target.configuredOutput = &e.dialects, modelCfg.Output
	target.effort, target.thinking = e.answers(modelCfg)
	target.maxAnswer = modelInfo(e.cfg, false)(cmp.Or(name, s.defaultModel)).MaxAnswer()
	m, err := s.model(target)
	switch {
	case err != nil && name != "" && modelCfg.URL != "":
		return nil, UsageErrorf("models.%s in the config file: %w", name, err)
	case err != nil:
		return nil, usageError{err}
	case modelCfg.ID != "":
		return renamedModel{m, name}, nil
	}
	return m, nil
}

// keyOf returns the key of a model that has its own.
func (e *endpoints) keyOf(ctx context.Context, name string, modelCfg config.Model) (string, error) {
	if modelCfg.KeyEnv != "" {
		if key := e.p.getenv(modelCfg.KeyEnv); key != "" {
			return key, nil
		}
		return "", UsageErrorf("models.%s in the config file: set %s, which is to hold its key", name, modelCfg.KeyEnv)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if key := e.printed[name]; key != "" {
		return key, nil
	}
	key, err := config.Key(ctx, modelCfg.KeyCommand, e.p.family, e.p.environ)
	if err != nil {
		return "", err
	}
	if e.printed == nil {
		e.printed = map[string]string{}
	}
	e.printed[name] = key
	return key, nil
}

// keys returns all known keys that may be sent, including those of the environment.
func (e *endpoints) keys() (list []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	list = append(list, e.baseKey)
	for _, m := range e.cfg.Models {
		if m.KeyEnv != "" {
			list = append(list, e.p.getenv(m.KeyEnv))
		}
		list = append(list, headerSecrets(m.Headers)...)
	}
	list = append(list, headerSecrets(e.cfg.Headers)...)
	return append(list, slices.Collect(maps.Values(e.printed))...)
}

// listModels asks the base endpoint for its models.
func (e *endpoints) listModels(ctx context.Context) ([]string, error) {
	base := e.baseEndpoint()
	base.model, base.dialects = e.service.defaultModel, &e.dialects
	m, err := e.service.model(base)
	if err != nil {
		return nil, err
	}
	lister, ok := m.(interface {
		Models(ctx context.Context) ([]string, error)
	})
	if !ok {
		return nil, nil
	}
	const timeout = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return lister.Models(ctx)
}

// renamedModel is a model with the name that the person has given it.
type renamedModel struct {
	provider.Model
	name string
}

func (n renamedModel) Name() string { return n.name }

// Sees reports whether the model accepts pictures.
func (n renamedModel) Sees() bool { return provider.Sees(n.Model) }

func (p Host) demoModel() (modelSource, error) {
	m, err := demo.NewModel()
	return modelSource{model: m, demo: true, script: true, secrets: p.environSecrets()}, err
}

func (p Host) scriptModel(path string) (modelSource, error) {
	text, err := os.Open(path)
	if err != nil {
		return modelSource{}, UsageErrorf("--script: %w", err)
	}
	defer text.Close()
	m, err := script.Read("script "+path, text)
	if err != nil {
		return modelSource{}, UsageErrorf("--script %s: %w", path, err)
	}
	return modelSource{model: m, script: true, unusedScriptLines: m.UnusedLines,
		scriptMismatch: m.Mismatch, secrets: p.environSecrets()}, nil
}

// newSnapshots returns the store for texts that the model has read, for edits by line numbers. It
// returns nil for edits by exact text, which a script uses.
func (w modelSource) newSnapshots(format string) *snapshot.Store {
	if format == "hashline" && !w.demo {
		return new(snapshot.Store)
	}
	return nil
}

// blocksOf returns the function that finds the blocks of a file, by the file's name.
func blocksOf(name string) hashline.Blocks { return hashline.Blocks(block.Of(name)) }

// modelNames returns the models that can be chosen: the current one, the default ones, those in the
// configuration file, and those of the built-in table. A server of one's own may have none of the
// provider's.
func (r *project) modelNames() (list []string) {
	if r.newModel == nil {
		return nil
	}
	list = append(list, r.model.Name())
	if s := serviceNamed(r.service); s.name != "" && r.usualAddress {
		list = append(list, s.defaultModel)
	}
	list = append(list, slices.Sorted(maps.Keys(r.cfg.Models))...)
	for _, name := range window.Names() {
		if r.usualAddress && strings.HasPrefix(name, "claude-") == (r.service == services[0].name) {
			list = append(list, name)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(name string) bool {
		repeated := seen[name]
		seen[name] = true
		return repeated
	})
}
