package proxy

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Host holds a host and one of its ports, as a program names them. Name is a domain name in lower
// case without a final dot, or an IP address without brackets.
type Host struct {
	Name string
	Port uint16
}

// String returns "name:port", with brackets around an IPv6 address.
func (h Host) String() string { return net.JoinHostPort(h.Name, strconv.Itoa(int(h.Port))) }

// ParseHost parses "name:port". If the port is missing, it is 443. A name that begins with "*."
// stands for all names that end with the rest.
func ParseHost(text string) (Host, error) {
	name, port := text, uint64(443)
	if _, err := netip.ParseAddr(strings.Trim(text, "[]")); err != nil && strings.Contains(text, ":") {
		var number string
		if name, number, err = net.SplitHostPort(text); err != nil {
			return Host{}, fmt.Errorf("%q is no host:port", text)
		}
		if port, err = strconv.ParseUint(number, 10, 16); err != nil || port == 0 {
			return Host{}, fmt.Errorf("%q has no port from 1 to 65535", text)
		}
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if a, err := netip.ParseAddr(name); err == nil && a.Zone() == "" {
		return Host{a.Unmap().String(), uint16(port)}, nil
	}
	if !isName(strings.TrimPrefix(name, "*.")) {
		return Host{}, fmt.Errorf("%q is no name of a host", text)
	}
	return Host{name, uint16(port)}, nil
}

// isName reports whether name can be a domain name: letters, digits, hyphens and underscores
// between dots. It returns false for a name that a program could take for a number, and so for an
// address, such as "0x7f.1".
func isName(name string) bool {
	if name == "" || len(name) > 253 {
		return false
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" ||
			label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	last := labels[len(labels)-1]
	return strings.Trim(last, "0123456789") != "" && !strings.HasPrefix(last, "0x")
}

// matches reports whether h is the host wanted, or a pattern ("*.") that includes it.
func (h Host) matches(wanted Host) bool {
	if h.Port != wanted.Port {
		return false
	}
	if below, ok := strings.CutPrefix(h.Name, "*"); ok {
		return strings.HasSuffix(wanted.Name, below)
	}
	return h.Name == wanted.Name
}

// Hosts is a set of hosts that programs may connect to. The zero value is empty. It is safe for use
// by several goroutines.
type Hosts struct {
	mu   sync.Mutex
	list []Host
	// hosts whose addresses may belong to a private network
	private []Host
}

// Add adds hosts to the set. private allows addresses of a private network for them, as the servers
// of a company have them.
func (h *Hosts) Add(private bool, hosts ...Host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, hosts...)
	if private {
		h.private = append(h.private, hosts...)
	}
}

// Has reports whether programs may connect to the host wanted.
func (h *Hosts) Has(wanted Host) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.list, func(l Host) bool { return l.matches(wanted) })
}

// Any reports whether the set has any host.
func (h *Hosts) Any() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.list) > 0
}

// isPrivate reports whether the host wanted may have an address of a private network.
func (h *Hosts) isPrivate(wanted Host) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.private, func(l Host) bool { return l.matches(wanted) })
}
