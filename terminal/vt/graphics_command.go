package vt

import (
	"encoding/base64"
	"strconv"
)

// graphicsCommand is one command of kitty's graphics protocol. Its keys are single letters. A value
// is an integer, or a letter as its ASCII code.
type graphicsCommand struct {
	keys    [128]uint32 // The values by key.
	present [128]bool
	data    []byte // The decoded payload.
}

// get returns the value of a key, or fallback if the command does not have it.
func (g *graphicsCommand) get(key byte, fallback uint32) uint32 {
	if g.present[key] {
		return g.keys[key]
	}
	return fallback
}

func (g *graphicsCommand) signed(key byte) int { return int(int32(g.get(key, 0))) }

// maxGraphicsValue is the most bytes of a value in a command: a 32-bit number with a sign.
const maxGraphicsValue = 11

// parseGraphics parses the bytes between ESC _ G and ST. Like ghostty it skips unknown and overlong
// keys, and rejects the whole command if a value is not a number or the payload is wrong
// (graphics_command.zig).
func parseGraphics(b []byte) (g graphicsCommand, ok bool) {
	const (
		inKey = iota
		skipKey
		inValue
		skipValue
	)
	state := inKey
	start := 0
	var key byte
	end := func(i int) bool {
		state = inKey
		v := b[start:i]
		start = i + 1
		if len(v) == 1 && (v[0] < '0' || v[0] > '9') {
			return g.set(key, uint32(v[0]))
		}
		if key == 'z' || key == 'H' || key == 'V' {
			n, err := strconv.ParseInt(string(v), 10, 32)
			return err == nil && g.set(key, uint32(int32(n)))
		}
		n, err := strconv.ParseUint(string(v), 10, 32)
		return err == nil && g.set(key, uint32(n))
	}
	i := 0
loop:
	for ; i < len(b); i++ {
		c := b[i]
		switch state {
		case inKey:
			switch {
			case c == '=' && i-start == 1:
				key, state, start = b[start], inValue, i+1
			case c == '=':
				state = skipValue
			case c == ';':
				break loop
			case i-start >= maxGraphicsValue:
				state = skipKey
			}
		case skipKey:
			if c == '=' {
				state = skipValue
			}
		case inValue:
			switch {
			case c == ',' || c == ';':
				if !end(i) {
					return g, false
				}
				if c == ';' {
					break loop
				}
			case i-start >= maxGraphicsValue:
				state = skipValue
			}
		case skipValue:
			if c == ',' {
				state = skipKey
			} else if c == ';' {
				break loop
			}
		}
	}
	if i == len(b) { // no payload
		switch state {
		case inKey, skipKey:
			return g, false
		case inValue:
			if !end(i) {
				return g, false
			}
		}
		return g, g.valid()
	}
	if g.data, ok = decodeBase64(b[i+1:]); !ok {
		return g, false
	}
	return g, g.valid()
}

func (g *graphicsCommand) set(key byte, v uint32) bool {
	if key >= 'a' && key <= 'z' || key >= 'A' && key <= 'Z' {
		g.keys[key], g.present[key] = v, true
	}
	return true
}

// valid reports whether all values are allowed for their keys.
func (g *graphicsCommand) valid() bool {
	oneOf := func(key byte, fallback uint32, values string) bool {
		v := g.get(key, fallback)
		if v > 0xff {
			return false
		}
		for i := range len(values) {
			if byte(v) == values[i] {
				return true
			}
		}
		return false
	}
	if !oneOf('a', 't', "qtTpdfac") {
		return false
	}
	switch byte(g.get('a', 't')) {
	case 'q', 't', 'T', 'f':
		return oneOf('t', 'd', "dfts") && (!g.present['o'] || g.get('o', 0) == 'z')
	case 'd':
		return oneOf('d', 'a', "aAiInNcCfFpPqQrRxXyYzZ")
	}
	return true
}

// decodeBase64 decodes data in place, with or without padding. An impossible length gives no data
// and no error.
func decodeBase64(b []byte) ([]byte, bool) {
	for len(b) > 0 && b[len(b)-1] == '=' {
		b = b[:len(b)-1]
	}
	if len(b)%4 == 1 {
		return nil, true
	}
	for _, c := range b {
		if c == '\n' || c == '\r' { // which the decoder would skip
			return nil, false
		}
	}
	n, err := base64.RawStdEncoding.Decode(b, b)
	return b[:n], err == nil
}
