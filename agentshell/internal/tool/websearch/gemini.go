package websearch

import (
	"cmp"
	"context"
	"net/url"
	"strings"
)

// geminiAnswer is an answer of generateContent. The grounding metadata can be missing even after a
// search.
type geminiAnswer struct {
	Model      string `json:"modelVersion"`
	Candidates []struct {
		Content struct {
			Parts []struct {
				Text    string `json:"text"`
				Thought bool   `json:"thought"`
			} `json:"parts"`
		} `json:"content"`
		Grounding struct {
			Queries []string `json:"webSearchQueries"`
			Chunks  []struct {
				Web struct {
					URI   string `json:"uri"`
					Title string `json:"title"`
				} `json:"web"`
			} `json:"groundingChunks"`
			Supports []struct {
				Segment struct {
					Text string `json:"text"`
				} `json:"segment"`
				Chunks []int `json:"groundingChunkIndices"`
			} `json:"groundingSupports"`
		} `json:"groundingMetadata"`
	} `json:"candidates"`
}

// gemini searches with a Gemini model and grounding with Google Search (ai.google.dev).
func gemini(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	settings := map[string]any{}
	if q.MaxTokens > 0 {
		settings["maxOutputTokens"] = q.MaxTokens
	}
	if q.Temperature != nil {
		settings["temperature"] = *q.Temperature
	}
	text := func(s string) map[string]any { return map[string]any{"parts": []map[string]string{{"text": s}}} }
	question := text(q.Text)
	question["role"] = "user"
	body := map[string]any{"systemInstruction": text(searchPrompt), "contents": []any{question},
		"tools": []any{map[string]any{"google_search": map[string]any{}}}, "generationConfig": settings}
	var got geminiAnswer
	path := "/models/" + url.PathEscape(cmp.Or(c.account.Model, "gemini-2.5-flash")) + ":generateContent"
	if err := c.post(ctx, path, map[string]string{"X-Goog-Api-Key": c.key}, body, &got); err != nil {
		return Answer{}, err
	}
	return got.answer().limitSources(q), nil
}

// answer converts the first candidate to an Answer.
func (g geminiAnswer) answer() Answer {
	a := Answer{Model: g.Model}
	if len(g.Candidates) == 0 {
		return a
	}
	first := g.Candidates[0]
	var b strings.Builder
	for _, p := range first.Content.Parts {
		if !p.Thought {
			b.WriteString(p.Text)
		}
	}
	a.Text, a.Queries = b.String(), first.Grounding.Queries
	for _, chunk := range first.Grounding.Chunks {
		a.Sources = append(a.Sources, Source{Title: chunk.Web.Title, URL: chunk.Web.URI})
	}
	for _, s := range first.Grounding.Supports {
		for _, i := range s.Chunks {
			if i >= 0 && i < len(first.Grounding.Chunks) {
				web := first.Grounding.Chunks[i].Web
				a.Citations = append(a.Citations, Citation{web.Title, web.URI, s.Segment.Text})
			}
		}
	}
	return a
}
