// Package zoo_test plays what servers of models send by their documentation and by public reports.
package zoo_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/anthropic"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/openai"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
)

// animal is a server of the zoo, as its file in testdata has it: what it sends by its
// documentation and by public reports, with values that are invented.
type animal struct {
	file, name, base, api, key string
	settings, sources          []string
	none                       map[string]string // shapes that it has not, and why
	shapes                     []shape
}

// shape is one of its answers, and what has to come of it.
type shape struct {
	title, kind, refuses, body string
	status                     int
	header                     [2]string
	wants                      []string
}

// every names the shapes that each server has, or a reason why not.
func every() []string {
	return []string{"plain", "tools", "thinking", "usage", "refusal", "rate limit", "overload", "cut", "odd end"}
}

// zoo reads the servers.
func zoo(t *testing.T) (list []animal) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d servers, %v", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		head, rest, _ := strings.Cut(string(text), "\n\n-- ")
		a := animal{file: strings.TrimSuffix(filepath.Base(f), ".txt"), none: map[string]string{}}
		for line := range strings.Lines(head) {
			a.set(strings.TrimSuffix(line, "\n"))
		}
		for _, part := range strings.Split("\n-- "+rest, "\n-- ")[1:] {
			a.shapes = append(a.shapes, newShape(part))
		}
		list = append(list, a)
	}
	return list
}

func (a *animal) set(line string) {
	field, value, _ := strings.Cut(line, ": ")
	switch field {
	case "server":
		a.name = value
	case "base":
		a.base = value
	case "api":
		a.api = value
	case "key":
		a.key = value
	case "setting":
		a.settings = append(a.settings, value)
	case "source":
		a.sources = append(a.sources, value)
	case "none":
		what, why, _ := strings.Cut(value, ": ")
		a.none[what] = why
	default:
		panic(a.file + ": " + line)
	}
}

func newShape(text string) shape {
	title, text, _ := strings.Cut(text, " --\n")
	head, body, _ := strings.Cut(text, "\n\n")
	s := shape{title: title, kind: "text/event-stream", status: http.StatusOK, body: body}
	for line := range strings.Lines(head + "\n") {
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "status":
			s.status, _ = strconv.Atoi(value)
		case "type":
			s.kind = value
		case "refuses":
			s.refuses = value
		case "header":
			s.header[0], s.header[1], _ = strings.Cut(value, ": ")
		case "newline":
			s.body = strings.ReplaceAll(s.body, "\n", "\r\n")
		case "want":
			s.wants = append(s.wants, value)
		default:
			panic(title + ": " + line)
		}
	}
	return s
}

// send answers with s.
func (s shape) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", s.kind)
	if s.header[0] != "" {
		w.Header().Set(s.header[0], s.header[1])
	}
	w.WriteHeader(s.status)
	_, _ = io.WriteString(w, s.body)
}

// model returns a model of a that asks the server at url.
func (a animal) model(t *testing.T, url string) provider.Model {
	t.Helper()
	var m provider.Model
	var err error
	if a.api == "messages" {
		m, err = anthropic.New(anthropic.Config{Key: providertest.Key, Model: "m", BaseURL: url + a.base,
			Thinking: true, Effort: "high"})
	} else {
		m, err = openai.New(openai.Config{Key: providertest.Key, KeyHeader: a.key, Model: "m", BaseURL: url + a.base,
			API: a.api, Effort: "high", Thinking: true, Output: 1000})
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// request has everything that a server may refuse: within a turn, what was thought goes back.
func request(m provider.Model, url, base string) provider.Request {
	return provider.Request{System: "be kind", Tools: []provider.Tool{{Name: "read_file"}, {Name: "list_dir"}},
		Messages: []provider.Message{
			{Role: provider.User, Parts: []provider.Part{provider.Text{Text: "look"}}},
			{Role: provider.Assistant, Parts: []provider.Part{
				provider.Thinking{Text: "hm", Signature: "reasoning", From: "chat " + url + base + " " + m.Name()},
				provider.ToolCall{ID: "call00001", Name: "read_file", Input: []byte("{}")}}},
			{Role: provider.User, Parts: []provider.Part{provider.ToolResult{ID: "call00001", Text: "r"}}},
		}}
}

// summary returns what came of an answer, in the words of a file.
func summary(events []provider.Event, err error) (list []string) {
	for _, e := range events {
		switch e := e.(type) {
		case provider.Notice:
			list = append(list, "notice "+e.Text)
		case provider.Usage:
			list = append(list, strings.TrimSuffix(fmt.Sprintf("usage %d %d %d", e.Input, e.Output, e.CacheRead), " 0"))
		case provider.End:
			list = append(list, "stop "+e.Stop)
			for _, p := range e.Message.Parts {
				switch p := p.(type) {
				case provider.Text:
					list = append(list, "text "+p.Text)
				case provider.Thinking:
					list = append(list, "thinking "+p.Text)
				case provider.ToolCall:
					list = append(list, "call "+p.Name+" "+string(p.Input))
				}
			}
		}
	}
	if e := (*provider.Error)(nil); errors.As(err, &e) {
		again := map[bool]string{true: "again", false: "final"}[e.Retryable()]
		list = append(list, fmt.Sprintf("error %d %s %s", e.Status, again, e.Message))
	} else if err != nil {
		list = append(list, err.Error())
	}
	return list
}

// matches reports whether a line is what is wanted. Errors and notices hold the wanted words.
func matches(line, want string) bool {
	fields := strings.SplitN(want, " ", 4)
	switch {
	case fields[0] == "error" && len(fields) == 4:
		return strings.HasPrefix(line, strings.Join(fields[:3], " ")+" ") && strings.Contains(line, fields[3])
	case fields[0] == "error":
		return strings.HasPrefix(line, want)
	case fields[0] == "notice":
		return strings.HasPrefix(line, "notice ") && strings.Contains(line, strings.TrimPrefix(want, "notice "))
	}
	return line == want
}

// check compares the events of an answer with what is wanted: nothing is said that is not, and an
// error is no end.
func (s shape) check(t *testing.T, events []provider.Event, err error) {
	t.Helper()
	got := summary(events, err)
	has := func(list []string, kind string) bool {
		return slices.ContainsFunc(list, func(l string) bool { return strings.HasPrefix(l, kind+" ") })
	}
	for _, want := range s.wants {
		if !slices.ContainsFunc(got, func(line string) bool { return matches(line, want) }) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	for _, kind := range []string{"error", "call", "thinking", "notice"} {
		if has(got, kind) && !has(s.wants, kind) {
			t.Errorf("there is no %s wanted, and there is %q", kind, got)
		}
	}
	if has(s.wants, "error") && has(got, "stop") {
		t.Errorf("an error and an end: %q", got)
	}
}

func TestTheServersOfTheZooAreUnderstood(t *testing.T) {
	for _, a := range zoo(t) {
		t.Run(a.file, func(t *testing.T) {
			var now shape
			url := providertest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if r.Method == http.MethodPost && (now.refuses == "" || strings.Contains(string(body), now.refuses)) {
					now.send(w)
					return
				}
				if r.Method != http.MethodPost {
					http.NotFound(w, r)
					return
				}
				a.shapes[0].send(w) // it takes what is left
			})
			for _, s := range a.shapes {
				t.Run(s.title, func(t *testing.T) {
					now = s
					m := a.model(t, url)
					base, _, _ := strings.Cut(a.base, "?")
					events, err := providertest.Collect(t.Context(), m, request(m, url, base))
					s.check(t, events, err)
				})
			}
		})
	}
}

func TestEachServerOfTheZooHasEachShapeOrAReason(t *testing.T) {
	for _, a := range zoo(t) {
		for _, title := range every() {
			has := slices.ContainsFunc(a.shapes, func(s shape) bool { return s.title == title })
			if has == (a.none[title] != "") {
				t.Errorf("%s: %q is played: %v; the reason why not: %q", a.file, title, has, a.none[title])
			}
		}
		if a.name == "" || len(a.sources) == 0 {
			t.Errorf("%s has no name or no source", a.file)
		}
		for _, s := range a.shapes {
			if len(s.wants) == 0 {
				t.Errorf("%s: %s wants nothing", a.file, s.title)
			}
		}
	}
}

// A stream that is cut is no answer, wherever that is; behind its end it is the whole one.
func TestAStreamOfTheZooThatIsCutAnywhereIsNoAnswer(t *testing.T) {
	played := []string{"anthropic", "azure", "databricks", "deepseek", "groq", "llamacpp", "mistral", "ollama",
		"openai", "openrouter"}
	for _, a := range zoo(t) {
		if !slices.Contains(played, a.file) {
			continue
		}
		t.Run(a.file, func(t *testing.T) {
			t.Parallel()
			i := slices.IndexFunc(a.shapes, func(s shape) bool { return s.title == "tools" })
			whole := a.shapes[i].body
			cut := len(whole)
			m := a.model(t, providertest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, whole[:cut])
			}))
			want, err := providertest.Collect(t.Context(), m, providertest.Hello())
			if err != nil {
				t.Fatal(err)
			}
			answers := 0
			for cut = range whole {
				got, err := providertest.Collect(t.Context(), m, providertest.Hello())
				var e *provider.Error
				switch {
				case err == nil:
					answers++
					if !slices.Equal(calls(got), calls(want)) || stopOf(got) != stopOf(want) {
						t.Fatalf("cut at %d: %q", cut, summary(got, nil))
					}
				case !errors.As(err, &e) || !e.Retryable() || stopOf(got) != "":
					t.Fatalf("cut at %d: %q", cut, summary(got, err))
				}
			}
			if answers > len(whole)/3 {
				t.Errorf("%d of %d were answers", answers, len(whole))
			}
		})
	}
}

func stopOf(events []provider.Event) string {
	if len(events) > 0 {
		if end, ok := events[len(events)-1].(provider.End); ok {
			return end.Stop
		}
	}
	return ""
}

// calls returns those of a message that has ended.
func calls(events []provider.Event) (list []string) {
	for _, line := range summary(events, nil) {
		if strings.HasPrefix(line, "call ") {
			list = append(list, line)
		}
	}
	return list
}

var update = flag.Bool("update", false, "write the table of docs/servers.md anew")

// row returns the line of a server in docs/servers.md.
func (a animal) row() string {
	var played []string
	for _, s := range a.shapes {
		played = append(played, s.title)
	}
	text := strings.Join(played, ", ")
	for _, title := range every() {
		if why := a.none[title]; why != "" {
			text += fmt.Sprintf(". No %s: %s", title, why)
		}
	}
	var sources []string
	for i, s := range a.sources {
		sources = append(sources, fmt.Sprintf("[%d](%s)", i+1, s))
	}
	base := "the host"
	if a.base != "" {
		base = "`" + a.base + "`"
	}
	settings := strings.Join(a.settings, "; ")
	if settings == "" {
		settings = "none"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | no |\n", a.name, base, text, settings, strings.Join(sources, " "))
}

func TestThePageOfServersSaysWhatTheZooPlays(t *testing.T) {
	const path, head = "../../../../docs/servers.md", "| --- | --- | --- | --- | --- | --- |\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), head)
	if !found {
		t.Fatal("there is no table")
	}
	table, after, _ := strings.Cut(rest, "\n\n")
	var want strings.Builder
	for _, a := range zoo(t) {
		want.WriteString(a.row())
	}
	if table+"\n" == want.String() {
		return
	}
	if !*update {
		t.Fatal("the table is another one: go test ./agentshell/internal/provider/zoo -update")
	}
	if err := os.WriteFile(path, []byte(before+head+want.String()+"\n"+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
