package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app"
	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/internal/tmux"
)

// printed returns what a command of the program prints.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	code := Run(t.Context(), app.Host{Stdout: &out, Stderr: &errs}, args)
	if code != 0 || errs.Len() > 0 {
		t.Fatalf("agentshell %v: code %d, %s", args, code, &errs)
	}
	return out.String()
}

// completed are command lines with what a shell offers at their end. The last word is being typed.
var completed = []struct {
	line          string
	want, without []string
}{
	{"agentshell ", []string{"doctor", "mcp", "acp", "sessions", "export", "completion", "man"}, []string{"bash"}},
	{"agentshell --mo", []string{"--mode", "--model"}, []string{"--demo", "doctor"}},
	{"agentshell --mode ", []string{"ask", "edits", "plan", "trusted", "unconfined"}, []string{"doctor", "text"}},
	{"agentshell --demo --output ", []string{"text", "json", "stream-json"}, []string{"ask"}},
	{"agentshell --script ", []string{"here is a script.jsonl", "dir"}, []string{"--mode", "doctor"}},
	{"agentshell --workspace ", []string{"dir"}, []string{"here is a script.jsonl", "doctor"}},
	{"agentshell doctor --", []string{"--json"}, []string{"--mode"}},
	{"agentshell mcp ", []string{"add", "login"}, []string{"bash", "doctor"}},
	{"agentshell mcp add --", []string{"--env", "--token-env"}, []string{"--mode"}},
	{"agentshell acp --effort x", []string{"xhigh"}, []string{"high", "--effort"}},
	{"agentshell completion ", []string{"bash", "zsh", "fish"}, []string{"doctor"}},
}

// completions returns a directory with something to complete and the completions for shell.
func completions(t *testing.T, shell string) (dir, script string) {
	t.Helper()
	dir = t.TempDir()
	script = filepath.Join(t.TempDir(), "completion")
	if err := os.WriteFile(script, []byte(printed(t, "completion", shell)), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "here is a script.jsonl"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "dir"), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir, script
}

// offers compares the words that a shell offers with those of a line of the table.
func offers(t *testing.T, line, got string, want, without []string) {
	t.Helper()
	var words []string
	for word := range strings.Lines(got) {
		word, _, _ = strings.Cut(strings.TrimRight(word, "\n"), "\t") // fish says what a word means
		words = append(words, strings.TrimSuffix(word, "/"))
	}
	all := "\n" + strings.Join(words, "\n") + "\n"
	for _, w := range want {
		if !strings.Contains(all, "\n"+w+"\n") {
			t.Errorf("%q does not offer %q but %q", line, w, words)
		}
	}
	for _, w := range without {
		if strings.Contains(all, "\n"+w+"\n") {
			t.Errorf("%q offers %q", line, w)
		}
	}
}

func TestBashOffersWhatCanFollow(t *testing.T) {
	t.Parallel()
	bash := need.Program(t, "bash")
	dir, script := completions(t, "bash")
	lines := completed
	// bash parts a line at = before it asks.
	lines = append(lines, lines[2])
	lines[len(lines)-1].line = "agentshell --mode = "
	for _, c := range lines {
		cmd := exec.Command(bash, "--norc", "-c", `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _agentshell
			printf '%s\n' "${COMPREPLY[@]}"`, script)
		cmd.Args = append(cmd.Args, strings.Split(c.line, " ")...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		offers(t, c.line, string(out), c.want, c.without)
	}
}

func TestFishOffersWhatCanFollow(t *testing.T) {
	t.Parallel()
	fish := need.Program(t, "fish")
	dir, script := completions(t, "fish")
	for _, c := range completed {
		cmd := exec.Command(fish, "--no-config", "-c", `source $argv[1]; complete -C $argv[2]`, script, c.line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "TERM=dumb")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		offers(t, c.line, string(out), c.want, c.without)
	}
}

// zsh offers nothing without a terminal.
func TestZshOffersWhatCanFollow(t *testing.T) {
	t.Parallel()
	need.Program(t, "zsh")
	p := tmux.New(t)
	dir, script := completions(t, "zsh")
	if err := os.Rename(script, filepath.Join(dir, "_agentshell")); err != nil {
		t.Fatal(err)
	}
	p.Start(120, 40)
	sees := func(text string) {
		t.Helper()
		p.Until(text, func() bool { return strings.Contains(p.Screen(), text) })
	}
	p.Line("cd " + dir)
	p.Line("PS1='% ' zsh -f")
	sees("% ")
	p.Line("fpath=($PWD $fpath); autoload -Uz compinit; compinit -D -u; PROMPT='ready> '; clear")
	sees("ready>")
	for _, c := range []struct {
		line string
		want []string
	}{
		{"agentshell ", []string{"doctor", "-- Say what the shell finds here: terminal", "completion"}},
		{"agentshell --mo", []string{"--model", "-- The provider's model"}},
		{"agentshell --mode ", []string{"ask", "unconfined"}},
		{"agentshell mcp ", []string{"login", "-- Write a server into the config file"}},
		{"agentshell mcp add --t", []string{"mcp add --token-env"}},
		{"agentshell completion ", []string{"fish"}},
		{"agentshell acp --effort xh", []string{"acp --effort xhigh"}},
	} {
		p.Run("send-keys", "-l", c.line)
		p.Run("send-keys", "Tab", "Tab")
		for _, w := range c.want {
			sees(w)
		}
		p.Run("send-keys", "C-e", "C-u")
		p.Line("clear")
		p.Until("a clear screen", func() bool { return strings.TrimSpace(p.Screen()) == "ready>" })
	}
}

func TestHelpIsWrappedAndNamesEveryCommand(t *testing.T) {
	t.Parallel()
	for _, c := range commands() {
		for line := range strings.Lines(c.about) {
			if strings.TrimLeft(line, " \t") != line {
				t.Errorf("%s: an indented line is printed as code: %q", c.fullName(), line)
			}
		}
		if !strings.Contains(helpText(), c.fullName()) && c.word != "" {
			t.Errorf("--help does not name %s", c.fullName())
		}
	}
}

func TestTheManualPageHoldsEveryTextOfHelp(t *testing.T) {
	t.Parallel()
	page := printed(t, "man")
	places, err := commandLine{}.completionPoints()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(page) {
		word, _, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") &&
			!strings.Contains(" .TH .SH .SS .TP .PP .br ", " "+word+" ") {
			t.Errorf("a text is a request of roff: %s", line)
		}
	}
	shown := strings.NewReplacer(`\-`, "-", `\e`, `\`, `\&`, "", `\fB`, "", `\fI`, "", `\fR`, "").Replace(page)
	flags := 0
	for _, at := range places {
		for _, paragraph := range strings.Split(at.about, "\n\n") {
			if !strings.Contains(shown, "\n"+paragraph+"\n") {
				t.Errorf("the page has no %q", paragraph)
			}
		}
		usage := strings.Join(append([]string{"agentshell"}, at.words...), " ")
		if !strings.HasPrefix(at.usage, usage) || !strings.Contains(shown, "\n"+at.usage+"\n") {
			t.Errorf("the page does not say %q, with %q", at.usage, usage)
		}
		for _, f := range at.flags {
			flags++
			if !strings.Contains(shown, "--"+f.Name) || !strings.Contains(shown, "\n"+f.Help+"\n") {
				t.Errorf("the page does not say what --%s does", f.Name)
			}
		}
	}
	if flags < 40 {
		t.Errorf("there are %d flags only", flags)
	}
	for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS",
		"PROMPT COMMANDS", "KEYS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"} {
		_, body, found := strings.Cut(page, "\n.SH "+section+"\n")
		if body, _, _ = strings.Cut(body, "\n.SH "); !found || len(body) < 20 {
			t.Errorf("section %s holds %q", section, body)
		}
	}
	for _, c := range shell.BuiltinHelp(keymap.Map{}) {
		if !strings.Contains(shown, "\n"+c.Name) {
			t.Errorf("the page does not name %s", c.Name)
		}
	}
	for _, e := range exitCodes() {
		if !strings.Contains(shown, "\n"+e.name+"\n"+e.about+"\n") {
			t.Errorf("the page does not say what %s means", e.name)
		}
	}
}

func TestATextInTheManualIsShownAsItIs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		".agentshell of a workspace": `\&.agentshell of a workspace`,
		"'a' and \\n\n.b --c":        `\&'a' and \en` + "\n" + `\&.b \-\-c`,
	} {
		if got := roff(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
