package websearch

import (
	"cmp"
	"context"
)

// kimi searches with the search service of Kimi Code (www.kimi.com/code).
func kimi(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	body := map[string]any{"text_query": q.Text, "limit": q.count(10, 1, 20), "enable_page_crawling": false,
		"timeout_seconds": 30}
	var got struct {
		Results []struct {
			Site    string `json:"site_name"`
			Title   string `json:"title"`
			URL     string `json:"url"`
			Snippet string `json:"snippet"`
			Content string `json:"content"`
			Date    string `json:"date"`
		} `json:"search_results"`
	}
	if err := c.post(ctx, "/search", c.bearer(), body, &got); err != nil {
		return Answer{}, err
	}
	var a Answer
	for _, r := range got.Results {
		a.Sources = append(a.Sources, Source{cmp.Or(r.Title, r.Site), r.URL, cmp.Or(r.Snippet, r.Content), r.Date})
	}
	return a, nil
}
