package app

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// parts tries all parts of the screen that the extension can draw, by its manifest: the status, the
// footer, and the rows of tool calls.
func (t *trial) parts(ctx context.Context, m extension.Manifest) {
	if m.Status {
		t.part(ctx, extension.Asked{Part: extension.PartStatus, Height: 1})
	}
	if m.Footer {
		t.part(ctx, extension.Asked{Part: extension.PartFooter, Height: extension.FooterRows})
	}
	for _, r := range m.Renderers {
		name := r.Tool
		if name == "*" {
			name = "bash"
		}
		asked := extension.AskedOf(extension.PartCall, "trial", name, json.RawMessage(`{"command":"go test ./..."}`))
		if r.Call {
			asked.Height = extension.CallRows
			t.part(ctx, asked)
		}
		if r.Result {
			ok := true
			asked.Part, asked.OK, asked.Text, asked.Height = extension.PartResult, &ok, t.sample, extension.MaxRows
			t.part(ctx, asked)
		}
	}
}

// part asks the extension for the rows of one part of the screen, once for each width.
func (t *trial) part(ctx context.Context, a extension.Asked) {
	for _, a.Width = range t.widths {
		if a.Part == extension.PartStatus && a.Width > extension.StatusWidth {
			a.Width = extension.StatusWidth
		}
		what := a.Part
		if a.Tool != "" {
			what += " of " + a.Tool
		}
		what = fmt.Sprintf("%s in %d columns", what, a.Width)
		if !t.ask(ctx, what, a) || a.Part == extension.PartStatus && a.Width == extension.StatusWidth {
			return
		}
	}
}

// ask asks the extension for rows and prints them. It reports whether the extension has answered.
func (t *trial) ask(ctx context.Context, what string, a extension.Asked) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	began := time.Now()
	rows, known, err := t.extension.Ask(ctx, a)
	took := since(began)
	switch {
	case err != nil:
		t.fault("%s: %v", what, err)
		return false
	case took > extension.ResultTime && a.Part == extension.PartResult:
		t.fault("%s: the answer came after %v; the shell waits %v, and shows the result itself", what, took,
			extension.ResultTime)
	case took > extension.ResultTime:
		t.note("%s: the answer came after %v; until then the shell shows the rows before", what, took)
	case !known:
		t.good("%s: shown as usual, in %v", what, took)
	default:
		t.good("%s: %s, in %v", what, plural.Of(len(rows), "row"), took)
	}
	t.rows(what, rows, a.Width, a.Part == extension.PartCall || a.Part == extension.PartResult)
	return true
}

// styles returns the names of the styles that an extension can give its text; "" is ordinary text.
func styles() []string {
	return []string{"", "dim", "strong", "accent", "added", "removed", "warning", "error", "code", "heading", "keyword",
		"string", "comment", "number", "selected"}
}

// rows prints the rows of an extension as the shell would show them, and reports what is wrong with
// them. If wrap is true, rows of more than that number of columns are wrapped, else they are cut.
func (t *trial) rows(what string, rows extension.Rows, columns int, wrap bool) {
	var lines []string
	part, _, _ := strings.Cut(what, " in ")
	for i, row := range rows {
		var text strings.Builder
		for _, s := range row {
			t.harmless(fmt.Sprintf("%s: row %d", part, i+1), s.Text)
			if !slices.Contains(styles(), s.Style) {
				t.faultOnce("%s: row %d has the style %q, which no theme has", part, i+1, s.Style)
			}
			line, _ := visible.Line(strings.ReplaceAll(s.Text, "\t", "    "))
			text.WriteString(line)
		}
		line := text.String()
		switch has := (width.Model{}).String(line); {
		case has <= columns:
			lines = append(lines, line)
		case wrap:
			lines = slices.AppendSeq(lines, width.Model{}.Wrap(line, columns))
		default:
			t.fault("%s: row %d has %d columns and is cut", what, i+1, has)
			lines = append(lines, width.Model{}.Truncate(line, columns))
		}
	}
	t.indent(lines)
}

// harmless reports characters in texts that the shell would have to replace because they are
// invisible.
func (t *trial) harmless(what string, texts ...string) {
	for _, text := range texts {
		if _, counts := visible.Line(strings.ReplaceAll(text, "\t", "    ")); counts != (visible.Counts{}) {
			t.faultOnce("%s has characters that nobody can see (%s); the shell shows them as tokens", what, counts)
		}
	}
}
