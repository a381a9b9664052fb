package terminal

import (
	"bytes"
	"strconv"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// PictureError is the terminal's answer to a command of kitty graphics that has failed: ENOENT if
// it does not hold the image, EINVAL, ENOSPC and others. Commands that succeed are not answered.
// The id of an image has 24 bits. An answer with a larger id is not a PictureError.
type PictureError struct {
	ID      uint32
	Message string // Printable ASCII of at most 64 bytes.
}

func (PictureError) event() {}

// pictureError parses an answer such as ESC _ G i=31,p=1 ; ENOENT:... ST. ok is false if tok is
// none.
func pictureError(tok stdinbuf.Token) (e PictureError, ok bool) {
	if tok.Kind != stdinbuf.APC {
		return e, false
	}
	keys, message, _ := bytes.Cut(trimString(tok.Data), []byte(";"))
	keys, ok = bytes.CutPrefix(keys, []byte("G"))
	if !ok || len(message) == 0 || message[0] != 'E' {
		return e, false
	}
	for kv := range bytes.SplitSeq(keys, []byte(",")) {
		if n, found := bytes.CutPrefix(kv, []byte("i=")); found {
			id, err := strconv.ParseUint(string(n), 10, 32)
			if err != nil {
				return e, false
			}
			e.ID = uint32(id)
		}
	}
	message = message[:min(len(message), 64)]
	if e.ID == 0 || e.ID >= 1<<24 || !printable(message) {
		return e, false
	}
	e.Message = string(message)
	return e, true
}
