package crew

import (
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

func TestWhoMayStartWhichKindOfAgent(t *testing.T) {
	c := New(Config{Disabled: []string{"oracle"}, Depth: 3, Kinds: append([]Kind{
		{Name: "lead", Spawns: []string{"*"}}, {Name: "few", Spawns: []string{"explore", "few"}},
		{Name: "explore", About: "the first of this name"}}, Bundled()...)})
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	main := c.For(team.Main, 0)
	for _, kind := range []string{"lead", "few", "explore", "task"} {
		main.Join(tool.Assignment{Kind: kind, Name: kind})
	}
	for _, line := range []string{
		"Main lead ", "Main task ", "Main explore ",
		`Main wizard there is no kind of agent "wizard"`, `Main Task there is no kind of agent "Task"`,
		"Main oracle the kind of agent oracle is disabled in the config file",
		"lead explore ", "lead lead an agent of the kind lead does not start another one of it",
		"lead oracle the kind of agent oracle is disabled",
		"few explore ", "few few ", "few task an agent of the kind few may start explore, few, not task",
		"explore task an agent of the kind explore starts no others",
		"task task ", "task lead ",
	} {
		words := strings.SplitN(line, " ", 3)
		got := c.For(words[0], 1).Refusal(words[1])
		if words[2] == "" != (got == "") || !strings.HasPrefix(got, words[2]) {
			t.Errorf("%s starts %s: %q, want %q", words[0], words[1], got, words[2])
		}
	}
	var names []string
	for _, k := range c.For("few", 1).Kinds() {
		names = append(names, k.Name+" "+k.About)
	}
	if want := []string{"few ", "explore the first of this name"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	c.SetKinds([]Kind{{Name: "lead"}})
	if why := main.Refusal("explore"); why == "" || main.Refusal("lead") != "" {
		t.Errorf("after a change: %q", why)
	}
}

func TestTheBundledKinds(t *testing.T) {
	var names []string
	for _, k := range Bundled() {
		names = append(names, k.Name)
		if k.About == "" || k.Prompt == "" {
			t.Errorf("%s says nothing of itself", k.Name)
		}
	}
	if want := "task quick_task explore plan reviewer designer librarian oracle"; strings.Join(names, " ") != want {
		t.Errorf("%q", names)
	}
}
