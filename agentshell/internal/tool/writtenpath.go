package tool

import (
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// leads returns the reason why no permission rule may allow a shell command line: the line writes
// to, reads from or changes into a path that leaves the workspace, or that leads through a symbolic
// link. It returns "" if there is no such path.
func (e Env) leads(c approval.ParsedCommand) string {
	top := e.Workspace.Dir()
	for _, dir := range c.Enters {
		p, err := e.Workspace.ResolveDir(filepath.Join(top, dir))
		if err != nil && workspace.KindOf(err) != workspace.NotFound || err == nil && p.Rel() != dir {
			return "it changes to a directory that is a link, or not in the workspace: " + diff.Escape(dir)
		}
	}
	for _, file := range c.Writes {
		switch p, err := e.Workspace.Resolve(filepath.Join(top, file)); {
		case err != nil:
			return "it writes a file that cannot be told to be in the workspace: " + diff.Escape(file)
		case p.Rel() != file: // rules speak of the real path
			return "it writes through a link: " + diff.Escape(file)
		}
	}
	for _, file := range c.Inputs {
		switch p, err := e.Workspace.Resolve(filepath.Join(top, file)); {
		case err != nil && workspace.KindOf(err) != workspace.NotFound:
			return "it reads a file that cannot be told to be in the workspace: " + diff.Escape(file)
		case err == nil && p.Rel() != file:
			return "it reads through a link: " + diff.Escape(file)
		}
	}
	return ""
}

// mostMatches is the number of matches of one glob up to which each matching file is checked.
// mostWild is the number of path components with wildcards up to which the glob is expanded at all.
const (
	mostMatches = 300
	mostWild    = 2
)

// plants returns the reason why the user must confirm the files that a shell command line writes:
// one of them is executed or obeyed by another program, such as a git hook. It returns "" if there
// is none. The question is asked even if the sandbox permits the write. For a confined command a
// file whose name cannot be determined is a reason, too, because nothing else asks about it.
func (e Env) plants(w approval.Written, confined bool) string {
	for _, place := range w.Files {
		file := place.File
		if !filepath.IsAbs(file) {
			file = filepath.Join(e.Workspace.Dir(), file)
		}
		files := []string{file}
		if place.Pattern {
			wild := 0
			for part := range strings.SplitSeq(filepath.ToSlash(file), "/") {
				if strings.ContainsAny(part, "*?[") {
					wild++
				}
			}
			if wild > mostWild {
				return "it writes more files than are looked at"
			}
			files, _ = filepath.Glob(byBytes(file)) // no match: the shell takes the pattern for a name that nobody runs
			if len(files) > mostMatches {
				return "it writes more files than are looked at"
			}
		}
		for _, file := range files {
			p, err := e.Workspace.Resolve(file)
			if err != nil {
				continue // elsewhere: the sandbox does not let it
			}
			if why := e.Workspace.RunsCode(p, file, 0); why != "" {
				return "it writes " + diff.Escape(p.Rel()) + ", and " + why
			}
		}
	}
	if confined && w.Why != "" {
		return w.Why + ", which may be one that programs run"
	}
	return ""
}
