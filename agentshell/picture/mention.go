package picture

import (
	"net/url"
	"strings"
	"unicode"
)

// A Mention is a picture that a message names.
type Mention struct {
	Path string // as it is written, without quotes, escapes and the @
	// Meant says that there is no doubt that the picture is to be looked at: an @ stands before the
	// path, or the message begins with it, as it does when a file was dropped on the terminal. A
	// path within a text may have come along with a paste.
	Meant bool
}

// MaxMentions is how many pictures of one message are looked at.
const MaxMentions = 10

// Mentions finds the pictures that a message names: words that begin with @, and words that are
// paths (with a slash), if they end like the name of a picture. A path may be in quotes, have its
// blanks escaped, or be a file URL, as terminals paste them.
func Mentions(text string) []Mention {
	var list []Mention
	seen := map[string]bool{}
	rest := strings.TrimLeftFunc(text, unicode.IsSpace)
	for first := true; rest != "" && len(list) < MaxMentions; first = false {
		var word string
		at := rest[0] == '@'
		if at {
			rest = rest[1:]
		}
		word, rest = next(rest)
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		if file, ok := strings.CutPrefix(word, "file://"); ok {
			if p, err := url.PathUnescape(file); err == nil && strings.HasPrefix(p, "/") {
				word = p
			}
		}
		if !Named(word) {
			word = strings.TrimRight(word, ".,;:!?)]}'\"")
		}
		if !Named(word) || !at && !strings.Contains(word, "/") || strings.ContainsRune(word, 0) || seen[word] ||
			strings.Contains(word, "://") {
			continue
		}
		seen[word] = true
		list = append(list, Mention{Path: word, Meant: at || first})
	}
	return list
}

// next takes a word as a shell would read it, but for what a shell would expand. A quote that is
// never closed is a letter like any other.
func next(s string) (word, rest string) {
	if q := s; q != "" && (q[0] == '\'' || q[0] == '"') {
		if end := strings.IndexByte(q[1:], q[0]); end >= 0 && !strings.Contains(q[1:1+end], "\n") {
			return q[1 : 1+end], q[2+end:]
		}
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case unicode.IsSpace(r) && !strings.HasSuffix(s[:i], `\`):
			return b.String(), s[i:]
		case r == '\\' && i+1 < len(s) && strings.IndexByte(` '"()[]&\`, s[i+1]) >= 0 && !strings.HasSuffix(s[:i], `\`):
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), ""
}
