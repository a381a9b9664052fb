//go:build terminals

package realterm

import (
	"encoding/json"
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
	"github.com/scrollkeep/scrollkeep/stress/soak"
)

// crowdSize is how many agents the shell of TestAgents starts, and mails how many messages each of
// them writes.
const (
	crowdSize = 16
	mails     = 4
)

// crowdScript returns what the models of Main and of its agents do: each agent writes text, lists a
// folder and sends messages, over and over, and gives a result of three rows. Each final row has a
// mark of its own: m03-1 is the second message of A03, r03-0 the first row of its result.
func crowdScript() string {
	var b strings.Builder
	line := func(agent, say string, delay int, name string, input any) {
		l := map[string]any{"agent": agent, "say": say, "delay_ms": delay}
		if name != "" {
			l["tool_calls"] = []any{map[string]any{"id": "c", "name": name, "input": input}}
		}
		text, err := json.Marshal(l)
		if err != nil {
			panic(err) // of texts and numbers it cannot be
		}
		b.Write(append(text, '\n'))
	}
	type in = map[string]any
	var tasks []any
	for i := range crowdSize {
		tasks = append(tasks, in{"id": fmt.Sprintf("A%02d", i), "assignment": "work"})
	}
	line("", "I share the work.", 0, "task", in{"agent": "task", "context": "c", "tasks": tasks})
	line("", "That was all.", 0, "", nil)
	random := rand.New(rand.NewPCG(16, 16))
	for i := range crowdSize {
		id := fmt.Sprintf("A%02d", i)
		for k := range mails {
			text := strings.Repeat("I look at the files and say what I see there. ", 1+random.IntN(6))
			line(id, text, 20+random.IntN(40), "list_dir", in{"path": "."})
			to := fmt.Sprintf("A%02d", (i+1+random.IntN(crowdSize-1))%crowdSize)
			message := fmt.Sprintf("m%02d-%d it moved", i, k)
			line(id, "I tell.", 10, "irc", in{"op": "send", "to": to, "message": message})
		}
		var rows []string
		for k := range 3 {
			rows = append(rows, fmt.Sprintf("r%02d-%d%s", i, k, strings.Repeat(" word", k*9)))
		}
		line(id, "", 10, "yield", in{"result": strings.Join(rows, "\n")})
	}
	return b.String()
}

var (
	crowdMark = regexp.MustCompile(`\b[mr]\d\d-\d\b`)
	crowdLeft = regexp.MustCompile(`agents: \d+ of|^  A\d\d  (step|asks|waits)|more works?\b|for a slot|^[›>] *$`)
)

// judgeCrowd reports what is wrong on a tape: a final row that does not stand there just once, and
// rows that are not final.
func judgeCrowd(tape string) (faults []string) {
	seen := map[string]int{}
	for _, mark := range crowdMark.FindAllString(tape, -1) {
		seen[mark]++
	}
	want := func(text string, n int) {
		if n != 1 {
			faults = append(faults, fmt.Sprintf("%s stands there %d times", text, n))
		}
	}
	for i := range crowdSize {
		for k := range mails {
			mark := fmt.Sprintf("m%02d-%d", i, k)
			want(mark, seen[mark])
		}
		for k := range 3 {
			mark := fmt.Sprintf("r%02d-%d", i, k)
			want(mark, seen[mark])
		}
		end := fmt.Sprintf("A%02d  done", i)
		want(end, strings.Count(tape, end))
	}
	for _, text := range []string{"I share the work.", "That was all."} {
		want(text, strings.Count(tape, text))
	}
	for _, row := range strings.Split(tape, "\n") {
		if crowdLeft.MatchString(row) {
			faults = append(faults, fmt.Sprintf("left is %q", row))
		}
	}
	return faults
}

// Sixteen agents of the shell itself write into one transcript, in a window that stays as it is and
// in windows whose sizes change. All rows about agents fit into each.
func TestAgents(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "agentshell")
	if out, err := exec.Command("go", "build", "-o", bin, "../../agentshell").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, p := range players {
		if p.name != "tmux" && p.name != "kitty" {
			continue
		}
		for _, manner := range []string{"still", "random", "bursts", "drags"} {
			t.Run(p.name+"-"+manner, func(t *testing.T) {
				for _, program := range p.needs {
					need.Program(t, program)
				}
				if p.name == "kitty" {
					needKitty(t)
				}
				term := p.open(t)
				if k, is := term.(*kitty); is {
					k.hurry = true
				}
				playCrowd(t, term, bin, manner)
			})
		}
	}
}

// playCrowd plays the sixteen agents in a terminal that changes its size in a manner of the soak.
func playCrowd(t *testing.T, term player, bin, manner string) {
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("SCROLLKEEP_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	steps, err := soak.Sizes(manner, seed, 40)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	put := func(name, text string) {
		write(t, file(name), func(f *os.File) error { _, err := f.WriteString(text); return err })
	}
	for _, name := range []string{"ws", "config/agentshell"} {
		if err := os.MkdirAll(file(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	put("config/agentshell/config.toml", fmt.Sprintf("[agents]\nmax = %d\n", crowdSize))
	put("script", crowdScript())
	put("run", fmt.Sprintf("cd %[1]s && HOME=%[1]s XDG_STATE_HOME=%[1]s/state XDG_CONFIG_HOME=%[1]s/config %[2]s "+
		"--script script --workspace ws\necho %[3]s\n", dir, bin, soak.End))
	shows := func(text string) func() bool {
		return func() bool { return strings.Contains(term.tape(t), text) }
	}
	term.start(t, "sh "+file("run"))
	eventually(t, "the shell", shows("Type a message"))
	term.send(t, "go\r")
	eventually(t, "the agents", shows("agents: "))
	for _, s := range steps {
		<-time.After(s.After)
		term.resize(t, max(s.Cols, 50), max(s.Rows, 20))
	}
	eventually(t, "the end of the agents", shows("That was all."))
	<-time.After(time.Second)
	term.send(t, "/quit\r")
	eventually(t, "the end", shows(soak.End))
	tape := term.tape(t)
	for _, fault := range judgeCrowd(tape) {
		t.Error(fault)
	}
	if t.Failed() {
		t.Logf("SCROLLKEEP_SEED=%d, the tape is\n%s", seed, tape)
	}
}
