package keymap_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// contexts are all in which keys are turned into others.
var contexts = []keymap.Context{keymap.Prompt, keymap.Field, keymap.Completion, keymap.Search, keymap.List, keymap.Pane,
	keymap.Pager}

func key(t *testing.T, name string) terminal.Key {
	t.Helper()
	k, err := terminal.ParseKey(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// universe returns every key that a terminal can send, but for letters of other scripts.
func universe() (keys []terminal.Key) {
	var codes []rune
	for r := ' '; r < 0x7f; r++ {
		codes = append(codes, r)
	}
	codes = append(codes, terminal.KeyTab, terminal.KeyEnter, terminal.KeyEscape, terminal.KeyBackspace)
	for r := terminal.KeyUp; r <= terminal.KeyF12; r++ {
		codes = append(codes, r)
	}
	for _, c := range codes {
		for mods := terminal.Mod(0); mods < 16; mods++ {
			keys = append(keys, terminal.Key{Code: c, Mods: mods})
		}
	}
	return keys
}

func TestTheZeroMapChangesNoKey(t *testing.T) {
	var zero keymap.Map
	for i, m := range []keymap.Map{zero, zero.WithTable()} {
		for j, k := range universe() {
			if i == 0 && j%50 != 0 {
				continue
			}
			for _, in := range contexts {
				got := m.Translate(in, k)
				if got != k && m.ActionOf(in, k) == "" && !k.Is("alt+n") {
					t.Fatalf("%v in %v becomes %v, and does nothing", k, in, got)
				}
				if m.ActionOf(in, got) != m.ActionOf(in, k) && !got.Is("alt+n") && got.Code != 0 {
					t.Fatalf("%v in %v does %q, and %v %q", k, in, m.ActionOf(in, k), got, m.ActionOf(in, got))
				}
			}
		}
	}
}

// TestTheEditorHasNoKeyWithoutAName finds keys that the prompt takes and the table does not list.
func TestTheEditorHasNoKeyWithoutAName(t *testing.T) {
	m := keymap.Map{}.WithTable()
	for _, k := range universe() {
		if k.Text() != "" || k.Mods&terminal.Super != 0 {
			continue
		}
		taken := false
		for _, text := range []string{"one two\nthree four", "one"} {
			e := &tui.Editor{History: []string{"before"}, OnSubmit: func(string) {}}
			e.SetText(text)
			s := tui.Space{Width: 40, Height: 10}
			e.HandleEvent(key(t, "left"), s)
			e.HandleEvent(key(t, "left"), s)
			e.HandleEvent(key(t, "ctrl+w"), s)
			taken = e.HandleEvent(k, s) || taken
		}
		listed := m.ActionOf(keymap.Field, k) != "" || m.ActionOf(keymap.Prompt, k) != ""
		if taken && !listed {
			t.Errorf("%v does something in the prompt, and no action has it", k)
		}
	}
}

func TestAnActionGetsOtherKeys(t *testing.T) {
	m, err := keymap.New(map[string][]string{
		"submit": {"Ctrl+S"}, "newline": {"Enter", "Ctrl+J"}, "word-left": {"ALT+B"}, "undo": {}, "tree-label": {"F2"},
		"row-down": {"d", "Down"}, "pager-close": {"z"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		in        keymap.Context
		key, want string // "": nothing
	}{
		{keymap.Prompt, "ctrl+s", "enter"}, {keymap.Prompt, "enter", "ctrl+j"},
		{keymap.Prompt, "shift+enter", ""}, {keymap.Prompt, "ctrl+j", "ctrl+j"}, {keymap.Prompt, "alt+enter", ""},
		{keymap.Prompt, "alt+b", "ctrl+left"}, {keymap.Prompt, "ctrl+left", ""}, {keymap.Prompt, "ctrl+_", ""},
		{keymap.Prompt, "ctrl+c", "ctrl+c"}, {keymap.Prompt, "x", "x"}, {keymap.Prompt, "y", "y"},
		{keymap.Completion, "enter", "enter"}, {keymap.List, "f2", "alt+n"}, {keymap.List, "L", "L"},
		{keymap.List, "alt+n", ""}, {keymap.Pane, "d", "j"}, {keymap.Pane, "j", ""}, {keymap.Pane, "down", "j"},
		{keymap.Pane, "y", "y"}, {keymap.Pager, "q", ""}, {keymap.Pager, "z", "q"}, {keymap.Pager, "d", "j"},
	} {
		for _, alone := range []bool{false, true} {
			k := key(t, test.key)
			k.Alone = alone
			var want terminal.Key
			if test.want != "" {
				want = key(t, test.want)
				want.Alone = alone
			}
			if got := m.Translate(test.in, k); got != want {
				t.Errorf("%s in %v is %v, want %q", test.key, test.in, got, test.want)
			}
		}
	}
	if got := m.Expand("{submit} sends, {word-left} goes"); got != "Ctrl+S sends, Alt+B goes" {
		t.Errorf("said %q", got)
	}
	if got := m.ExpandAll(" · ", "{undo} undoes", "{submit} sends"); got != "Ctrl+S sends" {
		t.Errorf("joined %q", got)
	}
}

func TestWhatCannotBeAKeyIsRefused(t *testing.T) {
	tests := []struct {
		set  map[string][]string
		want string
	}{
		{map[string][]string{"sumbit": {"F1"}}, `did you mean "submit"?`},
		{map[string][]string{"": {"F1"}}, `there is no action ""`},
		{map[string][]string{"submit": {}}, "submit needs at least one key"},
		{map[string][]string{"undo": {"Ctrl+Nothing"}}, `"Ctrl+Nothing" is not a key`},
		{map[string][]string{"undo": {""}}, `"" is not a key`},
		{map[string][]string{"undo": {"x"}}, `"x" is a character that you may want to type`},
		{map[string][]string{"undo": {"Space"}}, "that you may want to type"},
		{map[string][]string{"list-close": {"q"}}, "that you may want to type"},
		{map[string][]string{"search-older": {"é"}}, "that you may want to type"},
		{map[string][]string{"newline": {"Enter"}},
			"Enter is the key of submit, too; give submit another key, or use another one here"},
		{map[string][]string{"word-left": {"Ctrl+P"}},
			`Ctrl+P is the key of history-previous, too; use another key here, or take it away there: ` +
				`history-previous = []`},
		{map[string][]string{"undo": {"Alt+F"}}, `word-right = ["Ctrl+Right", "Alt+Right"]`},
		{map[string][]string{"undo": {"F1"}, "redo": {"F1"}}, "F1 is the key of undo, too"},
		{map[string][]string{"undo": {"Ctrl+C"}}, "that one cannot be changed, so use another key here"},
		{map[string][]string{"undo": {"Ctrl+Z"}}, "that one cannot be changed"},
		{map[string][]string{"interrupt": {"F1"}}, "Ctrl+C has to work always"},
		{map[string][]string{"approve": {"Enter"}}, "the keys of a decision cannot be changed"},
		{map[string][]string{"approve-flagged": {}}, "the keys of a decision cannot be changed"},
		{map[string][]string{"deny": {"x"}}, "the keys of a decision cannot be changed"},
		{map[string][]string{"row-down": {"y"}}, "y is the key of approve, too"},
		{map[string][]string{"next-match": {"n"}}, "n is the key of"},
		{map[string][]string{"half-page-down": {"Ctrl+C"}}, "that one cannot be changed"},
		{map[string][]string{"wrap": {"1"}}, "1 is the key of choose-rule, too"},
	}
	for action, key := range map[string]string{"undo": "F1", "submit": "Ctrl+S", "list-close": "F3", "row-down": "F4"} {
		if m, err := keymap.New(map[string][]string{action: {key}}); err != nil || m.KeyOf(action) != key {
			t.Errorf("%s may be %s: %q, %v", action, key, m.KeyOf(action), err)
		}
	}
	for _, test := range tests {
		m, err := keymap.New(test.set)
		var wrong *keymap.Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.set, err, test.want)
			continue
		}
		if _, named := test.set[wrong.Action]; !named {
			t.Errorf("%v: the error is about %q", test.set, wrong.Action)
		}
		if m.KeyOf("submit") != "Enter" {
			t.Errorf("%v: half a map", test.set)
		}
	}
}

// TestNoKeyIsTurnedIntoAnAnswer sets every action that can be set to every key that is taken: what
// comes of a key in the pane is never one that decides.
func TestNoKeyIsTurnedIntoAnAnswer(t *testing.T) {
	answers := []string{"y", "Y", "n", "r", "a", "m", "A", "i", "s", "e", "v", "f", "?", "}", "{", "1", "9", "esc",
		"tab", "enter", "ctrl+c", "ctrl+g"}
	var names []string
	for _, g := range (keymap.Map{}).List() {
		for _, r := range g.Rows {
			names = append(names, r.Name)
		}
	}
	set := 0
	for _, name := range names {
		for _, text := range append(slices.Clone(answers), "F9", "x", "Space", "Ctrl+X") {
			m, err := keymap.New(map[string][]string{name: {text}})
			if err != nil {
				continue
			}
			set++
			for _, k := range universe() {
				got := m.Translate(keymap.Pane, k)
				for _, a := range answers {
					if got.Is(a) && !k.Is(a) {
						t.Fatalf("with %s = %s, %v in the pane becomes %v", name, text, k, got)
					}
				}
			}
		}
	}
	if set < 100 {
		t.Errorf("only %d settings were tried", set)
	}
}

func TestTheTableIsSound(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range (keymap.Map{}).List() {
		for _, r := range g.Rows {
			if seen[r.Name] || r.About == "" || r.Keys == "" || r.BuiltIn != "" {
				t.Errorf("row %+v", r)
			}
			seen[r.Name] = true
			keys := strings.Fields(r.Keys)
			for _, k := range keys {
				if _, err := terminal.ParseKey(k); err != nil {
					t.Errorf("%s: %v", r.Name, err)
				}
			}
			// What is listed can be written into the configuration as it is.
			if _, err := keymap.New(map[string][]string{r.Name: keys}); err != nil && !r.Fixed {
				t.Errorf("%s with its own keys: %v", r.Name, err)
			}
		}
	}
}

// TestTextsNameActionsThatThereAre reads the code of the shell.
func TestTextsNameActionsThatThereAre(t *testing.T) {
	var m keymap.Map
	files, err := filepath.Glob("../../frontend/shell/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	found := 0
	name := regexp.MustCompile(`"[^"\n]*\{([a-z]+(?:-[a-z]+)*)\}`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range name.FindAllStringSubmatch(string(text), -1) {
			found++
			if m.KeyOf(match[1]) == "" {
				t.Errorf("%s: there is no action %q", file, match[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d names were found", found)
	}
}

// Where Escape does not arrive, a key that does is named.
func TestWithoutEscapeAnotherKeyIsNamed(t *testing.T) {
	own, err := keymap.New(map[string][]string{"stop": {"Esc", "Ctrl+X"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m             keymap.Map
		action        string
		with, without string
	}{
		{keymap.Map{}, "stop", "Esc", "Ctrl+C twice"},
		{keymap.Map{}, "deny-and-stop", "Esc", "Ctrl+C twice"},
		{keymap.Map{}, "search-cancel", "Esc", "Ctrl+G"},
		{keymap.Map{}, "interrupt", "Ctrl+C", "Ctrl+C twice"},
		{keymap.Map{}, "submit", "Enter", "Enter"},
		{own, "stop", "Esc", "Ctrl+X"},
	} {
		with, without := c.m.KeyOf(c.action), c.m.WithoutEscape().KeyOf(c.action)
		if with != c.with || without != c.without {
			t.Errorf("%s is named %q, and without Escape %q", c.action, with, without)
		}
	}
}

func FuzzSettings(f *testing.F) {
	f.Add("submit", "Ctrl+S", "newline", "Enter")
	f.Add("undo", "Alt+Shift+B", "row-down", "++")
	f.Fuzz(func(t *testing.T, a, x, b, y string) {
		m, err := keymap.New(map[string][]string{a: {x}, b: {y}})
		if err != nil {
			return
		}
		shown := map[string][]string{}
		for _, g := range m.List() {
			for _, r := range g.Rows {
				if r.BuiltIn != "" {
					shown[r.Name] = strings.Fields(r.Keys)
				}
			}
		}
		if _, err := keymap.New(shown); err != nil {
			t.Errorf("%q and %q are listed as %q, which cannot be set: %v", x, y, shown, err)
		}
	})
}
