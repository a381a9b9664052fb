package proxy

import (
	"maps"
	"slices"
	"sync"
)

// maxUnreached is the largest number of refused hosts, and of failed hosts, that an Unreached
// stores.
const maxUnreached = 10

// Unreached records the hosts that programs tried to connect to in vain. Its methods Refuse and
// Fail serve as [Proxy.Refused] and [Proxy.Failed]. The zero value is empty. It is safe for use by
// several goroutines.
type Unreached struct {
	mu      sync.Mutex
	refused []Refusal
	failed  map[Host]error
}

// Refuse records a refusal, unless it is recorded already.
func (u *Unreached) Refuse(r Refusal) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.refused) < maxUnreached && !slices.Contains(u.refused, r) {
		u.refused = append(u.refused, r)
	}
}

// Fail records why the connection to a host failed. It replaces an earlier reason for the same
// host, because the last failure is the one that the program reports.
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

// Look returns the recorded refusals and failures.
func (u *Unreached) Look() ([]Refusal, map[Host]error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.refused), maps.Clone(u.failed)
}

// Forget removes all that is recorded about a host.
func (u *Unreached) Forget(h Host) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.refused = slices.DeleteFunc(u.refused, func(r Refusal) bool { return r.Host == h })
	delete(u.failed, h)
}

// Take returns the recorded refusals and failures, and removes them.
func (u *Unreached) Take() ([]Refusal, map[Host]error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	refused, failed := u.refused, u.failed
	u.refused, u.failed = nil, nil
	return refused, failed
}
