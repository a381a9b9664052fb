// Package config reads the person's configuration file. Beside the kept rules (package grant) it is
// the only file that may grant anything (FS-33), so it is strict: what is not known is an error
// with its line, never a guess.
package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	toml "github.com/pelletier/go-toml/v2"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// Config holds the settings of the file. Each may be missing.
type Config struct {
	Provider string `toml:"provider"` // "anthropic", "openai" or "script"
	// Model, BaseURL and KeyCommand belong to Provider, or to anthropic if Provider is "".
	Model   string `toml:"model"`
	BaseURL string `toml:"base_url"` // address of the provider's API; "": the usual one
	// Insecure allows http to BaseURL, and no key, on any host. Headers are sent to it with each
	// request.
	Insecure bool              `toml:"insecure"`
	Headers  map[string]string `toml:"headers"`
	// KeyHeader is the header that the key goes in; "": the provider's own. Azure wants api-key.
	KeyHeader string `toml:"key_header"`
	// Effort is how much a model spends on thinking, one of [Efforts]; "": the provider decides.
	Effort string `toml:"effort"`
	// Fallback is the model that is used when the chosen one cannot be reached; "": none.
	Fallback string `toml:"fallback"`
	// KeyCommand is a program with its arguments that prints the provider's key. It runs without a
	// shell, if the environment has no key.
	KeyCommand []string `toml:"key_command"`
	// AddDirs are further directories to work in. A path is absolute or begins with ~/. With :ro at
	// its end the directory is read-only.
	AddDirs []string `toml:"add_dirs"`
	// "ask", "edits" or "plan"; other modes can be set on the command line only (PANE-10)
	Mode string `toml:"mode"`
	// Sandbox "auto" confines commands if the system can do it; "" and "off" do not.
	Sandbox string `toml:"sandbox"`
	// SandboxReadable and SandboxWritable are further paths that confined commands can reach. A
	// path is absolute or begins with ~/.
	SandboxReadable []string `toml:"sandbox_readable"`
	SandboxWritable []string `toml:"sandbox_writable"`
	// Network lists the hosts that confined commands can reach, as host:port. A name after *.
	// stands for all of its subdomains. NetworkPrivate lists those that may have an address in a
	// private network.
	Network        []string `toml:"network"`
	NetworkPrivate []string `toml:"network_private"`

	Allow []string `toml:"allow"`
	Ask   []string `toml:"ask"`
	Deny  []string `toml:"deny"`
	// EditFormat is how the model describes a change of a file: "exact" by the text to replace,
	// "hashline" by numbers of lines that it has read; "": as fits the model.
	EditFormat string `toml:"edit_format"`
	// AskUnchanged shows a write that changes nothing, too (HARN-5).
	AskUnchanged bool `toml:"ask_unchanged"`
	// CompactAt is the percentage of a model's window at which the conversation is compacted; 0:
	// 80; below 0: only /compact does.
	CompactAt int     `toml:"compact_at"`
	MaxCost   float64 `toml:"max_cost"`  // dollars of a session at which a turn ends; 0: no limit
	MaxSteps  int     `toml:"max_steps"` // requests to the model in one turn; 0: 200
	// StdinNoticeS is the number of seconds after which a run with -p says that it waits for its
	// standard input; 0: 3. After StdinWaitS seconds it goes on without; 0: 10. Below 0: never.
	StdinNoticeS int `toml:"stdin_notice_s"`
	StdinWaitS   int `toml:"stdin_wait_s"`
	// Theme is the name of a theme; "": auto, which follows the background of the terminal. Package
	// theme checks it.
	Theme string `toml:"theme"`
	// Title tells whether the shell sets the title of the window; nil: yes. Status lists the parts
	// of the status row, in order; empty: the default parts.
	Title  *bool    `toml:"title"`
	Status []string `toml:"status"`
	// Models corrects or completes the built-in table of models, by name.
	Models map[string]Model `toml:"models"`
	// Hooks are programs that are called before and after tool calls, and after turns.
	Hooks []Hook `toml:"hooks"`
	// Format lists programs that format a text before it is shown and written.
	Format []Format `toml:"format"`
	// HideToolsAt is the percentage of a model's window that tools of MCP servers may take. Beyond
	// it they are hidden behind a search. 0: 10; below 0: never.
	HideToolsAt int `toml:"hide_tools_at"`
	// Checkpoint enables the tools checkpoint and rewind.
	Checkpoint Checkpoint `toml:"checkpoint"`
	// LSP turns the tool lsp on.
	LSP LSP `toml:"lsp"`
	// SSH turns the tool ssh on, and lists its hosts.
	SSH SSH `toml:"ssh"`
	// GitHub turns the tool github on.
	GitHub GitHub `toml:"github"`
	// Browser turns the tool browser on.
	Browser Browser `toml:"browser"`
	// Wake says what begins a turn of the model while the person does nothing: "agents" an end or a
	// message of an agent, "all" also the end of a command in the background, "off" nothing; "":
	// agents.
	Wake string `toml:"wake"`
	// DoubleEsc says what Esc pressed twice in an empty prompt opens: "tree", "rewind" or "off";
	// "": tree.
	DoubleEsc string `toml:"double_esc"`
	// BranchSummary asks at each move in /tree whether the model gets a summary of what is left.
	BranchSummary bool `toml:"branch_summary"`
	// Rules says what holds for rules on the stream.
	Rules Rules `toml:"rules"`
	// Debug turns the tool debug on.
	Debug Debug `toml:"debug"`
	// WebSearch turns the tool web_search on.
	WebSearch WebSearch `toml:"web_search"`
	// Eval turns the tool eval on.
	Eval Eval `toml:"eval"`
	// InspectImage turns the tool inspect_image on.
	InspectImage InspectImage `toml:"inspect_image"`
	// Agents limits the agents that the model starts.
	Agents Agents `toml:"agents"`
	// Memory tells whether notes outlive a session.
	Memory Memory `toml:"memory"`
	// MCP lists the MCP servers whose tools the model gets, by name (PANE-14).
	MCP map[string]MCP `toml:"mcp"`
	// Extensions lists the person's extensions, by name.
	Extensions map[string]Extension `toml:"extensions"`
	// Keys and Vim come from the table keys: the bindings of keys, and whether the prompt has vim
	// modes.
	Keys keymap.Map `toml:"-"`
	Vim  bool       `toml:"-"`
}

// file is the TOML form of a Config.
type file struct {
	Config
	Keys map[string]any `toml:"keys"`
}

// Checkpoint turns the tools checkpoint and rewind on.
type Checkpoint struct {
	Enabled bool `toml:"enabled"`
}

// Memory says where notes are kept that outlive a session.
type Memory struct {
	Backend string `toml:"backend"` // "file": Markdown files; "" and "off": there are no notes
	// ProposeAtEnd asks the model for notes when a session with a person ends.
	ProposeAtEnd bool `toml:"propose_at_end"`
}

// LSP says what language servers are used for.
type LSP struct {
	Enabled     bool `toml:"enabled"`     // the model has the tool lsp
	Diagnostics bool `toml:"diagnostics"` // it is told of new errors after each change of a file
	Format      bool `toml:"format"`      // servers that run put texts in order before they are shown
}

// Debug says what debuggers are used for.
type Debug struct {
	Enabled bool `toml:"enabled"` // the model has the tool debug
}

// Eval says which cells of code the model may run.
type Eval struct {
	Enabled    bool  `toml:"enabled"` // the model has the tool eval
	Python     *bool `toml:"py"`      // nil: as true
	JavaScript *bool `toml:"js"`      // nil: as true
	Jupyter    *bool `toml:"jupyter"` // ipykernel runs cells of Python where it is installed; nil: as true
	// SmolModel and SlowModel answer completion() with model "smol" and "slow"; "": none does.
	SmolModel string `toml:"smol_model"`
	SlowModel string `toml:"slow_model"`
}

// Hook is a program of the person that is started without a shell.
type Hook struct {
	On      string   `toml:"on"`    // "before_tool", "after_tool" or "turn_end"
	Tools   []string `toml:"tools"` // the tools whose calls it gets; empty: all
	Command []string `toml:"command"`
	// TimeoutS is its time limit in seconds; 0: 10.
	TimeoutS int `toml:"timeout_s"`
}

// check returns an error if the hook cannot be used.
func (h Hook) check() error {
	switch {
	case !slices.Contains([]string{"before_tool", "after_tool", "turn_end"}, h.On):
		return fmt.Errorf("on of a hook may be before_tool, after_tool or turn_end, not %q", h.On)
	case len(h.Command) == 0 || h.Command[0] == "":
		return errors.New("this hook has no command")
	case strings.ContainsAny(h.Command[0], `/\`) && !filepath.IsAbs(h.Command[0]):
		return errors.New("the command of a hook could lead into a workspace: write a name or an absolute path")
	case h.TimeoutS < 0 || h.TimeoutS > 600:
		return errors.New("timeout_s of a hook may be 1 to 600 seconds")
	case h.On == "turn_end" && len(h.Tools) > 0:
		return errors.New("a hook at the end of a turn has no tools")
	case slices.Contains(h.Tools, ""):
		return errors.New("a tool of this hook has no name")
	}
	return nil
}

// Format is a program of the person that reads a text and prints it formatted. It is started
// without a shell.
type Format struct {
	Files   []string `toml:"files"` // globs of paths in the workspace; a glob without a slash matches file names
	Command []string `toml:"command"`
	// TimeoutS is its time limit in seconds; 0: 5.
	TimeoutS int `toml:"timeout_s"`
}

// check returns an error if the formatter cannot be used.
func (f Format) check() error {
	switch {
	case len(f.Command) == 0 || f.Command[0] == "":
		return errors.New("this formatter has no command")
	case strings.ContainsAny(f.Command[0], `/\`) && !filepath.IsAbs(f.Command[0]):
		return errors.New("the command of a formatter could lead into a workspace: write a name or an absolute path")
	case len(f.Files) == 0:
		return errors.New(`this formatter has no files: write files = ["*.go"]`)
	case f.TimeoutS < 0 || f.TimeoutS > 60:
		return errors.New("timeout_s of a formatter may be 1 to 60 seconds")
	}
	for _, glob := range f.Files {
		if !doublestar.ValidatePattern(glob) {
			return fmt.Errorf("%q in the files of a formatter is no glob", glob)
		}
	}
	return nil
}

// Load reads config.toml in dir. A missing file is an empty Config. An error names the file and the
// line.
func Load(dir string) (Config, error) {
	if dir == "" {
		return Config{}, nil
	}
	path := filepath.Join(dir, "config.toml")
	text, err := regular.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, nil
	} else if err != nil {
		return Config{}, err
	}
	c, err := Parse(text)
	if err != nil {
		return Config{}, fmt.Errorf("%s:%w", path, err)
	}
	return c, nil
}

// Parse reads the text of a configuration file. An error begins with the line number.
func Parse(text []byte) (Config, error) {
	var f file
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return Config{}, cmp.Or(unknownSetting(err, reflect.TypeFor[file]()), Located(err))
	}
	c, lines := f.Config, Lines(text)
	var err error
	if c.Keys, c.Vim, err = parseKeys(f.Keys, lines); err != nil {
		return Config{}, err
	}
	for name, m := range c.Models {
		if err := m.check(name); err != nil {
			return Config{}, fmt.Errorf("%d: %w", lines["models."+name], err)
		}
	}
	switch {
	case c.HideToolsAt > 100:
		return Config{},
			fmt.Errorf("%d: hide_tools_at is a percentage of the window, at most 100", lines["hide_tools_at"])
	case c.CompactAt > 95:
		return Config{}, fmt.Errorf("%d: compact_at may be 1 to 95 percent, or -1 for never",
			lines["compact_at"])
	case c.MaxSteps < 0 || c.MaxSteps > 100_000:
		return Config{}, fmt.Errorf("%d: max_steps may be 1 to 100000", lines["max_steps"])
	case !headerName(c.KeyHeader):
		return Config{}, fmt.Errorf("%d: key_header is no name of a header: %q", lines["key_header"], c.KeyHeader)
	case c.Agents.problem() != "":
		return Config{}, fmt.Errorf("%d: %s", lines["agents"], c.Agents.problem())
	case c.Rules.Repeat < 0:
		return Config{}, fmt.Errorf("%d: rules.repeat is a number of answers, and may not be less than 0",
			lines["rules.repeat"])
	case c.MaxCost < 0:
		return Config{}, fmt.Errorf("%d: max_cost is in dollars, and may not be less than 0", lines["max_cost"])
	}
	for i, part := range c.Status {
		switch {
		case !slices.Contains(StatusParts(), part):
			return Config{},
				fmt.Errorf("%d: status may hold %s, not %q", lines["status"], joinWithOr(StatusParts()), part)
		case slices.Contains(c.Status[:i], part):
			return Config{}, fmt.Errorf("%d: status holds %q twice", lines["status"], part)
		}
	}
	for key, paths := range map[string][]string{"sandbox_readable": c.SandboxReadable,
		"sandbox_writable": c.SandboxWritable, "add_dirs": c.AddDirs} {
		for _, p := range paths {
			if !filepath.IsAbs(p) && !strings.HasPrefix(p, "~/") {
				return Config{}, fmt.Errorf("%d: a path of %s must be absolute or begin with ~/, not %q",
					lines[key], key, p)
			}
		}
	}
	for key, hosts := range map[string][]string{"network": c.Network, "network_private": c.NetworkPrivate} {
		for _, h := range hosts {
			if _, err := proxy.ParseHost(h); err != nil {
				return Config{}, fmt.Errorf("%d: %s takes host:port, for example \"proxy.golang.org:443\": %w",
					lines[key], key, err)
			}
		}
	}
	for i, h := range c.Hooks {
		if err := h.check(); err != nil {
			return Config{}, fmt.Errorf("%d: %w", lines[fmt.Sprintf("hooks[%d]", i)], err)
		}
	}
	for i, f := range c.Format {
		if err := f.check(); err != nil {
			return Config{}, fmt.Errorf("%d: %w", lines[fmt.Sprintf("format[%d]", i)], err)
		}
	}
	if key, err := c.GitHub.check(); err != nil {
		return Config{}, fmt.Errorf("%d: %w", lines["github"+key], err)
	}
	if key, err := c.WebSearch.check(); err != nil {
		return Config{}, fmt.Errorf("%d: %w", lines["web_search"+key], err)
	}
	for name, server := range c.MCP {
		if key, err := server.Check(name); err != nil {
			return Config{}, fmt.Errorf("%d: mcp.%s: %w", lines["mcp."+name+key], name, err)
		}
	}
	for name, e := range c.Extensions {
		if key, err := e.check(name); err != nil {
			return Config{}, fmt.Errorf("%d: extensions.%s: %w", lines["extensions."+name+key], name, err)
		}
	}
	for _, check := range []struct {
		key, value string
		allowed    []string
	}{
		{"provider", c.Provider, []string{"", "anthropic", "openai", "script"}},
		{"mode", c.Mode, []string{"", "ask", "edits", "plan"}},
		{"sandbox", c.Sandbox, []string{"", "auto", "off"}},
		{"effort", c.Effort, append([]string{""}, Efforts()...)},
		{"edit_format", c.EditFormat, []string{"", "exact", "hashline"}},
		{"wake", c.Wake, []string{"", "agents", "all", "off"}},
		{"double_esc", c.DoubleEsc, []string{"", "tree", "rewind", "off"}},
		{"rules.interrupt", c.Rules.Interrupt, []string{"", "always", "never"}},
		{"rules.context", c.Rules.Context, []string{"", "discard", "keep"}},
		{"memory.backend", c.Memory.Backend, []string{"", "off", "file"}},
	} {
		if !slices.Contains(check.allowed, check.value) {
			return Config{}, fmt.Errorf("%d: %s may be %s, not %q%s", lines[check.key], check.key,
				joinWithOr(check.allowed[1:]), check.value, modeHint(check.value))
		}
	}
	return c, nil
}

// StatusParts returns the names of the parts of the status row.
func StatusParts() []string {
	return []string{"mode", "model", "workspace", "branch", "context", "cost", "time", "extensions"}
}

func modeHint(value string) string {
	if value == "trusted" || value == "unconfined" {
		return fmt.Sprintf(" (mode %s is chosen with --mode %[1]s only)", value)
	}
	return ""
}

// Located returns an error of the TOML reader as one that begins with the line number.
func Located(err error) error {
	var e *toml.DecodeError
	if errors.As(err, &e) {
		row, _ := e.Position()
		what, internal, typed := strings.Cut(strings.TrimPrefix(e.Error(), "toml: "), " into struct field ")
		if !typed {
			return fmt.Errorf("%d: %s", row, what)
		}
		wanted := "a text in quotes"
		switch {
		case strings.Contains(internal, "[]string"):
			wanted = "a list of texts in quotes: [\"...\"]"
		case strings.HasSuffix(internal, "int") || strings.HasSuffix(internal, "float64"):
			wanted = "a number"
		case strings.HasSuffix(internal, "bool"):
			wanted = "true or false"
		}
		return fmt.Errorf("%d: %s must be %s", row, strings.Join(e.Key(), "."), wanted)
	}
	return fmt.Errorf("1: %w", err)
}

func joinWithOr(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
