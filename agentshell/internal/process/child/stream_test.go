package child

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestALogKeepsItsBeginningAndItsEnd(t *testing.T) {
	for _, lines := range []int{0, 1, 10_000, 30_000, 50_000, 100_000} {
		var all bytes.Buffer
		for i := range lines {
			fmt.Fprintf(&all, "this is line %d of the log, and it is of some length\n", i)
		}
		for _, chunk := range []int{999, 32 << 10, 3 << 20} {
			path := filepath.Join(t.TempDir(), "log")
			l, err := OpenLog(path)
			if err != nil {
				t.Fatal(err)
			}
			l.pace = Pace{Burst: 1 << 40}
			for rest := all.Bytes(); len(rest) > 0; {
				n := min(chunk, len(rest))
				if wrote, err := l.Write(rest[:n]); wrote != n || err != nil {
					t.Fatalf("%d, %v", wrote, err)
				}
				rest = rest[n:]
				if info, err := os.Stat(path); err != nil || info.Size() > logHead+2*logTail+100 {
					t.Fatalf("the log has %d bytes, %v", info.Size(), err)
				}
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if all.Len() <= logHead+logTail {
				if !bytes.Equal(got, all.Bytes()) {
					t.Errorf("%d lines in chunks of %d: something is missing", lines, chunk)
				}
				continue
			}
			head, rest, cut := strings.Cut(string(got), "\n[")
			var left int
			tail := rest
			if cut {
				count, after, _ := strings.Cut(rest, " bytes left out]\n")
				if _, err := fmt.Sscan(count, &left); err != nil {
					t.Fatal(err)
				}
				tail = after
			} else {
				head, tail = string(got), ""
			}
			if len(head)+left+len(tail) != all.Len() || !strings.HasPrefix(all.String(), head) ||
				!strings.HasSuffix(all.String(), tail) ||
				cut && (len(head) != logHead || len(tail) < logTail) {
				t.Errorf("%d lines in chunks of %d: %d bytes, %d left out and %d are not %d", lines, chunk, len(head),
					left, len(tail), all.Len())
			}
		}
	}
}

func TestALogThatIsClosedOrCannotBeWrittenHoldsNobodyUp(t *testing.T) {
	l, err := OpenLog(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	l.file.Close() // as good as a full disk
	if n, err := l.Write([]byte("text")); n != 4 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	l.file = nil
	if n, err := l.Write([]byte("text")); n != 4 || err != nil || l.Close() != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func TestAPaceLetsABurstThroughAndThenARate(t *testing.T) {
	p := Pace{Burst: 1000, Rate: 100}
	now := time.Unix(1, 0)
	for _, c := range []struct {
		after time.Duration
		n     int
		wait  time.Duration
	}{
		{0, 600, 0}, {0, 400, 0}, {0, 50, 500 * time.Millisecond}, {500 * time.Millisecond, 100, time.Second},
		{3 * time.Second, 150, 0}, {time.Hour, 1000, 0}, {0, 100, time.Second},
	} {
		now = now.Add(c.after)
		if got := p.spend(c.n, now); got.Round(time.Millisecond) != c.wait {
			t.Errorf("%d bytes after %v wait %v, want %v", c.n, c.after, got, c.wait)
		}
	}
}
