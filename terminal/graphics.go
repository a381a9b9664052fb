package terminal

import (
	"bytes"
	"strconv"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// PictureError is the answer of the terminal to a command of kitty graphics that failed: ENOENT if
// it does not have the picture, EINVAL, ENOSPC, ... Successes are not answered, as we ask for. The
// id of a picture has 24 bits. An answer about a larger one belongs to a question of ours, or to
// nobody.
type PictureError struct {
	ID      uint32
	Message string // printable ASCII of at most 64 bytes
}

func (PictureError) event() {}

// pictureError reads ESC _ G i=31,p=1 ; ENOENT:... ST.
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
