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

// service describes a provider of models over the network, such as Anthropic.
type service struct {
	name         string
	keyName      string // The environment variable with the API key.
	tokenName    string // The environment variable with a bearer token in place of a key; "" if there is none.
	urlName      string // The environment variable with an address that replaces the provider's.
	keyPage      string // The web page where a user gets a key.
	defaultModel string
	// Creates a model for an endpoint.
	model func(endpoint) (provider.Model, error)
}

// endpoint holds a model's name, its address, and the settings for requests to it.
type endpoint struct {
	url        string // The address; "" means the provider's usual one.
	key, token string
	// http without TLS is allowed.
	insecure  bool
	header    map[string]string
	keyHeader string // The header for the key; "" means the provider's usual one.
	dialects  *remote.Dialects
	model     string // The model; "" means the provider's default one.
	// The kind of API that the configuration names; "" for the usual one.
	api    string
	effort string
	// The model's thinking is requested.
	thinking         bool
	maxAnswer        int // The length of the longest answer in tokens.
	configuredOutput int // The length of the longest answer in tokens, if the configuration sets one; else 0.
	// Whether the model can see pictures; nil if the configuration does not say it.
	seesPictures *bool
}

// mayOmitKey reports whether the server may work without a key: it is on this machine or in a
// private network, or the user allows http for it.
func (e endpoint) mayOmitKey() bool { return e.url != "" && (e.insecure || remote.Near(e.url)) }

// isKeyless reports whether the endpoint has a configured address that gets no key.
func (e endpoint) isKeyless() bool { return e.url != "" && e.key == "" && e.token == "" }

// services lists all providers, the preferred one first.
var services = []service{
	{
		name: "anthropic", keyName: "ANTHROPIC_API_KEY", tokenName: "ANTHROPIC_AUTH_TOKEN",
		urlName: "ANTHROPIC_BASE_URL",
		keyPage: "https://console.anthropic.com/settings/keys", defaultModel: anthropic.DefaultModel,
		model: func(e endpoint) (provider.Model, error) {
			effort := e.effort
			if effort == "none" || effort == "minimal" { // Anthropic has no lower effort
				effort = "low"
			}
			return anthropic.New(anthropic.Config{Key: e.key, Token: e.token, Model: e.model, BaseURL: e.url,
				Insecure: e.insecure, Header: e.header, KeyHeader: e.keyHeader, Dialects: e.dialects,
				Sees: e.seesPictures, Thinking: e.thinking, Effort: effort, Answer: e.maxAnswer})
		},
	},
	{
		name: "openai", keyName: "OPENAI_API_KEY", urlName: "OPENAI_BASE_URL",
		keyPage: "https://platform.openai.com/api-keys", defaultModel: openai.DefaultModel,
		model: func(e endpoint) (provider.Model, error) {
			return openai.New(openai.Config{Key: e.key, Model: e.model, BaseURL: e.url, Insecure: e.insecure,
				Header: e.header, KeyHeader: e.keyHeader, Dialects: e.dialects, Output: e.configuredOutput, API: e.api,
				Thinking: e.thinking, Effort: e.effort, Sees: e.seesPictures})
		},
	},
}

// serviceNamed returns the provider of that name, or an empty service if there is none.
func serviceNamed(name string) service {
	i := slices.IndexFunc(services, func(s service) bool { return s.name == name })
	if i < 0 {
		return service{}
	}
	return services[i]
}

// chosenService returns the provider that the settings name. Otherwise it returns the first one
// with a key in the environment, the first one whose address is on this machine or in a private
// network, or the preferred one.
func (p Host) chosenService(chosen settings) service {
	if s := serviceNamed(chosen.provider.value); s.name != "" {
		return s
	}
	for _, s := range services {
		if p.getenv(s.keyName) != "" || s.tokenName != "" && p.getenv(s.tokenName) != "" {
			return s
		}
	}
	for _, s := range services {
		if remote.Near(p.getenv(s.urlName)) { // the user's own server, without a key
			return s
		}
	}
	return services[0]
}

// relevantConfig returns cfg if its settings for a provider are about s, else an empty
// configuration.
func (s service) relevantConfig(cfg config.Config) config.Config {
	if about := cfg.Provider; about == s.name || about == "" && s.name == services[0].name {
		return cfg
	}
	return config.Config{}
}

// keyNames returns the names of the environment variables that can hold an API key.
func keyNames() []string {
	var list []string
	for _, s := range services {
		list = append(list, s.keyName)
	}
	return list
}

// noKeyError returns an error that says how the user can get access to a model.
func (s service) noKeyError() error {
	return fmt.Errorf("%w: set %s, name a key_command in the config file, or set OPENAI_BASE_URL for a server on "+
		"this machine; --demo plays a demo without a key", errNoKey, s.keyName)
}

// headerSecrets returns the secret values in HTTP headers.
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
