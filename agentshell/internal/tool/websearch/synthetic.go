package websearch

import "context"

// synthetic searches with Synthetic's Search API (dev.synthetic.new).
func synthetic(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	var got struct {
		Results []struct {
			Title     string `json:"title"`
			URL       string `json:"url"`
			Text      string `json:"text"`
			Published string `json:"published"`
		} `json:"results"`
	}
	if err := c.post(ctx, "/search", c.bearer(), map[string]string{"query": q.Text}, &got); err != nil {
		return Answer{}, err
	}
	var a Answer
	for _, r := range got.Results {
		a.Sources = append(a.Sources, Source{r.Title, r.URL, r.Text, r.Published})
	}
	return a.limitSources(q), nil
}
