package main

import "github.com/scrollkeep/scrollkeep/tui"

// look is the theme of that name in the config: dark or light, whatever the terminal says of its
// ground, or none, without colours. Nil is for all others: what the terminal says counts.
func look(name string) func(tui.Caps) *tui.Theme {
	switch name {
	case "dark", "light":
		return func(c tui.Caps) *tui.Theme {
			c.Dark = name == "dark"
			return tui.NewTheme(c)
		}
	case "none":
		return func(c tui.Caps) *tui.Theme {
			c.Color = 0
			return tui.NewTheme(c)
		}
	}
	return nil
}
