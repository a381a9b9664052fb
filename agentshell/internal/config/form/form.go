// Package form writes questions as a text that the user edits, and reads the answers from it.
//
// The text is TOML. Each question is a comment above its answer. An answer that the user leaves as
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

// Kind is the type of an answer, in words for the user.
type Kind string

const (
	Text    Kind = "text"
	Number  Kind = "a number"
	Integer Kind = "a whole number"
	Boolean Kind = "true or false"
	Choice  Kind = "one of"
	Choices Kind = "some of"
)

// Field is one question. A limit that is not set does not restrict the answer.
type Field struct {
	Name, Title, About string
	Kind               Kind
	Required           bool
	Choices            []string // The allowed values, for the kinds Choice and Choices.
	// The meaning of each choice, by its index in Choices; nil: the choices explain themselves.
	Labels  []string
	Default any
	Format  string // For the kind Text: email, uri, date or date-time; "": any text.
	// The limits of a number, of the number of characters of a Text, or of the number of Choices.
	Min, Max *float64
}

// Write returns the TOML text with the questions, for the user to edit. It contains the default
// values.
func Write(fields []Field) string {
	var b strings.Builder
	for i, f := range fields {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, line := range f.comment() {
			b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
		value, hasDefault := f.initialValue()
		if !hasDefault && !f.Required {
			b.WriteString("# ")
		}
		b.WriteString(tomlKey(f.Name) + " = " + value + "\n")
	}
	return b.String()
}

// comment returns the lines of the TOML comment that explains the question.
func (f Field) comment() []string {
	name := f.Title
	if name == "" {
		name = f.Name
	}
	kind := string(f.Kind)
	if f.Format != "" {
		kind += ", " + oneLine(f.Format)
	}
	for _, bound := range []struct {
		word string
		n    *float64
	}{{"at least", f.Min}, {"at most", f.Max}} {
		if bound.n != nil {
			kind += fmt.Sprintf(", %s %v", bound.word, *bound.n)
			if f.Kind == Text {
				kind += " characters"
			}
		}
	}
	if f.Required {
		kind += ", required"
	}
	lines := []string{oneLine(name) + " (" + kind + ")"}
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

// initialValue returns the value that the text contains at first, in the syntax of TOML. hasDefault
// reports whether it is the default of f, and not only a placeholder.
func (f Field) initialValue() (text string, hasDefault bool) {
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
	case Number, Integer:
		return "0", false
	case Boolean:
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

// Read returns the answers in a text that the user has edited, by the names of the fields. The
// error says which answer is wrong, and why.
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
		value, found := given[f.Name]
		if s, text := value.(string); !found || text && s == "" && !f.allowsEmpty() {
			if f.Required {
				return nil, fmt.Errorf("%s is missing", oneLine(f.Name))
			}
			continue
		}
		v, err := f.convert(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", oneLine(f.Name), err)
		}
		out[f.Name] = v
	}
	return out, nil
}

// allowsEmpty reports whether an empty text is a valid answer.
func (f Field) allowsEmpty() bool { return slices.Contains(f.Choices, "") }

// convert returns a decoded TOML value as the answer to f, or an error if the value is not allowed.
func (f Field) convert(value any) (any, error) {
	wrong := func() error { return fmt.Errorf("%s is wanted, not %v", f.Kind, value) }
	switch f.Kind {
	case Boolean:
		if b, ok := value.(bool); ok {
			return b, nil
		}
		return nil, wrong()
	case Number, Integer:
		n, ok := number(value)
		if !ok || f.Kind == Integer && n != math.Trunc(n) {
			return nil, wrong()
		}
		if err := f.checkBounds(n, ""); err != nil {
			return nil, err
		}
		if f.Kind == Integer {
			return int64(n), nil
		}
		return n, nil
	case Choices:
		list, ok := value.([]any)
		if !ok {
			return nil, wrong()
		}
		out := []any{}
		for _, item := range list {
			s, ok := item.(string)
			if !ok || !slices.Contains(f.Choices, s) {
				return nil, fmt.Errorf("%v is none of the choices", item)
			}
			out = append(out, s)
		}
		return out, f.checkBounds(float64(len(out)), " choices")
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
	if err := f.checkBounds(float64(utf8.RuneCountInString(s)), " characters"); err != nil {
		return nil, err
	}
	return s, f.checkFormat(s)
}

// number returns a decoded TOML number as a float64. ok is false for other values, and for NaN and
// infinity.
func number(value any) (float64, bool) {
	switch n := value.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	}
	return 0, false
}

// checkBounds returns an error if n is below f.Min or above f.Max. unit is what n counts, with a
// blank before it, or "".
func (f Field) checkBounds(n float64, unit string) error {
	switch {
	case f.Min != nil && n < *f.Min:
		return fmt.Errorf("at least %v%s, not %v", *f.Min, unit, n)
	case f.Max != nil && n > *f.Max:
		return fmt.Errorf("at most %v%s, not %v", *f.Max, unit, n)
	}
	return nil
}

// checkFormat returns an error if s does not have the format of f.
func (f Field) checkFormat(s string) error {
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

// oneLine returns s as one line, with invisible characters made visible.
func oneLine(s string) string {
	s, _ = visible.Options{}.String(strings.Join(strings.Fields(s), " "))
	return s
}

// tomlKey returns a name as a TOML key, in quotes if it needs them.
func tomlKey(name string) string {
	if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" {
		return name
	}
	return Quote(name)
}

// Quote returns s as a TOML string in double quotes, on one line.
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
