package app

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

// accountsOf returns the accounts of a person as text: service, key, address and other settings.
func accountsOf(t *testing.T, text string, environ ...string) string {
	t.Helper()
	cfg, err := config.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		env[name] = value
	}
	var list []string
	for _, a := range (Host{getenv: func(name string) string { return env[name] },
		environ: environ}).searchAccounts(cfg) {
		key := "-"
		if a.Key != nil {
			if key, err = a.Key(t.Context()); err != nil {
				key = "?"
			}
		}
		list = append(list, strings.TrimRight(fmt.Sprintf("%s %s %s %s", a.Service, key, a.URL,
			strings.Join([]string{a.Model, a.User, a.Categories, a.Language}, ",")), " ,"))
	}
	return strings.Join(list, "; ")
}

func TestTheAccountsOfAPersonAreAskedInOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config  string
		environ []string
		want    string
	}{
		{"", nil, ""},
		{"", []string{"SYNTHETIC_API_KEY=s", "TAVILY_API_KEY=t", "PPLX_API_KEY=p", "GOOGLE_API_KEY=g"},
			"tavily t; perplexity p; gemini g; synthetic s"},
		{"[web_search]\nprovider = \"gemini\"\n", []string{"TAVILY_API_KEY=t", "PPLX_API_KEY=p", "GEMINI_API_KEY=g"},
			"gemini g; tavily t; perplexity p"},
		{"[web_search]\nprovider = \"kagi\"\n", []string{"TAVILY_API_KEY=t"}, "tavily t"}, // it has no key
		{"", []string{"MOONSHOT_API_KEY=m", "KIMI_SEARCH_API_KEY=k",
			"KIMI_SEARCH_BASE_URL=https://k.example/v1/search"},
			"kimi k https://k.example/v1"},
		// The key of the models goes to their address.
		{"", []string{"ANTHROPIC_API_KEY=a", "ANTHROPIC_BASE_URL=https://gate.example", "OPENAI_API_KEY=o",
			"OPENAI_BASE_URL=https://o.example/v1/"},
			"anthropic a https://gate.example; openai o https://o.example/v1"},
		{"base_url = \"https://gate.example\"\n", []string{"ANTHROPIC_API_KEY=a"}, "anthropic a https://gate.example"},
		{"provider = \"openai\"\nbase_url = \"https://gate.example\"\n", []string{"ANTHROPIC_API_KEY=a"},
			"anthropic a"},
		{"", []string{"ANTHROPIC_API_KEY=a", "ANTHROPIC_SEARCH_API_KEY=s",
			"ANTHROPIC_SEARCH_BASE_URL=https://s.example",
			"ANTHROPIC_SEARCH_MODEL=claude-x"}, "anthropic s https://s.example claude-x"},
		{"[web_search.services.anthropic]\nkey_env = \"MINE\"\nmodel = \"claude-y\"\n",
			[]string{"ANTHROPIC_API_KEY=a", "MINE=m"}, "anthropic m  claude-y"},
		{"[web_search.services.brave]\nkey_env = \"MINE\"\n", []string{"BRAVE_API_KEY=b"}, ""},
		// the named one is not set
		{"", []string{"EXA_API_KEY=e"}, "exa e"},
		{"[web_search]\nprovider = \"exa\"\n", nil, "exa -"},
		{"", []string{"SEARXNG_TOKEN=t"}, ""}, // nobody knows where
		{"", []string{"SEARXNG_ENDPOINT=http://s.lan/"}, "searxng - http://s.lan"},
		{"", []string{"SEARXNG_ENDPOINT=https://s.example", "SEARXNG_TOKEN=t"}, "searxng t https://s.example"},
		{"", []string{"SEARXNG_ENDPOINT=https://s.example", "SEARXNG_TOKEN=t", "SEARXNG_BASIC_USERNAME=me",
			"SEARXNG_BASIC_PASSWORD=pw"}, "searxng pw https://s.example ,me"},
		{"[web_search.services.searxng]\nurl = \"https://s.example\"\nuser = \"me\"\ncategories = " +
			"\"it\"\nlanguage = \"de\"\n",
			[]string{"SEARXNG_TOKEN=t"}, "searxng t https://s.example ,me,it,de"},
	} {
		if got := accountsOf(t, c.config, c.environ...); got != c.want {
			t.Errorf("%s with %q: %q, want %q", c.config, c.environ, got, c.want)
		}
	}
}
