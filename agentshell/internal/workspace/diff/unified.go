package diff

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Labels holds the names of the two sides for the header of a unified diff. They are escaped when
// they are printed.
type Labels struct {
	A, B     string
	areFiles bool // areFiles says that both are file names without an addition, as the program patch requires.
}

// PlainLabels returns the labels for the diff tool: two paths, or a and b (DIFF-4).
func PlainLabels(a, b string) Labels { return Labels{A: a, B: b, areFiles: true} }

// GitLabels returns the labels for an edit: a/path and b/path (PAY-31).
func GitLabels(path string) Labels {
	return Labels{A: "a/" + path, B: "b/" + path, areFiles: true}
}

// ProposedLabels returns the labels for a proposed write to an existing file (HARN-3).
func ProposedLabels(path string) Labels {
	return Labels{A: path + " (current)", B: path + " (proposed)"}
}

// NewFileLabels returns the labels for a write that creates a file (HARN-4).
func NewFileLabels(path string) Labels { return Labels{A: "/dev/null", B: path + " (new file)"} }

// RemovedLabels returns the labels for the removal of a file.
func RemovedLabels(path string) Labels { return Labels{A: path + " (current)", B: "/dev/null"} }

// MaxText is the number of bytes of a unified diff for a model (DIFF-15). A [Diff] itself has no
// limit.
const MaxText = 2 << 20

// Unified returns the diff in the unified format, with at most limit bytes (0: no limit). A longer
// text is cut at the end of a line, and ends with the line `[diff truncated at <bytes> bytes]`,
// which tells the number of bytes before it. Equal texts give "". A line count of 1 is omitted, as
// in GNU diff.
func (d Diff) Unified(l Labels, limit int) (text string, truncated bool) {
	if d.Identical() {
		return "", false
	}
	var b strings.Builder
	b.WriteString(Header(l))
	total := d.byteCount() + b.Len()
	truncate := limit > 0 && total > limit
	budget := limit - len(truncationText(limit))
	for _, h := range d.Hunks {
		if head := h.Header() + "\n"; truncate && b.Len()+len(head) > budget {
			break
		} else {
			b.WriteString(head)
		}
		stop := false
		for _, line := range h.Lines {
			if truncate && b.Len()+line.byteCount() > budget {
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
		b.WriteString(truncationText(b.Len()))
	}
	return b.String(), truncate
}

func truncationText(n int) string { return fmt.Sprintf("[diff truncated at %d bytes]\n", n) }

// Header returns the two header lines with the labels. A tab follows a file name that contains
// blanks, as in the output of GNU diff and git, because the program patch would otherwise end the
// name at the blank.
func Header(l Labels) string { return "--- " + l.withTab(l.A) + "\n+++ " + l.withTab(l.B) + "\n" }

func (l Labels) withTab(label string) string {
	label = Escape(label)
	if l.areFiles && strings.Contains(label, " ") {
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

const noNewlineText = "\\ No newline at end of file\n"

func (l Line) write(b *strings.Builder) {
	b.WriteByte(byte(l.Op))
	b.WriteString(l.Text)
	if l.End == "" {
		b.WriteString("\n" + noNewlineText)
		return
	}
	b.WriteString(l.End)
}

func (l Line) byteCount() int {
	if l.End == "" {
		return 1 + len(l.Text) + 1 + len(noNewlineText)
	}
	return 1 + len(l.Text) + len(l.End)
}

func (d Diff) byteCount() int {
	n := 0
	for _, h := range d.Hunks {
		n += len(h.Header()) + 1
		for _, l := range h.Lines {
			n += l.byteCount()
		}
	}
	return n
}

// Escape returns a label in which control characters, separators, invisible characters and
// backslashes are escaped. So a label cannot look like another line or hide a character.
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

// CountLines returns the number of newlines in a diff, including those of its header (DIFF-12).
func CountLines(text string) int { return strings.Count(text, "\n") }
