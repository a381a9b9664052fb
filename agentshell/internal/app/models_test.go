package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// modelServer is a user's own server with Chat Completions and a list of models, which needs no
// key.
type modelServer struct {
	*httptest.Server
	mu    sync.Mutex
	asked []asked
	fail  int // status of every answer; 0: none
}

type asked struct{ path, key, model, effort, team string }

func newModelServer(t *testing.T) *modelServer {
	s := &modelServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model  string
			Effort string `json:"reasoning_effort"`
		}
		_ = json.NewDecoder(r.Body).Decode(&body)
		s.mu.Lock()
		s.asked = append(s.asked, asked{r.URL.Path, r.Header.Get("Authorization") + r.Header.Get("X-Api-Key"),
			body.Model,
			body.Effort, r.Header.Get("X-Team")})
		fail := s.fail
		s.mu.Unlock()
		switch {
		case fail > 0:
			http.Error(w, `{"error":{"message":"busy"}}`, fail)
		case r.URL.Path == "/v1/models":
			_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"first:8b"},{"id":"second:70b"}]}`)
		case r.URL.Path == "/v1/messages":
			_, _ = io.WriteString(w, "event: message_start\ndata: {\"type\":\"message_start\"}\n\n"+
				`data: {"type":"content_block_start","index":0,"content_block":{"type":"text",`+
				`"text":"hi from messages"}}`+"\n\n"+
				`data: {"type":"message_stop"}`+"\n\n")
		default:
			_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"hi from `+body.Model+
				`"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *modelServer) last() asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) == 0 {
		return asked{}
	}
	return s.asked[len(s.asked)-1]
}

// A server on this machine needs no key and no name of a model: the first one that it lists
// answers.
func TestAServerOfOnesOwnNeedsNoKey(t *testing.T) {
	t.Parallel()
	s := newModelServer(t)
	p := newPlace(t)
	p.env = append(p.env, "OPENAI_BASE_URL="+s.URL+"/v1")
	got := p.run("", "-p", "x")
	if got.code != 0 || got.stdout != "hi from first:8b\n" {
		t.Errorf("%+v", got)
	}
	if last := s.last(); last.key != "" || last.path != "/v1/chat/completions" {
		t.Errorf("%+v", last)
	}
	if got = p.run("", "-p", "x", "--model", "second:70b", "--effort", "low"); got.stdout != "hi from second:70b\n" ||
		s.last().effort != "low" {
		t.Errorf("%+v, %+v", got, s.last())
	}
	s.mu.Lock()
	s.fail = 404
	s.mu.Unlock()
	if got = p.run("", "-p", "x"); got.code != 2 || !strings.Contains(got.stderr, "name one with --model") {
		t.Errorf("%+v", got)
	}
}

// A model of the config file has its own address, key, headers and name; no other key goes there.
func TestAModelOfTheConfigFileIsAskedAtItsOwnAddress(t *testing.T) {
	t.Parallel()
	s := newModelServer(t)
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), fmt.Sprintf(`
[models."mine"]
provider = "openai"
url = %[1]q
id = "org/mine-7b"
headers = { "X-Team" = "a" }

[models."keyed"]
provider = "openai"
url = %[1]q
key_command = ["printf", "secret-of-mine"]

[models."gateway"]
provider = "anthropic"
url = %[2]q
key_env = "GATE_KEY"

[models."far"]
provider = "openai"
url = "https://models.example.com/v1"

[models."plain"]
provider = "openai"
url = "http://models.example.com/v1"
`, s.URL+"/v1", s.URL))
	p.env = append(p.env, "OPENAI_API_KEY=sk-of-openai-0123456789", "ANTHROPIC_API_KEY=sk-of-anthropic-0123456789")
	for _, c := range []struct {
		model, out string
		want       asked
	}{
		{"mine", "hi from org/mine-7b\n", asked{"/v1/chat/completions", "", "org/mine-7b", "", "a"}},
		{"keyed", "hi from keyed\n", asked{"/v1/chat/completions", "Bearer secret-of-mine", "keyed", "", ""}},
	} {
		got := p.run("", "-p", "x", "--model", c.model)
		if got.code != 0 || got.stdout != c.out || s.last() != c.want {
			t.Errorf("%s: %+v, asked %+v", c.model, got, s.last())
		}
	}
	if got := p.run("", "-p", "x", "--model", "gateway"); got.code != 2 || !strings.Contains(got.stderr,
		"set GATE_KEY") {
		t.Errorf("%+v", got)
	}
	p.env = append(p.env, "GATE_KEY=of-the-gate")
	if got := p.run("", "-p", "x", "--model", "gateway"); got.code != 0 || got.stdout != "hi from messages\n" ||
		s.last().key != "of-the-gate" {
		t.Errorf("%+v, asked %+v", got, s.last())
	}
	for model, want := range map[string]string{"far": "no key", "plain": "travel in the clear"} {
		if got := p.run("", "-p", "x", "--model", model); got.code != 2 || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v", model, got)
		}
	}
}

// A token for a gateway takes the place of the key.
func TestATokenTakesThePlaceOfAKey(t *testing.T) {
	t.Parallel()
	s := newModelServer(t)
	p := newPlace(t)
	p.env = append(p.env, "ANTHROPIC_AUTH_TOKEN=token-0123456789", "ANTHROPIC_BASE_URL="+s.URL)
	if got := p.run("", "-p", "x", "--model", "m"); got.code != 0 || s.last().key != "Bearer token-0123456789" {
		t.Errorf("%+v, %+v", got, s.last())
	}
}

// The doctor names the address of a server, what it lists, and that it needs no key. An address
// that may hold a secret is not shown.
func TestTheDoctorNamesTheServerOfOnesOwn(t *testing.T) {
	t.Parallel()
	s := newModelServer(t)
	p := newPlace(t)
	usual := p.env
	p.env = append(usual, "OPENAI_BASE_URL="+s.URL+"/v1")
	got := p.run("", "doctor")
	for _, want := range []string{s.URL + "/v1 with first:8b, second:70b  (OPENAI_BASE_URL)", "none, and this address",
		"first:8b  (the first that the server lists)"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in %s", want, got.stdout)
		}
	}
	if strings.Contains(got.stdout, "Set ANTHROPIC_API_KEY") {
		t.Errorf("it wants a key: %s", got.stdout)
	}
	p.env = append(usual, "OPENAI_BASE_URL="+strings.Replace(s.URL, "//", "//me:word@", 1)+"/v2")
	if got = p.run("", "doctor"); strings.Contains(got.stdout, "word") || !strings.Contains(got.stdout, "(not shown)") {
		t.Errorf("with a secret: %s", got.stdout)
	}
}

// A resumed session asks the model that it has asked before, as it did, unless the command line
// says otherwise; also while the server does not answer.
func TestAResumedSessionKeepsItsModel(t *testing.T) {
	t.Parallel()
	s := newModelServer(t)
	p := newPlace(t)
	p.env = append(p.env, "OPENAI_BASE_URL="+s.URL+"/v1")
	if got := p.run("", "-p", "x", "--model", "second:70b", "--effort", "low", "--mode", "trusted"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	got := p.run("", "-c", "-p", "y")
	if got.stdout != "hi from second:70b\n" || s.last().effort != "low" ||
		!strings.Contains(got.stderr, "As before: model second:70b, effort low.") ||
		!strings.Contains(got.stderr, "Mode: ask. The session was in mode trusted.") {
		t.Errorf("%+v, %+v", got, s.last())
	}
	got = p.run("", "-c", "-p", "y", "--model", "first:8b", "--effort", "high")
	if got.stdout != "hi from first:8b\n" || s.last().effort != "high" || strings.Contains(got.stderr, "before") {
		t.Errorf("%+v, %+v", got, s.last())
	}
	s.Close()
	got = p.run("/quit\n", "-c", "--plain")
	if got.code != 0 || !strings.Contains(got.stdout, "The session keeps its model, first:8b.") ||
		!strings.Contains(got.stdout, "Nothing answers at "+s.URL) {
		t.Errorf("without the server: %+v", got)
	}
	if got = p.run("", "--plain"); got.code != 2 || !strings.Contains(got.stderr, "name one with --model") {
		t.Errorf("a new session without the server: %+v", got)
	}
}
