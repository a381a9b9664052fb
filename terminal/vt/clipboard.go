package vt

import "encoding/base64"

// clipboards holds what OSC 52 has written to the three clipboards: 'c' the clipboard, 's' the
// selection, 'p' the primary selection.
type clipboards map[byte][]byte

// setClipboard implements OSC 52 for writing. Requests to read a clipboard get no answer: ghostty
// asks its user first, and there is none here.
func (t *Terminal) setClipboard(body []byte) {
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
	if t.window.clipboards == nil {
		t.window.clipboards = make(clipboards)
	}
	t.window.clipboards[kind] = text
}

// Clipboard returns what the application has written to a clipboard by OSC 52: 'c' is the usual
// one, 's' and 'p' are the selections of X11. The caller must not change the bytes.
func (t *Terminal) Clipboard(kind byte) []byte { return t.window.clipboards[kind] }
