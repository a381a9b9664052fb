// Package load makes the terminal output on which the emulator's speed is measured.
package load

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// Kind is one kind of output.
type Kind struct {
	Name string
	line func(*rand.Rand, *bytes.Buffer)
}

// Bytes returns the first n bytes of it, always the same.
func (k Kind) Bytes(n int) []byte {
	var b bytes.Buffer
	for r := rand.New(rand.NewPCG(1, 2)); b.Len() < n; {
		k.line(r, &b)
	}
	return b.Bytes()[:n]
}

// Kinds returns the four whose speed counts: log lines, coloured text, text beyond ASCII, redraws
// by cursor motion.
func Kinds() []Kind {
	return []Kind{
		{"ascii", func(r *rand.Rand, b *bytes.Buffer) {
			for range 20 + r.IntN(100) {
				b.WriteByte(byte(' ' + r.IntN(95)))
			}
			b.WriteString("\r\n")
		}},
		{"styled", func(r *rand.Rand, b *bytes.Buffer) {
			for range 4 + r.IntN(6) {
				switch r.IntN(4) {
				case 0:
					fmt.Fprintf(b, "\x1b[%dm", 30+r.IntN(8))
				case 1:
					fmt.Fprintf(b, "\x1b[1;38;5;%dm", r.IntN(256))
				case 2:
					fmt.Fprintf(b, "\x1b[38;2;%d;%d;%dm", r.IntN(256), r.IntN(256), r.IntN(256))
				case 3:
					fmt.Fprintf(b, "\x1b[4;48;5;%dm", r.IntN(256))
				}
				for range 3 + r.IntN(12) {
					b.WriteByte(byte('a' + r.IntN(26)))
				}
				b.WriteString("\x1b[0m ")
			}
			b.WriteString("\r\n")
		}},
		{"unicode", func(r *rand.Rand, b *bytes.Buffer) {
			for range 20 + r.IntN(30) {
				switch r.IntN(8) {
				case 0, 1, 2:
					b.WriteRune(rune(0x4e00 + r.IntN(0x5000)))
				case 3:
					b.WriteRune(rune(0x430 + r.IntN(32)))
				case 4:
					b.WriteRune(rune(0x3b1 + r.IntN(24)))
				case 5:
					b.WriteString([]string{"🙂", "👩\u200d💻", "👍🏽", "❤\ufe0f", "🇩🇪"}[r.IntN(5)])
				case 6:
					b.WriteString("e\u0301")
				case 7:
					b.WriteByte(byte('a' + r.IntN(26)))
				}
			}
			b.WriteString("\r\n")
		}},
		{"motion", func(r *rand.Rand, b *bytes.Buffer) {
			switch r.IntN(6) {
			case 0, 1, 2:
				fmt.Fprintf(b, "\x1b[%d;%dH", 1+r.IntN(24), 1+r.IntN(80))
			case 3:
				fmt.Fprintf(b, "\x1b[%d%c", 1+r.IntN(5), "ABCD"[r.IntN(4)])
			case 4:
				b.WriteString("\x1b[K")
			case 5:
				fmt.Fprintf(b, "\x1b[%dG", 1+r.IntN(80))
			}
			for range r.IntN(8) {
				b.WriteByte(byte('a' + r.IntN(26)))
			}
		}},
	}
}
