package websearch

import (
	"context"
	"net/url"
	"strconv"
	"strings"
)

// brave searches with Brave Search (api-dashboard.search.brave.com). The answer has no member web
// if nothing was found.
func brave(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	values := url.Values{"q": {q.Text}, "count": {strconv.Itoa(q.count(10, 1, 20))}, "extra_snippets": {"true"}}
	if q.Recency != "" {
		values.Set("freshness", "p"+q.Recency[:1])
	}
	var got struct {
		Web struct {
			Results []struct {
				Title       string   `json:"title"`
				URL         string   `json:"url"`
				Description string   `json:"description"`
				Age         string   `json:"age"`
				Extra       []string `json:"extra_snippets"`
			} `json:"results"`
		} `json:"web"`
	}
	header := map[string]string{"X-Subscription-Token": c.key}
	if err := c.get(ctx, "/web/search?"+values.Encode(), header, &got); err != nil {
		return Answer{}, err
	}
	var a Answer
	for _, r := range got.Web.Results {
		text := strings.Join(append([]string{r.Description}, r.Extra...), " ")
		a.Sources = append(a.Sources, Source{withoutMarks(r.Title), r.URL, withoutMarks(text), r.Age})
	}
	return a, nil
}

// withoutMarks removes the HTML tags by which a service highlights the searched words.
func withoutMarks(text string) string {
	return strings.NewReplacer("<strong>", "", "</strong>", "", "<b>", "", "</b>", "", "<em>", "", "</em>", "",
		"&amp;", "&",
		"&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#x27;", "'", "&#39;", "'").Replace(text)
}
