package vt

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/vt/load"
)

// BenchmarkWrite feeds each load in pieces of 64 KiB to a terminal of 80x24 whose 10,000 rows of
// scrollback are full.
func BenchmarkWrite(b *testing.B) {
	for _, kind := range load.Kinds() {
		b.Run(kind.Name, func(b *testing.B) {
			data := kind.Bytes(4 << 20)
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
	t.Write(load.Kinds()[0].Bytes(1 << 20))
	for b.Loop() {
		t.Resize(40, 24)
		t.Resize(80, 24)
	}
}
