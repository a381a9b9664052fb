package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// cellHead is the line above a cell, as [Notebook] writes it; the number may be missing.
var cellHead = regexp.MustCompile(`^# %% \[(\w+)\](?: cell:(\d{1,6}))?\s*$`)

// IsCells reports whether a text is cells as [Notebook] gives them.
func IsCells(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return cellHead.MatchString(line)
}

// IsNotebook reports whether a file is a notebook.
func IsNotebook(data []byte) bool {
	var n struct {
		Format *int `json:"nbformat"`
	}
	return json.Unmarshal(data, &n) == nil && n.Format != nil
}

// emptyNotebook is what a notebook is made of where there was none.
const emptyNotebook = `{
 "cells": [],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

// WithCells returns a notebook with the cells of a text, as [Notebook] gives them, in place of its
// own. A cell whose source is the same stays as it is, with what it has printed; another one loses
// that. No data: a new notebook.
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
	at, err := cellsOf(data)
	if err != nil {
		return nil, err
	}
	if len(at.cells) != len(n.Cells) {
		return nil, errors.New("its cells cannot be told apart; write its JSON")
	}
	for i, c := range n.Cells {
		for line := range strings.Lines(string(c.Source)) {
			if cellHead.MatchString(strings.TrimRight(line, "\r\n")) {
				return nil, fmt.Errorf("its cell %d has a line like the head of a cell; write its JSON", i)
			}
		}
	}
	w := notebookWriter{data: data, old: n.Cells, at: at, ids: n.Minor >= 5 || n.Format > 4}
	w.used = make([]bool, len(n.Cells))
	return w.write(cellsIn(text))
}

// newCell is a cell of a text.
type newCell struct {
	kind   string
	number int // of the cell that it was; -1: it has none
	source string
}

// cellsIn reads cells as [Notebook] writes them.
func cellsIn(text string) (cells []newCell) {
	for line := range strings.Lines(text) {
		head := cellHead.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if head == nil {
			if last := len(cells) - 1; last >= 0 {
				cells[last].source += line
			}
			continue
		}
		c := newCell{kind: head[1], number: -1}
		if number, err := strconv.Atoi(head[2]); err == nil {
			c.number = number
		}
		cells = append(cells, c)
	}
	return cells
}

// span is a part of a file.
type span struct{ from, to int }

// cellPlaces is where the list of cells stands, and each of them.
type cellPlaces struct {
	list  span
	cells []span
}

func cellsOf(data []byte) (at cellPlaces, err error) {
	members, err := membersOf(data)
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

// member is a member of an object and where its value stands.
type member struct {
	name string
	span
}

func membersOf(object []byte) (members []member, err error) {
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

// notebookWriter writes the cells of a notebook anew.
type notebookWriter struct {
	data []byte
	old  []cell
	at   cellPlaces
	used []bool // old cells that have a place in the new list
	ids  bool   // the format wants an id of each cell
}

func (w *notebookWriter) write(cells []newCell) ([]byte, error) {
	was := make([]int, len(cells)) // the old cell of each, -1: none; the source may differ
	for i, c := range cells {
		if was[i] = -1; c.number >= 0 && c.number < len(w.old) && w.matches(c, c.number) {
			was[i], w.used[c.number] = c.number, true
		}
	}
	for i, c := range cells {
		if was[i] < 0 {
			was[i] = w.same(c)
		}
	}
	open, between, end := w.indents()
	var b bytes.Buffer
	b.Write(w.data[:w.at.list.from])
	b.WriteByte('[')
	for i, c := range cells {
		if i == 0 {
			b.WriteString(open)
		} else {
			b.WriteString("," + between)
		}
		raw, err := w.cell(c, was[i], i, open)
		if err != nil {
			return nil, err
		}
		b.Write(raw)
	}
	if len(cells) > 0 {
		b.WriteString(end)
	}
	b.WriteByte(']')
	b.Write(w.data[w.at.list.to:])
	return b.Bytes(), nil
}

// same takes an old cell that is not used yet and has the source of a new one; -1: there is none.
func (w *notebookWriter) same(c newCell) int {
	for i := range w.old {
		if w.matches(c, i) {
			w.used[i] = true
			return i
		}
	}
	return -1
}

func (w *notebookWriter) matches(c newCell, i int) bool {
	return !w.used[i] && w.old[i].Kind == c.kind && trimmed(string(w.old[i].Source)) == w.source(c, i)
}

func trimmed(source string) string { return strings.TrimSuffix(source, "\n") }

// source returns the source of a new cell without what the old cell i has printed, which a reader
// of the cells sees below it.
func (w *notebookWriter) source(c newCell, i int) string {
	var printed strings.Builder
	for _, o := range w.old[i].Outputs {
		o.print(&printed)
	}
	return trimmed(strings.TrimSuffix(c.source, printed.String()))
}

// cell returns the JSON of a cell: the old one as it is, the old one with another source, or a new
// one.
func (w *notebookWriter) cell(c newCell, same, place int, indent string) ([]byte, error) {
	if same >= 0 {
		at := w.at.cells[same]
		return w.data[at.from:at.to], nil
	}
	indent = strings.TrimPrefix(indent, "\n")
	unit := ""
	if n := len(indent); n > 0 {
		unit = indent[:(n+1)/2]
	}
	if n := c.number; n >= 0 && n < len(w.old) && w.old[n].Kind == c.kind && !w.used[n] {
		w.used[n] = true
		at := w.at.cells[n]
		return changedCell(w.data[at.from:at.to], w.source(c, n), indent, unit)
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
	}{Kind: c.kind, Source: linesOf(trimmed(c.source))}
	if c.kind == "code" {
		null := json.RawMessage("null")
		fresh.Count, fresh.Outputs = &null, []json.RawMessage{}
	}
	if w.ids {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %s", place, c.kind, c.source))
		fresh.ID = fmt.Sprintf("%x", sum[:4])
	}
	return indented(fresh, indent, unit)
}

// changedCell returns an old cell with another source and without what it has printed.
func changedCell(old []byte, source, indent, unit string) ([]byte, error) {
	members, err := membersOf(old)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	done := 0
	for _, m := range members {
		var value []byte
		switch m.name {
		case "source":
			if value, err = indented(linesOf(source), indent+unit, unit); err != nil {
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

// linesOf returns a source as notebooks have it, a list of its lines.
func linesOf(source string) []string {
	lines := slices.Collect(strings.Lines(source))
	if lines == nil {
		lines = []string{}
	}
	return lines
}

// indented returns the JSON of a value; with no unit it is on one line.
func indented(value any, indent, unit string) ([]byte, error) {
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

// indents returns what stands before the first cell, between two and behind the last, as it is in
// the file. An empty list is taken to be written as Jupyter does.
func (w *notebookWriter) indents() (open, between, end string) {
	at := w.at
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
