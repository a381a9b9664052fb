package approval

import (
	"regexp"
	"slices"
	"strings"
)

var (
	seconds = regexp.MustCompile(`^\d+(\.\d+)?[smhd]?$`)
	setting = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)
)

// system reports whether a program is called by its name, or by its path among the system's.
func system(w Word, names ...string) bool {
	if !w.Literal {
		return false
	}
	return slices.ContainsFunc(names, func(n string) bool {
		return w.Text == n || w.Text == "/bin/"+n || w.Text == "/usr/bin/"+n
	})
}

// shellScript returns the text that sh -c 'text' runs, with no word behind it.
func shellScript(c SimpleCommand) (script string, ok bool) {
	if len(c) != 3 || !system(c[0], "sh", "bash", "dash") || !c[1].Literal || !c[2].Literal {
		return "", false
	}
	return c[2].Text, slices.Contains([]string{"-c", "-ec", "-ce", "-euc", "-uc"}, c[1].Text)
}

// unwrap returns the command that a program runs which changes nothing of its meaning: timeout 10
// make. A spelling that is not known here is left as it is.
func unwrap(c SimpleCommand) (rest SimpleCommand, ok bool) {
	i := 1
	text := func() string {
		if i < len(c) && c[i].Literal {
			return c[i].Text
		}
		return ""
	}
	switch {
	case system(c[0], "timeout"):
		for ok := true; ok; {
			switch t := text(); {
			case t == "--preserve-status" || t == "--foreground" || t == "-v" || t == "--verbose":
				i++
			case (t == "-k" || t == "-s") && i+1 < len(c) && c[i+1].Literal && plainArgument(c[i+1].Text):
				i += 2
			case strings.HasPrefix(t, "--kill-after=") || strings.HasPrefix(t, "--signal="):
				i++
			default:
				ok = false
			}
		}
		if !seconds.MatchString(text()) {
			return nil, false
		}
		i++
	case system(c[0], "nice"):
		switch t := text(); {
		case t == "-n" && i+1 < len(c) && c[i+1].Literal && plainArgument(c[i+1].Text):
			i += 2
		case len(t) > 1 && t[0] == '-' && strings.Trim(strings.TrimPrefix(t[1:], "n"), "0123456789") == "" && t != "-n":
			i++
		}
	case system(c[0], "env"):
		for m := setting.FindStringSubmatch(text()); m != nil; m = setting.FindStringSubmatch(text()) {
			if !settable(m[1], m[2]) {
				return nil, false
			}
			i++
		}
	case system(c[0], "nohup"):
	case system(c[0], "xargs"):
		return xargs(c)
	default:
		return nil, false
	}
	if i >= len(c) || !c[i].Literal || !beginsPlain(c[i].Text) || setting.MatchString(c[i].Text) || builtin(c[i].Text) {
		return nil, false
	}
	return c[i:], true
}

func plainArgument(s string) bool { return s != "" && strings.Trim(s, plainLetters) == "" }

// builtin reports whether a name means something else to the shell than to a program that runs it:
// such a line is left alone.
func builtin(name string) bool { return name == "cd" || name == "read" }

// xargs returns the command that xargs runs with words that are not known: they may be options.
func xargs(c SimpleCommand) (rest SimpleCommand, ok bool) {
	i := 1
	for i < len(c) && c[i].Literal && strings.HasPrefix(c[i].Text, "-") {
		switch t := c[i].Text; {
		case slices.Contains([]string{"-0", "--null", "-r", "--no-run-if-empty", "-t", "-0r", "-r0"}, t):
			i++
		case slices.Contains([]string{"-n", "-P", "-L"}, t) && i+1 < len(c) && c[i+1].Literal &&
			plainArgument(c[i+1].Text):
			i += 2
		case len(t) > 2 && strings.ContainsRune("nPL", rune(t[1])) && strings.Trim(t[2:], "0123456789") == "":
			i++
		default:
			return nil, false
		}
	}
	if i >= len(c) || !c[i].Literal || !beginsPlain(c[i].Text) || setting.MatchString(c[i].Text) || builtin(c[i].Text) {
		return nil, false
	}
	return append(slices.Clone(c[i:]), Word{}), true
}

// findExec takes find -exec apart: the search, and the command that runs with the names of what was
// found. They begin as the places do where the search begins.
func findExec(c SimpleCommand) (search, run SimpleCommand, ok bool) {
	if !system(c[0], "find") || slices.ContainsFunc(c, func(w Word) bool { return !w.Literal }) {
		return nil, nil, false
	}
	at := slices.Index(c, Word{Text: "-exec", Literal: true})
	if at < 0 {
		return nil, nil, false
	}
	end := at + 1
	for end < len(c) && c[end].Text != ";" && !(c[end].Text == "+" && c[end-1].Text == "{}") {
		end++
	}
	if end >= len(c) || end == at+1 {
		return nil, nil, false
	}
	if len(c[1].Text) == 2 && strings.Contains("-H-L-P", c[1].Text) || strings.HasPrefix(c[1].Text, "-O") ||
		c[1].Text == "-D" || slices.ContainsFunc(c, func(w Word) bool { return w.Text == "-files0-from" }) {
		return nil, nil, false // the places come behind it, or from a file
	}
	for i := 1; i < len(c) && strings.IndexByte("-(!", first(c[i].Text)) < 0; i++ {
		if !beginsPlain(c[i].Text) {
			return nil, nil, false
		}
	}
	for _, w := range c[at+1 : end] {
		switch {
		case w.Text == "{}":
			w = Word{Safe: true}
		case strings.Contains(w.Text, "{}"):
			return nil, nil, false
		}
		run = append(run, w)
	}
	if !run[0].Literal || builtin(run[0].Text) {
		return nil, nil, false
	}
	search = slices.Concat(c[:at], c[end+1:])
	if slices.ContainsFunc(search, func(w Word) bool { return w.Text == "-exec" }) {
		return nil, nil, false
	}
	return search, run, true
}

func first(s string) byte {
	if s == "" {
		return ' '
	}
	return s[0]
}
