package theme

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// role is one of the styles of a theme, by the name that it has in files.
type role struct {
	name  string
	of    func(*tui.Theme) *tui.Style
	quiet bool // context: it may be told from text by dim alone
	line  bool // stands on the grounds of changed lines, too
}

// roles are all of them.
var roles = []role{
	{name: "dim", of: func(t *tui.Theme) *tui.Style { return &t.Dim }, quiet: true},
	{name: "strong", of: func(t *tui.Theme) *tui.Style { return &t.Strong }},
	{name: "accent", of: func(t *tui.Theme) *tui.Style { return &t.Accent }},
	{name: "ask", of: func(t *tui.Theme) *tui.Style { return &t.Ask }},
	{name: "added", of: func(t *tui.Theme) *tui.Style { return &t.Added }},
	{name: "removed", of: func(t *tui.Theme) *tui.Style { return &t.Removed }},
	{name: "added_line", of: func(t *tui.Theme) *tui.Style { return &t.AddedLine }},
	{name: "removed_line", of: func(t *tui.Theme) *tui.Style { return &t.RemovedLine }},
	{name: "warning", of: func(t *tui.Theme) *tui.Style { return &t.Warning }},
	{name: "error", of: func(t *tui.Theme) *tui.Style { return &t.Error }},
	{name: "code", of: func(t *tui.Theme) *tui.Style { return &t.Code }},
	{name: "person", of: func(t *tui.Theme) *tui.Style { return &t.Person }},
	{name: "heading", of: func(t *tui.Theme) *tui.Style { return &t.Heading }},
	{name: "status", of: func(t *tui.Theme) *tui.Style { return &t.Status },
		quiet: true},
	{name: "keyword", of: func(t *tui.Theme) *tui.Style { return &t.Syntax.Keyword }},
	{name: "string", of: func(t *tui.Theme) *tui.Style { return &t.Syntax.String }},
	{name: "comment", of: func(t *tui.Theme) *tui.Style { return &t.Syntax.Comment },
		quiet: true},
	{name: "number", of: func(t *tui.Theme) *tui.Style { return &t.Syntax.Number }},
	{name: "line_keyword", of: func(t *tui.Theme) *tui.Style { return &t.LineSyntax.Keyword }, line: true},
	{name: "line_string", of: func(t *tui.Theme) *tui.Style { return &t.LineSyntax.String }, line: true},
	{name: "line_comment", of: func(t *tui.Theme) *tui.Style { return &t.LineSyntax.Comment },
		line: true, quiet: true},
	{name: "line_number", of: func(t *tui.Theme) *tui.Style { return &t.LineSyntax.Number }, line: true},
}

const ask = "ask"

// roleNames returns the names of all roles.
func roleNames() (list []string) {
	for _, r := range roles {
		list = append(list, r.name)
	}
	return list
}

// attributes are those that a file can set, in the order in which errors name them.
var attributes = []struct {
	name string
	attr tui.Attr
}{{"bold", tui.Bold}, {"italic", tui.Italic}, {"underline", tui.Underline}, {"dim", tui.Faint}}

// enumerated returns words as a sentence has them.
func enumerated(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
