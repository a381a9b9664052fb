//go:build terminals

package realterm

import (
	"path/filepath"
	"testing"
)

// alacritty under Xvfb: keys of the test's own copy history and screen in vi mode. It joins soft
// wraps.
type alacritty struct{ frame }

// All actions of a key are done, those that its mode allows: vi mode is entered by one key and left
// by the other.
const alacrittyConfig = `window:
  padding: {x: 0, y: 0}
  decorations: none
  dimensions: {columns: 80, lines: 24}
scrolling: {history: 20000}
font:
  normal: {family: DejaVu Sans Mono}
  size: 8
key_bindings:
  - {key: F11, mode: ~Vi, action: ToggleViMode}
  - {key: F12, mode: Vi, action: ScrollToTop}
  - {key: F12, mode: Vi, action: ToggleLineSelection}
  - {key: F12, mode: Vi, action: ScrollToBottom}
  - {key: F12, mode: Vi, action: Copy}
  - {key: F12, mode: Vi, action: ClearSelection}
  - {key: F12, mode: Vi, action: ToggleViMode}
`

func (a *alacritty) start(t *testing.T, command string) {
	dir := home(t, map[string]string{"alacritty.yml": alacrittyConfig})
	a.frame = frame{show: display(t), class: "alacritty", cell: [2]int{6, 13}}
	opened(t, environ(dir, "DISPLAY="+a.show), "alacritty", "--config-file", filepath.Join(dir, "alacritty.yml"), "-e",
		"sh", script(t, command))
	a.seen(t)
}

func (a *alacritty) tape(t *testing.T) string {
	return a.selected(t, "clipboard", "UTF8_STRING", func() { a.keys(t, "F11", "F12") })
}
