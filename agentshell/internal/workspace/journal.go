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

// The journal lists the commits that are being made. When a workspace is opened, it tells what a
// killed process left there, and that is tidied. It lies in a directory of ours outside of every
// root: one file for each commit, locked while its process lives and removed at the end. It is
// meant for a killed process, not for a power failure: it is not flushed.

// noteLine is one line of a note in the journal, in JSON. The last complete line of a note counts.
type noteLine struct {
	Root    string   // Root is the path of the root, without links.
	Dir     string   // Dir is the directory of the file, relative to the root.
	Name    string   // Name is the name of the file in Dir.
	Nearest DirID    // Nearest is the deepest directory of the path that existed before the commit.
	Temp    string   // Temp is the name of the temporary file; "": there is none.
	Made    []string // Made lists the directories, relative to the root, that the commit creates.
	// Dev and Ino identify the new file before an exchange, or the file before it is overwritten;
	// otherwise they are 0.
	Dev, Ino uint64
	Base     [sha256.Size]byte
	Remove   bool   // Remove says that Temp is the file itself, renamed in order to be removed.
	Old, New []byte // Old and New are the texts of a write in place.
}

// journalNote is an open note. A nil *note does nothing, because there is no journal.
type journalNote struct {
	f    *os.File
	text noteLine
}

// openNote creates a note for the commit. If that is not possible, the commit continues without
// one.
func (c *commit) openNote() {
	dir := c.disk.workspace.journal
	if dir == "" {
		return
	}
	r := c.disk.workspace.rootNamed(c.change.Path.root)
	text := noteLine{Root: r.realPath, Dir: c.change.Path.dir(), Name: c.change.Path.Base(), Nearest: c.change.Base.Dir,
		Temp: c.tempName,
		Base: c.change.Base.Sum}
	for i := range len(c.targetLocation.missingNames) - 1 {
		text.Made = append(text.Made, path.Join(c.targetLocation.dir.Rel,
			path.Join(c.targetLocation.missingNames[:i+1]...)))
	}
	unlock, err := lockDir(dir)
	if err != nil {
		return
	}
	defer unlock() // until the note is locked, nobody may take it for a dead process's
	f, err := os.OpenFile(filepath.Join(dir, rand.Text()+".json"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		os.Remove(f.Name())
		f.Close()
		return
	}
	c.note = &journalNote{f: f, text: text}
}

// lockDir locks the journal. The lock is held while a note is created or recover runs.
func lockDir(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	d, err := regular.OpenDir(dir)
	if err != nil {
		return nil, err
	}
	if err := retryInterrupted(func() error { return unix.Flock(int(d.Fd()), unix.LOCK_EX) }); err != nil {
		d.Close()
		return nil, err
	}
	return func() { d.Close() }, nil
}

func (n *journalNote) save() error {
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

// leaveForNextStart closes the note and leaves it for the next start.
func (n *journalNote) leaveForNextStart() {
	if n != nil {
		n.f.Close()
	}
}

func (n *journalNote) remove() {
	if n != nil {
		os.Remove(n.f.Name())
		n.f.Close()
	}
}

// noteTemp chooses an unpredictable name for the temporary file (FS-64), and notes it before the
// file is created.
func (c *commit) noteTemp() error {
	c.tempName = ".scrollkeep-" + rand.Text() + ".tmp"
	c.openNote()
	return c.note.save()
}

// noteExchange notes the identity of the new file, before the exchange. Afterwards the temporary
// name may be a file of another program.
func (c *commit) noteExchange() error {
	if c.note != nil {
		c.note.text.Dev, c.note.text.Ino = c.written.Dev, c.written.Ino
	}
	return c.note.save()
}

// noteTexts notes the text that is overwritten, and the new text.
func (c *commit) noteTexts() error {
	c.openNote()
	var err error
	if c.oldText, err = io.ReadAll(io.NewSectionReader(c.tempFile, 0, c.change.Base.Size+1)); err != nil {
		return err
	}
	if c.note == nil {
		return nil
	}
	c.note.text.Dev, c.note.text.Ino, c.note.text.Old, c.note.text.New = c.change.Base.Dev, c.change.Base.Ino,
		c.oldText, c.change.Data
	return c.note.save()
}

// recover completes or undoes the commits of processes that were killed. It returns a sentence for
// each decision. It leaves notes that it cannot handle.
func (l *local) recover() (messages []string) {
	dir := l.workspace.journal
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
		message, err := l.recoverNote(name)
		if message != "" {
			messages = append(messages, message)
		}
		if err != nil {
			messages = append(messages, "what a killed session was writing cannot be tidied: "+err.Error())
		}
	}
	return messages
}

// recoverNote handles one note. It leaves the notes of other workspaces and of running processes.
func (l *local) recoverNote(name string) (message string, err error) {
	f, err := regular.Open(name)
	if err != nil {
		return "", nil // the commit has just ended and removed it
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
	i := slices.IndexFunc(l.workspace.roots(), func(r *root) bool { return r.realPath == text.Root })
	if i < 0 {
		return "", nil
	}
	r := l.workspace.roots()[i]
	shown := path.Join(r.name, text.Dir, text.Name)
	d, err := openDir(r.handle, text.Dir)
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
		p := Path{root: r.name, rel: path.Join(text.Dir, text.Name), isDefault: i == 0}
		if message, err = l.finishCommit(p, d, text); err != nil {
			return "", fmt.Errorf("%s: %w", shown, err)
		}
	}
	for _, m := range slices.Backward(text.Made) {
		if in, err := openDir(r.handle, path.Dir(m)); err == nil {
			in.rmdir(path.Base(m)) // fails if it is in use
			in.close()
		}
	}
	return message, os.Remove(name)
}

// readNote returns the last complete line of a note. ok is false if there is none.
func readNote(f *os.File) (text noteLine, ok bool, err error) {
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

// finishCommit completes or undoes the commit of a note in the file's directory d.
func (l *local) finishCommit(p Path, d *dir, text noteLine) (message string, err error) {
	if text.Temp == "" {
		return l.completeInPlace(p, d, text)
	}
	out, f, err := readState(d, text.Temp)
	if err != nil || !out.Exists {
		return "", err // the commit was completed, or had not begun
	}
	if f != nil {
		defer f.Close()
	}
	if text.Remove {
		if out.Sum == text.Base { // a person had approved the removal
			return "", d.remove(text.Temp)
		}
		if err := d.renameBack(text.Temp, text.Name); err != nil {
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
	ours, g, err := readState(d, text.Name)
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
	if err := l.restoreDisplaced(p, d, text.Temp, ours); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: a session was killed while it wrote the file, and somebody else had changed it; theirs "+
		"was put back", p), nil
}

// completeInPlace completes an interrupted write in place: the file begins with the new text and
// ends with the old one. It leaves a file with any other content, because somebody has edited it.
func (l *local) completeInPlace(p Path, d *dir, text noteLine) (message string, err error) {
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
	if err != nil || bytes.Equal(now, text.Old) || bytes.Equal(now, text.New) || !isTorn(now, text.Old, text.New) {
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

// isTorn reports whether now begins like updated and continues like old.
func isTorn(now, old, updated []byte) bool {
	same := 0
	for same < len(now) && same < len(updated) && now[same] == updated[same] {
		same++
	}
	if len(now) != max(len(old), same) {
		return false
	}
	return same >= len(old) || bytes.Equal(now[same:], old[same:])
}
