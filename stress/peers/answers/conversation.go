//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// writeSession makes a session of n messages, or up to three more. Its file is begun by agentshell
// itself, and the rest of the messages is appended in the same form: a question, an answer with a
// call, its result, and an answer of two paragraphs and a list.
func writeSession(file, home, workspace string, n int) (args []string, end string, err error) {
	script := filepath.Join(home, "script.jsonl")
	if err := writeFile(script, `{"say":"The first answer."}`+"\n"); err != nil {
		return nil, "", err
	}
	cmd := exec.Command(file, "-p", "The first question.", "--script", script)
	cmd.Dir, cmd.Env = workspace, environment(home)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, "", fmt.Errorf("%w: %s", err, out)
	}
	logs, err := filepath.Glob(filepath.Join(home, ".local/state/agentshell/sessions/*/*.jsonl"))
	if err != nil || len(logs) != 1 {
		return nil, "", fmt.Errorf("%d session logs: %w", len(logs), err)
	}
	log, err := os.ReadFile(logs[0])
	if err != nil {
		return nil, "", err
	}
	last, text := strings.Count(string(log), "\n"), &strings.Builder{}
	text.Write(log)
	n += (4 - (n-2)%4) % 4 // whole exchanges
	end = fmt.Sprintf("answer%d", n)
	for i := 3; i <= n; i++ {
		b, err := json.Marshal(entry{ID: fmt.Sprint(last + 1), Parent: fmt.Sprint(last), Time: time.Now().UTC(),
			Kind: "message", Count: 1 + (i-1)/4, Role: []string{"assistant", "user"}[i%2], Parts: parts(i)})
		if err != nil {
			return nil, "", err
		}
		text.Write(append(b, '\n'))
		last++
	}
	id := strings.TrimSuffix(filepath.Base(logs[0]), ".jsonl")
	return []string{"--resume", id}, end, os.WriteFile(logs[0], []byte(text.String()), 0o600)
}

// entry is a line of a session's file, which begins with the id.
type entry struct {
	ID     string    `json:"id"`
	Parent string    `json:"parent"`
	Time   time.Time `json:"time"`
	Kind   string    `json:"kind"`
	Count  int       `json:"count"`
	Role   string    `json:"role"`
	Parts  []object  `json:"parts"`
}

// parts returns the parts of message i, from the third one on.
func parts(i int) []object {
	call := fmt.Sprint("call", i/4)
	switch i % 4 {
	case 3:
		return []object{{"type": "text", "text": fmt.Sprintf("Question %d: what is in file %d?", i/4, i)}}
	case 0:
		return []object{{"type": "text", "text": fmt.Sprintf("I look at answer%d.", i)},
			{"type": "tool_call", "id": call, "name": "read_file", "input": `{"path":"notes.txt"}`}}
	case 1:
		return []object{{"type": "tool_result", "id": call, "text": strings.Repeat("A line of the file.\n", 20)}}
	}
	words, _ := answer(60)
	return []object{{"type": "text", "text": fmt.Sprintf("%s\n\n- **one** `row`\n- another row of answer%d",
		strings.Join(words, ""), i)}}
}
