package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// system are the directories of the system that are read. What the system keeps of its state, of
// services and of other people is not there.
var system = strings.Fields("/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix/store /gnu/store " +
	"/sys/devices/system")

// private are parts of the system that hold keys. Those of a person who is not root cannot be read
// anyway.
var private = strings.Fields(`/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/ssh /etc/ssl/private /etc/sudoers
	/etc/sudoers.d /etc/NetworkManager /etc/wireguard /etc/kubernetes /etc/rancher /etc/krb5.keytab /etc/docker
	/etc/letsencrypt /etc/ppp /etc/openvpn /etc/pki/private`)

// temporary are directories that a command has for itself.
var temporary = strings.Fields("/tmp /var/tmp /run /dev/shm")

// plan is the file system of a cell.
type plan struct {
	ops []op
	// missing are guards that must be put there first, since nothing can be mounted where nothing
	// is.
	missing []guard
}

// planner collects the ops of a plan.
type planner struct {
	Policy
	ops     []op
	missing []guard
	err     error
	looked  map[string]fs.FileInfo // what lstat said; nil: that nothing is there
}

// lstat looks at each path once: many ways begin alike.
func (l *planner) lstat(path string) (fs.FileInfo, error) {
	if info, ok := l.looked[path]; ok {
		if info == nil {
			return nil, fs.ErrNotExist
		}
		return info, nil
	}
	info, err := os.Lstat(path)
	if err != nil {
		info = nil
	}
	l.looked[path] = info
	return info, err
}

// lay plans the file system for a policy. It reads the disk, and changes nothing.
func lay(p Policy, more []string) (plan, error) {
	if err := p.check(); err != nil {
		return plan{}, err
	}
	l := &planner{Policy: p, looked: map[string]fs.FileInfo{}}
	for _, dir := range system {
		l.outside(dir, read)
	}
	for _, dir := range temporary {
		l.add(op{Kind: scratch, Path: dir})
	}
	l.add(op{Kind: link, Path: "/var/run", To: "/run"})
	if p.Home != "" {
		if at := l.real(p.Home); at != "" {
			l.add(op{Kind: scratch, Path: at})
		}
	}
	writable, readable := p.places()
	for _, dir := range append(readable, p.Readable...) {
		l.outside(dir, read)
	}
	for _, name := range private {
		if info, err := l.lstat(name); err == nil && info.IsDir() {
			l.add(op{Kind: shut, Path: name})
		} else if err == nil && info.Mode().IsRegular() {
			l.add(op{Kind: device, Path: name, To: os.DevNull})
		}
	}
	for _, dir := range append(writable, p.Writable...) {
		// What lies in another one can be exchanged by a command for a link to what it must not
		// reach.
		if !slices.ContainsFunc(slices.Concat([]string{p.Workspace}, writable, p.Writable), func(outer string) bool {
			return outer != dir && within(dir, outer)
		}) {
			l.outside(dir, write)
		}
	}
	l.outside(p.Workspace, write)
	guards, err := workspaceGuards(p.Workspace, more)
	if err != nil {
		return plan{}, err
	}
	for _, name := range p.ReadOnly {
		guards = append(guards, guard{path: name, missing: true})
	}
	for _, g := range guards {
		l.missing = append(l.missing, l.guard(g)...)
	}
	for _, dir := range p.Hidden {
		l.hide(dir)
	}
	return plan{ops: arrange(l.ops), missing: l.missing}, l.err
}

// check refuses a workspace that would open what must be closed.
func (p Policy) check() error {
	if !filepath.IsAbs(p.Workspace) || filepath.Clean(p.Workspace) != p.Workspace {
		return fmt.Errorf("the workspace %q is no clean absolute path", p.Workspace)
	}
	if real, err := filepath.EvalSymlinks(p.Workspace); err != nil {
		return err
	} else if real != p.Workspace {
		return fmt.Errorf("the workspace %s leads to %s: it must be named without links", p.Workspace, real)
	}
	for _, inner := range slices.Concat([]string{p.Home, "/proc", "/dev", "/sys", "/var"}, system, temporary) {
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

func (l *planner) add(o op) { l.ops = append(l.ops, o) }

// maxLinks is how many symbolic links a path may have.
const maxLinks = 40

// real returns where a path leads, with each symbolic link on the way made anew in the cell; "" if
// nothing is there.
func (l *planner) real(path string) string {
	at, rest := "/", strings.Split(strings.Trim(filepath.Clean(path), "/"), "/")
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		info, err := l.lstat(next)
		if err != nil {
			return ""
		}
		if info.Mode()&os.ModeSymlink == 0 {
			at = next
			continue
		}
		to, err := os.Readlink(next)
		if links++; err != nil || links > maxLinks {
			return ""
		}
		if o, ok := over(l.ops, next); !ok || o.Kind != read && o.Kind != write {
			l.add(op{Kind: link, Path: next, To: to})
		}
		if filepath.IsAbs(to) {
			at = "/"
		}
		rest = append(strings.Split(strings.Trim(to, "/"), "/"), rest...)
	}
	return at
}

// outside shows what is at path outside, if anything is.
func (l *planner) outside(path string, k kind) {
	at := l.real(filepath.Clean(path))
	if at == "" || at == "/" {
		return
	}
	info, err := l.lstat(at)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() { // a socket leads out
		return
	}
	for _, no := range []string{"/proc", "/dev"} {
		if within(at, no) {
			return
		}
	}
	if o, ok := over(l.ops, at); ok && k == read && (o.Kind == read || o.Kind == write && o.Path == at) {
		return // it is to be seen already
	}
	l.add(op{Kind: k, Path: at})
}

// guard keeps a part of what is written from being changed. missing is what has to be put there
// first.
func (l *planner) guard(g guard) (missing []guard) {
	if g.missing {
		g = g.top()
	}
	o, ok := over(l.ops, filepath.Dir(g.path))
	info, err := os.Lstat(g.path)
	if err == nil && isStopgap(info) {
		err = fs.ErrNotExist // of a session that was killed, or of another one that runs
	}
	switch {
	case err != nil && !g.missing:
		return nil
	case err == nil && info.Mode()&os.ModeSymlink != 0:
		if within(g.path, l.Workspace) && !l.inGit(g.path) {
			return nil // nothing can be put over a link
		}
		l.fail(fmt.Errorf("%s is a symbolic link: a command could put something else in its place", g.path))
		return nil
	case err == nil && !info.IsDir() && !info.Mode().IsRegular():
		return nil
	}
	k := read
	if g.own {
		k = write
	} else if !ok || o.Kind != write {
		if err != nil {
			return nil // it cannot be made there, or nobody sees it
		}
		if !ok || o.Kind != read {
			return nil // it is not there
		}
	}
	l.add(op{Kind: k, Path: g.path})
	if err != nil && !slices.ContainsFunc(l.missing, func(m guard) bool { return m.path == g.path }) {
		return []guard{g}
	}
	return nil
}

// top returns the guard of the first directory that is missing above g, or g: nothing can be
// mounted deeper.
func (g guard) top() guard {
	for up := filepath.Dir(g.path); up != filepath.Dir(up); up = filepath.Dir(up) {
		if info, err := os.Lstat(up); err == nil && !isStopgap(info) {
			break
		}
		g = guard{path: up, missing: true}
	}
	return g
}

// inGit reports whether a path lies in a directory of git.
func (l *planner) inGit(path string) bool { return strings.Contains(path, "/.git/") }

func (l *planner) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// hide makes a directory look empty wherever it could be seen.
func (l *planner) hide(dir string) {
	at := filepath.Clean(dir)
	for up, rest := at, ""; up != "/"; rest, up = filepath.Join(filepath.Base(up), rest), filepath.Dir(up) {
		if real, err := filepath.EvalSymlinks(up); err == nil { // the part of it that is there
			at = filepath.Join(real, rest)
			break
		}
	}
	o, ok := over(l.ops, at)
	if !ok || o.Kind != write && o.Kind != read {
		return
	}
	if info, err := os.Lstat(at); err == nil && !isStopgap(info) {
		l.add(op{Kind: shut, Path: at})
	} else if o.Kind == write {
		l.missing = append(l.missing, l.guard(guard{path: at, missing: true})...)
	}
}
