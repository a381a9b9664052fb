//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// program is one that has sub-agents, and how it is used.
type program struct {
	name, file      string
	home, workspace string
	configure       func(home, server string) error           // writes its config file
	args            []string                                  // for one prompt without a screen
	starts          func(prompts []string) []call             // by which Main starts agents
	reads           func(workspace, path string) call         // by which an agent reads a file
	ends            func(answer string) (c call, isCall bool) // by which an agent ends, where that is a call
}

// call is one of a tool.
type call struct {
	name string
	args any
}

// object is one of JSON.
type object = map[string]any

const prompt = "Let agents read all parts, and tell me what is in them."

func agentshell(file string) program {
	return program{
		name: "agentshell", file: file, args: []string{"-p", prompt},
		configure: func(home, server string) error {
			return writeFile(filepath.Join(home, ".config/agentshell/config.toml"), fmt.Sprintf(
				"provider = \"anthropic\"\nmodel = \"claude-sonnet-4-5\"\nbase_url = %q\n[agents]\nmax = %d\n",
				server, *agents))
		},
		starts: func(prompts []string) []call {
			var tasks []object
			for i, p := range prompts {
				tasks = append(tasks, object{"id": fmt.Sprint("Reader", i), "assignment": p})
			}
			return []call{{"task", object{"agent": "explore", "context": "The parts are folders.", "tasks": tasks}}}
		},
		reads: func(_, path string) call { return call{"read_file", object{"path": path}} },
		ends:  func(answer string) (call, bool) { return call{"yield", object{"result": answer}}, true },
	}
}

func opencode(file string) program {
	return program{
		name: "opencode", file: file, args: []string{"run", "-m", "anthropic/claude-sonnet-4-5", prompt},
		configure: func(home, server string) error {
			options := object{"baseURL": server + "/v1", "apiKey": "none"}
			b, err := json.Marshal(object{"autoupdate": false, "share": "disabled",
				"provider": object{"anthropic": object{"options": options}}})
			if err != nil {
				return err
			}
			return writeFile(filepath.Join(home, ".config/opencode/opencode.json"), string(b))
		},
		starts: func(prompts []string) (list []call) {
			for i, p := range prompts {
				list = append(list, call{"task",
					object{"description": fmt.Sprint("Read part ", i), "prompt": p, "subagent_type": "explore"}})
			}
			return list
		},
		reads: func(workspace, path string) call {
			return call{"read", object{"filePath": filepath.Join(workspace, path)}}
		},
		ends: func(string) (call, bool) { return call{}, false },
	}
}

func writeFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o600)
}
