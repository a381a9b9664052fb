package approval

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Effect is one thing that a command line does to a file according to its literal words. It helps
// the user to read the line; the command may do more ([Command.Note]).
type Effect struct {
	// "writes", "adds to", "edits in place", "removes", "moves", "copies", "makes", "links", "opens
	// for writing", "changes the mode of", "changes the owner of", "truncates", "can remove commits
	// of"
	Does    string `json:"does"`
	File    string `json:"file"` // the path of the file in the line; "" if it is computed
	To      string `json:"to,omitempty"`
	Removes bool   `json:"takes"` // the effect destroys data; front ends show it as a removal
}

// String returns the effect in words. Names in it are untrusted.
func (e Effect) String() string {
	file := e.File
	if file == "" {
		file = "a file whose name is computed"
	}
	if e.To != "" {
		return fmt.Sprintf("%s %s to %s", e.Does, file, e.To)
	}
	return e.Does + " " + file
}

// maxEffects is the highest number of effects that are listed.
const maxEffects = 50

// Effects returns what a command line does to files, in the order of the line: by redirections, by
// edits in place, and by well-known programs such as rm and cp. It returns none for a line that
// cannot be parsed.
func Effects(command string) []Effect {
	list := effects(command, 0)
	return list[:min(len(list), maxEffects)]
}

func effects(command string, depth int) (list []Effect) {
	file, why := parseLine(command)
	if why != "" || depth > 4 {
		return nil
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			var c SimpleCommand
			for _, w := range n.Args {
				text, ok := literal(w)
				c = append(c, Word{Text: text, Literal: ok})
			}
			if len(c) == 0 || !c[0].Literal {
				return true
			}
			list = append(list, namedEffects(c)...)
			for _, s := range shellScripts(c) {
				list = append(list, effects(s, depth+1)...)
			}
		case *syntax.Redirect:
			does := ""
			switch n.Op {
			case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll:
				does = "writes"
			case syntax.AppOut, syntax.AppAll:
				does = "adds to"
			case syntax.RdrInOut:
				does = "opens for writing"
			}
			target, ok := literal(n.Word)
			if does == "" || ok && (target == "/dev/null" || target == "/dev/stdout" || target == "/dev/stderr") {
				return true
			}
			if !ok {
				target = ""
			}
			if l := n.Word.Lit(); target == "" && strings.HasPrefix(l, "~/") && !strings.ContainsAny(l, `\*?[{`) {
				target = l // of the home directory
			}
			list = append(list, Effect{Does: does, File: target})
		}
		return true
	})
	return list
}

// fileCommands maps programs to the effect that they have on each file in their arguments.
var fileCommands = map[string]Effect{
	"rm": {Does: "removes", Removes: true}, "rmdir": {Does: "removes", Removes: true},
	"unlink": {Does: "removes", Removes: true}, "shred": {Does: "removes", Removes: true},
	"touch": {Does: "makes"}, "mkdir": {Does: "makes"}, "mkfifo": {Does: "makes"}, "tee": {Does: "writes"},
	"truncate": {Does: "truncates", Removes: true},
	"chmod":    {Does: "changes the mode of"}, "chown": {Does: "changes the owner of"},
	"chgrp": {Does: "changes the owner of"},
}

// targetCommands maps programs such as cp, whose last argument is the target of the others, to
// their effect.
var targetCommands = map[string]Effect{"mv": {Does: "moves", Removes: true}, "cp": {Does: "copies"},
	"install": {Does: "copies"},
	"ln":      {Does: "links"}}

// namedEffects returns what a simple command does to the files in its arguments. It skips sudo,
// command or nohup without options.
func namedEffects(c SimpleCommand) (list []Effect) {
	for len(c) > 1 && (c[0].Text == "sudo" || c[0].Text == "command" || c[0].Text == "nohup") && c[1].Literal &&
		!strings.HasPrefix(c[1].Text, "-") {
		c = c[1:]
	}
	name := path.Base(c[0].Text)
	options, args := splitOptions(c[1:], valueOptions[name])
	has := func(letter string) bool {
		for _, o := range options {
			if !strings.HasPrefix(o, "--") && strings.Contains(o, letter) {
				return true
			}
		}
		return false
	}
	if e, ok := fileCommands[name]; ok {
		if strings.HasPrefix(name, "ch") && len(args) > 0 {
			args = args[1:] // the mode
		}
		if name == "tee" && (has("a") || slices.Contains(options, "--append")) {
			e.Does = "adds to"
		}
		for _, a := range args {
			e.File = a
			list = append(list, e)
		}
		return list
	}
	if e, ok := targetCommands[name]; ok && len(args) > 1 {
		e.To = args[len(args)-1]
		for _, a := range args[:len(args)-1] {
			e.File = a
			list = append(list, e)
		}
		return list
	}
	switch {
	case valueOptions[name] == "ef" &&
		(has("i") || slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(o, "--in-place") })):
		script := has("e") || has("f") || slices.Contains(options, "--expression") || slices.Contains(options, "--file")
		if !script && len(args) > 0 {
			args = args[1:]
		}
		for _, a := range args {
			list = append(list, Effect{Does: "edits in place", File: a})
		}
	case name == "git":
		list = append(list, forcePush(options, args, has)...)
	case name == "dd":
		for _, a := range args {
			if to, ok := strings.CutPrefix(a, "of="); ok {
				list = append(list, Effect{Does: "writes", File: to})
			}
		}
	}
	return list
}

// forcePush returns the effect of a git push that can remove commits of the remote repository, or
// nil. Its parameters come from the words after git.
func forcePush(options, args []string, has func(letter string) bool) []Effect {
	i := slices.Index(args, "push")
	if i < 0 {
		return nil
	}
	names := args[i+1:]
	forced := has("f") || has("d") || slices.ContainsFunc(options, func(o string) bool {
		return strings.HasPrefix(o, "--force") || o == "--mirror" || o == "--delete" || o == "--prune"
	}) || slices.ContainsFunc(names, func(name string) bool { return strings.IndexAny(name, "+:") == 0 })
	if !forced {
		return nil
	}
	to := "the remote repository"
	if len(names) > 0 && names[0] != "" {
		to = names[0]
	}
	return []Effect{{Does: "can remove commits of", File: to, Removes: true}}
}

// valueOptions maps programs to the letters of those options that take the next word as a value.
var valueOptions = map[string]string{"sed": "ef", "perl": "ef", "ruby": "ef", "truncate": "sr", "mkdir": "m",
	"touch":   "drt",
	"install": "mgotS", "cp": "tS", "mv": "tS", "ln": "tS"}

// splitOptions separates the options of a command from its arguments. valued has the letters of
// options that take the next word. An argument that is not literal becomes "".
func splitOptions(words []Word, valued string) (options, args []string) {
	only := false
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case !w.Literal:
			args = append(args, "")
		case w.Text == "--" && !only:
			only = true
		case strings.HasPrefix(w.Text, "-") && len(w.Text) > 1 && !only:
			options = append(options, w.Text)
			last := w.Text[len(w.Text)-1:]
			if valued != "" && (strings.Contains(valued, last) && !strings.HasPrefix(w.Text, "--") ||
				w.Text == "--expression" || w.Text == "--file") {
				i++
			}
		default:
			args = append(args, w.Text)
		}
	}
	return options, args
}
