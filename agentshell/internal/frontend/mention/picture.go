package mention

import (
	"net/url"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Picture is the name of a picture file in a user's message.
type Picture struct {
	Path string // The path as it is written in the message, without quotes, escapes and the @.
	// Certain is true if the user surely wants the model to see the picture: an @ precedes the
	// path, or the message begins with the path, as when a file is dropped on the terminal. Any
	// other path may be part of a pasted text.
	Certain bool
}

// MaxPictures is the largest number of pictures that one message can send to the model.
const MaxPictures = 10

// Pictures returns the picture files that text, a user's message, names. These are words that end
// in the extension of a picture and that begin with @ or contain a slash. As terminals paste paths,
// a path may be quoted, have escaped blanks, or be a file URL.
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
