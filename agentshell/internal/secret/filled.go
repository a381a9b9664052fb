package secret

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// everyday are the variables that say who the person is and where they work. Their values are no
// secrets, whatever they are filled into.
var everyday = []string{
	"HOME", "LOGNAME", "USER", "USERNAME", "PATH", "PWD", "OLDPWD", "SHELL", "TERM", "COLORTERM", "LANG", "LANGUAGE",
	"TZ", "TMPDIR", "TMP", "TEMP", "HOSTNAME", "HOST", "EDITOR", "VISUAL", "PAGER", "DISPLAY", "WAYLAND_DISPLAY",
	"EMAIL", "PORT", "NODE_ENV",
}

// Filled returns the secrets in the value of the variable name, which is filled into a command, an
// address or a header for a program of somebody else's: all of it, and those parts of it that look
// like keys by themselves, because programs take a value apart before they print it. Of an address
// the scheme and the host are none.
//
// Nothing of an everyday variable (HOME, USER, PORT) is a secret. Of the rest [New] leaves out what
// would be found everywhere: values under 8 bytes, paths, and words and numbers under 16.
func Filled(name, value string) (list []string) {
	name = strings.ToUpper(name)
	if slices.Contains(everyday, name) || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_") {
		return nil
	}
	add := func(texts ...string) {
		for _, text := range texts {
			for _, form := range append([]string{text}, quoted(text)...) {
				if telling(form) && !slices.Contains(list, form) {
					list = append(list, form)
				}
			}
		}
	}
	if u, err := url.Parse(value); err == nil && u.Scheme != "" && u.Host != "" {
		add(addressed(u)...)
		return list
	}
	if !host(value) {
		add(value)
	}
	for _, text := range []string{value, unescaped(value), decoded(value)} {
		if text != value {
			add(text)
		}
		add(parts(text, "")...)
	}
	return list
}

// addressed returns the secrets in an address: who it is, and what in its path, query and fragment
// looks like a key. A name of a query goes with its value, which may be too short alone.
func addressed(u *url.URL) (list []string) {
	if u.User != nil {
		password, given := u.User.Password()
		if list = append(list, u.User.String()+"@"); given {
			list = append(list, password, unescaped(password))
		} else {
			list = append(list, u.User.Username())
		}
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if _, value, _ := strings.Cut(pair, "="); value != "" {
			list = append(list, pair, value, unescaped(value))
		}
	}
	for _, text := range []string{u.EscapedPath(), u.Path, u.RawQuery, u.EscapedFragment(), u.Fragment} {
		list = append(list, parts(text, "/?")...)
	}
	return list
}

// parts returns the pieces of text that look like keys: no word, no number, no name.
func parts(text, between string) (list []string) {
	piece := func(r rune) bool { return strings.ContainsRune(" \t\r\n\"',;&|:@(){}[]<>="+between, r) }
	for _, part := range strings.FieldsFunc(text, piece) {
		if len(part) >= least && !plain(part) && telling(part) {
			list = append(list, part)
		}
	}
	return list
}

// unescaped returns text without the escapes of an address, text itself if it has none.
func unescaped(text string) string {
	if clean, err := url.PathUnescape(text); err == nil {
		return clean
	}
	return text
}

// decoded returns what stands in base64, such as the name and password of Basic authorization, ""
// if that is no text.
func decoded(text string) string {
	bytes, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil || !utf8.Valid(bytes) || strings.ContainsFunc(string(bytes), func(r rune) bool { return r < ' ' }) {
		return ""
	}
	return string(bytes)
}

// quoted returns spellings of text that no escape of a single byte makes: letters beyond ASCII as
// JSON and Go write them, the signs of a shell behind a backslash, backslashes that echo has taken
// for escapes, the small letters of a host.
func quoted(text string) (list []string) {
	if ascii := strconv.QuoteToASCII(text); strings.Trim(text, printable) != "" {
		list = append(list, ascii[1:len(ascii)-1])
	}
	var shell strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf && !strings.ContainsRune(printable[:62]+"_-./:=,+@%", r) {
			shell.WriteByte('\\')
		}
		shell.WriteRune(r)
	}
	echo := strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r").Replace(text)
	list = append(list, shell.String(), strings.ReplaceAll(text, "'", `'\''`), echo)
	if strings.Trim(text, printable[:62]+"-") == "" {
		list = append(list, strings.ToLower(text))
	}
	return list
}

// printable is what ASCII has that can be seen: 26 small letters, as many capital ones, digits, the
// rest.
const printable = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" +
	" !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// host reports whether text is the name of a host, which says where something goes: words with dots
// between them, and a port perhaps.
func host(text string) bool {
	name, port, _ := strings.Cut(text, ":")
	if len(text) > 100 || strings.Trim(port, "0123456789") != "" || !strings.Contains(name, ".") && port == "" {
		return false
	}
	for label := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '.' || r == '-' }) {
		if strings.Trim(label, printable[:26]+"0123456789") != "" || len(label) >= least && !plain(label) {
			return false
		}
	}
	return true
}

// path reports whether text is a path. Base64 may begin with a slash, too, but hardly has a sign of
// names or a word between two of them.
func path(text string) bool {
	switch {
	case strings.HasPrefix(text, "~/"), strings.HasPrefix(text, "./"), strings.HasPrefix(text, "../"):
		return true
	case !strings.HasPrefix(text, "/"):
		return false
	case len(text) < ordinary, strings.ContainsAny(text, "-_. ~:"):
		return true
	}
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '/' }) {
		if len(name) > 2 && strings.Trim(name[1:], printable[:26]) == "" &&
			strings.Trim(name[:1], printable[:52]) == "" {
			return true
		}
	}
	return false
}
