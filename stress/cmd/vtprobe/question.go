package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

// probe describes one question to an emulator about a feature: the output that it is sent, the part
// of its state that is looked at then, and the answer of an emulator that has the feature.
type probe struct {
	group, name string
	input       string
	resizes     []screen.Size // sizes that the terminal gets after the input
	question    question
	want        string // a regular expression that the whole answer must match
	size        screen.Size
}

// untold is the answer of an emulator that cannot report the state in question.
const untold = "?"

// script returns the operations of the probe, on a new terminal of 20 columns and 4 rows unless the
// probe has another size.
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

// verdict returns what the table says about an answer: "yes", "no" or "untold".
func (p probe) verdict(answer string) string {
	switch {
	case answer == untold:
		return "untold"
	case regexp.MustCompile("^(?:" + p.want + ")$").MatchString(answer):
		return "yes"
	}
	return "no"
}

// question names the part of an emulator's state that a probe asks about.
type question string

const (
	askScreen  question = "screen"  // the rows of the grid joined by "/", and the cursor
	askTape    question = "tape"    // the same, with the scrollback before it, which ends with "--"
	askReplies question = "replies" // bytes that the terminal answered, ESC as \e, others as in Go
	askCell    question = "cell"    // text and style of the first cell
	askWraps   question = "wraps"   // numbers of the rows that are soft-wrapped into the next one
	askImages  question = "images"  // placements of images, as image@row,col size
	askPrompt  question = "prompt"  // numbers of the rows with a shell's prompt
	askLink    question = "link"    // link of the first cell
	askTitle   question = "title"
	askPwd     question = "pwd"
)

// needs names, for some questions, the property that an emulator's dump must support to answer
// them.
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

// grid returns the rows of the grid down to the last one with text, joined by "/", and the position
// of the cursor.
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
