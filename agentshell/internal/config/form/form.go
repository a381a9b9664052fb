// Package form is questions as a text that a person edits, and what they have answered there.
//
// The text is TOML: above each answer stands what is asked, as a comment. An answer that is left as
// a comment is not given.
package form

import (
	"bytes"
	"fmt"
	"math"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// Kind is what an answer has to be.
type Kind string

const (
	Text    Kind = "text"
	Number  Kind = "a number"
	Whole   Kind = "a whole number"
	Yes     Kind = "true or false"
	Choice  Kind = "one of"
	Choices Kind = "some of"
)

// Field is one question. What is not set does not bind the answer.
type Field struct {
	Name, Title, About string
	Kind               Kind
	Required           bool
	Choices            []string // of Choice and Choices
	Labels             []string // what each of them means; nil: themselves
	Default            any
	Format             string   // of a Text: email, uri, date or date-time
	Min, Max           *float64 // of a number; of a Text its characters; of Choices their number
}

// Write returns the text of fields, with what they hold by default.
func Write(fields []Field) string {
	var b strings.Builder
	for i, f := range fields {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, line := range f.about() {
			b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
		value, given := f.value()
		if !given && !f.Required {
			b.WriteString("# ")
		}
		b.WriteString(key(f.Name) + " = " + value + "\n")
	}
	return b.String()
}

// about returns what a field asks, in lines.
func (f Field) about() []string {
	name := f.Title
	if name == "" {
		name = f.Name
	}
	what := string(f.Kind)
	if f.Format != "" {
		what += ", " + f.Format
	}
	for _, bound := range []struct {
		word string
		n    *float64
	}{{"at least", f.Min}, {"at most", f.Max}} {
		if bound.n != nil {
			what += fmt.Sprintf(", %s %v", bound.word, *bound.n)
			if f.Kind == Text {
				what += " characters"
			}
		}
	}
	if f.Required {
		what += ", required"
	}
	lines := []string{oneLine(name) + " (" + what + ")"}
	if f.About != "" {
		lines = append(lines, oneLine(f.About))
	}
	for i, c := range f.Choices {
		line := "  " + Quote(c)
		if i < len(f.Labels) && f.Labels[i] != "" && f.Labels[i] != c {
			line += "  " + oneLine(f.Labels[i])
		}
		lines = append(lines, line)
	}
	return lines
}

// value returns what stands behind the name at first; given: the field has a default.
func (f Field) value() (text string, given bool) {
	switch v := f.Default.(type) {
	case string:
		return Quote(v), true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return strconv.FormatInt(int64(v), 10), true
		}
		return strconv.FormatFloat(v, 'g', -1, 64), true
	case []any:
		var list []string
		for _, one := range v {
			if s, ok := one.(string); ok {
				list = append(list, Quote(s))
			}
		}
		return "[" + strings.Join(list, ", ") + "]", true
	}
	switch f.Kind {
	case Number, Whole:
		return "0", false
	case Yes:
		return "false", false
	case Choices:
		return "[]", false
	case Choice:
		if f.Required && len(f.Choices) > 0 {
			return Quote(f.Choices[0]), false
		}
	}
	return `""`, false
}

// Read returns what the text answers. The error says which answer is none, and why.
func Read(text []byte, fields []Field) (map[string]any, error) {
	given := map[string]any{}
	if err := toml.NewDecoder(bytes.NewReader(text)).Decode(&given); err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", err)
	}
	for name := range given {
		if !slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name }) {
			return nil, fmt.Errorf("%s was not asked for", oneLine(name))
		}
	}
	out := map[string]any{}
	for _, f := range fields {
		value, is := given[f.Name]
		if s, text := value.(string); !is || text && s == "" && !f.empty() {
			if f.Required {
				return nil, fmt.Errorf("%s is missing", oneLine(f.Name))
			}
			continue
		}
		v, err := f.take(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", oneLine(f.Name), err)
		}
		out[f.Name] = v
	}
	return out, nil
}

// empty reports whether an empty text is an answer.
func (f Field) empty() bool { return slices.Contains(f.Choices, "") }

// take returns a value of the text as the answer to f.
func (f Field) take(value any) (any, error) {
	wrong := func() error { return fmt.Errorf("%s is wanted, not %v", f.Kind, value) }
	switch f.Kind {
	case Yes:
		if b, ok := value.(bool); ok {
			return b, nil
		}
		return nil, wrong()
	case Number, Whole:
		n, ok := number(value)
		if !ok || f.Kind == Whole && n != math.Trunc(n) {
			return nil, wrong()
		}
		if err := f.within(n, ""); err != nil {
			return nil, err
		}
		if f.Kind == Whole {
			return int64(n), nil
		}
		return n, nil
	case Choices:
		list, ok := value.([]any)
		if !ok {
			return nil, wrong()
		}
		out := []any{}
		for _, one := range list {
			s, ok := one.(string)
			if !ok || !slices.Contains(f.Choices, s) {
				return nil, fmt.Errorf("%v is none of the choices", one)
			}
			out = append(out, s)
		}
		return out, f.within(float64(len(out)), " choices")
	}
	s, ok := value.(string)
	if !ok {
		return nil, fmt.Errorf("a text in quotes is wanted, not %v", value)
	}
	if f.Kind == Choice {
		if !slices.Contains(f.Choices, s) {
			return nil, fmt.Errorf("%q is none of the choices", s)
		}
		return s, nil
	}
	if err := f.within(float64(utf8.RuneCountInString(s)), " characters"); err != nil {
		return nil, err
	}
	return s, f.formed(s)
}

func number(value any) (float64, bool) {
	switch n := value.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	}
	return 0, false
}

// within holds a number to the bounds of f.
func (f Field) within(n float64, unit string) error {
	switch {
	case f.Min != nil && n < *f.Min:
		return fmt.Errorf("at least %v%s, not %v", *f.Min, unit, n)
	case f.Max != nil && n > *f.Max:
		return fmt.Errorf("at most %v%s, not %v", *f.Max, unit, n)
	}
	return nil
}

// formed holds a text to its format.
func (f Field) formed(s string) error {
	var err error
	switch f.Format {
	case "email":
		_, err = mail.ParseAddress(s)
	case "uri":
		var u *url.URL
		if u, err = url.Parse(s); err == nil && u.Scheme == "" {
			err = fmt.Errorf("no scheme")
		}
	case "date":
		_, err = time.Parse(time.DateOnly, s)
	case "date-time":
		_, err = time.Parse(time.RFC3339, s)
	}
	if err != nil {
		return fmt.Errorf("%q is no %s", s, f.Format)
	}
	return nil
}

// oneLine returns s as one line, in which nothing is hidden.
func oneLine(s string) string {
	s, _ = visible.Options{}.String(strings.Join(strings.Fields(s), " "))
	return s
}

// key returns a name as TOML has it.
func key(name string) string {
	if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" {
		return name
	}
	return Quote(name)
}

// Quote returns s as a basic string of TOML, on one line.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
