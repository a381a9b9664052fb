//go:build unix

package hook

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// runner has hooks that are scripts outside of a workspace.
func runner(t *testing.T, on When, timeout time.Duration, scripts ...string) Runner {
	t.Helper()
	need.Program(t, "sh")
	var family child.Family
	t.Cleanup(func() { family.Close(0) })
	r := Runner{Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH"), "SEEN=yes"}, Run: family.Run}
	r.Inside = func(p string) bool { return strings.HasPrefix(p, r.Dir+"/") }
	home := t.TempDir()
	for i, script := range scripts {
		name := filepath.Join(home, string(rune('a'+i)))
		if err := os.WriteFile(name, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		r.Hooks = append(r.Hooks, Hook{On: on, Command: []string{name}, Timeout: timeout})
	}
	return r
}

func TestAHookAllowsDeniesAndAddsText(t *testing.T) {
	q := Question{On: Before, Tool: "bash", Command: "ls", Input: json.RawMessage(`{"command":"ls"}`)}
	for _, c := range []struct {
		name, script string
		denied       bool
		reason, said string
	}{
		{"nothing", "cat > /dev/null", false, "", ""},
		{"it does not read", "exit 0", false, "", ""},
		{"allow", `echo '{"decision":"allow"}'`, false, "", ""},
		{"a text", `echo '{"text":"use make"}'`, false, "", "[hook a] use make"},
		{"deny", `echo '{"decision":"deny","reason":"not here"}'`, true, "a: not here", ""},
		{"deny without a reason", `echo '{"decision":"deny"}'`, true, "a", ""},
		{"the question", `grep -q '"command":"ls"' && echo '{"text":"seen"}'`, false, "", "[hook a] seen"},
		{"the environment", `[ "$SEEN" = yes ] && [ -z "$HOME" ] && echo '{"text":"clean"}'`, false, "",
			"[hook a] clean"},
		{"the directory", `echo "{\"text\":\"$(ls | wc -l | tr -d ' ')\"}"`, false, "", "[hook a] 0"},
		{"no arguments of a shell", `echo "{\"text\":\"$#\"}"`, false, "", "[hook a] 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := runner(t, Before, time.Minute, c.script).Ask(t.Context(), q)
			if a.Denied != c.denied || a.Reason != c.reason || strings.Join(a.Texts, "|") != c.said ||
				len(a.Problems) > 0 {
				t.Errorf("%+v", a)
			}
		})
	}
}

// Whatever goes wrong with a hook before a call forbids it; after one it is a problem, and no more.
// Hooks beside the broken ones, asked in the same way, allow and deny.
func TestAHookThatFailsForbidsTheCall(t *testing.T) {
	for _, c := range []struct{ name, script, why string }{
		{"a good hook that allows", `echo '{"decision":"allow","text":"go on"}'`, ""},
		{"a good hook that denies", `echo '{"decision":"deny","reason":"not here"}'`, "a: not here"},
		{"one that takes its time", `i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; echo '{"text":"go on"}'`, ""},
		{"as much as may be printed", `printf '{"text":"go on"}'; head -c 60000 /dev/zero | tr '\0' ' '`, ""},
		{"an exit code", "echo broken >&2; exit 3", "exit status 3\nbroken"},
		{"an exit code in spite of allow", `echo '{"decision":"allow"}'; exit 1`, "exit status 1"},
		{"a signal", "kill -KILL $$", "signal: killed"},
		{"it hangs", "while :; do :; done", "it took longer than 300ms"},
		{"it hangs and ignores requests", "trap '' TERM INT HUP; while :; do :; done", "it took longer than 300ms"},
		{"it hangs with a child", "sleep 1000 & wait", "it took longer than 300ms"},
		{"it floods", "while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", "it took longer than 300ms"},
		{"it prints too much", "head -c 70000 /dev/zero", "it printed more than 65536 bytes"},
		{"garbage", "echo garbage", "it printed what is no decision"},
		{"half of a decision", `printf '{"decision":"allow"'`, "it printed what is no decision"},
		{"two decisions", `echo '{"decision":"allow"}{"decision":"allow"}'`, "it printed more than one decision"},
		{"another word", `echo '{"decision":"approve"}'`, `there is no decision "approve"`},
		{"other letters", `echo '{"decision":"ALLOW"}'`, `there is no decision "ALLOW"`},
		{"a field that nobody knows", `echo '{"decision":"allow","approved":true}'`, "unknown field"},
		{"another type", `echo '{"decision":true}'`, "it printed what is no decision"},
		{"a list", `echo '["allow"]'`, "it printed what is no decision"},
		{"a word alone", `echo '"allow"'`, "it printed what is no decision"},
		{"bytes", `printf '{"text":"\377"}'`, "it printed what is no UTF-8"},
		{"a reason without deny", `echo '{"reason":"no"}'`, "a reason without the decision deny"},
	} {
		t.Run(c.name, func(t *testing.T) {
			timeout := time.Minute
			if strings.Contains(c.why, "longer") {
				timeout = 300 * time.Millisecond
			}
			a := runner(t, Before, timeout, c.script).Ask(t.Context(), Question{On: Before, Tool: "bash"})
			if c.why == "" || strings.HasPrefix(c.why, "a: ") {
				allowed := c.why == ""
				if a.Denied == allowed || a.Reason != c.why || len(a.Problems) > 0 ||
					(len(a.Texts) == 1 && a.Texts[0] == "[hook a] go on") != allowed {
					t.Errorf("%+v", a)
				}
				return
			}
			if !a.Denied || !strings.Contains(a.Reason, c.why) ||
				!strings.HasPrefix(a.Reason, "a failed, so the call") {
				t.Errorf("%+v", a)
			}
			r := runner(t, After, timeout, c.script, `echo '{"text":"and on"}'`)
			a = r.Ask(t.Context(), Question{On: After})
			if a.Denied || len(a.Problems) != 1 || len(a.Texts) != 1 {
				t.Errorf("after the call: %+v", a)
			}
		})
	}
}

func TestWhichHooksAreAsked(t *testing.T) {
	r := runner(t, Before, time.Minute, `echo '{"text":"one"}'`, `echo '{"decision":"deny","reason":"two"}'`,
		`echo '{"text":"three"}'`)
	if a := r.Ask(t.Context(), Question{On: Before, Tool: "x"}); !a.Denied || a.Reason != "b: two" ||
		len(a.Texts) != 1 {
		t.Errorf("%+v", a)
	}
	r.Hooks[1].Tools = []string{"bash"}
	if a := r.Ask(t.Context(), Question{On: Before, Tool: "x"}); a.Denied || len(a.Texts) != 2 {
		t.Errorf("%+v", a)
	}
	if a := r.Ask(t.Context(), Question{On: End}); a.Denied || len(a.Texts) != 0 {
		t.Errorf("%+v", a)
	}
	// A deny at the end of a turn forbids nothing.
	end := runner(t, End, time.Minute, `echo '{"decision":"deny","reason":"x","text":"y"}'`)
	if a := end.Ask(t.Context(), Question{On: End}); a.Denied || len(a.Texts) != 1 {
		t.Errorf("%+v", a)
	}
	// A stop ends the hook, and nothing is denied by it: the turn is over.
	ctx, cancel := context.WithCancel(t.Context())
	slow := runner(t, Before, time.Minute, "echo x > started; sleep 1000")
	if err := syscall.Mkfifo(filepath.Join(slow.Dir, "started"), 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = os.ReadFile(filepath.Join(slow.Dir, "started"))
		cancel()
	}()
	if a := slow.Ask(ctx, Question{On: Before}); a.Denied || len(a.Problems) > 0 {
		t.Errorf("%+v", a)
	}
	// Texts are bounded, whatever a model calls with.
	long := runner(t, Before, time.Minute, `printf '{"text":"'; head -c 20000 /dev/zero | tr '\0' x; printf '"}'`)
	a := long.Ask(t.Context(), Question{On: Before, Input: json.RawMessage(`{"broken`)})
	if len(a.Texts) != 1 || len(a.Texts[0]) > maxText+100 || !strings.HasSuffix(a.Texts[0], "[cut]") {
		t.Errorf("%+v", a)
	}
}

// A program of the workspace is nobody's hook, however it is named. The same one outside of it is.
func TestAHookIsNeverOfTheWorkspace(t *testing.T) {
	r := runner(t, Before, time.Minute, "exit 0")
	program := []byte("#!/bin/sh\ntouch " + r.Dir + "/ran\n")
	out := t.TempDir()
	for _, dir := range []string{r.Dir, out} {
		if err := os.WriteFile(filepath.Join(dir, "x"), program, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range [][]string{{filepath.Join(out, "x")}, {"sh", filepath.Join(out, "x")}} {
		r.Hooks = []Hook{{On: Before, Command: command, Timeout: time.Minute}}
		if a := r.Ask(t.Context(), Question{On: Before}); a.Denied || len(a.Problems) > 0 {
			t.Errorf("outside of the workspace %q: %+v", command, a)
		}
		if err := os.Remove(filepath.Join(r.Dir, "ran")); err != nil {
			t.Fatalf("outside of the workspace %q did not run: %v", command, err)
		}
	}
	t.Setenv("PATH", r.Dir+":.:"+os.Getenv("PATH"))
	for _, command := range [][]string{{filepath.Join(r.Dir, "x")}, {"x"}, {"./x"}, {"sh", "x"}, {"sh", "./x"},
		{"sh", filepath.Join(r.Dir, "x")}, {"no-such-program-here"}} {
		r.Hooks = []Hook{{On: Before, Command: command, Timeout: time.Minute}}
		if a := r.Ask(t.Context(), Question{On: Before}); !a.Denied {
			t.Errorf("%q: %+v", command, a)
		}
		if _, err := os.Stat(filepath.Join(r.Dir, "ran")); err == nil {
			t.Fatalf("%q ran", command)
		}
	}
}
