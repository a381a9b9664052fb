// Package secret holds the values that must not be shown, logged or passed on.
//
// A value is found as it is and in the spellings in which programs print it: with the escapes of
// JSON, of Go and of URLs, and within base64 (also of user:key) or hexadecimal digits. Of a value
// that was cut off the beginning is found, from 16 bytes on. Values shorter than 8 bytes, paths and
// those that could be ordinary words or numbers are none: they would be found everywhere, and text
// without them would be broken.
package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// Hidden stands where a secret was.
const Hidden = "[secret]"

const (
	least    = 8  // bytes of a value
	ordinary = 16 // bytes from which words and numbers are none
	cut      = 16 // bytes of the beginning of a value that tell it
	free     = 2  // characters of the beginning of a spelling that tell nothing
)

// Set is the values. The zero value holds none; a Set does not change and may be used by several
// goroutines.
type Set struct{ forms *forms }

// forms are the spellings of all values, by their first byte, longer ones first.
type forms struct {
	values []string
	first  [256][]form
	plain  []form // that may begin with an escape
}

// form is one spelling.
type form struct {
	text    string
	partial int  // bytes of it that tell it
	folded  bool // capital letters are the same
	wrapped bool // it may go on in the next line
}

// New makes a set of those values that can be secrets. Each line of a longer one is a value.
func New(values ...string) Set { return Set{}.With(values...) }

// With returns the set with further values.
func (s Set) With(values ...string) Set {
	var all []string
	if s.forms != nil {
		all = slices.Clone(s.forms.values)
	}
	for _, v := range values {
		for line := range strings.Lines(v) {
			if line = strings.TrimSpace(line); telling(line) && !slices.Contains(all, line) {
				all = append(all, line)
			}
		}
	}
	if len(all) == 0 {
		return Set{}
	}
	f := &forms{values: all}
	add := func(x form) {
		if x.folded {
			if c := x.text[0]; c >= 'a' {
				f.first[c-'a'+'A'] = append(f.first[c-'a'+'A'], x)
			}
		}
		f.first[x.text[0]] = append(f.first[x.text[0]], x)
	}
	for _, v := range all {
		plain := form{text: v, partial: min(cut, len(v))}
		add(plain)
		f.plain = append(f.plain, plain)
		for _, text := range within64(v) {
			add(form{text: text, partial: min(cut*3/2, len(text)), wrapped: true})
		}
		add(form{text: hex.EncodeToString([]byte(v)), partial: min(2*cut, 2*len(v)), folded: true, wrapped: true})
	}
	return Set{f}
}

// within64 returns what base64 makes of v wherever it stands in what is encoded, in both alphabets:
// the letters that depend on v alone.
func within64(v string) (list []string) {
	for skip := range 3 {
		bytes := []byte(strings.Repeat("\x00", skip) + v)
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := e.EncodeToString(bytes)[(skip*8+5)/6 : len(bytes)*8/6]
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

// telling reports whether v is a secret and no word, number, name or path.
func telling(v string) bool {
	if len(v) < least || strings.HasPrefix(v, "-----") || path(v) {
		return false
	}
	return len(v) >= ordinary || !plain(v)
}

// plain reports whether v could be a word, a number or a name.
func plain(v string) bool {
	var lower, upper, digit, other bool
	start := true
	for _, r := range v {
		switch {
		case r >= 'a' && r <= 'z':
			lower = true
		case r >= 'A' && r <= 'Z':
			upper = upper || !start // a capital at the beginning of a word is none
		case r >= '0' && r <= '9':
			digit = true
		case !strings.ContainsRune("-_. ", r):
			other = true
		}
		start = strings.ContainsRune("-_. ", r)
	}
	return !other && (!digit || !lower && !upper) && (!lower || !upper)
}

// Redact returns text with [Hidden] in the place of each secret.
func (s Set) Redact(text string) string {
	out, _ := s.scan(text, 0, true)
	return out
}

// In reports whether data holds a secret.
func (s Set) In(data []byte) bool {
	if s.forms == nil {
		return false
	}
	text := string(data)
	for i := range len(text) {
		if end, _ := s.at(text, i); end > i {
			return true
		}
	}
	return false
}

// RedactJSON is Redact for a JSON text, which may be broken; valid JSON stays valid.
func (s Set) RedactJSON(text string) string {
	if s.forms == nil {
		return text
	}
	clean := s.Redact(text)
	if clean == text || json.Valid([]byte(clean)) || !json.Valid([]byte(text)) {
		return clean
	}
	d := json.NewDecoder(strings.NewReader(text)) // a secret is not in one string: it is a number, or keys and values
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return clean
	}
	if b, err := json.Marshal(s.value(v)); err == nil && !s.In(b) {
		return string(b)
	}
	return `"` + Hidden + `"`
}

func (s Set) value(v any) any {
	switch v := v.(type) {
	case string:
		return s.Redact(v)
	case json.Number:
		if text := s.Redact(v.String()); text != v.String() {
			return text
		}
	case []any:
		for i := range v {
			v[i] = s.value(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for key, value := range v {
			clean[s.Redact(key)] = s.value(value)
		}
		return clean
	}
	return v
}

// scan replaces the secrets in text, and leaves out its first shown bytes, which are out already.
// Where text is not the end, it stops before what could become a secret: that is rest.
func (s Set) scan(text string, shown int, final bool) (out, rest string) {
	if s.forms == nil {
		return text[shown:], ""
	}
	var b bytes.Buffer
	from := shown
	for i := 0; i < len(text); {
		end, more := s.at(text, i)
		switch {
		case more && !final:
			b.WriteString(text[min(from, i):i])
			return b.String(), text[i:]
		case end > i:
			b.WriteString(text[min(from, i):i])
			b.WriteString(Hidden)
			from, i = max(from, end), end
		default:
			i++
		}
	}
	if b.Len() == 0 {
		return text[shown:], ""
	}
	b.WriteString(text[from:])
	return b.String(), ""
}

// from returns the spellings that may begin with c.
func (f *forms) from(c byte) []form {
	if c == '%' || c == '\\' {
		return f.plain
	}
	return f.first[c]
}

// at returns the end of the longest secret that begins at text[i], i if there is none; more: with
// further text it could be longer, or one at all.
func (s Set) at(text string, i int) (end int, more bool) {
	end = i
	list := s.forms.from(text[i])
	var next byte = '%' // any byte may follow
	if text[i] != '%' && text[i] != '\\' && i+1 < len(text) {
		next = text[i+1]
	}
	for k := range list {
		f := &list[k]
		if next != f.text[1] && next != '%' && next != '\\' && next != '\n' && next != '\r' && !f.folded {
			continue // the usual case, at once
		}
		n, _, open := f.match(text[i:])
		end, more = max(end, i+n), more || open
	}
	return end, more
}

// tells reports whether text, which may go on, shows more than the first two characters of what
// may become a secret, wherever in it that begins.
func (s Set) tells(text string) bool {
	for i := range len(text) {
		list := s.forms.from(text[i])
		for k := range list {
			if _, told, open := list[k].match(text[i:]); open && told > free {
				return true
			}
		}
	}
	return false
}

// match returns how many bytes at the beginning of text are the form, or a telling beginning of it.
// open: text ends before that is known, and it has told characters of the form.
func (f *form) match(text string) (n, told int, open bool) {
	at := 0
	told = len(text)
	for j := range len(f.text) {
		next := at
		if f.wrapped && j > 0 {
			next += lineBreaks(text[at:])
			told -= next - at
		}
		size, c, open := spelled(text[next:])
		if open {
			if j >= f.partial {
				return at, told, true
			}
			return 0, told, true
		}
		if c != f.text[j] && !(f.folded && c >= 'A' && c <= 'F' && c-'A'+'a' == f.text[j]) {
			// an escape may stand for itself in the value
			if size == 1 || text[next] != f.text[j] {
				if j >= f.partial {
					return at, 0, false
				}
				return 0, 0, false
			}
			size = 1
		}
		at = next + size
	}
	return at, 0, false
}

// lineBreaks returns how many bytes at the beginning of text are one or two ends of lines.
func lineBreaks(text string) (n int) {
	for range 2 {
		switch {
		case n < len(text) && (text[n] == '\n' || text[n] == '\r'):
			n++
		case strings.HasPrefix(text[n:], `\n`), strings.HasPrefix(text[n:], `\r`):
			n += 2
		}
	}
	return n
}

// spelled returns the first byte that text stands for, and how many bytes of it say so; open: it
// ends before that is known.
func spelled(text string) (size int, c byte, open bool) {
	if text == "" {
		return 0, 0, true
	}
	hexAt := func(from, n int) (size int, c byte, open bool) {
		digits := text[from:min(len(text), from+n)]
		var v int
		for _, d := range []byte(digits) {
			k := strings.IndexByte("0123456789abcdefABCDEF", d)
			switch {
			case k < 0: // no escape
				return 1, text[0], false
			case k > 15:
				k -= 6
			}
			v = v<<4 | k
		}
		if len(digits) < n {
			return 0, 0, true
		}
		if v > 0xff {
			return 1, text[0], false
		}
		return from + n, byte(v), false
	}
	switch text[0] {
	case '%':
		return hexAt(1, 2)
	case '\\':
		run := len(text) - len(strings.TrimLeft(text, `\`))
		run = min(run, 8)
		switch {
		case run == len(text):
			return 0, 0, run < 8
		case text[run] == 'u':
			return hexAt(run+1, 4)
		case text[run] == 'x':
			return hexAt(run+1, 2)
		case text[run] == '"' || text[run] == '/' || text[run] == '\'':
			return run + 1, text[run], false
		}
		return run, '\\', false
	}
	return 1, text[0], false
}
