//go:build unix

package document

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3/vfs"
)

// hostile are things that may stand in the place of a file beside a database.
var hostile = map[string]func(t *testing.T, at string) error{
	"a named pipe": func(_ *testing.T, at string) error { return syscall.Mkfifo(at, 0o644) },
	"a directory":  func(_ *testing.T, at string) error { return os.Mkdir(at, 0o755) },
	"a link": func(t *testing.T, at string) error {
		to := filepath.Join(t.TempDir(), "out")
		return errors.Join(os.WriteFile(to, []byte("mine\n"), 0o644), os.Symlink(to, at))
	},
	"a link to nothing": func(t *testing.T, at string) error {
		return os.Symlink(filepath.Join(t.TempDir(), "none"), at)
	},
	"a link to a pipe": func(t *testing.T, at string) error {
		to := filepath.Join(t.TempDir(), "pipe")
		return errors.Join(syscall.Mkfifo(to, 0o644), os.Symlink(to, at))
	},
	"not a regular file": func(t *testing.T, at string) error {
		t.Chdir(filepath.Dir(at)) // the name of a socket is short
		l, err := net.Listen("unix", filepath.Base(at))
		if err == nil {
			t.Cleanup(func() { l.Close() })
		}
		return err
	},
	"has 2 names": func(t *testing.T, at string) error {
		to := filepath.Join(filepath.Dir(at), "other")
		return errors.Join(os.WriteFile(to, []byte("mine\n"), 0o644), os.Link(to, at))
	},
}

// modesOf are databases whose rows are written through each of the files beside them.
var modesOf = map[string]string{"DELETE": "-journal", "PERSIST": "-journal", "WAL": "-wal"}

// prepared is a change of a row of a database in a file of its own.
func preparedIn(t *testing.T, mode string) (c RowChange, name string) {
	t.Helper()
	data := databaseOf(t, "PRAGMA journal_mode="+mode+
		"; CREATE TABLE t (id INTEGER PRIMARY KEY, n INT); INSERT INTO t VALUES (1, 0)")
	c, err := prepareRow(t, data, "t:1", `{"n": 7}`)
	if err != nil {
		t.Fatal(err)
	}
	return c, fileOf(t, data)
}

// atOnce returns what do returns, and fails where that waits for somebody who never comes.
func atOnce(t *testing.T, do func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("it waits")
		return nil
	}
}

// rowIs fails unless the row has that number.
func rowIs(t *testing.T, name, want string) {
	t.Helper()
	data, log := readBoth(t, name)
	now, err := prepareLogged(t, data, log, "t:1", "")
	if err != nil || now.Before[1].SQL != want {
		t.Errorf("the row is %s, want %s (%v)", rowOf(now.Before), want, err)
	}
}

func TestARowIsNotWrittenBesideWhatIsNoFile(t *testing.T) {
	for mode := range modesOf {
		for _, ending := range Companions() {
			for what, put := range hostile {
				t.Run(mode+ending+" "+what, func(t *testing.T) {
					c, name := preparedIn(t, mode)
					was, _ := os.ReadFile(name)
					if err := put(t, name+ending); err != nil {
						t.Fatal(err)
					}
					err := atOnce(t, func() error { return c.Commit(t.Context(), name) })
					if err == nil || !strings.Contains(err.Error(), filepath.Base(name)+ending) ||
						!strings.Contains(err.Error(), strings.TrimSuffix(strings.TrimSuffix(what, " to nothing"),
							" to a pipe")) {
						t.Errorf("%v", err)
					}
					if now, _ := os.ReadFile(name); string(now) != string(was) {
						t.Error("the database was written")
					}
					if now, err := os.ReadFile(filepath.Join(filepath.Dir(name), "other")); err == nil &&
						string(now) != "mine\n" {
						t.Errorf("the other name has %q", now)
					}
				})
			}
		}
	}
	for mode, ending := range modesOf { // the controls
		for _, shared := range []bool{false, true} {
			c, name := preparedIn(t, mode)
			if shared {
				other := filepath.Join(filepath.Dir(name), "other")
				if err := errors.Join(os.WriteFile(other, nil, 0o644), os.Link(other, name+ending)); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.Commit(t.Context(), name, ending); err != nil {
				t.Errorf("%s, shared %v: %v", mode, shared, err)
			}
			rowIs(t, name, "7")
		}
	}
}

// What comes between the look at a name and its opening is refused, too, and nobody waits for it.
func TestARowIsNotWrittenThroughWhatComesMeanwhile(t *testing.T) {
	for mode, ending := range modesOf {
		for what, put := range hostile {
			t.Run(mode+" "+what, func(t *testing.T) {
				c, name := preparedIn(t, mode)
				if mode == "PERSIST" { // a journal that is not in use, which is looked into first
					if err := os.WriteFile(name+ending, make([]byte, 512), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				put := func() {
					_ = os.Remove(name + ending)
					if err := put(t, name+ending); err != nil {
						t.Fatal(err)
					}
				}
				came := false
				files := &namedFileVFS{VFS: vfs.Find("os"), database: name}
				files.at = func(path string) {
					if path == name+ending && !came {
						came = true
						put()
					}
				}
				if err := atOnce(t, func() error { return c.commit(t.Context(), files) }); err == nil || !came {
					t.Errorf("came %v: %v", came, err)
				}
				_ = os.Remove(name + ending)
				rowIs(t, name, "0")
				if now, err := os.ReadFile(filepath.Join(filepath.Dir(name), "other")); err == nil &&
					string(now) != "mine\n" {
					t.Errorf("the other name has %q", now)
				}
			})
		}
	}
}
