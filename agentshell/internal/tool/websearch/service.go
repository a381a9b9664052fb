package websearch

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// searchService describes one search service.
type searchService struct {
	name, label string
	url         string // url is the usual URL; "": the user has to set one.
	keyless     bool   // keyless says that it works without an API key.
	keylessURL  string // keylessURL is the URL for requests without an API key; "": the same.
	writes      bool   // writes says that a model writes its answer, which takes longer.
	search      func(ctx context.Context, c serviceClient, q Query) (Answer, error)
}

// services returns all services, in the order in which they are tried.
func services() []searchService {
	return []searchService{
		{name: "tavily", label: "Tavily", url: "https://api.tavily.com", search: tavily},
		{name: "perplexity", label: "Perplexity", url: "https://api.perplexity.ai", writes: true, search: perplexity},
		{name: "brave", label: "Brave", url: "https://api.search.brave.com/res/v1", search: brave},
		{name: "jina", label: "Jina", url: "https://s.jina.ai", search: jina},
		{name: "kimi", label: "Kimi", url: "https://api.kimi.com/coding/v1", search: kimi},
		{name: "anthropic", label: "Anthropic", url: "https://api.anthropic.com", writes: true, search: anthropic},
		{name: "gemini", label: "Gemini", url: "https://generativelanguage.googleapis.com/v1beta", writes: true,
			search: gemini},
		{name: "openai", label: "OpenAI", url: "https://api.openai.com/v1", writes: true, search: openai},
		{name: "zai", label: "Z.AI", url: "https://api.z.ai/api/mcp/web_search_prime/mcp", search: zai},
		{name: "exa", label: "Exa", url: "https://api.exa.ai", keyless: true,
			keylessURL: "https://mcp.exa.ai/mcp", search: exa},
		{name: "parallel", label: "Parallel", url: "https://api.parallel.ai", search: parallel},
		{name: "kagi", label: "Kagi", url: "https://kagi.com/api/v1", search: kagi},
		{name: "synthetic", label: "Synthetic", url: "https://api.synthetic.new/v2", search: synthetic},
		{name: "searxng", label: "SearXNG", keyless: true, search: searxng},
	}
}

// findService returns the service with a name, and false if there is none.
func findService(name string) (searchService, bool) {
	all := services()
	i := slices.IndexFunc(all, func(s searchService) bool { return s.name == name })
	if i < 0 {
		return searchService{}, false
	}
	return all[i], true
}

// patience returns how long the service may take to answer.
func (s searchService) patience() time.Duration {
	if s.writes {
		return 2 * time.Minute
	}
	return 30 * time.Second
}

// check returns an error if the account's settings are not valid for the service s.
func (a Account) check(s searchService) error {
	switch {
	case a.Key == nil && !s.keyless:
		return errors.New("there is no key")
	case a.Key != nil && strings.HasPrefix(a.address(s), "http://") && !remote.Near(a.address(s)):
		return errors.New("the address must begin with https://: the key would travel in the clear")
	case a.User != "" && a.Key == nil:
		return errors.New("there is a user, but no password")
	case strings.ContainsFunc(a.User, func(r rune) bool { return r == ':' || r < ' ' || r == 0x7f }):
		return errors.New("the user has a colon or a control in it, which Basic authorization forbids")
	}
	return nil
}
