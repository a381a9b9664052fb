package app

import (
	"fmt"
	"strings"
	"testing"
)

func TestStrayTextIsKeptUpToALimit(t *testing.T) {
	var s stderrCapture
	if got := s.String(); got != "" {
		t.Errorf("nothing was written, and %q is kept", got)
	}
	fmt.Fprint(&s, "a library warns\n")
	if got := s.String(); got != "a library warns" {
		t.Errorf("%q", got)
	}
	if n, err := s.Write([]byte(strings.Repeat("é", maxStderr))); n != 2*maxStderr || err != nil {
		t.Errorf("a Write of too much: %d, %v", n, err)
	}
	fmt.Fprint(&s, "lost")
	if got := s.String(); len(got) > maxStderr+20 || !strings.HasPrefix(got, "a library warns\né") ||
		!strings.HasSuffix(got, "é\n(and more)") {
		t.Errorf("%d bytes, the end is %q", len(got), got[len(got)-20:])
	}
}
