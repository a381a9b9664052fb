package shell

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/tui"
)

// noteInput stores the input of a tool call if an extension wants to draw that call or its result.
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

// callRows returns a function that draws the running call with that id: its rows come from an
// extension, and replace the output of the call. It returns nil if no extension draws the call.
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

// resultRows returns the rows by which an extension replaces the result of a call that has ended.
// It waits a short time for them. It returns nil rows if no extension draws the result. The
// function forget drops the rows that were drawn while the call ran; the caller has to call it.
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
