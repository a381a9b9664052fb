//go:build unix

package workspace

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// The journal says which commits are under way, so that what a killed process left in a workspace
// is tidied when the workspace is opened again. It lies in a directory of ours outside of every
// root: one file for each commit, locked as long as its process lives, removed at the end. It is
// for a kill, not for a failure of power: it is not flushed.

// noteText is one line of a note; the last whole line holds.
type noteText struct {
	Root    string   // link-free path
	Dir     string   // below it, of the target
	Name    string   // of the target
	Nearest DirID    // the existing directory that the commit began in
	Temp    string   // name of the temporary file, "" if there is none
	Made    []string // directories below the root that are made for the target
	// Of the new file when it is about to be exchanged, of the target when it is about to be
	// overwritten; else 0.
	Dev, Ino uint64
	Base     [sha256.Size]byte
	Remove   bool   // Temp is the target, taken out to be removed
	Old, New []byte // for a write in place
}

// note is an open note; nil: there is no journal, nothing is noted.
type note struct {
	f    *os.File
	text noteText
}

// begin opens a note. Without a journal, or where it cannot be written, a commit goes on without.
func (w *write) begin() {
	dir := w.l.w.journal
	if dir == "" {
		return
	}
	r := w.l.w.byName[w.c.Path.root]
	text := noteText{Root: r.real, Dir: w.c.Path.dir(), Name: w.c.Path.Base(), Nearest: w.c.Base.Dir, Temp: w.temp,
		Base: w.c.Base.Sum}
	for i := range len(w.loc.missing) - 1 {
		text.Made = append(text.Made, path.Join(w.loc.dir.Rel, path.Join(w.loc.missing[:i+1]...)))
	}
	unlock, err := lockDir(dir)
	if err != nil {
		return
	}
	defer unlock() // nobody takes the note for a dead one's before it is locked
	f, err := os.OpenFile(filepath.Join(dir, rand.Text()+".json"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		os.Remove(f.Name())
		f.Close()
		return
	}
	w.note = &note{f: f, text: text}
}

// lockDir has the journal for the moment in which a note is made, or for the time of a recovery.
func lockDir(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	d, err := regular.OpenDir(dir)
	if err != nil {
		return nil, err
	}
	if err := again(func() error { return unix.Flock(int(d.Fd()), unix.LOCK_EX) }); err != nil {
		d.Close()
		return nil, err
	}
	return func() { d.Close() }, nil
}

func (n *note) put() error {
	if n == nil {
		return nil
	}
	line, err := json.Marshal(n.text)
	if err != nil {
		return err
	}
	_, err = n.f.Write(append(line, '\n'))
	return err
}

// leave keeps the note for the next start.
func (n *note) leave() {
	if n != nil {
		n.f.Close()
	}
}

func (n *note) end() {
	if n != nil {
		os.Remove(n.f.Name())
		n.f.Close()
	}
}

// noteTemp chooses the unpredictable name of the temporary file (FS-64) and notes it before it is
// made.
func (w *write) noteTemp() error {
	w.temp = ".scrollkeep-" + rand.Text() + ".tmp"
	w.begin()
	return w.note.put()
}

// noteExchange notes which file is ours: from now on the temporary name may hold somebody else's.
func (w *write) noteExchange() error {
	if w.note != nil {
		w.note.text.Dev, w.note.text.Ino = w.ours.Dev, w.ours.Ino
	}
	return w.note.put()
}

// noteTexts notes what is overwritten and by what.
func (w *write) noteTexts() error {
	w.begin()
	var err error
	if w.was, err = io.ReadAll(io.NewSectionReader(w.tmp, 0, w.c.Base.Size+1)); err != nil {
		return err
	}
	if w.note == nil {
		return nil
	}
	w.note.text.Dev, w.note.text.Ino, w.note.text.Old, w.note.text.New = w.c.Base.Dev, w.c.Base.Ino, w.was, w.c.Data
	return w.note.put()
}

// recover tidies what commits of dead processes left in the roots. What it did is told in words;
// what it cannot do stays noted.
func (l *local) recover() (told []string) {
	dir := l.w.journal
	if dir == "" {
		return nil
	}
	if _, err := os.Stat(dir); err != nil {
		return nil
	}
	unlock, err := lockDir(dir)
	if err != nil {
		return []string{fmt.Sprintf("the journal %s cannot be read: %v", dir, err)}
	}
	defer unlock()
	names, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	for _, name := range names {
		said, err := l.recoverNote(name)
		if said != "" {
			told = append(told, said)
		}
		if err != nil {
			told = append(told, "what a killed session was writing cannot be tidied: "+err.Error())
		}
	}
	return told
}

// recoverNote does one note. A note of another workspace or of a living process stays.
func (l *local) recoverNote(name string) (told string, err error) {
	f, err := regular.Open(name)
	if err != nil {
		return "", nil // its commit has just ended
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return "", nil
	}
	text, ok, err := readNote(f)
	if err != nil {
		return "", err
	}
	if !ok { // killed before it wrote anything
		return "", os.Remove(name)
	}
	i := slices.IndexFunc(l.w.roots, func(r *root) bool { return r.real == text.Root })
	if i < 0 {
		return "", nil
	}
	r := l.w.roots[i]
	shown := path.Join(r.name, text.Dir, text.Name)
	d, err := openDir(r.h, text.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist): // nothing was made in it
	case err != nil:
		return "", err
	default:
		defer d.close()
		if len(text.Made) == 0 && d.id != text.Nearest {
			return fmt.Sprintf("%s was moved while a session that was killed wrote in it; %s may be left there",
				path.Join(r.name, text.Dir), text.Temp), os.Remove(name)
		}
		p := Path{root: r.name, rel: path.Join(text.Dir, text.Name), def: i == 0}
		if told, err = l.tidy(p, d, text); err != nil {
			return "", fmt.Errorf("%s: %w", shown, err)
		}
	}
	for _, m := range slices.Backward(text.Made) {
		if in, err := openDir(r.h, path.Dir(m)); err == nil {
			in.rmdir(path.Base(m)) // fails if it is in use
			in.close()
		}
	}
	return told, os.Remove(name)
}

// readNote reads the last whole line.
func readNote(f *os.File) (text noteText, ok bool, err error) {
	all, err := io.ReadAll(io.LimitReader(f, 8*MaxProposal))
	if err != nil {
		return text, false, err
	}
	whole := all[:bytes.LastIndexByte(all, '\n')+1]
	line := whole[bytes.LastIndexByte(bytes.TrimSuffix(whole, []byte("\n")), '\n')+1:]
	if len(line) == 0 {
		return text, false, nil
	}
	if err := json.Unmarshal(line, &text); err != nil {
		return text, false, err
	}
	if text.Temp != "" && (text.Temp != path.Base(text.Temp) || !strings.HasPrefix(text.Temp, ".scrollkeep-")) ||
		text.Name != path.Base(text.Name) {
		return text, false, fmt.Errorf("%s is not a note of ours", f.Name())
	}
	return text, true, nil
}

// tidy ends a commit in its directory, forwards or backwards.
func (l *local) tidy(p Path, d *dir, text noteText) (told string, err error) {
	if text.Temp == "" {
		return l.finish(p, d, text)
	}
	out, f, err := stateOf(d, text.Temp)
	if err != nil || !out.Exists {
		return "", err // it came to its end, or to nothing
	}
	if f != nil {
		defer f.Close()
	}
	if text.Remove {
		if out.Sum == text.Base { // the person had said yes
			return "", d.remove(text.Temp)
		}
		if err := d.putAway(text.Temp, text.Name); err != nil {
			return fmt.Sprintf("%s was changed by others while a session that was killed removed it; one version "+
				"is at %s", p, path.Join(p.root, p.dir(), text.Temp)), nil
		}
		return fmt.Sprintf("%s: a session was killed while it removed the file, and somebody else had changed it; "+
			"theirs was put back", p), nil
	}
	switch {
	case text.Ino == 0, out.Dev == text.Dev && out.Ino == text.Ino: // ours, not exchanged
		return "", d.remove(text.Temp)
	case out.Sum == text.Base: // exchanged: the old file
		return "", d.remove(text.Temp)
	}
	ours, g, err := stateOf(d, text.Name)
	if err != nil {
		return "", err
	}
	if g != nil {
		g.Close()
	}
	if ours.Dev != text.Dev || ours.Ino != text.Ino {
		return fmt.Sprintf("%s was changed by others while a session that was killed wrote it; one version is at %s", p,
			path.Join(p.root, p.dir(), text.Temp)), nil
	}
	if err := l.putBack(p, d, text.Temp, ours); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: a session was killed while it wrote the file, and somebody else had changed it; theirs "+
		"was put back", p), nil
}

// finish makes a torn write in place whole: the file then is a beginning of the new text and the
// rest of the old one, and gets the new text. Anything else is somebody's edit and stays.
func (l *local) finish(p Path, d *dir, text noteText) (told string, err error) {
	f, err := d.openWrite(text.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	e, err := statFile(f)
	if err != nil || e.dev != text.Dev || e.ino != text.Ino || e.size > 2*MaxProposal {
		return "", err
	}
	now, err := io.ReadAll(io.NewSectionReader(f, 0, e.size))
	if err != nil || bytes.Equal(now, text.Old) || bytes.Equal(now, text.New) || !torn(now, text.Old, text.New) {
		return "", err
	}
	if _, err := f.WriteAt(text.New, 0); err != nil {
		return "", err
	}
	if err := errors.Join(f.Truncate(int64(len(text.New))), f.Sync()); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: a session was killed while it wrote the file in place; the write was completed", p), nil
}

// torn reports whether now is fresh up to some place and old behind it.
func torn(now, old, fresh []byte) bool {
	same := 0
	for same < len(now) && same < len(fresh) && now[same] == fresh[same] {
		same++
	}
	if len(now) != max(len(old), same) {
		return false
	}
	return same >= len(old) || bytes.Equal(now[same:], old[same:])
}
