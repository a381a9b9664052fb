package proxy

import "net/netip"

// specialNetworks lists networks that do not belong to the internet, besides those that netip knows
// (IANA's registries of special-purpose addresses). Networks whose addresses are translated to IPv4
// are among them, because they could lead to any IPv4 address.
var specialNetworks = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
	"198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23",
	"2001:db8::/32", "2002::/16", "5f00::/16", "fec0::/10", "::/96")

func prefixes(list ...string) (all []netip.Prefix) {
	for _, p := range list {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}

// isPublic reports whether an address belongs to the internet. Addresses of this machine, of
// private networks, and of a cloud's own services (169.254.169.254) do not.
func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range specialNetworks {
		if p.Contains(a) {
			return false
		}
	}
	return true
}
