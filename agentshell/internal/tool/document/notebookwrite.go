package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// cellHeadPattern matches the line above a cell as [Notebook] writes it; the number is optional.
// nearCellHeadPattern matches lines that are probably meant as such a line.
var (
	cellHeadPattern     = lazyregexp.New(`^# %% \[(\w+)\](?: cell:(\d{1,6}))?\s*$`)
	nearCellHeadPattern = lazyregexp.New(`^\s*(?:\d+[\t:|])?# ?%% ?\[\w+\]`)
)

// IsCells reports whether a text is meant as the cells of a notebook, in the format of [Notebook].
func IsCells(text string) bool {
	for line := range strings.Lines(text) {
		if nearCellHeadPattern().MatchString(line) {
			return true
		}
	}
	return false
}

// IsNotebook reports whether data is a Jupyter notebook.
func IsNotebook(data []byte) bool {
	var n struct {
		Format *int `json:"nbformat"`
	}
	return json.Unmarshal(data, &n) == nil && n.Format != nil
}

// emptyNotebook is the content of a new notebook, before its cells are added.
const emptyNotebook = `{
 "cells": [],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

// WithCells returns a notebook whose cells are replaced by those of text, which is in the format of
// [Notebook]. A cell with an unchanged source keeps its output; a changed cell loses it. If data is
// empty, the notebook is new.
func WithCells(data []byte, text string) ([]byte, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte(emptyNotebook)
	}
	var n struct {
		Cells  []cell `json:"cells"`
		Format int    `json:"nbformat"`
		Minor  int    `json:"nbformat_minor"`
	}
	if err := json.Unmarshal(data, &n); err != nil {
		return nil, fmt.Errorf("the file is not a notebook: %w", err)
	}
	if n.Format < 4 {
		return nil, fmt.Errorf("its format is %d, whose cells cannot be put back; write its JSON", n.Format)
	}
	at, err := findCells(data)
	if err != nil {
		return nil, err
	}
	if len(at.cells) != len(n.Cells) {
		return nil, errors.New("its cells cannot be told apart; write its JSON")
	}
	for i, c := range n.Cells {
		for line := range strings.Lines(string(c.Source)) {
			if cellHeadPattern().MatchString(strings.TrimRight(line, "\r\n")) {
				return nil, fmt.Errorf("its cell %d has a line like the head of a cell; write its JSON", i)
			}
		}
	}
	w := notebookWriter{data: data, oldCells: n.Cells, positions: at, needsIDs: n.Minor >= 5 || n.Format > 4}
	w.usedCells = make([]bool, len(n.Cells))
	cells, err := w.parseCells(strings.ReplaceAll(text, "\r\n", "\n"))
	if err != nil {
		return nil, err
	}
	return w.write(cells)
}

// newCell is a notebook cell that was parsed from a text.
type newCell struct {
	kind   string
	number int // number is the cell's number in its head line; -1: there is none.
	source string
}

// parseCells parses a text in the format of [Notebook]. It returns an error for text before the
// first cell, and for a malformed head line, which would become part of the cell above.
func (w *notebookWriter) parseCells(text string) (cells []newCell, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		head := cellHeadPattern().FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if head == nil {
			last := len(cells) - 1
			switch {
			case nearCellHeadPattern().MatchString(line) && !w.isOldLine(line):
				return nil, fmt.Errorf("line %d is nearly the head of a cell; the line \"# %%%% [code]\" or "+
					"\"# %%%% [code] cell:3\" has nothing else in it", n)
			case last >= 0:
				cells[last].source += line
			case strings.TrimSpace(line) != "":
				return nil, fmt.Errorf("line %d belongs to no cell; begin with a line like \"# %%%% [code]\"", n)
			}
			continue
		}
		c := newCell{kind: head[1], number: -1}
		if number, err := strconv.Atoi(head[2]); err == nil {
			c.number = number
		}
		cells = append(cells, c)
	}
	return cells, nil
}

// isOldLine reports whether line is a line of an old cell's source or output.
func (w *notebookWriter) isOldLine(line string) bool {
	for i, c := range w.oldCells {
		if strings.Contains(string(c.Source)+"\n", line) || strings.Contains(w.printedOutput(i), line) {
			return true
		}
	}
	return false
}

// span is a range of bytes in a file.
type span struct{ from, to int }

// cellPositions holds the positions of the list of cells, and of each cell, in the JSON of a
// notebook.
type cellPositions struct {
	list  span
	cells []span
}

func findCells(data []byte) (at cellPositions, err error) {
	members, err := objectMembers(data)
	if err != nil {
		return at, err
	}
	i := slices.IndexFunc(members, func(m member) bool { return m.name == "cells" })
	if i < 0 {
		return at, errors.New("the notebook has no cells; write its JSON")
	}
	at.list = members[i].span
	d := json.NewDecoder(bytes.NewReader(data[at.list.from:at.list.to]))
	if _, err := d.Token(); err != nil {
		return at, err
	}
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return at, err
		}
		to := at.list.from + int(d.InputOffset())
		at.cells = append(at.cells, span{to - len(raw), to})
	}
	return at, nil
}

// member is a member of a JSON object, with the position of its value.
type member struct {
	name string
	span
}

func objectMembers(object []byte) (members []member, err error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("it is no object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		to := int(d.InputOffset())
		members = append(members, member{fmt.Sprint(name), span{to - len(raw), to}})
	}
	return members, nil
}

// notebookWriter replaces the cells in the JSON of a notebook. All other bytes stay as they are.
type notebookWriter struct {
	data      []byte
	oldCells  []cell
	positions cellPositions
	usedCells []bool // usedCells says of each old cell whether a new cell already continues it.
	needsIDs  bool   // needsIDs says that the format of the notebook requires an id for each cell.
}

func (w *notebookWriter) write(cells []newCell) ([]byte, error) {
	was := make([]int, len(cells)) // the old cell of each, -1: none; the source may differ
	for i, c := range cells {
		if was[i] = -1; c.number >= 0 && c.number < len(w.oldCells) && w.isUnchanged(c, c.number) {
			was[i], w.usedCells[c.number] = c.number, true
		}
	}
	for i, c := range cells {
		if was[i] < 0 {
			was[i] = w.takeUnchanged(c)
		}
	}
	before := w.findAncestors(cells, was)
	open, between, end := w.whiteSpace()
	var b bytes.Buffer
	b.Write(w.data[:w.positions.list.from])
	b.WriteByte('[')
	for i, c := range cells {
		if i == 0 {
			b.WriteString(open)
		} else {
			b.WriteString("," + between)
		}
		raw, err := w.cellJSON(c, was[i], before[i], i, open)
		if err != nil {
			return nil, err
		}
		b.Write(raw)
	}
	if len(cells) > 0 {
		b.WriteString(end)
	}
	b.WriteByte(']')
	b.Write(w.data[w.positions.list.to:])
	return b.Bytes(), nil
}

// findAncestors finds the old version of each edited cell: it returns the index of an old cell for
// each new cell, or -1. was holds the old cells of the unchanged new cells; for those the result is
// -1.
func (w *notebookWriter) findAncestors(cells []newCell, was []int) []int {
	counted := len(cells) != len(w.oldCells) // the numbers are those of the new places
	for i, c := range cells {
		counted = counted && c.number == i
	}
	before := make([]int, len(cells))
	for i, c := range cells {
		if before[i] = -1; was[i] >= 0 {
			continue
		}
		if n := c.number; counted {
			before[i] = w.mostSimilar(c)
		} else if n >= 0 && n < len(w.oldCells) && w.oldCells[n].Kind == c.kind && !w.usedCells[n] {
			before[i] = n
		}
		if before[i] >= 0 {
			w.usedCells[before[i]] = true
		}
	}
	return before
}

// mostSimilar returns the index of the unused old cell whose source is most similar to that of c,
// or -1 if none is similar.
func (w *notebookWriter) mostSimilar(c newCell) int {
	best, most := -1, 0.3
	for i, o := range w.oldCells {
		if w.usedCells[i] || o.Kind != c.kind {
			continue
		}
		if share := similarity(trimSource(string(o.Source)), w.sourceWithoutOutput(c, i)); share > most {
			best, most = i, share
		}
	}
	return best
}

// similarity measures how similar two texts are. It returns the length of their common beginning
// and end, divided by the length of the longer text: 0 to 1.
func similarity(a, b string) float64 {
	longer := max(len(a), len(b), 1)
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, n = a[:len(a)-1], b[:len(b)-1], n+1
	}
	return float64(n) / float64(longer)
}

// takeUnchanged returns the index of an unused old cell with the source of c, and marks it as used.
// It returns -1 if there is none.
func (w *notebookWriter) takeUnchanged(c newCell) int {
	for i := range w.oldCells {
		if w.isUnchanged(c, i) {
			w.usedCells[i] = true
			return i
		}
	}
	return -1
}

func (w *notebookWriter) isUnchanged(c newCell, i int) bool {
	was := trimSource(string(w.oldCells[i].Source))
	return !w.usedCells[i] && w.oldCells[i].Kind == c.kind && (was == trimSource(c.source) ||
		was == w.sourceWithoutOutput(c, i))
}

// trimSource returns a source with "\n" as line ends and without empty lines at its end. Those only
// separate cells.
func trimSource(source string) string {
	return strings.TrimRight(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
}

// printedOutput returns the output of old cell i as comment lines, in the format of [Notebook].
func (w *notebookWriter) printedOutput(i int) string {
	var b strings.Builder
	for _, o := range w.oldCells[i].Outputs {
		o.printTo(&b)
	}
	return b.String()
}

// sourceWithoutOutput returns the source of a new cell without the output of old cell i. A model
// that copies a cell often copies the output below it too, sometimes shortened or with other
// characters.
func (w *notebookWriter) sourceWithoutOutput(c newCell, i int) string {
	text, printed := trimSource(c.source), trimSource(w.printedOutput(i))
	if before, ok := strings.CutSuffix(text, printed); ok || printed == "" {
		return trimSource(before)
	}
	if strings.Contains("\n"+string(w.oldCells[i].Source), "\n"+outputHeadLine) {
		return text
	}
	at := strings.Index("\n"+text, "\n"+outputHeadLine)
	if at < 0 {
		return text
	}
	for line := range strings.Lines(text[at:]) {
		if line != "\n" && !strings.HasPrefix(line, "#") {
			return text
		}
	}
	return trimSource(text[:at])
}

// cellJSON returns the JSON of a new cell. If same is not -1, it is the unchanged old cell with
// that index. If before is not -1, it is that old cell with a new source. Otherwise it is a new
// cell. place is its index.
func (w *notebookWriter) cellJSON(c newCell, same, before, place int, indent string) ([]byte, error) {
	if same >= 0 {
		at := w.positions.cells[same]
		return w.data[at.from:at.to], nil
	}
	indent = strings.TrimPrefix(indent, "\n")
	unit := ""
	if n := len(indent); n > 0 {
		unit = indent[:(n+1)/2]
	}
	if before >= 0 {
		at := w.positions.cells[before]
		return changedCell(w.data[at.from:at.to], w.sourceWithoutOutput(c, before), indent, unit)
	}
	if !slices.Contains([]string{"code", "markdown", "raw"}, c.kind) {
		return nil, fmt.Errorf("a new cell is code, markdown or raw, not %s", c.kind)
	}
	fresh := struct {
		Kind     string            `json:"cell_type"`
		Count    *json.RawMessage  `json:"execution_count,omitempty"`
		ID       string            `json:"id,omitempty"`
		Metadata struct{}          `json:"metadata"`
		Outputs  []json.RawMessage `json:"outputs,omitzero"`
		Source   []string          `json:"source"`
	}{Kind: c.kind, Source: sourceLines(trimSource(c.source))}
	if c.kind == "code" {
		null := json.RawMessage("null")
		fresh.Count, fresh.Outputs = &null, []json.RawMessage{}
	}
	if w.needsIDs {
		fresh.ID = w.newID(fmt.Sprintf("%d %s %s", place, c.kind, c.source))
	}
	return indentedJSON(fresh, indent, unit)
}

// newID returns an id for a cell, derived from text, that no old cell has.
func (w *notebookWriter) newID(text string) string {
	for {
		sum := sha256.Sum256([]byte(text))
		id := fmt.Sprintf("%x", sum[:4])
		if !bytes.Contains(w.data, []byte(`"`+id+`"`)) {
			return id
		}
		text += " "
	}
}

// changedCell returns the JSON of an old cell with another source and without its output.
func changedCell(old []byte, source, indent, unit string) ([]byte, error) {
	members, err := objectMembers(old)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(members, func(m member) bool { return m.name == "source" }) {
		return nil, errors.New("a cell has no source; write its JSON")
	}
	var b bytes.Buffer
	done := 0
	for _, m := range members {
		var value []byte
		switch m.name {
		case "source":
			if value, err = indentedJSON(sourceLines(source), indent+unit, unit); err != nil {
				return nil, err
			}
		case "outputs":
			value = []byte("[]")
		case "execution_count":
			value = []byte("null")
		default:
			continue
		}
		b.Write(old[done:m.from])
		b.Write(value)
		done = m.to
	}
	b.Write(old[done:])
	return b.Bytes(), nil
}

// sourceLines returns a source as a list of its lines, as notebooks store it.
func sourceLines(source string) []string {
	lines := slices.Collect(strings.Lines(source))
	if lines == nil {
		lines = []string{}
	}
	return lines
}

// indentedJSON returns value as JSON. unit is the white space of one level; if it is "", the JSON
// is on one line. Later lines begin with indent.
func indentedJSON(value any, indent, unit string) ([]byte, error) {
	var b, out bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	text := bytes.TrimRight(b.Bytes(), "\n")
	if unit == "" {
		return text, nil
	}
	err := json.Indent(&out, text, indent, unit)
	return out.Bytes(), err
}

// whiteSpace returns the white space before the first cell, between two cells, and after the last
// one, as the file has it. For an empty list it returns that of Jupyter.
func (w *notebookWriter) whiteSpace() (open, between, end string) {
	at := w.positions
	if len(at.cells) == 0 {
		if !bytes.Contains(bytes.TrimSpace(w.data), []byte("\n")) {
			return "", " ", ""
		}
		return "\n  ", "\n  ", "\n "
	}
	open = string(w.data[at.list.from+1 : at.cells[0].from])
	between, end = open, string(w.data[at.cells[len(at.cells)-1].to:at.list.to-1])
	if len(at.cells) > 1 {
		between = string(w.data[at.cells[0].to:at.cells[1].from])
		between = strings.Replace(between, ",", "", 1)
	}
	return open, between, end
}
