package approval

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// Written lists the files that a command line writes according to its words, even if no rule can
// cover the line. It does not include files that a program writes on its own.
type Written struct {
	// Files are relative to the top of the workspace, or absolute. Each is listed once for every
	// directory that the line may have changed to.
	Files []Place
	// Why is the reason why other files may be written, too, or "".
	Why string
}

// Place is the path of a file, or, if Pattern is true, a glob.
type Place struct {
	File    string
	Pattern bool
}

const computedName = "it writes a file whose name is computed"

// maxInnerCommands limits how many words of a command are examined as the beginning of another
// command, which the first one may run.
const maxInnerCommands = 30

// maxPlaces is the highest number of written files of a line that are examined.
const maxPlaces = 200

// WrittenBy returns the files that a command line writes by redirections and by well-known
// programs: tee, cp, mv, ln, install, dd, sed -i.
func WrittenBy(command string) Written {
	w := writes{dirs: []string{"."}}
	w.line(command, 0)
	var list Written
	if list.Why = w.reason; list.Why == "" && w.computedDir && len(w.places) > 0 {
		list.Why = "it writes a file in a directory whose name is computed"
	}
	for _, p := range w.places {
		dirs := w.dirs
		if path.IsAbs(p.File) {
			dirs = []string{""}
		}
		for _, dir := range dirs {
			at := Place{File: path.Join(dir, p.File), Pattern: p.Pattern}
			if len(list.Files) >= maxPlaces {
				list.Why = "it writes more files than are looked at"
				return list
			}
			if !slices.Contains(list.Files, at) {
				list.Files = append(list.Files, at)
			}
		}
	}
	return list
}

// writes collects the files that a line writes, and the directories in which it may run.
type writes struct {
	places      []Place
	dirs        []string
	computedDir bool // the line changes to a directory whose name is computed
	shell       bool // the line starts a shell, which may run the texts of here-documents
	inputs      []string
	reason      string
}

func (w *writes) giveUp(why string) {
	if w.reason == "" {
		w.reason = why
	}
}

func (w *writes) line(command string, depth int) {
	file, why := parseLine(command)
	switch {
	case depth > 4:
		w.giveUp("the line nests shells too deeply, so it may write any file")
		return
	case why != "": // bash runs the lines before the error
		w.giveUp("the line cannot be parsed, so it may write any file")
		return
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			w.call(n.Args, depth)
		case *syntax.Redirect:
			w.redirect(n)
		}
		return true
	})
	if inputs := w.inputs; w.shell && len(inputs) > 0 {
		w.inputs = nil
		for _, text := range inputs {
			w.line(text, depth+1)
		}
	}
}

func (w *writes) redirect(r *syntax.Redirect) {
	for _, input := range []*syntax.Word{r.Hdoc, r.Word} {
		if text, ok := literal(input); ok && (input == r.Hdoc || r.Op == syntax.WordHdoc) {
			w.inputs = append(w.inputs, text)
		}
	}
	switch r.Op {
	case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll, syntax.AppOut, syntax.AppAll, syntax.RdrInOut:
	case syntax.DplOut: // >&file writes too
		if text, ok := literal(r.Word); ok && strings.Trim(text, "0123456789-") == "" {
			return
		}
	default:
		return
	}
	for _, word := range expandBraces(r.Word) {
		if p, ok := fileWord(word); ok {
			w.add(p)
		} else {
			w.giveUp(computedName)
		}
	}
}

func (w *writes) add(p Place) {
	switch p.File {
	case "", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty":
		return
	}
	w.places = append(w.places, p)
}

// call adds the files that a simple command writes, or that commands within its arguments write.
func (w *writes) call(args []*syntax.Word, depth int) {
	var c SimpleCommand
	patterns := map[string]bool{}
	for _, arg := range args {
		for _, each := range expandBraces(arg) {
			p, ok := fileWord(each)
			if p.Pattern {
				patterns[p.File] = true
			}
			c = append(c, Word{Text: p.File, Literal: ok})
		}
	}
	if len(c) == 0 || !c[0].Literal {
		return
	}
	if name := c[0].Text; (name == "cd" || name == "pushd") && len(c) > 1 {
		w.enter(c[1])
	}
	if c[0].Text == "trap" && len(c) > 1 {
		w.line(c[1].Text, depth+1)
	}
	for _, script := range shellScripts(c) {
		w.line(script, depth+1)
	}
	w.shell = w.shell || slices.ContainsFunc(c, func(w Word) bool { return program.IsShell(w.Text) })
	code := program.Read(c).Code || slices.Contains([]string{"command", "builtin", "exec"}, c[0].Text)
	looked := 0
	for i := range c {
		found := i > 0 && path.Base(c[0].Text) == "find" && slices.Contains(execOptions, c[i-1].Text)
		if i > 0 && !code && !found {
			continue
		}
		if !c[i].Literal || !isWriter(c[i].Text) && !program.IsShell(c[i].Text) {
			continue
		}
		if looked++; looked > maxInnerCommands { // each may take all words after it
			w.giveUp("it names too many commands behind another, so it may write any file")
			break
		}
		rest := c[i:]
		if found {
			if end := slices.IndexFunc(rest, func(w Word) bool { return w.Text == ";" }); end > 0 {
				rest = rest[:end]
			}
			for _, script := range shellScripts(rest) {
				w.line(script, depth+1)
			}
		}
		for _, file := range receivingFiles(rest) {
			if file == "" {
				w.giveUp(computedName)
			}
			w.add(Place{File: file, Pattern: patterns[file]})
		}
	}
}

// isWriter reports whether [namedEffects] knows the program.
func isWriter(name string) bool {
	name = path.Base(name)
	_, verb := fileCommands[name]
	_, pair := targetCommands[name]
	return verb || pair || valueOptions[name] == "ef" || name == "dd"
}

// execOptions lists the options of find that run a command.
var execOptions = []string{"-exec", "-execdir", "-ok", "-okdir"}

// enter adds the directory that the line changes to, relative to each directory in which it may be.
func (w *writes) enter(to Word) {
	if !to.Literal || strings.HasPrefix(to.Text, "-") {
		w.computedDir = true
		return
	}
	for _, dir := range slices.Clone(w.dirs) {
		at := to.Text
		if !path.IsAbs(at) {
			at = path.Join(dir, at)
		}
		if !slices.Contains(w.dirs, at) {
			w.dirs = append(w.dirs, at)
		}
	}
	if len(w.dirs) > maxDirs {
		w.computedDir, w.dirs = true, w.dirs[:maxDirs]
	}
}

// receivingFiles returns the files that a command overwrites or appends to. If the target may be a
// directory, the file in that directory is listed as well.
func receivingFiles(c SimpleCommand) (files []string) {
	if !c[0].Literal || c[0].Text == "" {
		return nil
	}
	for _, e := range namedEffects(c) {
		switch e.Does {
		case "writes", "adds to":
			files = append(files, e.File)
		case "edits in place":
			if e.File != "" {
				files = append(files, e.File)
			}
		case "moves", "copies", "links":
			if e.To != "" {
				files = append(files, e.To)
			}
			if e.To+e.File != "" {
				files = append(files, path.Join(e.To, path.Base(e.File)))
			}
		}
	}
	if _, pair := targetCommands[path.Base(c[0].Text)]; pair {
		for i, w := range c {
			dir := ""
			switch text := w.Text; {
			case text == "-t" && i+1 < len(c):
				dir = c[i+1].Text
			case strings.HasPrefix(text, "--target-directory="):
				_, dir, _ = strings.Cut(text, "=")
			case strings.HasPrefix(text, "-t") && len(text) > 2:
				dir = text[2:]
			default:
				continue
			}
			for _, other := range c[1:] {
				if other.Text == "" || other.Text[0] == '-' || other.Text == dir {
					continue
				}
				files = append(files, path.Join(dir, path.Base(other.Text)))
			}
		}
	}
	return files
}

// fileWord returns the file that a word names. If the word begins with something computed, it is
// the text after that, if it contains a slash: Makefile for $x/Makefile. ok is false if nothing is
// known.
func fileWord(w *syntax.Word) (p Place, ok bool) {
	if text, ok := literal(w); ok {
		return Place{File: text}, true
	}
	var text, pattern strings.Builder
	whole := true // no part of it is unknown
	unknown := func() {
		text.Reset()
		pattern.Reset()
		p.Pattern, whole = false, false
	}
	quoted := func(s string) {
		text.WriteString(s)
		for _, r := range s {
			if strings.ContainsRune(`*?[]\`, r) {
				pattern.WriteByte('\\')
			}
			pattern.WriteRune(r)
		}
	}
	for i, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			s := strings.ReplaceAll(part.Value, "\\\n", "")
			if i == 0 && strings.HasPrefix(s, "~") {
				unknown()
				_, s, _ = strings.Cut(s, "/")
				s = "/" + s
			}
			if strings.Contains(s, "{") && (strings.Contains(s, ",") || strings.Contains(s, "..")) {
				unknown()
				continue
			}
			p.Pattern = p.Pattern || strings.ContainsAny(s, "*?[")
			text.WriteString(strings.ReplaceAll(s, `\`, ""))
			pattern.WriteString(s)
		case *syntax.SglQuoted:
			s := part.Value
			if part.Dollar {
				if decoded, _, err := expand.Format(nil, s, nil); err == nil {
					s = decoded
				}
			}
			quoted(s)
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				if l, ok := inner.(*syntax.Lit); ok {
					quoted(unescapeQuoted(l.Value))
				} else {
					unknown()
				}
			}
		default:
			unknown()
		}
	}
	p.File = text.String()
	if p.Pattern {
		p.File = pattern.String()
	}
	if whole {
		return p, true
	}
	if !strings.Contains(p.File, "/") || strings.Trim(p.File, "/") == "" {
		return Place{}, false
	}
	p.File = strings.TrimLeft(p.File, "/")
	return p, true
}
