package main

import (
	"reflect"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
)

func TestAThemeOfTheConfigBeatsWhatTheTerminalSays(t *testing.T) {
	for _, depth := range []int{0, 16, 256, 1 << 24} {
		for _, dark := range []bool{false, true} {
			c := tui.Caps{Color: depth, Dark: dark, Unicode: true}
			for name, want := range map[string]tui.Caps{
				"dark":  {Color: depth, Dark: true, Unicode: true},
				"light": {Color: depth, Unicode: true},
				"none":  {Dark: dark, Unicode: true},
			} {
				if got := look(name)(c); !reflect.DeepEqual(got, tui.NewTheme(want)) { // NO_COLOR stays without
					t.Errorf("theme %s, %+v: %+v", name, c, got)
				}
			}
		}
	}
	if look("auto") != nil || look("") != nil {
		t.Error("by itself the theme is not what the terminal says")
	}
}
