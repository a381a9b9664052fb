package vt

import "encoding/base64"

// clipboards is what OSC 52 has put on the three of them: 'c', the clipboard, 's', the selection,
// 'p', the primary one.
type clipboards map[byte][]byte

// clipboard implements OSC 52. Reading is not answered: the ghostty application asks its user
// first, and here there is none.
func (t *Terminal) clipboard(body []byte) {
	kind := byte('c')
	switch {
	case len(body) >= 1 && body[0] == ';':
		body = body[1:]
	case len(body) >= 2 && body[1] == ';':
		if k := body[0]; k == 's' || k == 'p' {
			kind = k
		}
		body = body[2:]
	default:
		return
	}
	if string(body) == "?" {
		return
	}
	text, err := base64.StdEncoding.DecodeString(string(body))
	if err != nil {
		return
	}
	if t.clips == nil {
		t.clips = make(clipboards)
	}
	t.clips[kind] = text
}

// Clipboard returns what the application has written to a clipboard with OSC 52: 'c' for the usual
// one, 's' and 'p' for the selections of X11. The caller must not change it.
func (t *Terminal) Clipboard(kind byte) []byte { return t.clips[kind] }
