package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// terminalTimeout is how long `agentshell doctor` waits for replies of the terminal, which may be
// slow over ssh.
const terminalTimeout = time.Second

// finding is one line of the report of `agentshell doctor`. It never contains a secret.
type finding struct {
	// The section of the report that the line belongs to: terminal, tmux, model, sandbox, files ...
	About string `json:"about"`
	Name  string `json:"name"`
	Value string `json:"value"`
	// Where the value comes from, such as the name of an environment variable.
	From   string `json:"from,omitempty"`
	Advice string `json:"advice,omitempty"` // What the user can improve, and how.
	// The problem prevents agentshell, or a feature that is turned on, from working.
	Bad bool `json:"bad,omitempty"`
}

// DoctorOptions holds the options of `agentshell doctor`.
type DoctorOptions struct {
	JSON bool `name:"json" help:"One JSON object a line."`
}

// Doctor handles `agentshell doctor [--json]`: it reports what agentshell finds on this system, and
// what could be improved. The exit code is 1 if a finding is bad.
func (p Host) Doctor(ctx context.Context, f DoctorOptions) (int, error) {
	p.family.Programs.Exclude(".")
	all := append(p.terminalFindings(ctx), p.modelFindings(ctx)...)
	all = append(all, p.hookFindings()...)
	all = append(all, p.agentFindings(ctx)...)
	all = append(all, p.sandboxFindings(ctx)...)
	all = append(all, p.languageFindings()...)
	all = append(all, p.debuggerFindings(ctx)...)
	all = append(all, p.cellFindings()...)
	all = append(all, p.searchFindings()...)
	all = append(all, p.sshFindings()...)
	all = append(all, p.gitHubFindings(ctx)...)
	all = append(all, p.browserFindings()...)
	all = append(all, p.extensionFindings()...)
	all = append(all, p.fileFindings(ctx)...)
	code := headless.ExitDone
	about := ""
	var report strings.Builder
	for _, one := range all {
		if one.Bad {
			code = headless.ExitError
		}
		if f.JSON {
			line, err := json.Marshal(one)
			if err != nil {
				return 0, err
			}
			PrintLine(&report, "%s", line)
			continue
		}
		if one.About != about {
			about = one.About
			PrintLine(&report, "%s", about)
		}
		line := strings.TrimRight(fmt.Sprintf("  %-26s %s", one.Name, one.Value), " ")
		if one.From != "" {
			line += "  (" + one.From + ")"
		}
		PrintLine(&report, "%s", line)
		if one.Advice != "" {
			PrintLine(&report, "      %s", strings.ReplaceAll(one.Advice, "\n", "\n      "))
		}
	}
	if _, err := io.WriteString(p.Stdout, report.String()); err != nil {
		return 0, fmt.Errorf("cannot write the output: %w", err)
	}
	return code, nil
}

// terminalFindings reports, for the doctor, what is known about the terminal and tmux, and what
// could be improved.
func (p Host) terminalFindings(ctx context.Context) []finding {
	list := []finding{{About: "shell", Name: "version",
		Value: Version() + " on " + runtime.GOOS + "/" + runtime.GOARCH}}
	nobody := finding{About: "terminal", Name: "terminal", Value: "none",
		Advice: "The standard input and output are not both a terminal: only -p and plain mode work here."}
	if p.plainOnly() && p.hasPerson() {
		return append(list, finding{About: "terminal", Name: "TERM", Value: orNone(p.getenv("TERM")),
			Advice: "Plain mode is used here: text that is only added to."})
	}
	caps, facts, tmux, err := p.examineTerminal(ctx)
	if errors.Is(err, terminal.ErrNotTerminal) {
		return append(list, nobody)
	} else if err != nil {
		return append(list, finding{About: "terminal", Name: "terminal", Value: err.Error(), Bad: true})
	}
	for _, f := range facts {
		from := string(f.Source)
		if f.Why != "" {
			from += ": " + f.Why
		}
		list = append(list, finding{About: "terminal", Name: f.Name, Value: f.Value, From: from})
	}
	for _, o := range []struct{ name, value string }{
		{"version", tmux.Version}, {"features", tmux.Features}, {"extended-keys", tmux.ExtendedKeys},
		{"focus-events", tmux.FocusEvents}, {"set-clipboard", tmux.Clipboard}, {"history-limit", tmux.History},
		{"escape-time", tmux.EscapeTime},
	} {
		if o.value != "" {
			list = append(list, finding{About: "tmux", Name: o.name, Value: o.value, From: "tmux"})
		}
	}
	for _, a := range terminal.Advise(caps, tmux, p.getenv) {
		list = append(list, finding{About: "what could be better", Name: a.Problem, Advice: a.Do})
	}
	return list
}

// examineTerminal opens the controlling terminal, waits for its replies, and closes it. It works
// even if the report is written to a pipe or a file.
func (p Host) examineTerminal(ctx context.Context) (terminal.Caps, []terminal.Fact, terminal.Tmux, error) {
	var tmux terminal.Tmux
	if p.getenv("TMUX") != "" {
		limited, cancel := context.WithTimeout(ctx, terminalTimeout)
		tmux, _ = terminal.AskTmux(limited, p.runTmux) // if it fails, the facts are reported as unknown
		cancel()
	}
	t, err := terminal.Open(ctx, terminal.Config{Controlling: true, Tmux: p.runTmux})
	if err != nil {
		return terminal.Caps{}, nil, tmux, err
	}
	ctx, cancel := context.WithTimeout(ctx, terminalTimeout)
	defer cancel()
	for {
		if _, err := t.Next(ctx); err != nil {
			break
		}
	}
	caps, facts := t.Caps(), t.Facts()
	return caps, facts, tmux, t.Close()
}

// runTmux runs tmux with args and returns its output.
func (p Host) runTmux(ctx context.Context, args ...string) ([]byte, error) {
	program, err := p.family.Programs.Path("tmux")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, args...)
	cmd.Env = p.family.Programs.Environ(secret.ForCommands(p.environ))
	out, _, err := child.Output(ctx, p.family.Run, cmd, 1<<20)
	return out, err
}

// modelFindings reports, for the doctor, the configuration file, the theme, and which model would
// answer.
func (p Host) modelFindings(ctx context.Context) []finding {
	cfg, err := config.Load(config.Dir(p.getenv))
	file := filepath.Join(config.Dir(p.getenv), "config.toml")
	var list []finding
	switch {
	case err != nil:
		list = append(list, finding{About: "model", Name: "config", Value: err.Error(), Bad: true})
	case !filepath.IsAbs(file):
		list = append(list, finding{About: "model", Name: "config", Value: "none",
			Advice: "There is neither HOME nor XDG_CONFIG_HOME."})
	default:
		list = append(list, finding{About: "model", Name: "config", Value: file + " " + presence(file)})
	}
	if _, told := p.loadTheme(cfg.Theme); len(told) > 0 {
		list = append(list, finding{About: "model", Name: "theme", Value: cfg.Theme, Advice: strings.Join(told, "\n")})
	}
	return append(list, p.answerFindings(ctx, cfg)...)
}

// hookFindings reports, for the doctor, the hooks and formatters of the configuration, and which of
// their programs are missing.
func (p Host) hookFindings() (list []finding) {
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil {
		return nil // modelFindings reports the error
	}
	for _, h := range cfg.Hooks {
		f := finding{About: "hooks", Name: h.On, Value: strings.Join(h.Command, " "), From: strings.Join(h.Tools, ", ")}
		if _, err := p.family.Programs.Path(h.Command[0]); err != nil {
			f.Value, f.Bad = err.Error(), h.On == string(hook.Before)
			f.Advice = "Install the program, or take the hook out of config.toml: a hook before a call that does not " +
				"start denies the call."
		}
		list = append(list, f)
	}
	for _, c := range cfg.Format {
		f := finding{About: "formatters", Name: strings.Join(c.Files, " "), Value: strings.Join(c.Command, " ")}
		if _, err := p.family.Programs.Path(c.Command[0]); err != nil {
			f.Value = err.Error()
			f.Advice = "Install the program, or take the formatter out of config.toml. Until then files stay as the " +
				"model " +
				"writes them."
		}
		list = append(list, f)
	}
	return list
}

// fileFindings reports, for the doctor, the workspace and where session logs are stored.
func (p Host) fileFindings(ctx context.Context) []finding {
	var list []finding
	dir, err := filepath.Abs(".")
	if err == nil {
		var ws *workspace.Workspace
		if ws, err = workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}},
			Home: p.getenv("HOME")}); err == nil {
			f := finding{About: "files", Name: "workspace", Value: ws.Dir()}
			if broad := ws.WhyBroad(); broad != "" {
				f.Advice = broad + ": only mode ask is allowed. Start in the directory of a project."
			}
			list = append(list, f)
			list = append(list, p.leftoverFindings(ctx, ws.Dir())...)
			list = append(list, p.keptRuleFindings(ws.Dir())...)
			err = ws.Close()
		}
	}
	if err != nil {
		list = append(list, finding{About: "files", Name: "workspace", Value: err.Error(), Bad: true})
	}
	state := config.StateDir(p.getenv)
	if state == "" {
		return append(list, finding{About: "files", Name: "session logs", Value: "none",
			Advice: "There is neither HOME nor XDG_STATE_HOME."})
	}
	logs, _ := filepath.Glob(filepath.Join(state, "sessions", "*", "*.jsonl"))
	return append(list, finding{About: "files", Name: "session logs",
		Value: fmt.Sprintf("%d in %s", len(logs), filepath.Join(state, "sessions"))})
}

func presence(file string) string {
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		return "(not there, which is fine)"
	}
	return "(read)"
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
