package sandbox

import "testing"

func TestAChrootIsToldByItsMounts(t *testing.T) {
	const (
		machine = "22 27 0:21 / /proc rw,relatime - proc proc rw\n" +
			"27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
		chroot = "47 27 0:39 / /proc rw,relatime - proc proc rw\n50 49 0:41 / /dev/pts rw - devpts devpts rw\n"
	)
	for text, want := range map[string]bool{machine: true, chroot: false, "": false} {
		if got := mountedRoot(text); got != want {
			t.Errorf("%v for %q", got, text)
		}
	}
}
