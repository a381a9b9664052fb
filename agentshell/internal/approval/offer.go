package approval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// RuleSeparator separates the rules of one offer. A rule cannot contain it.
const RuleSeparator = "\n"

// commandOffers returns the offers for a command line. The first offer has an exact rule for each
// part of the line, the second one a rule that ends with *. A part with a computed word has the
// latter in both.
func commandOffers(c ParsedCommand) (offers []string) {
	if c.unread != "" {
		return nil
	}
	var exact, free []string
	add := func(to *[]string, rule string) {
		if !slices.Contains(*to, rule) {
			*to = append(*to, rule)
		}
	}
	for _, part := range c.Parts {
		e, f := wholeRule(part), ""
		if part.Code == "" {
			f = freeRule(part.Words)
		}
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
			len(rules) <= maxOfferRules && !strings.ContainsAny(strings.Join(rules, ""), "\n\r\x00") {
			offers = append(offers, offer)
		}
	}
	return offers
}

// lineOffers returns the offer of a rule for a whole line, for lines that no other rule can cover.
func lineOffers(command string) []string {
	command = strings.Trim(command, " \t\n")
	switch {
	case command == "" || len(command) > maxOfferedLine || whyNotLine(command) != "":
		return nil
	case whyNoLine(command) != "" || strings.Contains(command, "\n") || strings.HasPrefix(command, "$'"):
		return []string{"bash(" + quoteLine(command) + ")"}
	}
	return []string{"bash(" + command + ")"}
}

// maxOfferedLine is the largest number of bytes of a line for which a rule is offered, because the
// user has to read it.
const maxOfferedLine = 400

// maxOfferRules is the highest number of rules in an offer, because the user has to read them.
const maxOfferRules = 8

// irreversible lists commands for which no rule ending with * is offered. With other arguments,
// they could do something that cannot be undone. The user may still write such a rule.
var irreversible = []string{"rm", "rmdir", "unlink", "shred", "mv", "truncate", "kill", "chmod", "chown", "chgrp", "ln",
	"install", "curl", "wget", "rsync", "scp", "git push", "git reset", "git clean", "git checkout", "git restore",
	"git rm", "git branch", "git tag", "git rebase"}

// wholeRule returns the exact rule for a part of a line, or "" if that rule would not allow it.
func wholeRule(p Part) string {
	text := exactRule(p.Words)
	r, err := ParseRule(Allow, text)
	if text == "" || err != nil || !r.allowsPart(p) {
		return ""
	}
	return text
}

// exactRule returns the rule with exactly the words of a command, or "" if a word is computed.
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

// freeRule returns a rule that ends with *: the program and its subcommands, and then any harmless
// words. If the command has dangerous words, the rule also has all words up to the last dangerous
// one. It returns "" if nothing would be left for the *.
func freeRule(c SimpleCommand) string {
	named := program.Named(c)
	if named == 0 {
		return ""
	}
	n := named
	for n < len(c) && !program.Covers(c, n) {
		n++
	}
	if n == len(c) && named < n || slices.Contains(irreversible, joinWords(c[:named])) {
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
