//go:build terminals

package realterm

import "testing"

// konsole under Xvfb: a key of the test's own selects all, history included, and so copies it. It joins soft wraps.
type konsole struct{ frame }

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
	dir := home(t, map[string]string{"config/konsolerc": konsolerc, "data/konsole/test.profile": konsoleProfile, "data/kxmlgui5/konsole/sessionui.rc": konsoleKeys})
	k.frame = frame{show: display(t), class: "konsole", cell: [2]int{7, 14}, edge: [2]int{11, 40}} // above the text is a tool bar
	opened(t, environ(dir, "DISPLAY="+k.show, "QT_QPA_PLATFORM=xcb"), "konsole", "--separate", "--nofork", "-e", "sh", script(t, command))
	k.seen(t)
}

func (k *konsole) tape(t *testing.T) string { return k.selected(t, "primary", "F12") }
