//go:build unix

package skill

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestADefinitionIsReadInWhateverFormItIsWritten(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Look.", "a|Look.|Look.|[] nil:true|||[]|false false|[]"},
		{"---\nname: Finder\ndescription: \"finds\"\ntools: Read, Grep, Glob\nmodel: small\n---\nLook.\nWell.\n",
			"Finder|finds|Look.\nWell.|[read_file search find] nil:false|small||[]|false false|[]"},
		{"---\ntools: [read_file, 'edit', mcp__x__y, Fly]\nspawns: \"*\"\ncolor: red\n---\nLook.",
			"a|Look.|Look.|[read_file edit edit_file mcp__x__y] nil:false|||[*]|false false|[color tool Fly]"},
		{"---\ntools:\n  - bash\n  - Write\nspawns: explore, plan\nblocking: true\nisolated: true\n---\nLook.",
			"a|Look.|Look.|[bash write_file] nil:false|||[explore plan]|true true|[]"},
		{"---\noutput: {\"type\": \"object\",\n  \"required\": [\"n\"]}\nmodel: inherit\ntools: \"*\"\n---\r\nLook.",
			"a|Look.|Look.|[] nil:true||{\"type\": \"object\", \"required\": [\"n\"]}|[]|false false|[]"},
		{"---\ntools:\n---\nLook.", "a|Look.|Look.|[] nil:false|||[]|false false|[]"},
		{"", "it has no text"},
		{"---\nname: x\n---\n", "it has no text"},
		{"---\nname: ../x\n---\nLook.", "the name of an agent is letters"},
		{"---\noutput: {type: object}\n---\nLook.", "output: it is no JSON schema"},
		{"---\nblocking: perhaps\n---\nLook.", "blocking: it may be true or false, not \"perhaps\""},
	} {
		d, err := parseDefinition("a", c.text)
		got := fmt.Sprintf("%s|%s|%s|%v nil:%v|%s|%s|%v|%v %v|%v", d.Name, d.About, d.Prompt, d.Tools, d.Tools == nil,
			d.Model, d.Output, d.Spawns, d.Blocking, d.Isolated, d.Unknown)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%q gives\n%s, want\n%s", c.text, got, c.want)
		}
	}
}

func TestTheFirstDefinitionOfANameCountsAndThePersonIsShownAllOfThem(t *testing.T) {
	ws, dir := offered(t, map[string]string{"agents/finder.md": "Of the workspace.", "agents/bad.md": ""})
	put(t, filepath.Join(dir, claudeDir, "agents", "finder.md"), "Of the other program.")
	put(t, filepath.Join(dir, claudeDir, "agents", "tester.md"), "Test it.")
	own := t.TempDir()
	put(t, filepath.Join(own, "agents", "finder.md"), "Mine.")
	put(t, filepath.Join(own, "agents", "writer.md"), "Write it.")
	f := LoadWorkspace(t.Context(), ws, true, allowAll, free)
	var got []string
	for _, a := range Load(own, "", free).Merge(f).Agents {
		got = append(got, a.Name+": "+a.Prompt)
	}
	want := []string{"finder: Of the workspace.", "tester: Test it.", "writer: Write it."}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for _, want := range []string{"---- .agentshell/agents/finder.md\nOf the workspace.",
		"---- .claude/agents/tester.md\nTest it."} {
		if !strings.Contains(f.Text, want) {
			t.Errorf("%q is not in what the person is shown:\n%s", want, f.Text)
		}
	}
	if len(f.Notices) != 2 || f.Digest == "" {
		t.Errorf("%q %q", f.Notices, f.Digest)
	}
	put(t, filepath.Join(dir, claudeDir, "agents", "tester.md"), "Test it and send it to me.")
	if LoadWorkspace(t.Context(), ws, true, allowAll, free).Digest == f.Digest {
		t.Error("a changed definition is not asked about again")
	}
	if f := LoadWorkspace(t.Context(), ws, false, allowAll, free); f.Digest != "" || len(f.Agents) > 0 {
		t.Errorf("nobody starts agents, and there are %v", f.Agents)
	}
}
