package websearch

import (
	"cmp"
	"context"
	"net/url"
	"regexp"
	"strings"
)

// openaiItem is one output item in an answer of the Responses API.
type openaiItem struct {
	Type   string `json:"type"`
	Action struct {
		Query   string `json:"query"`
		Sources []struct {
			Type string `json:"type"` // "url"; others, such as "api", have a name and no address
			URL  string `json:"url"`
		} `json:"sources"`
	} `json:"action"`
	Content []struct {
		Type        string `json:"type"`
		Text        string `json:"text"`
		Annotations []struct {
			Type  string `json:"type"`
			URL   string `json:"url"`
			Title string `json:"title"`
		} `json:"annotations"`
	} `json:"content"`
}

// openai searches with an OpenAI model that has the web search tool (platform.openai.com).
func openai(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	body := map[string]any{"model": cmp.Or(c.account.Model, "gpt-5.4-mini"), "instructions": searchPrompt,
		"input":       q.Text,
		"tools":       []map[string]any{{"type": "web_search", "search_context_size": "high"}},
		"tool_choice": map[string]string{"type": "web_search"}, "include": []string{"web_search_call.action.sources"},
		"store": false}
	var got struct {
		Model  string       `json:"model"`
		Output []openaiItem `json:"output"`
	}
	if err := c.post(ctx, "/responses", c.bearer(), body, &got); err != nil {
		return Answer{}, err
	}
	a := Answer{Model: got.Model}
	var text strings.Builder
	var looked []Source
	for _, item := range got.Output {
		if item.Type == "web_search_call" {
			a.Queries = append(a.Queries, item.Action.Query)
			for _, s := range item.Action.Sources {
				if s.Type == "" || s.Type == "url" {
					looked = append(looked, Source{URL: s.URL})
				}
			}
		}
		for _, part := range item.Content {
			if part.Type != "output_text" {
				continue
			}
			text.WriteString(part.Text)
			for _, n := range part.Annotations {
				if n.Type == "url_citation" {
					a.Sources = append(a.Sources, Source{Title: n.Title, URL: withoutCampaign(n.URL)})
				}
			}
		}
	}
	a.Text = text.String()
	if len(a.Sources) == 0 {
		a.Sources = addressesIn(a.Text)
	}
	a.Sources = append(a.Sources, looked...) // behind those that the answer names
	return a.limitSources(q), nil
}

// withoutCampaign removes the parameter utm_source=openai, which OpenAI adds to URLs.
func withoutCampaign(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Query().Get("utm_source") != "openai" {
		return address
	}
	values := u.Query()
	values.Del("utm_source")
	u.RawQuery = values.Encode()
	return u.String()
}

// addressesIn returns the URLs in a text as sources: Markdown links and bare URLs. It is used if
// the answer names no sources.
func addressesIn(text string) (list []Source) {
	link := regexp.MustCompile(`\[([^\[\]\n]{1,300})\]\((https?://[^\s()<>]+)\)`)
	alone := regexp.MustCompile(`https?://[^\s()<>\[\]"']+`)
	for _, m := range link.FindAllStringSubmatch(text, maxSources) {
		list = append(list, Source{Title: m[1], URL: m[2]})
	}
	for _, at := range alone.FindAllString(text, 2*maxSources) {
		list = append(list, Source{URL: strings.TrimRight(at, ".,;:!?")})
	}
	return list
}
