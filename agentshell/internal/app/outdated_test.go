package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// toldOutdated returns how often a line stands in texts.
func toldOutdated(texts []string, line string) (n int) {
	for _, text := range texts {
		for l := range strings.SplitSeq(text, "\n") {
			if l == line {
				n++
			}
		}
	}
	return n
}

// An agent that has read a file is told before its next request that another agent has changed it,
// whoever reads and whoever changes, and its edit by the old text is refused. Who has read nothing,
// or has read the file again, is told nothing.
func TestAnAgentIsToldOfAChangeOfWhatItHasRead(t *testing.T) {
	t.Parallel()
	read, changed := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	last := map[string][]string{} // what each agent has heard
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		h := heard(req)
		mu.Lock()
		last[who] = h
		mu.Unlock()
		calls := 0
		for _, msg := range req.Messages {
			if msg.Role == provider.Assistant {
				calls++
			}
		}
		switch {
		case who == "Main" && calls == 0:
			return []provider.Part{use("1", "read_file", `{"path":"b.txt"}`), use("2", "read_file", `{"path":"c.txt"}`)}
		case who == "Main" && calls == 1:
			return []provider.Part{use("3", "task", `{"agent":"task","context":"x","tasks":[`+
				`{"id":"Reader","assignment":"read"},{"id":"Writer","assignment":"write"}]}`)}
		case who == "Reader" && calls == 0:
			return []provider.Part{use("1", "read_file", `{"path":"b.txt"}`)}
		case who == "Reader" && calls == 1:
			close(read)
			<-changed
			return []provider.Part{use("2", "edit_file", `{"path":"b.txt","old_string":"beta","new_string":"gamma"}`)}
		case who == "Reader" && calls == 2:
			return []provider.Part{use("3", "read_file", `{"path":"b.txt"}`)}
		case who == "Writer" && calls == 0:
			<-read
			return []provider.Part{use("1", "write_file", `{"path":"b.txt","content":"delta\n"}`)}
		case who == "Writer" && calls == 1:
			return []provider.Part{use("2", "bash", `{"command":"printf epsilon > c.txt"}`)}
		case who == "Writer" && calls == 2:
			close(changed)
		}
		if who == "Main" {
			return []provider.Part{provider.Text{Text: "end"}}
		}
		return []provider.Part{use("9", "yield", `{"result":"done"}`)}
	}}
	c := crewed(t, 4, m)
	// c.txt is so long that its content is not kept for /undo of what a command does.
	for name, text := range map[string]string{"b.txt": "beta\n", "c.txt": strings.Repeat("beta\n", 60_000)} {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	who := &person{say: func(p *approval.Proposal) approval.Answer { return approval.Yes{ID: p.ID} }}
	playMain(t, c, who)
	for _, told := range []struct {
		who, line string
		n         int
	}{
		{"Reader", "b.txt was changed by Writer since you read it.", 1},
		{"Main", "b.txt was changed by Writer since you read it.", 1},
		{"Main", "c.txt was changed by Writer since you read it.", 1},
		{"Reader", "c.txt was changed by Writer since you read it.", 0},
		{"Writer", "b.txt was changed by Writer since you read it.", 0},
	} {
		if n := toldOutdated(last[told.who], told.line); n != told.n {
			t.Errorf("%s is told %d times, not %d: %s\n%s", told.who, n, told.n, told.line,
				strings.Join(last[told.who], "\n"))
		}
	}
	if h := strings.Join(last["Reader"], "\n"); !strings.Contains(h, "old_string") || !strings.Contains(h, "delta") {
		t.Errorf("the edit by the old text was not refused:\n%s", h)
	}
	if text, err := os.ReadFile(filepath.Join(c.dir, "b.txt")); string(text) != "delta\n" {
		t.Errorf("b.txt is %q: %v", text, err)
	}
	if !slices.ContainsFunc(who.asked, func(a string) bool { return strings.HasPrefix(a, "Writer: bash") }) {
		t.Errorf("the command was not asked for: %q", who.asked)
	}
}
