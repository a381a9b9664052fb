package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// withServers returns a registry with tools of two servers, which are too many if there are more
// than most.
func withServers(t *testing.T, b *bench, most int) *Registry {
	t.Helper()
	var issues, files []Tool
	for i, name := range []string{"create_issue", "listIssues", "close_issue", "search_code"} {
		issues = append(issues, &Foreign{Env: b.env, Server: "hub", Tool: name,
			Description: []string{"Open a new ticket", "List tickets", "Close a ticket", "Find text in " +
				"repositories"}[i],
			Schema: json.RawMessage(`{"type":"object","properties":{"repositoryName":{}}}`)})
	}
	for i := range 20 {
		files = append(files, &Foreign{Env: b.env, Server: "disk", Tool: fmt.Sprintf("op%d", i), Description: "Does " +
			"a thing to a file",
			Schema: json.RawMessage(`{"type":"object"}`)})
	}
	r := Builtin(b.env)
	r.HideIf(func(specs []provider.Tool) bool { return len(specs) > most })
	for owner, tools := range map[string][]Tool{"hub": issues, "disk": files} {
		if err := r.Put(owner, tools); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func offered(specs []provider.Tool) (list []string) {
	for _, s := range specs {
		if strings.HasPrefix(s.Name, "mcp__") || s.Name == searchToolsName {
			list = append(list, s.Name)
		}
	}
	return list
}

func TestTooManyToolsAreFoundByASearch(t *testing.T) {
	b := newBench(t, nil)
	if got := offered(withServers(t, b, 24).Specs()); len(got) != 24 || slices.Contains(got, searchToolsName) {
		t.Errorf("few tools: %q", got)
	}
	r := withServers(t, b, 23)
	b.reg = r
	if got := offered(r.Specs()); !slices.Equal(got, []string{searchToolsName}) {
		t.Fatalf("many tools: %q", got)
	}
	for _, c := range []struct {
		query string
		limit int
		want  string
	}{
		{"make a new issue", 1, `["mcp__hub__create_issue"],"match_count":1,"total_tools":24`},
		{"ISSUES", 0, `["mcp__hub__listIssues"],"match_count":1,"total_tools":24`}, // a word is a word
		{" ticket\n", 5,
			`{"query":"ticket","activated_tools":["mcp__hub__close_issue"],"match_count":1,"total_tools":24`},
		{"repository name", 0, `["mcp__hub__search_code"],"match_count":1,"total_tools":24`},
		{"file", 3, `["mcp__disk__op0","mcp__disk__op1","mcp__disk__op10"],"match_count":3,"total_tools":24`},
		{"thing", 0, `"match_count":8,"total_tools":24`},
		{"xyzzy", 0, `[],"match_count":0,"total_tools":24`},
	} {
		a := args{"query": c.query}
		if c.limit > 0 {
			a["limit"] = c.limit
		}
		if got := b.run(searchToolsName, a).Text; !strings.Contains(got, c.want) {
			t.Errorf("%q: %s, want %s", c.query, got, c.want)
		}
	}
	if !slices.ContainsFunc(r.Specs(), func(s provider.Tool) bool { return s.Name == "list_dir" }) {
		t.Error("a tool of ours is hidden")
	}
	more := b.run(searchToolsName, args{"query": "file", "limit": 2})
	if more.Detail != "mcp__disk__op19\nmcp__disk__op2\n" {
		t.Errorf("the person is shown %q", more.Detail)
	}
	got := offered(r.Specs())
	if !slices.Contains(got, "mcp__hub__create_issue") || !slices.Contains(got, searchToolsName) ||
		slices.Contains(got, "mcp__disk__op9") {
		t.Errorf("behind the searches: %q", got)
	}
	for _, a := range []args{{}, {"query": ""}, {"query": " \t"}, {"query": "x", "limit": -1},
		{"query": "x", "limit": 0}, {"query": "x", "limit": 1.5}} {
		b.fails(searchToolsName, a, "invalid_args")
	}
	if err := b.fails(searchToolsName, args{"query": " -- "}, "invalid_args"); err.Error() !=
		"Query must contain at least one letter or number." {
		t.Error(err)
	}
	// A server that comes back has its tools as they were found; one that goes takes them along.
	if err := r.Put("hub", nil); err != nil {
		t.Fatal(err)
	}
	if got := offered(r.Specs()); slices.Contains(got, "mcp__hub__create_issue") || slices.Contains(got,
		searchToolsName) {
		t.Errorf("without a server: %q", got)
	}
	if err := r.Put("new", []Tool{&readFile{b.env}}); err == nil {
		t.Error("a tool of a server has the name of one of ours")
	}
	if _, err := r.Prepare(context.Background(), "mcp__disk__op19", "id", json.RawMessage(`{}`)); err != nil {
		t.Errorf("a hidden tool that is called by its name: %v", err)
	}
}

// A word in the name of a tool or of its server counts most, then one of what it says of itself,
// then one of its arguments.
func TestTheNameOfAToolCountsMost(t *testing.T) {
	spec := func(name, text, key string) provider.Tool {
		return provider.Tool{Name: "mcp__s__" + name, Description: text,
			Schema: json.RawMessage(`{"properties":{"` + key + `":{}}}`)}
	}
	specs := []provider.Tool{spec("a", "other", "tide"), spec("b", "tide", "other"), spec("tide", "other", "other"),
		spec("none", "other", "other")}
	if got := ranked(specs, "tide"); !slices.Equal(got, []string{"mcp__s__tide", "mcp__s__b", "mcp__s__a"}) {
		t.Errorf("%q", got)
	}
	specs = []provider.Tool{spec("b", "tide", "x"), {Name: "mcp__tide__a"}}
	if got := ranked(specs, "tide"); !slices.Equal(got, []string{"mcp__tide__a", "mcp__s__b"}) {
		t.Errorf("the name of a server: %q", got)
	}
}

// The search says what there is to look for: the servers, their counts and names of their tools,
// in a bounded text whatever there is.
func TestTheSearchForToolsSaysWhatThereIs(t *testing.T) {
	about := func(r *Registry) string {
		t.Helper()
		for _, s := range r.Specs() {
			if s.Name == searchToolsName {
				return s.Description
			}
		}
		t.Fatal("there is no search")
		return ""
	}
	b := newBench(t, nil)
	text := about(withServers(t, b, 23))
	for _, want := range []string{"24 tools", "\n- disk, 20 tools: op0, op1, ", "op19\n",
		"\n- hub, 4 tools: create_issue, listIssues, close_issue, search_code"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not hold %q", text, want)
		}
	}
	if again := about(withServers(t, b, 23)); again != text {
		t.Errorf("it is %q the next time", again)
	}
	r := Builtin(b.env)
	r.HideIf(func([]provider.Tool) bool { return true })
	for i := range 300 {
		var tools []Tool
		for k := range 20 {
			tools = append(tools, &Foreign{Env: b.env, Server: fmt.Sprintf("server-%03d", i),
				Tool: fmt.Sprintf("a-tool-with-a-long-name-%d", k), Schema: json.RawMessage(`{"type":"object"}`)})
		}
		if err := r.Put(fmt.Sprintf("server-%03d", i), tools); err != nil {
			t.Fatal(err)
		}
	}
	text = about(r)
	if len(text) > aboutOwners+600 || !strings.Contains(text, "6,000 tools") && !strings.Contains(text, "6000 tools") ||
		!strings.Contains(text, "- server-000, 20 tools: ") || !strings.Contains(text, "more") {
		t.Errorf("%d bytes: %s", len(text), text)
	}
}
