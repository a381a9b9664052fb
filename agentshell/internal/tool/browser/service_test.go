package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// bound is how long a test waits for what must come: the machine may be busy.
const bound = time.Minute

// shared is what the tests of the package share: one browser, which takes longest to start.
var shared struct {
	once    sync.Once
	dir     string
	service *Service
	site    *httptest.Server
	host    proxy.Host
	err     error
}

var family = new(child.Family)

func TestMain(m *testing.M) {
	sandbox.Stage(os.Args)
	ctx, cancel := context.WithCancel(context.Background())
	if err := family.AdoptOrphans(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	code := m.Run()
	if shared.service != nil {
		shared.service.Close()
		shared.site.Close()
		left, _ := os.ReadDir(shared.dir)
		if len(left) > 0 {
			fmt.Fprintln(os.Stderr, "the browser left", left)
			code = 1
		}
		_ = os.RemoveAll(shared.dir)
	}
	family.Close(0)
	cancel()
	os.Exit(code)
}

// browserFor returns what a test gives to Debian's browser, or skips the test.
func browserFor(t testing.TB) {
	t.Helper()
	if err := NewService(Config{Family: family}).Find(); err != nil {
		need.Missing(t, "chromium", err)
	}
}

// configIn returns a configuration of a browser in a sandbox, where there is one.
func configIn(t testing.TB, dir string, hosts *proxy.Hosts) Config {
	t.Helper()
	c := Config{TempDir: dir, Hosts: hosts, Family: family, OwnSandbox: os.Getuid() != 0,
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}}
	if box := sandbox.Find(context.Background(), family, dir, "").Box; box != nil {
		c.Cell = func(cmd *exec.Cmd, dir string, out func(net.Listener)) (*sandbox.Cell, error) {
			return box.Cell(sandbox.Policy{Workspace: dir, Environ: cmd.Env, Proxy: out}, cmd, nil)
		}
	}
	return c
}

// mux serves the pages of the shared site.
var mux = http.NewServeMux()

// begin returns the shared browser, and the address of the shared site.
func begin(t testing.TB) (*Service, string) {
	t.Helper()
	browserFor(t)
	shared.once.Do(func() {
		shared.dir, shared.err = os.MkdirTemp("", "browser-test-")
		if shared.err != nil {
			return
		}
		shared.site = httptest.NewServer(mux)
		hosts := new(proxy.Hosts)
		shared.host, _ = proxy.ParseHost(strings.TrimPrefix(shared.site.URL, "http://"))
		hosts.Add(true, shared.host)
		shared.service = NewService(configIn(t, shared.dir, hosts))
		ctx, cancel := context.WithTimeout(context.Background(), bound)
		defer cancel()
		// The browser ends with its last tab.
		_, _, shared.err = shared.service.Open(ctx, Open{Name: "open to the end"})
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.service, shared.site.URL
}

// serve makes the shared site have a page.
func serve(t testing.TB, page string) (address string) {
	t.Helper()
	_, site := begin(t)
	path := "/" + strings.ReplaceAll(t.Name(), "/", "-") + fmt.Sprint(pages())
	mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
	})
	return site + path
}

var pages = func() func() int {
	var mu sync.Mutex
	n := 0
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		n++
		return n
	}
}()

// open opens a tab of the shared browser at an address.
func open(t testing.TB, o Open) *Tab {
	t.Helper()
	s, _ := begin(t)
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	o.Name = t.Name()
	tab, _, err := s.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.CloseTab(context.Background(), o.Name) })
	return tab
}

// The way out of a browser is the proxy alone, whichever browser it is, and its home is its folder.
func TestTheWayOutOfABrowserIsTheProxy(t *testing.T) {
	line := browserCommand("/p", "/dir", "127.0.0.1:3128", true)
	for _, want := range []string{"--proxy-server=127.0.0.1:3128", "--proxy-bypass-list=<-loopback>",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp", "--disable-quic", "--remote-debugging-pipe",
		"--user-data-dir=/dir/profile"} {
		if !slices.Contains(line, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if slices.Contains(line, "--no-sandbox") || !slices.Contains(browserCommand("/p", "/d", "a", false),
		"--no-sandbox") {
		t.Errorf("%v", line)
	}
	env := browserEnviron([]string{"HOME=/home/person", "A=1"}, "/dir")
	for _, want := range []string{"A=1", "HOME=/dir", "XDG_CONFIG_HOME=/dir/config", "XDG_CACHE_HOME=/dir/cache"} {
		if !slices.Contains(env, want) {
			t.Errorf("%v is without %s", env, want)
		}
	}
	s := NewService(Config{})
	for _, name := range []string{noHost, "a.invalid"} {
		s.noteRefusal(proxy.Refusal{Host: proxy.Host{Name: name, Port: 80}})
	}
	if refused, _ := s.Refusals(); len(refused) != 1 || refused[0].Host.Name != "a.invalid" {
		t.Errorf("%v", refused)
	}
}

// fakeHost does for code what a test says.
type fakeHost struct {
	visit func(address string, host *HostError) error
	files map[string][]byte
	saved map[string][]byte
}

func (h *fakeHost) Visit(_ context.Context, address string, host *HostError) error {
	if h.visit == nil {
		return host
	}
	return h.visit(address, host)
}

func (h *fakeHost) File(_ context.Context, path string) (string, []byte, error) {
	if data, ok := h.files[path]; ok {
		return path, data, nil
	}
	return "", nil, fmt.Errorf("%s is not there", path)
}

func (h *fakeHost) Text(_ context.Context, address string, page []byte) (string, error) {
	return fmt.Sprintf("%s: %s", address, page), nil
}

func (h *fakeHost) Save(_ context.Context, path string, png []byte) (string, error) {
	if h.saved == nil {
		return "", fmt.Errorf("nothing is saved")
	}
	h.saved[path] = png
	return "workspace/" + path, nil
}

// result is what code gave.
type result struct {
	Outcome
	shown  string
	images [][]byte
}

// run runs code on a tab.
func run(t testing.TB, tab *Tab, h Host, code string) (r result) {
	t.Helper()
	r, err := runFor(tab, h, code, bound)
	if err != nil {
		t.Fatalf("%s: %v", code, err)
	}
	return r
}

func runFor(tab *Tab, h Host, code string, limit time.Duration) (r result, err error) {
	if h == nil {
		h = &fakeHost{}
	}
	r.Outcome, err = tab.Run(context.Background(), Code{Text: code, Timeout: limit, Host: h,
		Show: func(text string) { r.shown += text + "\n" },
		Image: func(data []byte) (string, error) {
			r.images = append(r.images, data)
			w, h := pngSize(data)
			return fmt.Sprintf("[picture %d: %d by %d]", len(r.images), w, h), nil
		}})
	return r, err
}

// each runs pieces of code one after the other in one page, and fails the test where one does not
// give its value, or does not fail with the text behind an "error: ".
func each(t testing.TB, tab *Tab, list [][2]string) {
	t.Helper()
	code := "const results = [], text = v => typeof v === 'string' ? v : JSON.stringify(v) ?? 'undefined'\n"
	for _, c := range list {
		code += "try { results.push(text(await (async () => {" + c[0] + "\n})())) } " +
			"catch (e) { results.push('error: ' + e) }\n"
	}
	r := run(t, tab, nil, code+"return results")
	var got []string
	if err := json.Unmarshal([]byte(r.Value), &got); err != nil {
		t.Fatalf("%v: %+v", err, r)
	}
	for i, c := range list {
		text, isError := strings.CutPrefix(c[1], "error: ")
		if bad := got[i] != c[1]; isError && (!strings.HasPrefix(got[i], "error: ") || !strings.Contains(got[i],
			text)) ||
			!isError && bad {
			t.Errorf("%s\ngives %q, want %q", c[0], got[i], c[1])
		}
	}
}

// want fails the test if code does not give a value.
func want(t testing.TB, tab *Tab, code, value string) {
	t.Helper()
	if r := run(t, tab, nil, code); r.Error != "" || r.Value != value {
		t.Errorf("%s\ngives %q, error %q; want %q", code, r.Value, r.Error, value)
	}
}

// fails fails the test if code does not fail with a text.
func fails(t testing.TB, tab *Tab, code, text string) {
	t.Helper()
	if r := run(t, tab, nil, code); !strings.Contains(r.Error, text) {
		t.Errorf("%s\ngives %q, error %q; want an error with %q", code, r.Value, r.Error, text)
	}
}
