package proxy

import (
	"errors"
	"fmt"
	"testing"
)

// The last reason counts, also when as many hosts are noted as there may be; what was taken is not
// noted any more.
func TestUnreachedHostsAreNotedWithTheLastReason(t *testing.T) {
	var u Unreached
	for i := range maxUnreached + 5 {
		h := Host{fmt.Sprintf("h%d.invalid", i), 443}
		u.Refuse(Refusal{Host: h})
		u.Refuse(Refusal{Host: h})
		u.Fail(h, errors.New("first"))
	}
	first := Host{"h0.invalid", 443}
	last := errors.New("last")
	u.Fail(first, last)
	refused, failed := u.Look()
	if len(refused) != maxUnreached || len(failed) != maxUnreached || failed[first] != last {
		t.Errorf("%v, %v", refused, failed)
	}
	u.Forget(first)
	refused, failed = u.Take()
	if len(refused) != maxUnreached-1 || len(failed) != maxUnreached-1 || failed[first] != nil {
		t.Errorf("%v, %v", refused, failed)
	}
	if refused, failed = u.Look(); len(refused) != 0 || len(failed) != 0 {
		t.Errorf("%v and %v are noted twice", refused, failed)
	}
}
