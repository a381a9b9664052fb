package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

// A probe is one thing that an emulator has or has not: what it is sent, what is asked then, and
// what the answer is of one that has it.
type probe struct {
	group, name string
	input       string
	resizes     []screen.Size // behind the input
	question    question
	want        string // a pattern for all of the answer
	size        screen.Size
}

// untold is the answer where an emulator has no way to tell.
const untold = "?"

// script returns the operations of the probe on a terminal of its own, 20 by 4 unless it says
// otherwise.
func (p probe) script() []screen.Op {
	size := p.size
	if size == (screen.Size{}) {
		size = screen.Size{Cols: 20, Rows: 4}
	}
	size.Scrollback = 100
	ops := []screen.Op{{Reset: &size}, {Write: []byte(p.input)}}
	for i := range p.resizes {
		ops = append(ops, screen.Op{Resize: &p.resizes[i]})
	}
	return append(ops, screen.Op{Dump: screen.Full})
}

// verdict returns what the table says of an answer.
func (p probe) verdict(answer string) string {
	switch {
	case answer == untold:
		return "untold"
	case regexp.MustCompile("^(?:" + p.want + ")$").MatchString(answer):
		return "yes"
	}
	return "no"
}

// A question is what a dump is asked.
type question string

const (
	askScreen  question = "screen"  // rows joined by "/", and the cursor
	askTape    question = "tape"    // the same with the scrollback, which ends with "--"
	askReplies question = "replies" // what it wrote back, ESC as \e and others as in Go
	askCell    question = "cell"    // how the first cell looks
	askWraps   question = "wraps"   // which rows are soft-wrapped into the next one
	askImages  question = "images"  // placements as image@row,col size
	askPrompt  question = "prompt"  // which rows are a shell's prompt
	askLink    question = "link"    // of the first cell
	askTitle   question = "title"
	askPwd     question = "pwd"
)

// needs names what a dump has to be able to tell for a question.
var needs = map[question]string{
	askLink: "link", askWraps: "wrapped", askImages: "images", askPrompt: "prompt", askTitle: "title", askPwd: "pwd",
}

func (q question) answer(d *screen.Dump) string {
	if slices.Contains(d.Unsupported, needs[q]) {
		return untold
	}
	switch q {
	case askTape:
		return strings.TrimPrefix(rows(d.Scrollback)+"/--/", "/") + grid(d)
	case askReplies:
		return strings.ReplaceAll(strings.Trim(fmt.Sprintf("%q", d.Replies), `"`), `\x1b`, `\e`)
	case askCell:
		return cell(d)
	case askWraps:
		return numbers(d, func(r screen.Row) bool { return r.Wrapped })
	case askPrompt:
		return numbers(d, func(r screen.Row) bool { return r.Prompt > 0 })
	case askImages:
		var list []string
		for _, i := range d.Images {
			list = append(list, fmt.Sprintf("%d@%d,%d %dx%d", i.ID, i.Row, i.Col, i.Cols, i.Rows))
		}
		return strings.Join(list, " ")
	case askLink:
		if len(d.Grid) > 0 && len(d.Grid[0].Cells) > 0 {
			return d.Grid[0].Cells[0].Link
		}
		return ""
	case askTitle:
		return d.Title
	case askPwd:
		return d.Pwd
	}
	return grid(d)
}

func rows(list []screen.Row) string {
	var text []string
	for _, r := range list {
		text = append(text, r.Text)
	}
	return strings.Join(text, "/")
}

// grid returns the rows that are not blank at the end, and the cursor.
func grid(d *screen.Dump) string {
	return fmt.Sprintf("%s @%d,%d", strings.TrimRight(rows(d.Grid), "/"), d.Cursor.Row, d.Cursor.Col)
}

func numbers(d *screen.Dump, match func(screen.Row) bool) string {
	var list []string
	for y, r := range d.Grid {
		if match(r) {
			list = append(list, fmt.Sprint(y))
		}
	}
	return strings.Join(list, " ")
}

func cell(d *screen.Dump) string {
	if len(d.Grid) == 0 || len(d.Grid[0].Cells) == 0 {
		return "blank"
	}
	c := d.Grid[0].Cells[0]
	var list []string
	for _, s := range []string{c.Text, prefixed("fg ", c.Fg), prefixed("bg ", c.Bg), c.Under, prefixed("line ", c.Ulc),
		strings.Join(c.Attrs.Names(), " ")} {
		if s != "" {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return "blank"
	}
	return strings.Join(list, ", ")
}

func prefixed(prefix string, c screen.Color) string {
	if c == "" {
		return ""
	}
	return prefix + string(c)
}
