package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// smallWindow is a service whose model holds few tokens, and which asks for more than it can take
// in each step: whole files, searches that find everything, long outputs and diffs. Where a result
// says how to go on, it does so.
type smallWindow struct {
	t      *testing.T
	window int

	mu                        sync.Mutex
	turn, step                int
	steps, summaries, refused int
	largest                   int
	cut                       int    // results that came cut by a compaction
	onward                    string // the address by which the last result goes on
}

// goesOn finds in a result how the rest of it is read.
var goesOn = regexp.MustCompile(`read on with ([^\]\s]+)\]`)

func (s *smallWindow) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list, _, system := anthropicWire{}.read(s.t, body)
	tokens := int(float64(len(body)) / 3)
	s.largest = max(s.largest, tokens)
	if tokens > s.window {
		s.refused++
		anthropicWire{}.refuse(w)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if strings.HasPrefix(system, "You write the summary") {
		s.summaries++
		anthropicWire{}.answer(w, "The person lets the model look at things.", "", "", tokens, 20)
		return
	}
	s.steps++
	last := list[len(list)-1]
	s.onward = ""
	for _, text := range last.resultTexts {
		if strings.Contains(text, "left out here to make room") {
			s.cut++
		}
		if m := goesOn.FindStringSubmatch(text); m != nil {
			s.onward = m[1]
		}
	}
	if m := turnOf.FindStringSubmatch(strings.Join(last.texts, "")); m != nil {
		s.turn++
		s.step = 0
	}
	s.step++
	name, input := s.next()
	if name == "" {
		anthropicWire{}.answer(w, fmt.Sprintf("Done with turn %d.", s.turn), "", "", tokens, 20)
		return
	}
	text, _ := json.Marshal(input)
	anthropicWire{}.answer(w, "", name, string(text), tokens, 20)
}

// next returns the call of a step.
func (s *smallWindow) next() (name string, input map[string]any) {
	type m = map[string]any
	if s.step == 4 {
		return "", nil
	}
	if s.step > 1 && s.onward != "" {
		return "read_file", m{"path": s.onward}
	}
	switch s.turn % 5 {
	case 0:
		return "read_file", m{"path": "big.txt"}
	case 1:
		return "search", m{"pattern": "line"}
	case 2:
		return "bash", m{"command": "cat big.txt"}
	case 3:
		return "diff", m{"path_a": "big.txt", "path_b": "other.txt"}
	}
	return "find", m{"paths": []string{"many/*"}}
}

// In a small window no request is refused, no compaction cuts what the model has not seen yet, and
// there are few requests beside those that the work takes.
func TestASmallWindowIsNotFilledByResults(t *testing.T) {
	t.Parallel()
	s := &smallWindow{t: t, window: 12_000}
	server := httptest.NewServer(s)
	defer server.Close()
	p := newPlace(t)
	p.env = append(p.env, anthropicWire{}.env(server.URL)...)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"),
		fmt.Sprintf("[models.\"claude-x\"]\nwindow = %d\n", s.window))
	var big, other strings.Builder
	for i := range 800 {
		fmt.Fprintf(&big, "line %d of the big file, with words that mean nothing: %x\n", i, i*i*7919)
		fmt.Fprintf(&other, "line %d of the other file, with words that mean nothing: %x\n", i, i*i*7919)
	}
	p.write("big.txt", big.String())
	p.write("other.txt", other.String())
	for i := range 200 {
		p.write(fmt.Sprintf("many/a-file-with-a-long-name-%d.txt", i), "line\n")
	}
	turns := dayTurns()
	var lines, out bytes.Buffer
	for i := 1; i <= turns; i++ {
		fmt.Fprintf(&lines, "turn %d: look\n", i)
	}
	cmd := p.command("--plain", "--model", "claude-x", "--mode", "trusted")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &lines, &out, &out
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	requests := s.steps + s.summaries
	compactions := strings.Count(out.String(), "* compacted: ")
	t.Logf("%d turns, %d steps, %d requests, %d refused, %d compactions, at most %d tokens, %d results cut", s.turn,
		s.steps, requests, s.refused, compactions, s.largest, s.cut)
	if s.turn != turns || s.refused > 0 || s.cut > 0 || compactions == 0 ||
		float64(requests) > 1.3*float64(s.steps) {
		t.Errorf("%.3000s", out.String())
	}
}
