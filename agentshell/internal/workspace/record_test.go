//go:build unix

package workspace_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// recorded is a session as the program has one: a workspace, a log, and the changes that can be
// taken back.
type recorded struct {
	t       *testing.T
	ws      *workspace.Workspace
	log     *session.Log
	env     tool.Env
	history undo.History
	settled bool // a change was found that the log had not got
}

// points tells a log's steps like those of a commit.
type points struct {
	*session.Log
	at func(string)
}

func (p points) BeginChange(c *undo.Change, displaced []byte) error {
	p.at("begin")
	return p.Log.BeginChange(c, displaced)
}

func (p points) KeepChange(c undo.Change, displaced []byte) error {
	p.at("keep")
	defer p.at("kept")
	return p.Log.KeepChange(c, displaced)
}

// record opens the workspace base/ws and goes on with the session that is there.
func record(t *testing.T, base string) *recorded {
	t.Helper()
	r := &recorded{t: t}
	var err error
	if r.ws, err = workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: base + "/ws"}},
		Journal: base + "/journal"}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.ws.Close() })
	cfg := session.Config{Dir: base + "/sessions", Workspace: r.ws.Dir(), Model: "m", Now: time.Now,
		Random: rand.Reader}
	if ids, err := session.RecentIDs(cfg); err != nil {
		t.Fatal(err)
	} else if len(ids) == 0 {
		r.log, err = session.Create(cfg)
		if err != nil {
			t.Fatal(err)
		}
	} else if r.log, _, err = session.Resume(cfg, ids[0]); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.log.Close() })
	changes, err := r.log.Changes()
	if err != nil {
		t.Fatal(err)
	}
	r.history.Load(r.log, changes)
	r.env = tool.Env{Workspace: r.ws, History: &r.history}
	begun, err := r.log.UnfinishedChange()
	if err != nil {
		t.Fatal(err)
	}
	r.settled = begun != nil && tool.Settle(t.Context(), r.env, *begun)
	return r
}

// say begins a conversation: a session without one does not stay.
func (r *recorded) say(t *testing.T) {
	t.Helper()
	if err := r.log.Append(provider.Message{Role: provider.User,
		Parts: []provider.Part{provider.Text{Text: "go"}}}); err != nil {
		t.Fatal(err)
	}
}

// write writes a file, in place if its other names shall change with it.
func (r *recorded) write(name, text string, inPlace bool) error {
	input, _ := json.Marshal(map[string]string{"path": name, "content": text})
	call, err := tool.Builtin(r.env).Prepare(context.Background(), "write_file", "t", input)
	if err == nil && inPlace {
		call, err = call.InPlace(context.Background())
	}
	return r.run(call, err)
}

// undo takes change n back, with all names of the file.
func (r *recorded) undo(n int) error {
	call, err := tool.Undo(context.Background(), r.env, "u", n)
	if err == nil && call.InPlace != nil {
		call, err = call.InPlace(context.Background())
	}
	return r.run(call, err)
}

func (r *recorded) run(call tool.Call, err error) error {
	if err == nil {
		_, err = call.Run(context.Background(), func(string) {})
	}
	return err
}

// look returns every file and directory of a workspace.
func look(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		data, _ := os.ReadFile(name)
		fmt.Fprintf(&b, "%s %s %q\n", strings.TrimPrefix(name, dir), d.Type(), data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// files returns look without the directories: those that a removal leaves empty may stay when it is
// killed.
func files(look string) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(look, "\n"), func(row string) bool {
		return strings.Contains(row, " d---")
	}), "")
}

// changes are the situations: what stands before, and what is done when the kill comes.
var changes = []struct {
	name   string
	before func(r *recorded, dir string)
	do     func(r *recorded) error
}{
	{"write", func(*recorded, string) {}, func(r *recorded) error { return r.write("f", "new\n", false) }},
	{"write what was written", func(r *recorded, _ string) { r.write("f", "newer\n", false) },
		func(r *recorded) error { return r.write("f", "new\n", false) }},
	{"create in new directories", func(*recorded, string) {}, func(r *recorded) error {
		return r.write("x/y/n", "new\n", false)
	}},
	{"empty", func(*recorded, string) {}, func(r *recorded) error { return r.write("f", "", false) }},
	{"in place", func(_ *recorded, dir string) {
		os.Link(dir+"/f", dir+"/second")
	}, func(r *recorded) error { return r.write("f", "a new text, longer than the old\n", true) }},
	{"undo of a change", func(r *recorded, _ string) {
		r.write("f", "new\n", false)
	}, func(r *recorded) error { return r.undo(1) }},
	{"undo of a creation", func(r *recorded, _ string) { r.write("x/y/n", "new\n", false) },
		func(r *recorded) error { return r.undo(1) }},
	{"undo of a removal", func(r *recorded, _ string) { r.write("x/n", "new\n", false); r.undo(1) },
		func(r *recorded) error { return r.undo(2) }},
}

// A session that is killed at any step between an answer and the record of what came of it knows,
// when it goes on, of each change that is in a file, and of no other: it can be taken back, to what
// was there before, directories included. A third of the kills is played (SomeKills).
func TestAKillBetweenACommitAndItsRecordLeavesNoUnknownChange(t *testing.T) {
	// play is a situation from its setup on; at is called at the points of its last change.
	play := func(t *testing.T, i int, base string, at func(string)) {
		r := record(t, base)
		r.history.Load(points{r.log, at}, r.history.Changes())
		r.ws.At(at)
		if err := changes[i].do(r); err != nil {
			t.Error(err)
		}
	}
	if env := os.Getenv("WORKSPACE_TEST_RECORD"); env != "" {
		parts := strings.Split(env, "|")
		i, _ := strconv.Atoi(parts[0])
		play(t, i, parts[1], func(point string) {
			if point == parts[2] {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				<-make(chan int)
			}
		})
		return
	}
	kills, found, plays := 0, 0, workspace.SomeKills(t)
	for i, c := range changes {
		setup := func(t *testing.T) (base, before string, n int) {
			base = t.TempDir()
			dir := base + "/ws"
			if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(dir+"/f", []byte("old\n"), 0o644)); err != nil {
				t.Fatal(err)
			}
			r := record(t, base)
			r.say(t)
			c.before(r, dir)
			r.log.Close()
			r.ws.Close()
			return base, look(t, dir), len(r.history.Changes())
		}
		var steps []string
		base, before, _ := setup(t)
		play(t, i, base, func(point string) { steps = append(steps, point) })
		after := look(t, base+"/ws")
		if after == before || !slices.Contains(steps, "keep") {
			t.Fatalf("%s: %v, and nothing changed", c.name, steps)
		}
		for _, step := range steps {
			if kills++; !plays(kills) {
				continue
			}
			t.Run(c.name+" "+step, func(t *testing.T) {
				base, before, n := setup(t)
				cmd := exec.Command(os.Args[0], "-test.run=^TestAKillBetweenACommitAndItsRecordLeavesNoUnknownChange$")
				cmd.Env = append(os.Environ(), fmt.Sprintf("WORKSPACE_TEST_RECORD=%d|%s|%s", i, base, step))
				var exit *exec.ExitError
				if err := cmd.Run(); !errors.As(err, &exit) ||
					exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("it was not killed: %v", err)
				}
				r := record(t, base)
				if r.settled {
					found++
				}
				all := r.history.Changes()
				switch now := look(t, base+"/ws"); files(now) {
				case files(before):
					if len(all) != n || r.settled {
						t.Errorf("nothing was changed, and %d changes are known of %d, the last %+v", len(all), n,
							all[len(all)-1])
					}
				case files(after):
					if len(all) != n+1 {
						t.Fatalf("a change is not known: %d of %d", len(all), n+1)
					}
					if err := r.undo(all[n].N); err != nil {
						t.Error(err)
					}
					if got := look(t, base+"/ws"); got != before {
						t.Errorf("taken back it is\n%s\nwas\n%s", got, before)
					}
				default:
					t.Errorf("neither before nor after:\n%s", now)
				}
				r.log.Close()
				again := record(t, base) // once is enough
				if again.settled || len(again.history.Changes()) != len(r.history.Changes()) {
					t.Error("it is found again")
				}
			})
		}
	}
	t.Logf("of %d kills %d left a change that was found by its file", kills, found)
	if found < len(changes)/3 {
		t.Errorf("%d changes were found, want at least one in three situations", found)
	}
}

// What was begun and failed is never taken for made, even if somebody else makes it.
func TestAChangeThatFailedIsNobodysLater(t *testing.T) {
	base := t.TempDir()
	if err := errors.Join(os.Mkdir(base+"/ws", 0o755), os.WriteFile(base+"/ws/f", []byte("old\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	r := record(t, base)
	r.ws.At(func(point string) {
		if point == "checked" {
			os.WriteFile(base+"/ws/f", []byte("new\n"), 0o644)
		}
	})
	if err := r.write("f", "new\n", false); err == nil {
		t.Fatal("it was written over another's")
	}
	r.say(t)
	r.log.Close()
	if again := record(t, base); again.settled || len(again.history.Changes()) > 0 {
		t.Errorf("%+v", again.history.Changes())
	}
}
