package mention

import (
	"net/url"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Picture is a picture file that a message names.
type Picture struct {
	Path string // as written, without quotes, escapes and the @
	// Certain reports that the person wants the picture to be looked at: an @ stands before the
	// path, or the message begins with it, as when a file is dropped on the terminal. Any other
	// path may be part of a paste.
	Certain bool
}

// MaxPictures is the number of pictures that are looked at for one message.
const MaxPictures = 10

// Pictures returns the pictures that a message names. These are words that begin with @ or contain
// a slash, and end like the name of a picture. A path may be quoted, have escaped blanks, or be a
// file URL, as terminals paste them.
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
		if list = append(list, Picture{Path: word, Certain: w.At || w.First}); len(list) == MaxPictures {
			break
		}
	}
	return list
}
