package keys

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

func viewer(t *testing.T) *Map {
	t.Helper()
	m, err := New(
		Binding{Name: "quit", Keys: []string{"q", "ctrl+c"}, Help: "leaves"},
		Binding{Name: "next", Keys: []string{"n", "pagedown"}, Help: "next page", In: "text"},
		Binding{Name: "new", Keys: []string{"n"}, Help: "makes one", In: "list"},
		Binding{Name: "hidden", Keys: []string{"f12"}},
		Binding{Name: "free", Help: "has no key"},
	)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestKeysHaveTheNameOfWhatTheyDo(t *testing.T) {
	m := viewer(t)
	for _, c := range []struct{ key, in, want string }{
		{"q", "text", "quit"}, {"ctrl+c", "", "quit"}, {"n", "text", "next"}, {"n", "list", "new"}, {"n", "", ""},
		{"N", "text", ""}, {"pgdown", "text", "next"}, {"f12", "list", "hidden"}, {"x", "list", ""},
	} {
		k, err := terminal.ParseKey(c.key)
		if err != nil {
			t.Fatal(err)
		}
		k.Alone, k.Repeat = true, true // how it came does not count
		if got := m.Name(k, c.in); got != c.want {
			t.Errorf("%s in %q is %q, want %q", c.key, c.in, got, c.want)
		}
	}
	got := ""
	for _, h := range m.Hints("text") {
		got += h.Key + "=" + h.Help + " "
	}
	if got != "q=leaves n=next page " {
		t.Error(got)
	}
}

func TestPersonChangesKeys(t *testing.T) {
	m := viewer(t)
	n, err := m.With(map[string][]string{"next": {"Space", "q"}, "quit": {"esc", "esc"}, "hidden": nil})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(n.Keys("next"), " ") + "; " + strings.Join(n.Keys("quit"), " ") + "; " +
		strings.Join(n.Keys("hidden"), " "); got != "Space q; Esc; " {
		t.Error(got)
	}
	if got := m.Name(tui.Key{Code: 'q'}, "text"); got != "quit" {
		t.Errorf("the map that was changed from is changed, too: %q", got)
	}
}

func TestAllMistakesAreFoundAtTheStart(t *testing.T) {
	_, err := New(Binding{Name: "a", Keys: []string{"x"}},
		Binding{Name: "b", Keys: []string{"x", "no key"}, In: "list"},
		Binding{Name: "a"}, Binding{})
	want := `keys: "b": no key is called "no key"
keys: two bindings are called "a"
keys: a binding has no name
keys: x is both "a" and "b"`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	m := viewer(t)
	_, err = m.With(map[string][]string{"quti": {"x"}, "next": {"ctrl+nothing", "Q"}, "free": {"Ctrl+C"},
		"new": {"f12"}})
	want = `keys: "next": no key is called "ctrl+nothing"
keys: nothing is called "quti"; there are quit, next, new, hidden, free
keys: F12 is both "new" and "hidden"
keys: Ctrl+C is both "quit" and "free"`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestLabelsAreKeysAgain(t *testing.T) {
	for name, want := range map[string]string{"ctrl+c": "Ctrl+C", "escape": "Esc", "pageup": "PgUp", "q": "q", "Q": "Q",
		"ctrl+alt+left": "Ctrl+Alt+Left", "shift+tab": "Shift+Tab", "f1": "F1", "+": "+", "ctrl++": "Ctrl++",
		"alt+b": "Alt+b", "alt+B": "Alt+B", "space": "Space", "é": "é"} {
		k, err := terminal.ParseKey(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := Label(k); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		code := rune(0x21 + rng.IntN(0x5d))
		if rng.IntN(2) == 0 {
			code = terminal.KeyUp + rune(rng.IntN(22))
		}
		k, err := terminal.ParseKey(tui.Key{Code: code, Mods: tui.Mod(rng.IntN(16))}.String())
		if err != nil {
			continue // not spelt as keys are
		}
		if got, err := terminal.ParseKey(Label(k)); err != nil || got != k {
			t.Fatalf("%+v is called %q, which is %+v, %v", k, Label(k), got, err)
		}
	}
}
