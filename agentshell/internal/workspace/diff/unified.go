package diff

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Labels are the names of the two sides in the header of a unified diff. They are escaped when they
// are printed.
type Labels struct {
	A, B  string
	files bool // both name files and nothing else, as patch wants
}

// PlainLabels returns the labels of the diff tool: two paths, or a and b (DIFF-4).
func PlainLabels(a, b string) Labels { return Labels{A: a, B: b, files: true} }

// GitLabels returns the labels of an edit: a/path and b/path (PAY-31).
func GitLabels(path string) Labels {
	return Labels{A: "a/" + path, B: "b/" + path, files: true}
}

// ProposedLabels returns the labels of a write to an existing file (HARN-3).
func ProposedLabels(path string) Labels {
	return Labels{A: path + " (current)", B: path + " (proposed)"}
}

// NewFileLabels returns the labels of a write that creates a file (HARN-4).
func NewFileLabels(path string) Labels { return Labels{A: "/dev/null", B: path + " (new file)"} }

// RemovedLabels returns the labels of a removal.
func RemovedLabels(path string) Labels { return Labels{A: path + " (current)", B: "/dev/null"} }

// MaxText is the maximum number of bytes of a unified diff for a model (DIFF-15). A [Diff] has no
// maximum.
const MaxText = 2 << 20

// Unified returns the diff as text of at most limit bytes (0: no limit). A longer text is cut at
// the end of a line, and ends with the line `[diff truncated at <bytes> bytes]` with the number of
// bytes before it. Equal texts give an empty text. A count of 1 is omitted, as in GNU diff.
func (d Diff) Unified(l Labels, limit int) (text string, truncated bool) {
	if d.Identical() {
		return "", false
	}
	var b strings.Builder
	b.WriteString(Header(l))
	total := d.size() + b.Len()
	truncate := limit > 0 && total > limit
	budget := limit - len(truncationMark(limit))
	for _, h := range d.Hunks {
		if head := h.Header() + "\n"; truncate && b.Len()+len(head) > budget {
			break
		} else {
			b.WriteString(head)
		}
		stop := false
		for _, line := range h.Lines {
			if truncate && b.Len()+line.size() > budget {
				stop = true
				break
			}
			line.write(&b)
		}
		if stop {
			break
		}
	}
	if truncate {
		b.WriteString(truncationMark(b.Len()))
	}
	return b.String(), truncate
}

func truncationMark(n int) string { return fmt.Sprintf("[diff truncated at %d bytes]\n", n) }

// Header returns the two lines with the labels. A tab ends the name of a file with a blank, as in
// what GNU diff and git write: patch would take the name to end at the blank.
func Header(l Labels) string { return "--- " + l.ended(l.A) + "\n+++ " + l.ended(l.B) + "\n" }

func (l Labels) ended(label string) string {
	label = Escape(label)
	if l.files && strings.Contains(label, " ") {
		label += "\t"
	}
	return label
}

// Header returns the hunk's `@@` line without a newline.
func (h Hunk) Header() string {
	return "@@ -" + formatRange(h.OldStart, h.OldLines) + " +" + formatRange(h.NewStart, h.NewLines) + " @@"
}

func formatRange(start, n int) string {
	if n == 1 {
		return strconv.Itoa(start)
	}
	return strconv.Itoa(start) + "," + strconv.Itoa(n)
}

const noNewline = "\\ No newline at end of file\n"

func (l Line) write(b *strings.Builder) {
	b.WriteByte(byte(l.Op))
	b.WriteString(l.Text)
	if l.End == "" {
		b.WriteString("\n" + noNewline)
		return
	}
	b.WriteString(l.End)
}

func (l Line) size() int {
	if l.End == "" {
		return 1 + len(l.Text) + 1 + len(noNewline)
	}
	return 1 + len(l.Text) + len(l.End)
}

func (d Diff) size() int {
	n := 0
	for _, h := range d.Hunks {
		n += len(h.Header()) + 1
		for _, l := range h.Lines {
			n += l.size()
		}
	}
	return n
}

// Escape returns a label in which controls, separators and invisible characters are escaped and
// backslashes doubled. So it cannot forge a line or hide a character.
func Escape(label string) string {
	var b strings.Builder
	for i, r := range label {
		switch {
		case r == '\\':
			b.WriteString(`\\`)
		case r == ' ' || unicode.IsPrint(r) && r != unicode.ReplacementChar:
			b.WriteRune(r)
		case r == unicode.ReplacementChar && !strings.HasPrefix(label[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, label[i])
		default:
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}

// CountLines returns the number of newlines in a diff, with those of its header (DIFF-12).
func CountLines(text string) int { return strings.Count(text, "\n") }
