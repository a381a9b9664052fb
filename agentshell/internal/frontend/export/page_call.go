package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// call writes a folded entry for a tool call and its result.
func (w *writer) call(end agent.ToolEnd, c provider.ToolCall, number int) {
	class := markup("")
	if !end.OK {
		class = " failed"
	}
	name, argument, _ := strings.Cut(end.Title, " ")
	w.put(markup(`<details class="call`), class, markup(`" id="m`), number, markup(`"><summary><b>`),
		oneLine(visibleText(name)), markup("</b> <span class=\"what\">"), oneLine(visibleText(shownPath(argument))),
		markup("</span>"))
	switch edits := end.Result.Edits; {
	case !end.OK:
		first, _, _ := strings.Cut(end.Text, "\n")
		w.put(markup(" <span class=\"end\">"), headOf(first), markup("</span>"))
	case len(edits) == 1:
		w.counts(edits[0])
	case len(edits) > 1:
		w.put(markup(" <span class=\"end\">"), len(edits), markup(" files</span>"))
	}
	w.anchor(number)
	w.put(markup("</summary>\n<div class=\"body\">\n"))
	changes := len(end.Result.Edits) > 0 && slices.Contains([]string{"edit_file", "edit", "write_file"}, c.Name)
	if !changes { // for a change, the diff shows the input
		w.input(c.Input, argument)
	}
	for _, e := range end.Result.Edits {
		if !changes || len(end.Result.Edits) > 1 { // otherwise the title names the only file
			w.put(markup("<p class=\"label\">"), oneLine(visibleText(e.Path)))
			w.counts(e)
			w.put(markup("</p>\n"))
		}
		w.diff(e)
	}
	if strings.TrimSpace(end.Text) != "" {
		w.put(markup("<p class=\"label\">Result</p>\n"))
		w.pre(end.Text)
	}
	for _, p := range end.Result.Images {
		w.picture(p)
	}
	w.put(markup("</div></details>\n"))
}

// counts writes how many lines a file change has added and removed.
func (w *writer) counts(e tool.Edited) {
	if e.Removed {
		w.put(markup(" <span class=\"end\">removed</span>"))
		return
	}
	w.put(markup(" <span class=\"end plus\">+"), e.Diff.Stats.Added, markup("</span>"))
	if e.New {
		w.put(markup(" <span class=\"end\">new file</span>"))
	} else {
		w.put(markup(" <span class=\"minus\">−"), e.Diff.Stats.Removed, markup("</span>"))
	}
	if e.Denied {
		w.put(markup(" <span class=\"end\">denied</span>"))
	}
}

// input writes the input of a tool call. The fields of a JSON object are written in their order,
// except a field with the same text as the title. Any other input is written as it is.
func (w *writer) input(raw json.RawMessage, title string) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if start, err := d.Token(); err != nil || start != json.Delim('{') || !json.Valid(raw) {
		if text := strings.TrimSpace(string(raw)); text != "" {
			w.pre(text)
		}
		return
	}
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return
		}
		text := string(value)
		var s string
		if json.Unmarshal(value, &s) == nil {
			text = s
		}
		if text == title || text == shownPath(title) {
			continue
		}
		w.put(markup("<p class=\"label\">"), oneLine(visibleText(fmt.Sprint(name))), markup("</p>\n"))
		w.pre(text)
	}
}

// diff writes the diff of a file change. It writes nothing if the lines of the change are no longer
// stored.
func (w *writer) diff(e tool.Edited) {
	if len(e.Diff.Hunks) == 0 {
		return
	}
	class := markup("diff")
	if e.Diff.Stats.Added+e.Diff.Stats.Removed >= longText {
		class = "diff long"
	}
	w.put(markup(`<pre class="`), class, markup(`">`))
	for i, h := range e.Diff.Hunks {
		if i > 0 {
			w.put(markup("<span class=\"row gap\">⋯</span>"))
		}
		for _, l := range h.Lines {
			w.diffRow(l)
		}
	}
	w.put(markup("</pre>\n"))
}

// diffRow writes a line of a diff. The line number is an attribute and not text, so that the
// browser neither finds nor copies it.
func (w *writer) diffRow(l diff.Line) {
	class, number, mark := markup("row"), l.New, " "
	switch l.Op {
	case diff.Insert:
		class, mark = "row add", "+"
	case diff.Delete:
		class, mark, number = "row cut", "-", l.Old
	}
	text, _ := visible.Options{Tab: true}.String(l.Text)
	w.put(markup(`<span class="`), class, markup(`" data-n="`), number, markup(`">`), mark, text, markup("\n</span>"))
}
