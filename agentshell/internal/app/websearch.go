package app

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/websearch"
)

// searchVariables lists, for each web search service, the environment variables with its key, its
// address and its model. The first one that is set is used.
var searchVariables = map[string]struct{ key, url, model []string }{
	"tavily":     {key: []string{"TAVILY_API_KEY"}},
	"perplexity": {key: []string{"PERPLEXITY_API_KEY", "PPLX_API_KEY"}},
	"brave":      {key: []string{"BRAVE_API_KEY"}},
	"jina":       {key: []string{"JINA_API_KEY"}},
	"kimi": {key: []string{"MOONSHOT_SEARCH_API_KEY", "KIMI_SEARCH_API_KEY", "MOONSHOT_API_KEY"},
		url: []string{"MOONSHOT_SEARCH_BASE_URL", "KIMI_SEARCH_BASE_URL"}},
	// The key of the models goes where they are asked, and nowhere else.
	"anthropic": {key: []string{"ANTHROPIC_SEARCH_API_KEY", "ANTHROPIC_API_KEY"},
		url: []string{"ANTHROPIC_SEARCH_BASE_URL", "ANTHROPIC_BASE_URL"}, model: []string{"ANTHROPIC_SEARCH_MODEL"}},
	"gemini":    {key: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}},
	"openai":    {key: []string{"OPENAI_API_KEY"}, url: []string{"OPENAI_BASE_URL"}},
	"zai":       {key: []string{"ZAI_API_KEY"}},
	"exa":       {key: []string{"EXA_API_KEY"}},
	"parallel":  {key: []string{"PARALLEL_API_KEY"}},
	"kagi":      {key: []string{"KAGI_API_KEY"}},
	"synthetic": {key: []string{"SYNTHETIC_API_KEY"}},
	"searxng":   {key: []string{"SEARXNG_BASIC_PASSWORD", "SEARXNG_TOKEN"}, url: []string{"SEARXNG_ENDPOINT"}},
}

// newWebSearch returns the service that searches the web, or nil if the user has not turned it on.
func (r *project) newWebSearch(p Host) *websearch.Searcher {
	if !r.cfg.WebSearch.Enabled {
		return nil
	}
	s, err := websearch.New(p.searchAccounts(r.cfg), r.allowedHosts(), r.secrets)
	if err != nil {
		r.notices = append(r.notices, "web search is off: "+err.Error())
		return nil
	}
	return s
}

// searchAccounts returns the web search services that the user has access to, in the order in which
// they are asked.
func (p Host) searchAccounts(cfg config.Config) (list []websearch.Account) {
	for _, name := range config.SearchServices() {
		if a, ok := p.searchAccount(name, cfg); ok {
			list = append(list, a)
		}
	}
	i := slices.IndexFunc(list, func(a websearch.Account) bool { return a.Service == cfg.WebSearch.Provider })
	if i > 0 {
		first := list[i]
		list = slices.Insert(slices.Delete(list, i, i+1), 0, first)
	}
	return list
}

// searchAccount returns how one web search service is accessed. ok is false if the user has no
// access to it.
func (p Host) searchAccount(name string, cfg config.Config) (a websearch.Account, ok bool) {
	set, vars := cfg.WebSearch.Services[name], searchVariables[name]
	models := serviceNamed(name).relevantConfig(cfg) // the settings for models of the same provider
	a = websearch.Account{Service: name, URL: cmp.Or(set.URL, p.firstVariable(vars.url)),
		Model: cmp.Or(set.Model, p.firstVariable(vars.model)), Categories: set.Categories, Language: set.Language,
		User: set.User}
	if set.KeyEnv == "" && len(set.KeyCommand) == 0 && serviceNamed(name).name != "" {
		set.KeyCommand = models.KeyCommand
		a.URL = cmp.Or(a.URL, models.BaseURL)
	}
	a.URL = strings.TrimSuffix(strings.TrimRight(a.URL, "/"), "/search")
	key := p.firstVariable(vars.key)
	if set.KeyEnv != "" {
		key = p.getenv(set.KeyEnv)
	} else if own := cfg.WebSearch.Services[name].KeyCommand; len(own) > 0 {
		key = ""
	}
	if name == "searxng" && a.User == "" && key == p.getenv("SEARXNG_BASIC_PASSWORD") {
		a.User = p.getenv("SEARXNG_BASIC_USERNAME")
	}
	switch {
	case key != "":
		a.Key = func(context.Context) (string, error) { return key, nil }
	case set.KeyEnv == "" && len(set.KeyCommand) > 0:
		a.Key = (&printedKey{command: set.KeyCommand, p: p}).key
	case name == "searxng":
		return a, a.URL != ""
	default: // Exa also works without a key, if the user chooses it
		return a, name == "exa" && cfg.WebSearch.Provider == "exa"
	}
	return a, name != "searxng" || a.URL != ""
}

// firstVariable returns the value of the first environment variable of names that is set, or "".
func (p Host) firstVariable(names []string) string {
	for _, name := range names {
		if value := p.getenv(name); value != "" {
			return value
		}
	}
	return ""
}

// printedKey is a key that a command of the user's configuration prints. The command runs when the
// key is first needed. printedKey is safe for several goroutines.
type printedKey struct {
	command []string
	p       Host

	mu      sync.Mutex
	printed string
}

// key returns the key. The first call runs the command.
func (k *printedKey) key(ctx context.Context) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.printed != "" {
		return k.printed, nil
	}
	var err error
	k.printed, err = config.Key(ctx, k.command, k.p.family, k.p.environ)
	return k.printed, err
}

// searchFindings reports, for the doctor, which web search services can be used.
func (p Host) searchFindings() []finding {
	f := finding{About: "web", Name: "search", Value: "off",
		Advice: "enabled = true below [web_search] in the config file lets the model search the web."}
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil || !cfg.WebSearch.Enabled {
		return []finding{f}
	}
	var names []string
	for _, a := range p.searchAccounts(cfg) {
		names = append(names, a.Service)
	}
	f.Value, f.Advice = strings.Join(names, ", "), ""
	if len(names) == 0 {
		f.Value = "no service has a key"
		f.Advice = "Set a key, such as BRAVE_API_KEY; docs/outside.md lists the services."
	}
	return []finding{f}
}
