package websearch

import (
	"cmp"
	"context"
	"maps"
	"net/url"
)

// jina searches with Jina's reader (jina.ai/reader). It answers in JSON only if the request says
// so.
func jina(ctx context.Context, c serviceClient, q Query) (Answer, error) {
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
	return a.limitSources(q), nil
}

// limitSources returns the answer with at most as many sources as the query wants. It is for
// services that have no parameter for the number.
func (a Answer) limitSources(q Query) Answer {
	a.Sources = a.Sources[:min(len(a.Sources), q.count(maxSources, 1, maxSources))]
	return a
}
