package dap

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestTheTableOfDebugAdapters(t *testing.T) {
	table, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	names := func(list []Adapter) string {
		var all []string
		for _, a := range list {
			all = append(all, a.Name)
		}
		return strings.Join(all, " ")
	}
	for _, c := range []struct {
		program Program
		rooted  bool
		want    string
	}{
		{Program{Path: "/w/a.py"}, false, "debugpy"},
		{Program{Path: "/w/a.go"}, false, "dlv"},
		{Program{Path: "/w/sub", Folder: true}, true, "dlv"},
		{Program{Path: "/w/sub", Folder: true}, false, ""},
		{Program{Path: "/w/prog", Binary: true}, false, "gdb lldb-dap dlv"},
		{Program{Path: "/w/prog", Binary: true}, true, "dlv gdb lldb-dap"},
		{Program{Path: "/w/a.mjs"}, false, "js-debug"},
		{Program{Path: "/w/a.py", Binary: true}, false, "debugpy gdb lldb-dap dlv"},
		{Program{Path: "/w/notes.txt"}, true, ""},
	} {
		got := names(table.ForLaunch(c.program, func(a Adapter) bool { return c.rooted && len(a.Roots) > 0 }))
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.program, got, c.want)
		}
	}
	if got := names(table.ForAttach(true)); got != "debugpy js-debug" {
		t.Errorf("a port: %q", got)
	}
	if got := names(table.ForAttach(false)); got != "gdb lldb-dap dlv debugpy js-debug" {
		t.Errorf("a process: %q", got)
	}
	dlv := table["dlv"]
	for path, want := range map[string]string{"/w/a.go": "debug /w/a.go", "/w/a_test.go": "test /w",
		"/w/prog": "exec /w/prog"} {
		args := dlv.LaunchArguments(Program{Path: path, Binary: path == "/w/prog"}, nil, "/w", "/t")
		if got := fmt.Sprint(args["mode"], " ", args["program"]); got != want || args["output"] != "/t/debugged" {
			t.Errorf("%s: %v, want %q", path, args, want)
		}
	}
	if args := table["gdb"].AttachArguments(7, "", 0, "/w"); args["pid"] != 7 || args["port"] != nil {
		t.Errorf("an attach: %v", args)
	}
}

func TestATableOfAPersonStandsOverOurs(t *testing.T) {
	table, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	table, err = table.With([]byte("[gdb]\ndisabled = true\n[debugpy]\ncommand = [\"py\"]\n[dlv.launch]\n" +
		"mode = \"exec\"\n[my]\ncommand = [\"my\"]\nkinds = [\".my\"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	py := table["debugpy"]
	if len(table.Enabled()) != 5 || py.Command[0] != "py" || len(py.Command) != 1 || py.Launch["console"] == nil {
		t.Errorf("%+v", table)
	}
	if dlv := table["dlv"]; dlv.Launch["mode"] != "exec" || len(dlv.Launch) != 1 || dlv.Attach["mode"] != "local" {
		t.Errorf("%+v", dlv)
	}
	for text, want := range map[string]string{"[x]\ncomand = [\"x\"]\n": "line 2: there is no such field",
		"[x]\nkinds = [\".x\"]\n":  `adapter "x": it has no command`,
		"[x]\ncommand = [\"x\"]\n": "kinds or native is missing",
		"[dlv]\nremote = \"x\"\n":  "can be direct or port", "[x\n": "line 1: "} {
		if _, err := table.With([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestAVersionIsTheLastWordOfTheFirstLine(t *testing.T) {
	for text, want := range map[string]string{
		"GNU gdb (Debian 13.1-3) 13.1\nCopyright 2023\n":         "13.1",
		"GNU gdb (GDB) Red Hat Enterprise Linux 8.2-20.el8\n":    "8.2",
		"GNU gdb (crosstool-NG 1.25.0) 12.1 \n":                  "12.1",
		"GNU gdb (GDB) Fedora Linux 14.1-1.fc39\n":               "14.1",
		"GNU gdb (GDB) 17.0.50.20251101-git\n":                   "17.0.50.20251101",
		"GNU gdb 1\nGNU gdb 14\n":                                "1",
		"GNU gdb (Ubuntu 9.2-0ubuntu1~20.04.1) 9.2\r\nSecond\n":  "9.2",
		"GNU gdb (Ubuntu 15.0.50.20240403-0ubuntu1) 15.0.50.2\n": "15.0.50.2",
		"16": "16", "a program that does not tell\n": "", "": "", "\n1.2\n": "", " ...": "",
	} {
		if got := printedVersion(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The stop of a program at its entry is waited for 5 seconds, where nobody says something else.
func TestTheStopAtTheEntryIsWaitedForFiveSeconds(t *testing.T) {
	if got := NewService(Config{}).config.StopTime; got != 5*time.Second {
		t.Errorf("%v", got)
	}
}
