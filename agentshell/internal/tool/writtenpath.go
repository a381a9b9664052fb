package tool

import (
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// leads says why no rule may cover where a command line writes or reads by redirections or goes to
// by cd, or "". The line names places in the workspace; links may lead out of it.
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

// How many files that a pattern matches are looked at, and in how many directories of its path it
// may have something to expand.
const (
	mostMatches = 300
	mostWild    = 2
)

// plants says which file that a command line writes is run by another program, or "": it is asked
// for where a sandbox lets it be written, too, as it is of the tools that change files. Where the
// command is confined nothing else asks about it, so that a name that is not known is reason
// enough.
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
