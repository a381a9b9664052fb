package shell

import "github.com/scrollkeep/scrollkeep/tui"

// titleColumns is the largest width of the workspace's name in the window's title, in columns.
const titleColumns = 60

// updateTitle sets the title of the terminal's window to the workspace's name and the state of the
// session, so that a user who looks at another window sees the state. It is called on the event
// loop.
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
