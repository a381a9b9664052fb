package extension

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension/extensiontest"
)

func TestAManifestSaysAllThatAnExtensionAdds(t *testing.T) {
	m, err := Parse([]byte(extensiontest.Manifest))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"/do [WHAT]", "does WHAT", "count", `"properties"`,
		"running calls and results of bash", "status row", "below the prompt", "turn_begin", "/proc/self/exe"} {
		if text := m.Text("test", "/ext"); !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	head := "protocol = 1\nabout = \"x\"\n"
	for text, want := range map[string]string{
		"":                                "it is empty",
		`about = "x"`:                     "protocol is 0",
		"protocol = 1":                    "about is missing",
		head:                              "command is missing",
		head + `command = ["bin/x"]`:      "begins with ${dir}/ or /",
		head + `command = ["../x"]`:       "begins with ${dir}/ or /",
		head + "command = ['x']\nnew = 1": `line 4: there is no such field: "new"`,
		head + "command = ['x']\nevents = ['no']":                                               `no event "no"`,
		head + "command = ['x']\n[[commands]]\nname = 'A'\nabout = 'x'":                         "small letters",
		head + "command = ['x']\n[[commands]]\nname = 'a'":                                      "about is missing",
		head + "command = ['x']\n[[tools]]\nname = 'a__b'\nabout = 'x'":                         "single _",
		head + "command = ['x']\n[[tools]]\nname = 'a'\nabout = 'x'\nschema = '[]'":             "JSON schema",
		head + "command = ['x']\n[[renderers]]\ntool = 'bash'":                                  "call = true",
		head + "command = ['x']\n" + strings.Repeat("[[renderers]]\ntool='x'\ncall=true\n", 21): "20 commands",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	got := Manifest{Command: []string{"${dir}/x", "a", "${dir}"}}.CommandIn("/e")
	if !slices.Equal(got, []string{"/e/x", "a", "/e"}) {
		t.Errorf("%q", got)
	}
}

func TestADigestChangesWithEachFile(t *testing.T) {
	dir := t.TempDir()
	seen := map[string]bool{}
	look := func(what string) {
		t.Helper()
		sum, err := Digest(dir)
		if err != nil || seen[sum] {
			t.Errorf("%s: %q, %v", what, sum, err)
		}
		seen[sum] = true
	}
	file := filepath.Join(dir, "a")
	look("empty")
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"a file", func() error { return os.WriteFile(file, []byte("x"), 0o600) }},
		{"other bytes", func() error { return os.WriteFile(file, []byte("y"), 0o600) }},
		{"executable", func() error { return os.Chmod(file, 0o700) }},
		{"a name", func() error { return os.Rename(file, filepath.Join(dir, "b")) }},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		look(step.what)
	}
	if err := os.Symlink("/etc/passwd", file); err != nil {
		t.Fatal(err)
	}
	if _, err := Digest(dir); err == nil || !strings.Contains(err.Error(), "links are not followed") {
		t.Errorf("with a link: %v", err)
	}
}

func TestRowsAreBoundedAndHaveNoLineEnds(t *testing.T) {
	for in, want := range map[string]string{
		`"a\nb\r\nc"`: "a b c",
		`[{"text":"a"},{"text":""},{"text":"b","link":"javascript:x"}]`: "ab",
		`[]`:                                  "",
		`"` + strings.Repeat("é", 5000) + `"`: strings.Repeat("é", 2048),
	} {
		var r Row
		if err := r.UnmarshalJSON([]byte(in)); err != nil || text(Rows{r}) != want {
			t.Errorf("%.40s: %.40q, %v", in, text(Rows{r}), err)
		}
		for _, s := range r {
			if s.Link != "" {
				t.Errorf("%.40s: the link %q", in, s.Link)
			}
		}
	}
	var r Row
	spans := strings.Repeat(`{"text":"x"},`, 100)
	if err := r.UnmarshalJSON([]byte("[" + strings.TrimSuffix(spans, ",") + "]")); err != nil || len(r) != maxRowSpans {
		t.Errorf("%d spans, %v", len(r), err)
	}
}

func TestAManifestNamesThePartThatItLacks(t *testing.T) {
	for want, s := range map[string]registeredNames{
		"a status, which extension.toml does not list: status = true is missing": {Status: true},
		"a footer, which extension.toml does not list: footer = true is missing": {Footer: true},
	} {
		s.Protocol = Protocol
		if err := (Manifest{}).checkRegistered(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestAManifestThatIsOlderThanItsProgramIsTold(t *testing.T) {
	m := Manifest{About: "x", Commands: []Command{{Name: "a", About: "b", Args: "[C]"}},
		Tools:     []Tool{{Name: "t", About: "b", Schema: `{"type": "object"}`}},
		Renderers: []Renderer{{Tool: "bash", Call: true}}}
	own := func(tool string) Registered {
		return Registered{Manifest: "about='x'\n[[commands]]\nname='a'\nabout='b'\nargs='[C]'\n[[tools]]\n" +
			"name='t'\nabout='b'\nkind='other'\nschema='{\"type\":\"object\"" + tool + "}'\n" +
			"[[renderers]]\ntool='bash'\ncall=true\n"}
	}
	if list := m.Stale(own("")); len(list) != 0 || len(m.Stale(Registered{})) != 0 {
		t.Errorf("the same: %q", list)
	}
	if list := m.Stale(own(`,"required":["n"]`)); !slices.Equal(list, []string{"another schema of the tool t"}) {
		t.Errorf("%q", list)
	}
	m.Commands[0].Args, m.Renderers[0].Result = "", true
	if list := m.Stale(own("")); !slices.Equal(list, []string{"other args of the command a",
		"another renderer of bash"}) {
		t.Errorf("%q", list)
	}
}

func TestALogHasNoControls(t *testing.T) {
	var log strings.Builder
	l := &lateLog{open: func() io.Writer { return &log }}
	n, err := l.Write([]byte("a\tb\n\x1b[2Jc\u009b31m\n"))
	if err != nil || n != 15 || strings.ContainsAny(log.String(), "\x1b\u009b") ||
		!strings.HasPrefix(log.String(), "a\tb\n") || !strings.HasSuffix(log.String(), "31m\n") {
		t.Errorf("%d, %v: %q", n, err, log.String())
	}
}

// A value of the manifest cannot add rows to the question about it.
func TestAManifestForgesNoRow(t *testing.T) {
	const evil = "shows\n  runs         node x.js\u009b\u202e"
	m := Manifest{About: evil, Command: []string{"sh", "-c", "x #" + evil},
		Commands:  []Command{{Name: "a", Args: evil, About: evil}},
		Tools:     []Tool{{Name: "t", About: evil, Schema: `{"a": "` + evil + `"}`}},
		Renderers: []Renderer{{Tool: evil, Call: true}}}
	text := m.Text("test", "/ext")
	if n := strings.Count(text, "\n"); n != 7 || strings.ContainsAny(text, "\u009b\u202e") ||
		strings.Count(text, "\n  runs ") != 1 {
		t.Errorf("%d lines: %q", n, text)
	}
}
