package keys_test

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/keys"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func ExampleMap() {
	m, err := keys.New(
		keys.Binding{Name: "quit", Keys: []string{"q"}, Help: "leaves"},
		keys.Binding{Name: "next-page", Keys: []string{"space", "pagedown"}, Help: "goes on"},
	)
	if err != nil {
		panic(err) // a mistake of the program
	}
	m, err = m.With(map[string][]string{"quit": {"ctrl+q"}}) // from a configuration file
	fmt.Println(err, m.Name(tui.Key{Code: ' '}, ""), m.Keys("quit"))
	help := widget.KeyHelp{Keys: m.Hints("")}
	for _, s := range help.View(tui.Space{Width: 40}).Lines[0].Spans {
		fmt.Print(s.Text)
	}
	// Output:
	// <nil> next-page [Ctrl+Q]
	// Ctrl+Q leaves  Space goes on
}

func ExampleBinding() {
	_, err := keys.New(
		keys.Binding{Name: "save", Keys: []string{"ctrl+s"}, In: "editor"},
		keys.Binding{Name: "search", Keys: []string{"ctrl+s"}, In: "list"},
		keys.Binding{Name: "stop", Keys: []string{"Ctrl+S"}},
	)
	fmt.Println(err)
	// Output:
	// keys: Ctrl+S is both "save" and "stop"
	// keys: Ctrl+S is both "search" and "stop"
}

func ExampleLabel() {
	fmt.Println(keys.Label(tui.Key{Code: 'c', Mods: 4}), keys.Label(tui.Key{Code: 0x1b}))
	// Output: Ctrl+C Esc
}
