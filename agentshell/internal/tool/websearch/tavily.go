package websearch

import "context"

// tavily searches with Tavily's Search API (docs.tavily.com).
func tavily(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	body := map[string]any{"query": q.Text, "search_depth": "basic", "include_answer": true,
		"max_results": q.count(5, 5, 20)}
	if q.Recency != "" {
		body["time_range"] = q.Recency
	}
	var got struct {
		Answer  string `json:"answer"`
		Results []struct {
			Title     string `json:"title"`
			URL       string `json:"url"`
			Content   string `json:"content"`
			Published string `json:"published_date"`
		} `json:"results"`
	}
	if err := c.post(ctx, "/search", c.bearer(), body, &got); err != nil {
		return Answer{}, err
	}
	a := Answer{Text: got.Answer}
	for _, r := range got.Results {
		a.Sources = append(a.Sources, Source{r.Title, r.URL, r.Content, r.Published})
	}
	return a, nil
}
