package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// The largest proposals that are possible: how long a person waits for the pane.
func BenchmarkPrepare(b *testing.B) {
	source := func(n, every int) string {
		var s strings.Builder
		for i := 0; s.Len() < n; i++ {
			switch {
			case every > 0 && i%every == 0:
				fmt.Fprintf(&s, "\tchanged := %d\n", i)
			case i%5 == 0:
				s.WriteString("\t}\n")
			case i%7 == 0:
				s.WriteString("\n")
			default:
				fmt.Fprintf(&s, "\tfmt.Println(%q, %d)\n", "line", i%3000)
			}
		}
		return s.String()
	}
	for _, c := range []struct{ name, before, after string }{
		{"edited-100KiB", source(100<<10, 0), source(100<<10, 40)},
		{"edited-10MiB", source(9<<20, 0), source(9<<20, 40)},
		{"rewritten-10MiB", source(9<<20, 0), strings.ToUpper(source(9<<20, 0))},
		{"newlines", strings.Repeat("\n", maxLines), strings.Repeat("\r\n", maxLines)},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := newBench(b, map[string]string{"f": c.before})
			in, err := json.Marshal(args{"path": "f", "content": c.after})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := w.reg.Prepare(context.Background(), "write_file", "t", in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
