package skill

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// maxDefinitions is the highest number of agent definitions in a folder.
const maxDefinitions = 50

// Definition defines a kind of agent. It is read from a Markdown file with front matter, whose text
// becomes the agent's instructions.
type Definition struct {
	Name, About, Prompt string
	Tools               []string // the names of its tools; nil: all tools of its parent
	Model               string   // the name of its model; "": the model of its parent
	Output              json.RawMessage
	Spawns              []string // the kinds of agents that it may start; "*" means any
	Blocking            bool     // the parent waits until it has ended
	Isolated            bool     // it works in a copy of the workspace
	Unknown             []string // fields of the front matter, and tools, that do not exist here
	From                string   // the path of the file that contains the definition
}

// definitionName matches valid names of definitions.
var definitionName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)

// loadAgents reads the agent definitions of a folder.
func (f *Folder) loadAgents(src source, n *notices) {
	for _, file := range n.list(src, "agents") {
		name, ok := strings.CutSuffix(file, ".md")
		if !ok {
			continue
		}
		path := filepath.Join("agents", file)
		if len(f.Agents) == maxDefinitions {
			n.full("agents", maxDefinitions)
			return
		}
		text, err := src.read(path)
		var d Definition
		if err == nil {
			d, err = parseDefinition(name, text)
		}
		switch {
		case err != nil:
			n.skip(path, err)
		case slices.ContainsFunc(f.Agents, func(o Definition) bool { return o.Name == d.Name }):
			n.skip(path, fmt.Errorf("there is an agent %s already", d.Name))
		default:
			d.From = filepath.ToSlash(filepath.Join(src.where, path))
			f.Agents = append(f.Agents, d)
		}
	}
}

// parseDefinition parses the file of an agent definition. name is used if the front matter has no
// name.
func parseDefinition(name, text string) (Definition, error) {
	head, body := splitHead(strings.ReplaceAll(text, "\r\n", "\n"))
	d := Definition{Name: name, Prompt: strings.TrimSpace(body)}
	if d.Prompt == "" {
		return d, errors.New("it has no text that says how the agent works")
	}
	var keys []string
	for key := range head {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if err := d.set(key, head[key]); err != nil {
			return d, fmt.Errorf("%s: %w", key, err)
		}
	}
	if !definitionName().MatchString(d.Name) {
		return d, errors.New("the name of an agent is letters, digits, - and _, at most 40")
	}
	d.About, _ = description(d.About, d.Prompt)
	return d, nil
}

// set sets the field for one key of the front matter.
func (d *Definition) set(key, value string) (err error) {
	switch key {
	case "name":
		d.Name = value
	case "description":
		d.About = value
	case "tools":
		d.setTools(value)
	case "model":
		if value != "inherit" && value != "default" {
			d.Model = value
		}
	case "output":
		d.Output = json.RawMessage(value)
		if !json.Valid(d.Output) {
			return errors.New("it is no JSON schema in JSON")
		}
	case "spawns":
		if value != "false" && value != "true" {
			d.Spawns = words(value)
		} else if value == "true" {
			d.Spawns = []string{"*"}
		}
	case "blocking":
		d.Blocking, err = isTrue(value)
	case "isolated":
		d.Isolated, err = isTrue(value)
	default:
		d.Unknown = append(d.Unknown, key)
	}
	return err
}

// setTools sets the tools from a list, in which they may have the names of other programs.
func (d *Definition) setTools(value string) {
	if value == "*" {
		return
	}
	d.Tools = []string{} // an empty list is no tools
	for _, name := range words(value) {
		ours, known := toolNames[strings.ToLower(name)]
		switch {
		case known:
			d.Tools = append(d.Tools, ours...)
		case strings.HasPrefix(name, "mcp__"), strings.HasPrefix(name, "ext__"):
			d.Tools = append(d.Tools, name)
		default:
			d.Unknown = append(d.Unknown, "tool "+name)
		}
	}
}

// toolNames maps names of tools, in lower case, to the names of this program. It has those of other
// programs, too.
var toolNames = map[string][]string{
	"read": {"read_file"}, "read_file": {"read_file"}, "webfetch": {"read_file"}, "fetch": {"read_file"},
	"ls": {"list_dir"}, "list_dir": {"list_dir"}, "glob": {"find"}, "find": {"find"},
	"grep": {"search"}, "search": {"search"}, "diff": {"diff"},
	"bash": {"bash"}, "exec": {"bash"},
	"write": {"write_file"}, "write_file": {"write_file"},
	"edit": {"edit", "edit_file"}, "edit_file": {"edit", "edit_file"}, "multiedit": {"edit", "edit_file"},
	"lsp": {"lsp"}, "recall": {"recall"},
	"task": {}, "agent": {}, "irc": {}, "yield": {}, "todo": {}, "todowrite": {}, // what an agent has is not in a list
}

// words splits a list that is written in any form of YAML into its words.
func words(value string) []string {
	fields := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" ,[]\"'\t", r) })
	return slices.DeleteFunc(fields, func(w string) bool { return w == "-" })
}

// isTrue parses a value that must be true or false.
func isTrue(value string) (bool, error) {
	if value != "true" && value != "false" {
		return false, fmt.Errorf("it may be true or false, not %q", value)
	}
	return value == "true", nil
}
