package websearch

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
)

// anthropicBlock is one content block in an answer of the Messages API.
type anthropicBlock struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Input struct {
		Query string `json:"query"`
	} `json:"input"`
	// Content is a list of results, or an object with an error. In both cases the HTTP status is
	// 200.
	Content   json.RawMessage `json:"content"`
	Citations []struct {
		URL   string `json:"url"`
		Title string `json:"title"`
		Text  string `json:"cited_text"`
	} `json:"citations"`
}

// anthropic searches with a Claude model that has the web search tool (docs.anthropic.com).
func anthropic(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	body := map[string]any{"model": cmp.Or(c.account.Model, "claude-haiku-4-5"),
		"max_tokens": cmp.Or(q.MaxTokens, 4096), "system": searchPrompt,
		"tools":    []map[string]any{{"type": "web_search_20250305", "name": "web_search", "max_uses": 5}},
		"messages": []map[string]string{{"role": "user", "content": q.Text}}}
	if q.Temperature != nil {
		body["temperature"] = *q.Temperature
	}
	header := map[string]string{"X-Api-Key": c.key, "Anthropic-Version": "2023-06-01"}
	var got struct {
		Model   string           `json:"model"`
		Content []anthropicBlock `json:"content"`
	}
	c.base = strings.TrimSuffix(c.base, "/v1")
	if err := c.post(ctx, "/v1/messages", header, body, &got); err != nil {
		return Answer{}, err
	}
	a := Answer{Model: got.Model}
	var text strings.Builder
	var failed string
	for _, b := range got.Content {
		switch b.Type {
		case "server_tool_use":
			a.Queries = append(a.Queries, b.Input.Query)
		case "web_search_tool_result":
			failed = cmp.Or(a.addResults(b.Content), failed)
		case "text":
			text.WriteString(b.Text)
			for _, cited := range b.Citations {
				a.Citations = append(a.Citations, Citation{cited.Title, cited.URL, cited.Text})
			}
		}
	}
	a.Text = text.String()
	if len(a.Sources) == 0 && failed != "" {
		return Answer{}, failureOf("the search failed: %s", failed)
	}
	return a.limitSources(q), nil
}

// addResults adds the results of one web search to an answer. It returns the error code of a failed
// search, or "".
func (a *Answer) addResults(content json.RawMessage) (code string) {
	var results []struct {
		Title string `json:"title"`
		URL   string `json:"url"`
		Age   string `json:"page_age"`
	}
	if decode(content, &results) == nil {
		for _, r := range results {
			a.Sources = append(a.Sources, Source{Title: r.Title, URL: r.URL, Date: r.Age})
		}
		return ""
	}
	var refusal struct {
		Code string `json:"error_code"`
	}
	_ = decode(content, &refusal)
	return cmp.Or(refusal.Code, "unknown error")
}
