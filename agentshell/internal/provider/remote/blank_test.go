package remote

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tmaxmax/go-sse"
)

func TestOnlyTheFirstOfSeveralEmptyLinesIsGiven(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"data: a\n\ndata: b\n\n":            "data: a\n\ndata: b\n\n",
		"data: a\n\n\n\n\ndata: b\n\n\n":    "data: a\n\ndata: b\n\n",
		"\n\n\n\ndata: a\n\n":               "\ndata: a\n\n",
		"data: a\r\n\r\n\r\n\r\ndata: b\r":  "data: a\r\n\r\ndata: b\r",
		"data: a\r\r\r\rdata: b\r\r":        "data: a\r\rdata: b\r\r",
		"data: a\n\r\n\n\rdata: b\n \n\n":   "data: a\n\r\ndata: b\n \n\n",
		"event: x\n\n\n: c\n\n\n\ndata: y":  "event: x\n\n: c\n\ndata: y",
		strings.Repeat("\n", 100_000) + "a": "\na",
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(text),
			"in bytes":     iotest.OneByteReader(strings.NewReader(text)),
			"in halves":    iotest.HalfReader(strings.NewReader(text)),
			"with its end": iotest.DataErrReader(strings.NewReader(text))} {
			got, err := io.ReadAll(&blankFilter{from: r})
			if err != nil || string(got) != want {
				t.Errorf("%s, %.40q: %.60q, %v; want %q", name, text, got, err, want)
			}
		}
	}
}

// The events are those of the whole stream.
func FuzzEmptyLinesAreNoEvents(f *testing.F) {
	f.Add("data: a\n\n\n\r\n\rdata: b\nevent: c\n\n")
	f.Add("\n\n\r\r\nid: 1\r\n\r\n\r\n:x\n\ndata\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		events := func(r io.Reader) (list []sse.Event) {
			for ev, err := range sse.Read(io.MultiReader(r, strings.NewReader("\n\n")), nil) {
				if err != nil {
					return list
				}
				if ev.Data != "" {
					list = append(list, ev)
				}
			}
			return list
		}
		want, got := events(strings.NewReader(text)), events(&blankFilter{from: strings.NewReader(text)})
		if len(want) != len(got) {
			t.Fatalf("%q: %d events, want %d", text, len(got), len(want))
		}
		for i := range want {
			if want[i] != got[i] {
				t.Errorf("%q: %v, want %v", text, got[i], want[i])
			}
		}
	})
}
