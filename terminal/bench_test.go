package terminal

import (
	"io"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// counting is a device that takes everything.
type counting struct{ done sync.WaitGroup }

func (c *counting) Write(p []byte) (int, error) {
	c.done.Done()
	return len(p), nil
}

func BenchmarkWrite(b *testing.B) {
	var c counting
	w := newWriter(&c, defaultBacklog, 1<<40, func(error) {}, func() {})
	go w.run()
	defer w.close()
	frame := make([]byte, 200)
	b.ReportAllocs()
	for b.Loop() {
		c.done.Add(1)
		if _, err := w.enqueue(frame); err != nil {
			b.Fatal(err)
		}
		c.done.Wait()
	}
}

func BenchmarkKeyToEvent(b *testing.B) {
	t := &Terminal{writer: newWriter(io.Discard, defaultBacklog, 0, func(error) {}, func() {}), env: env()}
	in := []byte("\x1b[1;5A")
	b.ReportAllocs()
	for b.Loop() {
		t.feedChunk(chunk{data: in})
		if _, _, ok := t.popEvent(); !ok {
			b.Fatal("no event")
		}
	}
}

func BenchmarkDecodeKey(b *testing.B) {
	tok := stdinbuf.Token{Kind: stdinbuf.CSI, Data: []byte("\x1b[97:65;6u")}
	b.ReportAllocs()
	for b.Loop() {
		decodeKey(tok)
	}
}
