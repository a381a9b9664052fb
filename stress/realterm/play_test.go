//go:build terminals

package realterm

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/soak"
	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// A play is one run: a program, its text, and the sizes of its window.
type play struct {
	soak.Run
	text   soak.Text
	steps  []soak.Step
	asks   bool // the program asks for a decision, and the sizes come while its pane is open
	dir    string
	desk   *net.UnixListener // of the workload program, which says there that it has played all
	failed string
}

// tick is the time between two pieces of a text.
const tick = 15 * time.Millisecond

// newPlay lays out the files of a run, and the script that a shell in the terminal runs.
func newPlay(t *testing.T, bins map[string]string, r soak.Run) *play {
	t.Helper()
	steps, err := soak.Sizes(r.Manner, r.Seed, *soakSizes)
	if err != nil {
		t.Fatal(err)
	}
	p := &play{Run: r, steps: steps, asks: r.Manner == "pane" && r.Program == "shell", dir: t.TempDir()}
	switch r.Content {
	case "plain":
		p.text = soak.Plain(r.Seed, soakRows)
	case "markdown":
		p.text = soak.Markdown(r.Seed, soakRows)
	default:
		t.Fatalf("no text is called %q, but plain and markdown", r.Content)
	}
	if err := os.Mkdir(p.file("ws"), 0o700); err != nil {
		t.Fatal(err)
	}
	var command string
	switch r.Program {
	case "shell":
		p.put(t, "script", p.script())
		command = fmt.Sprintf("cd %[1]s && HOME=%[1]s XDG_STATE_HOME=%[1]s/state XDG_CONFIG_HOME=%[1]s/config "+
			"%[2]s --script %[1]s/script --workspace %[1]s/ws", p.dir, bins["shell"]) // for a footer row that is long
	case "workload":
		p.put(t, "ops", p.ops(t))
		if p.desk, err = net.ListenUnix("unix", &net.UnixAddr{Name: p.file("desk"), Net: "unix"}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.desk.Close() })
		command = fmt.Sprintf("%s --script %s --pace %s --desk %s",
			bins["workload"], p.file("ops"), tick, p.file("desk"))
	case soak.Control:
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		var rows strings.Builder
		for _, row := range p.text {
			rows.WriteString(row.Plain + "\n")
		}
		p.put(t, "rows", rows.String())
		pace := p.lasts() / time.Duration(len(p.text))
		command = fmt.Sprintf("SCROLLKEEP_ROWS=%s SCROLLKEEP_PACE=%s %s", p.file("rows"), pace, self)
	default:
		t.Fatalf("no program is called %q", r.Program)
	}
	p.put(t, "run", fmt.Sprintf(`while [ "$(stty size)" != "%d %d" ]; do sleep 0.1; done
printf '%%s\n' %s
: >%s
(%s) 2>%s
echo %s
: >%s
`, soak.Rows, soak.Cols, strings.Join(soak.Greeting(), " "),
		p.file("began"), command, p.file("errors"), soak.End, p.file("done")))
	return p
}

func (p *play) file(name string) string { return filepath.Join(p.dir, name) }

func (p *play) put(t *testing.T, name, text string) {
	t.Helper()
	write(t, p.file(name), func(f *os.File) error { _, err := f.WriteString(text); return err })
}

// lasts returns how long the text streams: a quarter longer than the sizes change, and a second
// more.
func (p *play) lasts() time.Duration {
	return max(soak.Duration(p.steps), 3*time.Second)*5/4 + time.Second
}

// answer returns a line of the script of a model that says text in so long a time.
func answer(text string, lasts time.Duration, more map[string]any) string {
	runes := max(1, len([]rune(text))*int(tick)/int(lasts))
	line := map[string]any{"say": text, "delay_ms": tick.Milliseconds(), "chunk_runes": runes}
	for k, v := range more {
		line[k] = v
	}
	b, err := json.Marshal(line)
	if err != nil {
		panic(err) // of texts and numbers it cannot be
	}
	return string(b) + "\n"
}

// script returns what the model of the shell says: all of the text, or a part before and a part
// behind a change of a file.
func (p *play) script() string {
	if !p.asks {
		return answer(p.text.Source(), p.lasts(), nil)
	}
	head, tail := p.text.Split(soakRows / 3)
	input := map[string]any{"path": soak.ChangeFile, "content": soak.Change()}
	calls := []any{map[string]any{"id": "change", "name": "write_file", "input": input}}
	return answer(head.Source(), 2*time.Second, map[string]any{"tool_calls": calls}) +
		answer(tail.Source(), 2*time.Second, nil)
}

// ops returns what the workload program plays: a paragraph for each block of the text, in pieces.
func (p *play) ops(t *testing.T) string {
	var blocks []string
	for _, r := range p.text {
		if r.Opens || len(blocks) == 0 {
			blocks = append(blocks, r.Plain)
			continue
		}
		blocks[len(blocks)-1] += " " + r.Plain
	}
	all := []rune(strings.Join(blocks, "\n"))
	piece := max(1, len(all)*int(tick)/int(p.lasts()))
	ops := []workload.Op{{K: "size", W: soak.Cols, H: soak.Rows}}
	for _, b := range blocks {
		for part := range slices.Chunk([]rune(b+"\n"), piece) {
			ops = append(ops, workload.Op{K: "s", T: string(part)})
		}
	}
	var out strings.Builder
	if err := workload.Write(&out, append(ops, workload.Op{K: "msgend"})); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// until waits for ok, for so long at most.
func until(most time.Duration, ok func() bool) bool {
	for end := time.Now().Add(most); !ok(); <-time.After(50 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

func (p *play) exists(name string) bool {
	_, err := os.Stat(p.file(name))
	return err == nil
}

// fail notes what went wrong first.
func (p *play) fail(format string, args ...any) {
	p.failed = cmp.Or(p.failed, fmt.Sprintf(format, args...))
}

// run plays in a terminal, and reads what that has kept.
func (p *play) run(t *testing.T, term player) string {
	term.start(t, "sh "+p.file("run"))
	if !until(time.Minute, func() bool {
		term.resize(t, soak.Cols, soak.Rows) // one order may be lost
		return until(2*time.Second, func() bool { return p.exists("began") })
	}) {
		t.Fatalf("the window is not %dx%d; the tape is\n%s", soak.Cols, soak.Rows, term.tape(t))
	}
	shows := func(text string) bool { return strings.Contains(shown(t, term), text) }
	told := make(chan error, 1)
	if p.desk != nil {
		go func() { told <- p.told() }()
	}
	if p.Program == "shell" {
		if !until(time.Minute, func() bool { return shows("Type a message") }) {
			t.Fatalf("the shell does not begin; the tape is\n%s", term.tape(t))
		}
		term.send(t, "go\r")
	}
	if p.asks {
		if !until(time.Minute, func() bool { return shows("[n]o") }) {
			t.Fatalf("the pane does not open; the tape is\n%s", term.tape(t))
		}
	} else if !until(30*time.Second, func() bool { return shows("w00005") }) {
		t.Fatalf("the text does not begin; the tape is\n%s", term.tape(t))
	}
	p.change(t, term)
	if p.asks {
		<-time.After(2 * time.Second)
		if !until(time.Minute, func() bool {
			term.send(t, "y")
			return until(5*time.Second, func() bool { return p.exists("ws/" + soak.ChangeFile) })
		}) {
			p.fail("the change was not made")
		}
	}
	last := p.text.Last()
	if !until(p.lasts()+30*time.Second, func() bool { <-time.After(time.Second); return shows(last) }) {
		p.fail("the last word does not come")
	}
	<-time.After(2 * time.Second)
	switch p.Program {
	case "shell":
		if !until(time.Minute, func() bool {
			term.send(t, "/quit\r")
			return until(10*time.Second, func() bool { return p.exists("done") })
		}) {
			p.fail("the shell does not quit")
		}
	case "workload":
		if err := <-told; err != nil {
			p.fail("the workload program: %v", err)
		}
	}
	if !until(20*time.Second, func() bool { return p.exists("done") }) {
		p.fail("the program does not end")
	}
	var tape string
	if !until(20*time.Second, func() bool { tape = term.tape(t); return strings.Contains(tape, soak.End) }) {
		p.fail("the end is not on the tape")
	}
	return tape
}

// shown returns what a terminal shows without holding the program up, or all that it keeps.
func shown(t *testing.T, term player) string {
	if s, ok := term.(interface{ shown(*testing.T) string }); ok {
		return s.shown(t)
	}
	return term.tape(t)
}

// change gives the window its sizes, each at its time. A terminal that has taken the last one only
// when the text was complete has proven nothing.
func (p *play) change(t *testing.T, term player) {
	begin, at := time.Now(), time.Duration(0)
	for _, s := range p.steps {
		at += s.After
		<-time.After(time.Until(begin.Add(at)))
		term.resize(t, s.Cols, s.Rows)
	}
	complete := strings.Contains(shown(t, term), p.text.Last())
	t.Logf("%d sizes in %v, planned %v", len(p.steps), time.Since(begin).Round(time.Millisecond), at)
	if complete && len(p.steps) > 0 {
		p.fail("the text was complete before the last size: the machine is too busy")
	}
}

// told waits until the workload program has played all, and lets it end.
func (p *play) told() error {
	if err := p.desk.SetDeadline(time.Now().Add(5 * time.Minute)); err != nil {
		return err
	}
	conn, err := p.desk.Accept()
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(5 * time.Minute)); err != nil {
		return err
	}
	line := make([]byte, 16)
	n, err := conn.Read(line)
	if err != nil {
		return err
	}
	if got := string(line[:n]); got != "end\n" {
		return errors.New("it says " + strconv.Quote(got))
	}
	_, err = io.WriteString(conn, "\n")
	return err
}

// keep writes the tape to a file where it is asked for, or the run is not as it should be.
func (p *play) keep(t *testing.T, name, tape, over string) {
	dir := *soakKeep
	if dir == "" && over != "" {
		dir = os.TempDir()
	}
	kept := ""
	if dir != "" {
		file := fmt.Sprintf("scrollkeep-soak-%s-%s-%s-%d-%s", name, p.Content, p.Manner, p.Seed, p.Program)
		kept = filepath.Join(dir, file)
		if err := os.WriteFile(kept, []byte(tape), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if over != "" {
		said, _ := os.ReadFile(p.file("errors"))
		t.Errorf("%s; the program said %q; the tape is in %s", over, said, kept)
	}
}
