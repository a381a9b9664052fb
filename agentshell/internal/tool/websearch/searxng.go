package websearch

import (
	"context"
	"encoding/base64"
	"net/url"
)

// searxng searches with a SearXNG server (docs.searxng.org). The server must allow the format json.
func searxng(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	values := url.Values{"q": {q.Text}, "format": {"json"}}
	for name, value := range map[string]string{"categories": c.account.Categories, "language": c.account.Language,
		"time_range": q.Recency} {
		if value != "" {
			values.Set(name, value)
		}
	}
	if q.Recency == "week" { // it knows no week
		values.Set("time_range", "month")
	}
	header := c.bearer()
	if c.account.User != "" {
		pair := base64.StdEncoding.EncodeToString([]byte(c.account.User + ":" + c.key))
		header = map[string]string{"Authorization": "Basic " + pair}
	}
	var got struct {
		Results []struct {
			Title     string `json:"title"`
			URL       string `json:"url"`
			Content   string `json:"content"`
			Published string `json:"publishedDate"`
		} `json:"results"`
		Suggestions []string `json:"suggestions"`
	}
	if err := c.get(ctx, "/search?"+values.Encode(), header, &got); err != nil {
		return Answer{}, err
	}
	a := Answer{Related: got.Suggestions}
	for _, r := range got.Results {
		a.Sources = append(a.Sources, Source{r.Title, r.URL, r.Content, r.Published})
	}
	a.Sources = a.Sources[:min(len(a.Sources), q.count(10, 1, 20))]
	return a, nil
}
