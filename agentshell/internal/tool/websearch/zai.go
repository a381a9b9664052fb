package websearch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

// zaiResult is one page in a result of Z.AI.
type zaiResult struct {
	Title   string `json:"title"`
	Link    string `json:"link"`
	URL     string `json:"url"`
	Content string `json:"content"`
	Date    string `json:"publish_date"`
}

// zai searches with Z.AI's MCP server web_search_prime (docs.z.ai). The names of its arguments have
// changed several times, so zai tries one set after the other.
func zai(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	count := q.count(10, 1, maxSources)
	var result toolResult
	var err error
	for _, arguments := range []map[string]any{
		{"query": q.Text, "count": count},
		{"search_query": q.Text, "count": count},
		{"search_query": q.Text, "search_engine": "search-prime", "count": count},
	} {
		if result, err = c.callTool(ctx, "webSearchPrime", arguments); !isAboutArguments(err) {
			break
		}
	}
	if err != nil {
		return Answer{}, err
	}
	return zaiAnswer(result).limitSources(q), nil
}

// isAboutArguments reports whether a call failed because of its arguments.
func isAboutArguments(err error) bool {
	var f *Failure
	if !errors.As(err, &f) || f.Status != 0 && f.Status != http.StatusBadRequest && f.Status != 422 {
		return false
	}
	text := strings.ToLower(f.Message)
	return f.Status != 0 || strings.Contains(text, "argument") || strings.Contains(text, "invalid") ||
		strings.Contains(text, "query")
}

// zaiAnswer converts the result of Z.AI's tool. Its text is usually a list of pages in JSON; other
// text becomes the text of the answer.
func zaiAnswer(r toolResult) (a Answer) {
	texts := []string{string(r.Structured)}
	for _, part := range r.Content {
		texts = append(texts, part.Text)
	}
	for _, text := range texts {
		list, is := zaiResults([]byte(text), 0)
		if !is && text != "" {
			a.Text = strings.TrimSpace(a.Text + "\n\n" + text)
		}
		for _, p := range list {
			a.Sources = append(a.Sources, Source{p.Title, cmp.Or(p.Link, p.URL), p.Content, p.Date})
		}
	}
	return a
}

// zaiResults decodes a list of pages, which may be wrapped in an object or in a JSON string. is is
// false if text is no JSON.
func zaiResults(text []byte, depth int) (list []zaiResult, is bool) {
	if depth > 3 || !json.Valid(text) {
		return nil, false
	}
	if decode(text, &list) == nil {
		return list, true
	}
	var inner string
	if json.Unmarshal(text, &inner) == nil {
		return zaiResults([]byte(inner), depth+1)
	}
	var object struct {
		SearchResult []zaiResult `json:"search_result"`
		Results      []zaiResult `json:"results"`
	}
	_ = decode(text, &object)
	return append(object.SearchResult, object.Results...), true
}
