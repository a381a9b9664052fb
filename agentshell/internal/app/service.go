package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/anthropic"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/openai"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// service is a provider over the network. Its settings in the config file count only where the file
// is about it.
type service struct {
	name         string
	keyName      string // environment variable that holds the key
	tokenName    string // and one that holds a bearer token in its place; "": there is none
	urlName      string // and the one for another address
	keys         string // where a person gets a key
	defaultModel string
	model        func(endpoint) (provider.Model, error)
}

// endpoint is a model and where it is asked.
type endpoint struct {
	url        string // "": the provider's own
	key, token string
	insecure   bool
	header     map[string]string
	keyHeader  string // "": the provider's own
	dialects   *remote.Dialects
	model      string // "": the default one
	api        string
	effort     string
	thinking   bool
	answer     int // tokens
	output     int // tokens of an answer as the config file has them; 0: it does not say
	sees       *bool
}

// free reports whether a server may have no key.
func (e endpoint) free() bool { return e.url != "" && (e.insecure || remote.Near(e.url)) }

// services are those that we know, the preferred one first.
var services = []service{
	{
		name: "anthropic", keyName: "ANTHROPIC_API_KEY", tokenName: "ANTHROPIC_AUTH_TOKEN",
		urlName: "ANTHROPIC_BASE_URL",
		keys:    "https://console.anthropic.com/settings/keys", defaultModel: anthropic.DefaultModel,
		model: func(e endpoint) (provider.Model, error) {
			effort := e.effort
			if effort == "none" || effort == "minimal" { // it has no name for less
				effort = "low"
			}
			return anthropic.New(anthropic.Config{Key: e.key, Token: e.token, Model: e.model, BaseURL: e.url,
				Insecure: e.insecure, Header: e.header, KeyHeader: e.keyHeader, Dialects: e.dialects,
				Sees: e.sees, Thinking: e.thinking, Effort: effort, Answer: e.answer})
		},
	},
	{
		name: "openai", keyName: "OPENAI_API_KEY", urlName: "OPENAI_BASE_URL",
		keys: "https://platform.openai.com/api-keys", defaultModel: openai.DefaultModel,
		model: func(e endpoint) (provider.Model, error) {
			return openai.New(openai.Config{Key: e.key, Model: e.model, BaseURL: e.url, Insecure: e.insecure,
				Header: e.header, KeyHeader: e.keyHeader, Dialects: e.dialects, Output: e.output, API: e.api,
				Thinking: e.thinking, Effort: e.effort, Sees: e.sees})
		},
	},
}

// serviceNamed returns the service of that name, an empty one if there is none.
func serviceNamed(name string) service {
	i := slices.IndexFunc(services, func(s service) bool { return s.name == name })
	if i < 0 {
		return service{}
	}
	return services[i]
}

// serviceOf returns the provider over the network that the settings or the keys in the environment
// choose; the first one if nothing does.
func (p Host) serviceOf(chosen settings) service {
	if s := serviceNamed(chosen.provider.value); s.name != "" {
		return s
	}
	for _, s := range services {
		if p.getenv(s.keyName) != "" || s.tokenName != "" && p.getenv(s.tokenName) != "" {
			return s
		}
	}
	for _, s := range services {
		if remote.Near(p.getenv(s.urlName)) { // a server of one's own, without a key
			return s
		}
	}
	return services[0]
}

// settings returns the part of the config file that is about s.
func (s service) settings(cfg config.Config) config.Config {
	if about := cfg.Provider; about == s.name || about == "" && s.name == services[0].name {
		return cfg
	}
	return config.Config{}
}

// keyNames returns the variables that hold keys.
func keyNames() []string {
	var list []string
	for _, s := range services {
		list = append(list, s.keyName)
	}
	return list
}

func (s service) noKey() error {
	return fmt.Errorf("%w: set %s, or name a key_command in the config file; --demo plays a demo without one",
		errNoKey, s.keyName)
}

// headerSecrets returns the keys in headers.
func headerSecrets(headers map[string]string) (list []string) {
	for name, value := range headers {
		if secret.IsKey(strings.ReplaceAll(name, "-", "_")) || strings.EqualFold(name, "Authorization") {
			list = append(list, value)
			if _, key, two := strings.Cut(value, " "); two { // Bearer, Basic
				list = append(list, secret.Filled(name, key)...)
			}
		}
	}
	return list
}
