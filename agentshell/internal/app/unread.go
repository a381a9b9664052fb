package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Limits of the search for files that the rules do not allow to be read. In the sandbox each such
// file is hidden by a mount.
const (
	maxSearched = 200_000
	maxUnread   = 300
)

// unread returns the files and directories that the approval rules do not allow to be read, so that
// a sandbox can hide them from commands. Files that appear later are not included. why says why the
// list may be incomplete; "" if it is complete.
func (r *project) unread(p Host) (paths []string, why string) {
	limits := r.policy.ReadLimits()
	if limits.None() {
		return nil, ""
	}
	s := unreadSearch{limits: limits, ws: r.ws}
	if rule := limits.Nameless(); rule != "" {
		s.doubt("the rule " + rule + " names no files that can be looked for")
	}
	if runtime.GOOS != "linux" {
		s.doubt("the sandbox of this system hides no files of the workspace")
	}
	s.outside(r, p)
	for i, root := range r.roots.all() {
		dir := root.Dir
		if i == 0 {
			dir = r.ws.Dir() // in an agent's project: its copy of the workspace
		}
		top, err := r.ws.ResolveDir(dir)
		if err != nil {
			s.doubt(err.Error())
			continue
		}
		s.folder(r.ws.Abs(top), top.Match())
	}
	return s.paths, s.why
}

// whyNotHidden returns why a sandbox may not hide everything that the rules do not allow to be
// read: a file may be missed, or the git history may contain it. It returns "" if everything is
// hidden.
func (r *project) whyNotHidden(p Host) string {
	limits := r.policy.ReadLimits()
	if limits.None() {
		return ""
	}
	if _, why := r.unread(p); why != "" {
		return why
	}
	return r.env.HistoryHolds(context.Background(), limits.Names)
}

// unreadSearch searches for files that the approval rules do not allow to be read.
type unreadSearch struct {
	limits approval.ReadLimits
	ws     *workspace.Workspace
	// The number of files looked at so far.
	searched int
	paths    []string
	why      string // Why the list may be incomplete; "" if it is complete.
}

// doubt records why the list may be incomplete. Only the first reason is kept.
func (s *unreadSearch) doubt(why string) {
	if s.why == "" {
		s.why = why
	}
}

// outside records a doubt if the rules forbid reading files of the home directory that the sandbox
// shows to commands.
func (s *unreadSearch) outside(r *project, p Host) {
	home := p.getenv("HOME")
	policy := sandbox.Policy{Home: home, Environ: p.environ, Readable: expandHome(home, r.cfg.SandboxReadable),
		Writable: expandHome(home, r.cfg.SandboxWritable)}
	for _, glob := range s.limits.InHome() {
		dir, _ := doublestar.SplitPattern(glob)
		if dir = resolveLinks(filepath.Join(home, dir)); policy.Shows(dir) {
			s.doubt("commands see files in " + dir)
		}
	}
}

// folder searches the directory dir and its subdirectories. match is the path that the rules use
// for dir.
func (s *unreadSearch) folder(dir, match string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		s.unopened(dir, err)
	}
	for _, e := range entries {
		if s.searched++; s.searched > maxSearched || len(s.paths) > maxUnread {
			s.doubt("there are too many files")
			return
		}
		full, name := filepath.Join(dir, e.Name()), e.Name()
		if match != "." {
			name = match + "/" + name
		}
		switch {
		case e.Name() == ".git" && match != ".":
			s.doubt(dir + " is a repository of its own, whose history may hold what a rule names")
		case e.IsDir() && s.limits.NamesAllIn(name):
			s.paths = append(s.paths, full)
		case e.IsDir():
			if s.limits.MayName(name) {
				s.folder(full, name)
			}
		case s.limits.Names(name):
			s.file(full, e)
		}
	}
}

// unopened handles a directory that cannot be read. If it belongs to another user, commands cannot
// read it, either. If it belongs to the user, a command could change its permissions, so a doubt is
// recorded.
func (s *unreadSearch) unopened(dir string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if info, statErr := os.Lstat(dir); statErr == nil && errors.Is(err, fs.ErrPermission) {
		if uid, _, ok := fileOwner(info); ok && uid != os.Geteuid() {
			return
		}
	}
	s.doubt(err.Error())
}

// file adds a file to the list. For a symbolic link it adds the target, or records a doubt if the
// target is outside of the workspace.
func (s *unreadSearch) file(full string, e fs.DirEntry) {
	if e.Type()&fs.ModeSymlink != 0 {
		real, err := filepath.EvalSymlinks(full)
		if err != nil {
			return // the target does not exist
		}
		if _, err := s.ws.Resolve(real); err != nil {
			if _, err := s.ws.ResolveDir(real); err != nil {
				s.doubt(fmt.Sprintf("%s leads outside of the workspace", full))
				return
			}
		}
		if isWithin(real, s.ws.Dir()) {
			s.doubt(fmt.Sprintf("%s leads to the workspace", full))
			return
		}
		full = real
	}
	info, err := os.Lstat(full)
	if err != nil {
		return // it has just been removed
	}
	if _, links, ok := fileOwner(info); ok && info.Mode().IsRegular() && links > 1 {
		s.doubt(fmt.Sprintf("%s has another name", full))
	}
	if !slices.Contains(s.paths, full) {
		s.paths = append(s.paths, full)
	}
}
