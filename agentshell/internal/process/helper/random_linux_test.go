package helper

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/internal/nasty"
)

var sessions = flag.Int("sessions", 24, "random sessions of helpers that misbehave")

func TestMain(m *testing.M) {
	flag.Parse()
	ctx, cancel := context.WithCancel(context.Background())
	if err := family.AdoptOrphans(ctx); err != nil {
		panic(err)
	}
	code := m.Run()
	family.Close(0)
	cancel()
	os.Exit(code)
}

// misdeeds are programs that do not behave. None of them ends by itself unless it crashes.
var misdeeds = map[string]string{
	"crashes at once":      `echo 'error: no luck' >&2; exit 3`,
	"is killed":            `kill -9 $$`,
	"crashes when asked":   `echo hello; read l; exit 4`,
	"hangs at once":        `exec sleep 1000`,
	"hangs when asked":     `echo hello; exec sleep 1000`,
	"floods":               `echo hello; exec yes`,
	"floods without lines": `echo hello; exec cat /dev/zero`,
	"floods its log":       `echo hello; exec yes >&2`,
	"sends garbage":        `exec head -c 50000 /dev/urandom`,
	"sends garbage later":  `echo hello; read l; head -c 50000 /dev/urandom; exec sleep 1000`,
	"sends half a hello":   `printf hel; exec sleep 1000`,
	"sends half an answer": `echo hello; read l; printf answ; exit 0`,
	"closes its output":    `echo hello; exec sleep 1000 >&- 2>&-`,
	"reads nothing":        `echo hello; exec sleep 1000 <&-`,
	"forks":                `sleep 1000 & setsid sleep 1000 & (setsid sh -c 'sleep 1000 & sleep 1000' &) ; ` + well,
	"forks and crashes":    `setsid sleep 1000 & (sleep 1000 &) ; echo hello; read l; exit 5`,
	"ignores its end":      `trap '' TERM HUP INT; echo hello; while :; do sleep 1000; done`,
	"children that ignore": `(trap '' TERM; sleep 1000; sleep 1000) & ` + well,
}

func TestRandomHelpersThatMisbehaveLeaveNothing(t *testing.T) {
	names := slices.Sorted(maps.Keys(misdeeds))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for seed := range *sessions { // one by one: without a sandbox the orphans of two cannot be told apart
		misbehave(t, uint64(seed), names)
	}
	runtime.ReadMemStats(&after)
	if more := int64(after.Sys) - int64(before.Sys); more > 100<<20 {
		t.Errorf("%d MiB of memory more", more>>20)
	}
	t.Logf("%d sessions, %d KiB of memory more", *sessions, (int64(after.Sys)-int64(before.Sys))>>10)
}

// misbehave is a session with a helper that behaves badly a few times, and then well.
func misbehave(t *testing.T, seed uint64, names []string) {
	random := rand.New(rand.NewPCG(seed, 1))
	dir := t.TempDir()
	mark := fmt.Sprintf("HELPER_TEST=%s", dir)
	count := filepath.Join(dir, "count")
	script, did := fmt.Sprintf("n=$(cat %s 2>/dev/null); echo x$n >%[1]s; case \"$n\" in\n", count), []string{}
	for n := range 1 + random.IntN(3) {
		did = append(did, names[random.IntN(len(names))])
		script += fmt.Sprintf("%q) %s;;\n", strings.Repeat("x", n), misdeeds[did[n]])
	}
	p := shell(script + "*) " + well + ";;\nesac")
	p.Env = append(p.Env, mark)
	log, err := child.OpenLog(filepath.Join(dir, "log"))
	if err != nil {
		t.Error(err)
		return
	}
	defer log.Close()
	p.Log = log
	h := New(p, Options{Pause: time.Millisecond, Start: 100 * time.Millisecond}, greetLines, nil)
	answered := false
	for range 40 { // a machine under load may take a start for a hang
		if answered = one(h); answered && random.IntN(2) == 0 {
			break
		}
	}
	if !answered {
		t.Errorf("seed %d (%v) never answers: %+v", seed, did, h.Status())
	}
	h.Close()
	if left := nasty.ProcessesWith(mark); len(left) > 0 {
		t.Errorf("seed %d (%v) leaves %v", seed, did, left)
	}
	if info, err := os.Stat(filepath.Join(dir, "log")); err != nil || info.Size() > 3<<20 {
		t.Errorf("seed %d: its log: %v", seed, info.Size())
	}
}

// one uses a helper once and reports whether it answered. A helper that does not is ended, as a
// person would do it.
func one(h *Helper[*lines]) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	c, release, err := h.Use(ctx)
	if err == nil {
		defer release()
		_, err = c.ask(ctx, "how")
	}
	if err != nil && (ctx.Err() != nil || h.Status().State == Failed) {
		h.Stop()
	}
	return err == nil
}

// The search for what is left finds this very process, and none by a variable that nobody has.
func TestAProcessIsFoundByItsEnvironment(t *testing.T) {
	own := fmt.Sprint(os.Getpid(), " ")
	found := nasty.ProcessesWith(os.Environ()[0])
	if !slices.ContainsFunc(found, func(line string) bool { return strings.HasPrefix(line, own) }) {
		t.Errorf("%s is not among %q", own, found)
	}
	if found := nasty.ProcessesWith("NASTY_TEST_NOBODY=" + own); len(found) > 0 {
		t.Errorf("found %q", found)
	}
}
