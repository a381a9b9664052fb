package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// systemDirs lists directories of the system that commands can read. Directories with the state of
// the system, of services, or of other users are not among them.
var systemDirs = strings.Fields("/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix/store /gnu/store " +
	"/sys/devices/system")

// keyFiles lists files and directories of the system that hold keys or passwords. Users other than
// root cannot read most of them anyway.
var keyFiles = strings.Fields(`/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/ssh /etc/ssl/private /etc/sudoers
	/etc/sudoers.d /etc/NetworkManager /etc/wireguard /etc/kubernetes /etc/rancher /etc/krb5.keytab /etc/docker
	/etc/letsencrypt /etc/ppp /etc/openvpn /etc/pki/private`)

// scratchDirs lists temporary directories. Each command gets empty ones of its own.
var scratchDirs = strings.Fields("/tmp /var/tmp /run /dev/shm")

// plan describes the file system of a sandbox.
type plan struct {
	ops []op
	// missing lists protected paths that do not exist. A placeholder must be created at each of
	// them first, because a mount needs an existing path.
	missing []guard
}

// planner collects the steps of a plan.
type planner struct {
	Policy
	ops     []op
	missing []guard
	err     error
	lstats  map[string]fs.FileInfo // results of os.Lstat by path; nil: the path does not exist
}

// lstat works as os.Lstat, but reads the state of each path only once, because many paths have the
// same beginning.
func (p *planner) lstat(path string) (fs.FileInfo, error) {
	if info, ok := p.lstats[path]; ok {
		if info == nil {
			return nil, fs.ErrNotExist
		}
		return info, nil
	}
	info, err := os.Lstat(path)
	if err != nil {
		info = nil
	}
	p.lstats[path] = info
	return info, err
}

// makePlan plans the file system of a sandbox for the policy p. more lists further paths that
// commands cannot change. It reads the disk and changes nothing.
func makePlan(p Policy, more []string) (plan, error) {
	if err := p.check(); err != nil {
		return plan{}, err
	}
	l := &planner{Policy: p, lstats: map[string]fs.FileInfo{}}
	for _, dir := range systemDirs {
		l.expose(dir, read)
	}
	for _, dir := range scratchDirs {
		l.add(op{Kind: scratch, Path: dir})
	}
	l.add(op{Kind: link, Path: "/var/run", To: "/run"})
	if p.Home != "" {
		if resolved := l.resolve(p.Home); resolved != "" {
			l.add(op{Kind: scratch, Path: resolved})
		}
	}
	writable, readable := p.defaultDirs()
	for _, dir := range append(readable, p.Readable...) {
		l.expose(dir, read)
	}
	for _, name := range keyFiles {
		if info, err := l.lstat(name); err == nil && info.IsDir() {
			l.add(op{Kind: sealed, Path: name})
		} else if err == nil && info.Mode().IsRegular() {
			l.add(op{Kind: device, Path: name, To: os.DevNull})
		}
	}
	own := write
	if p.ReadsOnly {
		own = read
	}
	for _, dir := range append(writable, p.Writable...) {
		// A command could replace a directory in another writable one by a link that leads outside.
		if !slices.ContainsFunc(slices.Concat([]string{p.Workspace}, writable, p.Writable), func(outer string) bool {
			return outer != dir && within(dir, outer)
		}) {
			l.expose(dir, own)
		}
	}
	l.expose(p.Workspace, own)
	if p.Shared != "" {
		l.expose(p.Shared, write)
	}
	guards, err := workspaceGuards(p, more)
	if err != nil {
		return plan{}, err
	}
	for _, name := range p.ReadOnly {
		guards = append(guards, guard{path: name, mayBeMissing: true})
	}
	for _, g := range guards {
		l.missing = append(l.missing, l.protect(g)...)
	}
	for _, dir := range p.Hidden {
		l.hide(dir)
	}
	for _, name := range p.Unread {
		l.unread(name)
	}
	return plan{ops: orderOps(l.ops), missing: l.missing}, l.err
}

// Check returns an error if the workspace cannot be confined: if its path has links, or if it
// contains, or lies in, a directory that must stay closed.
func (p Policy) Check() error { return p.check() }

// check returns an error if the workspace cannot be confined, see Check.
func (p Policy) check() error {
	if !filepath.IsAbs(p.Workspace) || filepath.Clean(p.Workspace) != p.Workspace {
		return fmt.Errorf("the workspace %q is no clean absolute path", p.Workspace)
	}
	if real, err := filepath.EvalSymlinks(p.Workspace); err != nil {
		return err
	} else if real != p.Workspace {
		return fmt.Errorf("the workspace %s leads to %s: it must be named without links", p.Workspace, real)
	}
	for _, inner := range slices.Concat([]string{p.Home, "/proc", "/dev", "/sys", "/var"}, systemDirs, scratchDirs) {
		if inner != "" && within(inner, p.Workspace) {
			return fmt.Errorf("the workspace %s is too wide for a sandbox: %s is in it", p.Workspace, inner)
		}
	}
	for _, outer := range []string{"/proc", "/dev", "/sys"} {
		if within(p.Workspace, outer) {
			return fmt.Errorf("a workspace in %s cannot be confined", outer)
		}
	}
	return nil
}

func (p *planner) add(o op) { p.ops = append(p.ops, o) }

// maxLinks is the largest number of symbolic links that are followed in a path.
const maxLinks = 40

// resolve returns path with its symbolic links resolved, or "" if it does not exist. It adds a step
// for each link, so that the path works inside of the sandbox, too.
func (p *planner) resolve(path string) string {
	reached, remaining := "/", strings.Split(strings.Trim(filepath.Clean(path), "/"), "/")
	for links := 0; len(remaining) > 0; {
		name := remaining[0]
		remaining = remaining[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			reached = filepath.Dir(reached)
			continue
		}
		next := filepath.Join(reached, name)
		info, err := p.lstat(next)
		if err != nil {
			return ""
		}
		if info.Mode()&os.ModeSymlink == 0 {
			reached = next
			continue
		}
		to, err := os.Readlink(next)
		if links++; err != nil || links > maxLinks {
			return ""
		}
		if o, ok := innermostOp(p.ops, next); !ok || o.Kind != read && o.Kind != write {
			p.add(op{Kind: link, Path: next, To: to})
		}
		if filepath.IsAbs(to) {
			reached = "/"
		}
		remaining = append(strings.Split(strings.Trim(to, "/"), "/"), remaining...)
	}
	return reached
}

// expose adds a step that makes the file or directory at path visible inside, if it exists. k says
// whether it is read-only.
func (p *planner) expose(path string, k kind) {
	resolved := p.resolve(filepath.Clean(path))
	if resolved == "" || resolved == "/" {
		return
	}
	info, err := p.lstat(resolved)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() { // a socket would lead out of the cell
		return
	}
	for _, no := range []string{"/proc", "/dev"} {
		if within(resolved, no) {
			return
		}
	}
	if o, ok := innermostOp(p.ops, resolved); ok && k == read &&
		(o.Kind == read || o.Kind == write && o.Path == resolved) {
		return // it is visible already
	}
	p.add(op{Kind: k, Path: resolved})
}

// protect adds a step that keeps commands from changing the path of g. It returns the guards for
// whose path a placeholder must be created first.
func (p *planner) protect(g guard) (missing []guard) {
	if g.mayBeMissing {
		g = g.topMissing()
	}
	o, ok := innermostOp(p.ops, filepath.Dir(g.path))
	info, err := os.Lstat(g.path)
	if err == nil && isPlaceholder(info) {
		err = fs.ErrNotExist // it belongs to a session that was killed, or that runs
	}
	switch {
	case err != nil && !g.mayBeMissing:
		return nil
	case err == nil && info.Mode()&os.ModeSymlink != 0:
		if within(g.path, p.Workspace) && !p.inGit(g.path) {
			return nil // nothing can be put over a link
		}
		p.fail(fmt.Errorf("%s is a symbolic link: a command could put something else in its place", g.path))
		return nil
	case err == nil && !info.IsDir() && !info.Mode().IsRegular():
		return nil
	}
	k := read
	if g.writable && p.ReadsOnly {
		return nil
	} else if g.writable {
		k = write
	} else if !ok || o.Kind != write {
		if err != nil {
			return nil // a command cannot create it
		}
		if !ok || o.Kind != read {
			return nil // it is not visible
		}
	}
	p.add(op{Kind: k, Path: g.path})
	if err != nil && !slices.ContainsFunc(p.missing, func(m guard) bool { return m.path == g.path }) {
		return []guard{g}
	}
	return nil
}

// topMissing returns a guard for the topmost missing directory above the path of g, or g itself if
// the directory above exists: nothing can be mounted below a missing directory.
func (g guard) topMissing() guard {
	for up := filepath.Dir(g.path); up != filepath.Dir(up); up = filepath.Dir(up) {
		if info, err := os.Lstat(up); err == nil && !isPlaceholder(info) {
			break
		}
		g = guard{path: up, mayBeMissing: true}
	}
	return g
}

// inGit reports whether a path lies in a .git directory.
func (p *planner) inGit(path string) bool { return strings.Contains(path, "/.git/") }

func (p *planner) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// hide adds a step that makes the directory dir look empty, if it is visible.
func (p *planner) hide(dir string) {
	resolved := filepath.Clean(dir)
	for up, below := resolved, ""; up != "/"; below, up = filepath.Join(filepath.Base(up), below), filepath.Dir(up) {
		if real, err := filepath.EvalSymlinks(up); err == nil { // the part of the path that exists
			resolved = filepath.Join(real, below)
			break
		}
	}
	o, ok := innermostOp(p.ops, resolved)
	if !ok || o.Kind != write && o.Kind != read {
		return
	}
	if info, err := os.Lstat(resolved); err == nil && !isPlaceholder(info) {
		p.add(op{Kind: sealed, Path: resolved})
	} else if o.Kind == write {
		p.missing = append(p.missing, p.protect(guard{path: resolved, mayBeMissing: true})...)
	}
}
