package widget

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/internal/pager"
)

// atOnce is how many lines a search looks at between two frames.
const atOnce = 20_000

// search is what is searched in a Viewport, and the line where it was found.
type search struct {
	open  bool // the field is
	text  string
	at    int  // the line of the match
	has   bool // there is one
	found bool // it is to be shown

	next, step, left int         // what is looked at next, in which direction, and how many lines are not looked at
	from             pager.Place // where the viewport stood when the field was opened
}

// active reports whether there is something to show of the search.
func (q *search) active() bool { return q.open || q.text != "" }

// shift follows lines whose first one is gone.
func (q *search) shift() {
	q.at, q.next, q.from.Item = max(q.at-1, 0), max(q.next-1, 0), max(q.from.Item-1, 0)
}

// in returns where the text stands in line.
func (q *search) in(line string) (all []part) {
	if q.text == "" {
		return nil
	}
	if !strings.ContainsFunc(q.text, unicode.IsUpper) {
		if low := strings.ToLower(line); len(low) == len(line) { // else the offsets would not be those of line
			line = low
		}
	}
	for off := 0; ; {
		i := strings.Index(line[off:], q.text)
		if i < 0 {
			return all
		}
		all = append(all, part{off + i, off + i + len(q.text)})
		off += i + len(q.text)
	}
}

// begin looks for the text from a line on, in steps of 1 or -1, round the end.
func (q *search) begin(v *Viewport, from, step int) {
	q.next, q.step, q.left, q.has = from, step, v.count(), false
	if q.text == "" {
		q.left = 0
	}
}

// look goes on with the search. more: it is not over.
func (q *search) look(v *Viewport) (more bool) {
	n := v.count()
	q.left = min(q.left, n)
	for range min(q.left, atOnce) {
		i := (q.next%n + n) % n
		q.next, q.left = i+q.step, q.left-1
		if len(q.in(v.line(i))) > 0 {
			q.at, q.has, q.found, q.left = i, true, true, 0
			break
		}
	}
	return q.left > 0
}

// row returns the field, or what came of the search.
func (q *search) row(v *Viewport, s tui.Space) tui.Line {
	th := s.Look()
	text := tui.Span{Text: "/" + q.text, Style: th.Accent}
	if q.open {
		if over := s.Columns(text.Text) - s.Width + 1; over > 0 { // its end is where one types
			text.Text, _ = s.Model.Cut(text.Text, over, over+s.Width)
		}
	}
	note := ""
	switch {
	case q.left > 0:
		note = "searching"
	case q.open:
	case !q.has:
		note = "not found"
	default:
		note = "line " + strconv.Itoa(q.at+1) + ", n next, N previous, Esc ends"
	}
	if note == "" {
		return s.Cut(text)
	}
	return s.Cut(text, tui.Span{Text: "  " + note, Style: th.Dim})
}

// field is HandleEvent while the field is open.
func (q *search) field(v *Viewport, ev tui.Event) bool {
	switch ev := ev.(type) {
	case tui.Paste:
		line, _, _ := strings.Cut(ev.Text, "\n")
		q.set(v, q.text+line)
	case tui.Key:
		switch {
		case ev.Code == terminal.KeyEnter:
			q.open = false
		case ev.Code == terminal.KeyEscape:
			v.at, *q = q.from, search{}
		case ev.Code == terminal.KeyBackspace:
			_, n := utf8.DecodeLastRuneInString(q.text)
			q.set(v, q.text[:len(q.text)-n])
		case ev.Mods == terminal.Ctrl && ev.Code == 'u':
			q.set(v, "")
		case ev.Text() != "":
			q.set(v, q.text+ev.Text())
		default:
			return false
		}
	default:
		return false
	}
	return true
}

// set looks for another text from where the field was opened.
func (q *search) set(v *Viewport, text string) {
	q.text = text
	v.at = q.from
	q.begin(v, q.from.Item, 1)
}

// key takes the keys of a search while its field is closed.
func (q *search) key(v *Viewport, k tui.Key) bool {
	switch {
	case k.Code == '/':
		*q = search{open: true, from: v.at}
		v.rests = true
	case q.text == "":
		return false
	case k.Code == 'n':
		q.begin(v, q.at+1, 1)
	case k.Code == 'N':
		q.begin(v, q.at-1, -1)
	case k.Code == terminal.KeyEscape:
		*q = search{}
	default:
		return false
	}
	return true
}
