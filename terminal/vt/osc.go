package vt

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// Limits of OSC payloads (osc.zig MAX_BUF, stream_terminal.zig windowTitle).
const (
	maxOSC   = 2048 // The most bytes behind the number. Only clipboard contents may be longer.
	maxTitle = 1024 // In bytes. A longer title is cut.
)

// dispatchOSC executes an operating system command (OSC).
func (t *Terminal) dispatchOSC(data []byte, bel bool) {
	t.maybeSweep()
	number, body, hasBody := bytes.Cut(data, []byte{';'})
	if string(number) == "52" && hasBody {
		t.setClipboard(body)
		return
	}
	if len(body) > maxOSC {
		return
	}
	text := len(body) < maxOSC // these end in a NUL that needs a place too
	switch string(number) {
	case "0", "2":
		if hasBody && text {
			t.setTitle(body)
		}
	case "7":
		if hasBody && text {
			t.setPwd(string(body))
		}
	case "8":
		if hasBody && text {
			t.hyperlink(string(body))
		}
	case "9": // ConEmu's; 12 marks a prompt
		if strings.HasPrefix(string(body), "12") && text {
			t.semanticPrompt("A")
		}
	case "133":
		if hasBody {
			t.semanticPrompt(string(body))
		}
	case "4", "104", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
		"110", "111", "112", "113", "114", "115", "116", "117", "118", "119":
		t.colorOperation(string(number), string(body), bel)
	case "21":
		if hasBody {
			t.kittyColors(string(body), bel)
		}
	}
}

func (t *Terminal) setTitle(b []byte) {
	if !utf8.Valid(b) {
		return
	}
	if len(b) > maxTitle {
		b = b[:maxTitle]
	}
	t.window.title = string(b)
}

// setPwd implements OSC 7, which sets the working directory: a file URL, a kitty-shell-cwd URL, or
// nothing.
func (t *Terminal) setPwd(url string) {
	if url == "" {
		t.window.pwd = ""
		return
	}
	address, ok := strings.CutPrefix(url, "file://")
	if !ok {
		if address, ok = strings.CutPrefix(url, "kitty-shell-cwd://"); !ok {
			return
		}
		if i := strings.IndexByte(address, '/'); i >= 0 {
			t.window.pwd = address[i:]
		}
		return
	}
	if i := strings.IndexByte(address, '/'); i >= 0 {
		if path, ok := unescapePercent(address[i:]); ok {
			t.window.pwd = path
		}
	}
}

// unescapePercent decodes %xx in a URL.
func unescapePercent(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		hi, lo := hexDigit(s[i+1]), hexDigit(s[i+2])
		if hi < 0 || lo < 0 {
			return "", false
		}
		b.WriteByte(byte(hi<<4 | lo))
		i += 2
	}
	return b.String(), true
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// hyperlink implements OSC 8. An empty URI ends the link, unless the sequence has an id
// (hyperlink.zig).
func (t *Terminal) hyperlink(body string) {
	params, uri, ok := strings.Cut(body, ";")
	if !ok {
		return
	}
	id := ""
	for kv := range strings.SplitSeq(params, ":") {
		key, value, ok := strings.Cut(kv, "=")
		if !ok {
			break
		}
		if key == "id" && value != "" {
			id = value
		}
	}
	c := &t.active.cursor
	switch {
	case uri != "":
		c.link = t.links.intern(link{validUTF8(uri), id})
	case id == "":
		c.link = 0
	default:
		return
	}
	c.penKnown = false
}

// validUTF8 returns s with invalid UTF-8 replaced as in printed text.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var out []byte
	for b := []byte(s); len(b) > 0; {
		r, n := ansi.DecodeRune(b)
		if n == 0 {
			return string(utf8.AppendRune(out, utf8.RuneError))
		}
		out = utf8.AppendRune(out, r)
		b = b[n:]
	}
	return string(out)
}
