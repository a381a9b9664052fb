package vt

import "strings"

// redraw says which part of its prompt a shell draws again after a resize (OSC 133;A;redraw=).
type redraw uint8

const (
	redrawAll redraw = iota
	redrawNone
	redrawLast // Only the last line.
)

// semanticPrompt implements OSC 133, which marks prompts, input and output.
func (t *Terminal) semanticPrompt(body string) {
	if body == "" {
		return
	}
	options := ""
	if len(body) > 1 {
		if body[1] != ';' || body[0] == 'L' {
			return
		}
		options = body[2:]
	}
	if t.config.Personality.PromptsByRow {
		t.markRow(body[0], options)
		return
	}
	s := t.active
	c := &s.cursor
	switch body[0] {
	case 'L':
		t.freshLine()
	case 'A', 'N':
		t.freshLine()
		t.startPrompt(options)
		switch findOption(options, "redraw") {
		case "0":
			t.redraw = redrawNone
		case "1":
			t.redraw = redrawAll
		case "last":
			t.redraw = redrawLast
		}
	case 'P':
		t.startPrompt(options)
	case 'B':
		c.semantic, c.clearEOL = input, false
	case 'I':
		c.semantic, c.clearEOL = input, true
	case 'C':
		c.semantic, c.clearEOL = output, false
		// A shell that marks no continued lines leaves the row of its output marked as one.
		if c.x == 0 {
			s.row(c.y).flags &^= promptMask
		}
	case 'D':
		c.semantic, c.clearEOL = output, false
	}
}

// markRow implements OSC 133 in terminals where a mark belongs to one row.
func (t *Terminal) markRow(kind byte, options string) {
	r := t.active.row(t.active.cursor.y)
	switch kind {
	case 'A':
		mark := promptFirst
		if findOption(options, "k") == "s" {
			mark = promptMore
		}
		r.flags = r.flags&^promptMask | mark
		t.redraw = redrawAll
		if findOption(options, "redraw") == "0" {
			t.redraw = redrawNone
		}
	case 'C':
		r.flags = r.flags&^promptMask | outputFirst
	}
}

func (t *Terminal) startPrompt(options string) {
	c := &t.active.cursor
	c.semantic, c.clearEOL = prompt, false
	mark := promptFirst
	if k := findOption(options, "k"); k == "c" || k == "s" {
		mark = promptMore
	}
	r := t.active.row(c.y)
	r.flags = r.flags&^promptMask | mark
}

// findOption returns the value of key=value in a list with semicolons.
func findOption(options, key string) string {
	for kv := range strings.SplitSeq(options, ";") {
		if k, v, ok := strings.Cut(kv, "="); ok && k == key {
			return v
		}
	}
	return ""
}

// freshLine moves the cursor to a new row, unless it is at the start of one.
func (t *Terminal) freshLine() {
	left := t.margins.left
	if t.active.cursor.x < left {
		left = 0
	}
	if t.active.cursor.x != left {
		t.carriageReturn()
		t.indexDown()
	}
}
