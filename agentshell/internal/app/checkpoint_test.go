package app_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	ckBegin = `{"say":"I mark it.","delay_ms":0,"tool_calls":[{"id":"1","name":"checkpoint","input":` +
		`{"goal":"find the leak"}}]}`
	ckLook   = `{"say":"I look.","delay_ms":0,"tool_calls":[{"id":"1","name":"read_file","input":{"path":"weir.txt"}}]}`
	ckRewind = `{"say":"I have it.","delay_ms":0,"tool_calls":[{"id":"1","name":"rewind","input":` +
		`{"report":"A stone is loose."}}]}`
	ckTold = `{"expect":["Your report\n> A stone is loose."],"expect_not":["a row of stones","Rewind accepted"],` +
		`"say":"It is a stone.","delay_ms":0}`
)

// checkpoints returns a place whose configuration lets the model set checkpoints.
func checkpoints(t *testing.T) place {
	t.Helper()
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "[checkpoint]\nenabled = true\n")
	p.write("weir.txt", strings.Repeat("a row of stones\n", 20))
	return p
}

// log returns the path of the only session log.
func (p place) log() string {
	p.t.Helper()
	logs, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*/*.jsonl"))
	if len(logs) != 1 {
		p.t.Fatalf("the sessions are %q", logs)
	}
	return logs[0]
}

func (p place) read(path string) string {
	p.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

func TestCheckpointsAreOffUnlessTheConfigTurnsThemOn(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	off := `{"expect":"there is no tool \"checkpoint\"","say":"hi","delay_ms":0}`
	for _, config := range []string{"", "[checkpoint]\n", "[checkpoint]\nenabled = false\n"} {
		p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), config)
		if got := p.run("", "-p", "x", "--script", p.script(ckBegin, off)); got.code != 0 {
			t.Errorf("with %q: code %d, %s", config, got.code, got.stderr)
		}
	}
	for config, want := range map[string]string{
		"[checkpoint]\nenabeld = true\n": `config.toml:2: there is no setting "checkpoint.enabeld"`,
		"[checkpoint]\nenabled = 1\n":    "config.toml:2: checkpoint.enabled must be true or false"} {
		p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), config)
		if got := p.run("", "-p", "x", "--script", p.script(hi)); got.code != 2 || !strings.Contains(got.stderr, want) {
			t.Errorf("with %q: code %d, %s", config, got.code, got.stderr)
		}
	}
}

// Every form of output says that the conversation went back, and what comes later knows the report
// and no more: the next turn, the next run, a copy, and an export.
func TestARewindOfTheModelsIsTheSameInEveryForm(t *testing.T) {
	t.Parallel()
	lines := []string{ckBegin, ckLook, ckRewind, ckTold}
	const done = "back at the checkpoint: 4 messages gave way to the report, "
	for _, form := range []string{"text", "json", "stream-json"} {
		p := checkpoints(t)
		got := p.run("", "-p", "Why?", "--output", form, "--script", p.script(lines...))
		if got.code != 0 || !strings.Contains(got.stderr, done) {
			t.Errorf("%s: code %d, %s", form, got.code, got.stderr)
		}
		if form == "stream-json" {
			found := 0
			for line := range strings.Lines(got.stdout) {
				var r struct {
					Type, Text              string
					Messages, Before, After int
				}
				if err := json.Unmarshal([]byte(line), &r); err != nil {
					t.Error(err)
				}
				if r.Type == "reported" && r.Messages == 4 && strings.Contains(r.Text, "> A stone is loose.") &&
					r.Before > r.After {
					found++
				}
			}
			if found != 1 {
				t.Errorf("%d records: %s", found, got.stdout)
			}
		}
		for _, flags := range [][]string{{"--continue"}, {"--continue", "--fork"}} {
			got = p.run("", append([]string{"-p", "And?", "--script", p.script(
				`{"expect":["Your report\n> A stone is loose.","Checkpoint created.","And?"],"expect_not":"I look.",` +
					`"say":"Yes.","delay_ms":0}`)}, flags...)...)
			if got.code != 0 {
				t.Errorf("%s %s: code %d, %s", form, flags, got.code, got.stderr)
			}
		}
		if got := p.run("", "export"); got.code != 0 || strings.Contains(got.stdout, "I look.") ||
			!strings.Contains(got.stdout, "## Back at the checkpoint\n\nThe conversation went back") ||
			!strings.Contains(got.stdout, "It is a stone.") {
			t.Errorf("%s: the export is %s%s", form, got.stdout, got.stderr)
		}
	}
	p := checkpoints(t)
	got := p.run("Why?\n", "--plain", "--script", p.script(lines...))
	if !strings.Contains(got.stdout, "* "+done) {
		t.Errorf("plain: %s", got.stdout)
	}
}

// The model's rewind is about the conversation alone: files stay as they were made, their changes
// can be taken back as ever, and the report says which they are.
func TestARewindOfTheModelsRestoresNoFile(t *testing.T) {
	t.Parallel()
	p := checkpoints(t)
	const made = `{"delay_ms":0,"tool_calls":[{"id":"1","name":"write_file","input":{"path":"note.txt",` +
		`"content":"x\n"}},{"id":"2","name":"bash","input":` +
		`{"command":"rm -f weir.txt"}}]}`
	got := p.run("", "-p", "Why?", "--mode", "edits", "--script", p.script(ckBegin, made, ckRewind,
		`{"expect":["- note.txt: ","They are not restored","- denied: bash rm -f weir.txt"],"say":"ok","delay_ms":0}`))
	if got.code != 4 || p.read(filepath.Join(p.work, "note.txt")) != "x\n" ||
		p.read(filepath.Join(p.work, "weir.txt")) == "" {
		t.Errorf("code %d, %s", got.code, got.stderr)
	}
	p.env = append(p.env, "TERM=dumb")
	listed, code := p.onTerminal([]string{"--continue", "--script", p.script(hi)}, dialogue{
		{"exits", "/undo list\n", 0}, {"1  write note.txt", "/quit\n", 0}}.step())
	if code != 0 {
		t.Errorf("code %d, %q", code, listed)
	}
}

// What a directory's instructions said is gone with what was read there, so it is said again.
func TestInstructionsThatWentWithARewindAreToldAgain(t *testing.T) {
	t.Parallel()
	p := checkpoints(t)
	p.write("sub/AGENTS.md", "Only tabs here.\n")
	p.write("sub/x.go", "package x\n")
	read := `{"expect":"%","delay_ms":0,"tool_calls":[{"id":"1","name":"read_file","input":{"path":"sub/x.go"}}]}`
	got := p.run("", "-p", "go", "--script", p.script(ckBegin, strings.Replace(read, "%", "Checkpoint", 1),
		strings.Replace(ckRewind, "{", `{"expect":"Only tabs here.",`, 1), strings.Replace(read, "%", "Your report", 1),
		`{"expect":"Only tabs here.","say":"ok","delay_ms":0}`))
	if got.code != 0 {
		t.Errorf("%+v", got)
	}
}

// A kill between the rewind and the report loses neither: the next turn goes back first, and knows
// the report and no more. The log is cut where the kill would have been, and for some rounds a
// process is killed there.
func TestAKillBetweenARewindAndItsReportLosesNothing(t *testing.T) {
	t.Parallel()
	on := `{"expect":["Your report\n> A stone is loose.","go on"],"expect_not":["a row of stones","Rewind accepted"],` +
		`"say":"Good.","delay_ms":0}`
	check := func(p place) {
		t.Helper()
		got := p.run("go on\n", "--plain", "--continue", "--script", p.script(on))
		text := p.read(p.log())
		if got.code != 0 || !strings.Contains(got.stdout, "* back at the checkpoint: ") ||
			strings.Count(text, `"kind":"report"`) != 1 {
			t.Errorf("code %d, %s%s", got.code, got.stdout, got.stderr)
		}
		if out := p.run("", "export").stdout; strings.Contains(out, "I look.") || !strings.Contains(out, "Good.") {
			t.Errorf("the export is %s", out)
		}
	}
	p := checkpoints(t)
	if got := p.run("", "-p", "Why?", "--script", p.script(ckBegin, ckLook, ckRewind, ckTold)); got.code != 0 {
		t.Fatal(got.stderr)
	}
	text := p.read(p.log())
	at := strings.Index(text, `"kind":"report"`)
	line := strings.LastIndex(text[:at], "\n") + 1
	for _, cut := range []int{line, at} { // before the entry, and within it
		p.write(p.log(), text[:cut])
		check(p)
	}
	hit := 0
	for range kills(t, 1) {
		p := checkpoints(t)
		// The log is long, so that it takes a while to read it before the report is written.
		long := `{"say":"` + strings.Repeat("a long answer ", 60_000) + `","chunk_runes":9999999,"delay_ms":0}`
		if got := p.run("one\ntwo\n", "--plain", "--script", p.script(long, long)); got.code != 0 {
			t.Fatal(got.stderr)
		}
		log := p.log()
		from := len(p.read(log))
		cmd := p.command("-p", "Why?", "--continue", "--script", p.script(ckBegin, ckLook, ckRewind, ckTold))
		detach(cmd)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { defer close(ended); _ = cmd.Wait() }()
		f, err := os.Open(log)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var tail bytes.Buffer
		buf := make([]byte, 64<<10)
		for waits := true; waits && !strings.Contains(tail.String(), "Rewind accepted"); {
			n, _ := f.ReadAt(buf, int64(from+tail.Len()))
			tail.Write(buf[:n])
			select {
			case <-ended:
				waits = false
			case <-time.After(100 * time.Microsecond):
			}
		}
		_ = cmd.Process.Kill()
		<-ended
		if strings.Contains(p.read(log), `"kind":"report"`) {
			continue // too late
		}
		hit++
		check(p)
	}
	t.Logf("%d kills came between the two", hit)
}

// The person goes on from anywhere: before the checkpoint, and into what the model has left.
func TestTheTreeLeadsAcrossARewindOfTheModels(t *testing.T) {
	t.Parallel()
	p := checkpoints(t)
	if got := p.run("", "-p", "Why?", "--script", p.script(ckBegin, ckLook, ckRewind, ckTold)); got.code != 0 {
		t.Fatal(got.stderr)
	}
	in := func(keys string) string {
		lines := []string{`{"say":"Here I am.","delay_ms":0}`, `{"expect":"call rewind","say":"a","delay_ms":0}`,
			`{"say":"b","delay_ms":0}`, `{"say":"c","delay_ms":0}`}
		shown, code := p.onTerminal([]string{"--continue", "--script", p.script(lines...)}, dialogue{
			{"The model went back to its checkpoint", "/tree\r", 300 * time.Millisecond},
			{"Enter goes there", keys, 300 * time.Millisecond},
			{"Went back to", "on\r", 300 * time.Millisecond},
			{"All that it found", "/context\r", 300 * time.Millisecond},
			{"After its checkpoint, to be replaced by a report:", "\x04", 300 * time.Millisecond}}.step())
		if code != 0 {
			t.Errorf("code %d: %q", code, shown)
		}
		return shown
	}
	// The entry of the rewind: the conversation goes on before it, with the checkpoint active.
	shown := in("I have\r")
	if text := p.read(p.log()); strings.Count(text, `"kind":"report"`) != 1 ||
		!strings.Contains(shown, "is asked for the report (1 of 3)") ||
		!strings.Contains(shown, "Went back to before a rewind of the model's.") {
		t.Errorf("%q", shown)
	}
}
