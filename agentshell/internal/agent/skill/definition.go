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

// maxDefinitions limits the agents that a folder defines.
const maxDefinitions = 50

// Definition says what a kind of agent is: a Markdown file with a head. The text is how it works.
type Definition struct {
	Name, About, Prompt string
	Tools               []string // names of the only ones that it has; nil: those of who starts it
	Model               string   // "": that of who starts it
	Output              json.RawMessage
	Spawns              []string // kinds of agents that it may start; "*" is any
	Blocking            bool     // who starts it waits for it
	Isolated            bool     // it works in a copy of the workspace
	Unknown             []string // fields of the head, and tools, that mean nothing here
	From                string   // the file
}

// definitionName is the form of the name of a definition.
var definitionName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)

// loadAgents reads the definitions of a folder.
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

// parseDefinition reads the definition of an agent. name is its name if the head has none.
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

// set sets a field of the head.
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

// setTools sets the tools, in the names that they have here.
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

// toolNames has our names for the tools, by ours and those of other programs in small letters.
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

// words returns the words of a list, in whatever form of YAML it is written.
func words(value string) []string {
	fields := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" ,[]\"'\t", r) })
	return slices.DeleteFunc(fields, func(w string) bool { return w == "-" })
}

// isTrue reads a value that is true or false.
func isTrue(value string) (bool, error) {
	if value != "true" && value != "false" {
		return false, fmt.Errorf("it may be true or false, not %q", value)
	}
	return value == "true", nil
}
