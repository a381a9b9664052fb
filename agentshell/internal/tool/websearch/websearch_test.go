package websearch

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/untrusted"
)

const testKey = "key-of-the-person-93847561"

// request is one request that a test server got.
type request struct {
	*http.Request
	body map[string]any
}

// server answers each request with the next of some answers, the last one for ever.
func server(t *testing.T, answers ...func(w http.ResponseWriter)) (at string, got *[]request) {
	t.Helper()
	got = new([]request)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		one := request{Request: r}
		_ = json.Unmarshal(body, &one.body)
		*got = append(*got, one)
		answers[min(len(*got), len(answers))-1](w)
	}))
	t.Cleanup(s.Close)
	return s.URL, got
}

func gives(status int, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// account returns an account of a service whose address is at.
func account(name, at string) Account {
	return Account{Service: name, URL: at, Key: func(context.Context) (string, error) { return testKey, nil }}
}

func searcher(t *testing.T, accounts ...Account) *Searcher {
	t.Helper()
	s, err := New(accounts, new(proxy.Hosts), secret.Set{})
	if err != nil {
		t.Fatal(err)
	}
	s.Allow()
	return s
}

func nobody(Reach) {}

var day = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// shape is what a service answers by its public documentation, with invented values.
type shape struct {
	name   string
	body   string
	path   string            // of the request, with its query
	header map[string]string // that it has to have
	sent   map[string]any    // members of its body
	want   Answer            // Service and unset members are not compared
	empty  string            // what it answers where nothing is found
}

func bearer() map[string]string { return map[string]string{"Authorization": "Bearer " + testKey} }

func shapes() []shape {
	one := []Source{{"Tides & moon", "https://a.example/tides", "The moon pulls.", "2026-03-01"}}
	named := func(s Source) []Source { return []Source{s} }
	return []shape{
		{name: "tavily", path: "/search", header: bearer(), empty: `{"results":[]}`,
			sent: map[string]any{"query": "why tides?", "time_range": "week", "max_results": 7.0},
			body: `{"query":"q","answer":"The moon.","results":[{"title":"Tides & moon","url":"https://a.example/tides",
				"content":"The moon pulls.","score":0.9,"published_date":"2026-03-01"}],"response_time":1.2,
					"request_id":"r"}`,
			want: Answer{Text: "The moon.", Sources: one}},
		{name: "perplexity", path: "/chat/completions", header: bearer(), empty: `{"choices":[]}`,
			sent: map[string]any{"model": "sonar-pro", "search_recency_filter": "week", "num_search_results": 7.0,
				"max_tokens": 500.0, "temperature": 0.7, "search_mode": "web"},
			body: `{"id":"p","model":"sonar-pro","choices":[{"index":0,"finish_reason":"stop",
				"message":{"role":"assistant",
				"content":"The moon [1]."}}],"citations":["https://a.example/tides"],
					"search_results":[{"title":"Tides & moon",
				"url":"https://a.example/tides","date":"2026-03-01","snippet":"The moon pulls."}],
				"related_questions":["Why twice a day?"]}`,
			want: Answer{Text: "The moon [1].", Model: "sonar-pro", Sources: one,
				Related: []string{"Why twice a day?"}}},
		{name: "brave", path: "/web/search?count=7&extra_snippets=true&freshness=pw&q=why+tides%3F",
			empty:  `{"type":"search"}`,
			header: map[string]string{"X-Subscription-Token": testKey},
			body: `{"type":"search","web":{"results":[{"title":"Tides &amp; moon","url":"https://a.example/tides",
				"description":"The <strong>moon</strong>","age":"2 days ago","extra_snippets":["pulls."]}]}}`,
			want: Answer{Sources: named(Source{"Tides & moon", "https://a.example/tides", "The moon pulls.",
				"2 days ago"})}},
		{name: "jina", path: "/why%20tides%3F", header: bearer(), empty: `{"code":200,"data":[]}`,
			body: `{"code":200,"status":20000,"data":[{"title":"Tides & moon","url":"https://a.example/tides",
				"description":"The moon pulls.","content":"","date":"2026-03-01"}]}`,
			want: Answer{Sources: one}},
		{name: "kimi", path: "/search", header: bearer(), empty: `{"search_results":null}`,
			sent: map[string]any{"text_query": "why tides?", "limit": 7.0, "timeout_seconds": 30.0},
			body: `{"search_results":[{"site_name":"A","title":"Tides & moon","url":"https://a.example/tides",
				"snippet":"The moon pulls.","content":"","date":"2026-03-01","icon":"","mime":""}]}`,
			want: Answer{Sources: one}},
		{name: "anthropic", path: "/v1/messages", empty: `{"content":[]}`,
			header: map[string]string{"X-Api-Key": testKey, "Anthropic-Version": "2023-06-01"},
			sent:   map[string]any{"model": "claude-haiku-4-5", "max_tokens": 500.0, "temperature": 0.7},
			body: `{"id":"m","model":"claude-haiku-4-5-20251001","content":[
				{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"tides cause"}},
				{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result",
				"url":"https://a.example/tides","title":"Tides & moon","encrypted_content":"x",
				"page_age":"March 1, 2026"}]},
				{"type":"text","text":"The moon.","citations":[{"type":"web_search_result_location",
				"url":"https://a.example/tides","title":"Tides & moon","cited_text":"The moon pulls.",
					"encrypted_index":"y"}]}]}`,
			want: Answer{Text: "The moon.", Model: "claude-haiku-4-5-20251001", Queries: []string{"tides cause"},
				Sources:   named(Source{"Tides & moon", "https://a.example/tides", "", "March 1, 2026"}),
				Citations: []Citation{{"Tides & moon", "https://a.example/tides", "The moon pulls."}}}},
		{name: "gemini", path: "/models/gemini-2.5-flash:generateContent", empty: `{"candidates":[{"content":{}}]}`,
			header: map[string]string{"X-Goog-Api-Key": testKey},
			sent:   map[string]any{"tools": []any{map[string]any{"google_search": map[string]any{}}}},
			body: `{"modelVersion":"gemini-2.5-flash","candidates":[{"content":{"parts":[{"text":"hm","thought":true},
				{"text":"The moon."}]},"groundingMetadata":{"webSearchQueries":["tides cause"],"searchEntryPoint":{},
				"groundingChunks":[{"web":{"uri":"https://r.example/x","title":"a.example"}}],
					"groundingSupports":[{"segment":
				{"startIndex":0,"endIndex":9,"text":"The moon."},"groundingChunkIndices":[0,7,-1]}]}}]}`,
			want: Answer{Text: "The moon.", Model: "gemini-2.5-flash", Queries: []string{"tides cause"},
				Sources:   named(Source{"a.example", "https://r.example/x", "", ""}),
				Citations: []Citation{{"a.example", "https://r.example/x", "The moon."}}}},
		{name: "openai", path: "/responses", header: bearer(), empty: `{"output":[]}`,
			sent: map[string]any{"model": "gpt-5.4-mini", "input": "why tides?", "store": false,
				"tools": []any{map[string]any{"type": "web_search", "search_context_size": "high"}}},
			body: `{"id":"r","model":"gpt-5.4-mini","output":[{"type":"web_search_call","status":"completed","action":
				{"type":"search","query":"tides cause","sources":[{"type":"url","url":"https://b.example/"},
				{"type":"api","name":"weather"}]}},{"type":"message","content":[{"type":"output_text",
					"text":"The moon.",
				"annotations":[{"type":"url_citation","start_index":0,"end_index":9,"title":"Tides & moon",
				"url":"https://a.example/tides?utm_source=openai"}]}]}]}`,
			want: Answer{Text: "The moon.", Model: "gpt-5.4-mini", Queries: []string{"tides cause"},
				Sources: []Source{{"Tides & moon", "https://a.example/tides", "", ""},
					{"https://b.example/", "https://b.example/", "", ""}}}},
		{name: "zai", path: "/", header: bearer(), empty: `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`,
			body: "event: message\ndata: " + `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` +
				`"[{\"refer\":\"ref_1\",\"title\":\"Tides & moon\",\"link\":\"https://a.example/tides\",` +
				`\"media\":\"A\",` +
				`\"content\":\"The moon pulls.\",\"publish_date\":\"2026-03-01\"}]"}]}}` + "\n\n",
			want: Answer{Sources: one}},
		{name: "exa", path: "/search", header: map[string]string{"X-Api-Key": testKey}, empty: `{"results":[]}`,
			sent: map[string]any{"query": "why tides?", "numResults": 7.0},
			body: `{"requestId":"e","results":[{"id":"i","title":"Tides & moon","url":"https://a.example/tides",
				"publishedDate":"2026-03-01","author":null,"summary":"The moon pulls.","text":"long"}],
					"costDollars":{"total":1}}`,
			want: Answer{Text: "The moon pulls.", Sources: one}},
		{name: "parallel", path: "/v1/search", header: map[string]string{"X-Api-Key": testKey},
			empty: `{"search_id":"s","results":[]}`, sent: map[string]any{"objective": "why tides?"},
			body: `{"search_id":"s","results":[{"url":"https://a.example/tides","title":"Tides & moon",
				"publish_date":"2026-03-01","excerpts":["The moon","pulls."]}],"warnings":null,"session_id":"x"}`,
			want: Answer{Sources: one}},
		{name: "kagi", path: "/search", header: bearer(), empty: `{"meta":{},"data":{}}`,
			sent: map[string]any{"query": "why tides?", "workflow": "search", "limit": 7.0,
				"filters": map[string]any{"after": "2026-03-03"}},
			body: `{"meta":{"trace":"t"},"data":{"search":[{"url":"https://a.example/tides","title":"Tides & moon",
				"snippet":"The moon pulls.","time":"2026-03-01"}],"video":[{"url":"https://v.example/","title":"V"}],
				"adjacent_question":[{"props":{"question":"Why twice?"}}],"direct_answer":[{"title":"T",
					"snippet":"The moon."}]}}`,
			want: Answer{Text: "The moon.", Related: []string{"Why twice?"},
				Sources: append(slices.Clone(one), Source{"[video] V", "https://v.example/", "", ""})}},
		{name: "synthetic", path: "/search", header: bearer(), empty: `{"results":[]}`,
			sent: map[string]any{"query": "why tides?"},
			body: `{"results":[{"url":"https://a.example/tides","title":"Tides & moon","text":"The moon pulls.",
				"published":"2026-03-01"}]}`,
			want: Answer{Sources: one}},
		{name: "searxng", path: "/search?format=json&q=why+tides%3F&time_range=month", header: bearer(),
			empty: `{"results":[],"suggestions":[]}`,
			body: `{"query":"q","results":[{"title":"Tides & moon","url":"https://a.example/tides",
				"content":"The moon pulls.","publishedDate":"2026-03-01","engine":"e"}],"suggestions":["spring tide"]}`,
			want: Answer{Sources: one, Related: []string{"spring tide"}}},
	}
}

func fullQuery() Query {
	temperature := 0.7
	return Query{Text: "why tides?", Recency: "week", Breadth: 7, MaxTokens: 500, Temperature: &temperature, Now: day}
}

func TestEachServiceIsAskedAndReadByItsDocumentation(t *testing.T) {
	t.Parallel()
	for _, s := range shapes() {
		at, got := server(t, gives(200, s.body))
		answer, err := searcher(t, account(s.name, at)).Search(t.Context(), fullQuery(), nobody)
		if err != nil || len(*got) != 1 {
			t.Errorf("%s: %v, %d requests", s.name, err, len(*got))
			continue
		}
		r := (*got)[0]
		if path := r.URL.RequestURI(); path != s.path {
			t.Errorf("%s: asked at %s, want %s", s.name, path, s.path)
		}
		for name, want := range s.header {
			if r.Header.Get(name) != want {
				t.Errorf("%s: header %s is %q", s.name, name, r.Header.Get(name))
			}
		}
		for name, want := range s.sent {
			if fmt.Sprint(r.body[name]) != fmt.Sprint(want) {
				t.Errorf("%s: %s is %v, want %v", s.name, name, r.body[name], want)
			}
		}
		answer.Service = ""
		if g, w := fmt.Sprintf("%q", answer), fmt.Sprintf("%q", s.want); g != w {
			t.Errorf("%s:\n%s, want\n%s", s.name, g, w)
		}
	}
	var names []string
	for _, s := range services() {
		names = append(names, s.name)
	}
	if len(shapes()) != len(names) || !slices.Equal(names, config.SearchServices()) {
		t.Errorf("%d shapes of %v; the config file knows %v", len(shapes()), names, config.SearchServices())
	}
}

// Whatever a service does wrong is an error in plain words, without the key.
func TestWhatAServiceDoesWrongIsSaidInPlainWords(t *testing.T) {
	t.Parallel()
	big := `{"results":[{"title":"` + strings.Repeat("x", maxBodyBytes) + `"}]}`
	for _, s := range shapes() {
		for _, c := range []struct {
			name   string
			answer func(http.ResponseWriter)
			want   string // LABEL is the service
		}{
			{"an error", gives(500, `{"error":{"message":"kaputt, `+testKey+`"}}`),
				"LABEL: HTTP 500: kaputt, [secret]"},
			{"an error in a list", gives(502, `{"error":[{"code":1,"msg":"kaputt"}]}`), "LABEL: HTTP 502: kaputt"},
			{"a page", gives(503, "<html>down"), "LABEL: HTTP 503 Service Unavailable"},
			{"no right", gives(401, `{"detail":"bad `+testKey+`"}`),
				"LABEL authorization failed (401). Check its key."},
			{"no right there", gives(403, `{"detail":"bad"}`), "LABEL authorization failed (403). Check its key."},
			{"a limit", func(w http.ResponseWriter) {
				w.Header().Set("Retry-After", "30")
				gives(429, "{}")(w)
			}, "LABEL rate limit reached (429). It asks to wait 30s."},
			{"a limit of two windows", func(w http.ResponseWriter) {
				w.Header().Set("X-Ratelimit-Reset", "1, 1419704")
				gives(429, "{}")(w)
			}, "LABEL rate limit reached (429). It asks to wait 1s."},
			{"a redirect", func(w http.ResponseWriter) {
				w.Header().Set("Location", "https://elsewhere.example/"+testKey)
				w.WriteHeader(307)
			}, "LABEL: HTTP 307: it redirects to another address, where the key is not sent"},
			{"half an answer", gives(200, s.body[:len(s.body)/2]), "LABEL: the answer is no complete JSON"},
			{"a page for an answer", gives(200, "<!doctype html><p>log in"), "LABEL: the answer is a page and no JSON"},
			{"nothing", gives(200, ""), "LABEL: the answer is empty"},
			{"another form", gives(200, `"hello"`), "LABEL: the answer is not in the form that was expected"},
			{"too much", gives(200, big), "LABEL: the answer has more than 4 MiB"},
			{"an end too early", func(w http.ResponseWriter) {
				w.Header().Set("Content-Length", "1000")
				gives(200, "{")(w)
			}, "LABEL: the answer ended before it was complete"},
		} {
			switch s.name + ", " + c.name {
			case "zai, no right": // its own words
				c.want = "Z.AI: HTTP 401: bad [secret]"
			case "zai, no right there":
				c.want = "Z.AI: HTTP 403: bad"
			case "searxng, no right there":
				c.want = "SearXNG authorization failed (403). Check its key, and whether the server allows format=json."
			}
			at, got := server(t, c.answer)
			_, err := searcher(t, account(s.name, at)).Search(t.Context(), fullQuery(), nobody)
			service, _ := findService(s.name)
			if want := strings.ReplaceAll(c.want, "LABEL", service.label); err == nil || err.Error() != want {
				t.Errorf("%s, %s: %v, want %s", s.name, c.name, err, want)
			}
			if len(*got) != 1 {
				t.Errorf("%s, %s: %d requests", s.name, c.name, len(*got))
			}
		}
	}
}

// A member of another type is left out; what is right beside it counts.
func TestMembersOfOtherTypesAreLeftOut(t *testing.T) {
	t.Parallel()
	for _, s := range shapes() {
		for was, odd := range map[string]string{`"Tides & moon"`: `7`, `"https://a.example/tides"`: `{"a":[]}`,
			`"The moon pulls."`: `[[[]]]`, `"2026-03-01"`: `null`} {
			at, _ := server(t, gives(200, strings.ReplaceAll(s.body, was, odd)))
			answer, err := searcher(t, account(s.name, at)).Search(t.Context(), fullQuery(), nobody)
			if err != nil {
				t.Errorf("%s with %s: %v", s.name, odd, err)
			}
			for _, p := range answer.Sources {
				if _, ok := webAddress(p.URL); !ok {
					t.Errorf("%s with %s: %q", s.name, odd, p)
				}
			}
		}
		at, _ := server(t, gives(200, s.empty))
		answer, err := searcher(t, account(s.name, at)).Search(t.Context(), fullQuery(), nobody)
		if err != nil || answer.Format() != "[no results]\n" {
			t.Errorf("%s without results: %q, %v", s.name, answer.Format(), err)
		}
	}
}

func TestOneServiceAfterTheOtherIsAsked(t *testing.T) {
	t.Parallel()
	broken, asked := server(t, gives(500, `{"message":"kaputt"}`))
	good, _ := server(t, gives(200, `{"results":[{"title":"T","url":"https://t.example"}]}`))
	missing, _ := server(t, gives(404, "{}"))
	answer, err := searcher(t, account("brave", broken), account("synthetic", good)).Search(t.Context(), fullQuery(),
		nobody)
	if err != nil || answer.Service != "Synthetic" || len(answer.Sources) != 1 || len(*asked) != 1 {
		t.Errorf("%q, %v, asked %d times", answer, err, len(*asked))
	}
	for _, c := range []struct {
		want     string
		accounts []Account
	}{
		{"No web search provider configured.", nil},
		{"Brave: HTTP 500: kaputt", []Account{account("brave", broken)}},
		{"All web search providers failed: Brave: HTTP 500: kaputt; Anthropic web search returned 404 (model or " +
			"endpoint " +
			"not found).", []Account{account("brave", broken), account("anthropic", missing)}},
		{"Kagi: no key today", []Account{{Service: "kagi", URL: good,
			Key: func(context.Context) (string, error) { return "", fmt.Errorf("no key today") }}}},
	} {
		if _, err := searcher(t, c.accounts...).Search(t.Context(), fullQuery(), nobody); err == nil ||
			err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A host that was not allowed is not reached, a private address is reached only where the person
// has named it, and Esc ends a search.
func TestASearchReachesAllowedHostsOnlyAndEndsAtOnce(t *testing.T) {
	t.Parallel()
	good, got := server(t, gives(200, `{"results":[]}`))
	s, err := New([]Account{account("synthetic", good)}, new(proxy.Hosts), secret.Set{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Search(t.Context(), fullQuery(), nobody); err == nil || len(*got) != 0 {
		t.Errorf("without a yes: %v, %d requests", err, len(*got))
	}
	if fresh := s.Fresh(); len(fresh) != 1 || fresh[0].Service != "Synthetic" {
		t.Errorf("%q", fresh)
	}
	host, _ := hostOf(good)
	s.allowedHosts.Add(false, host) // as one of the internet
	if _, err := s.Search(t.Context(), fullQuery(), nobody); err == nil || len(*got) != 0 ||
		!strings.Contains(err.Error(), "has an address of a private network") {
		t.Errorf("a private address: %v, %d requests", err, len(*got))
	}
	held := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	slow, asked := server(t, func(http.ResponseWriter) { cancel(); <-held })
	defer close(held)
	_, err = searcher(t, account("synthetic", slow), account("brave", good)).Search(ctx, fullQuery(), nobody)
	if err != context.Canceled || len(*asked) != 1 || len(*got) != 0 {
		t.Errorf("%v, %d and %d requests", err, len(*asked), len(*got))
	}
}

func TestAccountsThatCannotBeUsedAreErrors(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]Account{
		"Brave: there is no key":     {Service: "brave"},
		"SearXNG: no address is set": {Service: "searxng"},
		"Kagi: the address holds a name or a password; set a key instead": account("kagi",
			"https://u:p@h"),
		"Kagi: the address does not begin with https:// or http:// and a host": account("kagi",
			"ftp://h"),
		"Kagi: the address must begin with https://: the key would travel in the clear": account("kagi",
			"http://h.example"),
		"SearXNG: there is a user, but no password": {Service: "searxng",
			URL: "http://h", User: "u"},
		"SearXNG: the user has a colon or a control in it, which Basic authorization forbids": {Service: "searxng",
			URL: "https://h", User: "u:v", Key: account("", "").Key},
		`there is no search service "bing"`: {Service: "bing"},
	} {
		if _, err := New([]Account{a}, new(proxy.Hosts), secret.Set{}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := New([]Account{{Service: "searxng", URL: "http://search.lan:8080"}}, new(proxy.Hosts),
		secret.Set{}); err != nil {
		t.Error(err) // a server of one's own has no key
	}
}

func TestWhatOneServiceDoesByItself(t *testing.T) {
	t.Parallel()
	search := func(a Account, answers ...func(http.ResponseWriter)) (Answer, []request, error) {
		at, got := server(t, answers...)
		a.URL = at
		answer, err := searcher(t, a).Search(t.Context(), fullQuery(), nobody)
		return answer, *got, err
	}
	// Anthropic: an error of the search comes with the status 200, as an object and no list.
	_, _, err := search(account("anthropic", ""), gives(200, `{"content":[{"type":"web_search_tool_result","content":
		{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}}]}`))
	if err == nil || err.Error() != "Anthropic: the search failed: max_uses_exceeded" {
		t.Error(err)
	}
	// Z.AI: another name of the argument is tried, but not after another error.
	bad := gives(200, `{"result":{"isError":true,"content":[{"text":"MCP error -400: search_query is required"}]}}`)
	fine := gives(200, `{"result":{"content":[{"text":"just words"}]}}`)
	answer, got, err := search(account("zai", ""), bad, bad, fine)
	last, _ := got[len(got)-1].body["params"].(map[string]any)
	if err != nil || len(got) != 3 || answer.Text != "just words" ||
		fmt.Sprint(last["arguments"]) != "map[count:7 search_engine:search-prime search_query:why tides?]" {
		t.Errorf("%q, %v, %v", answer, err, last)
	}
	_, got, err = search(account("zai", ""), gives(200, `{"code":1113,"msg":"no balance","success":false}`))
	if err == nil || err.Error() != "Z.AI: no balance" || len(got) != 1 {
		t.Errorf("%v after %d", err, len(got))
	}
	// OpenAI: without citations the addresses of the text are the sources.
	answer, _, err = search(account("openai", ""), gives(200, `{"output":[{"content":[{"type":"output_text",
		"text":"See [T](https://t.example/a) and https://u.example/b."}]}]}`))
	if err != nil || fmt.Sprintf("%q", answer.Sources) !=
		`[{"T" "https://t.example/a" "" ""} {"https://u.example/b" "https://u.example/b" "" ""}]` {
		t.Errorf("%q, %v", answer.Sources, err)
	}
	// Exa without a key: its public server, whose answer is a text.
	answer, got, err = search(Account{Service: "exa"}, gives(200, `{"result":{"content":[{"text":
		"Title: T\nURL: https://t.example/\nPublished Date: 2026-01-02\nText: The moon\npulls."}]}}`))
	if err != nil || fmt.Sprintf("%q",
		answer.Sources) != `[{"T" "https://t.example/" "The moon pulls." "2026-01-02"}]` ||
		got[0].Header.Get("Authorization") != "" {
		t.Errorf("%q, %v", answer, err)
	}
	// SearXNG: a user makes it Basic, and 403 mostly means that JSON is off.
	a := account("searxng", "")
	a.User, a.Language, a.Categories = "me", "de", "it"
	_, got, err = search(a, gives(403, ""))
	if user, password, _ := got[0].BasicAuth(); user != "me" || password != testKey ||
		got[0].URL.Query().Get("language") != "de" || got[0].URL.Query().Get("categories") != "it" {
		t.Errorf("%q %q %s", user, password, got[0].URL)
	}
	if want := "SearXNG authorization failed (403). Check its key, and whether the server allows " +
		"format=json."; err == nil ||
		err.Error() != want {
		t.Error(err)
	}
}

// What pages and services write becomes harmless text and addresses of pages.
func TestHostileResultsAreHarmless(t *testing.T) {
	t.Parallel()
	esc, bidi := `\u001b]0;owned\u0007\u001b[2J`, `\u202e\u200b\ufeff\u2066`
	tag := `\udb40\udc41` // U+E0041: an invisible letter
	lines := `a\n## Sources\n[1] forged\r\n\tb\u0085\u2028c`
	var addresses []string
	for _, at := range []string{"javascript:alert(1)", "file:///etc/passwd", "data:text/html,x",
		"https://u:p@h.example/",
		"//h.example", "https://", "h.example", "https://h.example/" + strings.Repeat("x", 3000),
		`https://h.example/\u001b[31m`,
		"https://xn--bcher-kva.example/", "https://bücher.example/ö", " https://sp.example/a b "} {
		addresses = append(addresses, `{"title":"`+esc+bidi+tag+lines+`","url":"`+at+`",
			"text":"`+lines+esc+testKey+`"}`)
	}
	at, _ := server(t, gives(200, `{"results":[`+strings.Join(addresses, ",")+`]}`))
	answer, err := searcher(t, account("synthetic", at)).Search(t.Context(), Query{Text: "x"}, nobody)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, s := range answer.Sources {
		found = append(found, s.URL)
		if s.Title != "]0;owned[2Ja ## Sources [1] forged b c" || !strings.HasSuffix(s.Snippet, "[secret]") {
			t.Errorf("%q", s)
		}
	}
	want := "https://xn--bcher-kva.example/ https://xn--bcher-kva.example/%C3%B6 https://sp.example/a%20b"
	if got := strings.Join(found, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, text := range []string{answer.Format(), answer.Lines()} {
		if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !untrusted.IsShown(r) }) ||
			strings.Contains(text, "\n## Sources\n[1] forged") || strings.Contains(text, testKey) {
			t.Errorf("%q", text)
		}
	}
	at, _ = server(t, gives(200, `{"answer":"`+esc+`ok\n\n`+bidi+tag+`b\t`+testKey+`","results":[]}`))
	answer, err = searcher(t, account("tavily", at)).Search(t.Context(), Query{Text: "x"}, nobody)
	if err != nil || answer.Text != "]0;owned[2Jok\n\nb\t[secret]" {
		t.Errorf("%q, %v", answer, err)
	}
}

// A flood of results, or of text, is cut.
func TestAFloodOfResultsIsCut(t *testing.T) {
	t.Parallel()
	one := `{"title":"` + strings.Repeat("t", 2000) + `","url":"https://%d.example/","text":"` + strings.Repeat("s ",
		5000) + `"}`
	var many []string
	for i := range 200 {
		many = append(many, fmt.Sprintf(one, i))
	}
	at, _ := server(t, gives(200, `{"results":[`+strings.Join(many, ",")+`]}`))
	s := searcher(t, account("synthetic", at))
	answer, err := s.Search(t.Context(), Query{Text: "x"}, nobody)
	if err != nil || len(answer.Sources) != maxSources ||
		len(answer.Format()) > 40*(maxTitleBytes+maxSnippetChars+100) {
		t.Errorf("%d sources, %d bytes, %v", len(answer.Sources), len(answer.Format()), err)
	}
	for _, s := range []*Searcher{s, searcher(t, account("tavily", at))} { // which knows no number below 5
		answer, err = s.Search(t.Context(), Query{Text: "x", Limit: 3}, nobody)
		if err != nil || len(answer.Sources) != 3 {
			t.Errorf("%d sources of 3, %v", len(answer.Sources), err)
		}
	}
	at, _ = server(t, gives(200, `{"answer":"`+strings.Repeat("ä", maxAnswerBytes)+`"}`))
	answer, err = searcher(t, account("tavily", at)).Search(t.Context(), Query{Text: "x"}, nobody)
	if err != nil || len(answer.Text) > maxAnswerBytes+20 || !strings.HasSuffix(answer.Text, "ä\n[cut here]") {
		t.Errorf("%d bytes, %v", len(answer.Text), err)
	}
}

func TestAnAnswerIsFormattedForTheModel(t *testing.T) {
	t.Parallel()
	a := Answer{Text: "The moon.", Sources: []Source{{"T", "https://t.example/", strings.Repeat("é", 300),
		"2 days ago"},
		{"U", "https://u.example/", "", ""}}, Citations: []Citation{{"T", "https://t.example/", "cited"}},
		Related: []string{"Why?"}, Queries: []string{"a", "b", strings.Repeat("c", 130), "d"}}
	want := "The moon.\n\n## Sources\n2 sources\n[1] T (2 days ago)\n    https://t.example/\n    " +
		strings.Repeat("é", 240) + "…\n[2] U\n    https://u.example/\n\n## Citations\n1 citation\n[1] T\n" +
		"    https://t.example/\n    cited\n\n## Related\n- Why?\n\nSearch queries: 4\n- a\n- b\n- " +
		strings.Repeat("c", 120) + "…\n"
	if got := a.Format(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := a.Lines(); got != "[1] T (2 days ago)\n    https://t.example/\n[2] U\n    https://u.example/\n" {
		t.Errorf("%s", got)
	}
}

// Numbers of results are asked for as each service takes them.
func TestNumbersOfResultsAreWhatAServiceTakes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, member       string
		unset, least, most int
	}{{"tavily", "max_results", 5, 5, 20}, {"brave", "count", 10, 1, 20}, {"kimi", "limit", 10, 1, 20},
		{"kagi", "limit", 10, 1, 40}, {"exa", "numResults", 10, 1, 40}, {"parallel", "max_results", 10, 1, 40},
		{"perplexity", "num_search_results", 10, 1, 40}} {
		limited := 7 // the number of sources is that of results
		if c.name == "perplexity" {
			limited = c.unset
		}
		for q, want := range map[Query]int{{}: c.unset, {Breadth: 1}: c.least, {Breadth: 1000}: c.most,
			{Limit: 7}: limited, {Limit: 7, Breadth: 9}: 9} {
			at, got := server(t, gives(200, `{"results":[]}`))
			q.Text = "x"
			_, _ = searcher(t, account(c.name, at)).Search(t.Context(), q, nobody)
			r := (*got)[0]
			settings, _ := r.body["advanced_settings"].(map[string]any)
			is := fmt.Sprint(cmp.Or(r.body[c.member], settings[c.member]))
			if c.name == "brave" {
				is = r.URL.Query().Get("count")
			}
			if is != fmt.Sprint(want) {
				t.Errorf("%s asks for %s of %+v, want %d", c.name, is, q, want)
			}
		}
	}
}

// What models are asked for where a query does not say.
func TestWhatModelsAreAskedForUnlessTheQuerySaysSo(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]map[string]any{
		"perplexity": {"model": "sonar-pro", "max_tokens": 8192.0, "temperature": 0.2, "num_search_results": 10.0,
			"search_recency_filter": nil},
		"anthropic": {"model": "claude-haiku-4-5", "max_tokens": 4096.0, "temperature": nil},
		"gemini":    {"generationConfig": map[string]any{}},
		"openai":    {"model": "gpt-5.4-mini"},
	} {
		at, got := server(t, gives(200, "{}"))
		if _, err := searcher(t, account(name, at)).Search(t.Context(), Query{Text: "x"}, nobody); err != nil {
			t.Error(name, err)
		}
		for member, value := range want {
			if is := (*got)[0].body[member]; fmt.Sprint(is) != fmt.Sprint(value) {
				t.Errorf("%s: %s is %v, want %v", name, member, is, value)
			}
		}
	}
}

// What a service sends takes no more memory than it has to: neither packed zeros, nor a list of
// nothing, nor lists within lists, nor heads without end.
func TestAFloodFromAServiceIsRefused(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.Copy(z, io.LimitReader(zeros{}, 16<<20))
	_ = z.Close()
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter)
		want   string
	}{
		"packed zeros": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
		}, "the answer has more than 4 MiB"},
		"a list of nothing": {gives(200, `{"results":[`+strings.Repeat("{},", 1<<20)+`{}]}`),
			"more than 50000 values"},
		"members of nothing": {gives(200, `{"results":[{`+strings.Repeat(`"":"\\\"",`, 1<<18)+`"":1}]}`),
			"more than 50000 values"},
		"lists within lists": {gives(200, `{"results":`+strings.Repeat("[", 1<<20)), "more than 50000 values"},
		"a deep list":        {gives(200, `{"results":`+strings.Repeat("[", 20_000)), "no complete JSON"},
		"a deep error":       {gives(500, strings.Repeat(`{"error":`, 5000)+"1"+strings.Repeat("}", 5000)), "HTTP 500"},
		"a long head": {func(w http.ResponseWriter) {
			w.Header().Set("X-Long", strings.Repeat("x", 300<<10))
			gives(200, "{}")(w)
		}, "exceeded"},
		"a packed lie": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Encoding", "gzip")
			gives(200, "{}")(w)
		}, "ended before it was complete"},
	} {
		at, _ := server(t, c.answer)
		_, err := searcher(t, account("synthetic", at)).Search(t.Context(), Query{Text: "x"}, nobody)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	// Commas within texts are no values.
	at, _ := server(t, gives(200, `{"results":[{"title":"T","url":"https://t.example/","text":"`+
		strings.Repeat(`,[{\",`, 1<<16)+`"}]}`))
	answer, err := searcher(t, account("synthetic", at)).Search(t.Context(), Query{Text: "x"}, nobody)
	if err != nil || len(answer.Sources) != 1 {
		t.Errorf("%d sources, %v", len(answer.Sources), err)
	}
}

// zeros is an endless file.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
