//go:build terminals

package realterm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/tui"
)

// rows is how many rows the program writes; every tenth is one line of 128 columns and more.
const rows = 500

// TestMain is the program under test when the environment says so: a transcript that grows above a
// status row and an editor.
func TestMain(m *testing.M) {
	if file := os.Getenv("SCROLLKEEP_KEYS"); file != "" {
		recordKeys(file)
		os.Exit(0)
	}
	if os.Getenv("SCROLLKEEP_GALLERY") != "" {
		if err := gallery(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if file := os.Getenv("SCROLLKEEP_MODES"); file != "" {
		modes(file)
		os.Exit(0)
	}
	if socket := os.Getenv("SCROLLKEEP_RELAY"); socket != "" {
		_ = relay(socket)
		os.Exit(0)
	}
	if os.Getenv("SCROLLKEEP_SESSION") != "" {
		session()
		os.Exit(0)
	}
	if os.Getenv("SCROLLKEEP_STREAM") != "" {
		if err := stream(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if os.Getenv("SCROLLKEEP_BUSY") != "" {
		spin()
		os.Exit(0)
	}
	if file := os.Getenv("SCROLLKEEP_ROWS"); file != "" {
		if err := printed(file, os.Getenv("SCROLLKEEP_PACE")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if os.Getenv("SCROLLKEEP_TAPE") == "" {
		os.Exit(m.Run())
	}
	app := &tui.App{Footer: tui.NewStack(&tui.Status{Text: "working"}, &tui.Editor{Placeholder: "draft"})}
	app.Main = func(ctx context.Context) error {
		for i := range rows {
			// No blank at the end: it would have a row of its own at some widths.
			s := fmt.Sprintf("r%05d%s", i, strings.Repeat(" word", i%9))
			if i%10 == 0 {
				s += " " + strings.Repeat("0123456789", 12) + "END"
			}
			fmt.Fprintln(app.Transcript(), s)
			select {
			case <-time.After(12 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		<-time.After(1500 * time.Millisecond)
		return nil
	}
	if err := app.Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("tape done")
	os.Exit(0)
}

// terminal is a real one, with a shell in it.
type terminal interface {
	start(t *testing.T, command string)
	resize(t *testing.T, cols, rows int)
	tape(t *testing.T) string // history and screen; soft wraps joined where joins says so
}

// traits are what the terminal does to history by itself (the measured tables).
type traits struct {
	cuts  bool // a narrowing cuts what stands on the grid: only short rows are judged, by their ids
	joins bool // tape joins soft wraps
}

func command(t *testing.T) string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return "SCROLLKEEP_TAPE=1 " + self
}

var id = regexp.MustCompile(`^r(\d{5})`)

// judge finds every row once and in order, no footer, no blank row in between.
func judge(t *testing.T, tape string, tr traits) {
	t.Helper()
	next, ends, blanks, last := 0, 0, 0, ""
	for _, line := range strings.Split(tape, "\n") {
		line = strings.TrimRight(line, " \r\x00")
		if m := id.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			if n != next {
				t.Errorf("row %d follows row %d", n, next-1)
			}
			if next > 0 && blanks > 0 {
				t.Errorf("%d blank rows before row %d", blanks, n)
			}
			next = n + 1
		}
		if line == "" {
			blanks++
		} else {
			blanks, last = 0, line
		}
		if strings.Contains(line, "\x1b") || strings.Contains(line, "^[") {
			t.Errorf("a reply came after the end: %q", line)
		}
		if strings.HasSuffix(line, "END") {
			ends++
		}
		if strings.Contains(line, "working") || strings.Contains(line, "draft") {
			t.Errorf("a footer row is left: %q", line)
		}
	}
	if next != rows {
		t.Errorf("the last row is %d", next-1)
	}
	if !tr.cuts && tr.joins && ends != rows/10 {
		t.Errorf("%d of %d long lines are whole", ends, rows/10)
	}
	if t.Failed() {
		name := filepath.Join(os.TempDir(), "scrollkeep-tape-"+strings.ReplaceAll(t.Name(), "/", "-"))
		_ = os.WriteFile(name, []byte(tape), 0o600)
		t.Logf("last row %q; the tape is in %s", last, name)
	}
}

// run lets the program write while the window changes its size, and reads the tape back.
func run(t *testing.T, term terminal, tr traits, resizes int) {
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("SCROLLKEEP_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	t.Logf("SCROLLKEEP_SEED=%d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	term.start(t, command(t))
	deadline := time.Now().Add(60 * time.Second)
	shown := term.tape
	if s, ok := term.(*screen); ok {
		shown = s.shown
	}
	for n := 0; !strings.Contains(shown(t), "tape done"); n++ {
		if time.Now().After(deadline) {
			t.Fatalf("the program does not end; the tape is\n%s", term.tape(t))
		}
		<-time.After(time.Duration(30+rng.IntN(250)) * time.Millisecond)
		if n < resizes {
			cols, high := 30+rng.IntN(90), 6+rng.IntN(34)
			if _, ok := term.(*screen); ok {
				cols &^= 1 // at one column more than it ever had, GNU screen 4.9 takes all new rows for soft-wrapped
			}
			term.resize(t, cols, high)
		}
	}
	if s, ok := term.(*screen); ok {
		s.whole(t)
	}
	judge(t, term.tape(t), tr)
}

func output(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	out, err := c.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%v: %v: %s", c.Args, err, exit.Stderr)
		}
		t.Fatalf("%v: %v", c.Args, err)
	}
	return string(out)
}

// eventually waits until ok.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(90 * time.Second); !ok(); <-time.After(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: waited 90 s", what)
		}
	}
}

func TestTmux(t *testing.T) {
	need.Program(t, "tmux")
	for _, resizes := range []int{0, 50} {
		t.Run(fmt.Sprintf("resizes=%d", resizes), func(t *testing.T) {
			run(t, &tmux{socket: filepath.Join(t.TempDir(), "s")}, traits{joins: true}, resizes)
		})
	}
}

func TestScreen(t *testing.T) {
	need.Program(t, "screen")
	for _, resizes := range []int{0, 50} {
		t.Run(fmt.Sprintf("resizes=%d", resizes), func(t *testing.T) {
			run(t, &screen{}, traits{joins: true}, resizes)
		})
	}
}

func TestKitty(t *testing.T) {
	needKitty(t)
	for _, resizes := range []int{0, 50} {
		t.Run(fmt.Sprintf("resizes=%d", resizes), func(t *testing.T) {
			// kitty 0.26 keeps a line that lies half in the scrollback in two pieces
			run(t, &kitty{}, traits{}, resizes)
		})
	}
}

func TestVTE(t *testing.T) {
	need.Program(t, "Xvfb")
	for _, resizes := range []int{0, 50} {
		t.Run(fmt.Sprintf("resizes=%d", resizes), func(t *testing.T) {
			run(t, &vte{}, traits{joins: true}, resizes)
		})
	}
}

func TestXterm(t *testing.T) {
	need.Program(t, "xterm")
	need.Program(t, "Xvfb")
	need.Program(t, "xdotool")
	for _, resizes := range []int{0, 50} {
		t.Run(fmt.Sprintf("resizes=%d", resizes), func(t *testing.T) {
			run(t, &xterm{}, traits{cuts: true}, resizes)
		})
	}
}

func TestKonsole(t *testing.T) {
	for _, p := range []string{"konsole", "Xvfb", "xdotool", "xclip"} {
		need.Program(t, p)
	}
	for _, resizes := range []int{0, 50} {
		t.Run(fmt.Sprintf("resizes=%d", resizes), func(t *testing.T) {
			run(t, &konsole{}, traits{joins: true}, resizes)
		})
	}
}

func TestAlacritty(t *testing.T) {
	for _, p := range []string{"alacritty", "Xvfb", "xdotool", "xclip"} {
		need.Program(t, p)
	}
	for _, resizes := range []int{0, 50} {
		t.Run(fmt.Sprintf("resizes=%d", resizes), func(t *testing.T) {
			run(t, &alacritty{}, traits{joins: true}, resizes)
		})
	}
}

func TestFoot(t *testing.T) {
	for _, p := range []string{"foot", "sway", "wtype"} {
		need.Program(t, p)
	}
	for _, resizes := range []int{0, 50} {
		t.Run(fmt.Sprintf("resizes=%d", resizes), func(t *testing.T) {
			run(t, &foot{}, traits{joins: true}, resizes)
		})
	}
}

func TestUrxvt(t *testing.T) {
	for _, p := range []string{"urxvt", "Xvfb", "xdotool"} {
		need.Program(t, p)
	}
	for _, resizes := range []int{0, 50} {
		t.Run(fmt.Sprintf("resizes=%d", resizes), func(t *testing.T) {
			run(t, &urxvt{}, traits{joins: true}, resizes)
		})
	}
}
