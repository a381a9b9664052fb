package approval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// RuleSeparator stands between the rules of one offer. A line of code that a rule quotes has no
// line break, so it is in no rule.
const RuleSeparator = "\n"

// commandOffers returns the offers for a command line: a rule for each part word for word, and a
// rule for each part with its last words free. A part that has a computed word has only the second.
func commandOffers(c ParsedCommand) (offers []string) {
	if c.Opaque != "" {
		return nil
	}
	var exact, free []string
	add := func(to *[]string, rule string) {
		if !slices.Contains(*to, rule) {
			*to = append(*to, rule)
		}
	}
	for _, part := range c.parts {
		e, f := exactRule(part), freeRule(part)
		switch {
		case e == "" && f == "":
			return nil
		case e == "":
			e = f
		case f == "":
			f = e
		}
		add(&exact, e)
		add(&free, f)
	}
	for _, file := range c.Writes {
		add(&exact, "write_file("+escapeGlob(file)+")")
		add(&free, "write_file("+escapeGlob(file)+")")
	}
	for _, rules := range [][]string{exact, free} {
		if offer := strings.Join(rules, RuleSeparator); offer != "" && !slices.Contains(offers, offer) &&
			len(rules) <= mostRules && !strings.ContainsAny(strings.Join(rules, ""), "\n\r\x00") {
			offers = append(offers, offer)
		}
	}
	return offers
}

// mostRules is how many rules an offer has at the most: they have to be read.
const mostRules = 8

// lasting are commands whose free words are not offered: what they do to another name cannot be
// taken back. A person may write such a rule.
var lasting = []string{"rm", "rmdir", "unlink", "shred", "mv", "truncate", "kill", "chmod", "chown", "chgrp", "ln",
	"install", "curl", "wget", "rsync", "scp", "git push", "git reset", "git clean", "git checkout", "git restore",
	"git rm", "git branch", "git tag", "git rebase"}

// exactRule names a command word for word, or is "".
func exactRule(c SimpleCommand) string {
	var words []string
	for _, w := range c {
		q, err := syntax.Quote(w.Text, syntax.LangBash)
		if err != nil || !w.Literal {
			return ""
		}
		words = append(words, q)
	}
	return "bash(" + strings.Join(words, " ") + ")"
}

// freeRule names the program and its subcommands, with any harmless words behind, if that covers
// the command; else the words up to the last that is no harmless one; or it is "".
func freeRule(c SimpleCommand) string {
	named := program.Named(c)
	if named == 0 {
		return ""
	}
	n := named
	for n < len(c) && !program.Covers(c, n) {
		n++
	}
	if n == len(c) && named < n || slices.Contains(lasting, texts(c[:named])) {
		return "" // no word would be free, or what it does cannot be taken back
	}
	text := exactRule(c[:n])
	if text == "" {
		return ""
	}
	text = strings.TrimSuffix(text, ")") + " *)"
	r, err := ParseRule(Allow, text)
	if err != nil || !r.allows(c) {
		return ""
	}
	return text
}
