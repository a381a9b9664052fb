//go:build unix

package acp_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// raw is a client that can write any bytes to `agentshell acp`, through real pipes.
type raw struct {
	t       *testing.T
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *os.File
	lines   chan answer // unbuffered: what nobody waits for is not read
	gone    chan struct{}
	work    string
	session string // the last one that began
	next    int
	permits string // the answer to questions about calls, for tells; "": yes
}

func newRaw(t *testing.T, script string, args ...string) *raw {
	t.Helper()
	return newConfigured(t, "", script, args...)
}

// newConfigured returns a raw client like newRaw, for an agentshell with a configuration file.
func newConfigured(t *testing.T, config, script string, args ...string) *raw {
	t.Helper()
	home := t.TempDir()
	if config != "" {
		dir := filepath.Join(home, ".config", "agentshell")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(config), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := &raw{t: t, work: t.TempDir(), gone: make(chan struct{})}
	file := filepath.Join(t.TempDir(), "script.jsonl")
	if err := os.WriteFile(file, []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	r.cmd = exec.Command(binary, append([]string{"acp", "--script", file}, args...)...)
	r.cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir(), "LANG=C.UTF-8"}
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	stdin, stdout, err := pipes()
	if err != nil {
		t.Fatal(err)
	}
	r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = stdin[0], stdout[1], os.Stderr
	r.in, r.out = stdin[1], stdout[0]
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdin[0].Close()
	stdout[1].Close()
	go func() {
		_ = r.cmd.Wait()
		close(r.gone)
	}()
	t.Cleanup(func() {
		stdin[1].Close()
		stdout[0].Close()
		_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
		<-r.gone
	})
	return r
}

// pipes returns two pipes of the operating system.
func pipes() (in, out [2]*os.File, err error) {
	var err2 error
	in[0], in[1], err = os.Pipe()
	out[0], out[1], err2 = os.Pipe()
	return in, out, errors.Join(err, err2)
}

// answer is a message that agentshell sends.
type answer struct {
	message
	ID json.RawMessage `json:"id"`
}

// reads begins to read what agentshell sends, in the background.
func (r *raw) reads() *raw {
	lines := make(chan answer)
	r.lines = lines
	go func() {
		defer close(lines)
		s := bufio.NewScanner(r.out)
		s.Buffer(nil, 64<<20)
		for s.Scan() {
			var m answer
			if json.Unmarshal(s.Bytes(), &m) != nil {
				r.t.Errorf("it says %q", s.Text())
				return
			}
			m.message.ID, _ = strconv.Atoi(string(m.ID))
			select {
			case lines <- m:
			case <-r.t.Context().Done():
				return
			}
		}
	}()
	return r
}

func (r *raw) write(text string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, text); err != nil {
		r.t.Fatal(err)
	}
}

// line returns the text of a request, and its id.
func (r *raw) line(method string, params any) (text string, id int) {
	r.t.Helper()
	r.next++
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": r.next, "method": method, "params": params})
	if err != nil {
		r.t.Fatal(err)
	}
	return string(b) + "\n", r.next
}

func (r *raw) request(method string, params any) int {
	r.t.Helper()
	text, id := r.line(method, params)
	r.write(text)
	return id
}

// wait returns the next message for which the function is returns true.
func (r *raw) wait(what string, is func(message) bool) message {
	r.t.Helper()
	late := time.After(20 * time.Second)
	var last message
	for {
		select {
		case m, open := <-r.lines:
			if !open {
				r.t.Fatalf("it ended before %s", what)
			}
			last = m.message
			if is(m.message) {
				return m.message
			}
		case <-late:
			r.t.Fatalf("there was no %s in 20 s; the last message is %.1000s %.1000s", what, last.Params, last.Result)
		}
	}
}

func (r *raw) answer(id int) message {
	r.t.Helper()
	return r.wait(fmt.Sprintf("answer %d", id), func(m message) bool { return m.ID == id && m.Method == "" })
}

// begin initializes the connection and opens a session, and returns the session's id.
func (r *raw) begin(held bool) (session string) {
	r.t.Helper()
	r.answer(r.request("initialize", map[string]any{"protocolVersion": 1,
		"clientCapabilities": map[string]any{"fs": map[string]bool{"readTextFile": held, "writeTextFile": held}}}))
	m := r.answer(r.request("session/new", map[string]any{"cwd": r.work, "mcpServers": []any{}}))
	var s struct{ SessionID string }
	if err := json.Unmarshal(m.Result, &s); err != nil || s.SessionID == "" {
		r.t.Fatalf("%+v, %v", m.Error, err)
	}
	return s.SessionID
}

func said(session string, blocks ...any) map[string]any {
	return map[string]any{"sessionId": session, "prompt": blocks}
}

func text(s string) any { return map[string]any{"type": "text", "text": s} }

// noise returns a picture of about that many bytes that cannot be compressed.
func noise(bytes int) []byte {
	side := 1
	for side*side*4 < bytes {
		side++
	}
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(img.Pix)
	var b strings.Builder
	if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, img); err != nil {
		panic(err)
	}
	return []byte(b.String())
}

// A message has 32 MiB at most. One that has more is answered by an error that names the bound,
// with its id wherever that stands, and the session goes on.
func TestALongMessageOfAnEditorIsTakenOrRefused(t *testing.T) {
	t.Parallel()
	const limit = 32 << 20
	r := newRaw(t, strings.Repeat(done+"\n", 20)).reads()
	id := r.begin(false)
	ends := func(n int) string {
		m := r.answer(n)
		if m.Error != nil {
			return fmt.Sprintf("%d %s", m.Error.Code, m.Error.Message)
		}
		return string(m.Result)
	}
	picture := base64.StdEncoding.EncodeToString(noise(8 << 20))
	if got := ends(r.request("session/prompt", said(id, text("look"), map[string]any{"type": "image",
		"mimeType": "image/png", "data": picture}))); got != `{"stopReason":"end_turn"}` {
		t.Errorf("a picture of 8 MiB: %s", got)
	}
	padded := func(size int) (string, int) { // a request of exactly so many bytes
		line, n := r.line("session/prompt", said(id, text("x"), map[string]any{"type": "resource",
			"resource": map[string]any{"uri": "file:///a", "text": "PAD"}}))
		return strings.Replace(line, "PAD", strings.Repeat("y", size-len(line)+len("PAD")), 1), n
	}
	line, n := padded(limit)
	r.write(line)
	if got := ends(n); got != `{"stopReason":"end_turn"}` {
		t.Errorf("a message of 32 MiB: %s", got)
	}
	line, n = padded(limit + 1)
	r.write(line)
	if got := ends(n); !strings.HasPrefix(got, "-32600 ") || !strings.Contains(got, "33554432") ||
		!strings.Contains(got, "32 MiB") {
		t.Errorf("a message of more than 32 MiB: %s", got)
	}
	long := strings.Repeat(`{"id":77},"\"",`, limit/15+10) // ids of others stand before ours
	for _, c := range []struct {
		text string
		id   string
	}{
		{`{"params":[` + long + `0],"method":"x","jsonrpc":"2.0","id":4711}`, "4711"},
		{`{ "a" : "` + strings.Repeat(`\"id\":1,`, limit/8) + `" , "id" : "4711" , "method" : "x" }`, `"4711"`},
		{`{"id":{"id":1},"method":"x","params":"` + strings.Repeat("z", limit) + `"}`, "null"},
		{strings.Repeat("no JSON ", limit/8+1), "null"},
	} {
		r.write(c.text + "\n")
		if got := r.refused(); got != c.id {
			t.Errorf("%.60s... is refused with the id %s, want %s", c.text, got, c.id)
		}
	}
	if got := ends(r.request("session/prompt", said(id, text("go on")))); got != `{"stopReason":"end_turn"}` {
		t.Errorf("behind them: %s", got)
	}
	if most := peak(r.cmd.Process.Pid); most > 200 {
		t.Errorf("it took %d MiB", most)
	} else {
		t.Logf("it took %d MiB", most)
	}
}

// refused waits for the next error, and returns the id of its request.
func (r *raw) refused() string {
	r.t.Helper()
	late := time.After(20 * time.Second)
	for {
		select {
		case m, open := <-r.lines:
			switch {
			case !open:
				r.t.Fatal("it ended")
			case m.Error != nil:
				if !strings.Contains(m.Error.Message, "32 MiB") {
					r.t.Errorf("%+v", *m.Error)
				}
				return string(m.ID)
			}
		case <-late:
			r.t.Fatal("there was no error in 20 s")
		}
	}
}

// peak returns the largest amount of memory that a process has used, in MiB; 0 if the system does
// not tell.
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

// An answer of the client that is too long fails what waits for it.
func TestALongAnswerOfAnEditorFailsTheCall(t *testing.T) {
	t.Parallel()
	r := newRaw(t, scriptOf(readIt, `{"expect":"32 MiB","say":"It is too long.","delay_ms":0}`)).reads()
	if err := os.WriteFile(filepath.Join(r.work, "notes.md"), []byte("saved\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	id := r.begin(true)
	turn := r.request("session/prompt", said(id, text("read")))
	asked := r.wait("the read", func(m message) bool { return m.Method == "fs/read_text_file" })
	r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":"%s"}}`+"\n", asked.ID,
		strings.Repeat("x", 33<<20)))
	if m := r.answer(turn); m.Error != nil {
		t.Errorf("%+v", *m.Error)
	}
}

// A stop is answered, whatever the client owes, and whenever it comes.
func TestAStopIsAnsweredWhateverTheEditorOwes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, owed string
		mode       string
		script     []string
		before     string // is answered
	}{
		{"a permission", "session/request_permission", "ask", []string{
			call("a", "write_file", `{"path":"new.txt","content":"new\n"}`)}, ""},
		{"a read", "fs/read_text_file", "ask", []string{readIt}, ""},
		{"a write", "fs/write_text_file", "edits", []string{readIt, editIt("e", "two", "2")}, "fs/read_text_file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRaw(t, scriptOf(append(c.script, done, done)...), "--mode", c.mode).reads()
			if err := os.WriteFile(filepath.Join(r.work, "notes.md"), []byte("one\ntwo\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			id := r.begin(c.owed != "session/request_permission")
			turn := r.request("session/prompt", said(id, text("go")))
			r.wait(c.owed, func(m message) bool {
				if m.Method == c.before && m.Method != "" {
					r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":"one\ntwo\n"}}`+"\n", m.ID))
				}
				return m.Method == c.owed
			})
			began := time.Now()
			r.write(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"` + id + `"}}` + "\n")
			m := r.answer(turn)
			t.Logf("answered after %v", time.Since(began).Round(time.Millisecond))
			if string(m.Result) != `{"stopReason":"cancelled"}` {
				t.Errorf("%s %+v", m.Result, m.Error)
			}
			if m := r.answer(r.request("session/prompt", said(id, text("go on")))); m.Error != nil {
				t.Errorf("behind it: %+v", *m.Error)
			}
		})
	}
}

// A stop right behind the request for a turn stops it, and turns that wait for its end.
func TestAStopRightBehindATurnStopsIt(t *testing.T) {
	t.Parallel()
	r := newRaw(t, scriptOf(slices.Repeat([]string{`{"say":"slow and slow","delay_ms":60000}`}, 100)...)).reads()
	id := r.begin(false)
	for range 20 {
		first, one := r.line("session/prompt", said(id, text("go")))
		second, two := r.line("session/prompt", said(id, text("go on")))
		stop := `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"` + id + `"}}` + "\n"
		r.write(first + second + stop)
		left := []int{one, two}
		r.wait("both answers", func(m message) bool {
			if i := slices.Index(left, m.ID); i >= 0 && m.Method == "" {
				left = slices.Delete(left, i, i+1)
				if string(m.Result) != `{"stopReason":"cancelled"}` {
					t.Errorf("%s %+v", m.Result, m.Error)
				}
			}
			return len(left) == 0
		})
	}
}

// A client that ends our input and reads no more leaves no process, whatever runs.
func TestAnEditorThatGoesLeavesNoProcess(t *testing.T) {
	t.Parallel()
	mark := fmt.Sprintf("41.%d", os.Getpid())
	running := func() bool { return exec.Command("pgrep", "-f", mark).Run() == nil }
	flood := fmt.Sprintf(`{"say":%q,"delay_ms":0,"chunk_runes":1}`, strings.Repeat("flood ", 30_000))
	for _, c := range []struct {
		name   string
		script string
		until  string // what the client reads before it goes; "": nothing behind the beginning
	}{
		{"a question", call("a", "write_file", `{"path":"a.txt","content":"a"}`), "request_permission"},
		{"a command", call("a", "bash", `{"command":"echo begun; sleep `+mark+` & sleep `+mark+`"}`), "begun"},
		{"output that nobody reads", flood, ""},
		{"output of a command that nobody reads", call("a", "bash", `{"command":"yes `+mark+`"}`), mark + "\\n" + mark},
	} {
		t.Run(c.name, func(t *testing.T) {
			mode := "trusted"
			if c.until == "request_permission" {
				mode = "ask"
			}
			r := newRaw(t, scriptOf(c.script, done), "--mode", mode).reads()
			id := r.begin(false)
			text, _ := r.line("session/prompt", said(id, text("go")))
			if c.until == "" {
				r.stall(text)
			} else {
				r.write(text)
				r.wait(c.until, func(m message) bool { return strings.Contains(m.Method+string(m.Params), c.until) })
			}
			began := time.Now()
			r.in.Close()
			select {
			case <-r.gone:
			case <-time.After(15 * time.Second):
				t.Fatal("it is still there after 15 s")
			}
			t.Logf("gone after %v", time.Since(began).Round(time.Millisecond))
			if running() {
				t.Error("a command runs on")
			}
		})
	}
}

// stall sends text, and waits until agentshell has filled its output pipe, which nobody reads.
func (r *raw) stall(text string) {
	r.t.Helper()
	r.write(text)
	late := time.After(20 * time.Second)
	for {
		if n, err := unix.IoctlGetInt(int(r.out.Fd()), unreadRequest); err != nil || n >= 16<<10 {
			return
		}
		select {
		case <-late:
			r.t.Fatal("the pipe is not full after 20 s")
		case <-time.After(5 * time.Millisecond):
		}
	}
}
