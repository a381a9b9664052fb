package app_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// kills returns how many sessions are killed, full how many meet a full disk: few, or as many as
// SCROLLKEEP_KILLS says and a fifth of it.
func kills(t *testing.T, few int) int {
	t.Helper()
	text := os.Getenv("SCROLLKEEP_KILLS")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// talk is a session in a process of its own whose messages are answered one by one.
type talk struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	seen  strings.Builder
	errs  strings.Builder
	asked int
}

// said and answer are the texts of message i. They are long enough to cross the pages of a file
// system soon.
func said(i int) string   { return fmt.Sprintf("message-%d-%s.", i, strings.Repeat("m", 700)) }
func answer(i int) string { return fmt.Sprintf("answer-%d-%s.", i, strings.Repeat("a", 700)) }

// begin starts a session with scripted answers to that many messages.
func (p place) begin(turns int, wrap ...string) *talk {
	p.t.Helper()
	var lines []string
	for i := range turns {
		lines = append(lines, fmt.Sprintf(`{"say":%q,"delay_ms":0,"chunk_runes":200}`, answer(i)))
	}
	k := &talk{t: p.t, cmd: p.command("--script", p.script(lines...))}
	if len(wrap) > 0 {
		path, err := exec.LookPath(wrap[0])
		if err != nil {
			p.t.Fatal(err)
		}
		k.cmd.Path, k.cmd.Args = path, append(wrap, k.cmd.Args[1:]...)
	}
	out, err := k.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if k.in, err = k.cmd.StdinPipe(); err != nil {
		p.t.Fatal(err)
	}
	k.out, k.cmd.Stderr = bufio.NewReader(out), &k.errs
	if err := k.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	return k
}

// until reads lines of the output until one contains text. It returns false at the end of the
// output.
func (k *talk) until(text string) bool {
	for {
		line, err := k.out.ReadString('\n')
		k.seen.WriteString(line)
		switch {
		case strings.Contains(line, text):
			return true
		case err != nil:
			return false
		}
	}
}

// ask sends the next message and waits for the end of its turn.
func (k *talk) ask() bool {
	i := k.asked
	k.asked++
	if _, err := io.WriteString(k.in, said(i)+"\n"); err != nil {
		return false
	}
	if !k.until(answer(i)) {
		return false
	}
	for { // a turn ends with an empty line
		line, err := k.out.ReadString('\n')
		k.seen.WriteString(line)
		if line == "\n" {
			return true
		} else if err != nil {
			return false
		}
	}
}

// end waits for the end of the process, and returns the exit code.
func (k *talk) end() int {
	k.until("\x00") // to the end
	err := k.cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		k.t.Fatal(err)
	}
	return k.cmd.ProcessState.ExitCode()
}

// missing returns the messages and answers below n that the resumed session does not have, in
// order.
func (p place) missing(k *talk, n int) (lost []string) {
	p.t.Helper()
	resumed := p.run("", "--continue", "-p", "one more", "--script", p.script(hi))
	if resumed.code != 0 {
		return []string{fmt.Sprintf("everything: it is not resumed: %+v", resumed)}
	}
	text := p.run("", "export").stdout
	at := 0
	for i := range n {
		for _, want := range []string{said(i), answer(i)} {
			if j := strings.Index(text[at:], want); j < 0 || strings.Count(text, want) != 1 {
				lost = append(lost, want[:12])
			} else {
				at += j
			}
		}
	}
	if !strings.Contains(text[at:], "one more") {
		lost = append(lost, "what was said after the resumption")
	}
	return lost
}

// A session of the real program is killed at any moment: each message that was answered, and each
// answer whose turn has ended, comes back.
func TestNoAnsweredMessageIsMissingAfterAKill(t *testing.T) {
	need.Time(t)
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	p := newPlace(t)
	p.env = append(p.env, "XDG_STATE_HOME="+filepath.Join(p.home, "state"))
	rounds, answered := kills(t, 8), 0
	for round := range rounds {
		p.empty()
		k := p.begin(60)
		first := rng.IntN(4)
		done := 0
		for done < first && k.ask() {
			done++
		}
		kill := time.AfterFunc(time.Duration(rng.IntN(20_000))*time.Microsecond, func() { _ = k.cmd.Process.Kill() })
		for k.asked < 60 && k.ask() {
			done++
		}
		kill.Stop()
		_ = k.cmd.Process.Kill()
		k.end()
		answered += done
		if done == 0 {
			continue
		}
		if lost := p.missing(k, done); len(lost) > 0 {
			t.Fatalf("seed %d, round %d: of %d answered messages %q are missing", seed, round, done, lost)
		}
	}
	t.Logf("%d kills, %d answered messages, none missing", rounds, answered)
	if answered == 0 {
		t.Error("no message was answered before a kill: nothing is proven")
	}
}

// empty removes the state of earlier sessions.
func (p place) empty() {
	p.t.Helper()
	state := filepath.Join(p.home, "state")
	for _, path := range glob(p.t, filepath.Join(state, "*")) {
		if err := os.RemoveAll(path); err != nil {
			p.t.Fatal(err)
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// smallDisk mounts a small file system at the state directory.
func (p *place) smallDisk(size string) {
	p.t.Helper()
	state := filepath.Join(p.home, "state")
	if err := os.Mkdir(state, 0o700); err != nil {
		p.t.Fatal(err)
	}
	mount := need.Program(p.t, "mount")
	if out, err := exec.Command(mount, "-t", "tmpfs", "-o", "size="+size, "tmpfs", state).CombinedOutput(); err != nil {
		need.Missing(p.t, "mount", fmt.Sprintf("no full disk was tried: %v %s", err, out))
	}
	p.t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", state).CombinedOutput(); err != nil {
			p.t.Errorf("%v %s", err, out)
		}
	})
	p.env = append(p.env, "XDG_STATE_HOME="+state)
}

// fill fills the small file system, except for that many pages.
func (p place) fill(free int) {
	p.t.Helper()
	f, err := os.Create(filepath.Join(p.home, "state", "filler"))
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	n := int64(0)
	for {
		if _, err := f.Write(page); err != nil {
			break
		}
		n++
	}
	if err := f.Truncate(max(0, n-int64(free)) * 4096); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) makeRoom() {
	p.t.Helper()
	if err := os.Remove(filepath.Join(p.home, "state", "filler")); err != nil {
		p.t.Fatal(err)
	}
}

// The disk is full at any moment and has room again later, or never, and the session ends or is
// killed then: what was answered while it could be written comes back, and where it could not be
// written, the person was told.
func TestNoAnsweredMessageIsMissingAfterAFullDisk(t *testing.T) {
	need.Time(t)
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	p := newPlace(t)
	p.smallDisk("256k")
	rounds, told, again := max(6, kills(t, 30)/5), 0, 0
	for round := range rounds {
		p.empty()
		before, during, after := rng.IntN(6), 1+rng.IntN(12), rng.IntN(5)
		room, killed := rng.IntN(3) > 0, rng.IntN(2) == 0
		if round%2 == 0 { // more than what is left takes, so that half of the sessions meet the full disk
			during, room = 8+rng.IntN(5), room || round == 0
		}
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("seed %d, round %d (%d messages, %d without room, %d after, room again: %v, killed: %v): %s\n%s",
				seed, round, before, during, after, room, killed,
				fmt.Sprintf(format, args...), p.logs())
		}
		k := p.begin(30)
		ask := func(n int) {
			for range n {
				if !k.ask() {
					fail("message %d is not answered: %s", k.asked, k.errs.String())
				}
			}
		}
		ask(before + 1)
		p.fill(rng.IntN(3))
		ask(during)
		cannot := strings.Count(k.seen.String(), "! The session log cannot be written: no space left on device.")
		safe := before + 1
		if cannot == 0 {
			safe += during
		} else if told++; cannot != 1 {
			fail("the person was told %d times", cannot)
		}
		if room {
			p.makeRoom()
			ask(1 + after)
			safe = k.asked
			if n := strings.Count(k.seen.String(),
				"! The session log is written again. Nothing is missing in it."); n != cannot {
				fail("told %d times that it cannot be written, %d times that it is again", cannot, n)
			}
			again += cannot
		}
		if killed {
			_ = k.cmd.Process.Kill()
		} else {
			k.in.Close()
		}
		code := k.end()
		switch lost := strings.Contains(k.errs.String(), "entries of this session are lost"); {
		case killed:
		case lost != (cannot > 0 && !room) || lost != (code == 1):
			fail("at the end: code %d, %s", code, k.errs.String())
		}
		if !room {
			p.makeRoom()
		}
		if lost := p.missing(k, safe); len(lost) > 0 {
			fail("%q are missing", lost)
		}
	}
	t.Logf("%d full disks, of which %d were met, %d of these had room again; no answered message is missing", rounds,
		told, again)
	if told < rounds/2 || again == 0 {
		t.Errorf("only %d of %d sessions met the full disk, %d had room again", told, rounds, again)
	}
}

// logs returns the contents of the logs, shortened, for the message of a failed test.
func (p place) logs() string {
	var b strings.Builder
	for _, path := range glob(p.t, filepath.Join(p.home, "state", "agentshell", "sessions", "*", "*")) {
		text, _ := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			fmt.Fprintf(&b, "%s: %.200q\n", filepath.Base(path), line)
		}
	}
	return b.String()
}

// A file that may not grow is a full disk as well; the signal that comes with it ends nothing.
func TestALogThatMayNotGrowIsToldAndEndsNothing(t *testing.T) {
	need.Time(t)
	p := newPlace(t)
	k := p.begin(12, "bash", "-c", `ulimit -f 4; exec "$@"`, "bash", binary)
	for range 10 {
		if !k.ask() {
			t.Fatalf("message %d is not answered: %s", k.asked, k.errs.String())
		}
	}
	k.in.Close()
	code := k.end()
	if n := strings.Count(k.seen.String(), "! The session log cannot be written: file too large."); n != 1 ||
		code != 1 || !strings.Contains(k.errs.String(), "entries of this session are lost") {
		t.Errorf("told %d times, code %d, %s", n, code, k.errs.String())
	}
	if lost := p.missing(k, 1); len(lost) > 0 {
		t.Errorf("%q are missing", lost)
	}
}
