package extension

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// ManifestName is the name of the manifest in the folder of an extension.
const ManifestName = "extension.toml"

// Protocol is the protocol version that this shell supports.
const Protocol = 1

// These constants limit a manifest.
const (
	MaxManifest      = 64 << 10 // bytes
	maxPerKind       = 20       // maxPerKind limits the commands, the tools and the renderers.
	maxNameBytes     = 24       // maxNameBytes is the number of bytes in the name of an extension or a command.
	maxToolNameBytes = 32
)

// Manifest declares everything that an extension may add. Its program can add nothing else.
type Manifest struct {
	Protocol  int        `toml:"protocol"`
	About     string     `toml:"about"`
	Command   []string   `toml:"command"`
	Commands  []Command  `toml:"commands"`
	Tools     []Tool     `toml:"tools"`
	Renderers []Renderer `toml:"renderers"`
	Status    bool       `toml:"status"`
	Footer    bool       `toml:"footer"`
	Events    []string   `toml:"events"`
}

// Command is a slash command of an extension.
type Command struct {
	Name     string `toml:"name"`
	Args     string `toml:"args"`
	About    string `toml:"about"`
	Complete bool   `toml:"complete"`
}

// Tool is a tool that an extension offers the model.
type Tool struct {
	Name   string `toml:"name"`
	About  string `toml:"about"`
	Schema string `toml:"schema"`
	Kind   string `toml:"kind"`
}

// Renderer declares that the extension draws the calls of a tool, their results, or both.
type Renderer struct {
	Tool   string `toml:"tool"` // Tool is the full name of the tool, or * for all tools.
	Call   bool   `toml:"call"`
	Result bool   `toml:"result"`
}

// These are the names of the events that an extension can receive.
const (
	TurnBegin  = "turn_begin"
	CallAsked  = "call"
	CallResult = "result"
	SessionEnd = "session_end"
)

// Kinds returns the valid values of Tool.Kind, which say what a tool does.
func Kinds() []string { return []string{"reads", "searches", "edits", "runs", "other"} }

// Load reads the manifest in the folder of an extension. The error names the line.
func Load(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	text, err := regular.ReadFile(path)
	if err != nil {
		return Manifest{}, err
	}
	m, err := Parse(text)
	if err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Parse parses a manifest, and checks it.
func Parse(text []byte) (Manifest, error) {
	var m Manifest
	if len(text) > MaxManifest {
		return m, fmt.Errorf("it has more than %d KiB", MaxManifest>>10)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return m, errors.New("it is empty: the program that should have written it has failed. " +
			"Run the program with the argument manifest, and read what it says")
	}
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return Manifest{}, helper.TableError(err)
	}
	return m, m.check()
}

func (m Manifest) check() error {
	switch {
	case m.Protocol != Protocol:
		return fmt.Errorf("protocol is %d; this version of the shell speaks %d", m.Protocol, Protocol)
	case strings.TrimSpace(m.About) == "":
		return errors.New("about is missing: a sentence that says what the extension does")
	case len(m.Command) == 0 || m.Command[0] == "":
		return errors.New(`command is missing: command = ["node", "${dir}/main.js"]`)
	case strings.ContainsAny(m.Command[0], `/\`) && !strings.HasPrefix(m.Command[0], dirPlaceholder+"/") &&
		!filepath.IsAbs(m.Command[0]):
		return errors.New("the program of command is a name, or begins with ${dir}/ or /")
	case len(m.Commands) > maxPerKind || len(m.Tools) > maxPerKind || len(m.Renderers) > maxPerKind:
		return fmt.Errorf("there may be %d commands, %[1]d tools and %[1]d renderers", maxPerKind)
	}
	var names []string
	for _, c := range m.Commands {
		if why := CheckName(c.Name); why != nil {
			return fmt.Errorf("command %q: %w", c.Name, why)
		}
		if c.About == "" {
			return fmt.Errorf("command %q: about is missing", c.Name)
		}
		names = append(names, c.Name)
	}
	var tools []string
	for _, t := range m.Tools {
		if err := t.check(); err != nil {
			return fmt.Errorf("tool %q: %w", t.Name, err)
		}
		tools = append(tools, t.Name)
	}
	for _, list := range [][]string{names, tools} {
		slices.Sort(list)
		if len(slices.Compact(list)) != len(list) {
			return errors.New("two commands or two tools have one name")
		}
	}
	for _, r := range m.Renderers {
		if r.Tool == "" || !r.Call && !r.Result {
			return errors.New("a renderer names a tool, and has call = true, result = true or both")
		}
	}
	for _, e := range m.Events {
		if known := []string{TurnBegin, CallAsked, CallResult, SessionEnd}; !slices.Contains(known, e) {
			return fmt.Errorf("there is no event %q, only %s", e, strings.Join(known, ", "))
		}
	}
	return nil
}

// CheckName returns an error if name is not valid for an extension or a command.
func CheckName(name string) error {
	if name == "" || len(name) > maxNameBytes || strings.Trim(name, "-") != name ||
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("a name has small letters, digits and -, at most %d", maxNameBytes)
	}
	return nil
}

func (t Tool) check() error {
	letters := "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	var schema struct {
		Type string `json:"type"`
	}
	switch {
	case t.Name == "" || len(t.Name) > maxToolNameBytes || strings.Trim(t.Name, letters) != "" ||
		strings.Trim(t.Name, "_") != t.Name || strings.Contains(t.Name, "__"):
		return fmt.Errorf("a name has letters, digits, - and single _, at most %d", maxToolNameBytes)
	case t.About == "":
		return errors.New("about is missing: the model decides by it whether to call the tool")
	case json.Unmarshal([]byte(t.Schema), &schema) != nil || schema.Type != "object":
		return errors.New(`schema is a JSON schema with "type": "object", as a string`)
	case t.Kind != "" && !slices.Contains(Kinds(), t.Kind):
		return fmt.Errorf("kind may be %s", strings.Join(Kinds(), ", "))
	}
	return nil
}

// dirPlaceholder is the placeholder in a command for the folder of the extension.
const dirPlaceholder = "${dir}"

// CommandIn returns the command line of an extension whose folder is dir.
func (m Manifest) CommandIn(dir string) (list []string) {
	for _, a := range m.Command {
		list = append(list, strings.ReplaceAll(a, dirPlaceholder, dir))
	}
	return list
}

// Unbuilt returns an error if the program of an extension is a path without an executable file,
// because it has to be built first. dir is the folder of the extension. A program name without a
// slash is looked up only at the start.
func (m Manifest) Unbuilt(dir string) error {
	program := m.CommandIn(dir)[0]
	if !strings.ContainsRune(program, '/') {
		return nil
	}
	if info, err := os.Stat(program); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
		return nil
	}
	return fmt.Errorf("%s is no program yet. Build it, in Go by: cd %s && go build", program, dir)
}

// Summary lists what the extension adds, such as "/do; tool count; rows below the prompt".
func (m Manifest) Summary() string {
	var commands []string
	for _, c := range m.Commands {
		commands = append(commands, "/"+c.Name)
	}
	return m.summary(commands)
}

// summary does the work of [Manifest.Summary], with the given names for the commands.
func (m Manifest) summary(commands []string) string {
	parts := slices.Clone(commands)
	for _, t := range m.Tools {
		parts = append(parts, "tool "+t.Name)
	}
	for _, r := range m.Renderers {
		parts = append(parts, "rows of "+r.Tool)
	}
	if m.Status {
		parts = append(parts, "a part of the status row")
	}
	if m.Footer {
		parts = append(parts, "rows below the prompt")
	}
	if len(m.Events) > 0 {
		parts = append(parts, "hears of "+strings.Join(m.Events, ", "))
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}

// Text describes the extension and everything that it registers, for the question to the user.
func (m Manifest) Text(name, dir string) string {
	var b strings.Builder
	line := approval.ShowValue
	fmt.Fprintf(&b, "%s: %s\n", name, line(m.About))
	fmt.Fprintf(&b, "  runs         %s\n", approval.ShowCommand(m.CommandIn(dir)))
	for _, c := range m.Commands {
		fmt.Fprintf(&b, "  command      %s  %s\n", line("/"+c.Name+" "+c.Args), line(c.About))
	}
	for _, t := range m.Tools {
		fmt.Fprintf(&b, "  tool         %s  %s\n", t.Name, line(t.About))
		fmt.Fprintf(&b, "               %s\n", line(strings.Join(strings.Fields(t.Schema), " ")))
	}
	for _, r := range m.Renderers {
		what := []string{}
		if r.Call {
			what = append(what, "running calls")
		}
		if r.Result {
			what = append(what, "results")
		}
		fmt.Fprintf(&b, "  shows        %s of %s\n", strings.Join(what, " and "), line(r.Tool))
	}
	if m.Status {
		b.WriteString("  shows        a part of the status row\n")
	}
	if m.Footer {
		b.WriteString("  shows        rows below the prompt\n")
	}
	if len(m.Events) > 0 {
		fmt.Fprintf(&b, "  is told of   %s\n", strings.Join(m.Events, ", "))
	}
	return b.String() + "\n"
}
