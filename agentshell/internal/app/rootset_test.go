package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A directory is added after a question that says what it allows. Then it is read without a
// question, found behind an @, and a resumed session asks about it again.
func TestADirectoryIsAddedToARunningSession(t *testing.T) {
	t.Parallel()
	p := newPane(t, 200, 40)
	p.write("../lib/far.txt", "far away\n")
	p.write("lib", "a file of that name\n")
	p.start(`{"tool_calls":[{"id":"a","name":"read_file","input":{"path":"lib-2/far.txt"}}],"delay_ms":0}`,
		`{"expect":"far away","say":"It is far.","delay_ms":0}`)
	for typed, want := range map[string]string{"/": "is the whole file system", "~/": "the home directory.",
		"../config": "agentshell itself.", "~other/x": "below your home directory, as ~/NAME",
		"../none": "no such file", "": "/add-dir PATH adds one"} {
		p.line("/add-dir " + typed)
		p.sees(want)
	}
	p.line("/add-dir ../lib")
	p.sees("Add this directory to the session?")
	p.sees("rules     those about lib-2/ and about ** hold there")
	p.armed()
	p.keys("y")
	p.sees("Its paths begin with lib-2/.")
	p.text("look at @far")
	p.sees("lib-2/far.txt")
	p.keys("Tab", "Enter")
	p.sees("It is far.")
	p.line("/add-dir ../lib")
	p.sees("is part of the session already")
	p.line("/quit")
	p.sees("Resume this session with")
	_, id, _ := strings.Cut(p.history(), "--resume ")
	p.line("clear; ./agentshell --script script --workspace w --resume " + strings.Fields(id)[0])
	p.sees("This session had another directory. Add it again?")
	p.armed()
	p.keys("n")
	p.sees("Nothing was changed.")
	p.line("/status")
	p.sees("workspace")
	if strings.Contains(p.screen(), "directories ") {
		t.Error("it was added without a yes")
	}
	if _, err := os.Lstat(filepath.Join(p.path("lib"), "far.txt")); err != nil {
		t.Error(err)
	}
}
