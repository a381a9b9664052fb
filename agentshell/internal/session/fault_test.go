package session_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// fault is what goes wrong with a file. The zero value: nothing.
type fault struct {
	write    error // of a write, after room bytes of it
	room     int
	sync     error
	truncate error
}

// weather is what goes wrong now. What is retried meanwhile sees it, too.
type weather struct{ p atomic.Pointer[fault] }

func (w *weather) set(f fault) { w.p.Store(&f) }

type faulty struct {
	session.File
	now *weather
}

func (f faulty) Write(b []byte) (int, error) {
	now := f.now.p.Load()
	if now.write == nil || len(b) <= now.room {
		return f.File.Write(b)
	}
	n, err := f.File.Write(b[:now.room])
	return n, errors.Join(now.write, err)
}

// Sync does not wait for a disk: these tests end no machine.
func (f faulty) Sync() error { return f.now.p.Load().sync }

func (f faulty) Truncate(n int64) error {
	if err := f.now.p.Load().truncate; err != nil {
		return err
	}
	return f.File.Truncate(n)
}

// broken returns a configuration whose files do what now says.
func broken(t *testing.T) (session.Config, *weather) {
	cfg, now := config(t), new(weather)
	now.set(fault{})
	cfg.Random = rand.NewChaCha8([32]byte{1})
	cfg.Wrap = func(f session.File) session.File { return faulty{f, now} }
	return cfg, now
}

func message(i int) provider.Message {
	return user(parsedText(fmt.Sprintf("message %d \"with\" \\ and ü", i)))
}

func messages(n int) (list []provider.Message) {
	for i := range n {
		list = append(list, message(i))
	}
	return list
}

// afterKill returns what comes back of the session if the process is killed now.
func afterKill(t *testing.T, cfg session.Config, l *session.Log) []provider.Message {
	t.Helper()
	b, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	cfg.Wrap = nil
	cfg.Dir = filepath.Join(t.TempDir(), "sessions")
	there := filepath.Join(cfg.Dir, filepath.Base(filepath.Dir(l.Path())), filepath.Base(l.Path()))
	if err := errors.Join(os.MkdirAll(filepath.Dir(there), 0o700), os.WriteFile(there, b, 0o600)); err != nil {
		t.Fatal(err)
	}
	r, got := resume(t, cfg, l.ID())
	r.Close()
	return got
}

func wants(t *testing.T, what string, got, want []provider.Message) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %d messages, want %d: %v", what, len(got), len(want), got)
	}
}

// Whatever byte a write breaks off at, for whatever reason: what was on the disk stays there, what
// was not is written before what follows, and the person is told once of each state.
func TestAnEntryThatIsNotWrittenWholeIsWrittenLater(t *testing.T) {
	reasons := map[string]fault{
		"no space":                           {write: syscall.ENOSPC},
		"over the quota":                     {write: syscall.EDQUOT},
		"too large":                          {write: syscall.EFBIG},
		"an error of the disk":               {write: syscall.EIO, sync: syscall.EIO},
		"read-only":                          {write: syscall.EROFS, truncate: syscall.EROFS, sync: syscall.EROFS},
		"no space, and it cannot be cut":     {write: syscall.ENOSPC, truncate: syscall.EIO},
		"not on the disk":                    {sync: syscall.EIO},
		"not on the disk, and cannot be cut": {sync: syscall.EIO, truncate: syscall.EIO},
	}
	for name, f := range reasons {
		t.Run(name, func(t *testing.T) {
			most := 3
			if os.Getenv("SCROLLKEEP_KILLS") != "" {
				most = 1 << 20 // each byte
			}
			cfg, now := broken(t)
			size := 0
			for at := 0; at <= size; at += 1 + at/most {
				l := create(t, cfg, messages(2)...)
				before := len(readFile(t, l))
				l.News()
				f.room = at
				now.set(f)
				for i := range 3 {
					if err := l.Append(message(2 + i)); err != nil {
						t.Fatal(err)
					}
				}
				if got := afterKill(t, cfg, l); len(got) < 2 || !reflect.DeepEqual(got, messages(len(got))) {
					t.Fatalf("killed at byte %d: %v", at, got)
				}
				told := l.News()
				if at < 100 && (len(told) != 1 || !strings.Contains(told[0], "cannot be written: ") ||
					!strings.Contains(told[0], "kept in memory")) {
					t.Fatalf("byte %d: the person is told %q", at, told)
				}
				nodes, _, err := l.Tree()
				if nodes = messagesOf(nodes); err != nil || len(nodes) != 5 {
					t.Fatalf("byte %d: a tree of %d messages, %v", at, len(nodes), err)
				}
				now.set(fault{})
				if err := l.Append(message(5)); err != nil {
					t.Fatal(err)
				}
				if told := append(told, l.News()...); len(told) != 0 &&
					(len(told) != 2 || told[1] != "The session log is written again. Nothing is missing in it.") {
					t.Fatalf("byte %d: the person is told %q", at, told)
				}
				size = len(readFile(t, l)) - before
				wants(t, fmt.Sprintf("killed after byte %d", at), afterKill(t, cfg, l), messages(6))
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				r, got := resume(t, cfg, l.ID())
				if wants(t, fmt.Sprintf("byte %d", at), got, messages(6)); f.truncate == nil && len(r.Repaired) > 0 {
					t.Errorf("byte %d: %q", at, r.Repaired)
				}
				nodes, _, err = r.Tree()
				if nodes = messagesOf(nodes); err != nil || len(nodes) != 6 {
					t.Errorf("byte %d: %d nodes, %v", at, len(nodes), err)
				}
				whole := 0
				for line := range strings.Lines(readFile(t, r)) {
					if json.Valid([]byte(line)) {
						whole++
					}
				}
				if whole < 7 { // an older shell reads such lines only
					t.Errorf("byte %d: %d whole lines\n%s", at, whole, readFile(t, r))
				}
				r.Close()
			}
		})
	}
}

// Random faults come and go between entries of all kinds, with kills at random moments.
func TestNoAnsweredMessageIsLostByFaults(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	some := []error{nil, nil, syscall.ENOSPC, syscall.EIO, syscall.EDQUOT}
	for round := range 10 {
		cfg, now := broken(t)
		l := create(t, cfg)
		var all []provider.Message
		safe := 0 // messages that are on the disk
		for i := range 30 {
			now.set(fault{write: some[rng.IntN(len(some))], room: rng.IntN(400),
				sync: some[rng.IntN(2)*rng.IntN(len(some))], truncate: some[rng.IntN(2)*rng.IntN(len(some))]})
			all = append(all, message(i))
			if err := l.Append(message(i)); err != nil {
				t.Fatal(err)
			}
			if l.Flush() == nil {
				safe = len(all)
			}
			if got := afterKill(t, cfg, l); len(got) < safe || len(got) > 0 && !reflect.DeepEqual(got, all[:len(got)]) {
				t.Fatalf("seed %d, round %d, message %d: %d came back, %d were safe", seed, round, i, len(got), safe)
			}
		}
		now.set(fault{})
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		r, got := resume(t, cfg, l.ID())
		r.Close()
		wants(t, fmt.Sprintf("seed %d, round %d", seed, round), got, all)
	}
}

func TestWhatIsLostAtTheEndIsSaid(t *testing.T) {
	cfg, now := broken(t)
	l := create(t, cfg, messages(2)...)
	now.set(fault{write: syscall.ENOSPC})
	for i := range 3 {
		if err := l.Append(message(i)); err != nil {
			t.Fatal(err)
		}
	}
	err := l.Close()
	if err == nil || !strings.Contains(err.Error(), "the last 3 entries of this session are lost") ||
		!strings.Contains(err.Error(), l.Path()) || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("%v", err)
	}
}

// What waits is written without another entry, as soon as there is room.
func TestWhatWaitsIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg, now := broken(t)
		l := create(t, cfg, messages(2)...)
		now.set(fault{write: syscall.ENOSPC, room: 10})
		if err := l.Append(message(2)); err != nil {
			t.Fatal(err)
		}
		wait := func(d time.Duration) {
			timer := time.NewTimer(d)
			<-timer.C
			synctest.Wait()
		}
		wait(10 * time.Second)
		wants(t, "without room", afterKill(t, cfg, l), messages(2))
		now.set(fault{})
		wait(3 * time.Second)
		wants(t, "with room", afterKill(t, cfg, l), messages(3))
		if told := l.News(); len(told) != 2 {
			t.Errorf("the person is told %q", told)
		}
	})
}

func TestWhatWaitsInMemoryIsBoundedAndSaidOnce(t *testing.T) {
	cfg, now := broken(t)
	cfg.Backlog = 2 << 20
	l := create(t, cfg, messages(1)...)
	now.set(fault{write: syscall.ENOSPC})
	big := strings.Repeat("0123456789abcdef", 1<<14) // 256 KiB
	for range 10 {
		if err := l.Append(user(parsedText(big))); err != nil {
			t.Fatal(err)
		}
	}
	told := l.News()
	if len(told) != 2 || !strings.Contains(told[1], "2 MiB") {
		t.Errorf("the person is told %q", told)
	}
	now.set(fault{})
	if err := l.Append(message(9)); err != nil {
		t.Fatal(err)
	}
	if told = l.News(); len(told) != 1 || !strings.Contains(told[0], "3 entries are missing") {
		t.Errorf("the person is told %q", told)
	}
	l.Close()
	if r, got := resume(t, cfg, l.ID()); len(got) != 1+7+1 || !reflect.DeepEqual(got[8], message(9)) {
		t.Errorf("%d messages, repaired %q", len(got), r.Repaired)
	}
}

// The file goes, is replaced, or its directories go: the log is complete again at its path, nothing
// foreign is overwritten, and the person is told.
func TestALogThatIsTakenAwayIsMadeAgain(t *testing.T) {
	foreign := func(path string) error {
		return errors.Join(os.Remove(path), os.WriteFile(path, []byte("foreign\n"), 0o600))
	}
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("safe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		take func(path string) error
		told string
		kept bool // what is foreign
	}{
		"removed": {os.Remove, "was removed", false},
		"with its directory": {func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
			"was removed", false},
		"with the state directory": {func(path string) error {
			return os.RemoveAll(filepath.Dir(filepath.Dir(filepath.Dir(path))))
		}, "was removed", false},
		"replaced": {foreign, "was replaced", true},
		"replaced by a rename": {func(path string) error {
			return errors.Join(os.WriteFile(path+"~", []byte("foreign\n"), 0o600), os.Rename(path+"~", path))
		}, "was replaced", true},
		"replaced by a link": {func(path string) error {
			return errors.Join(os.Remove(path), os.Symlink(victim, path))
		}, "was replaced", false},
		"replaced by a directory": {func(path string) error {
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o700))
		}, "was replaced", false},
		"cut off by somebody":          {func(path string) error { return os.Truncate(path, 0) }, "", false},
		"written to by somebody":       {appendTo("foreign line\n"), "", false},
		"written to without a newline": {appendTo("foreign line"), "", false},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := config(t)
			l := create(t, cfg, messages(3)...)
			if err := c.take(l.Path()); err != nil {
				t.Fatal(err)
			}
			if err := l.Append(message(3)); err != nil {
				t.Fatal(err)
			}
			told := strings.Join(l.News(), "\n")
			if c.told == "" && told != "" || !strings.Contains(told, c.told) {
				t.Errorf("the person is told %q", told)
			}
			if err := errors.Join(l.Append(message(4)), l.Close()); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Lstat(l.Path()); err != nil || info.Mode() != 0o600 {
				t.Errorf("%v, %v", info, err)
			}
			_, got := resume(t, cfg, l.ID())
			if want := messages(5); name == "cut off by somebody" {
				wants(t, "what was cut off is gone", got, want[3:])
			} else {
				wants(t, "all", got, want)
			}
			if b, err := os.ReadFile(l.Path() + ".replaced-1"); c.kept && (err != nil || string(b) != "foreign\n") {
				t.Errorf("what was foreign is %q, %v", b, err)
			}
			if b, err := os.ReadFile(victim); err != nil || string(b) != "safe" {
				t.Error("written through a link")
			}
		})
	}
}

func appendTo(s string) func(path string) error {
	return func(path string) error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return err
		}
		_, err = io.WriteString(f, s)
		return errors.Join(err, f.Close())
	}
}

// A copy that another shell has open under the log's name is not taken from it.
func TestALogThatAnotherShellHasIsLeftToIt(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, messages(2)...)
	text := readFile(t, l)
	if err := errors.Join(os.Remove(l.Path()), os.WriteFile(l.Path(), []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	other, _ := resume(t, cfg, l.ID())
	if err := errors.Join(l.Append(message(2)), other.Append(message(7))); err != nil {
		t.Fatal(err)
	}
	if told := l.News(); len(told) != 1 || !strings.Contains(told[0], "another shell") {
		t.Errorf("the person is told %q", told)
	}
	other.Close()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, got := resume(t, cfg, l.ID()); len(got) != 3 {
		t.Errorf("%v", got)
	}
}

// Lines that are torn, joined or foreign cost themselves and no neighbour, wherever they stand, and
// are counted.
func TestADamagedLineCostsNoNeighbour(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, messages(5)...)
	l.Close()
	lines := strings.SplitAfter(readFile(t, l), "\n")
	lines = lines[:len(lines)-1]
	torn := lines[2][:len(lines[2])/2]
	for name, c := range map[string]struct {
		damage string // before each of the lines
		passed int
	}{
		"a torn line joined to the next": {torn, 1},
		"two of them":                    {torn + torn, 1},
		"a line of another program":      {"rubbish\n", 1},
		"JSON of another program":        {`{"id":7}` + "\n" + `[]` + "\n", 2},
		"a hole of NUL bytes":            {strings.Repeat("\x00", 5000), 1},
		"a NUL line":                     {strings.Repeat("\x00", 50) + "\n", 1},
		"a byte order mark":              {"\uFEFF", 1},
		"broken UTF-8":                   {"\xff\xfe\n", 1},
		"an empty line":                  {"\n\n", 0},
		"nothing: the log is undamaged":  {"", 0},
	} {
		t.Run(name, func(t *testing.T) {
			for at := range lines {
				text := strings.Join(lines[:at], "") + c.damage + strings.Join(lines[at:], "")
				if err := os.WriteFile(l.Path(), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				got, passed, err := session.ReadConversation(cfg, l.ID())
				if err != nil || passed != c.passed {
					t.Errorf("before line %d: %d passed over, %v", at, passed, err)
				}
				wants(t, fmt.Sprintf("read, before line %d", at), got, messages(5))
				r, got := resume(t, cfg, l.ID())
				wants(t, fmt.Sprintf("before line %d", at), got, messages(5))
				if (len(r.Repaired) > 0) != (c.passed > 0) {
					t.Errorf("before line %d: %q", at, r.Repaired)
				}
				r.Close()
			}
			for at := 1; at < len(lines); at++ { // the line itself is lost, and only it
				text := strings.Join(lines[:at], "") + strings.TrimSuffix(lines[at], "}\n") + "\n" +
					strings.Join(lines[at+1:], "")
				if err := os.WriteFile(l.Path(), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				got, _, err := session.ReadConversation(cfg, l.ID())
				if err != nil || len(got) != 4 {
					t.Errorf("without line %d: %d messages, %v", at, len(got), err)
				}
			}
		})
	}
	// One torn last line: all before it is there.
	last := len(lines) - 1
	for cut := 1; cut < len(lines[last])-1; cut += 9 {
		text := strings.Join(lines[:last], "") + lines[last][:cut]
		if err := os.WriteFile(l.Path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, got := resume(t, cfg, l.ID())
		wants(t, fmt.Sprintf("with %d bytes of the last line", cut), got, messages(4))
		if len(r.Repaired) == 0 {
			t.Errorf("with %d bytes of the last line: nothing is said", cut)
		}
		r.Close()
	}
	text := "x" + strings.Join(lines[1:], "") // the root is gone
	if err := os.WriteFile(l.Path(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, got := resume(t, cfg, l.ID())
	wants(t, "without a root", got, messages(5))
	nodes, _, err := r.Tree()
	if nodes = messagesOf(nodes); err != nil || len(nodes) != 5 {
		t.Fatalf("%d nodes, %v", len(nodes), err)
	}
	if got, err := r.Move("", ""); err != nil || len(got) != 0 {
		t.Errorf("moved to %v, %v", got, err)
	}
}

// Changes and what they displaced are known as long as the session runs, and to the next one once
// there is room.
func TestUndoKnowsChangesThatWaitToBeWritten(t *testing.T) {
	cfg, now := broken(t)
	l := create(t, cfg, talk...)
	dir := strings.TrimSuffix(l.Path(), ".jsonl") + ".undo"
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // no content can be written
		t.Fatal(err)
	}
	now.set(fault{write: syscall.ENOSPC, room: 33})
	c := change(1, "one")
	begun := c
	begun.N = 0
	if err := errors.Join(l.BeginChange(&begun, []byte("one")), l.KeepChange(c, []byte("one"))); err != nil {
		t.Fatal(err)
	}
	if told := l.News(); len(told) == 0 || !strings.Contains(strings.Join(told, "\n"), "/undo") {
		t.Errorf("the person is told %q", told)
	}
	look := func(when string, l *session.Log) {
		t.Helper()
		got, err := l.Changes()
		if err != nil || !reflect.DeepEqual(got, []undo.Change{c}) {
			t.Errorf("%s: %+v, %v", when, got, err)
		}
		if b, err := l.Displaced(c.Before.Sum); err != nil || string(b) != "one" {
			t.Errorf("%s: %q, %v", when, b, err)
		}
	}
	look("without room", l)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	now.set(fault{})
	if err := l.Flush(); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, c.Before.Sum)); err != nil || string(b) != "one" {
		t.Errorf("%q, %v", b, err)
	}
	l.Close()
	l, _ = resume(t, cfg, l.ID())
	look("resumed", l)
	fork, _, err := l.Fork()
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	look("forked", fork)
}

// A fork has what waits to be written in the session that it copies.
func TestAForkHasWhatWaits(t *testing.T) {
	cfg, now := broken(t)
	l := create(t, cfg, messages(2)...)
	now.set(fault{write: syscall.ENOSPC})
	if err := l.Append(message(2)); err != nil {
		t.Fatal(err)
	}
	now.set(fault{})
	fork, got, err := l.Fork()
	if err != nil {
		t.Fatal(err)
	}
	wants(t, "the fork", got, messages(3))
	fork.Close()
	_, got = resume(t, cfg, fork.ID())
	wants(t, "the fork, resumed", got, messages(3))
}

func TestAnEmptySessionWhoseFileWasReplacedRemovesNothing(t *testing.T) {
	l := create(t, config(t))
	if err := errors.Join(os.Remove(l.Path()), os.WriteFile(l.Path(), []byte("foreign\n"), 0o600),
		l.Close()); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(l.Path()); err != nil || string(b) != "foreign\n" {
		t.Errorf("%q, %v", b, err)
	}
	other := create(t, config(t))
	if err := errors.Join(os.Remove(other.Path()), other.Close()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(other.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
