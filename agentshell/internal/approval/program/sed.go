package program

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// sedOptions lists the options of sed that do not change what it does to files.
var sedOptions = []string{"-n", "-E", "-r", "-nE", "-En", "-nr", "-s", "--quiet", "--silent"}

// sedReads returns why a call of sed may do more than read, or "" if it only reads. words are the
// words after the name: options, scripts and files.
func sedReads(words []Word) (why string) {
	scripts := sedScripts(words)
	if len(scripts) == 0 {
		return "only a script of sed in the line is looked into"
	}
	for i, w := range words {
		switch {
		case !w.Literal:
			return "it has a word that is computed"
		case slices.Contains(scripts, i):
			if why := sedScriptReads(w.Text); why != "" {
				return "sed: " + why
			}
		case strings.HasPrefix(w.Text, "-") && !(w.Text == "-e" && slices.Contains(scripts, i+1)) &&
			!(slices.Contains(sedOptions, w.Text) && i < scripts[0]):
			return "sed " + w.Text + " may do more than read"
		}
	}
	return ""
}

// sedScripts returns the indexes of the scripts among the words of sed: the values of -e, or the
// first word that is no option.
func sedScripts(words []Word) (at []int) {
	for i := 0; i < len(words); i++ {
		switch {
		case words[i].Text == "-e" && i+1 < len(words):
			at = append(at, i+1)
			i++
		case len(at) == 0 && !strings.HasPrefix(words[i].Text, "-"):
			return []int{i}
		}
	}
	return at
}

var (
	sedAddress = lazyregexp.New(`^(\d+(~\d+)?|\$|\+\d+|/([^/\\\[\n]|\\[^\nn]|\[\^?[^][/\\\n]+\])*/I?)`)
	sedLabel   = lazyregexp.New(`^[:bt] ?[A-Za-z0-9_]*[ \t]*`)
	sedFlags   = lazyregexp.New(`^[gpiI0-9]*`)
	sedNumber  = lazyregexp.New(`^[ \t]*\d*`)
	sedBracket = lazyregexp.New(`^\[\^?\]?([^][\\\n]|\[:[a-z]+:\]|\\[^]\n])*\]`)
)

// sedScriptReads returns why a script of sed may write, run a program or read other files, or "" if
// it cannot.
func sedScriptReads(script string) (why string) {
	rest := script
	for rest != "" {
		rest = strings.TrimLeft(rest, " \t\n;{}")
		if rest == "" {
			break
		}
		if m := sedAddress().FindString(rest); m != "" && m[0] != '+' {
			rest = rest[len(m):]
			if after, ok := strings.CutPrefix(rest, ","); ok {
				m := sedAddress().FindString(after)
				if m == "" {
					return "an address is not known"
				}
				rest = after[len(m):]
			}
		}
		rest = strings.TrimLeft(strings.TrimLeft(rest, " !"), "{ ")
		if rest == "" || rest[0] == '}' {
			continue
		}
		if sedAddress().MatchString(rest) && rest[0] != '+' {
			continue // of a command in braces
		}
		if rest, why = parseSedCommand(rest); why != "" {
			return why
		}
		if rest != "" && !strings.ContainsRune(" \t\n;}", rune(rest[0])) {
			return "a command is not known"
		}
	}
	return ""
}

// parseSedCommand parses one command at the beginning of s, which may only print, delete, replace
// or move lines. It returns the rest of the script, or why the command is not accepted.
func parseSedCommand(s string) (rest, why string) {
	switch s[0] {
	case 'p', 'd', '=', 'g', 'G', 'h', 'H', 'n', 'N', 'D', 'P', 'x', 'z':
		return s[1:], ""
	case 'q', 'Q', 'l':
		return s[1+len(sedNumber().FindString(s[1:])):], ""
	case ':', 'b', 't':
		return s[len(sedLabel().FindString(s)):], ""
	case 's', 'y':
		return parseSedReplacement(s)
	}
	return "", "the command " + s[:1] + " may do more than read"
}

// parseSedReplacement parses s/a/b/ with harmless flags, or y/a/b/. It returns the rest of the
// script, or why it is not accepted.
func parseSedReplacement(s string) (rest, why string) {
	if len(s) < 4 || !strings.ContainsRune("/|,#:!@_%+=~", rune(s[1])) {
		return "", "a replacement is not known"
	}
	end, parts := 2, 0
	for ; end < len(s) && parts < 2; end++ {
		switch s[end] {
		case '\\':
			if end++; end < len(s) && s[end] == '\n' {
				return "", "a replacement goes on in the next line"
			}
		case '\n':
			return "", "a replacement goes on in the next line"
		case '[':
			if parts > 0 || s[0] == 'y' {
				continue
			}
			text := sedBracket().FindString(s[end:])
			if text == "" || strings.IndexByte(text, s[1]) >= 0 {
				return "", "what ends a pattern may stand in brackets"
			}
			end += len(text) - 1
		case s[1]:
			parts++
		}
	}
	if parts < 2 {
		return "", "a replacement does not end"
	}
	if s[0] == 'y' {
		return s[end:], ""
	}
	return s[end+len(sedFlags().FindString(s[end:])):], ""
}
