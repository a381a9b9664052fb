package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Imported is a permission rule of another program, with the equivalent rules of this program.
type Imported struct {
	From   string // the rule in the words of the other program
	Action Action
	Rules  []string // the equivalent rules; nil: there are none
	Why    string   // why there is no equivalent, and what to do instead
}

// ImportRules converts the permission rules in a settings file with the format of
// .claude/settings.json, which has the lists allow, ask and deny. others are sentences about
// further settings in the file.
func ImportRules(settings []byte) (list []Imported, others []string, err error) {
	var file struct {
		Permissions *struct {
			Allow, Ask, Deny, AdditionalDirectories []string
			DefaultMode                             string
		} `json:"permissions"`
	}
	if err := json.Unmarshal(settings, &file); err != nil {
		return nil, nil, fmt.Errorf("it is no file of settings: %w", err)
	}
	if file.Permissions == nil {
		return nil, nil, errors.New(`it has no "permissions"`)
	}
	for action, texts := range [][]string{Ask: file.Permissions.Ask, Allow: file.Permissions.Allow,
		Deny: file.Permissions.Deny} {
		for _, text := range texts {
			list = append(list, importRule(Action(action), text))
		}
	}
	if mode := file.Permissions.DefaultMode; mode != "" {
		others = append(others, "defaultMode "+mode+": "+importedMode(mode))
	}
	for _, dir := range file.Permissions.AdditionalDirectories {
		others = append(others, "additionalDirectories "+dir+": --add-dir and /add-dir add it to a session")
	}
	return list, others, nil
}

// importedMode returns a sentence that says how to set a mode of the other program here.
func importedMode(mode string) string {
	here, ok := map[string]string{"default": ModeAsk, "acceptEdits": ModeEdits, "plan": ModePlan}[mode]
	if !ok {
		return "the config file has no such mode"
	}
	return fmt.Sprintf("mode = %q in the config file is the same", here)
}

// importRule converts one rule of the other program.
func importRule(action Action, text string) Imported {
	i := Imported{From: text, Action: action}
	tool, pattern, has := strings.Cut(strings.TrimSpace(text), "(")
	pattern, closed := strings.CutSuffix(pattern, ")")
	var rules []string
	switch {
	case has && (!closed || pattern == ""):
		i.Why = "it does not end with )"
	case strings.HasPrefix(tool, "mcp__"):
		rules, i.Why = importServer(tool, has)
	case tool == "Bash" && has:
		rules = []string{"bash(" + importCommand(pattern) + ")"}
	case tool == "Bash":
		rules = []string{"bash"}
	case tool == "Edit" || tool == "Write" || tool == "MultiEdit" || tool == "NotebookEdit":
		rules, i.Why = importPath(has, pattern, "write_file", "edit_file")
	case tool == "Read" && action == Allow:
		i.Why = "files of the workspace are read without a question, and files outside of it are not read"
	case tool == "Read":
		rules, i.Why = importPath(has, pattern, "read_file")
	case tool == "WebFetch" && strings.HasPrefix(pattern, "domain:"):
		rules = []string{"read_file(" + pageScheme + strings.ToLower(strings.TrimPrefix(pattern, "domain:")) +
			pageRest + ")"}
	default:
		i.Why = "there is no such tool here"
	}
	for _, text := range rules {
		if why := whyNotImported(action, text); why != "" {
			i.Why = why
			return i
		}
	}
	if i.Why == "" {
		i.Rules = rules
	}
	return i
}

// whyNotImported returns why a converted rule cannot be used here, or "".
func whyNotImported(action Action, text string) string {
	r, err := ParseRule(action, text)
	switch {
	case err != nil:
		return err.Error()
	case strings.ContainsAny(text, "\n\r\x00"):
		return "it has more than one line"
	case action != Allow:
		return ""
	case r.WhyNever() != "":
		return r.WhyNever()
	}
	if err := r.keepable(); err != nil {
		return err.Error()
	}
	return ""
}

// importCommand converts the pattern of a command rule of the other program, in which :* at the end
// stands for any further words.
func importCommand(pattern string) string {
	if before, ok := strings.CutSuffix(pattern, ":*"); ok {
		return strings.TrimSpace(before) + " *"
	}
	return pattern
}

func importPath(has bool, pattern string, tools ...string) (rules []string, why string) {
	switch {
	case !has:
		return tools, ""
	case strings.HasPrefix(pattern, "//"), strings.HasPrefix(pattern, "../"),
		strings.HasPrefix(pattern, "~") && !strings.HasPrefix(pattern, "~/"):
		return nil, "it is outside of the workspace, where nothing is read or written"
	}
	for _, t := range tools { // a first slash is the folder of the settings there
		rules = append(rules, t+"("+strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")+")")
	}
	return rules, ""
}

func importServer(name string, pattern bool) (rules []string, why string) {
	server, tool, ok := strings.Cut(strings.TrimPrefix(name, foreignPrefix), "__")
	switch {
	case pattern:
		return nil, "a tool of a server takes no pattern here"
	case !ok || tool == "*" || tool == "":
		tool = "*"
	}
	return []string{"mcp(" + server + "/" + tool + ")"}, ""
}
