package theme

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// role describes one of the styles that a theme file can set.
type role struct {
	name string
	// Returns the style in a theme.
	style         func(*tui.Theme) *tui.Style
	mayBeDim      bool // Its only difference from other text may be that it is dim.
	onChangedLine bool // It is used for text on the backgrounds of added and removed lines.
}

// roles lists all styles that a theme file can set, with their names in the file.
var roles = []role{
	{name: "dim", style: func(t *tui.Theme) *tui.Style { return &t.Dim }, mayBeDim: true},
	{name: "strong", style: func(t *tui.Theme) *tui.Style { return &t.Strong }},
	{name: "accent", style: func(t *tui.Theme) *tui.Style { return &t.Accent }},
	{name: "ask", style: func(t *tui.Theme) *tui.Style { return &t.Ask }},
	{name: "added", style: func(t *tui.Theme) *tui.Style { return &t.Added }},
	{name: "removed", style: func(t *tui.Theme) *tui.Style { return &t.Removed }},
	{name: "added_line", style: func(t *tui.Theme) *tui.Style { return &t.AddedLine }},
	{name: "removed_line", style: func(t *tui.Theme) *tui.Style { return &t.RemovedLine }},
	{name: "warning", style: func(t *tui.Theme) *tui.Style { return &t.Warning }},
	{name: "error", style: func(t *tui.Theme) *tui.Style { return &t.Error }},
	{name: "code", style: func(t *tui.Theme) *tui.Style { return &t.Code }},
	{name: "person", style: func(t *tui.Theme) *tui.Style { return &t.Person }},
	{name: "heading", style: func(t *tui.Theme) *tui.Style { return &t.Heading }},
	{name: "status", style: func(t *tui.Theme) *tui.Style { return &t.Status },
		mayBeDim: true},
	{name: "keyword", style: func(t *tui.Theme) *tui.Style { return &t.Syntax.Keyword }},
	{name: "string", style: func(t *tui.Theme) *tui.Style { return &t.Syntax.String }},
	{name: "comment", style: func(t *tui.Theme) *tui.Style { return &t.Syntax.Comment },
		mayBeDim: true},
	{name: "number", style: func(t *tui.Theme) *tui.Style { return &t.Syntax.Number }},
	{name: "line_keyword", style: func(t *tui.Theme) *tui.Style { return &t.LineSyntax.Keyword }, onChangedLine: true},
	{name: "line_string", style: func(t *tui.Theme) *tui.Style { return &t.LineSyntax.String }, onChangedLine: true},
	{name: "line_comment", style: func(t *tui.Theme) *tui.Style { return &t.LineSyntax.Comment },
		onChangedLine: true, mayBeDim: true},
	{name: "line_number", style: func(t *tui.Theme) *tui.Style { return &t.LineSyntax.Number }, onChangedLine: true},
}

// askRole is the name of the role for the label of approval questions.
const askRole = "ask"

// roleNames returns the names of all roles of a theme file.
func roleNames() (list []string) {
	for _, r := range roles {
		list = append(list, r.name)
	}
	return list
}

// attributes lists the text attributes that a theme file can set, in the order in which error
// messages name them.
var attributes = []struct {
	name string
	attr tui.Attr
}{{"bold", tui.Bold}, {"italic", tui.Italic}, {"underline", tui.Underline}, {"dim", tui.Faint}}

// joinWithOr returns words as a part of a sentence, such as "a, b or c".
func joinWithOr(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
