package websearch

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/untrusted"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// These constants limit the text for a model.
const (
	maxSnippetChars = 240 // maxSnippetChars is the number of characters of a snippet and of a citation.
	maxToldQueries  = 3
	maxQueryChars   = 120 // maxQueryChars is the number of characters of a query.
)

// Format returns the answer as text for a model.
func (a Answer) Format() string {
	var parts []string
	add := func(lines ...string) { parts = append(parts, strings.Join(lines, "\n")) }
	if a.Text != "" {
		add(a.Text)
	}
	if len(a.Sources) > 0 {
		lines := []string{"## Sources", plural.Of(len(a.Sources), "source")}
		for i, s := range a.Sources {
			lines = append(lines, s.heading(i+1), "    "+s.URL)
			if s.Snippet != "" {
				lines = append(lines, "    "+clipText(s.Snippet, maxSnippetChars))
			}
		}
		add(lines...)
	}
	if len(a.Citations) > 0 {
		lines := []string{"## Citations", plural.Of(len(a.Citations), "citation")}
		for i, c := range a.Citations {
			lines = append(lines, fmt.Sprintf("[%d] %s", i+1, c.Title), "    "+c.URL)
			if c.Text != "" {
				lines = append(lines, "    "+clipText(c.Text, maxSnippetChars))
			}
		}
		add(lines...)
	}
	if len(a.Related) > 0 {
		add("## Related", "- "+strings.Join(a.Related, "\n- "))
	}
	if len(a.Queries) > 0 {
		lines := []string{fmt.Sprintf("Search queries: %d", len(a.Queries))}
		for _, q := range a.Queries[:min(len(a.Queries), maxToldQueries)] {
			lines = append(lines, "- "+clipText(q, maxQueryChars))
		}
		add(lines...)
	}
	if len(parts) == 0 {
		return "[no results]\n"
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// heading returns the first line of a source: its number, title and date.
func (s Source) heading(number int) string {
	line := fmt.Sprintf("[%d] %s", number, s.Title)
	if s.Date != "" {
		line += " (" + s.Date + ")"
	}
	return line
}

// Lines returns the sources for the user, with one line for the title and one for the URL. If there
// are none, it returns the beginning of the text.
func (a Answer) Lines() string {
	var b strings.Builder
	for i, s := range a.Sources {
		fmt.Fprintf(&b, "%s\n    %s\n", s.heading(i+1), s.URL)
	}
	if b.Len() == 0 {
		return clipText(untrusted.Line(a.Text, maxTitleBytes), maxTitleBytes)
	}
	return b.String()
}

// clipText returns the first most characters of a text, followed by "…" if it was longer.
func clipText(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return strings.TrimSpace(width.Head(text, i)) + "…"
		}
		n++
	}
	return text
}
