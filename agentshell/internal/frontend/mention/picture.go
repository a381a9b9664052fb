package mention

import (
	"net/url"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// A Picture is a picture file that a message names.
type Picture struct {
	Path string // as it is written, without quotes, escapes and the @
	// Meant says that there is no doubt that the picture is to be looked at: an @ stands before the
	// path, or the message begins with it, as it does when a file was dropped on the terminal. A
	// path within a text may have come along with a paste.
	Meant bool
}

// MaxPictures bounds the pictures of one message that are looked at.
const MaxPictures = 10

// Pictures finds the pictures that a message names: words that begin with @, and words that are
// paths (with a slash), if they end like the name of a picture. A path may be in quotes, have its
// blanks escaped, or be a file URL, as terminals paste them.
func Pictures(text string) []Picture {
	var list []Picture
	seen := map[string]bool{}
	for w := range Words(text) {
		word := w.Text
		if file, ok := strings.CutPrefix(word, "file://"); ok {
			if p, err := url.PathUnescape(file); err == nil && strings.HasPrefix(p, "/") {
				word = p
			}
		}
		if !picture.Named(word) {
			word = Trim(word)
		}
		if !picture.Named(word) || !w.At && !strings.Contains(word, "/") || strings.ContainsRune(word, 0) ||
			seen[word] || strings.Contains(word, "://") {
			continue
		}
		seen[word] = true
		if list = append(list, Picture{Path: word, Meant: w.At || w.First}); len(list) == MaxPictures {
			break
		}
	}
	return list
}
