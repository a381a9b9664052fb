package config

import (
	"fmt"
	"slices"
)

// WebSearch says whether the model can search the web, and by which services.
type WebSearch struct {
	Enabled  bool   `toml:"enabled"`
	Provider string `toml:"provider"` // the service that is asked first; "" or "auto": the first one with a key
	// Services are settings of single services by their names, see [SearchServices].
	Services map[string]SearchService `toml:"services"`
}

// SearchService is a search service. The key is in the variable KeyEnv, or printed by KeyCommand;
// with neither it is in the variable that the service is known by.
type SearchService struct {
	KeyEnv     string   `toml:"key_env"`
	KeyCommand []string `toml:"key_command"`
	URL        string   `toml:"url"`   // "": the usual address
	Model      string   `toml:"model"` // of a service that is a model; "": the usual one
	// These are for SearXNG. With User the key is the password of Basic authorization.
	User       string `toml:"user"`
	Categories string `toml:"categories"`
	Language   string `toml:"language"`
}

// SearchServices returns the names of the search services, in the order in which they are asked.
func SearchServices() []string {
	return []string{"tavily", "perplexity", "brave", "jina", "kimi", "anthropic", "gemini", "openai", "zai", "exa",
		"parallel", "kagi", "synthetic", "searxng"}
}

// check returns an error, and the part of the table that it is about.
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
