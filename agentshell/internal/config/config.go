// Package config reads and changes the user's configuration file. Besides the stored permission
// rules (package grant) no other file may grant a permission (FS-33), so the package is strict:
// anything that it does not know is an error with a line number.
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

// Config holds the settings of the configuration file, config.toml. A setting that the file does
// not contain has its zero value.
type Config struct {
	Provider string `toml:"provider"` // The provider of the model: "anthropic", "openai" or "script".
	// Model, BaseURL and KeyCommand apply to Provider, or to anthropic if Provider is "".
	Model   string `toml:"model"`
	BaseURL string `toml:"base_url"` // The address of the provider's API; "": its usual address.
	// Insecure allows http to BaseURL on any host, and requests without a key. Headers are sent to
	// BaseURL with each request.
	Insecure bool              `toml:"insecure"`
	Headers  map[string]string `toml:"headers"`
	// KeyHeader is the name of the HTTP header that contains the key; "": the provider's usual
	// header. Azure requires api-key.
	KeyHeader string `toml:"key_header"`
	// Effort is the amount of reasoning for an answer, one of [Efforts]; "": the provider decides.
	Effort string `toml:"effort"`
	// Fallback is the name of the model that answers if the chosen model cannot be reached; "":
	// none.
	Fallback string `toml:"fallback"`
	// KeyCommand is a program with its arguments that prints the provider's key. It is started
	// without a shell, and only if no environment variable holds the key.
	KeyCommand []string `toml:"key_command"`
	// AddDirs lists more directories that the model may work in. A path is absolute or begins with
	// ~/. If it ends with :ro, the directory is read-only.
	AddDirs []string `toml:"add_dirs"`
	// The permission mode at the start: "ask", "edits" or "plan". Other modes can be set only on
	// the command line (PANE-10).
	Mode string `toml:"mode"`
	// Sandbox "auto" runs commands in a sandbox if the system has one; "" and "off" do not.
	Sandbox string `toml:"sandbox"`
	// SandboxReadable and SandboxWritable list more paths that commands in the sandbox can read or
	// write. A path is absolute or begins with ~/.
	SandboxReadable []string `toml:"sandbox_readable"`
	SandboxWritable []string `toml:"sandbox_writable"`
	// Network lists the hosts that commands in the sandbox can reach, as host:port. A name that
	// begins with "*." stands for all subdomains. NetworkPrivate lists the hosts that may have an
	// address in a private network.
	Network        []string `toml:"network"`
	NetworkPrivate []string `toml:"network_private"`

	Allow []string `toml:"allow"`
	Ask   []string `toml:"ask"`
	Deny  []string `toml:"deny"`
	// EditFormat is the form in which the model describes a change of a file: "exact" by the text
	// to replace, or "hashline" by the numbers of lines that it has read; "": the form that suits
	// the model.
	EditFormat string `toml:"edit_format"`
	// AskUnchanged asks the user for approval even if a write would change nothing (HARN-5).
	AskUnchanged bool `toml:"ask_unchanged"`
	// CompactAt is the percentage of a model's context window at which the conversation is
	// compacted; 0: 80; below 0: only the command /compact does it.
	CompactAt int     `toml:"compact_at"`
	MaxCost   float64 `toml:"max_cost"`  // The cost of a session in dollars at which a turn ends; 0: no limit.
	MaxSteps  int     `toml:"max_steps"` // The maximum number of requests to the model in one turn; 0: 200.
	// StdinNoticeS is the number of seconds after which a run with -p says that it waits for its
	// standard input; 0: 3. StdinWaitS is the number of seconds after which it goes on without that
	// input; 0: 10. Below 0: never.
	StdinNoticeS int `toml:"stdin_notice_s"`
	StdinWaitS   int `toml:"stdin_wait_s"`
	// Theme is the name of a theme; "": auto, which follows the background of the terminal. Package
	// theme checks the name.
	Theme string `toml:"theme"`
	// Title says whether the shell sets the title of the terminal window; nil: it does. Status
	// lists the parts of the status row in their order; empty: the default parts.
	Title  *bool    `toml:"title"`
	Status []string `toml:"status"`
	// Models corrects or completes the built-in table of models. The keys are names of models.
	Models map[string]Model `toml:"models"`
	// Hooks lists programs that are called before and after tool calls, and after turns.
	Hooks []Hook `toml:"hooks"`
	// Format lists programs that format the text of a file before the user sees it and it is
	// written.
	Format []Format `toml:"format"`
	// HideToolsAt is the percentage of a model's context window that the descriptions of MCP tools
	// may take. If they take more, the model finds them by a search tool. 0: 10; below 0: they are
	// never hidden.
	HideToolsAt int `toml:"hide_tools_at"`
	// Checkpoint turns on the tools checkpoint and rewind.
	Checkpoint Checkpoint `toml:"checkpoint"`
	// LSP turns on the tool lsp.
	LSP LSP `toml:"lsp"`
	// SSH turns on the tool ssh, and lists its hosts.
	SSH SSH `toml:"ssh"`
	// GitHub turns on the tool github.
	GitHub GitHub `toml:"github"`
	// Browser turns on the tool browser.
	Browser Browser `toml:"browser"`
	// Wake says which events start a turn of the model while the user does nothing: "agents" the
	// end of an agent or its message, "all" also the end of a background command, "off" none; "":
	// agents.
	Wake string `toml:"wake"`
	// DoubleEsc says what opens when Esc is pressed twice in an empty prompt: "tree", "rewind" or
	// "off" (nothing); "": tree.
	DoubleEsc string `toml:"double_esc"`
	// BranchSummary asks the user, whenever a move in /tree leaves a branch of the conversation,
	// whether the model gets a summary of that branch.
	BranchSummary bool `toml:"branch_summary"`
	// Rules holds the settings for rules that watch the model's output while it streams.
	Rules Rules `toml:"rules"`
	// Debug turns on the tool debug.
	Debug Debug `toml:"debug"`
	// WebSearch turns on the tool web_search.
	WebSearch WebSearch `toml:"web_search"`
	// Eval turns on the tool eval.
	Eval Eval `toml:"eval"`
	// InspectImage turns on the tool inspect_image.
	InspectImage InspectImage `toml:"inspect_image"`
	// Agents limits the agents that the model starts with the tool task.
	Agents Agents `toml:"agents"`
	// Memory says whether the model can write notes that outlive the session.
	Memory Memory `toml:"memory"`
	// MCP lists the MCP servers whose tools the model gets (PANE-14). The keys are the names of the
	// servers.
	MCP map[string]MCP `toml:"mcp"`
	// Extensions lists the user's extensions of the shell. The keys are their names.
	Extensions map[string]Extension `toml:"extensions"`
	// Keys and Vim come from the table "keys": the key bindings, and whether the prompt has vim
	// modes.
	Keys keymap.Map `toml:"-"`
	Vim  bool       `toml:"-"`
}

// file is the TOML form of a Config. It holds the table "keys" as it stands in the file, before the
// key bindings are parsed.
type file struct {
	Config
	Keys map[string]any `toml:"keys"`
}

// Checkpoint turns on the tools checkpoint and rewind.
type Checkpoint struct {
	Enabled bool `toml:"enabled"`
}

// Memory says where notes that outlive a session are stored.
type Memory struct {
	Backend string `toml:"backend"` // "file": in Markdown files; "" and "off": there are no notes.
	// ProposeAtEnd lets the model propose notes when an interactive session ends.
	ProposeAtEnd bool `toml:"propose_at_end"`
}

// LSP says what language servers are used for.
type LSP struct {
	Enabled     bool `toml:"enabled"`     // The model gets the tool lsp.
	Diagnostics bool `toml:"diagnostics"` // The model is told of new errors after each change of a file.
	// A language server that runs formats the text of a file before the user sees it.
	Format bool `toml:"format"`
}

// Debug turns on the tool debug.
type Debug struct {
	Enabled bool `toml:"enabled"` // The model gets the tool debug.
}

// Eval says which languages the model may run code in with the tool eval.
type Eval struct {
	Enabled    bool  `toml:"enabled"` // The model gets the tool eval.
	Python     *bool `toml:"py"`      // The model may run Python; nil: true.
	JavaScript *bool `toml:"js"`      // The model may run JavaScript; nil: true.
	Jupyter    *bool `toml:"jupyter"` // If ipykernel is installed, it runs the Python code; nil: true.
	// SmolModel and SlowModel are the models that answer when code calls completion() with the
	// model "smol" or "slow"; "": none does.
	SmolModel string `toml:"smol_model"`
	SlowModel string `toml:"slow_model"`
}

// Hook is a program of the user that the shell starts at certain events, without a system shell.
type Hook struct {
	On      string   `toml:"on"`    // The event: "before_tool", "after_tool" or "turn_end".
	Tools   []string `toml:"tools"` // The tools whose calls the hook gets; empty: all tools.
	Command []string `toml:"command"`
	// TimeoutS is the time limit of the program in seconds; 0: 10.
	TimeoutS int `toml:"timeout_s"`
}

// check returns an error if a setting of the hook is wrong.
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

// Format is a program of the user that reads the text of a file and prints it formatted. It is
// started without a shell.
type Format struct {
	// Glob patterns of paths in the workspace. A pattern without a slash matches file names.
	Files   []string `toml:"files"`
	Command []string `toml:"command"`
	// TimeoutS is the time limit of the program in seconds; 0: 5.
	TimeoutS int `toml:"timeout_s"`
}

// check returns an error if a setting of the formatter is wrong.
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

// Load reads the file config.toml in dir. If the file does not exist, or dir is "", it returns an
// empty Config. An error names the file and the line.
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

// Parse decodes and checks the text of a configuration file. An error begins with the line number.
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

// StatusParts returns the names of the parts that the status row can have.
func StatusParts() []string {
	return []string{"mode", "model", "workspace", "branch", "context", "cost", "time", "extensions"}
}

// modeHint returns an addition to an error message if value is a mode that only the command line
// can set, or else "".
func modeHint(value string) string {
	if value == "trusted" || value == "unconfined" {
		return fmt.Sprintf(" (mode %s is chosen with --mode %[1]s only)", value)
	}
	return ""
}

// Located converts an error of the TOML decoder to one that begins with the line number, in the
// words of the shell.
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

// joinWithOr returns the words as "a, b or c".
func joinWithOr(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
