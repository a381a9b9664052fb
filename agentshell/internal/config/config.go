// Package config reads the person's configuration file. Beside the kept rules (package grant) it is
// the only file that may grant anything (FS-33), so it is strict: what is not known is an error
// with its line, never a guess.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	toml "github.com/pelletier/go-toml/v2"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// Config is what the file says. All of it may be missing.
type Config struct {
	Provider string `toml:"provider"` // "anthropic", "openai" or "script"
	// Model, BaseURL and KeyCommand are about Provider, and about anthropic if that is "".
	Model   string `toml:"model"`
	BaseURL string `toml:"base_url"` // another address of the provider's API
	// Insecure allows http to BaseURL, and no key, wherever it is. Headers go with each request to
	// it.
	Insecure bool              `toml:"insecure"`
	Headers  map[string]string `toml:"headers"`
	// KeyHeader is the header that the key goes in; "": the provider's own. Azure wants api-key.
	KeyHeader string `toml:"key_header"`
	// Effort is how much of it a model spends on an answer, one of [Efforts]; "": as the provider
	// has it.
	Effort string `toml:"effort"`
	// Fallback is the model that answers where the chosen one cannot be reached; "": none does.
	Fallback string `toml:"fallback"`
	// KeyCommand is a program with its arguments that prints the provider's key; it is executed
	// without a shell, when no key is in the environment.
	KeyCommand []string `toml:"key_command"`
	// AddDirs are further directories to work in, absolute or with ~/ at the beginning; :ro behind
	// one makes it read-only.
	AddDirs []string `toml:"add_dirs"`
	Mode    string   `toml:"mode"` // "ask", "edits" or "plan"; the others come from the command line only (PANE-10)
	// Sandbox: "auto" confines commands where the system can do it; "" and "off" do not.
	Sandbox string `toml:"sandbox"`
	// SandboxReadable and SandboxWritable are what confined commands reach besides, as absolute
	// paths, or with ~/ at the beginning.
	SandboxReadable []string `toml:"sandbox_readable"`
	SandboxWritable []string `toml:"sandbox_writable"`
	// Network are the hosts that confined commands reach, as host:port, with *. at the beginning
	// for all below a name. NetworkPrivate are those that may have an address of a private network.
	Network        []string `toml:"network"`
	NetworkPrivate []string `toml:"network_private"`

	Allow []string `toml:"allow"`
	Ask   []string `toml:"ask"`
	Deny  []string `toml:"deny"`
	// EditFormat is how the model says what to change in a file: "exact" by the text to replace,
	// "hashline" by line numbers of a text that it has read; "": by the model's family.
	EditFormat string `toml:"edit_format"`
	// AskUnchanged opens the pane also for a write that changes nothing (HARN-5).
	AskUnchanged bool `toml:"ask_unchanged"`
	// CompactAt is the percentage of a model's window from which on the conversation is compacted;
	// 0: 80; below 0: only when the person wants it.
	CompactAt int     `toml:"compact_at"`
	MaxCost   float64 `toml:"max_cost"`  // dollars of a session after which a turn ends; 0: no limit
	MaxSteps  int     `toml:"max_steps"` // how often a turn may ask the model; 0: 200
	// StdinNoticeS and StdinWaitS are the seconds after which a run with -p says that it waits for
	// the first byte of its standard input, and goes on without; 0: 3 and 10; below 0: never.
	StdinNoticeS int `toml:"stdin_notice_s"`
	StdinWaitS   int `toml:"stdin_wait_s"`
	// Theme is the name of a theme; "": auto, which goes by what the terminal says of its ground.
	// Which ones there are is the business of package theme.
	Theme string `toml:"theme"`
	// Title: the window has a title while the shell runs; nil: yes. Status is the parts of the row
	// below the prompt, in order; none: as the program has them.
	Title  *bool    `toml:"title"`
	Status []string `toml:"status"`
	// Models are what the table of the program does not know of a model, or knows wrongly, by its
	// name.
	Models map[string]Model `toml:"models"`
	// Hooks are programs that are asked about calls and turns.
	Hooks []Hook `toml:"hooks"`
	// Format are programs that put a text in order before it is shown and written.
	Format []Format `toml:"format"`
	// HideToolsAt is the percentage of a model's window that the tools of servers may take before
	// they are hidden behind a search; 0: 10; below 0: they never are.
	HideToolsAt int `toml:"hide_tools_at"`
	// Checkpoint is about the model's own way back in a conversation.
	Checkpoint Checkpoint `toml:"checkpoint"`
	// MCP are servers whose tools the model gets, by name (PANE-14).
	MCP map[string]MCP `toml:"mcp"`
	// Keys and Vim are the table keys: what keys do, and whether the prompt has the modes of vim.
	Keys keymap.Map `toml:"-"`
	Vim  bool       `toml:"-"`
}

// longestWait is the most seconds that a setting about a wait may have.
const longestWait = 86_400

// file is the text of a configuration, as far as it says more than a Config.
type file struct {
	Config
	Keys map[string]any `toml:"keys"`
}

// Checkpoint turns the tools checkpoint and rewind on.
type Checkpoint struct {
	Enabled bool `toml:"enabled"`
}

// Hook is one program of the person's, started without a shell.
type Hook struct {
	On      string   `toml:"on"`    // "before_tool", "after_tool" or "turn_end"
	Tools   []string `toml:"tools"` // whose calls; none: all
	Command []string `toml:"command"`
	// TimeoutS is how many seconds it may take; 0: 10.
	TimeoutS int `toml:"timeout_s"`
}

// check finds what is wrong with a hook.
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

// Format is one program of the person's that reads a text and prints it anew, started without a
// shell.
type Format struct {
	Files   []string `toml:"files"` // globs of paths below the workspace; one without a slash is of names
	Command []string `toml:"command"`
	// TimeoutS is how many seconds it may take; 0: 5.
	TimeoutS int `toml:"timeout_s"`
}

// check finds what is wrong with a formatter.
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

// Dir returns the directory for configuration: $XDG_CONFIG_HOME/scrollkeep, or
// ~/.config/scrollkeep. "" if there is neither. A relative $XDG_CONFIG_HOME does not count, as its
// specification says: it would make the workspace the place of the configuration.
func Dir(getenv func(string) string) string { return dir(getenv, "XDG_CONFIG_HOME", ".config") }

// StateDir returns the directory for what outlives a session: $XDG_STATE_HOME/scrollkeep, or
// ~/.local/state/scrollkeep. "" if there is neither.
func StateDir(getenv func(string) string) string {
	return dir(getenv, "XDG_STATE_HOME", filepath.Join(".local", "state"))
}

func dir(getenv func(string) string, name, below string) string {
	if base := getenv(name); filepath.IsAbs(base) {
		return filepath.Join(base, "scrollkeep")
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, below, "scrollkeep")
	}
	return ""
}

// Load reads the file in dir. A file that is not there is an empty Config. An error names the file
// and the line.
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

// Parse reads the text of a file. An error begins with the line.
func Parse(text []byte) (Config, error) {
	var f file
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return Config{}, Located(err)
	}
	c, at := f.Config, Lines(text)
	var err error
	if c.Keys, c.Vim, err = pressed(f.Keys, at); err != nil {
		return Config{}, err
	}
	for name, m := range c.Models {
		if err := m.check(name); err != nil {
			return Config{}, fmt.Errorf("%d: %w", at["models."+name], err)
		}
	}
	switch {
	case c.HideToolsAt > 100:
		return Config{}, fmt.Errorf("%d: hide_tools_at is a percentage of the window, at most 100", at["hide_tools_at"])
	case c.CompactAt > 95:
		return Config{}, fmt.Errorf("%d: compact_at may be 1 to 95 percent, or -1 for never",
			at["compact_at"])
	case c.StdinNoticeS > longestWait:
		return Config{}, fmt.Errorf("%d: stdin_notice_s may be at most %d seconds", at["stdin_notice_s"], longestWait)
	case c.StdinWaitS > longestWait:
		return Config{}, fmt.Errorf("%d: stdin_wait_s may be at most %d seconds", at["stdin_wait_s"], longestWait)
	case c.MaxSteps < 0 || c.MaxSteps > 100_000:
		return Config{}, fmt.Errorf("%d: max_steps may be 1 to 100000", at["max_steps"])
	case !headerName(c.KeyHeader):
		return Config{}, fmt.Errorf("%d: key_header is no name of a header: %q", at["key_header"], c.KeyHeader)
	case c.MaxCost < 0:
		return Config{}, fmt.Errorf("%d: max_cost is in dollars, and may not be less than 0", at["max_cost"])
	}
	for i, part := range c.Status {
		switch {
		case !slices.Contains(StatusParts(), part):
			return Config{}, fmt.Errorf("%d: status may hold %s, not %q", at["status"], list(StatusParts()), part)
		case slices.Contains(c.Status[:i], part):
			return Config{}, fmt.Errorf("%d: status holds %q twice", at["status"], part)
		}
	}
	for key, paths := range map[string][]string{"sandbox_readable": c.SandboxReadable,
		"sandbox_writable": c.SandboxWritable, "add_dirs": c.AddDirs} {
		for _, p := range paths {
			if !filepath.IsAbs(p) && !strings.HasPrefix(p, "~/") {
				return Config{}, fmt.Errorf("%d: a path of %s must be absolute or begin with ~/, not %q",
					at[key], key, p)
			}
		}
	}
	for key, hosts := range map[string][]string{"network": c.Network, "network_private": c.NetworkPrivate} {
		for _, h := range hosts {
			if _, err := proxy.ParseHost(h); err != nil {
				return Config{}, fmt.Errorf("%d: %s takes host:port, for example \"proxy.golang.org:443\": %w",
					at[key], key, err)
			}
		}
	}
	for i, h := range c.Hooks {
		if err := h.check(); err != nil {
			return Config{}, fmt.Errorf("%d: %w", at[fmt.Sprintf("hooks[%d]", i)], err)
		}
	}
	for i, f := range c.Format {
		if err := f.check(); err != nil {
			return Config{}, fmt.Errorf("%d: %w", at[fmt.Sprintf("format[%d]", i)], err)
		}
	}
	for name, server := range c.MCP {
		if key, err := server.Check(name); err != nil {
			return Config{}, fmt.Errorf("%d: mcp.%s: %w", at["mcp."+name+key], name, err)
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
	} {
		if !slices.Contains(check.allowed, check.value) {
			return Config{}, fmt.Errorf("%d: %s may be %s, not %q%s", at[check.key], check.key,
				list(check.allowed[1:]), check.value, hint(check.value))
		}
	}
	return c, nil
}

// StatusParts returns what the row below the prompt can hold.
func StatusParts() []string {
	return []string{"mode", "model", "workspace", "branch", "context", "cost", "time"}
}

func hint(value string) string {
	if value == "trusted" || value == "unconfined" {
		return fmt.Sprintf(" (mode %s is chosen with --mode %[1]s only)", value)
	}
	return ""
}

// Located is an error of the TOML reader that begins with the line.
func Located(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		e := unknown.Errors[0]
		row, _ := e.Position()
		return fmt.Errorf("%d: there is no setting %q", row, strings.Join(e.Key(), "."))
	}
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

func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
