package github

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
)

func TestNamesThatLeadElsewhereAreRefused(t *testing.T) {
	for text, want := range map[string]bool{
		"main": true, "feature/x-1_y.z": true, "größe": true, "v1.2": true, "a@b": true,
		"": false, "-x": false, "--upload-pack=x": false, "a..b": false, "../x": false, "/x": false, "x/": false,
		"a//b": false,
		".x":   false, "a/.x": false, "x.lock": false, "a.lock/b": false, "x.": false, "a b": false, "a~1": false,
		"a^":  false,
		"a:b": false, "a?": false, "a*": false, "a[": false, `a\b`: false, "@": false, "a@{1}": false, "a\x7f": false,
		"a\x1bb": false, "a\nb": false, "a\u202eb": false, "a\u200bb": false, strings.Repeat("x", 245): false,
	} {
		if IsRefName(text) != want {
			t.Errorf("the branch %q: %v", text, !want)
		}
	}
	for text, want := range map[string]string{
		"acme/tides": "acme/tides", "h.example/acme/tides.go": "acme/tides.go", "H.Example/a/b": "a/b",
		"other/acme/tides": "",
		"acme":             "", "../tides": "", "acme/..": "", "-acme/tides": "", "acme/-x": "", "a b/c": "",
		"acme/tides/": "", "": "",
		"a/b?x": "", "a/b#c": "", "a/ü": "", "a/b\x1b": "", "a/" + strings.Repeat("x", 101): "",
	} {
		r, err := ParseRepository(text, "h.example")
		if (err == nil) != (want != "") || err == nil && r.String() != want {
			t.Errorf("the repository %q: %v, %v", text, r, err)
		}
	}
	for text, want := range map[string]int64{
		"https://h.example/a/b/pull/12": 12, "https://h.example/a/b/pull/12/files": 12,
		"http://h.example/a/b/pull/12":    0,
		"https://x@h.example/a/b/pull/12": 0, "https://h.example.evil/a/b/pull/12": 0, "https://h.example:1/a/b/p" +
			"ull/12": 0,
		"https://h.example/a/b/pull/-1": 0, "https://h.example/a/b/pull/+1": 0, "https://h.example/../b/pull/1": 0,
		"https://h.example/a/b/issues/12": 0, "https://h.example/a/b/pull/99999999999999999999": 0,
		"https://h.example/a/b/pull/": 0,
	} {
		if _, n, err := parseLink(text, "h.example", "pull"); n != want || (err == nil) != (want > 0) {
			t.Errorf("the address %q: %d, %v", text, n, err)
		}
	}
}

func TestTheRepositoryOfARemote(t *testing.T) {
	for address, want := range map[string]string{
		"https://h.example/acme/tides.git": "acme/tides", "https://u:p@h.example/acme/tides": "acme/tides",
		"git@h.example:acme/tides.git": "acme/tides", "work:acme/tides": "acme/tides", "ssh://git@alias/acme/tide" +
			"s.git": "acme/tides",
		"/srv/acme/tides.git": "acme/tides", "https://other.example/acme/tides": "", "https://h.example/tides": "",
		"https://h.example.evil/acme/tides": "", "ext::sh -c x": "", "": "",
	} {
		r, ok := remoteRepository(address, "h.example")
		if ok != (want != "") || ok && r.String() != want {
			t.Errorf("%q: %v, %v", address, r, ok)
		}
	}
	for _, c := range [][2]string{
		{"https://h.example/acme/tides.git", "https://h.example/eve/x.git"}, {"git@h.example:acme/tides",
			"git@h.example:eve/x"},
		{"/srv/acme/tides.git", "/srv/eve/x.git"}, {"tides", ""}, {"acme/tides", ""},
	} {
		if got, ok := forkAddress(c[0], Repository{"eve", "x"}); ok != (c[1] != "") || ok && got != c[1] {
			t.Errorf("%s: %s, %v", c[0], got, ok)
		}
	}
	if got := withoutLogin("https://mona:key@h.example/a@b/c"); got != "https://[secret]@h.example/a@b/c" {
		t.Error(got)
	}
	if got := withoutLogin("ssh://git@h.example/a/b"); got != "ssh://git@h.example/a/b" {
		t.Error(got)
	}
}

func TestTheBoundsOfASearch(t *testing.T) {
	now := time.Date(2026, 3, 31, 1, 0, 0, 0, time.FixedZone("", 3600*5)) // the 30th in UTC
	for text, want := range map[string]string{
		"3d": "2026-03-27", "12h": "2026-03-30T08:00:00Z", "2w": "2026-03-16", "2mo": "2026-01-30", "1y": "2025-03-30",
		"2026-02-03": "2026-02-03", "2026-02-03T04:05": "2026-02-03T04:05:00Z",
		"2026-02-03T04:05:06":       "2026-02-03T04:05:06Z",
		"2026-02-03T04:05:06+02:00": "2026-02-03T02:05:06Z", "": "",
		"3": "-", "d": "-", "-3d": "-", "3m": "-", "99999d": "-", "2026-2-3": "-", "now": "-", "2026-02-30": "-",
		"3d x": "-",
	} {
		got, err := dateBound(text, now)
		if want == "-" && err == nil || want != "-" && (err != nil || got != want) {
			t.Errorf("%q: %q, %v, want %s", text, got, err, want)
		}
	}
}

// Each host gets its own keys and no others, and gh gets nothing that leads it elsewhere.
func TestTheEnvironmentOfGH(t *testing.T) {
	person := []string{"PATH=/usr/bin", "HOME=/h", "GH_TOKEN=a-token-1", "GITHUB_TOKEN=a-token-2",
		"GH_ENTERPRISE_TOKEN=e-token-1",
		"GITHUB_ENTERPRISE_TOKEN=e-token-2", "GH_HOST=elsewhere", "GH_REPO=x/y", "GH_DEBUG=api", "DEBUG=1",
		"GH_FORCE_TTY=1",
		"HTTPS_PROXY=http://p", "NO_PROXY=*", "https_proxy=http://p", "GIT_DIR=/x", "GIT_SSH_COMMAND=x",
		"GH_CONFIG_DIR=/c",
		"CLICOLOR_FORCE=1", "GH_PATH=/x", "OPENAI_API_KEY=other-key-1", "SSL_CERT_FILE=/ca", "GH_BROWSER=x"}
	for host, keys := range map[string]string{"": "GH_TOKEN=a-token-1 GITHUB_TOKEN=a-token-2",
		"GitHub.com": "GH_TOKEN=a-token-1 GITHUB_TOKEN=a-token-2",
		"h.example":  "GH_ENTERPRISE_TOKEN=e-token-1 GITHUB_ENTERPRISE_TOKEN=e-token-2",
		"a.ghe.com": "GH_TOKEN=a-token-1 GITHUB_TOKEN=a-token-2 GH_ENTERPRISE_TOKEN=e-token-1 " +
			"GITHUB_ENTERPRISE_TOKEN=e-token-2"} {
		s := NewService(Config{Host: host, Environ: person,
			Family: &child.Family{Programs: child.NewPrograms("/usr/bin")}})
		env := s.environ("127.0.0.1:1")
		var got []string
		for _, v := range env {
			if strings.Contains(v, "-token-") {
				got = append(got, v)
			}
			for _, bad := range []string{"elsewhere", "x/y", "DEBUG", "TTY", "http://p", "NO_PROXY", "GIT_DIR",
				"GIT_SSH", "CLICOLOR",
				"GH_PATH", "other-key", "BROWSER=x"} {
				if strings.Contains(v, bad) {
					t.Errorf("%s: %s", host, v)
				}
			}
		}
		if strings.Join(got, " ") != keys {
			t.Errorf("%s gets %v", host, got)
		}
		for _, want := range []string{"GH_HOST=" + s.Host(), "HTTPS_PROXY=http://127.0.0.1:1", "SSL_CERT_FILE=/ca",
			"GH_CONFIG_DIR=/c", "GH_PROMPT_DISABLED=1", "HOME=/h"} {
			if !slices.Contains(env, want) {
				t.Errorf("%s: without %s: %v", host, want, env)
			}
		}
	}
}

// gh reaches its host and no other, but for the logs of github.com, which no key is sent to.
func TestTheHostsThatGHReaches(t *testing.T) {
	for host, c := range map[string]struct{ may, not string }{
		"": {"github.com:443 api.github.com:443 x.actions.githubusercontent.com:443 s1.blob.core.windows.net:443",
			"example.org:443 github.com:80 github.com.evil.example:443 blob.core.windows.net.evil.example:443"},
		"h.example": {"h.example:443 api.h.example:443", "github.com:443 h.example:80 xh.example:443 " +
			"a.blob.core.windows.net:443"},
		"h.example:8443": {"h.example:8443 x.h.example:8443", "h.example:443"},
	} {
		hosts := NewService(Config{Host: host}).reachableHosts()
		for _, list := range []struct {
			text string
			may  bool
		}{{c.may, true}, {c.not, false}} {
			for _, text := range strings.Fields(list.text) {
				h, err := proxy.ParseHost(text)
				if err != nil || hosts.Has(h) != list.may {
					t.Errorf("%q: %s: %v, %v", host, text, !list.may, err)
				}
			}
		}
	}
	for text, want := range map[string]bool{"h.example": true, "h.example:8443": true, "127.0.0.1:1": true,
		"*.example":   false,
		"h.example/x": false, "-x": false, "h.example:x": false, "a b": false, "": false} {
		if err := CheckHost(text); (err == nil) != want {
			t.Errorf("the host %q: %v", text, err)
		}
	}
}

// Keys that gh has stored do not come back, in whatever they stand.
func TestNoKeyComesBack(t *testing.T) {
	s := NewService(Config{Environ: []string{"GH_TOKEN=plain-looking-9315-key"}})
	for text, want := range map[string]string{
		"a plain-looking-9315-key b":                 "a [secret] b",
		"ghp_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789":   "[secret]",
		"x=github_pat_11ABCDEFG0aaaaaaaaaaaaaaaa_bb": "x=[secret]",
		"https://x-access-token:abcd@h/a":            "https://[secret]@h/a",
		"gho_ABCDEFGHIJKLMNOP":                       "[secret]",
		"ghu_ABCDEFGHIJKLMNOP":                       "[secret]",
		"ghs_ABCDEFGHIJKLMNOP":                       "[secret]",
		"ghr_ABCDEFGHIJKLMNOP":                       "[secret]",
		"ghost ghp_short gh_x":                       "ghost ghp_short gh_x",
	} {
		if got := s.redactTokens(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestTheDiffOfAFileIsFound(t *testing.T) {
	const diff = "diff --git a/x b/x\nnew file mode 100644\nBinary files /dev/null and b/x differ\n" +
		"diff --git \"a/\\303\\274\" \"b/\\303\\274\"\n--- /dev/null\n+++ \"b/\\303\\274\"\n@@ -0,0 +1 @@\n+diff " +
		"--git a/no b/no\n" +
		"diff --git a/y b/y\n--- a/y\n+++ b/y\t\n@@ -1,2 +1 @@\n----- x\n-y\n+++ z\n"
	var got []string
	for _, p := range splitDiff(diff) {
		got = append(got, p.name, strings.Repeat("+", p.added)+strings.Repeat("-", p.removed))
	}
	if text := strings.Join(got, "|"); text != `x||\303\274|+|y|+--` {
		t.Error(text)
	}
	if list := splitDiff("not a diff"); len(list) != 1 || list[0].text != "not a diff" || len(splitDiff("")) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestOldAnswersAreRemoved(t *testing.T) {
	c := Cache{Dir: t.TempDir(), Soft: time.Minute, Hard: time.Hour}
	now := time.Now()
	for i := range maxCached + 5 {
		if err := os.WriteFile(c.path(fmt.Sprint(i)), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.put(cachedText{Key: "k", Time: now, Text: "x"})
	if list, err := os.ReadDir(c.Dir); err != nil || len(list) != maxCached {
		t.Errorf("%d are kept, %v", len(list), err)
	}
	if k, ok := c.get("k", now); !ok || k.Text != "x" {
		t.Error("the new one is not kept")
	}
	last := cachedText{Key: "last", Time: now.Add(2 * time.Hour), Text: "x"}
	c.put(last)
	if _, ok := c.get("k", last.Time); ok {
		t.Error("an old one is kept")
	}
	if _, ok := c.get("last", now); ok {
		t.Error("one of the future is used")
	}
	if _, ok := c.get("last", last.Time.Add(time.Hour)); ok {
		t.Error("one that is too old is used")
	}
}
