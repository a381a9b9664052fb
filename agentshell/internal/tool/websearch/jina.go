package websearch

import (
	"cmp"
	"context"
	"maps"
	"net/url"
)

// jina asks Jina's reader (jina.ai/reader), which answers in JSON only where that is asked for.
func jina(ctx context.Context, c client, q Query) (Answer, error) {
	header := map[string]string{"X-Respond-With": "no-content"}
	maps.Copy(header, c.bearer())
	var got struct {
		Data []struct {
			Title       string `json:"title"`
			URL         string `json:"url"`
			Description string `json:"description"`
			Content     string `json:"content"`
			Date        string `json:"date"`
		} `json:"data"`
	}
	if err := c.get(ctx, "/"+url.PathEscape(q.Text), header, &got); err != nil {
		return Answer{}, err
	}
	var a Answer
	for _, r := range got.Data {
		a.Sources = append(a.Sources, Source{r.Title, r.URL, cmp.Or(r.Description, r.Content), r.Date})
	}
	return a.first(q), nil
}

// first returns an answer with no more sources than the query wants, for a service that cannot be
// told how many.
func (a Answer) first(q Query) Answer {
	a.Sources = a.Sources[:min(len(a.Sources), q.count(maxSources, 1, maxSources))]
	return a
}
