//go:build terminals

package realterm

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/internal/nested"
	"github.com/scrollkeep/scrollkeep/stress/oracle"
	"github.com/scrollkeep/scrollkeep/stress/soak"
)

// What the soak plays. As it stands it is short; make terminals plays all.
var (
	soakTerminals = flag.String("soak.terminals", "tmux,vte", "the terminals, by name; all: those that are installed")
	soakManners   = flag.String("soak.manners", "random,single,pane", "of "+strings.Join(soak.Manners, ", "))
	soakContents  = flag.String("soak.contents", "markdown", "the texts: plain, markdown")
	soakPrograms  = flag.String("soak.programs", "shell", "the programs beside the control: shell, workload")
	soakSeeds     = flag.String("soak.seeds", "2", "the seeds of text and sizes")
	soakSizes     = flag.Int("soak.sizes", 50, "random sizes in a run")
	soakBusy      = flag.Int("soak.busy", 2, "processes that keep the machine busy")
	soakMeasure   = flag.Bool("soak.measure", false, "print the table, require only that runs come to their end")
	soakOut       = flag.String("soak.out", "", "a file for the table in Markdown; FILE.jsonl gets the runs")
	soakKeep      = flag.String("soak.keep", "", "a folder for the tapes of all runs, not only of those that fail")
)

// soakRows is how many rows a text has.
const soakRows = 500

// limits are what may be wrong in a terminal. Under load kitty reads a frame at another size than
// the one that it was made for, and the others are let do as much of whom nobody has said better:
// xterm, xterm.js, foot and urxvt. A terminal within a program has no row here: it does no worse
// than the control, but for two rows that stand twice.
var limits = map[string]soak.Limit{
	"tmux": {}, "vte": {}, "alacritty": {}, "konsole": {}, "ghostty": {}, "xtermjs": {Whole: 3, Doubled: 6},
	"kitty": {Whole: 3, Doubled: 6}, "kitty-unstable": {Whole: 3, Doubled: 6},
	"xterm": {Whole: 3, Doubled: 6, Cuts: true}, "foot": {Whole: 3, Doubled: 6}, "urxvt": {Whole: 3, Doubled: 6},
}

// limit returns what may be wrong in a run: where each size comes alone, one row may stand twice.
func limit(terminal, manner string) soak.Limit {
	l, ok := limits[terminal]
	if !ok {
		return soak.Limit{Whole: 2, Doubled: 2, AsControl: true}
	}
	if manner == "single" {
		l.Whole, l.Doubled = 1, 1
	}
	return l
}

// versions are the commands that say a terminal's version.
var versions = map[string][]string{
	"tmux": {"tmux", "-V"}, "xterm": {"xterm", "-version"}, "alacritty": {"alacritty", "--version"},
	"konsole": {"konsole", "--version"}, "foot": {"foot", "--version"}, "urxvt": {"urxvt", "-help"},
}

var versionNumber = regexp.MustCompile(`\d+(\.\d+)*[a-z]?`)

// named returns a terminal with its version.
func named(t *testing.T, name string) string {
	switch name {
	case "vte":
		_, version := vtePython(t)
		return name + " " + version
	case "kitty", "kitty-unstable":
		version, _, err := oracle.KittyProfile()
		if err != nil {
			t.Fatal(err)
		}
		return "kitty " + version
	case "xtermjs":
		return "xterm.js " + coreVersion(t, name)
	case "ghostty":
		return "ghostty (libghostty-vt-node " + coreVersion(t, name) + ")"
	}
	for _, p := range nested.Programs() {
		if p.Name == name {
			return name + " " + versionNumber.FindString(p.Version())
		}
	}
	argv := versions[name]
	c := exec.Command(argv[0], argv[1:]...)
	c.Env = append(os.Environ(), "QT_QPA_PLATFORM=offscreen")
	out, _ := c.CombinedOutput() // urxvt fails
	return name + " " + versionNumber.FindString(strings.Replace(string(out), "X.Org", "", 1))
}

// unstableKitty names the variable that says where a kitty of Debian's unstable is
// (kitty-unstable.sh makes one).
const unstableKitty = "SCROLLKEEP_KITTY_UNSTABLE"

// TestSoak plays the shell and the workload program in real terminals while their windows change
// and the machine is busy, and the same rows in a program without a live region as control: what
// the terminal cuts or doubles by itself is not held against us. Each row must be in history once,
// and nothing that was not final.
func TestSoak(t *testing.T) {
	for _, name := range []string{"LANG", "LC_ALL"} { // terminals begin with UTF-8
		t.Setenv(name, "C.UTF-8")
	}
	all := slices.Concat(slices.DeleteFunc(slices.Clone(players), func(e entry) bool {
		_, ok := limits[e.name]
		return !ok
	}), nestedPlayers())
	for _, name := range listed(*soakTerminals) {
		is := func(e entry) bool { return e.name == name }
		if name != "all" && name != "kitty-unstable" && !slices.ContainsFunc(all, is) {
			t.Fatalf("no terminal of the soak is called %q", name)
		}
	}
	dir := t.TempDir()
	bins := map[string]string{}
	for name, pkg := range map[string]string{"shell": "../../agentshell", "workload": "../cmd/livechat"} {
		bins[name] = filepath.Join(dir, name)
		if out, err := exec.Command("go", "build", "-o", bins[name], pkg).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	s := &soaking{bins: bins}
	s.busy(t, *soakBusy)
	t.Cleanup(func() { s.report(t) })
	for _, p := range all {
		if !chosen(p.name) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			for _, program := range p.needs {
				need.Program(t, program)
			}
			if p.name == "kitty" {
				needKitty(t)
			}
			s.terminal(t, p.name, p.open)
		})
	}
	if chosen("kitty-unstable") {
		t.Run("kitty-unstable", func(t *testing.T) {
			path := os.Getenv(unstableKitty)
			if path == "" {
				need.Missing(t, "kitty-unstable", unstableKitty+" does not name it")
			}
			t.Setenv("SCROLLKEEP_KITTY", path)
			needKitty(t)
			s.terminal(t, "kitty-unstable", func(*testing.T) player { return &kitty{} })
		})
	}
}

// listed returns the names in a list with commas.
func listed(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return r == ',' }) }

func chosen(name string) bool {
	return *soakTerminals == "all" || slices.Contains(listed(*soakTerminals), name)
}

// soaking is a soak under way.
type soaking struct {
	bins  map[string]string
	table soak.Table
}

// busy keeps processes running until the test ends.
func (s *soaking) busy(t *testing.T, n int) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		c := exec.Command(self)
		c.Env = append(os.Environ(), "SCROLLKEEP_BUSY=1")
		alive, err := c.StdinPipe() // it ends with us, however we do
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { alive.Close(); _ = c.Wait() })
	}
}

// spin keeps one processor busy until the standard input ends.
func spin() {
	end := make(chan struct{})
	go func() { _, _ = io.Copy(io.Discard, os.Stdin); close(end) }()
	for n := 0; ; n++ {
		select {
		case <-end:
			return
		default:
		}
	}
}

// printed returns the control: the rows of a file, one each pace.
func printed(file, pace string) error {
	wait, err := time.ParseDuration(pace)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		fmt.Print(line)
		<-time.After(wait)
	}
	return nil
}

// terminal plays all that was asked for in one terminal.
func (s *soaking) terminal(t *testing.T, name string, open func(t *testing.T) player) {
	title := named(t, name)
	for _, content := range listed(*soakContents) {
		for _, manner := range listed(*soakManners) {
			for _, number := range listed(*soakSeeds) {
				seed, err := strconv.ParseUint(number, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				var control soak.Count
				for _, program := range append([]string{soak.Control}, listed(*soakPrograms)...) {
					if manner == "pane" && program == "workload" {
						continue // it asks nothing
					}
					r := soak.Run{
						Terminal: title, Program: program, Content: content, Manner: manner, Seed: seed,
						Failed: "did not come to its end",
					}
					t.Run(fmt.Sprintf("%s-%s-%s-%s", content, manner, number, program), func(t *testing.T) {
						defer func() { s.table = append(s.table, r) }()
						p := newPlay(t, s.bins, r)
						term := open(t)
						if k, ok := term.(*kitty); ok {
							k.hurry = true
						}
						tape := p.run(t, term)
						r.Failed = p.failed
						if i, ok := term.(*inner); ok && i.ScreenOnly {
							p.text = p.text.On(tape)
						}
						r.Count = soak.Check(p.text, tape, p.asks)
						t.Logf("%v", r.Count)
						over := r.Failed
						if program == soak.Control {
							control = r.Count
						} else if !*soakMeasure {
							over = strings.TrimPrefix(over+"; "+limit(name, manner).Exceeds(r.Count, control), "; ")
						}
						p.keep(t, name, tape, strings.Trim(over, "; "))
					})
				}
			}
		}
	}
}

// report prints the table.
func (s *soaking) report(t *testing.T) {
	if len(s.table) == 0 {
		return
	}
	title := fmt.Sprintf("Live soak, %s: %d rows, %d sizes, seeds %s, %d busy processes",
		time.Now().Format("2006-01-02"), soakRows, *soakSizes, *soakSeeds, *soakBusy)
	fmt.Println(s.table.Text(title))
	fmt.Println(s.table.Markdown(title))
	if *soakOut == "" {
		return
	}
	write(t, *soakOut, func(f *os.File) error { _, err := f.WriteString(s.table.Markdown(title)); return err })
	write(t, *soakOut+".jsonl", func(f *os.File) error {
		e := json.NewEncoder(f)
		for _, r := range s.table {
			if err := e.Encode(r); err != nil {
				return err
			}
		}
		return nil
	})
}
