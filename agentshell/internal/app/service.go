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

// service is a provider over the network. Settings of the configuration file are used only if the
// file is about this provider.
type service struct {
	name         string
	keyName      string // environment variable with the key
	tokenName    string // environment variable with a bearer token instead; "": there is none
	urlName      string // environment variable with another address
	keyPage      string // where a person gets a key
	defaultModel string
	model        func(endpoint) (provider.Model, error)
}

// endpoint is a model and its address.
type endpoint struct {
	url              string // "": the usual address of the provider
	key, token       string
	insecure         bool
	header           map[string]string
	keyHeader        string // "": the usual one of the provider
	dialects         *remote.Dialects
	model            string // "": the default model
	api              string
	effort           string
	thinking         bool
	maxAnswer        int // in tokens
	configuredOutput int // tokens of an answer according to the configuration; 0: not set
	seesPictures     *bool
}

// mayOmitKey reports whether the server may have no key.
func (e endpoint) mayOmitKey() bool { return e.url != "" && (e.insecure || remote.Near(e.url)) }

// isKeyless reports whether the endpoint has an address of its own and gets no key.
func (e endpoint) isKeyless() bool { return e.url != "" && e.key == "" && e.token == "" }

// services lists the providers, the preferred one first.
var services = []service{
	{
		name: "anthropic", keyName: "ANTHROPIC_API_KEY", tokenName: "ANTHROPIC_AUTH_TOKEN",
		urlName: "ANTHROPIC_BASE_URL",
		keyPage: "https://console.anthropic.com/settings/keys", defaultModel: anthropic.DefaultModel,
		model: func(e endpoint) (provider.Model, error) {
			effort := e.effort
			if effort == "none" || effort == "minimal" { // it has no name for less
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

// serviceNamed returns the service of that name, or an empty one.
func serviceNamed(name string) service {
	i := slices.IndexFunc(services, func(s service) bool { return s.name == name })
	if i < 0 {
		return service{}
	}
	return services[i]
}

// chosenService returns the provider that the settings choose, or else the first one with a key in
// the environment, or else one on this machine, or else the preferred one.
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
		if remote.Near(p.getenv(s.urlName)) { // a server of one's own, without a key
			return s
		}
	}
	return services[0]
}

// relevantConfig returns the configuration if it is about s, or else an empty one.
func (s service) relevantConfig(cfg config.Config) config.Config {
	if about := cfg.Provider; about == s.name || about == "" && s.name == services[0].name {
		return cfg
	}
	return config.Config{}
}

// keyNames returns the names of the environment variables with keys.
func keyNames() []string {
	var list []string
	for _, s := range services {
		list = append(list, s.keyName)
	}
	return list
}

// noKeyError returns an error that names the ways to a model.
func (s service) noKeyError() error {
	return fmt.Errorf("%w: set %s, name a key_command in the config file, or set OPENAI_BASE_URL for a server on "+
		"this machine; --demo plays a demo without a key", errNoKey, s.keyName)
}

// headerSecrets returns the secret values in headers.
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
