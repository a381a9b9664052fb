package app_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
)

// mostMemory is the amount of memory, in MiB, that agentshell may use during a flood.
const mostMemory = 200

// overflows returns the floods of both dialects that are played: one of each kind, or all of them
// with SCROLLKEEP_FLOODS set.
func overflows() map[string]providertest.Flood {
	all := map[string]providertest.Flood{}
	for _, f := range providertest.OpenAI.Floods() {
		all["openai "+f.Name] = f
	}
	for _, f := range providertest.Anthropic.Floods() {
		all["anthropic "+f.Name] = f
	}
	if os.Getenv("SCROLLKEEP_FLOODS") != "" {
		return all
	}
	some := map[string]providertest.Flood{}
	for _, name := range []string{"openai line", "anthropic values", "openai arguments", "anthropic text lines",
		"openai error 401", "anthropic header", "openai compressed line"} {
		some[name] = all[name]
	}
	return some
}

// inFull returns how long a flood flows where all of them are played, and where some are.
func inFull(all, some time.Duration) time.Duration {
	if os.Getenv("SCROLLKEEP_FLOODS") != "" {
		return all
	}
	return some
}

// flooded returns a place whose provider is f, without an end; asked counts requests.
func flooded(t *testing.T, name string, f providertest.Flood) (p place, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		f.Handler(4<<30)(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	p = newPlace(t)
	if strings.HasPrefix(name, "openai") {
		p.env = append(p.env, "OPENAI_API_KEY=sk-test-0123456789", "OPENAI_BASE_URL="+server.URL+"/v1")
	} else {
		p.env = append(p.env, "ANTHROPIC_API_KEY=sk-test-0123456789", "ANTHROPIC_BASE_URL="+server.URL)
	}
	return p, asked
}

// peak returns the largest amount of memory that a process has used, in MiB.
func peak(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmHWM:" {
			kb, _ := strconv.Atoi(f[1])
			return kb >> 10
		}
	}
	return 0
}

// worked returns the processor time of a process.
func worked(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// watch looks at the memory of a process until it has ended; the channel gets the most that it saw.
func watch(pid int, ended <-chan struct{}) <-chan int {
	most := make(chan int, 1)
	go func() {
		n := 0
		for tick := time.NewTicker(10 * time.Millisecond); ; {
			n = max(n, peak(pid))
			select {
			case <-tick.C:
			case <-ended:
				most <- n
				return
			}
		}
	}()
	return most
}

func TestAFloodEndsAPrintedTurnWithTheBoundThatItMet(t *testing.T) {
	t.Parallel()
	for name, f := range overflows() {
		t.Run(name, func(t *testing.T) {
			p, _ := flooded(t, name, f)
			cmd := p.command("-p", "go")
			var out, errs strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer time.AfterFunc(3*time.Minute, func() { cmd.Process.Kill() }).Stop()
			ended := make(chan struct{})
			most := watch(cmd.Process.Pid, ended)
			_ = cmd.Wait()
			close(ended)
			m := <-most
			worked := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			t.Logf("%d MiB, %v of a processor", m, worked)
			// What is refused at once may be over before the first look.
			if m == 0 && worked > 200*time.Millisecond || m > mostMemory {
				t.Errorf("it took %d MiB", m)
			}
			if want := f.Cut(provider.Bounds{}.OrDefault()); cmd.ProcessState.ExitCode() != 1 ||
				!strings.Contains(errs.String(), want) || errs.Len() > 10_000 {
				t.Errorf("code %d, %.1000s; want %s", cmd.ProcessState.ExitCode(), errs.String(), want)
			}
			if f.Says && !strings.HasPrefix(out.String(), providertest.Said) {
				t.Errorf("it says %.100q", out.String())
			}
		})
	}
}

// On a terminal: Escape in the middle of the flood stops the turn, and Ctrl+C twice ends the
// program. What it does until then is counted in the time that it has a processor, of which it
// takes two at once while a flood comes: the machine may be busy.
func TestAFloodIsStoppedByEscapeAndLeftByCtrlC(t *testing.T) {
	t.Parallel()
	for name, f := range overflows() {
		if f.Status > 0 || f.Name == "header" {
			continue // over before a key comes
		}
		t.Run(name, func(t *testing.T) {
			p, asked := flooded(t, name, f)
			cmd := p.command()
			tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
			if err != nil {
				t.Fatal(err)
			}
			defer tty.Close()
			defer time.AfterFunc(time.Minute, func() { cmd.Process.Kill() }).Stop()
			pid := cmd.Process.Pid
			ended := make(chan struct{})
			most := watch(pid, ended)
			shown := make(chan string, 1<<16)
			go func() {
				defer close(shown)
				buf := make([]byte, 32<<10)
				for {
					n, err := tty.Read(buf)
					if err != nil {
						return
					}
					shown <- string(buf[:n])
				}
			}()
			until := func(texts ...string) {
				t.Helper()
				all := ""
				for part := range shown {
					all = all[max(len(all)-1000, 0):] + part
					for _, text := range texts {
						if strings.Contains(all, text) {
							return
						}
					}
				}
				t.Errorf("the program left before it showed %q: %q", texts, all)
			}
			keys := func(s string) { _, _ = io.WriteString(tty, s) }
			until("Type a message")
			keys("go")
			until("go")
			keys("\r")
			for asked.Load() == 0 {
				<-time.After(10 * time.Millisecond)
			}
			flow := time.After(inFull(2*time.Second, 500*time.Millisecond))
			over := false // some floods meet their bound before a key comes
			for open := true; open; {
				select {
				case part := <-shown:
					over = over || strings.Contains(part, "cut off")
				case <-flow:
					open = false
				}
			}
			before, began := worked(pid), time.Now()
			if !over {
				keys("\x1b")
				until("stopped", "cut off")
			}
			t.Logf("stopped after %v, %v of a processor", time.Since(began).Round(time.Millisecond), worked(pid)-before)
			if n := worked(pid) - before; n > 2*500*time.Millisecond {
				t.Errorf("Escape was answered after %v of work", n)
			}
			keys("again\r")
			for wait := time.Now(); asked.Load() == 1 && time.Since(wait) < 20*time.Second; {
				<-time.After(10 * time.Millisecond)
			}
			keys("\x03\x03")
			before, began = worked(pid), time.Now()
			go func() {
				for range shown {
				}
			}()
			_ = cmd.Wait()
			close(ended)
			m := <-most
			t.Logf("left after %v; %d MiB", time.Since(began).Round(time.Millisecond), m)
			if d := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() - before; d > 3*time.Second {
				t.Errorf("it left after %v of work", d)
			}
			if m == 0 || m > mostMemory {
				t.Errorf("it took %d MiB", m)
			}
		})
	}
}

// A call may be as large as its bound. It is more than a proposal may be, so the tool refuses it,
// and it goes back to the model with that.
func TestALargeCallTakesFewCopies(t *testing.T) {
	t.Parallel()
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		d := providertest.OpenAI
		w.Header().Set("Content-Type", "text/event-stream")
		if n++; n > 1 {
			_, _ = io.WriteString(w, d.Begin+d.Text("ok")+strings.ReplaceAll(d.End, "tool_calls", "stop"))
			return
		}
		_, _ = io.WriteString(w, d.Begin+d.Call(0, "write_file")+d.Arguments(0, `{\"path\":\"a.txt\",\"content\":\"`))
		for range 20 * 16 {
			_, _ = io.WriteString(w, d.Arguments(0, strings.Repeat("0123456789abcde ", 4096)))
		}
		_, _ = io.WriteString(w, d.Arguments(0, `\"}`)+d.End)
	}))
	defer server.Close()
	p := newPlace(t)
	p.env = append(p.env, "OPENAI_API_KEY=sk-test-0123456789", "OPENAI_BASE_URL="+server.URL+"/v1")
	cmd := p.command("-p", "go", "--mode", "edits")
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	most := watch(cmd.Process.Pid, ended)
	_ = cmd.Wait()
	close(ended)
	m := <-most
	t.Logf("%d MiB", m)
	if out.String() != "ok\n" || p.tree() != "" || m == 0 || m > mostMemory {
		t.Errorf("it took %d MiB, said %.100q, and wrote %.100q", m, out.String(), p.tree())
	}
}

// A server that floods before it is ready is ended at its bound, and the turn goes on without it.
func TestAServerThatFloodsAtTheStartTakesLittle(t *testing.T) {
	t.Parallel()
	for name, flood := range map[string]string{
		"bytes":    `tr '\0' x </dev/zero`,
		"lines":    "yes garbage",
		"requests": `yes '{"jsonrpc":"2.0","id":7,"method":"ping"}'`,
		"changes":  `yes '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'`,
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.write(filepath.Join(p.home, ".config/agentshell/config.toml"),
				fmt.Sprintf("[mcp.flood]\ncommand = [\"sh\", \"-c\", %q]\nstart_timeout_s = 600\n", flood))
			cmd := p.command("-p", "x", "--script", p.script(hi))
			var out, errs strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer time.AfterFunc(time.Minute, func() { cmd.Process.Kill() }).Stop()
			ended := make(chan struct{})
			most := watch(cmd.Process.Pid, ended)
			_ = cmd.Wait()
			close(ended)
			m := <-most
			t.Logf("%d MiB", m)
			if m > mostMemory/2 || out.String() != "hi\n" ||
				!strings.Contains(errs.String(), "it was ended: it sent more than") {
				t.Errorf("it took %d MiB, said %q and %q", m, out.String(), errs.String())
			}
		})
	}
}
