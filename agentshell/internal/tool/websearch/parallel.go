package websearch

import (
	"context"
	"strings"
)

// parallel searches with Parallel's Search API, version v1 (docs.parallel.ai), which has replaced
// v1beta.
func parallel(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	body := map[string]any{"objective": q.Text, "search_queries": []string{shortQuery(q.Text)}, "mode": "basic",
		"advanced_settings": map[string]any{"max_results": q.count(10, 1, 40),
			"excerpt_settings": map[string]any{"max_chars_per_result": 10_000}}}
	var got struct {
		Results []struct {
			Title    string   `json:"title"`
			URL      string   `json:"url"`
			Date     string   `json:"publish_date"`
			Excerpts []string `json:"excerpts"`
		} `json:"results"`
	}
	if err := c.post(ctx, "/v1/search", map[string]string{"X-Api-Key": c.key}, body, &got); err != nil {
		return Answer{}, err
	}
	var a Answer
	for _, r := range got.Results {
		a.Sources = append(a.Sources, Source{r.Title, r.URL, strings.Join(r.Excerpts, " "), r.Date})
	}
	return a, nil
}

// shortQuery returns the beginning of a query, at most 200 bytes, which is the limit of Parallel.
func shortQuery(query string) string {
	const most = 200
	if len(query) <= most {
		return query
	}
	return strings.TrimSuffix(clipText(query, most-1), "…")
}
