package diff

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Labels are the names of the two sides in the header. They are escaped when they are printed.
type Labels struct{ A, B string }

// Plain returns the profile of the diff tool: paths, or a and b (DIFF-4).
func Plain(a, b string) Labels { return Labels{a, b} }

// Git returns the profile of an edit: a/path and b/path (PAY-31).
func Git(path string) Labels { return Labels{"a/" + path, "b/" + path} }

// Current returns the profile of a write to an existing file (HARN-3).
func Current(path string) Labels { return Labels{path + " (current)", path + " (proposed)"} }

// New returns the profile of a write that creates a file (HARN-4).
func New(path string) Labels { return Labels{"/dev/null", path + " (new file)"} }

// Gone returns the profile of a removal.
func Gone(path string) Labels { return Labels{path + " (current)", "/dev/null"} }

// MaxText is the limit of a unified diff in bytes (DIFF-15); a [Diff] has none.
const MaxText = 2 << 20

// Unified writes the diff as text, at most limit bytes (0: no limit). Beyond it the text is cut at
// a line boundary and ends with the line `[diff truncated at <bytes> bytes]`, which names the bytes
// kept before it. Equal texts give an empty text. A count of 1 is omitted, as GNU diff does.
func (d Diff) Unified(l Labels, limit int) (text string, truncated bool) {
	if d.Identical() {
		return "", false
	}
	var b strings.Builder
	b.WriteString(Header(l))
	whole := d.size() + b.Len()
	cut := limit > 0 && whole > limit
	room := limit - len(truncationMark(limit))
	for _, h := range d.Hunks {
		if head := h.Header() + "\n"; cut && b.Len()+len(head) > room {
			break
		} else {
			b.WriteString(head)
		}
		full := false
		for _, line := range h.Lines {
			if cut && b.Len()+line.size() > room {
				full = true
				break
			}
			line.write(&b)
		}
		if full {
			break
		}
	}
	if cut {
		b.WriteString(truncationMark(b.Len()))
	}
	return b.String(), cut
}

func truncationMark(n int) string { return fmt.Sprintf("[diff truncated at %d bytes]\n", n) }

// Header returns the two header lines.
func Header(l Labels) string { return "--- " + Escape(l.A) + "\n+++ " + Escape(l.B) + "\n" }

// Header returns the hunk's `@@` line without a newline.
func (h Hunk) Header() string {
	return "@@ -" + extent(h.OldStart, h.OldLines) + " +" + extent(h.NewStart, h.NewLines) + " @@"
}

func extent(start, n int) string {
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

// Escape writes a label so that it cannot forge a line or hide a character: controls, separators
// and everything invisible as an escape, and the backslash doubled.
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

// CountLines counts newline-terminated lines, headers included (DIFF-12).
func CountLines(text string) int { return strings.Count(text, "\n") }
