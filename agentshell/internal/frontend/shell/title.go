package shell

import "github.com/scrollkeep/scrollkeep/tui"

// titleColumns is the width of the workspace's name in a window title.
const titleColumns = 60

// updateTitle sets the title of the terminal's window to the name of the workspace and the state of
// the session. The person may be looking at another window. It is called on the loop.
func (sh *Shell) updateTitle() {
	if !sh.cfg.Appearance.SetTitle {
		return
	}
	state := "idle"
	switch {
	case sh.question != nil || sh.modelQuestions > 0:
		state = "asks"
	case sh.busy():
		state = "working"
	}
	name := tui.Space{Width: titleColumns}.Cut(tui.Span{Text: visibleLine(sh.cfg.Workspace.Name, tui.Space{}.Look())})
	if title := plainText(name) + ": " + state; title != sh.windowTitle {
		sh.windowTitle = title
		sh.app.SetTitle(title)
	}
}
