package browser

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/internal/nasty"
)

func TestWithoutABrowserItIsSaidHowToInstallIt(t *testing.T) {
	for _, program := range []string{"", "none-such"} {
		s := NewService(Config{Program: program, Family: &child.Family{Programs: child.NewPrograms(t.TempDir())}})
		var missing *helper.Missing
		if err := s.Find(); !errors.As(err, &missing) || missing.Install != Install || s.Program() != "" {
			t.Errorf("%q: %v", program, err)
		}
		if _, _, err := s.Open(t.Context(), Open{Name: "a"}); err == nil || !strings.Contains(err.Error(),
			"is not installed. To install it: apt-get install chromium-headless-shell") {
			t.Errorf("%q: %v", program, err)
		}
		s.Close()
	}
}

// The browser of the settings is used, else the first that is there.
func TestTheFirstBrowserThatIsThereIsUsed(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ add, program, want string }{
		{"google-chrome", "", "google-chrome"}, {"chromium", "", "chromium"},
		{"chromium-headless-shell", "", "chromium-headless-shell"}, {"mine", "mine", "mine"},
		{"chrome-headless-shell", filepath.Join(dir, "chromium"), "chromium"},
	} {
		if err := os.WriteFile(filepath.Join(dir, c.add), []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		s := NewService(Config{Program: c.program, Family: &child.Family{Programs: child.NewPrograms(dir)}})
		if got := s.Program(); got != filepath.Join(dir, c.want) {
			t.Errorf("with %s, %q: %s", c.add, c.program, got)
		}
		s.Close()
	}
}

// running returns the processes whose command line has a text.
func running(text string) (list []string) {
	for pid, line := range nasty.Processes("cmdline") {
		if bytes.Contains(line, []byte(text)) {
			list = append(list, strconv.Itoa(pid))
		}
	}
	return list
}

// The browser ends with its last tab and with the service, and its folder is removed.
func TestNothingStaysOfABrowser(t *testing.T) {
	browserFor(t)
	dir := t.TempDir()
	s := NewService(configIn(t, dir, new(proxy.Hosts)))
	for _, end := range []func(){func() { s.CloseTab(t.Context(), "a") }, s.Stop, s.Close} {
		if _, _, err := s.Open(t.Context(), Open{Name: "a"}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat("/proc/self/cmdline"); err == nil && len(running(dir)) == 0 {
			t.Error("no process is found while the browser runs")
		}
		end()
		if left := running(dir); len(left) > 0 {
			t.Errorf("processes %v are left", left)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if _, _, err := s.Open(t.Context(), Open{Name: "a"}); !errors.Is(err, helper.ErrClosed) {
		t.Errorf("a service that is closed opens a tab: %v", err)
	}
}

func TestCodeHasItsTime(t *testing.T) {
	tab := open(t, Open{})
	for _, code := range []string{"while (true);", "await new Promise(() => {})", "await tab.waitFor('#none')"} {
		r, err := runFor(tab, nil, code, 100*time.Millisecond)
		if err != nil || !strings.HasPrefix(r.Error, "Browser code execution timed out after 100ms") {
			t.Errorf("%s: %+v, %v", code, r, err)
		}
	}
	want(t, tab, "return 1", "1")
}

// A click waits until its element is there, seen, still, enabled and not covered.
func TestAnElementIsClickedWhenItCanBe(t *testing.T) {
	tab := open(t, Open{URL: serve(t, `<title>none</title><style>#cover { position: fixed; inset: 0 }
#go { position: relative }</style><p hidden>Go<p id=x>Go
<script>
let steps = 0, at = document.createElement('button');
at.id = 'go'; at.textContent = 'Now'; at.hidden = at.disabled = true;
at.onclick = () => document.title = 'clicked after ' + steps;
const cover = document.createElement('div'); cover.id = 'cover';
const next = [() => document.body.append(at, cover), () => at.hidden = false, () => at.disabled = false,
  () => cover.remove()];
const timer = setInterval(() => { next[steps++](); if (steps === next.length) clearInterval(timer) }, 60);
</script>`)})
	want(t, tab, "await tab.click('#go'); return await tab.title()", "clicked after 4")
	want(t, tab, "await tab.evaluate(() => { x.onclick = () => document.title = 'seen' }); await "+
		"tab.click('text/Go'); "+
		"return await tab.title()", "seen")
	want(t, tab, `await tab.evaluate(() => { at.hidden = true; setTimeout(() => at.hidden = false, 100) });
await tab.waitFor('#go'); return await tab.evaluate(() => at.hidden)`, "false")
}

func TestAnOpenTabGoesToAnotherAddress(t *testing.T) {
	s, _ := begin(t)
	open(t, Open{URL: serve(t, "<title>one</title>")})
	tab, reused, err := s.Open(t.Context(), Open{Name: t.Name(), URL: serve(t, "<title>two</title>")})
	if err != nil || !reused {
		t.Fatal(reused, err)
	}
	if _, title, err := tab.Place(t.Context()); err != nil || title != "two" {
		t.Errorf("%q, %v", title, err)
	}
}
