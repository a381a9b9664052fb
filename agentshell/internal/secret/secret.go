// Package secret finds and replaces values that must not be shown, logged or passed on, such as API
// keys.
//
// A value is found as it is, and in the spellings in which programs print it: with the escapes of
// JSON, Go and URLs, in base64 (also of user:key) and in hexadecimal digits. If a value was cut
// off, its beginning is found if it has at least 16 bytes. Values under 8 bytes, paths, and values
// that could be ordinary words or numbers are ignored: they would be found everywhere, and
// replacing them would make texts useless.
package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// Hidden replaces each secret in a text.
const Hidden = "[secret]"

const (
	minLength     = 8  // minimum bytes of a secret
	minWordLength = 16 // minimum bytes of a secret that looks like a word or a number
	minPrefix     = 16 // minimum bytes of the beginning of a secret that are replaced, if the rest of it is cut off
	freeChars     = 2  // characters at the beginning of a possible secret that a live stream may show
)

// Set is a set of secret values to look for. The zero value is empty. A Set does not change, and
// several goroutines may use it.
type Set struct{ forms *forms }

// forms holds the spellings of all secrets in a set, by their first byte.
type forms struct {
	values      []string
	byFirstByte [256][]form
	unencoded   []form // Spellings that may begin with an escape, such as %41 or \u0041.
}

// form is one spelling of a secret: as it is, in base64, or in hexadecimal digits.
type form struct {
	text        string
	minMatch    int  // The number of bytes at the beginning of text that identify the secret.
	ignoresCase bool // Capital letters match small ones.
	mayWrap     bool // Line breaks may interrupt the spelling.
}

// New returns the set of the given values, except those that cannot be secrets. In a value with
// several lines, each line is a secret of its own.
func New(values ...string) Set { return Set{}.With(values...) }

// With returns a set with the secrets of s and more values.
func (s Set) With(values ...string) Set {
	var all []string
	if s.forms != nil {
		all = slices.Clone(s.forms.values)
	}
	for _, v := range values {
		for line := range strings.Lines(v) {
			if line = strings.TrimSpace(line); isSecretValue(line) && !slices.Contains(all, line) {
				all = append(all, line)
			}
		}
	}
	if len(all) == 0 {
		return Set{}
	}
	f := &forms{values: all}
	add := func(x form) {
		if x.ignoresCase {
			if c := x.text[0]; c >= 'a' {
				f.byFirstByte[c-'a'+'A'] = append(f.byFirstByte[c-'a'+'A'], x)
			}
		}
		f.byFirstByte[x.text[0]] = append(f.byFirstByte[x.text[0]], x)
	}
	for _, v := range all {
		plain := form{text: v, minMatch: min(minPrefix, len(v))}
		add(plain)
		f.unencoded = append(f.unencoded, plain)
		for _, text := range base64Forms(v) {
			add(form{text: text, minMatch: min(minPrefix*3/2, len(text)), mayWrap: true})
		}
		add(form{text: hex.EncodeToString([]byte(v)), minMatch: min(2*minPrefix, 2*len(v)), ignoresCase: true,
			mayWrap: true})
	}
	return Set{f}
}

// base64Forms returns the base64 of v in both alphabets, and for each of the three positions at
// which v may begin within a longer text. It drops the characters at both ends that depend on
// neighbouring bytes.
func base64Forms(v string) (list []string) {
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

// isSecretValue reports whether v can be a secret: it is long enough, and no path, and no word,
// number or name.
func isSecretValue(v string) bool {
	if len(v) < minLength || strings.HasPrefix(v, "-----") || isPath(v) {
		return false
	}
	return len(v) >= minWordLength || !isPlainWord(v)
}

// isPlainWord reports whether v could be a word, a number or a name.
func isPlainWord(v string) bool {
	var lower, upper, digit, other bool
	start := true
	for _, r := range v {
		switch {
		case r >= 'a' && r <= 'z':
			lower = true
		case r >= 'A' && r <= 'Z':
			upper = upper || !start // a capital letter at the beginning of a word does not count
		case r >= '0' && r <= '9':
			digit = true
		case !strings.ContainsRune("-_. ", r):
			other = true
		}
		start = strings.ContainsRune("-_. ", r)
	}
	return !other && (!digit || !lower && !upper) && (!lower || !upper)
}

// Redact returns text with [Hidden] in place of each secret.
func (s Set) Redact(text string) string {
	out, _ := s.redactUntil(text, 0, true)
	return out
}

// Contains reports whether data contains a secret.
func (s Set) Contains(data []byte) bool {
	if s.forms == nil {
		return false
	}
	text := string(data)
	for i := range len(text) {
		if end, _ := s.secretEnd(text, i); end > i {
			return true
		}
	}
	return false
}

// RedactJSON returns a JSON text with [Hidden] in place of each secret. Valid JSON stays valid. The
// text may also be broken JSON.
func (s Set) RedactJSON(text string) string {
	if s.forms == nil {
		return text
	}
	clean := s.Redact(text)
	if clean == text || json.Valid([]byte(clean)) || !json.Valid([]byte(text)) {
		return clean
	}
	d := json.NewDecoder(strings.NewReader(text)) // the secret is a number, or spans keys and values
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return clean
	}
	if b, err := json.Marshal(s.redactValue(v)); err == nil && !s.Contains(b) {
		return string(b)
	}
	return `"` + Hidden + `"`
}

// redactValue returns a decoded JSON value without secrets. It changes lists in place.
func (s Set) redactValue(v any) any {
	switch v := v.(type) {
	case string:
		return s.Redact(v)
	case json.Number:
		if text := s.Redact(v.String()); text != v.String() {
			return text
		}
	case []any:
		for i := range v {
			v[i] = s.redactValue(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for key, value := range v {
			clean[s.Redact(key)] = s.redactValue(value)
		}
		return clean
	}
	return v
}

// redactUntil returns text with [Hidden] in place of each secret, except for the first shown bytes
// of text, which were returned before. Unless final is true, more text follows. It then stops where
// an incomplete secret could begin. pending is the text from there on.
func (s Set) redactUntil(text string, shown int, final bool) (out, pending string) {
	if s.forms == nil {
		return text[shown:], ""
	}
	var b bytes.Buffer
	from := shown
	for i := 0; i < len(text); {
		end, more := s.secretEnd(text, i)
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

// startingWith returns the spellings that may begin with the byte c.
func (f *forms) startingWith(c byte) []form {
	if c == '%' || c == '\\' {
		return f.unencoded
	}
	return f.byFirstByte[c]
}

// secretEnd returns the index after the longest secret that begins at text[i], or i if there is
// none. more is true if text that follows could complete a secret or make it longer.
func (s Set) secretEnd(text string, i int) (end int, more bool) {
	end = i
	list := s.forms.startingWith(text[i])
	var next byte = '%' // the next byte may be any
	if text[i] != '%' && text[i] != '\\' && i+1 < len(text) {
		next = text[i+1]
	}
	for k := range list {
		f := &list[k]
		if next != f.text[1] && next != '%' && next != '\\' && next != '\n' && next != '\r' && !f.ignoresCase {
			continue // the usual case, at once
		}
		n, _, open := f.match(text[i:])
		end, more = max(end, i+n), more || open
	}
	return end, more
}

// revealsSecret reports whether text ends with more than the first two characters of an incomplete
// secret.
func (s Set) revealsSecret(text string) bool {
	for i := range len(text) {
		list := s.forms.startingWith(text[i])
		for k := range list {
			if _, matched, open := list[k].match(text[i:]); open && matched > freeChars {
				return true
			}
		}
	}
	return false
}

// match returns the number of bytes at the beginning of text that spell the form, or a beginning of
// it that identifies the secret. It returns 0 if text does not begin with it. open is true if that
// depends on text that follows. matched is then the number of characters that match so far.
func (f *form) match(text string) (n, matched int, open bool) {
	at := 0
	matched = len(text)
	for j := range len(f.text) {
		next := at
		if f.mayWrap && j > 0 {
			next += lineBreaks(text[at:])
			matched -= next - at
		}
		size, c, open := decodeByte(text[next:])
		if open {
			if j >= f.minMatch {
				return at, matched, true
			}
			return 0, matched, true
		}
		if c != f.text[j] && !(f.ignoresCase && c >= 'A' && c <= 'F' && c-'A'+'a' == f.text[j]) {
			// an escape may stand for itself in the value
			if size == 1 || text[next] != f.text[j] {
				if j >= f.minMatch {
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

// lineBreaks returns the length of the one or two line breaks at the beginning of text, also in the
// form of escapes, or 0.
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

// decodeByte decodes the first byte or escape in text. It returns the decoded byte and the number
// of bytes that spell it. open is true if text ends within an escape.
func decodeByte(text string) (size int, c byte, open bool) {
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
