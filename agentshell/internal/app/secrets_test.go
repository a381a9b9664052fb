package app_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// canaries holds the fake keys in the environment of these tests, by the variable's name.
var canaries = map[string]string{
	"ANTHROPIC_API_KEY":     "sk-ant-api03-CANARYanthropic0123456789abcdefgh",
	"OPENAI_API_KEY":        "sk-proj-CANARYopenai0123456789abcdefghijkl",
	"GITHUB_TOKEN":          "ghp_CANARYgithub0123456789abcdefghijkl",
	"AWS_SECRET_ACCESS_KEY": "CANARYaws/0123+456789abcdefghijklmn=",
}

// public looks like a key but is none.
const public = "sk-ant-api99-PUBLICzyxwvut9876543210qponmlkji"

func (p *place) withKeys() {
	for name, value := range canaries {
		p.env = append(p.env, name+"="+value)
	}
}

// spelt returns all forms of a value that the tests search for.
func spelt(v string) []string {
	quoted, _ := json.Marshal(v)
	inner := func(prefix string) string { // without the letters that what surrounds it has a part in
		s := base64.StdEncoding.EncodeToString([]byte(prefix + v + "xyz"))
		return s[8 : len(s)-8]
	}
	return []string{v, strings.Trim(string(quoted), `"`), url.QueryEscape(v), inner(""), inner("k:"), inner("me:"),
		v[:24], v[len(v)-16:]}
}

// leaks returns the canaries in texts, in any form.
func leaks(texts ...string) (list []string) {
	for name, value := range canaries {
		for _, form := range spelt(value) {
			if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, form) }) {
				list = append(list, name+" as "+form)
			}
		}
	}
	return list
}

// state returns everything that was written below the home directory.
func (p place) state() string {
	p.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(p.home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		b.Write(text)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return b.String()
}

func (p place) clean(what string, texts ...string) {
	p.t.Helper()
	if list := leaks(append(texts, p.state(), p.run("", "export").stdout)...); len(list) > 0 {
		p.t.Errorf("%s: %q leak\n%.2000s", what, list, strings.Join(texts, "\n"))
	}
}

// Whatever a provider answers, with each key in it in every form, in each form of output: no key is
// printed or written, and what only looks like one is. Each pair of a provider and an output meets
// two of the six answers; `make fuzz` (SCROLLKEEP_KEYS=all) plays all.
func TestNoErrorOfAProviderShowsAKey(t *testing.T) {
	t.Parallel()
	var forms []string
	for _, v := range canaries {
		forms = append(forms, v, url.QueryEscape(v), base64.StdEncoding.EncodeToString([]byte("user:"+v)),
			"cut "+v[:20]+"...")
	}
	slices.Sort(forms)
	said := strings.Join(forms, " ") + " " + public
	for i, provider := range []string{"anthropic", "openai"} {
		for j, status := range []int{400, 401, 403, 429, 500, 200} {
			for k, output := range []string{"text", "json", "stream-json"} {
				if (i+j+k)%3 != 0 && os.Getenv("SCROLLKEEP_KEYS") != "all" {
					continue
				}
				t.Run(fmt.Sprintf("%s %d %s", provider, status, output), func(t *testing.T) {
					t.Parallel()
					server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						w.Header().Set("Retry-After-Ms", "1")
						w.WriteHeader(status)
						cause := map[string]any{"type": "authentication_error", "message": public + " " + said}
						body, _ := json.Marshal(map[string]any{"type": "error", "error": cause})
						if status == 200 { // in the stream
							fmt.Fprintf(w, "event: error\ndata: %s\n\n", body)
							return
						}
						_, _ = w.Write(body)
					}))
					defer server.Close()
					p := newPlace(t)
					p.withKeys()
					p.env = append(p.env, "ANTHROPIC_BASE_URL="+server.URL, "OPENAI_BASE_URL="+server.URL)
					got := p.run("", "-p", "go", "--provider", provider, "--output", output)
					if got.code != 1 || !strings.Contains(got.stderr, "[secret]") ||
						!strings.Contains(got.stderr, public) {
						t.Errorf("code %d, %q", got.code, got.stderr)
					}
					p.clean("an error", got.stdout, got.stderr)
				})
			}
		}
	}
}

// What commands, files, servers and the model itself say holds keys: none of it is printed,
// written, exported or sent to a provider.
func TestNoKeyIsShownLoggedOrSent(t *testing.T) {
	t.Parallel()
	var dotenv strings.Builder
	for name, value := range canaries {
		fmt.Fprintf(&dotenv, "%s=%s\n%s\n", name, value, base64.StdEncoding.EncodeToString([]byte(name+":"+value)))
	}
	dotenv.WriteString("PUBLIC=" + public + "\nLEVEL=1\n")
	var mu sync.Mutex
	var bodies []string
	all := strings.Join(slices.Sorted(func(yield func(string) bool) {
		for _, v := range canaries {
			if !yield(v) {
				return
			}
		}
	}), " ")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		bodies = append(bodies, string(body))
		n := len(bodies)
		mu.Unlock()
		switch n {
		case 1:
			answers(w, "I read it.", "read_file", `{"path":"keys.txt"}`)
		case 2:
			answers(w, "I print it.", "bash",
				`{"command":"cat keys.txt; env; cat keys.txt >&2; head -c 20000 /dev/zero | tr '\\0' x; cat keys.txt"}`)
		case 3:
			answers(w, "I search.", "search", `{"pattern":"CANARY|PUBLIC"}`)
		case 4:
			input, _ := json.Marshal(map[string]string{"command": "echo " + all})
			answers(w, "The keys are "+all+".", "bash", string(input))
		case 5:
			answers(w, "I ask.", "mcp__leaky__tell", `{}`)
		case 6:
			answers(w, "I change another line.", "edit_file",
				`{"path":"keys.txt","old_string":"LEVEL=1","new_string":"LEVEL=2"}`)
		case 7:
			answers(w, "I write what I have seen.", "write_file", `{"path":"keys.txt","content":"KEY=[secret]\n"}`)
		default:
			answers(w, "Done with "+public+".", "", "")
		}
	}))
	defer server.Close()
	for _, output := range []string{"text", "stream-json", "json"} {
		mu.Lock()
		bodies = nil
		mu.Unlock()
		p := newPlace(t)
		p.withKeys()
		p.env = append(p.env, "ANTHROPIC_BASE_URL="+server.URL)
		p.write("keys.txt", dotenv.String())
		leaky := p.write(filepath.Join(t.TempDir(), "leaky.sh"), `echo "starting with $GITHUB_TOKEN" >&2
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  *initialize\"*) echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"serverInfo\":{\"name\":\"l\",\"version\":\"1\"}}}" ;;
  *tools/list*) echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"tools\":[{\"name\":\"tell\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"}}]}}" ;;
  *tools/call*) echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"told $GITHUB_TOKEN and $OPENAI_API_KEY.\"}]}}" ;;
  esac
done
`)
		p.write(filepath.Join(p.home, ".config", "agentshell", "config.toml"),
			fmt.Sprintf("[mcp.leaky]\ncommand = [\"sh\", %q]\nenv = [\"PATH\", \"GITHUB_TOKEN\"]\n", leaky))
		got := p.run("", "-p", "go "+canaries["OPENAI_API_KEY"], "--output", output, "--mode", "trusted")
		p.clean(output, got.stdout, got.stderr)
		mu.Lock()
		sent := slices.Clone(bodies)
		mu.Unlock()
		if list := leaks(sent...); len(list) > 0 {
			t.Errorf("%s: %q are sent", output, list)
		}
		if len(sent) != 8 || !strings.Contains(sent[len(sent)-1], public) ||
			!strings.Contains(strings.Join(sent, ""), "told [secret] and") || !strings.Contains(got.stdout, public) {
			t.Errorf("%s: code %d, %d requests, %.3000s\n%.2000s", output, got.code, len(sent), got.stdout, got.stderr)
		}
		want := strings.Replace(dotenv.String(), "LEVEL=1", "LEVEL=2", 1)
		if text, err := os.ReadFile(filepath.Join(p.work, "keys.txt")); err != nil || string(text) != want {
			t.Errorf("%s: the edit has made keys.txt\n%s, %v; the last request is %.6000s", output, text, err,
				sent[len(sent)-1])
		}
		if log, err := os.ReadFile(filepath.Join(p.home, ".local", "state", "agentshell", "mcp",
			"leaky.log")); err != nil || !strings.Contains(string(log), "starting with [secret]") {
			t.Errorf("the log of the server is %q, %v", log, err)
		}
	}
}

// A key in the text of a script, in pieces of every size, and in plain mode: what is printed as a
// whole has none of its letters, and what is printed as it comes the first two at most.
func TestAKeyInPiecesIsNotShown(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.withKeys()
	for _, n := range []int{1, 2, 3, 7, 16, 40, 1000} {
		var said strings.Builder
		for _, v := range canaries {
			said.WriteString(v + " ")
		}
		line := fmt.Sprintf(`{"say":%q,"thinking":%q,"delay_ms":0,"chunk_runes":%d}`, said.String()+public,
			said.String(), n)
		hidden := `(^|\s|")` + strings.Repeat(`\[secret\] `, 4) + public
		begun := strings.Repeat(`(sk?|gh?|CA?|)\[secret\] `, 4) + public
		for _, c := range []struct{ flags, want string }{
			{"-p x", hidden}, {"-p x --output json", hidden}, {"-p x --output stream-json", begun},
			{"--thinking", begun},
		} {
			got := p.run("hello\n", append(strings.Fields(c.flags), "--script", p.script(line))...)
			p.clean(fmt.Sprint(n, c.flags), got.stdout, got.stderr)
			said := got.stdout
			if strings.Contains(c.flags, "stream-json") {
				said = deltas(t, said)
			}
			if !regexp.MustCompile(c.want).MatchString(said) {
				t.Errorf("%d %s: %q", n, c.flags, got.stdout)
			}
		}
	}
}

// deltas joins the texts of the stream-json records.
func deltas(t *testing.T, records string) string {
	var all strings.Builder
	for line := range strings.Lines(records) {
		var r struct{ Type, Delta string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Errorf("%v: %q", err, line)
		}
		if r.Type == "text" {
			all.WriteString(r.Delta)
		}
	}
	return all.String()
}

// A key command gets no key of a provider, and what it prints is a secret from then on, also in its
// own complaints.
func TestAKeyOfACommandIsASecret(t *testing.T) {
	t.Parallel()
	const key = "sk-ant-api03-CANARYfromcommand0123456789"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(401)
		fmt.Fprintf(w, `{"type":"error","error":{"type":"authentication_error","message":"bad key %s"}}`,
			r.Header.Get("X-Api-Key"))
	}))
	defer server.Close()
	p := newPlace(t)
	p.env = append(p.env, "ANTHROPIC_BASE_URL="+server.URL, "OPENAI_API_KEY="+canaries["OPENAI_API_KEY"],
		"VAULT_TOKEN=CANARYvault0123456789")
	seen := filepath.Join(t.TempDir(), "env")
	configure := func(command string) {
		p.write(filepath.Join(p.home, ".config", "agentshell", "config.toml"),
			fmt.Sprintf("provider = \"anthropic\"\nkey_command = [\"sh\", \"-c\", %q]\n", command))
	}
	configure("env > " + seen + "; cat " + p.write(filepath.Join(t.TempDir(), "key"), key))
	got := p.run("", "-p", "go")
	if got.code != 1 || strings.Contains(got.stdout+got.stderr+p.state(), key) ||
		!strings.Contains(got.stderr, "bad key [secret]") {
		t.Errorf("%+v", got)
	}
	if env, err := os.ReadFile(seen); err != nil || len(leaks(string(env))) > 0 ||
		!strings.Contains(string(env), "VAULT_TOKEN=CANARYvault0123456789") {
		t.Errorf("the command gets %s, %v", env, err)
	}
	configure("cat " + p.write(filepath.Join(t.TempDir(), "key"), key) + " | tee /dev/stderr; exit 3")
	if got := p.run("", "-p", "go"); got.code == 0 || strings.Contains(got.stdout+got.stderr, key) ||
		!strings.Contains(got.stderr, "exit status 3 [secret]") {
		t.Errorf("%+v", got)
	}
}

// What is said about the start, and the doctor, hold no key either.
func TestNoUsageErrorOrReportShowsAKey(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.withKeys()
	key := canaries["GITHUB_TOKEN"]
	for _, args := range [][]string{
		{"doctor"}, {"doctor", "--json"}, {"--" + key}, {key}, {"--provider", key}, {"--mode", key},
		{"-p", "x", "--workspace", "/nowhere/" + key}, {"-p", "x", "--allow", key + "("},
		{"-p", "x", "--script", key}, {"--resume", key}, {"export", key}, {"--output", key},
	} {
		got := p.run("", args...)
		p.clean(fmt.Sprint(args), got.stdout, got.stderr)
	}
	p.write(filepath.Join(p.home, ".config", "agentshell", "config.toml"), "x = \"\n")
	got := p.run("", "doctor")
	p.clean("a broken config", got.stdout, got.stderr)
}
