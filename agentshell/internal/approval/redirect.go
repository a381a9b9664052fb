package approval

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirect reads a redirection. It understands files of the workspace, /dev/null, other
// descriptors, and texts without an expansion, and gives up otherwise.
func (p *partsReader) redirect(r *syntax.Redirect, in []string) {
	if !isNumber(r.N) {
		p.giveUp("it sets variables") // {name}>file
		return
	}
	target, ok := literal(r.Word)
	switch {
	case r.Op == syntax.DplOut || r.Op == syntax.DplIn:
		if !ok || !isDescriptor(target) {
			p.giveUp("it redirects to a descriptor that is computed")
		}
		return
	case r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc:
		if !isPlainDelimiter(r.Word) {
			p.giveUp("it has a here-document whose end may be read in two ways")
		}
		if r.Hdoc != nil {
			for _, part := range r.Hdoc.Parts {
				if _, plain := part.(*syntax.Lit); !plain {
					p.giveUp("it has a here-document with an expansion")
				}
			}
		}
		return
	case r.Op == syntax.WordHdoc:
		if !ok {
			p.giveUp("it has a here-string with an expansion")
		}
		return
	case !ok && strings.HasPrefix(r.Word.Lit(), "~/"):
		p.giveUp("it redirects to or from a file of the home directory, not plainly in the workspace: " +
			quotedText(r.Word.Lit()))
		return
	case !ok:
		p.giveUp("it redirects to or from a file whose name is computed")
		return
	case target == "/dev/null":
		return
	case !isInside(target):
		p.giveUp("it redirects to or from a file that is not plainly in the workspace: " + quotedText(target))
		return
	}
	if slices.ContainsFunc(in, isAbove) {
		p.giveUp("it may redirect above the top of the workspace")
		return
	}
	switch r.Op {
	case syntax.RdrIn:
		for _, d := range in {
			p.inputs = union(p.inputs, []string{path.Join(d, target)})
		}
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		for _, d := range in {
			if at := path.Join(d, target); !slices.Contains(p.writes, at) {
				p.writes = append(p.writes, at)
			}
		}
		if hiddenPath(target) {
			p.giveUp("it writes a hidden file, which programs may run: " + quotedText(target))
		}
	default:
		p.giveUp("it opens a file for reading and writing")
	}
}

// isNumber reports whether every shell takes the text before a redirection for the number of a
// descriptor. Some take longer numbers for a word of the command: dash if it has two digits, bash
// if it is too large.
func isNumber(n *syntax.Lit) bool {
	return n == nil || len(n.Value) == 1 && n.Value[0] >= '0' && n.Value[0] <= '9'
}

// isDescriptor reports whether the target of a redirection is the number of a descriptor, with or
// without - after it, or a - alone, which closes one. bash takes other texts for files or for a
// word of the command.
func isDescriptor(target string) bool {
	number := strings.TrimSuffix(target, "-")
	return target != "" && len(number) <= 1 && strings.Trim(number, "0123456789") == ""
}

// feeds reports whether a redirection gives a command an input. Any descriptor counts, because a
// word may refer to it (/dev/fd/3).
func feeds(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.RdrInOut, syntax.DplIn:
		return true
	case syntax.RdrIn:
		target, ok := literal(r.Word)
		return !ok || target != "/dev/null"
	}
	return false
}

// whyInputRuns returns why a command may run code from its input although its words are harmless,
// or "".
func whyInputRuns(c SimpleCommand) string {
	name := path.Base(c[0].Text)
	prompts := slices.Contains([]string{"shell", "shell_plus", "dbshell", "console"}, c[len(c)-1].Text)
	asks := func(w Word) bool { return hasOption(w.Text, "i", "") }
	if prompts || strings.HasPrefix(name, "python") && c[1:].some(asks) {
		return name + " runs what is in its input"
	}
	if !slices.Contains([]string{"make", "gmake", "just", "go", "docker", "rails", "cargo"}, name) {
		return ""
	}
	for _, w := range c[1:] {
		_, value, _ := strings.Cut(w.Text, "=")
		for _, t := range []string{w.Text, value, strings.TrimPrefix(w.Text, "-f")} {
			if t == "-" || strings.HasPrefix(t, "/dev/") || strings.HasPrefix(t, "/proc/") {
				return name + " runs what is in its input"
			}
		}
	}
	return ""
}

// isPlainDelimiter reports whether the parser and every shell read the same delimiter of a
// here-document from a word. They differ about $'E\x4fF', for instance, and would then take
// commands for text.
func isPlainDelimiter(w *syntax.Word) bool {
	plain := func(text string) bool { return strings.Trim(text, plainLetters+"-+!:") == "" }
	for i, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			text := part.Value
			if i == 0 {
				text = strings.TrimPrefix(text, `\`) // \EOF is a quoted EOF
			}
			if !plain(text) {
				return false
			}
		case *syntax.SglQuoted:
			if part.Dollar || !plain(part.Value) {
				return false
			}
		case *syntax.DblQuoted:
			text, ok := literal(&syntax.Word{Parts: []syntax.WordPart{part}})
			if !ok || !plain(text) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isInside reports whether a relative path stays below the directory that it is relative to,
// judging by its text alone.
func isInside(p string) bool {
	return p != "" && p[0] != '/' && p[0] != '~' && !slices.Contains(strings.Split(p, "/"), "..") &&
		!strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7F })
}

func hiddenPath(p string) bool {
	return slices.ContainsFunc(strings.Split(p, "/"), func(s string) bool {
		return s != "." && strings.HasPrefix(s, ".")
	})
}

func quotedText(s string) string { return quoted(Word{Text: s, Literal: true}) }
