package secret

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// publicVariables lists environment variables that say who the user is and where the user works.
// Their values are never secrets.
var publicVariables = []string{
	"HOME", "LOGNAME", "USER", "USERNAME", "PATH", "PWD", "OLDPWD", "SHELL", "TERM", "COLORTERM", "LANG", "LANGUAGE",
	"TZ", "TMPDIR", "TMP", "TEMP", "HOSTNAME", "HOST", "EDITOR", "VISUAL", "PAGER", "DISPLAY", "WAYLAND_DISPLAY",
	"EMAIL", "PORT", "NODE_ENV",
}

// Filled returns the secrets in the value of an environment variable that the user's configuration
// inserts into a command, an address or a header of a foreign program, such as an MCP server.
//
// The secrets are the whole value, and the parts of it that look like keys, because programs split
// a value before they print it. The scheme and the host of an address are no secrets. Variables in
// publicVariables (HOME, USER, PORT) have no secrets. [New] ignores values that would be found
// everywhere: those under 8 bytes, paths, and words and numbers under 16 bytes.
func Filled(name, value string) (list []string) {
	name = strings.ToUpper(name)
	if slices.Contains(publicVariables, name) || strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_") {
		return nil
	}
	add := func(texts ...string) {
		for _, text := range texts {
			for _, form := range append([]string{text}, quotedForms(text)...) {
				if isSecretValue(form) && !slices.Contains(list, form) {
					list = append(list, form)
				}
			}
		}
	}
	if u, err := url.Parse(value); err == nil && u.Scheme != "" && u.Host != "" {
		add(urlSecrets(u)...)
		return list
	}
	if !isHostName(value) {
		add(value)
	}
	for _, text := range []string{value, unescapeURL(value), decodeBase64(value)} {
		if text != value {
			add(text)
		}
		add(keyLikeParts(text, "")...)
	}
	return list
}

// urlSecrets returns the secrets in a URL: user and password, the values of its query, and the
// parts of its path, query and fragment that look like keys. It returns each value of the query
// also together with its name, because the value alone may be too short to be a secret.
func urlSecrets(u *url.URL) (list []string) {
	if u.User != nil {
		password, given := u.User.Password()
		if list = append(list, u.User.String()+"@"); given {
			list = append(list, password, unescapeURL(password))
		} else {
			list = append(list, u.User.Username())
		}
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if _, value, _ := strings.Cut(pair, "="); value != "" {
			list = append(list, pair, value, unescapeURL(value))
		}
	}
	for _, text := range []string{u.EscapedPath(), u.Path, u.RawQuery, u.EscapedFragment(), u.Fragment} {
		list = append(list, keyLikeParts(text, "/?")...)
	}
	return list
}

// keyLikeParts returns the parts of text that look like keys, and not like words, numbers or names.
// separators holds more characters at which text is split.
func keyLikeParts(text, separators string) (list []string) {
	piece := func(r rune) bool { return strings.ContainsRune(" \t\r\n\"',;&|:@(){}[]<>="+separators, r) }
	for _, part := range strings.FieldsFunc(text, piece) {
		if len(part) >= minLength && !isPlainWord(part) && isSecretValue(part) {
			list = append(list, part)
		}
	}
	return list
}

// unescapeURL returns text with its percent escapes decoded, or text itself if that fails.
func unescapeURL(text string) string {
	if clean, err := url.PathUnescape(text); err == nil {
		return clean
	}
	return text
}

// decodeBase64 returns the text that is encoded in base64, such as the name and password of HTTP
// Basic authentication. It returns "" if text is no base64 of a text.
func decodeBase64(text string) string {
	bytes, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil || !utf8.Valid(bytes) || strings.ContainsFunc(string(bytes), func(r rune) bool { return r < ' ' }) {
		return ""
	}
	return string(bytes)
}

// quotedForms returns spellings of text that cannot be decoded byte by byte: non-ASCII letters as
// JSON and Go escape them, backslashes before the special characters of a shell, the result of echo
// for a text with backslashes, and a host name in lower case.
func quotedForms(text string) (list []string) {
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

// printable holds the visible ASCII characters: 26 small letters, 26 capital letters, 10 digits,
// and then the others.
const printable = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" +
	" !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// isHostName reports whether text looks like the name of a host, perhaps with a port: words with
// dots between them.
func isHostName(text string) bool {
	name, port, _ := strings.Cut(text, ":")
	if len(text) > 100 || strings.Trim(port, "0123456789") != "" || !strings.Contains(name, ".") && port == "" {
		return false
	}
	for label := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '.' || r == '-' }) {
		if strings.Trim(label, printable[:26]+"0123456789") != "" || len(label) >= minLength && !isPlainWord(label) {
			return false
		}
	}
	return true
}

// isPath reports whether text looks like a path. Base64 may begin with a slash, too, but rarely
// contains punctuation of file names, or a plain word between two slashes.
func isPath(text string) bool {
	switch {
	case strings.HasPrefix(text, "~/"), strings.HasPrefix(text, "./"), strings.HasPrefix(text, "../"):
		return true
	case !strings.HasPrefix(text, "/"):
		return false
	case len(text) < minWordLength, strings.ContainsAny(text, "-_. ~:"):
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
