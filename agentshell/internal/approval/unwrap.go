package approval

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

var (
	seconds = lazyregexp.New(`^\d+(\.\d+)?[smhd]?$`)
	setting = lazyregexp.New(`^([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)
)

// isSystemProgram reports whether w is the name of one of the programs, or its path in /bin or
// /usr/bin.
func isSystemProgram(w Word, names ...string) bool {
	if !w.Literal {
		return false
	}
	return slices.ContainsFunc(names, func(n string) bool {
		return w.Text == n || w.Text == "/bin/"+n || w.Text == "/usr/bin/"+n
	})
}

// shellScript returns the script of a command sh -c 'script' without further words.
func shellScript(c SimpleCommand) (script string, ok bool) {
	if len(c) != 3 || !isSystemProgram(c[0], "sh", "bash", "dash") || !c[1].Literal || !c[2].Literal {
		return "", false
	}
	return c[2].Text, slices.Contains([]string{"-c", "-ec", "-ce", "-euc", "-uc"}, c[1].Text)
}

// unwrapped returns the command that a program such as timeout or nice runs without changing its
// meaning: make for timeout 10 make. ok is false for other programs and for unknown spellings.
func unwrapped(c SimpleCommand) (rest SimpleCommand, ok bool) {
	i := 1
	text := func() string {
		if i < len(c) && c[i].Literal {
			return c[i].Text
		}
		return ""
	}
	switch {
	case isSystemProgram(c[0], "timeout"):
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
		if !seconds().MatchString(text()) {
			return nil, false
		}
		i++
	case isSystemProgram(c[0], "nice"):
		switch t := text(); {
		case t == "-n" && i+1 < len(c) && c[i+1].Literal && plainArgument(c[i+1].Text):
			i += 2
		case len(t) > 1 && t[0] == '-' && strings.Trim(strings.TrimPrefix(t[1:], "n"), "0123456789") == "" && t != "-n":
			i++
		}
	case isSystemProgram(c[0], "env"):
		for m := setting().FindStringSubmatch(text()); m != nil; m = setting().FindStringSubmatch(text()) {
			if !isSettable(m[1], m[2]) {
				return nil, false
			}
			i++
		}
	case isSystemProgram(c[0], "nohup"):
	case isSystemProgram(c[0], "xargs"):
		return xargs(c)
	default:
		return nil, false
	}
	if i >= len(c) || !c[i].Literal || !beginsPlain(c[i].Text) || setting().MatchString(c[i].Text) ||
		changesMeaning(c[i].Text) {
		return nil, false
	}
	return c[i:], true
}

func plainArgument(s string) bool { return s != "" && strings.Trim(s, plainLetters) == "" }

// changesMeaning reports whether a name is a builtin of the shell that a program such as env cannot
// run with the same meaning.
func changesMeaning(name string) bool { return name == "cd" || name == "read" }

// xargs returns the command that xargs runs, followed by one unknown word, which may be an option.
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
	if i >= len(c) || !c[i].Literal || !beginsPlain(c[i].Text) || setting().MatchString(c[i].Text) ||
		changesMeaning(c[i].Text) {
		return nil, false
	}
	return append(slices.Clone(c[i:]), Word{}), true
}

// findExec splits a find -exec into the search and the command that runs for each file. It requires
// that the names of found files cannot be options.
func findExec(c SimpleCommand) (search, run SimpleCommand, ok bool) {
	if !isSystemProgram(c[0], "find") || slices.ContainsFunc(c, func(w Word) bool { return !w.Literal }) {
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
		return nil, nil, false // then the places follow later, or come from a file
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
	if !run[0].Literal || changesMeaning(run[0].Text) {
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
