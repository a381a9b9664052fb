package websearch

import (
	"cmp"
	"context"
)

// searchPrompt is the system prompt for models that search.
const searchPrompt = "Search the web for the question and answer it from what you find: facts, numbers, dates " +
	"and names, with their sources. Say what you did not find. Be brief."

// perplexity searches with Perplexity's chat completions (docs.perplexity.ai).
func perplexity(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	breadth := q.Breadth
	if breadth <= 0 {
		breadth = 10
	}
	temperature := 0.2
	if q.Temperature != nil {
		temperature = *q.Temperature
	}
	body := map[string]any{"model": cmp.Or(c.account.Model, "sonar-pro"), "search_mode": "web",
		"num_search_results": min(breadth, maxSources), "max_tokens": cmp.Or(q.MaxTokens, 8192),
		"temperature": temperature,
		"messages": []map[string]string{{"role": "system", "content": searchPrompt}, {"role": "user",
			"content": q.Text}}}
	if q.Recency != "" {
		body["search_recency_filter"] = q.Recency
	}
	var got struct {
		Model   string `json:"model"`
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
		Citations     []string `json:"citations"`
		SearchResults []struct {
			Title   string `json:"title"`
			URL     string `json:"url"`
			Date    string `json:"date"`
			Snippet string `json:"snippet"`
		} `json:"search_results"`
		Related []string `json:"related_questions"`
	}
	if err := c.post(ctx, "/chat/completions", c.bearer(), body, &got); err != nil {
		return Answer{}, err
	}
	a := Answer{Model: got.Model, Related: got.Related}
	if len(got.Choices) > 0 {
		a.Text = got.Choices[0].Message.Content
	}
	for _, r := range got.SearchResults {
		a.Sources = append(a.Sources, Source{r.Title, r.URL, r.Snippet, r.Date})
	}
	for _, at := range got.Citations { // addresses alone: the numbers in the text are theirs
		if len(got.SearchResults) == 0 {
			a.Sources = append(a.Sources, Source{URL: at})
		}
	}
	return a, nil
}
