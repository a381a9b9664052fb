package tool

import (
	"context"
	"fmt"
	"maps"
	"net"
	"os/exec"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// mostHosts is the number of hosts that one call may ask for.
const mostHosts = 10

// newHosts parses the hosts that a command's call asks to reach, and returns those that are not
// allowed yet. A nil allowed means that commands have no network. reason is the model's reason,
// which is required if a host is new.
func newHosts(allowed *proxy.Hosts, names []string, reason string) (fresh []proxy.Host, err error) {
	switch {
	case len(names) > 0 && allowed == nil:
		return nil, invalidArgs("commands have no network in this sandbox: ask to run it unconfined")
	case len(names) > mostHosts:
		return nil, invalidArgs("network names %d hosts: at most %d at once", len(names), mostHosts)
	}
	for _, name := range names {
		h, err := proxy.ParseHost(name)
		if err != nil {
			return nil, invalidArgs("network: %v. It takes host:port", err)
		}
		if strings.HasPrefix(h.Name, "*") {
			return nil, invalidArgs("network: %q stands for many hosts: name each one", name)
		}
		if !allowed.Has(h) && !slices.Contains(fresh, h) {
			fresh = append(fresh, h)
		}
	}
	if len(fresh) > 0 && strings.TrimSpace(reason) == "" {
		return nil, invalidArgs("network needs a reason, which the user is shown")
	}
	return fresh, nil
}

// reaches returns the warning for a proposal that lists the hosts which a command wants to reach,
// and the model's reason.
func reaches(hosts []proxy.Host, reason string) approval.Flag {
	var names []string
	for _, h := range hosts {
		names = append(names, h.String())
	}
	return approval.Flag{Name: approval.FlagNetwork, Text: "it reaches " + strings.Join(names, ", ") +
		", as every command of this session may then. The model's reason: " + diff.Escape(strings.TrimSpace(reason))}
}

// wayOut controls the network access of one sandboxed command, and records which hosts it did not
// reach.
type wayOut struct {
	// hosts lists the allowed hosts; nil: there is no network.
	hosts *proxy.Hosts
	// unreached records the hosts that were refused or did not answer.
	unreached proxy.Unreached
}

// through returns the function that puts a command into a sandbox whose network is a proxy to the
// allowed hosts. It returns nil if confine is nil.
func (w *wayOut) through(ctx context.Context, confine Confine) cellMaker {
	if confine == nil {
		return nil
	}
	var out func(net.Listener)
	if w.hosts != nil {
		p := &proxy.Proxy{Hosts: w.hosts, Refused: w.unreached.Refuse, Failed: w.unreached.Fail}
		out = func(l net.Listener) { p.Serve(ctx, l) }
	}
	return func(cmd *exec.Cmd) (*sandbox.Cell, error) { return confine(cmd, Reach{Out: out}) }
}

// told returns messages about the hosts that were refused or not reached since the last call, one
// for the model and one for the user. Both are "" if there are none.
func (w *wayOut) told() (model, person string) { return unreachedTexts(w.unreached.Take()) }

// unreachedTexts returns messages about the hosts that the sandbox refused, and those that could
// not be reached, one for the model and one for the user.
func unreachedTexts(refused []proxy.Refusal, failed map[proxy.Host]error) (model, person string) {
	var fresh, private []string
	for _, r := range refused {
		if r.Private {
			private = append(private, r.Host.String())
		} else {
			fresh = append(fresh, fmt.Sprintf("%q", r.Host))
		}
	}
	if len(fresh) > 0 {
		names := strings.Join(fresh, ", ")
		model += "[the sandbox refused the network: " + names + ". A call with network [" + names +
			"] and a reason asks the user for it.]\n"
		person += "The sandbox refused " + strings.ReplaceAll(names, `"`, "") + ".\n"
	}
	if len(private) > 0 {
		names := strings.Join(private, ", ")
		model += "[the sandbox refused the network: " + names + " has an address of a private network. Only the user " +
			"can allow that, by network_private in the config file.]\n"
		person += "The sandbox refused " + names + ": its address is private. network_private in the config file " +
			"allows it.\n"
	}
	for _, h := range slices.SortedFunc(maps.Keys(failed), func(a, b proxy.Host) int {
		return strings.Compare(a.String(), b.String())
	}) {
		model += fmt.Sprintf("[%v]\n", failed[h])
		person += fmt.Sprintf("%v\n", failed[h])
	}
	return model, person
}

// detail returns a command's output for the user, with the message about refused hosts after it.
func detail(output, refused string) string {
	if refused != "" && output != "" && !strings.HasSuffix(output, "\n") {
		output += "\n"
	}
	return output + refused
}
