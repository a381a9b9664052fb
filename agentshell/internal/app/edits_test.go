package app

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/snapshot"
)

// patch returns a line of a script in which the model calls edit.
func patch(t *testing.T, text string) string {
	t.Helper()
	input, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return `{"say":"I change it.","delay_ms":0,"tool_calls":[{"id":"e","name":"edit","input":{"input":` +
		string(input) + `}}]}`
}

// header returns the first line of the text that read_file returns for a file.
func header(name, text string) string {
	return "¶" + name + "#" + new(snapshot.Store).Mint("workspace/"+name, text)
}

// The files of one call stand in one deck, and the person takes one of them. The model goes on from
// the result.
func TestTheFilesOfAnEditStandInOneDeck(t *testing.T) {
	t.Parallel()
	p := newPane(t, 80, 24)
	for name, text := range map[string]string{"config/agentshell/config.toml": "edit_format = \"hashline\"\n",
		"w/a.txt": "one\ntwo\n", "w/b.txt": "eins\n"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(p.path(name)), 0o755),
			os.WriteFile(p.path(name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	a, b := header("a.txt", "one\ntwo\n"), header("b.txt", "eins\n")
	p.start(`{"say":"I look.","delay_ms":0,"tool_calls":[{"id":"1","name":"read_file","input":{"path":"a.txt"}},`+
		`{"id":"2","name":"read_file","input":{"path":"b.txt"}}]}`,
		patch(t, a+"\nreplace 2:\n+2\n+3\n"+b+"\ninsert head:\n+null\n"),
		`{"expect":"1 of 2 files were changed","say":"One of them.","delay_ms":0}`,
		patch(t, header("a.txt", "one\n2\n3\n")+"\ndelete 1\n"), `{"say":"Done.","delay_ms":0}`)
	p.line("go")
	p.armed()
	p.sees("1/2 edit a.txt")
	p.keys("y")
	p.sees("2/2 edit b.txt") // not the decision row of the first one
	p.armed()
	p.keys("n")
	p.keys("Enter")
	p.sees("One of them.")
	p.line("and the first line")
	p.armed()
	p.keys("y")
	p.sees("Done.")
	for name, want := range map[string]string{"a.txt": "2\n3\n", "b.txt": "eins\n"} {
		if got, err := os.ReadFile(p.path("w/" + name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v\n%s", name, got, err, p.history())
		}
	}
}
