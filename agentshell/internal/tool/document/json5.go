package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// json5 is a tokenizer for JSON5 (json5.org), similar to json.Decoder. Unlike JSON it accepts
// single quotes, names without quotes, comments, and a comma after the last value.
type json5 struct {
	text string
	at   int
}

var (
	json5Name    = lazyregexp.New(`^[\pL\p{Nl}$_][\pL\p{Nl}$_\p{Mn}\p{Mc}\p{Nd}\p{Pc}\x{200C}\x{200D}]*`)
	json5Number  = lazyregexp.New(`^[+-]?(0[xX][0-9a-fA-F]+|((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?)`)
	json5Literal = map[string]json.Token{"true": true, "false": false, "null": nil}
)

// unexpected returns an error for an unexpected character at the present position. want describes
// the expected one.
func (j *json5) unexpected(want string) error {
	if j.at >= len(j.text) {
		return fmt.Errorf("it ends where %s is due", want)
	}
	r, _ := utf8.DecodeRuneInString(j.text[j.at:])
	return fmt.Errorf("character %d is %q, where %s is due", utf8.RuneCountInString(j.text[:j.at])+1, r, want)
}

// skipSpace skips white space and comments.
func (j *json5) skipSpace() error {
	for j.at < len(j.text) {
		rest := j.text[j.at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r) || r == '\ufeff':
			j.at += size
		case strings.HasPrefix(rest, "//"):
			if size = strings.IndexAny(rest, "\n\r\u2028\u2029"); size < 0 {
				size = len(rest)
			}
			j.at += size
		case strings.HasPrefix(rest, "/*"):
			if size = strings.Index(rest[2:], "*/"); size < 0 {
				return errors.New("a comment has no end")
			}
			j.at += size + 4
		default:
			return nil
		}
	}
	return nil
}

// readSign skips white space and then one character, if it is one of signs. It returns that
// character, or 0 if another one comes next.
func (j *json5) readSign(signs string) (sign byte, err error) {
	if err := j.skipSpace(); err != nil || j.at >= len(j.text) || !strings.Contains(signs, j.text[j.at:j.at+1]) {
		return 0, err
	}
	j.at++
	return j.text[j.at-1], nil
}

// readName reads the name of an object's member and the colon after it.
func (j *json5) readName() (name string, err error) {
	if err := j.skipSpace(); err != nil {
		return "", err
	}
	rest := j.text[j.at:]
	if strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "'") {
		name, err = j.readString()
	} else if name = json5Name().FindString(rest); name == "" {
		err = j.unexpected("a name")
	} else {
		j.at += len(name)
	}
	if err != nil {
		return "", err
	}
	if c, err := j.readSign(":"); err != nil || c == 0 {
		return "", errors.Join(err, j.unexpected("a colon"))
	}
	return name, nil
}

// readValue reads a value. For an array or an object it returns only the opening bracket, like
// json.Decoder.
func (j *json5) readValue() (json.Token, error) {
	if err := j.skipSpace(); err != nil {
		return nil, err
	}
	rest := j.text[j.at:]
	switch {
	case strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "'"):
		return j.readString()
	case strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "{"):
		j.at++
		return json.Delim(rest[0]), nil
	}
	if number := json5Number().FindString(rest); number != "" {
		j.at += len(number)
		return plainNumber(number)
	}
	name := json5Name().FindString(rest)
	value, is := json5Literal[name]
	if strings.Trim(rest[:min(1, len(rest))], "+-") == "" && len(rest) > 1 {
		name = json5Name().FindString(rest[1:])
	}
	switch {
	case is:
		j.at += len(name)
		return value, nil
	case name == "NaN" || name == "Infinity":
		return nil, fmt.Errorf("%s is no value of a row", name)
	}
	return nil, j.unexpected("a value")
}

// plainNumber converts a JSON5 number to the notation of JSON and SQL: without a plus sign, and in
// decimal digits.
func plainNumber(number string) (json.Token, error) {
	minus, digits := "", strings.TrimPrefix(number, "+")
	if strings.HasPrefix(digits, "-") {
		minus, digits = "-", digits[1:]
	}
	if strings.HasPrefix(strings.ToLower(digits), "0x") {
		n, err := strconv.ParseInt(minus+digits, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("%s has more than 64 bits", number)
		}
		return json.Number(strconv.FormatInt(n, 10)), nil
	}
	whole, power := digits, ""
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		whole, power = digits[:i], digits[i:]
	}
	if strings.HasPrefix(whole, ".") {
		whole = "0" + whole
	}
	if strings.HasSuffix(whole, ".") {
		whole += "0"
	}
	return json.Number(minus + whole + power), nil
}

// json5Escapes holds the characters that escape sequences stand for, by the letter after the
// backslash.
var json5Escapes = map[byte]string{'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v", '0': "\x00"}

// readString reads a quoted string.
func (j *json5) readString() (string, error) {
	var b strings.Builder
	quote := j.text[j.at]
	for j.at++; j.at < len(j.text); {
		switch c := j.text[j.at]; {
		case c == quote:
			j.at++
			return b.String(), nil
		case c == '\n' || c == '\r':
			return "", j.unexpected("the end of a text")
		case c != '\\':
			b.WriteByte(c)
			j.at++
		default:
			j.at++
			text, err := j.readEscape()
			if err != nil {
				return "", err
			}
			b.WriteString(text)
		}
	}
	return "", j.unexpected("the end of a text")
}

// readEscape reads an escape sequence after its backslash, and returns the characters that it
// stands for.
func (j *json5) readEscape() (string, error) {
	r, size := utf8.DecodeRuneInString(j.text[j.at:])
	if size == 0 {
		return "", j.unexpected("the end of a text")
	}
	c := j.text[j.at]
	text, letter := json5Escapes[c]
	switch {
	case c == 'x' || c == 'u':
		return j.readHexEscape()
	case c == '0' && j.at+1 < len(j.text) && '0' <= j.text[j.at+1] && j.text[j.at+1] <= '9', '1' <= c && c <= '9':
		return "", j.unexpected("an escape")
	case letter:
		j.at++
		return text, nil
	case strings.HasPrefix(j.text[j.at:], "\r\n"):
		j.at += 2
		return "", nil
	}
	j.at += size
	if strings.ContainsRune("\n\r\u2028\u2029", r) { // the text goes on
		return "", nil
	}
	return string(r), nil
}

// readHexEscape reads \xNN or \uNNNN after the backslash. It joins surrogate pairs; half of a pair
// becomes U+FFFD.
func (j *json5) readHexEscape() (string, error) {
	first, err := j.readHexDigits()
	if err != nil {
		return "", err
	}
	if utf16.IsSurrogate(first) && strings.HasPrefix(j.text[j.at:], `\u`) {
		was := j.at
		j.at++
		second, err := j.readHexDigits()
		if r := utf16.DecodeRune(first, second); err == nil && r != utf8.RuneError {
			return string(r), nil
		}
		j.at = was
	}
	return string(first), nil // half of a pair is no character: U+FFFD
}

func (j *json5) readHexDigits() (rune, error) {
	digits := 4
	if j.text[j.at] == 'x' {
		digits = 2
	}
	end := min(j.at+1+digits, len(j.text))
	n, err := strconv.ParseUint(j.text[j.at+1:end], 16, 32)
	if err != nil || end != j.at+1+digits {
		return 0, j.unexpected(fmt.Sprintf("an escape of %d digits", digits))
	}
	j.at = end
	return rune(n), nil
}
