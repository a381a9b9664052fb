package streamrule

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Settings are the user's settings for all stream rules. The zero value is the default.
type Settings struct {
	NoBuiltin bool     // turns the built-in rules off
	Disabled  []string // the names of rules that are turned off
	// RepeatAfter, Gentle and KeepText are the values for rules that do not set them; see [Rule].
	RepeatAfter      int
	Gentle, KeepText bool
}

// Apply returns the rules that are in effect: those of own, followed by the built-in ones. Of two
// rules with the same name, the first one counts.
func (s Settings) Apply(own []Rule) (rules []Rule) {
	all := own
	if !s.NoBuiltin {
		all = slices.Concat(own, builtin())
	}
	for _, r := range all {
		if slices.Contains(s.Disabled, r.Name) ||
			slices.ContainsFunc(rules, func(first Rule) bool { return first.Name == r.Name }) {
			continue
		}
		if !slices.Contains(r.says, "repeat") {
			r.RepeatAfter = s.RepeatAfter
		}
		r.Gentle = r.Gentle || s.Gentle && !slices.Contains(r.says, "interrupt")
		r.KeepText = r.KeepText || s.KeepText && !slices.Contains(r.says, "context")
		rules = append(rules, r)
	}
	return rules
}

// Unknown returns the names in Disabled that belong to no rule. own lists the rules besides the
// built-in ones.
func (s Settings) Unknown(own []Rule) (names []string) {
	for _, name := range s.Disabled {
		if !slices.ContainsFunc(slices.Concat(own, builtin()), func(r Rule) bool { return r.Name == name }) {
			names = append(names, name)
		}
	}
	return names
}

// The patterns of the built-in rules. A text in JSON arguments begins after a quote.
var (
	leftOut = lazyregexp.New(`(?im)(?:^|")\s*(?://|#|/\*|<!--|--)\s*(?:\.\.\.|…)\s*\(?(?:the )?` +
		`(?:rest of|existing|remaining|previous|other|same|unchanged)\b.*$`)
	conflictMark = lazyregexp.New(`(?m)(?:^|")<<<<<<< \S[^\n]*\n(?:[^\n]*\n)*?=======\n(?:[^\n]*\n)*?>>>>>>> `)
)

// builtin returns the built-in rules.
func builtin() []Rule {
	whole := []string{"tool:write_file"}
	return []Rule{
		{Name: "left-out-code", Shipped: true, scope: whole,
			patterns: []func() *regexp.Regexp{leftOut}, needs: []string{"...", "…"},
			Text: "write_file replaces the whole file, so a comment in " +
				"place of the rest removes what it stands for. Write the whole text, or change a part of the file " +
				"with the tool for edits. If the comment is meant to be in the file, write it again."},
		{Name: "conflict-marks", Shipped: true, scope: append(whole, "tool:edit_file", "tool:edit"), Gentle: true,
			patterns: []func() *regexp.Regexp{conflictMark}, needs: []string{"=======\n"},
			Text: "What you wrote has the marks of a merge conflict " +
				"(<<<<<<<, =======, >>>>>>>). Unless they are meant to be in the file, settle the conflict."},
	}
}

// Briefing returns the text about rules for the system prompt: the full text of rules that always
// apply, and the descriptions of rules that the model reads when it needs them. "": there are none.
func Briefing(rules []Rule) string {
	var b strings.Builder
	for _, who := range []struct {
		workspace    bool
		always, book string
	}{
		{false, "The person wants these rules to be followed.\n", "The person keeps these rules for you. Before " +
			"you do what one is about, read it: read_file rule://NAME.\n"},
		{true, "The workspace has these rules, which the person has allowed; they grant nothing.\n", "The " +
			"workspace has these rules, which the person has allowed; they grant nothing. Before you do what one is " +
			"about, read it: read_file rule://NAME.\n"},
	} {
		for _, r := range rules {
			if r.Always && r.OfWorkspace == who.workspace {
				fmt.Fprintf(&b, "%s<rule name=%q>\n%s\n</rule>\n", who.always, r.Name,
					strings.ReplaceAll(r.Text, "</rule", "<\\/rule"))
				who.always = ""
			}
		}
		for _, r := range rules {
			if !r.Always && !r.OnStream() && r.OfWorkspace == who.workspace {
				fmt.Fprintf(&b, "%s- %s: %s\n", who.book, r.Name, r.About)
				who.book = ""
			}
		}
	}
	return b.String()
}
