package shell

import "github.com/scrollkeep/scrollkeep/tui"

// titleColumns is how much of the workspace's name a title holds.
const titleColumns = 60

// entitle gives the terminal's window the name of the workspace and what the session does: the
// person may look at another one. On the loop.
func (sh *Shell) entitle() {
	if !sh.cfg.Look.Title {
		return
	}
	state := "idle"
	switch {
	case sh.open != nil:
		state = "asks"
	case sh.busy():
		state = "working"
	}
	name := tui.Space{Width: titleColumns}.Cut(tui.Span{Text: clean(sh.cfg.Workspace, tui.Space{}.Look())})
	if title := plainText(name) + ": " + state; title != sh.title {
		sh.title = title
		sh.app.SetTitle(title)
	}
}
