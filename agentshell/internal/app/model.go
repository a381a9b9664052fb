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

// errNoKey says that no model can be used because no API key is known.
var errNoKey = errors.New("no key")

// modelSource holds the model that answers, and the functions that return other models.
type modelSource struct {
	model  provider.Model
	demo   bool
	script bool // The model is scripted: by the demo, or by a file (--script).
	// The number of lines of the --script file that were not used; nil without such a file.
	unusedScriptLines func() int
	// The first expectation of the --script file that was not met; nil without such a file.
	scriptMismatch func() error
	secrets        secret.Set // Values, such as API keys, that must not be shown, logged or sent to the model.
	service        string     // The name of the provider; "" if there is none.
	// The provider's own address is used, and not one that the user has configured.
	usualAddress bool
	keyless      bool // The address is a configured one that gets no key.
	// Returns the model of that name; nil if there is no other model.
	newModel func(name string) (provider.Model, error)
	// answering changes how the models answer that newModel returns from then on; nil if that
	// cannot be changed.
	answering func(change func(*answering))
	// serverOf returns the host or the provider that a model is asked at; nil for a scripted model.
	serverOf func(name string) string
	listed   []string // The models that a server without a key has listed at the start; nil if it was not asked.
	// unlisted says why such a server gave no list. In this case no model is chosen, and the
	// resumed session has to name one.
	unlisted error
	// listModels asks the provider for the names of its models; nil for a scripted model.
	listModels func(ctx context.Context) ([]string, error)
}

// chooseModel returns the model that the command line names, else the one of the configuration,
// else the default model of the first provider with a key.
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

// unlistedError says that the server at url gave no list of its models. err is the reason; nil if
// the list was empty.
type unlistedError struct {
	url string
	err error
}

// Error returns the reason as a clause, such as "nothing answers at http://127.0.0.1:1".
func (e unlistedError) Error() string {
	if errors.Is(e.err, syscall.ECONNREFUSED) {
		return "nothing answers at " + e.url
	}
	return e.url + " does not list its models" + because(e.err)
}

// noModel returns the error for a run in which neither the user nor the server has named a model.
// why says what is wrong with the server's list.
func noModel(why error) error {
	return UsageErrorf("no model is chosen, and %w: name one with --model, or with model in the config file", why)
}

// serverOf returns the host that a model is asked at, or the name of its provider. The result
// contains no secret.
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

// because returns err in parentheses, for the end of a message; "" for nil.
func because(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Sprintf(" (%v)", err)
}

// endpoints finds the address and the key for each model. The base endpoint is the one for all
// models without an address of their own. A key is looked up once, when it is first needed.
type endpoints struct {
	p       Host
	flags   Options
	cfg     config.Config
	service service

	dialects remote.Dialects

	mu      sync.Mutex
	baseKey string            // The key of the base endpoint.
	chosen  answering         // The effort and the thinking that the user has chosen in this session.
	printed map[string]string // The keys that key commands of single models have printed, by the name of the model.
}

// baseEndpoint returns the endpoint for models without an address of their own.
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

// answering holds the user's choices about how models answer. They override the command line and
// the configuration.
type answering struct {
	effort   string // The reasoning effort; "" means the configured one.
	thinking bool
}

// setAnswering changes how the models answer that newModel returns from then on.
func (e *endpoints) setAnswering(change func(*answering)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(&e.chosen)
}

// answers returns the effort and the thinking for a model with the configuration m.
func (e *endpoints) answers(m config.Model) (effort string, thinking bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return cmp.Or(e.chosen.effort, e.flags.Effort, m.Effort, e.cfg.Effort), e.chosen.thinking
}

// findBaseKey looks up the key of the base endpoint. It returns an error if there is none, unless
// model has an address of its own, or the base endpoint needs no key.
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

// newModel returns the model of that name; "" means the provider's default model.
func (e *endpoints) newModel(ctx context.Context, name string) (provider.Model, error) {
	modelCfg := e.cfg.Models[name]
	s, target := e.service, e.baseEndpoint()
	if modelCfg.Provider != "" && modelCfg.Provider != s.name {
		s, target = serviceNamed(modelCfg.Provider), endpoint{}
		target.key = e.p.getenv(s.keyName)
	}
	if modelCfg.URL != "" { // this address gets only a key that is configured for it
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

// keyOf returns the key of a model whose configuration names one.
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

// keys returns all API keys that are known, so that they can be replaced in texts.
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

// listModels asks the base endpoint for the names of its models. It returns nil if the provider
// cannot list them.
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

// renamedModel is a model that has the name that the user has given it in the configuration file.
type renamedModel struct {
	provider.Model
	name string
}

func (n renamedModel) Name() string { return n.name }

// Sees reports whether the model accepts pictures. Without it, the embedded interface would hide
// that.
func (n renamedModel) Sees() bool { return provider.Sees(n.Model) }

// demoModel returns the scripted model of the demo.
func (p Host) demoModel() (modelSource, error) {
	m, err := demo.NewModel()
	return modelSource{model: m, demo: true, script: true, secrets: p.environSecrets()}, err
}

// scriptModel returns the scripted model for --script; path is the file with the script.
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

// newSnapshots returns the store for texts that the model has read, which edits by line numbers
// need. It returns nil if files are edited by exact text, as in the demo.
func (w modelSource) newSnapshots(format string) *snapshot.Store {
	if format == "hashline" && !w.demo {
		return new(snapshot.Store)
	}
	return nil
}

// blocksOf returns the function that finds the blocks (such as functions) of a source file. name is
// the name of the file.
func blocksOf(name string) hashline.Blocks { return hashline.Blocks(block.Of(name)) }

// modelNames returns the names of the models that the user can choose: the current one, the
// provider's default, those of the configuration file, and those that are built in. The provider's
// models are left out if another address is used.
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
