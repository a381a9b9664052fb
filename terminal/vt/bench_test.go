package vt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// loads are the four kinds of output whose speed counts: log lines, coloured text, text beyond ASCII, redraws by cursor motion.
var loads = []struct {
	name string
	line func(*rand.Rand, *bytes.Buffer)
}{
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

func load(i, size int) []byte {
	var b bytes.Buffer
	for r := rand.New(rand.NewPCG(1, 2)); b.Len() < size; {
		loads[i].line(r, &b)
	}
	return b.Bytes()[:size]
}

// BenchmarkWrite feeds each load in pieces of 64 KiB to a terminal of 80x24 whose 10,000 rows of scrollback are full.
func BenchmarkWrite(b *testing.B) {
	for i, l := range loads {
		b.Run(l.name, func(b *testing.B) {
			data := load(i, 4<<20)
			t := New(Config{Cols: 80, Rows: 24, Scrollback: 10_000})
			feed := func() {
				for rest := data; len(rest) > 0; {
					n := min(len(rest), 64<<10)
					t.Write(rest[:n])
					rest = rest[n:]
				}
			}
			feed()
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				feed()
			}
		})
	}
}

// BenchmarkResize wraps 10,000 rows anew, to half the width and back.
func BenchmarkResize(b *testing.B) {
	t := New(Config{Cols: 80, Rows: 24, Scrollback: 10_000})
	t.Write(load(0, 1<<20))
	for b.Loop() {
		t.Resize(40, 24)
		t.Resize(80, 24)
	}
}
