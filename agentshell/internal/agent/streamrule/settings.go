package streamrule

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Settings are what the person wants of all rules. The zero value is the default.
type Settings struct {
	NoBuiltin bool     // without the rules that ship with the program
	Disabled  []string // names of rules that do not hold
	// What holds for a rule that says nothing about it; see [Rule].
	RepeatAfter      int
	Gentle, KeepText bool
}

// Apply returns the rules that hold: own ones, then those that ship with the program. Of two rules
// of one name it is the first one.
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

// Unknown returns the names in Disabled that no rule has.
func (s Settings) Unknown(own []Rule) (names []string) {
	for _, name := range s.Disabled {
		if !slices.ContainsFunc(slices.Concat(own, builtin()), func(r Rule) bool { return r.Name == name }) {
			names = append(names, name)
		}
	}
	return names
}

// The patterns of builtin. A text begins behind a quote.
var (
	leftOut = lazyregexp.New(`(?im)(?:^|")\s*(?://|#|/\*|<!--|--)\s*(?:\.\.\.|…)\s*\(?(?:the )?` +
		`(?:rest of|existing|remaining|previous|other|same|unchanged)\b.*$`)
	conflictMark = lazyregexp.New(`(?m)(?:^|")<<<<<<< \S[^\n]*\n(?:[^\n]*\n)*?=======\n(?:[^\n]*\n)*?>>>>>>> `)
)

// builtin returns the rules that ship with the program.
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

// Briefing returns what the model is told of rules from the beginning: the whole text of those that
// always hold, and the descriptions of those that it looks up. "": nothing.
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
