package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// someServers are servers whose states a test sets.
type someServers struct {
	mu      sync.Mutex
	list    []mcp.Status
	changed chan struct{}
	wanted  []string
	prompts []mcp.Prompt
	asked   []string
}

func (f *someServers) Login(ctx context.Context, name string, show func(string)) error {
	show("https://login.example.com/authorize?state=1")
	select {
	case <-time.After(5 * time.Second):
	case <-ctx.Done():
		return ctx.Err()
	}
	if name == "bad" {
		return fmt.Errorf("the login was refused: no")
	}
	return nil
}

func (f *someServers) Prompts() []mcp.Prompt { return f.prompts }

func (f *someServers) Prompt(ctx context.Context, server, name string, args map[string]string) (string, error) {
	f.mu.Lock()
	f.asked = append(f.asked, fmt.Sprint(server, " ", name, " ", args))
	f.mu.Unlock()
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if name == "broken" {
		return "", fmt.Errorf("it broke\x1b[31m")
	}
	return "Review " + args["what"] + " \x1b[31mnow.", nil
}

func (f *someServers) List() []mcp.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]mcp.Status{}, f.list...)
}

func (f *someServers) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	return f.changed
}

func (f *someServers) set(s mcp.Status) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.list {
		if f.list[i].Name == s.Name {
			f.list[i] = s
		}
	}
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

func (f *someServers) Restart(name string) error { return f.want("restart " + name) }
func (f *someServers) Stop(name string) error    { return f.want("stop " + name) }

func (f *someServers) want(what string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.wanted = append(f.wanted, what); what == "stop none" {
		return fmt.Errorf("no server is named %q", "none")
	}
	return nil
}

func TestServersAreListedAndTheirFailuresTold(t *testing.T) {
	f := &someServers{list: []mcp.Status{{Name: "files", State: mcp.Ready, Tools: 14},
		{Name: "notes", State: mcp.Starting}}}
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) {
			cfg.Programs.Servers = f
			cfg.Programs.ServerLog = func(name string) string { return "/state/" + name + ".log" }
		})
		s.pass(time.Second)
		s.Type("/mcp")
		s.Press("enter")
		s.holds("files  ready, 14 tools", "notes  starting")
		f.set(mcp.Status{Name: "notes", State: mcp.Failed, Why: "exit status 1\x1b[31m"})
		s.pass(time.Second)
		s.holds("MCP server notes failed: exit status 1", "/mcp restart notes tries again. Its log: /state/notes.log")
		s.Type("/mcp restart notes")
		s.Press("enter")
		s.holds("MCP server notes starts anew; /mcp shows when it is ready.")
		f.set(mcp.Status{Name: "notes", State: mcp.Ready, Tools: 1, Skipped: []string{"the tool \"x y\" is left out"}})
		s.pass(time.Second)
		s.holds("MCP server notes runs again, 1 tool.", `MCP server notes: the tool "x y" is left out`)
		s.Type("/mcp stop none")
		s.Press("enter")
		s.holds(`Nothing was done: no server is named "none".`)
		s.Type("/mcp frob")
		s.Press("enter")
		s.holds("There is no /mcp frob.", "Type /mcp, /mcp restart NAME, /mcp stop NAME, or /mcp login")
	})
}

// A login is led through in the browser: the shell shows the page, waits, and can be stopped.
func TestALoginIsShownAndCanBeStopped(t *testing.T) {
	f := &someServers{list: []mcp.Status{{Name: "far", State: mcp.Starting}, {Name: "bad", State: mcp.Starting}}}
	synctest.Test(t, func(t *testing.T) {
		var opened []string
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 30}, func(cfg *Config) {
			cfg.Programs.Servers = f
			cfg.Programs.OpenPage = func(address string) { opened = append(opened, address) }
		})
		line := func(text string, wait time.Duration) {
			s.Type(text)
			s.Press("enter")
			s.pass(wait)
		}
		s.pass(time.Second)
		f.set(mcp.Status{Name: "far", State: mcp.Failed, Why: mcp.ErrLogin.Error(), Login: true})
		s.pass(time.Second)
		s.holds("MCP server far failed: it wants you to log in.", "/mcp login far does that, in your browser.")
		line("/mcp login far", time.Second)
		s.holds("Open this page in your browser", "https://login.example.com/authorize?state=1",
			"waiting for your login at far")
		s.pass(10 * time.Second)
		s.holds("You are logged in at far")
		line("/mcp login far", time.Second)
		s.Press("esc")
		s.pass(time.Second)
		s.holds("The login was stopped.")
		line("/mcp login bad", 10*time.Second)
		s.holds("You are not logged in at bad: the login was refused: no.")
		if len(opened) != 3 {
			t.Errorf("opened %q", opened)
		}
	})
}

// The prompts of servers are commands; what comes of one is the person's message, as they see it.
func TestAPromptOfAServerIsACommand(t *testing.T) {
	f := &someServers{list: []mcp.Status{{Name: "git", State: mcp.Ready}}, prompts: []mcp.Prompt{
		{Server: "git", Name: "review", About: "looks at a change", Args: []mcp.Arg{{Name: "what", Required: true},
			{Name: "how"}}}, {Server: "git", Name: "broken"}}}
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) { cfg.Programs.Servers = f },
			`{"expect":"Review main.go","say":"I review.","delay_ms":0}`)
		line := func(text string, wait time.Duration) {
			s.Type(text)
			s.Press("enter")
			s.pass(wait)
		}
		s.Type("/git")
		s.pass(time.Second)
		s.holds("/git:review WHAT [HOW]", "looks at a change")
		s.Press("esc", "ctrl+u")
		line("/git:review", 100*time.Millisecond)
		s.holds("/git:review needs what.", "Nothing was sent.")
		line("/git:broken", 2*time.Second)
		s.holds("The prompt was not sent: it broke")
		line("/git:review main.go very carefully", 3*time.Second)
		s.holds("Review main.go", "I review.")
		if got := f.asked[len(f.asked)-1]; got != "git review map[how:very carefully what:main.go]" {
			t.Errorf("asked for %q", got)
		}
	})
}

func TestTheArgumentsOfAPrompt(t *testing.T) {
	args := []mcp.Arg{{Name: "a", Required: true}, {Name: "b"}}
	for _, c := range []struct{ rest, want, missing string }{
		{"", "map[]", "a"}, {"x", "map[a:x]", ""}, {"x y z", "map[a:x b:y z]", ""}, {"b=1 x", "map[a:x b:1]", ""},
		{"c=1", "map[a:c=1]", ""}, {`"x y" z`, "map[a:x y b:z]", ""}, {"b=2", "map[b:2]", "a"},
		{"@notes.md", "map[a:@notes.md]", ""},
	} {
		if got, missing := promptArgs(args, c.rest); fmt.Sprint(got) != c.want || missing != c.missing {
			t.Errorf("%q: %v, %q", c.rest, got, missing)
		}
	}
}

// What a foreign tool tells of its progress is shown while it runs.
func TestTheProgressOfAForeignToolIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &tool.Foreign{Server: "srv", Tool: "slow", Schema: json.RawMessage(`{"type":"object"}`),
			Do: func(ctx context.Context, _ json.RawMessage, report func(string)) (tool.Answer, error) {
				for i := range 3 {
					report(fmt.Sprintf("%d of 3 \x1b[31mparts", i+1))
					select {
					case <-ctx.Done():
					case <-time.After(10 * time.Second):
					}
				}
				return tool.Answer{Text: "all parts"}, nil
			}}
		s := beginWith(t, tuitest.Config{Cols: 80, Rows: 24}, nil, []tool.Tool{slow},
			oneCall(`"mcp__srv__slow"`, `{}`)...)
		s.Type("go")
		s.Press("enter")
		s.pass(time.Second)
		s.holds("call mcp__srv__slow")
		s.Press("y")
		s.pass(time.Second)
		s.holds("mcp srv/slow {}", "1 of 3", "parts")
		s.pass(10 * time.Second)
		s.holds("2 of 3")
		s.pass(30 * time.Second)
		s.holds("mcp srv/slow {}", "all parts", "Done.")
	})
}
