package app

import (
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// filled returns variables that a workspace's file of servers names, each with a secret in it. The
// test looks for the parts with CANARY in any spelling.
func filled(server, secured string) map[string]string {
	return map[string]string{
		"FILL_A":   "f1lled-CANARYplain-0123",
		"FILL_B":   `q"uo\teCANARY%41&<z>é9`,
		"FILL_C":   "/CANARY9jq/4AAQSkZJR+gABx=",
		"FILL_DSN": "host=db.example.com user=anna password=CANARYdsn0123",
		"FILL_URL": server + "/CANARYpath0123456/mcp?sig=CANARYsig98765",
		"FILL_TLS": secured + "/CANARYtls0123456",
		"FILL_BAD": "CANARYbad host\x7f",
		"FILL_BASIC": base64.StdEncoding.EncodeToString(
			[]byte("CANARYuser:CANARYpassword0123")),
	}
}

// spelledOut returns the secrets in a text, in all forms in which a reader could recognise them.
func spelledOut(text string) (found []string) {
	flat := unwrapped(text)
	plain, _ := url.PathUnescape(flat)
	for _, in := range []string{text, flat, plain} {
		if at := strings.Index(in, "CANARY"); at >= 0 {
			found = append(found, in[max(at-60, 0):min(at+40, len(in))])
		}
	}
	for skip := range 3 { // base64, wherever it stands
		form := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", skip) + "CANARY"))
		if form = form[(skip*8+5)/6 : (skip+6)*8/6]; strings.Contains(flat, form) {
			found = append(found, form)
		}
	}
	return found
}

// unwrapped returns text without blanks, in which the screen wraps it.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), "") }

// echoing returns a handler that answers every request with status and a copy of the request.
func echoing(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		user, password, _ := r.BasicAuth()
		fmt.Fprintf(w, "Error: %s %s %q %v %s %s", r.URL.Path, r.RequestURI, r.URL.Query(), r.Header, user, password)
	}
}

// leakyServers returns a workspace's configuration of MCP servers that all fail to start, each in
// another way.
func leakyServers() map[string]any {
	sh := func(script string, args ...string) map[string]any {
		return map[string]any{"command": "sh", "args": append([]string{"-c", script, "x"}, args...)}
	}
	env := sh(`echo "Error: $X" >&2; exit 1`)
	env["env"] = map[string]string{"X": "${FILL_A}"}
	describing := strings.ReplaceAll(quietServer, `"name":"put"`, `"name":"put","description":"for '"$1"'"`)
	basic := map[string]string{"Authorization": "Basic ${FILL_BASIC}", "X-Key": "${FILL_A}"}
	return map[string]any{
		"missing": map[string]any{"command": "/no/such/${FILL_A}"},
		"echo":    sh(`echo "Error: bad" "$@" >&2; exit 1`, "${FILL_A}", "${FILL_B}", "--c=${FILL_C}", "${FILL_URL}"),
		"long":    sh(`printf "Error: %0190d%s\n" 0 "$1" >&2; exit 1`, "${FILL_A}"),
		"dsn":     sh(`echo "Error: bad ${1##*=}" >&2; exit 1`, "${FILL_DSN}"),
		"base64":  sh(`printf "Error: %s" "key:$1" | base64 -w0 >&2; exit 1`, "${FILL_A}"),
		"env":     env,
		"refused": map[string]any{"url": "http://127.0.0.1:1/x/${FILL_A}?k=${FILL_B}"},
		"wants":   map[string]any{"url": "${FILL_URL}", "headers": basic},
		"secured": map[string]any{"url": "${FILL_TLS}"},
		"bad":     map[string]any{"url": "https://${FILL_BAD}/"},
		"control": sh(`echo "Error: control" "$@" >&2; exit 1`, "${LEVEL}", "${PORT}", "${UNSET:-otherwise-0123}",
			"${HOME}"),
		"describe": sh(describing, "${FILL_A}"),
	}
}

// What was filled into a workspace's file of servers is a secret from then on, however the start of
// a server fails: on the screen, in /mcp, in what is printed, in the logs and for the provider.
// What anybody may read stays.
func TestWhatIsFilledIntoTheServersOfAWorkspaceIsASecret(t *testing.T) {
	t.Parallel()
	p := newPane(t, 150, 60)
	refusing := httptest.NewServer(echoing(http.StatusTeapot))
	defer refusing.Close()
	secured := httptest.NewUnstartedServer(echoing(200))
	secured.TLS = new(tls.Config)
	secured.Config.ErrorLog = log.New(io.Discard, "", 0)
	secured.StartTLS()
	defer secured.Close()
	variables := filled(refusing.URL, secured.URL)
	variables["LEVEL"], variables["PORT"] = "production", "8080"
	var env strings.Builder
	for name, value := range variables {
		env.WriteString("export " + name + "='" + value + "'\n")
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(p.path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("env", env.String())
	servers := leakyServers()
	file, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		t.Fatal(err)
	}
	write("w/.mcp.json", string(file))
	p.line(". ./env")
	p.start(`{"say":"hi","delay_ms":0}`)
	p.sees("use MCP servers of this workspace")
	p.readThrough()
	p.keys("y")
	all := ""
	p.wait("the servers", func() bool {
		p.line("/mcp")
		all += p.joined()
		return strings.Contains(all, "describe  ready") && !strings.Contains(p.screen(), "  starting")
	})
	all += p.joined()
	for name := range servers {
		if name != "bad" && !strings.Contains(all, name+"  failed: ") && !strings.Contains(all, name+"  ready") {
			t.Errorf("/mcp does not show %s", name)
		}
	}
	for _, found := range spelledOut(all) {
		t.Errorf("the screen shows %s", found)
	}
	for _, want := range []string{"control production 8080 otherwise-0123 " + p.dir, "/no/such/[secret]",
		"dial tcp 127.0.0.1:1: connect: connection refused"} {
		if !strings.Contains(unwrapped(all), unwrapped(want)) {
			t.Errorf("the screen does not show %q:\n%s", want, p.joined())
		}
	}
	p.keys("C-d")
	printsNoSecret(t, p, variables)
}

// printsNoSecret plays a printed turn with the servers, which were allowed before.
func printsNoSecret(t *testing.T, p *pane, variables map[string]string) {
	t.Helper()
	var mu sync.Mutex
	var sent strings.Builder
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		sent.Write(body)
		mu.Unlock()
		w.WriteHeader(http.StatusBadRequest)
	}))
	defer model.Close()
	cmd := exec.Command(Binary, "-p", "x")
	cmd.Dir = p.path("w")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "XDG_STATE_HOME=" + p.path("state"),
		"XDG_CONFIG_HOME=" + p.path("config"), "ANTHROPIC_API_KEY=sk-test-0123456789",
		"ANTHROPIC_BASE_URL=" + model.URL}
	for name, value := range variables {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, _ := cmd.CombinedOutput()
	if !strings.Contains(string(out), `the server "bad" is left out`) ||
		strings.Count(string(out), "failed to start") != len(leakyServers())-2 {
		t.Errorf("%s", out)
	}
	mu.Lock()
	defer mu.Unlock()
	if !strings.Contains(sent.String(), "for [secret]") {
		t.Errorf("the provider gets %.2000s", sent.String())
	}
	texts := []string{string(out), sent.String()}
	err := filepath.WalkDir(p.path("state"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		texts = append(texts, string(text))
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) || len(texts) < 5 {
		t.Errorf("%d texts, %v", len(texts), err)
	}
	for _, text := range texts {
		for _, found := range spelledOut(text) {
			t.Errorf("there stands %s", found)
		}
	}
	// The measure itself: without hiding it finds each of the secrets.
	for _, value := range slices.Collect(func(yield func(string) bool) {
		for name, v := range variables {
			if strings.HasPrefix(name, "FILL_") && !yield(v) {
				return
			}
		}
	}) {
		if !strings.Contains(value, "CANARY") {
			continue // base64 already
		}
		for _, form := range []string{value, url.PathEscape(value), strconv.Quote(value),
			base64.StdEncoding.EncodeToString([]byte("k:" + value))} {
			if len(spelledOut(form)) == 0 {
				t.Errorf("the measure does not find %q", form)
			}
		}
	}
}
