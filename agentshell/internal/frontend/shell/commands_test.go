package shell

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A message that begins with a path goes to the model. A command that does not exist does not.
func TestAMessageMayBeginWithAPath(t *testing.T) {
	for typed, want := range map[string]string{
		"/home/u/shot.png what is it?":     "It came: yes",
		`/home/u/my\ shot.png what is it?`: "It came: yes",
		"/etc/hosts":                       "It came: yes",
		"/shot what is it?":                "There is no command /shot.",
		"/workspace ":                      "workspace: /demo",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := begin(t, small, nil, `{"say":"It came: yes","delay_ms":0}`)
			s.line(typed)
			s.pass(time.Second)
			s.holds(want)
			s.Press("ctrl+d")
			s.Wait()
		})
	}
}

// Each command is one entry of the table, which says what it does and how it is listed.
func TestTheTableOfCommandsHoldsEachOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range builtinCommands() {
		for _, name := range []string{c.name, c.alias} {
			switch {
			case name == "":
			case name[0] != '/' || seen[name]:
				t.Errorf("%q stands twice, or has no slash", name)
			case !Builtin(name[1:]):
				t.Errorf("%q is not built in", name)
			}
			seen[name] = true
		}
		if c.run == nil || c.about == "" || c.arguments != nil && c.args == "" {
			t.Errorf("%s: it does nothing, says nothing of itself, or offers values that it does not take", c.name)
		}
	}
}

// A name that is no command is answered by the one that it may mean.
func TestTheCommandThatWasMeantIsNamed(t *testing.T) {
	var sh Shell
	for name, want := range map[string]string{"/dif": "/diff", "/exi": "/exit", "/contxt": "/context",
		"/vim": "/keys vim", "/permissions": "/rules", "/nonsense": "", "/x": "", "/shot": ""} {
		if got := sh.meantCommand(name); got != want {
			t.Errorf("%s may mean %q, want %q", name, got, want)
		}
	}
	if help := strings.Join(commandHelp(builtinCommands()), "\n"); !strings.Contains(help, "\n/quit, /exit ") {
		t.Errorf("/help has no /exit: %s", help)
	} else if !strings.HasPrefix(help, "Help and settings\n/help") || !strings.Contains(help, "\n\nSessions\n/resume") {
		t.Errorf("/help has no headings: %s", help)
	}
}
