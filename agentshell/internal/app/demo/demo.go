// Package demo holds a demo of the shell: a scripted model, and a small workspace in which it
// proposes changes. It needs no key and no network.
//
// The first change is proposed within seconds, before the long text, because changes are what the
// shell is about. The script continues whatever the user answers: no change depends on another one,
// and no line of the script expects anything.
package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// Name is the name of the demo's model, as the screen shows it.
const Name = "demo script"

// SuggestedMessage is the first message that the user is offered. Any other message works as well.
const SuggestedMessage = "Show me what you can do"

// files holds the files of the demo's workspace, the answers of its model, and the files that the
// model proposes.
//
//go:embed seed answers proposed
var files embed.FS

// NewWorkspace creates the demo's workspace in dir, a directory for temporary files, and returns
// its path. random is the source for a name that is not taken.
func NewWorkspace(dir string, random io.Reader) (string, error) {
	work, err := makeDir(dir, random)
	if err != nil {
		return "", fmt.Errorf("no workspace for the demo: %w", err)
	}
	entries, err := files.ReadDir("seed")
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		text, err := files.ReadFile(path.Join("seed", e.Name()))
		if err != nil {
			return "", err
		}
		name := strings.TrimSuffix(e.Name(), ".txt") // the suffix hides Go files from the go command
		if err := os.WriteFile(filepath.Join(work, name), text, 0o666); err != nil {
			return "", fmt.Errorf("no workspace for the demo: %w", err)
		}
	}
	return work, nil
}

// NewModel returns the model that answers in the demo.
func NewModel() (*Guide, error) {
	text, err := Script()
	if err != nil {
		return nil, err
	}
	m, err := script.Parse(Name, text)
	if err != nil {
		return nil, err
	}
	g := &Guide{Model: m}
	for name, answer := range map[string]*[]byte{"7": &g.mentioned, "8": &g.compacted, "9": &g.last,
		"summary": &g.summary} {
		if *answer, err = answerLine(name, nil, readingPace); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Changed reports whether a file in dir, a workspace of the demo, differs from what [NewWorkspace]
// has written, or is new.
func Changed(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		seed, err := files.ReadFile(path.Join("seed", e.Name()+".txt"))
		if err != nil {
			return true // a new file
		}
		if text, err := regular.ReadFile(filepath.Join(dir, e.Name())); err != nil || !bytes.Equal(text, seed) {
			return true
		}
	}
	return false
}

// makeDir creates a directory with a new short name. The name is short because the shell's status
// shows it.
func makeDir(dir string, random io.Reader) (string, error) {
	for try := 0; ; try++ {
		var b [2]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", err
		}
		work := filepath.Join(dir, fmt.Sprintf("agentshell-demo-%x", b))
		err := os.Mkdir(work, 0o700)
		if err == nil || !errors.Is(err, fs.ErrExist) || try == 100 {
			return work, err
		}
	}
}

// line is one line of a script, in the format of package script.
type line struct {
	Say            string `json:"say"`
	ToolCalls      []call `json:"tool_calls,omitempty"`
	ToolChunkBytes int    `json:"tool_chunk_bytes"`
	DelayMS        int    `json:"delay_ms"`
	ChunkRunes     int    `json:"chunk_runes"`
}

// call is a tool call in a line of the script.
type call struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Input any    `json:"input"`
}

// Script returns the script of the demo's first turn, in the format of package script. It is made
// from the texts in the directory answers and the files in proposed.
func Script() ([]byte, error) {
	type args map[string]any
	haiku, err := read("proposed/haiku.txt")
	if err != nil {
		return nil, err
	}
	tides, err := read("proposed/tides.go.txt")
	if err != nil {
		return nil, err
	}
	calls := [][]call{
		{{"look", "list_dir", args{"path": "."}}, {"read", "read_file", args{"path": "tides.go"}}},
		{{"haiku", "write_file", args{"path": "haiku.txt", "content": haiku}}},
		{{"notice", "read_file", args{"path": "notes.md"}}},
		{{"tides", "write_file", args{"path": "tides.go", "content": tides}}},
		{{"notes", "edit_file", args{"path": "notes.md", "old_string": "Ask teh harbour master",
			"new_string": "Ask the harbour master"}}},
		nil, // the end of the turn
	}
	var text []byte
	for i, c := range calls {
		pace := readingPace
		if i < answersBeforeDiff {
			pace = 15
		}
		l, err := answerLine(strconv.Itoa(i+1), c, pace)
		if err != nil {
			return nil, err
		}
		text = append(text, l...)
	}
	return text, nil
}

// answersBeforeDiff is the number of answers before the first diff. They are written faster than
// the others.
const answersBeforeDiff = 2

const readingPace = 23 // The delay in milliseconds for each four letters, so that the user can read along.

// answerLine returns the line of the script in which the model writes the text of that answer and
// then makes calls. pace is the delay in milliseconds for each four letters.
func answerLine(answer string, calls []call, pace int) ([]byte, error) {
	say, err := read("answers/" + answer + ".md")
	if err != nil {
		return nil, err
	}
	l, err := json.Marshal(line{Say: strings.TrimRight(say, "\n"), ToolCalls: calls, ToolChunkBytes: 48, DelayMS: pace,
		ChunkRunes: 4})
	return append(l, '\n'), err
}

func read(name string) (string, error) {
	b, err := files.ReadFile(name)
	return string(b), err
}
