// Package ssh runs commands on other machines by the ssh program. The user's keys, agents, jump
// hosts and known hosts are the program's affair; nothing here reads a key or asks for a password.
package ssh

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Host is a machine on which the model can run commands.
type Host struct {
	Name    string // Name is the name of the host for the model and in permission rules.
	Address string // Address is a host name, an IP address, or an alias in the configuration of ssh; "": Name.
	User    string // User is the login name; "": as ssh is configured.
	Port    int    // Port is the TCP port; 0: as ssh is configured.
	Key     string // Key is the path of a private key; "": as ssh is configured.
	About   string // About describes the host for the model.
	// Alias says that the host is from the configuration of ssh: the user has not listed it for the
	// model.
	Alias bool
}

// maxNameChars is the number of characters of a name.
const maxNameChars = 251

// isName reports whether text is valid as a name: ssh takes it neither for an option nor for a user
// with a host. It uses no regular expression, because one with Unicode classes would take 10 MB at
// each start of the program.
func isName(text string) bool {
	n := 0
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' && (n == 0 || !strings.ContainsRune(".:-", r)) {
			return false
		}
		n++
	}
	return n > 0 && n <= maxNameChars
}

// Check returns an error if the settings of the host are not valid.
func (h Host) Check() error {
	switch {
	case !isName(h.Name):
		return fmt.Errorf("%q cannot be the name of a host: it has letters, digits, and . _ : - after the first",
			h.Name)
	case h.Address != "" && !isName(h.Address):
		return fmt.Errorf("host of %s: %q is no host name", h.Name, h.Address)
	case h.User != "" && !isName(h.User):
		return fmt.Errorf("user of %s: %q is no user name", h.Name, h.User)
	case h.Port < 0 || h.Port > 65535:
		return fmt.Errorf("port of %s may be 1 to 65535", h.Name)
	case strings.ContainsAny(h.Key, "\x00\n\r"):
		return fmt.Errorf("key of %s is no path", h.Name)
	}
	return nil
}

// Target returns the destination of commands for display: user, address and port, as far as they
// are set.
func (h Host) Target() string {
	target := cmp.Or(h.Address, h.Name)
	if h.User != "" {
		target = h.User + "@" + target
	}
	if h.Port != 0 {
		target += " port " + strconv.Itoa(h.Port)
	}
	return target
}

// arguments returns the options and the destination for the ssh program.
func (h Host) arguments() (list []string) {
	if h.User != "" {
		list = append(list, "-l", h.User)
	}
	if h.Port != 0 {
		list = append(list, "-p", strconv.Itoa(h.Port))
	}
	if h.Key != "" {
		list = append(list, "-i", h.Key, "-o", "IdentitiesOnly=yes")
	}
	return append(list, "--", cmp.Or(h.Address, h.Name))
}

// Hosts holds hosts by their names.
type Hosts map[string]Host

// Names returns the sorted names.
func (h Hosts) Names() []string { return slices.Sorted(maps.Keys(h)) }

// UnknownError is the error for a host that is not listed.
type UnknownError struct {
	Name  string
	Hosts Hosts
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("Unknown SSH host: %s. Available hosts: %s", e.Name, strings.Join(e.Hosts.Names(), ", "))
}

// maxAliases is the number of hosts that are read from a configuration file of ssh.
const maxAliases = 200

// Aliases returns the hosts in a configuration file of ssh (ssh_config(5)): the words of its Host
// lines that are no patterns. It ignores included files. The settings below a Host line are left to
// ssh.
func Aliases(r io.Reader) (list []Host, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		keyword, words, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(lines.Text(), "=", " ")), " ")
		if !strings.EqualFold(keyword, "host") {
			continue
		}
		for _, name := range strings.Fields(words) {
			h := Host{Name: strings.Trim(name, `"`), Alias: true}
			if h.Check() == nil && !slices.ContainsFunc(list, func(o Host) bool { return o.Name == h.Name }) {
				list = append(list, h)
			}
		}
		if len(list) > maxAliases {
			return list[:maxAliases], errors.New("only the first 200 hosts are used")
		}
	}
	return list, lines.Err()
}
