package app_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/internal/nasty"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

var agentKills = flag.Int("agentkills", 5, "kills of a shell with four agents, at random moments")

// killedAgents are the agents that are killed, and the ids of their calls in order.
var killedAgents = map[string][]string{
	"Reader": {"r1", "r2", "r3", "r4"}, "Writer": {"w1", "w2", "w3", "w4"}, "Asker": {"a1", "a2", "a3"},
	"Copier": {"c1", "c2", "c3"},
}

// big returns the content of a file that is written whole or not at all.
func big(letter string) string { return strings.Repeat(letter, 1<<16) }

// agentScript returns the script of a run with four agents that read, write, ask, and work in a
// copy.
func agentScript(p place, marker string) string {
	var lines []string
	add := func(agent, id, name string, input any) {
		call := map[string]any{"id": id, "name": name, "input": input}
		line, err := json.Marshal(map[string]any{"agent": agent, "say": agent + " " + id, "delay_ms": 0,
			"tool_calls": []any{call}})
		if err != nil {
			p.t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	var tasks []any
	for _, id := range []string{"Reader", "Writer", "Asker", "Copier"} {
		tasks = append(tasks, map[string]any{"id": id, "assignment": "work", "isolated": id == "Copier"})
	}
	call, err := json.Marshal(map[string]any{"delay_ms": 0, "tool_calls": []any{map[string]any{"id": "m1",
		"name": "task", "input": map[string]any{"agent": "task", "context": "c", "tasks": tasks}}}})
	if err != nil {
		p.t.Fatal(err)
	}
	lines = append(lines, string(call), `{"say":"end","delay_ms":0}`)
	type in = map[string]any
	for i, name := range []string{"a.txt", "b.txt", "w.txt"} {
		add("Reader", killedAgents["Reader"][i], "read_file", in{"path": name})
	}
	add("Reader", "r4", "bash", in{"command": "cat " + marker})
	for i, letter := range []string{"x", "y", "z", "x"} {
		add("Writer", killedAgents["Writer"][i], "write_file", in{"path": "w.txt", "content": big(letter)})
	}
	add("Asker", "a1", "bash", in{"command": "curl example.com", "unconfined": true, "reason": "r"})
	add("Asker", "a2", "read_file", in{"path": "a.txt"})
	add("Asker", "a3", "bash", in{"command": "make", "unconfined": true, "reason": "r"})
	for i, letter := range []string{"q", "r", "s"} {
		add("Copier", killedAgents["Copier"][i], "write_file", in{"path": "c.txt", "content": big(letter)})
	}
	for id := range killedAgents {
		add(id, "yield", "yield", in{"result": id + " is done"})
	}
	return p.script(lines...)
}

// told holds what a run printed about its agents before it was killed.
type told struct {
	results map[string][]string // ids of calls, by agent
	ended   []string
}

// killAfter starts a run and kills it once it has printed n further lines about an agent.
func killAfter(p place, script, who string, n int) (t told) {
	p.t.Helper()
	t.results = map[string][]string{}
	cmd := p.command("-p", "go", "--output", "stream-json", "--script", script, "--mode", "edits", "--allow",
		"bash(cat *)")
	detach(cmd)
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	var about []string // the agent, that it has printed
	for n >= 0 && lines.Scan() {
		var record struct {
			Type, Agent string
			Event       struct{ Type, ID string }
		}
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			p.t.Fatal(err)
		}
		switch {
		case record.Type != "agent":
		case record.Event.Type == "tool_result":
			t.results[record.Agent] = append(t.results[record.Agent], record.Event.ID)
		case record.Event.Type == "ended":
			t.ended = append(t.ended, record.Agent)
		}
		if record.Agent == who {
			n--
			about = append(about, lines.Text())
		}
	}
	if err := cmd.Process.Kill(); err != nil || n >= 0 {
		_ = cmd.Wait()
		p.t.Fatalf("the run has ended before: %v\n%s\n%s", err, problem.String(), strings.Join(about, "\n"))
	}
	_ = cmd.Wait()
	return t
}

// A kill -9 of the shell at any moment: each agent's log holds all that was told of it and nothing
// out of order, no file is half written, nothing of the repository differs, the next start knows
// the agents and finds the copy, and no program is left.
func TestAKillOfTheShellLosesNothingOfItsAgents(t *testing.T) {
	need.Program(t, "git")
	confinedPlace(t) // the system ends confined commands with the shell, and nobody the others
	r := rand.New(rand.NewPCG(20261128, uint64(*agentKills)))
	interrupted, left := 0, 0
	for n := range *agentKills {
		agents := []string{"Copier", "Reader", "Writer", "Asker"}
		who, at := agents[n%len(agents)], r.IntN(12)
		p := newPlace(t)
		p.write(filepath.Join(p.home, ".config/agentshell/config.toml"),
			"sandbox = \"auto\"\n[agents]\nmax = 4\nisolation = \"worktree\"\n")
		p.write("a.txt", "alpha\n")
		p.write("b.txt", "beta\n")
		p.git("init", "-q")
		p.git("add", ".")
		p.git("-c", "user.name=p", "-c", "user.email=p@x", "commit", "-qm", "first")
		p.write("b.txt", "beta, not committed\n")
		repository := p.repository()
		marker := filepath.Join(t.TempDir(), "never")
		if err := unix.Mkfifo(marker, 0o600); err != nil { // cat of it does not end
			t.Fatal(err)
		}
		script := agentScript(p, marker)
		known := killAfter(p, script, who, at)
		p.nobodyHas(marker)
		records, logged := p.checkLogs(n, known)
		got := p.run("", "--continue", "-p", "x", "--script", p.script(hi))
		if len(records) > 0 && (got.code != 0 || !strings.Contains(got.stderr, "Agents of this session: ")) {
			t.Fatalf("kill %d at line %d of %s: %+v", n, at, who, got)
		}
		for _, a := range records {
			if !strings.Contains(got.stderr, a.ID+" ") {
				t.Errorf("kill %d: %s is not in %q", n, a.ID, got.stderr)
			}
			if a.Interrupted() {
				interrupted++
			}
		}
		if strings.Contains(got.stderr, "1 agent left work behind: Copier (1 file)") {
			left++
		}
		p.checkFiles(n, logged)
		for try := 0; ; try++ { // a program of the killed shell may end a little later than the shell
			if got := p.run("", "leftovers", "--discard"); got.code != 0 {
				t.Errorf("kill %d: %+v", n, got)
			}
			copies, _ := os.ReadDir(filepath.Join(p.home, ".local/state/agentshell/copies"))
			if len(copies) == 0 {
				break
			}
			if try == 2 {
				t.Errorf("kill %d: left is %v", n, copies)
				break
			}
		}
		if now := p.repository(); now != repository {
			t.Errorf("kill %d: the repository was\n%s\nand is\n%s", n, repository, now)
		}
	}
	t.Logf("%d kills: %d agents interrupted, %d copies found", *agentKills, interrupted, left)
	if *agentKills > 20 && (interrupted == 0 || left == 0) {
		t.Error("no kill came while agents worked, or none while one worked in its copy")
	}
}

func (p place) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = p.work, p.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// repository returns what git says of the repository, and every file in .git but the index, which
// git status itself may write.
func (p place) repository() string {
	p.t.Helper()
	text := p.git("worktree", "list") + p.git("for-each-ref") + p.git("stash", "list")
	err := filepath.WalkDir(filepath.Join(p.work, ".git"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			info, infoErr := d.Info()
			if infoErr != nil {
				return infoErr
			}
			text += fmt.Sprintf("%s %d\n", path, info.Size()) // git sets the times of objects that it finds there
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// checkLogs compares the logs of agents with what was told of them. It returns the records, and the
// calls that the logs hold, by agent.
func (p place) checkLogs(n int, known told) (records []session.AgentRecord, logged map[string][]string) {
	p.t.Helper()
	real, err := filepath.EvalSymlinks(p.work)
	if err != nil {
		p.t.Fatal(err)
	}
	cfg := session.Config{Dir: filepath.Join(p.home, ".local/state/agentshell/sessions"), Workspace: real}
	ids, err := session.RecentIDs(cfg)
	if err != nil || len(ids) == 0 {
		return nil, nil
	}
	records, err = session.Agents(cfg, ids[0])
	if err != nil {
		p.t.Fatal(err)
	}
	logged = map[string][]string{}
	for _, a := range records {
		messages, err := session.ReadAgent(cfg, ids[0], a.ID)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, m := range messages {
			for _, part := range m.Parts {
				if call, is := part.(provider.ToolCall); is {
					logged[a.ID] = append(logged[a.ID], call.ID)
				}
			}
		}
		want := append(slices.Clone(killedAgents[a.ID]), "yield")
		if got := logged[a.ID]; len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
			p.t.Errorf("kill %d: the log of %s has the calls %q, want the first of %q", n, a.ID, got, want)
		}
		if slices.Contains(known.ended, a.ID) && a.Interrupted() {
			p.t.Errorf("kill %d: %s had ended, and its log does not say so", n, a.ID)
		}
	}
	for agent, calls := range known.results {
		for _, id := range calls {
			if !slices.Contains(logged[agent], id) {
				p.t.Errorf("kill %d: the call %s of %s was told, and is not in its log: %q", n, id, agent,
					logged[agent])
			}
		}
	}
	return records, logged
}

// checkFiles fails if a file is half written, or if the program has left a file. logged holds the
// calls in the agents' logs: a kill takes a moment, so the logs may hold more than was printed.
func (p place) checkFiles(n int, logged map[string][]string) {
	p.t.Helper()
	expected := []string{".git", "a.txt", "b.txt", "w.txt"}
	if slices.Contains(logged["Copier"], "c3") { // it may have brought its file before the kill
		expected = append(expected, "c.txt")
	}
	for _, name := range p.names() {
		if !slices.Contains(expected, name) {
			p.t.Errorf("kill %d: %s is in the workspace", n, name)
		}
	}
	for _, name := range []string{"w.txt", "c.txt"} {
		text, err := os.ReadFile(filepath.Join(p.work, name))
		if err == nil && (len(text) == 0 || string(text) != big(string(text[:1]))) {
			p.t.Errorf("kill %d: %s has %d bytes that are not all of one version", n, name, len(text))
		}
	}
	if text, err := os.ReadFile(filepath.Join(p.work, "c.txt")); err == nil && string(text) != big("s") {
		p.t.Errorf("kill %d: c.txt is not as its agent left it", n)
	}
}

// nobodyHas waits until no program has that file in its arguments.
func (p place) nobodyHas(name string) {
	p.t.Helper()
	for range 3000 {
		found := ""
		for pid, line := range nasty.Processes("cmdline") {
			if pid != os.Getpid() && strings.Contains(string(line), name) {
				found = strings.ReplaceAll(string(line), "\x00", " ")
			}
		}
		if found == "" {
			return
		}
		_, _ = unix.Poll(nil, 10)
	}
	p.t.Errorf("a program is left that has %s", name)
}
