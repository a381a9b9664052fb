//go:build terminals

package realterm

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// konsole under Xvfb: a key of the test's own selects all, history included, and so copies it. It
// joins soft wraps. As plain text it leaves out cells behind a cluster (22.12,
// PlainTextDecoder::decodeLine, which goes on by the width of its characters), as HTML it does not.
type konsole struct {
	frame
	size  [2]int // in pixels
	alone bool   // the alternate screen is shown, of which the key selects nothing
}

// Neither menu nor tabs, for the size in pixels; the profile that Konsole begins with.
const konsolerc = `[Desktop Entry]
DefaultProfile=test.profile
[KonsoleWindow]
RememberWindowSize=false
[MainWindow]
MenuBar=Disabled
[TabBar]
TabBarVisibility=AlwaysHideTabBar
`

const konsoleProfile = `[General]
Name=test
Parent=FALLBACK/
TerminalColumns=80
TerminalRows=24
[Appearance]
Font=DejaVu Sans Mono,8,-1,5,50,0,0,0,0,0
[Scrolling]
HistoryMode=1
HistorySize=20000
ScrollBarPosition=2
`

// Version 0 is older than the program's own: only the shortcut is taken.
const konsoleKeys = `<!DOCTYPE gui SYSTEM 'kpartgui.dtd'>
<gui name="session" version="0"><ActionProperties scheme="Default"><Action name="select-all" shortcut="F12"/></ActionProperties></gui>
`

func (k *konsole) start(t *testing.T, command string) {
	dir := home(t, map[string]string{"config/konsolerc": konsolerc, "data/konsole/test.profile": konsoleProfile,
		"data/kxmlgui5/konsole/sessionui.rc": konsoleKeys})
	// Above the text is a tool bar.
	k.frame = frame{show: display(t), class: "konsole", cell: [2]int{7, 14}, edge: [2]int{11, 40}}
	opened(t, environ(dir, "DISPLAY="+k.show, "QT_QPA_PLATFORM=xcb"), "konsole", "--separate", "--nofork", "-e", "sh",
		script(t, command))
	k.seen(t)
}

func (k *konsole) resize(t *testing.T, cols, rows int) {
	k.size = [2]int{cols*k.cell[0] + k.edge[0], rows*k.cell[1] + k.edge[1]}
	k.frame.resize(t, cols, rows)
}

func (k *konsole) tape(t *testing.T) string {
	all := func() { k.keys(t, "F12") }
	if k.alone {
		all = func() { k.drag(t) }
	}
	return plain(k.selected(t, "primary", "text/html", all))
}

// drag selects the screen, from its last cell to the first one. With shift it does so whatever a
// program has asked to know of the mouse.
func (k *konsole) drag(t *testing.T) {
	to := func(x, y int) {
		k.press(t, "mousemove", "--window", k.id, strconv.Itoa(x), strconv.Itoa(y))
		<-time.After(100 * time.Millisecond)
	}
	to(k.size[0]-3, k.size[1]-3)
	k.press(t, "keydown", "shift", "mousedown", "1")
	to(k.size[0]/2, k.size[1]/2)
	to(2, k.edge[1])
	k.press(t, "mouseup", "1", "keyup", "shift")
}

var tags = regexp.MustCompile("<[^>]*>")

// plain returns the text of what Konsole copies as HTML: in it a line ends with a line feed, a
// blank behind another one does not break, the second column of a wide character is a NUL, and of a
// character beyond U+FFFF there are 16 bits.
func plain(markup string) string {
	text := strings.Map(func(r rune) rune {
		switch {
		case r == 0:
			return -1
		case r == 0xa0:
			return ' '
		case r >= 0xe000 && r <= 0xf8ff:
			return r + 0x10000
		}
		return r
	}, html.UnescapeString(tags.ReplaceAllString(markup, "")))
	return selectors.Replace(text)
}

// selectors puts variation selectors where they were, in the clusters of the workloads: Konsole
// keeps none.
var selectors = strings.NewReplacer("\u2764", "\u2764\ufe0f", "\U0001f3f3", "\U0001f3f3\ufe0f")
