//go:build terminals

package realterm

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/workload"
)

var every = flag.Bool("every", false, "play each workload with both policies at both sizes, not in turn")

// player is a terminal in which somebody can type.
type player interface {
	terminal
	send(t *testing.T, keys string)
}

// entry is a terminal by its name, with the programs that it needs.
type entry struct {
	name  string
	needs []string
	open  func(t *testing.T) player
}

// players are the terminals by the name of their profile; of kitty there are two profiles.
var players = []entry{
	{"tmux", []string{"tmux"}, func(t *testing.T) player { return &tmux{socket: filepath.Join(t.TempDir(), "s")} }},
	{"screen", []string{"screen"}, func(*testing.T) player { return &screen{} }},
	{"kitty", nil, func(*testing.T) player { return &kitty{} }},
	{"xterm", []string{"xterm", "Xvfb", "xdotool"}, func(*testing.T) player { return &xterm{} }},
	{"vte", []string{"Xvfb"}, func(*testing.T) player { return &vte{} }},
	{"konsole", []string{"konsole", "Xvfb", "xdotool", "xclip"}, func(*testing.T) player { return &konsole{} }},
	{"alacritty", []string{"alacritty", "Xvfb", "xdotool", "xclip"}, func(*testing.T) player { return &alacritty{} }},
	{"foot", []string{"foot", "sway", "wtype"}, func(*testing.T) player { return &foot{} }},
	{"urxvt", []string{"urxvt", "Xvfb", "xdotool"}, func(*testing.T) player { return &urxvt{} }},
	{"xtermjs", []string{"node"}, func(*testing.T) player { return &core{emulator: "xtermjs"} }},
	{"ghostty", []string{"node"}, func(*testing.T) player { return &core{emulator: "ghostty"} }},
}

// The benchmark workloads, played by stress/cmd/livechat in the terminal itself: its own history
// must hold each row once, in order and whole, no stale footer, and the rows that a shell had
// written before. What the emulator of the same terminal says that the terminal does by itself is
// let through.
func TestWorkloads(t *testing.T) {
	dir := t.TempDir()
	bin, judge := filepath.Join(dir, "livechat"), filepath.Join(dir, "play.test")
	for _, args := range [][]string{{"build", "-o", bin, "../cmd/livechat"}, {"test", "-c", "-o", judge, "../play"}} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	sizes, policies := [][2]int{{80, 24}, {100, 30}}, []string{"para", "msg"}
	for _, p := range players {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			for _, program := range p.needs {
				need.Program(t, program)
			}
			profile := p.name
			if profile == "kitty" {
				profile = needKitty(t).Name
			}
			for i, name := range []string{"w1", "w2-1000", "w3", "w4", "w4s", "w5", "w5s", "w6", "w7"} {
				for k := range 2 * len(sizes) {
					size, policy := sizes[k/2], policies[k%2]
					if !*every && name != "w5s" && (k != i%4) || !*every && name == "w5s" && k/2 == k%2 {
						continue
					}
					t.Run(fmt.Sprintf("%s-%dx%d-%s", name, size[0], size[1], policy), func(t *testing.T) {
						live(t, p.open(t), profile, bin, judge, name, size, policy)
					})
				}
			}
		})
	}
}

// live plays a workload and judges what the terminal has kept.
func live(t *testing.T, term player, profile, bin, judge, name string, size [2]int, policy string) {
	dir := t.TempDir()
	script, err := workload.Make(name, size[0], size[1], 1)
	if err != nil {
		t.Fatal(err)
	}
	script = shorter(script)
	file := func(name string) string { return filepath.Join(dir, name) }
	write(t, file("script"), func(f *os.File) error { return workload.Write(f, script.Ops) })
	write(t, file("expect"), func(f *os.File) error {
		_, err := f.WriteString(strings.Join(script.Expect, "\n") + "\n")
		return err
	})
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: file("desk"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	write(t, file("run"), func(f *os.File) error {
		_, err := fmt.Fprintf(f, `while [ "$(stty size)" != "%d %d" ]; do sleep 0.1; done
i=0; while [ $i -lt 40 ]; do printf 'shell %%04d\n' $i; i=$((i+1)); done
exec %s --script %s --policy %s --pace 2ms --desk %s 2>%s
`, size[1], size[0], bin, file("script"), policy, file("desk"), file("errors"))
		return err
	})
	term.start(t, "sh "+file("run"))
	term.resize(t, size[0], size[1])
	text, err := serve(t, l, term, name == "w6")
	if err != nil {
		said, _ := os.ReadFile(file("errors"))
		t.Fatalf("%v; the program said %q; the tape is\n%s", err, said, term.tape(t))
	}
	if profile == "tmux" {
		text = ofTmux(t, text)
	}
	tape := cleaned(text, profile, script, size[0])
	grid := tape[max(0, len(tape)-size[1]):]
	shown, err := json.Marshal(map[string]any{"alt": name == "w6", "tape": tape, "grid": grid})
	if err != nil {
		t.Fatal(err)
	}
	write(t, file("tape"), func(f *os.File) error { _, err := f.Write(shown); return err })
	if name == "w7" && profile == "xterm" {
		letters(t, tape, script)
		return
	}
	said := output(t, exec.Command(judge, "-test.run", "^TestScript$", "--script", file("script"),
		"--expect", file("expect"), "--policy", policy, "--profile", profile, "--tape", file("tape")))
	var verdict struct{ Tape map[string]int }
	if err := json.NewDecoder(strings.NewReader(said)).Decode(&verdict); err != nil || len(verdict.Tape) == 0 {
		t.Fatalf("%v: %s", err, said)
	}
	for what, n := range verdict.Tape {
		switch {
		case n == 0:
		case slices.Contains([]string{"left", "left_ids", "cut", "split"}, what):
			t.Logf("%s: %d", what, n)
		default:
			t.Errorf("%s: %d", what, n)
		}
	}
	if t.Failed() {
		kept := filepath.Join(os.TempDir(), "scrollkeep-"+strings.ReplaceAll(t.Name(), "/", "-"))
		_ = os.WriteFile(kept, []byte(text), 0o600)
		t.Logf("the tape is in %s", kept)
	}
}

// letters requires the text of a script on the tape, each letter once and in its place, behind the
// rows of the shell and before the footer. Where rows end is not judged: xterm prints rows, not
// lines, and cannot say which of them it has wrapped; and it leaves joiners out.
func letters(t *testing.T, tape []string, script workload.Script) {
	t.Helper()
	bare := strings.NewReplacer(" ", "", "\n", "", "\u200d", "").Replace
	var text strings.Builder
	for _, o := range script.Ops {
		switch o.K {
		case "s":
			text.WriteString(o.T)
		case "hist", "out":
			text.WriteString(strings.Join(o.Rows, ""))
		}
	}
	got, want := bare(strings.Join(tape[min(40, len(tape)):], "\n")), bare(text.String())
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	if got = got[n:]; n < len(want) || strings.Count(got, "tokens") != 1 || len(got) > 150 {
		t.Errorf("after %d letters the tape is not the text of the script, %.100q, but %.200q", n, want[n:], got)
	}
}

func write(t *testing.T, name string, fill func(*os.File) error) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := fill(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// changes is how many changes of size are played: each takes two seconds.
const changes = 12

// shorter returns a script with fewer changes of size; the last one stays the last.
func shorter(s workload.Script) workload.Script {
	left := 0
	for _, o := range s.Ops {
		if o.K == "resize" {
			left++
		}
	}
	n := 0
	s.Ops = slices.DeleteFunc(s.Ops, func(o workload.Op) bool {
		if o.K != "resize" {
			return false
		}
		left--
		n++
		return n >= changes && left > 0
	})
	return s
}

// serve does what the program in the terminal asks for, until its end; then the tape is what the
// terminal shows.
func serve(t *testing.T, l *net.UnixListener, term player, alt bool) (tape string, err error) {
	end := time.Now().Add(2 * time.Minute)
	if err := l.SetDeadline(end); err != nil {
		return "", err
	}
	conn, err := l.Accept()
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(end); err != nil {
		return "", err
	}
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		what, rest, _ := strings.Cut(lines.Text(), " ")
		switch what {
		case "size":
			var cols, rows int
			if _, err := fmt.Sscan(rest, &cols, &rows); err != nil {
				return "", err
			}
			term.resize(t, cols, rows)
		case "keys":
			term.send(t, rest)
			<-time.After(2 * time.Second)
		case "end":
			if s, ok := term.(*screen); ok && !alt {
				s.whole(t)
			}
			switch d := term.(type) {
			case *foot:
				d.alone = alt
			case *konsole:
				d.alone = alt
			}
			return term.tape(t), nil
		}
		if _, err := fmt.Fprintln(conn); err != nil {
			return "", err
		}
	}
	return "", errors.Join(errors.New("the program has ended"), lines.Err())
}

// cleaned returns the rows of a tape from the shell's first one on.
func cleaned(tape, profile string, s workload.Script, cols int) []string {
	rows := strings.Split(strings.TrimRight(tape, "\n"), "\n")
	for i, r := range rows {
		rows[i] = strings.TrimPrefix(strings.TrimRight(r, " \r\x00"), "$ ") // the prompt may come late
	}
	if i := slices.IndexFunc(rows, func(r string) bool { return strings.HasPrefix(r, "shell ") }); i > 0 {
		rows = rows[i:]
	}
	return rows
}
