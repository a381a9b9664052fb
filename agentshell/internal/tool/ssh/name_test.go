package ssh

import (
	"strings"
	"testing"
)

func TestTheNameOfAHost(t *testing.T) {
	for name, want := range map[string]bool{"": false, "a": true, "böse": true, "9": true, "_x": true, "a.b:c-d": true,
		"-o": false, ".a": false, ":1": false, "a b": false, "u@h": false, "a\n": false, "a/b": false, "a\xff": false,
		strings.Repeat("ö", 251): true, strings.Repeat("a", 252): false} {
		if isName(name) != want {
			t.Errorf("%.20q: %v", name, !want)
		}
	}
}
