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

// Host is a host and one of its ports, as a program asks for it. Name is a lower-case domain name
// without a dot at its end, or an IP address without brackets.
type Host struct {
	Name string
	Port uint16
}

// String returns name:port, with brackets around an IPv6 address.
func (h Host) String() string { return net.JoinHostPort(h.Name, strconv.Itoa(int(h.Port))) }

// ParseHost reads "name:port"; a name alone has port 443. A name that begins with "*." stands for
// every name below it.
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

// isName reports whether a name can be one of the domain name system: letters, digits, hyphens and
// underscores between dots. What looks like a number would be read as an address (0x7f.1), and is
// none.
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

// covers reports whether h, which may begin with "*.", stands for the host that is asked for.
func (h Host) covers(asked Host) bool {
	if h.Port != asked.Port {
		return false
	}
	if below, ok := strings.CutPrefix(h.Name, "*"); ok {
		return strings.HasSuffix(asked.Name, below)
	}
	return h.Name == asked.Name
}

// Hosts are those that may be reached. The zero value is empty. It is safe for use by several
// goroutines.
type Hosts struct {
	mu   sync.Mutex
	list []Host
	// private are those whose addresses may be of a private network.
	private []Host
}

// Add adds hosts. private: their addresses may be of a private network, as those of a company's own
// servers are.
func (h *Hosts) Add(private bool, hosts ...Host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, hosts...)
	if private {
		h.private = append(h.private, hosts...)
	}
}

// Has reports whether a host may be reached.
func (h *Hosts) Has(asked Host) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.list, func(l Host) bool { return l.covers(asked) })
}

// Any reports whether there is one.
func (h *Hosts) Any() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.list) > 0
}

// isPrivate reports whether its addresses may be those of a private network.
func (h *Hosts) isPrivate(asked Host) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.private, func(l Host) bool { return l.covers(asked) })
}
