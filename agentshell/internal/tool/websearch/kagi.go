package websearch

import (
	"cmp"
	"context"
	"time"
)

// kagiResult is one result in a list of Kagi.
type kagiResult struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	Snippet string `json:"snippet"`
	Time    string `json:"time"`
	Props   struct {
		Question string `json:"question"`
	} `json:"props"`
}

// kagi searches with Kagi's Search API (help.kagi.com).
func kagi(ctx context.Context, c serviceClient, q Query) (Answer, error) {
	body := map[string]any{"query": q.Text, "workflow": "search", "limit": q.count(10, 1, 40)}
	if after := firstDay(q); after != "" {
		body["filters"] = map[string]string{"after": after}
	}
	var got struct {
		Data struct {
			Search   []kagiResult `json:"search"`
			Video    []kagiResult `json:"video"`
			News     []kagiResult `json:"news"`
			Infobox  []kagiResult `json:"infobox"`
			Direct   []kagiResult `json:"direct_answer"`
			Adjacent []kagiResult `json:"adjacent_question"`
			Related  []kagiResult `json:"related_search"`
		} `json:"data"`
	}
	if err := c.post(ctx, "/search", c.bearer(), body, &got); err != nil {
		return Answer{}, err
	}
	var a Answer
	for _, list := range []struct {
		tag     string
		results []kagiResult
	}{{"", got.Data.Search}, {"[video] ", got.Data.Video}, {"[news] ", got.Data.News}, {"[infobox] ",
		got.Data.Infobox}} {
		for _, r := range list.results {
			a.Sources = append(a.Sources, Source{list.tag + r.Title, r.URL, withoutMarks(r.Snippet), r.Time})
		}
	}
	for _, list := range [][]kagiResult{got.Data.Adjacent, got.Data.Related} {
		for _, r := range list {
			a.Related = append(a.Related, r.Props.Question)
		}
	}
	if len(got.Data.Direct) > 0 {
		a.Text = cmp.Or(got.Data.Direct[0].Snippet, got.Data.Direct[0].Title)
	}
	return a, nil
}

// firstDay returns the first day that the query's Recency includes, or "" for any time.
func firstDay(q Query) string {
	day := q.Now.UTC()
	switch q.Recency {
	case "day":
		day = day.AddDate(0, 0, -1)
	case "week":
		day = day.AddDate(0, 0, -7)
	case "month":
		day = day.AddDate(0, -1, 0)
	case "year":
		day = day.AddDate(-1, 0, 0)
	default:
		return ""
	}
	return day.Format(time.DateOnly)
}
