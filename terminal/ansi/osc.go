package ansi

import "encoding/base64"

// BEL rings the bell; multiplexers mark the window that rings.
const BEL = "\a"

// MaxText is the number of bytes of text that an OSC of this file carries; the rest is cut, at a character.
const MaxText = 400

// AppendNotify9 appends a desktop notification as OSC 9 (iTerm2, ghostty, wezterm). Controls in text are dropped.
func AppendNotify9(dst []byte, text string) []byte {
	return append(appendPlain(append(dst, "\x1b]9;"...), text), "\x1b\\"...)
}

// AppendNotify99 appends a desktop notification as OSC 99 (kitty). Controls in text are dropped.
func AppendNotify99(dst []byte, text string) []byte {
	return append(appendPlain(append(dst, "\x1b]99;;"...), text), "\x1b\\"...)
}

// AppendNotify777 appends a desktop notification as OSC 777 (urxvt, foot, VTE). Controls are dropped, semicolons in title become commas.
func AppendNotify777(dst []byte, title, text string) []byte {
	dst = append(dst, "\x1b]777;notify;"...)
	n := len(dst)
	dst = appendPlain(dst, title)
	for i := n; i < len(dst); i++ {
		if dst[i] == ';' {
			dst[i] = ','
		}
	}
	return append(appendPlain(append(dst, ';'), text), "\x1b\\"...)
}

// AppendClipboard appends OSC 52: data goes to the system's clipboard, if the terminal allows it.
func AppendClipboard(dst, data []byte) []byte {
	dst = append(dst, "\x1b]52;c;"...)
	dst = base64.StdEncoding.AppendEncode(dst, data)
	return append(dst, "\x1b\\"...)
}

// AppendTmux appends seq wrapped so that tmux hands it on to the terminal around it (option allow-passthrough).
func AppendTmux(dst []byte, seq []byte) []byte {
	dst = append(dst, "\x1bPtmux;"...)
	for _, b := range seq {
		if b == 0x1b {
			dst = append(dst, b)
		}
		dst = append(dst, b)
	}
	return append(dst, "\x1b\\"...)
}

// appendPlain appends text without controls (C0, DEL, C1, invalid bytes), at most MaxText bytes of it.
func appendPlain(dst []byte, text string) []byte {
	n := len(dst)
	for _, r := range text {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0xfffd {
			continue
		}
		c := string(r)
		if len(dst)-n+len(c) > MaxText {
			break
		}
		dst = append(dst, c...)
	}
	return dst
}
