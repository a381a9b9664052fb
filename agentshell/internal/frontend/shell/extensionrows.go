package shell

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/tui"
)

// noteInput keeps a call that an extension may show.
func (t *turnView) noteInput(c agent.ToolCall) {
	x := t.sh.cfg.Programs.Extensions
	if x == nil || t.replays ||
		x.Renderer(c.Name, extension.PartCall) == nil && x.Renderer(c.Name, extension.PartResult) == nil {
		return
	}
	if t.inputs == nil {
		t.inputs = map[string]agent.ToolCall{}
	}
	t.inputs[c.ID] = c
}

// callRows returns what shows the running call with that id in the place of the end of its output;
// nil: nothing does.
func (t *turnView) callRows(id string) func(tui.Space) []tui.Line {
	c, noted := t.inputs[id]
	if !noted {
		return nil
	}
	e := t.sh.cfg.Programs.Extensions.Renderer(c.Name, extension.PartCall)
	if e == nil {
		return nil
	}
	asked := extension.AskedOf(extension.PartCall, id, c.Name, c.Input)
	asked.Height = extension.CallRows
	return func(s tui.Space) []tui.Line {
		asked.Width = s.Width
		return cutRows(e.Rows(asked), s)
	}
}

// resultRows returns the rows that an extension shows of a call that has ended; nil: the shell
// shows it. It waits for them for a moment. forget drops what was shown while the call ran.
func (t *turnView) resultRows(ev agent.ToolEnd) (rows extension.Rows, forget func()) {
	forget = func() {}
	c, noted := t.inputs[ev.ID]
	if !noted {
		return nil, forget
	}
	delete(t.inputs, ev.ID)
	x := t.sh.cfg.Programs.Extensions
	if e := x.Renderer(c.Name, extension.PartCall); e != nil {
		forget = func() { t.sh.app.Do(func() { e.Forget(ev.ID) }) }
	}
	e := x.Renderer(c.Name, extension.PartResult)
	if e == nil || !ev.OK || changesFiles(ev.Name) || hidesResult(ev.Name) {
		return nil, forget
	}
	asked := extension.AskedOf(extension.PartResult, ev.ID, c.Name, c.Input)
	asked.OK, asked.Text = &ev.OK, extension.ShownText(ev.Text)
	asked.Width, _ = t.sh.app.LiveSize()
	asked.Height = extension.MaxRows
	rows, known := e.Result(t.ctx, asked)
	if !known {
		return nil, forget
	}
	return rows, forget
}
