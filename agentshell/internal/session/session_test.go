package session_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	secrets "github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

const secret = "sk-ant-\"quoted\"-0123456789"

func config(t *testing.T) session.Config {
	t.Helper()
	now := time.Date(2026, time.November, 20, 19, 45, 0, 0, time.UTC)
	return session.Config{
		Dir: filepath.Join(t.TempDir(), "state", "sessions"), Workspace: t.TempDir(), Model: "m",
		Secrets: secrets.New("", "short", secret),
		Now: func() time.Time {
			now = now.Add(time.Second)
			return now
		}, Random: bytes.NewReader(bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7}, 9)),
	}
}

func user(p ...provider.Part) provider.Message {
	return provider.Message{Role: provider.User, Parts: p}
}

func assistant(p ...provider.Part) provider.Message {
	return provider.Message{Role: provider.Assistant, Parts: p}
}

// parsedText is the parsed content of a session's file, with the sum of its bytes. When a session
// is resumed the file is read five times, and most of the time for that is parsing. The entries are
// never changed.
func parsedText(s string) provider.Part { return provider.Text{Text: s} }

func call(id, input string) provider.Part {
	return provider.ToolCall{ID: id, Name: "read_file", Input: json.RawMessage(input), Given: "given " + id,
		From: "chat https://example.com m"}
}

var talk = []provider.Message{
	user(parsedText("hello\n\x1b[2J <b> \u2028")),
	assistant(provider.Thinking{Text: "hm", Signature: "sig"}, provider.Thinking{Redacted: "r"}, parsedText("I look."),
		call("1", `{"path": "a"}`), call("2", `{"broken":`)),
	user(provider.ToolResult{ID: "1", Text: "content"}, provider.ToolResult{ID: "2", Text: "bad", IsError: true}),
	assistant(parsedText("Done.")),
}

func create(t *testing.T, cfg session.Config, messages ...provider.Message) *session.Log {
	t.Helper()
	l, err := session.Create(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	for _, m := range messages {
		if err := l.Append(m); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func resume(t *testing.T, cfg session.Config, id string) (*session.Log, []provider.Message) {
	t.Helper()
	l, messages, err := session.Resume(cfg, id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, messages
}

func readFile(t *testing.T, l *session.Log) string {
	t.Helper()
	b, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAConversationComesBackAsItWas(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	l.Close()
	l, got := resume(t, cfg, l.ID())
	if !reflect.DeepEqual(got, talk) || len(l.Repaired) > 0 {
		t.Errorf("got %#v, repaired %q", got, l.Repaired)
	}
	more := user(provider.Text{Text: "more", Origin: provider.Undone},
		provider.Text{Text: "no", Origin: provider.Rule, Rule: "r"}, provider.Text{Text: "x", Origin: provider.Aside})
	if err := l.Append(more); err != nil {
		t.Fatal(err)
	}
	l.Close()
	if _, got := resume(t, cfg, l.ID()); !reflect.DeepEqual(got, append(talk[:4:4], more)) {
		t.Errorf("after another message: %#v", got)
	}
}

func TestEachEntryIsALineWithIDParentTimeAndKind(t *testing.T) {
	l := create(t, config(t), talk...)
	parent := ""
	n := 0
	for line := range strings.Lines(readFile(t, l)) {
		var e struct{ ID, Parent, Time, Kind string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if at, err := time.Parse(time.RFC3339, e.Time); e.ID == "" || e.Parent != parent || e.Kind == "" ||
			err != nil || at.Year() != 2026 {
			t.Errorf("entry %s", line)
		}
		parent = e.ID
		n++
	}
	if n != 5 {
		t.Errorf("%d lines", n)
	}
}

func TestOnlyTheOwnerCanReadALog(t *testing.T) {
	cfg := config(t)
	if err := os.MkdirAll(cfg.Dir, 0o777); err != nil {
		t.Fatal(err)
	}
	l := create(t, cfg)
	for path, want := range map[string]os.FileMode{l.Path(): 0o600, filepath.Dir(l.Path()): 0o700 | os.ModeDir,
		cfg.Dir: 0o700 | os.ModeDir} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
}

func TestATornTailIsCutOffAndNeverFatal(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	l.Close()
	whole := readFile(t, l)
	start := strings.LastIndex(strings.TrimSuffix(whole, "\n"), "\n") + 1
	if r, got := resume(t, cfg, l.ID()); !reflect.DeepEqual(got, talk) || len(r.Repaired) > 0 {
		t.Fatalf("undamaged: %d messages, want %d; repaired %q", len(got), len(talk), r.Repaired)
	} else {
		r.Close()
	}
	check := func(torn string, want []provider.Message) {
		t.Helper()
		if err := os.WriteFile(l.Path(), []byte(torn), 0o600); err != nil {
			t.Fatal(err)
		}
		r, got, err := session.Resume(cfg, l.ID())
		if err != nil {
			t.Fatalf("%q: %v", torn[min(start, len(torn)):], err)
		}
		if !reflect.DeepEqual(got, want) || len(r.Repaired) == 0 {
			t.Errorf("tail %q: %d messages, want %d; repaired %q", torn[min(start, len(torn)):], len(got), len(want),
				r.Repaired)
		}
		if err := r.Append(user(parsedText("on"))); err != nil {
			t.Fatal(err)
		}
		r.Close()
		if r, got = resume(t, cfg, l.ID()); strings.Contains(strings.Join(r.Repaired, ""), "half-written") ||
			!reflect.DeepEqual(got, append(want[:len(want):len(want)], user(parsedText("on")))) {
			t.Errorf("after the repair: %#v, %q", got, r.Repaired)
		}
		r.Close()
	}
	for cut := start + 1; cut < len(whole)-1; cut++ {
		check(whole[:cut], talk[:3])
	}
	check(whole[:len(whole)-1]+" {", talk) // an entry is whole without its newline
	check(whole+strings.Repeat("\x00", 100), talk)
	check(whole+"\x00\x00\n{\"id\"", talk)
	lines := strings.SplitAfter(whole, "\n")
	lines[2] = "rubbish\n" // a line in the middle that a disk has eaten: only it is lost, and what it called for
	check(strings.Join(lines, ""), []provider.Message{talk[0], talk[3]})
}

func TestALostResultIsPutInAndWrittenBack(t *testing.T) {
	lost := provider.ToolResult{ID: "2",
		Text: "interrupted: the shell ended while this tool call was open; it may have had effects", IsError: true}
	notRun := provider.ToolResult{ID: "2", IsError: true,
		Text: "interrupted: the shell ended before this tool call was run; it had no effect"}
	one := provider.ToolResult{ID: "1", Text: "content"}
	ask := assistant(call("1", "{}"), call("2", "{}"))
	tests := map[string]struct{ stored, want []provider.Message }{
		"at the end": {[]provider.Message{user(parsedText("x")), assistant(call("2", "{}"))},
			[]provider.Message{user(parsedText("x")), assistant(call("2", "{}")), user(notRun)}},
		"one of two": {[]provider.Message{user(parsedText("x")), ask, user(one)},
			[]provider.Message{user(parsedText("x")), ask, user(one, lost)}},
		"in the middle": {[]provider.Message{user(parsedText("x")), assistant(call("2", "{}")), user(parsedText("y"))},
			[]provider.Message{user(parsedText("x")), assistant(call("2", "{}")), user(lost), user(parsedText("y"))}},
		"two of one id": {[]provider.Message{user(parsedText("x")), assistant(call("1", "{}"), call("1", "{}")),
			user(one, provider.ToolResult{ID: "1", Text: "other"})},
			[]provider.Message{user(parsedText("x")), assistant(call("1", "{}"), call("1", "{}")),
				user(one, provider.ToolResult{ID: "1", Text: "other"})}},
		"a stray one": {[]provider.Message{user(parsedText("x")), user(one), assistant(parsedText("ok"))},
			[]provider.Message{user(parsedText("x")), assistant(parsedText("ok"))}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			cfg := config(t)
			l := create(t, cfg, test.stored...)
			l.Close()
			for range 2 {
				r, got := resume(t, cfg, l.ID())
				if !reflect.DeepEqual(got, test.want) {
					t.Errorf("got %+v\nwant %+v", got, test.want)
				}
				r.Close()
			}
		})
	}
}

func TestASecondOpenerIsToldAndMayFork(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	if _, _, err := session.Resume(cfg, l.ID()); !errors.Is(err, session.ErrLocked) {
		t.Fatalf("error %v", err)
	}
	before := readFile(t, l)
	if got, passed, err := session.ReadConversation(cfg, l.ID()); passed != 0 || err != nil ||
		!reflect.DeepEqual(got, talk) ||
		readFile(t, l) != before {
		t.Errorf("read: %v, %#v", err, got)
	}
	f, got, err := session.Fork(cfg, l.ID())
	if err != nil || f.ID() == l.ID() || !reflect.DeepEqual(got, talk) {
		t.Fatalf("%v, %#v", err, got)
	}
	if err := errors.Join(f.Append(user(parsedText("here"))), l.Append(user(parsedText("there"))), f.Close(),
		l.Close()); err != nil {
		t.Fatal(err)
	}
	for l, last := range map[*session.Log]string{f: "here", l: "there"} {
		if _, got := resume(t, cfg, l.ID()); !reflect.DeepEqual(got, append(talk[:4:4], user(parsedText(last)))) {
			t.Errorf("%s: %#v", last, got)
		}
	}
}

func TestAnIDNamesNothingButASessionOfThisWorkspace(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	l.Close()
	other := cfg
	other.Workspace = t.TempDir()
	if _, _, err := session.Resume(other, l.ID()); !errors.Is(err, session.ErrUnknown) {
		t.Errorf("another workspace: %v", err)
	}
	for _, id := range []string{"", "short", "../../../etc/passwd", "UPPERCASE", "a/b-c-d-e", "ab cd efg",
		strings.Repeat("a", 41), "aaaaaaa\n", "ääääääää"} {
		for _, f := range []func(session.Config, string) (*session.Log, []provider.Message, error){session.Resume,
			session.Fork} {
			if _, _, err := f(cfg, id); !errors.Is(err, session.ErrID) {
				t.Errorf("%q: %v", id, err)
			}
		}
	}
	if _, _, err := session.Resume(cfg, "no-such-session"); !errors.Is(err, session.ErrUnknown) {
		t.Errorf("%v", err)
	}
}

func TestALogIsNeverInsideTheWorkspace(t *testing.T) {
	cfg := config(t)
	work := cfg.Workspace
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(work, link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{work, filepath.Join(work, "a", "b"), filepath.Join(link, "state")} {
		cfg.Dir = dir
		if _, err := session.Create(cfg); !errors.Is(err, session.ErrInside) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	cfg.Dir = work + "-beside"
	if l, err := session.Create(cfg); err != nil {
		t.Errorf("a sibling: %v", err)
	} else {
		l.Close()
	}
	if entries, err := os.ReadDir(work); err != nil || len(entries) > 0 {
		t.Errorf("the workspace holds %v, %v", entries, err)
	}
}

func TestALinkInThePlaceOfALogIsNotFollowed(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	l.Close()
	victim := filepath.Join(t.TempDir(), "victim")
	if err := errors.Join(os.Rename(l.Path(), victim), os.Symlink(victim, l.Path())); err != nil {
		t.Fatal(err)
	}
	if _, _, err := session.Resume(cfg, l.ID()); err == nil {
		t.Error("followed")
	}
}

func TestSecretsAreNotWritten(t *testing.T) {
	cfg := config(t)
	escaped := strings.ReplaceAll(fmt.Sprintf("%q", secret), "s", `\u0073`)
	l := create(t, cfg,
		user(parsedText("my key is "+secret+".")),
		assistant(provider.Thinking{Text: "it is " + secret, Signature: "sig"},
			call("1", `{"path":`+escaped+`,"n":98765432109876543210,"`+strings.ReplaceAll(secret, `"`, `\"`)+`":[`+
				escaped+`]}`), call("2", `{"broken": `+secret)),
		user(provider.ToolResult{ID: "1", Text: secret + secret}, provider.ToolResult{ID: "2", Text: "short"}),
	)
	got := readFile(t, l)
	quoted, _ := json.Marshal(secret)
	for _, form := range []string{secret, strings.Trim(string(quoted), `"`), "0123456789", `\\u0073`} {
		if strings.Contains(got, form) {
			t.Errorf("%q is in the log", form)
		}
	}
	if strings.Count(got, secrets.Hidden) != 8 || !strings.Contains(got, "98765432109876543210") ||
		!strings.Contains(got, `"text":"short"`) || strings.Contains(got, `"sig"`) {
		t.Errorf("the log is\n%s", got)
	}
}

func TestClearBeginsANewConversation(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	if err := errors.Join(l.Clear(), l.Append(user(parsedText("new"))), l.Close()); err != nil {
		t.Fatal(err)
	}
	if _, got := resume(t, cfg, l.ID()); !reflect.DeepEqual(got, []provider.Message{user(parsedText("new"))}) {
		t.Errorf("%#v", got)
	}
}

func TestASessionInWhichNothingWasSaidIsNotKept(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg)
	if !l.Empty() {
		t.Error("not empty")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(l.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	kept := create(t, cfg, talk...)
	kept.Close()
	r, _ := resume(t, cfg, kept.ID())
	r.Close()
	if _, err := os.Stat(kept.Path()); err != nil {
		t.Error("a session that was resumed and left is gone")
	}
}

func TestRecentSessionsComeFirst(t *testing.T) {
	cfg := config(t)
	if ids, err := session.RecentIDs(cfg); err != nil || len(ids) > 0 {
		t.Errorf("%q, %v", ids, err)
	}
	var want []string
	for i := range 3 {
		l := create(t, cfg, talk...)
		l.Close()
		at := time.Date(2026, 1, 1, i, 0, 0, 0, time.UTC)
		if err := os.Chtimes(l.Path(), at, at); err != nil {
			t.Fatal(err)
		}
		want = append([]string{l.ID()}, want...)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(create(t, cfg, talk...).Path()), "NOT A SESSION.jsonl"), nil,
		0o600); err != nil {
		t.Fatal(err)
	}
	if ids, err := session.RecentIDs(cfg); err != nil || !reflect.DeepEqual(ids[1:], want) {
		t.Errorf("%q, %v, want one and %q", ids, err, want)
	}
}
