package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension/extensiontest"
	"github.com/scrollkeep/scrollkeep/internal/nasty"
)

// binary is the path of agentshell, which is built once. The tests run it as a user does.
var binary string

func TestMain(m *testing.M) {
	if how := os.Getenv(extensiontest.Variable); how != "" {
		extensiontest.Main(how)
		return
	}
	sandbox.Stage(os.Args) // a test that looks for a sandbox tries one with this program
	document.Work(os.Args)
	nasty.Main()
	dir, err := os.MkdirTemp("", "as")
	if err != nil {
		panic(err)
	}
	tmp := filepath.Join(dir, "t") // of all tests, to see that they and the program leave nothing there
	if err := errors.Join(os.Mkdir(tmp, 0o700), os.Setenv("TMPDIR", tmp)); err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "agentshell")
	app.Binary = binary
	build := exec.Command("go", "build", "-ldflags=-s -w", "-buildvcs=false", "-o", binary,
		"github.com/scrollkeep/scrollkeep/agentshell")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s\n", out)
		os.Exit(1)
	}
	code := m.Run()
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		fmt.Fprintf(os.Stderr, "FAIL: the tests have left %v among the temporary files (%v)\n", left, err)
		code = max(code, 1)
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// place is a workspace and a home directory for one test.
type place struct {
	t          *testing.T
	work, home string
	env        []string
}

func newPlace(t *testing.T) place {
	t.Helper()
	p := place{t: t, work: t.TempDir(), home: t.TempDir()}
	tmp := t.TempDir()
	// A terminal that answers nothing but has a name: of one without, the pane wants to know more.
	p.env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + tmp, "TERM=xterm-256color",
		"XTERM_VERSION=XTerm(379)", "LANG=C.UTF-8"}
	return p
}

func (p place) write(name, text string) string {
	p.t.Helper()
	path := filepath.Join(p.work, name)
	if filepath.IsAbs(name) {
		path = name
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// script writes a script for a scripted model to a file outside of the workspace, and returns the
// file's path.
func (p place) script(lines ...string) string {
	p.t.Helper()
	return p.write(filepath.Join(p.t.TempDir(), "script.jsonl"), strings.Join(lines, "\n")+"\n")
}

func (p place) command(args ...string) *exec.Cmd {
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = p.work, p.env
	return cmd
}

type result struct {
	stdout, stderr string
	code           int
}

func (p place) run(stdin string, args ...string) result {
	p.t.Helper()
	cmd := p.command(args...)
	detach(cmd)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// tree returns the names and contents of all files of the workspace.
func (p place) tree() string {
	p.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(p.work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %s %q\n", strings.TrimPrefix(path, p.work), d.Type(), text)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return b.String()
}

const (
	hi    = `{"say":"hi","delay_ms":0}`
	haiku = `{"say":"I write it.",` +
		`"delay_ms":0,"tool_calls":[{"id":"t1","name":"write_file","input":{"path":"haiku.txt",` +
		`"content":"river\n"}}]}`
)

func TestExitCodesAndWhatTheErrorSays(t *testing.T) {
	tests := []struct {
		name   string
		lines  []string // of the script; nil: no --script
		args   []string
		code   int
		stderr string
	}{
		{"done", []string{hi}, []string{"-p", "x"}, 0, ""},
		{"an error", []string{`{"error":{"status":400,"message":"no"}}`}, []string{"-p", "x"}, 1, "400"},
		{"a length", []string{`{"stop":"length"}`}, []string{"-p", "x"}, 5, "cut by its length"},
		{"a refusal", []string{`{"stop":"refusal"}`}, []string{"-p", "x"}, 6, "the model refused"},
		{"a mismatch", []string{hi, `{"expect":"y","say":"never"}`}, []string{"-p", "x"}, 3,
			"1 script lines left over"},
		{"a mismatch", []string{`{"expect":"nothing like it"}`}, []string{"-p", "x"}, 3, "line 1"},
		{"a denial", []string{haiku, hi}, []string{"-p", "x"}, 4, "denied: write_file"},
		{"a denial by a rule", []string{haiku, hi},
			[]string{"-p", "x", "--deny", "write_file", "--allow", "write_file(**)"}, 4, "denied by rule write_file"},
		{"a denial by the mode", []string{haiku, hi}, []string{"-p", "x", "--mode", "plan"}, 4, "plan mode"},
		{"an allowed write", []string{haiku, `{"expect_not":"denied","say":"ok","delay_ms":0}`},
			[]string{"-p", "x", "--allow", "write_file(*.txt)"}, 0,
			"+ write_file haiku.txt  new file, +1 -0, allowed by rule\n"},
		{"the mode edits", []string{haiku, hi}, []string{"-p", "x", "--mode", "edits"}, 0, "allowed by mode"},
		{"an allowed write as JSON", []string{haiku, hi},
			[]string{"-p", "x", "--mode", "edits", "--output", "json"}, 0, ""},
		{"a rule of another path", []string{haiku, hi}, []string{"-p", "x", "--allow", "write_file(docs/**)"},
			4, "denied"},
		{"a rule that asks", []string{haiku, hi},
			[]string{"-p", "x", "--allow", "write_file", "--ask", "write_file(haiku.txt)"}, 4,
			"the rule write_file(haiku.txt) asks about it"},
		{"no key", nil, []string{"-p", "x"}, 2, "set ANTHROPIC_API_KEY"},
		{"two prompts", nil, []string{"-p", "x", "y"}, 2, "there are two prompts"},
		{"a message without a screen", []string{hi}, []string{"hello"}, 2, "needs a terminal with a screen"},
		{"a message without quotes", nil, []string{"fix", "it"}, 2, "put a message in quotes"},
		{"a command that is misspelt", nil, []string{"doctr"}, 2,
			"no such command; did you mean doctor? To send it as a message: agentshell -- doctr"},
		{"another one", nil, []string{"Exprot"}, 2, "did you mean export?"},
		{"a word that is none", nil, []string{"factory"}, 2, "set ANTHROPIC_API_KEY"},
		{"the help of git", nil, []string{"help"}, 2, "did you mean --help?"},
		{"the version of git", nil, []string{"version"}, 2, "did you mean --version?"},
		{"a message that looks like a command", nil, []string{"--", "doctr"}, 2, "set ANTHROPIC_API_KEY"},
		{"an empty message", nil, []string{" "}, 2, "the message is empty"},
		{"a flag without its value", nil, []string{"--resume"}, 2,
			"--resume: a value is missing; --continue takes the last session"},
		{"a session without a name", []string{hi}, []string{"-p", "x", "--resume", ""}, 2,
			"--resume: a value is missing; --continue takes the last session"},
		{"a session without a name, after =", []string{hi}, []string{"-p", "x", "--resume="}, 2,
			"--resume: a value is missing"},
		{"a workspace without a name", []string{hi}, []string{"-p", "x", "--workspace", ""}, 2,
			"--workspace: a value is missing; agentshell --help lists all flags"},
		{"a prompt without its value", nil, []string{"-p"}, 2, "--prompt: a value is missing; -p 'what to do'"},
		{"a bad rule before a missing key", nil, []string{"-p", "x", "--allow", "write_file("}, 2,
			`allow rule "write_file("`},
		{"an unknown flag", nil, []string{"--frobnicate"}, 2, "unknown flag --frobnicate; agentshell --help lists"},
		{"an unknown provider", nil, []string{"--provider", "x"}, 2, "anthropic, openai or script"},
		{"no key of the other one", nil, []string{"-p", "x", "--provider", "openai"}, 2, "set OPENAI_API_KEY"},
		{"an unknown mode", nil, []string{"--mode", "yolo"}, 2, "ask, edits, plan, trusted or unconfined"},
		{"an unknown form", []string{hi}, []string{"-p", "x", "--output", "xml"}, 2, "text, json or stream-json"},
		{"a form without -p", []string{hi}, []string{"--output", "json"}, 2, "add -p PROMPT"},
		{"an empty prompt", []string{hi}, []string{"-p", ""}, 2, "the prompt is empty"},
		{"an empty input", []string{hi}, []string{"-p", "-"}, 2, "standard input is empty"},
		{"no such workspace", []string{hi}, []string{"-p", "x", "--workspace", "nowhere"}, 2, "nowhere"},
		{"a bad rule", []string{hi}, []string{"-p", "x", "--allow", "write_file("}, 2, `allow rule "write_file("`},
		{"a rule for an unknown tool", []string{hi}, []string{"-p", "x", "--allow", "fly"}, 2, `"fly"`},
		{"no such script", nil, []string{"-p", "x", "--script", "nowhere"}, 2, "nowhere"},
		{"a broken script", []string{hi, `{"says":"x"}`}, []string{"-p", "x"}, 2, `line 2: unknown field "says"`},
		{"the demo elsewhere", nil, []string{"--demo", "--workspace", "."}, 2, "leave out --workspace"},
		{"a demo without a flag of its own, elsewhere", nil, []string{"--provider", "script", "--workspace", "."}, 2,
			"leave out --workspace"},
		{"a script with a model", []string{hi}, []string{"-p", "x", "--model", "m"}, 2, "leave out --model"},
		{"a bad id", []string{hi}, []string{"-p", "x", "--resume", "../../etc"}, 2, "a session id is"},
		{"an unknown id", []string{hi}, []string{"-p", "x", "--resume", "20260101-aaaa"}, 2, "no such session"},
		{"nothing to continue", []string{hi}, []string{"-p", "x", "--continue"}, 2,
			"this workspace has no session yet"},
		{"two ways to go on", []string{hi}, []string{"-p", "x", "--continue", "--resume", "20260101-aaaa"}, 2,
			"use only one of the two"},
		{"a fork of nothing", []string{hi}, []string{"-p", "x", "--fork"}, 2, "--fork copies"},
		{"help", nil, []string{"--help"}, 0, ""},
		{"version", nil, []string{"--version"}, 0, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			args := test.args
			if test.lines != nil {
				args = append([]string{"--script", p.script(test.lines...)}, args...)
			}
			got := p.run("", args...)
			if strings.HasPrefix(got.stderr, "agentshell: no sandbox: ") {
				_, got.stderr, _ = strings.Cut(got.stderr, "\n")
			}
			if got.code != test.code || !strings.Contains(got.stderr, test.stderr) ||
				(test.stderr == "") != (got.stderr == "") {
				t.Errorf("code %d, want %d; standard error %q, want %q", got.code, test.code, got.stderr, test.stderr)
			}
			if test.code == 2 && (got.stdout != "" || strings.Count(got.stderr, "\n") != 1) {
				t.Errorf("a usage error is one line on the standard error; got %q and %q", got.stdout, got.stderr)
			}
		})
	}
}

func TestNothingIsWrittenWithoutAYes(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("notes.md", "teh\n")
	before := p.tree()
	lines := p.script(
		`{"delay_ms":0,"tool_calls":[{"id":"1","name":"write_file","input":{"path":"new/deep/haiku.txt",`+
			`"content":"x"}},{"id":"2","name":"edit_file","input":{"path":"notes.md","old_string":"teh",`+
			`"new_string":"the"}},`+
			`{"id":"3","name":"write_file","input":{"path":"../out.txt","content":"x"}},{"id":"4","name":"bash",`+
			`"input":{"command":"touch made"}}]}`,
		`{"delay_ms":0,"expect":["user denied this tool call","escapes workspace root"]}`)
	got := p.run("", "-p", "x", "--script", lines)
	if after := p.tree(); got.code != 4 || after != before {
		t.Errorf("code %d, standard error %s; the workspace was\n%sand is\n%s", got.code, got.stderr, before, after)
	}
	got = p.run("", "-p", "x", "--script", lines, "--allow", "write_file", "--allow", "edit_file")
	if after := p.tree(); after != "/new/deep/haiku.txt ---------- \"x\"\n/notes.md ---------- \"the\\n\"\n" {
		t.Errorf("with rules: code %d, %s, the workspace is\n%s", got.code, got.stderr, after)
	}
}

func TestStreamJSONNamesEachStep(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("notes.md", "one\ntwo\n")
	got := p.run("", "-p", "x", "--output", "stream-json", "--allow", "edit_file(notes.md)", "--script", p.script(
		`{"say":"Look.","chunk_runes":99,"usage":{"input":3,"output":4},"delay_ms":0,"tool_calls":[{"id":"r",`+
			`"name":"read_file","input":{"path":"notes.md"}},`+
			`{"id":"e","name":"edit_file","input":{"path":"notes.md","old_string":"two","new_string":"2"}},{"id":"w",`+
			`"name":"write_file","input":{"path":"haiku.txt","content":"x"}},{"id":"b","name":"read_file","raw":"{"}]}`,
		`{"say":"Bye.","chunk_runes":99,"expect":"denied"}`))
	if got.code != 4 {
		t.Fatalf("code %d, %s", got.code, got.stderr)
	}
	var seen []string
	ids := map[string]string{}
	for line := range strings.Lines(got.stdout) {
		var e struct {
			Type, ID, Name, Delta, Call, Decision, By, Kind, Text, Reason string
			Input                                                         any
			OK                                                            bool
			Payload                                                       struct {
				Type, Description, Path, Sandbox string
				UnifiedDiff                      string `json:"unified_diff"`
			}
			Code *int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		switch e.Type {
		case "session":
			if !regexp.MustCompile(`^[0-9a-z-]{8,40}$`).MatchString(e.ID) {
				t.Errorf("session id %q", e.ID)
			}
			seen = append(seen, "session")
		case "text":
			seen = append(seen, "text "+e.Delta)
		case "tool_call":
			seen = append(seen, fmt.Sprintf("call %s %s %v", e.ID, e.Name, e.Input))
		case "approval":
			if ids[e.ID] != "" || e.ID == "" {
				t.Errorf("approval id %q is empty or used twice", e.ID)
			}
			ids[e.ID] = e.Call
			seen = append(seen, fmt.Sprintf("approval %s %s %q %s by %s, diff %v", e.Call, e.Payload.Type,
				e.Payload.Description, e.Decision, e.By, strings.Contains(e.Payload.UnifiedDiff, "\n+")))
		case "tool_result":
			first, _, _ := strings.Cut(e.Text, "\n")
			seen = append(seen, fmt.Sprintf("result %s %v %s %q", e.ID, e.OK, e.Kind, first))
		case "usage":
			seen = append(seen, "usage")
		case "end":
			seen = append(seen, fmt.Sprintf("end %s %d", e.Reason, *e.Code))
		default:
			t.Errorf("a record of type %q", e.Type)
		}
	}
	want := regexp.MustCompile(`^session
text Look.
call r read_file map\[path:notes.md\]
call e edit_file map\[.*\]
call w write_file map\[.*\]
call b read_file \{
usage
result r true  ".*"
approval e edit "Edit workspace/notes.md: .*" allow by rule, diff true
result e true  ".*"
approval w write "Write 1 line to workspace/haiku.txt" deny by no_terminal, diff true
result w false denied "user denied this tool call"
result b false invalid_args ".*"
text Bye.
end done 4$`)
	if all := strings.Join(seen, "\n"); !want.MatchString(all) {
		t.Errorf("got\n%s", all)
	}
}

func TestPlainModeAnswersEachLineOfAPipe(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("AGENTS.md", "be kind\n")
	got := p.run("first\nsecond\n", "--script",
		p.script(`{"expect":"first","say":"one","delay_ms":0}`, `{"expect":"second","say":"two","delay_ms":0}`))
	for _, want := range []string{"instructions: AGENTS.md", "mode: ask", "> first\none\n", "> second\ntwo\n"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%q is not in %q", want, got.stdout)
		}
	}
	if got.code != 0 || got.stderr != "" {
		t.Errorf("code %d, %q", got.code, got.stderr)
	}
	if got := p.run("", "--script", p.script(hi), "--deny", "read_file(AGENTS.md)"); strings.Contains(got.stdout,
		"AGENTS.md") {
		t.Errorf("instructions that a rule denies are read: %q", got.stdout)
	}
}

func TestAnInterruptEndsARunWith130(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	cmd := p.command("-p", "x", "--output", "stream-json", "--script",
		p.script(`{"say":"half","delay_ms":0,"hang":true}`, hi))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	buf := make([]byte, 1024)
	for sent := false; ; {
		n, err := out.Read(buf)
		all.Write(buf[:n])
		if !sent && strings.Contains(all.String(), "half") {
			sent = true
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			break
		}
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 ||
		!strings.HasSuffix(all.String(), `{"type":"end","reason":"interrupted","code":130,"turns":1}`+"\n") {
		t.Errorf("code %d, %s", code, all.String())
	}
}

func TestASessionIsLoggedAndResumed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	first := p.run("", "-p", "remember seven", "--output", "json", "--script", p.script(hi))
	var r struct{ Session string }
	if err := json.Unmarshal([]byte(first.stdout), &r); err != nil {
		t.Fatal(err, first)
	}
	logs, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*", r.Session+".jsonl"))
	if len(logs) != 1 {
		t.Fatalf("logs %q for session %q", logs, r.Session)
	}
	got := p.run("", "-p", "more", "--resume", r.Session, "--script",
		p.script(`{"expect":["remember seven","more"],"say":"seven","delay_ms":0}`))
	if got.code != 0 || got.stdout != "seven\n" {
		t.Errorf("resumed: %+v", got)
	}
	if got := p.run("", "-p", "x", "--resume", "20260101-aaaa", "--script", p.script(hi)); got.code != 2 ||
		!strings.Contains(got.stderr, "the last ones are "+r.Session) {
		t.Errorf("an unknown one: %+v", got)
	}
	text, err := os.ReadFile(logs[0])
	if err != nil || !strings.Contains(string(text), "seven") || strings.Count(string(text), "\n") != 5 {
		t.Errorf("the log is %s, %v", text, err)
	}
	if got := p.run("", "-p", "x", "--no-log", "--script", p.script(hi)); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if all, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*/*")); len(all) != 1 {
		t.Errorf("with --no-log there are %q", all)
	}
	for _, args := range [][]string{{"-c"}, {"-c", "--fork"}} {
		got := p.run("",
			append(args, "-p", "again", "--script", p.script(`{"expect":["remember seven","again"],"delay_ms":0}`))...)
		if got.code != 0 {
			t.Errorf("%q: %+v", args, got)
		}
	}
	if all, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*/*")); len(all) != 2 {
		t.Errorf("after a fork there are %q", all)
	}
	if p.tree() != "" {
		t.Errorf("the workspace holds %s", p.tree())
	}
}

func TestAnExportIsHarmless(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if got := p.run("", "export"); got.code != 2 || !strings.Contains(got.stderr, "this workspace has no session yet") {
		t.Errorf("%+v", got)
	}
	p.write("notes.md", "```\n\x1b[2J````\n")
	p.run("", "-p", "look \x1b[31m", "--script",
		p.script(`{"say":"I \u202e look.",`+
			`"delay_ms":0,"tool_calls":[{"id":"1","name":"read_file","input":{"path":"notes.md"}},{"id":"2",`+
			`"name":"read_file","input":{"path":"none"}}]}`, hi))
	got := p.run("", "export")
	body, _ := strings.CutPrefix(got.stdout, "# Session ")
	_, body, _ = strings.Cut(body, "\n")
	want := "\n## You\n\nlook ␛[31m\n\n## The model\n\nI <U+202E> look.\n\n### read_file\n\n```json\n" +
		"{\"path\":\"notes.md\"}\n```\n\n### read_file\n\n```json\n{\"path\":\"none\"}\n```\n" +
		"\nResult:\n\n`````\n1\t```\n2\t␛[2J````\n`````\n\nError:\n\n```\nfile not found: workspace/none\n```\n\n" +
		"## The model\n\nhi\n"
	if got.code != 0 || body != want {
		t.Errorf("code %d, %s\ngot  %q\nwant %q", got.code, got.stderr, body, want)
	}
	if got := p.run("", "export", "nonsense"); got.code != 2 || !strings.Contains(got.stderr, "the last ones are") {
		t.Errorf("%+v", got)
	}
}

func TestALogInsideTheWorkspaceIsNotKept(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = append(p.env, "XDG_STATE_HOME="+filepath.Join(p.work, "state"))
	got := p.run("", "-p", "x", "--script", p.script(hi))
	if got.code != 0 || !strings.Contains(got.stderr, "no session log") || p.tree() != "" {
		t.Errorf("%+v, workspace %s", got, p.tree())
	}
}

func TestTheConfigFileIsReadAndAnErrorNamesItsLine(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	file := filepath.Join(p.home, ".config/agentshell/config.toml")
	p.write(file, "# rules\nallow = [\"write_file(haiku.txt)\"]\n")
	if got := p.run("", "-p", "x", "--script", p.script(haiku, hi)); got.code != 0 {
		t.Errorf("%+v", got)
	}
	p.write(file, "\nmodel = \"x\"\nallways = true\n")
	if got := p.run("", "-p", "x", "--script", p.script(hi)); got.code != 2 ||
		!strings.Contains(got.stderr, file+`:3: there is no setting "allways"`) {
		t.Errorf("%+v", got)
	}
}

// A workspace has no authority (FS-33): what stands in it grants nothing and names no provider.
func TestAWorkspaceGrantsNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, name := range []string{"config.toml", ".scrollkeep/config.toml", ".config/agentshell/config.toml",
		"agentshell/config.toml", ".config/scrollkeep/config.toml"} {
		p.write(name, "provider = \"script\"\nallow = [\"write_file\"]\n")
	}
	p.write(".env", "ANTHROPIC_API_KEY=sk-ant-from-the-workspace\nANTHROPIC_BASE_URL=http://127.0.0.1:1\n")
	p.write("AGENTS.md", "allow = write_file\n")
	p.env = append(p.env, "XDG_CONFIG_HOME=.config") // relative: does not count
	if got := p.run("", "-p", "x", "--script", p.script(haiku, hi)); got.code != 4 {
		t.Errorf("%+v", got)
	}
	if got := p.run("", "-p", "x"); got.code != 2 || !strings.Contains(got.stderr, "no key") {
		t.Errorf("%+v", got)
	}
}

func TestAChangeThatAKillKeptFromTheLogIsFoundAgain(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("notes.md", "old\n")
	if got := p.run("", "-p", "go", "--allow", "write_file", "--script",
		p.script(`{"tool_calls":[{"id":"c","name":"write_file","input":{"path":"notes.md","content":"new\n"}}]}`,
			hi)); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	logs, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*/*.jsonl"))
	text, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(text), `{"id":"6"`) // session, message, call, run, begin; what follows is lost
	if !ok || !strings.Contains(before, `"kind":"begin"`) || strings.Contains(before, `"kind":"change"`) {
		t.Fatalf("the log is\n%s", text)
	}
	p.write(logs[0], before)
	if got := p.run("", "--plain", "--continue", "--script", p.script(hi)); !strings.Contains(got.stdout,
		"notes.md was changed when this session was killed; /undo undoes it") {
		t.Errorf("%+v", got)
	}
}

func TestPlainModeTellsWhatACommandPrintedAndNotEachFileThatWasRead(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("notes.md", "the text of the file\n")
	got := p.run("go\n", "--plain", "--mode", "trusted", "--script", p.script(
		`{"tool_calls":[{"id":"a","name":"read_file","input":{"path":"notes.md"}},{"id":"b","name":"bash",`+
			`"input":{"command":"echo said"}}]}`, hi))
	if !strings.Contains(got.stdout, "read_file workspace/notes.md  1 line\n") ||
		strings.Contains(got.stdout, "the text of") || !strings.Contains(got.stdout, "\nsaid\n") {
		t.Errorf("%+v", got)
	}
}

// The directories of earlier versions had the module's name. They are moved once, with a line.
func TestFoldersOfEarlierVersionsAreMovedOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config", "scrollkeep", "config.toml"), "allow = [\"write_file\"]\n")
	for i := range 2 {
		got := p.run("", "-p", "x", "--script", p.script(haiku, hi))
		said := strings.Contains(got.stderr, "/.config/scrollkeep is now "+p.home+"/.config/agentshell")
		if got.code != 0 || said != (i == 0) {
			t.Errorf("start %d: %+v", i, got)
		}
	}
}
