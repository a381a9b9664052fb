package proxy

import (
	"maps"
	"slices"
	"sync"
)

// maxUnreached is the number of hosts of each kind that an Unreached notes.
const maxUnreached = 10

// Unreached notes the hosts that programs wanted to reach and did not. Its methods Refuse and Fail
// are for [Proxy.Refused] and [Proxy.Failed]. The zero value is empty. It is safe for use by
// several goroutines.
type Unreached struct {
	mu      sync.Mutex
	refused []Refusal
	failed  map[Host]error
}

// Refuse notes a refusal, each once.
func (u *Unreached) Refuse(r Refusal) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.refused) < maxUnreached && !slices.Contains(u.refused, r) {
		u.refused = append(u.refused, r)
	}
}

// Fail notes why a host was not reached. The last reason counts: a program that tries again has met
// that one when its result is read.
func (u *Unreached) Fail(h Host, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.failed == nil {
		u.failed = map[Host]error{}
	}
	if _, noted := u.failed[h]; noted || len(u.failed) < maxUnreached {
		u.failed[h] = err
	}
}

// Look returns what is noted.
func (u *Unreached) Look() ([]Refusal, map[Host]error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.refused), maps.Clone(u.failed)
}

// Forget forgets what is noted of a host.
func (u *Unreached) Forget(h Host) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.refused = slices.DeleteFunc(u.refused, func(r Refusal) bool { return r.Host == h })
	delete(u.failed, h)
}

// Take returns what is noted, and forgets it.
func (u *Unreached) Take() ([]Refusal, map[Host]error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	refused, failed := u.refused, u.failed
	u.refused, u.failed = nil, nil
	return refused, failed
}
