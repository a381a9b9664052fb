package websearch

import (
	"cmp"
	"context"
	"strings"
)

// exaSummaries is the number of page summaries that are joined to the answer's text.
const exaSummaries = 3

// exa searches with Exa (docs.exa.ai). Without an API key it uses Exa's public MCP server.
func exa(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	count := q.count(10, 1, maxSources)
	if c.key == "" {
		result, err := c.callTool(ctx, "web_search_exa", map[string]any{"query": q.Text, "numResults": count})
		if err != nil {
			return Answer{}, err
		}
		return exaText(result.text()).limitSources(q), nil
	}
	var got struct {
		Results []struct {
			Title      string   `json:"title"`
			URL        string   `json:"url"`
			Text       string   `json:"text"`
			Summary    string   `json:"summary"`
			Highlights []string `json:"highlights"`
			Published  string   `json:"publishedDate"`
		} `json:"results"`
	}
	body := map[string]any{"query": q.Text, "type": "auto", "numResults": count,
		"contents": map[string]any{"summary": true, "text": map[string]any{"maxCharacters": 1000}}}
	if err := c.post(ctx, "/search", map[string]string{"X-Api-Key": c.key}, body, &got); err != nil {
		return Answer{}, err
	}
	var a Answer
	var summaries []string
	for _, r := range got.Results {
		text := cmp.Or(r.Summary, strings.Join(r.Highlights, " "), r.Text)
		a.Sources = append(a.Sources, Source{r.Title, r.URL, text, r.Published})
		if r.Summary != "" && len(summaries) < exaSummaries {
			summaries = append(summaries, r.Summary)
		}
	}
	a.Text = strings.Join(summaries, "\n\n")
	return a, nil
}

// exaText parses the text of Exa's MCP server. Each page has lines such as "Title: …" and "URL: …"
// before its text. If there are no such lines, the text itself is the answer.
func exaText(text string) (a Answer) {
	var page *Source
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case name == "Title":
			a.Sources = append(a.Sources, Source{Title: value})
			page = &a.Sources[len(a.Sources)-1]
		case page == nil:
		case name == "URL":
			page.URL = value
		case name == "Published Date" || name == "Published":
			page.Date = value
		case name == "Author":
		default:
			if len(page.Snippet) < maxSnippetBytes {
				page.Snippet += strings.TrimPrefix(line, "Text:") + " "
			}
		}
	}
	if len(a.Sources) == 0 {
		a.Text = text
	}
	return a
}
