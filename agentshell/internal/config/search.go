package config

import (
	"fmt"
	"slices"
)

// WebSearch turns on the tool web_search, and lists the settings of search services.
type WebSearch struct {
	Enabled bool `toml:"enabled"`
	// The service that is tried first; "" or "auto": the first one that has a key.
	Provider string `toml:"provider"`
	// Services holds the settings of services by their names, see [SearchServices].
	Services map[string]SearchService `toml:"services"`
}

// SearchService holds the settings of one search service. KeyEnv names the environment variable
// that holds the key, and KeyCommand prints the key. If both are empty, the key is in the service's
// usual variable.
type SearchService struct {
	KeyEnv     string   `toml:"key_env"`
	KeyCommand []string `toml:"key_command"`
	URL        string   `toml:"url"`   // The address of the service; "": its usual address.
	Model      string   `toml:"model"` // The model to use, if the service is a language model; "": the usual one.
	// User, Categories and Language are only for SearXNG. If User is set, the key is the password
	// of HTTP Basic authentication.
	User       string `toml:"user"`
	Categories string `toml:"categories"`
	Language   string `toml:"language"`
}

// SearchServices returns the names of all search services, in the order in which they are tried.
func SearchServices() []string {
	return []string{"tavily", "perplexity", "brave", "jina", "kimi", "anthropic", "gemini", "openai", "zai", "exa",
		"parallel", "kagi", "synthetic", "searxng"}
}

// check returns an error if the settings are wrong. key is the wrong part of the table, such as
// ".provider".
func (w WebSearch) check() (key string, err error) {
	names := SearchServices()
	if w.Provider != "" && w.Provider != "auto" && !slices.Contains(names, w.Provider) {
		return ".provider", fmt.Errorf("provider of web_search may be auto, %s, not %q", joinWithOr(names), w.Provider)
	}
	for name, s := range w.Services {
		switch {
		case !slices.Contains(names, name):
			return ".services." + name, fmt.Errorf("there is no search service %q; there are %s", name,
				joinWithOr(names))
		case s.KeyEnv != "" && len(s.KeyCommand) > 0:
			return ".services." + name,
				fmt.Errorf("web_search.services.%s has key_env and key_command; write one of them", name)
		case name != "searxng" && (s.User != "" || s.Categories != "" || s.Language != ""):
			return ".services." + name, fmt.Errorf("user, categories and language are for searxng, not for %s", name)
		}
	}
	return "", nil
}
