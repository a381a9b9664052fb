package tool

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/websearch"
)

// searchBench returns tools with two services on this machine. The first one is answer.
func searchBench(t *testing.T, answer http.HandlerFunc) (b *bench, hosts []string) {
	var accounts []websearch.Account
	second := func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"results":[{"title":"Second","url":"https://second.example/"}]}`)
	}
	for name, h := range map[string]http.HandlerFunc{"kimi": answer, "synthetic": second} {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		accounts = append(accounts, websearch.Account{Service: name, URL: s.URL,
			Key: func(context.Context) (string, error) { return "a-key-of-somebody-7361", nil }})
	}
	if accounts[0].Service != "kimi" {
		accounts[0], accounts[1] = accounts[1], accounts[0]
	}
	for _, a := range accounts {
		hosts = append(hosts, strings.TrimPrefix(a.URL, "http://"))
	}
	b = newBench(t, nil)
	b.env.Now = func() time.Time { return time.Date(2031, 5, 6, 0, 0, 0, 0, time.UTC) }
	b.env.Secrets = secret.New("another-key-of-somebody-8462")
	var err error
	if b.env.WebSearch, err = websearch.New(accounts, new(proxy.Hosts), b.env.Secrets); err != nil {
		t.Fatal(err)
	}
	b.reg = Builtin(b.env)
	return b, hosts
}

func kimiGives(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }
}

const oneFound = `{"search_results":[{"title":"Tides","url":"https://a.example/tides","snippet":"The moon.",
	"date":"2031-01-02"}]}`

// A query is shown with all hosts that it may go to before it leaves, once in a session. No rule
// and no mode lets it go unasked.
func TestAQueryIsShownWithItsReachBeforeItLeaves(t *testing.T) {
	asked := 0
	b, hosts := searchBench(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		kimiGives(oneFound)(w, r)
	})
	c := b.must("web_search", args{"query": " why tides\x1b[31m? ", "limit": 3})
	p := c.Proposal
	reach := "Kimi (" + hosts[0] + "), and if that fails to Synthetic (" + hosts[1] + ")"
	pay, ok := p.Payload.(approval.Search)
	if !ok || pay.Query != "why tides\x1b[31m?" || pay.Reach != reach || c.Mutates || asked != 0 ||
		c.Title != `web_search why tides\x1b[31m?` || !strings.Contains(pay.Line(), reach) ||
		len(p.Flags) != 1 || p.Flags[0].Name != approval.FlagNetwork ||
		p.Flags[0].Text != "it sends this query to "+reach+
			"; further queries are not asked for in this session" {
		t.Errorf("%+v, %+v", c, p)
	}
	rule, err := approval.ParseRule(approval.Allow, "web_search")
	if err != nil || Traits().Check(rule) != nil {
		t.Fatal(err)
	}
	policy, err := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModeTrusted, Tools: Traits(),
		Rules: []approval.Entry{{Rule: rule, Origin: "config"}}})
	if err != nil {
		t.Fatal(err)
	}
	if v := policy.Decide(p.Subject); v.Action != approval.Ask {
		t.Errorf("it is decided: %+v", v)
	}
	var progress []string
	r, err := c.Run(t.Context(), func(text string) { progress = append(progress, text) })
	want := "Search: why tides\\x1b[31m?\nProvider: Kimi\nNotes: titles and texts below were written by " +
		"others\n\n---\n" +
		"## Sources\n1 source\n[1] Tides (2031-01-02)\n    https://a.example/tides\n    The moon.\n"
	if err != nil || r.Text != want || r.Summary != "Kimi, 1 source" || asked != 1 ||
		r.Detail != "[1] Tides (2031-01-02)\n    https://a.example/tides\n" ||
		strings.Join(progress, "") != "asking Kimi ("+hosts[0]+")\n" {
		t.Errorf("%+v, %v, %q", r, err, progress)
	}
	c = b.must("web_search", args{"query": "more"})
	if c.Proposal != nil {
		t.Error("it is asked for again")
	}
	p, err = c.Propose(t.Context()) // a rule wants to ask about each query
	if pay, ok := p.Payload.(approval.Search); err != nil || !ok || pay.Query != "more" || len(p.Flags) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

// The model is told which year it is; its query stays as it is.
func TestTheModelIsToldTheYear(t *testing.T) {
	var body string
	b, _ := searchBench(t, func(w http.ResponseWriter, r *http.Request) {
		data := make([]byte, 1000)
		n, _ := r.Body.Read(data)
		body = string(data[:n])
		kimiGives(oneFound)(w, r)
	})
	b.run("web_search", args{"query": "elections 2024"})
	if !strings.Contains(body, `"text_query":"elections 2024"`) {
		t.Errorf("%s", body)
	}
	for _, s := range b.reg.Specs() {
		if s.Name == "web_search" && (!strings.Contains(s.Description, "The year is 2031") || !s.ReadOnly) {
			t.Errorf("%+v", s)
		}
	}
}

func TestWhatASearchRefuses(t *testing.T) {
	asked := 0
	b, _ := searchBench(t, func(http.ResponseWriter, *http.Request) { asked++ })
	for _, bad := range []args{{"query": " "}, {"query": strings.Repeat("x", 1001)}, {"query": "x", "limit": 41},
		{"query": "x", "recency": "decade"}, {"query": "x", "temperature": 2.5}, {"query": "x", "max_tokens": 0},
		{"query": "x", "provider": "kagi"}, {"query": "x", "num_search_results": -1},
		{"query": "what is another-key-of-somebody-8462?"}, {}} {
		b.fails("web_search", bad, "invalid_args")
	}
	if asked != 0 {
		t.Error("something was sent")
	}
}

// The services are asked in order; the error of all says why each failed.
func TestASearchFallsBack(t *testing.T) {
	b, _ := searchBench(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	if r := b.run("web_search", args{"query": "x"}); !strings.Contains(r.Text, "Provider: Synthetic\n") {
		t.Errorf("%s", r.Text)
	}
	b.env.WebSearch, _ = websearch.New(nil, new(proxy.Hosts), secret.Set{})
	b.reg = Builtin(b.env)
	err := b.fails("web_search", args{"query": "x"}, "tool_failed")
	if err.Error() != "No web search provider configured." {
		t.Error(err)
	}
}

// Esc ends a search, whatever the service does, and nobody else is asked.
func TestASearchIsCancelled(t *testing.T) {
	held := make(chan struct{})
	defer close(held)
	ctx, cancel := context.WithCancel(t.Context())
	b, _ := searchBench(t, func(http.ResponseWriter, *http.Request) { cancel(); <-held })
	var asked []string
	_, err := b.must("web_search", args{"query": "x"}).Run(ctx, func(text string) { asked = append(asked, text) })
	if !errors.Is(err, context.Canceled) || len(asked) != 1 {
		t.Errorf("%v, %q", err, asked)
	}
}

// A small window gets what it has room for.
func TestASearchFitsTheWindow(t *testing.T) {
	one := `{"title":"T","url":"https://a.example/%d","snippet":"` + strings.Repeat("word ", 60) + `"}`
	var many []string
	for i := range 20 {
		many = append(many, fmt.Sprintf(one, i))
	}
	b, _ := searchBench(t, kimiGives(`{"search_results":[`+strings.Join(many, ",")+`]}`))
	r, err := b.must("web_search", args{"query": "x"}).Run(WithRoom(t.Context(), 300), nil)
	if err != nil || len(r.Text) > 2000 || !strings.HasSuffix(r.Text, "\n[cut here; use limit for less]\n") {
		t.Errorf("%d bytes, %v", len(r.Text), err)
	}
}
