package ansi

import "testing"

// A run of ASCII ends at any other byte, wherever that stands among those that are looked at
// together.
func TestARunOfASCIIEndsAtEveryOtherByte(t *testing.T) {
	for c := range 256 {
		for at := range 24 {
			b := []byte("0123456789abcdefghijklmn~ ")
			b[at] = byte(c)
			want := at
			if c >= 0x20 && c < 0x7f {
				want = len(b)
			}
			if got := asciiRun(b, 0); got != want {
				t.Errorf("byte %#x at %d: the run ends at %d, want %d", c, at, got, want)
			}
		}
	}
}
