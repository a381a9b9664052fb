//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// program is one that shows answers, and how it is started.
type program struct {
	name, file string
	args       []string
	env        []string
	configure  func(home, server string) error // writes its configuration
	// resume returns the arguments that resume a conversation of n messages, which it makes. The
	// last message ends with the text end. nil: it is not measured.
	resume func(home, workspace string, n int) (args []string, end string, err error)
}

// object is one of JSON.
type object = map[string]any

func agentshell(file string) program {
	p := program{name: "agentshell", file: file, configure: func(home, server string) error {
		return writeFile(filepath.Join(home, ".config/agentshell/config.toml"), fmt.Sprintf(
			"provider = \"anthropic\"\nmodel = \"claude-sonnet-4-5\"\nbase_url = %q\n", server))
	}}
	p.resume = func(home, workspace string, n int) ([]string, string, error) {
		return writeSession(file, home, workspace, n)
	}
	return p
}

// peerNames returns the programs that peerNamed knows.
func peerNames() []string { return []string{"pi", "opencode"} }

// peerNamed returns another program by its name.
func peerNamed(name, file string) (program, bool) {
	p := program{name: name, file: file}
	switch name {
	case "pi":
		p.args = []string{"--provider", "local", "--model", "claude-sonnet-4-5"}
		p.configure = func(home, server string) error {
			return writeJSON(filepath.Join(home, ".pi/agent/models.json"), object{"providers": object{"local": object{
				"baseUrl": server, "api": "anthropic-messages", "apiKey": "none", "models": []object{{
					"id": "claude-sonnet-4-5", "name": "sonnet", "reasoning": false, "input": []string{"text"},
					"cost":          object{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
					"contextWindow": 200000, "maxTokens": 32000}}}}})
		}
	case "opencode":
		p.args = []string{"-m", "anthropic/claude-sonnet-4-5"}
		p.env = []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"}
		p.configure = func(home, server string) error {
			options := object{"baseURL": server + "/v1", "apiKey": "none"}
			return writeJSON(filepath.Join(home, ".config/opencode/opencode.json"), object{"autoupdate": false,
				"share": "disabled", "provider": object{"anthropic": object{"options": options}}})
		}
	default:
		return p, false
	}
	return p, true
}

func writeJSON(name string, o object) error {
	b, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return writeFile(name, string(b))
}

func writeFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o600)
}
