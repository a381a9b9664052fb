package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/web"
)

// eventByWait maps the states that a navigation can wait for to Chromium's names of their events.
var eventByWait = map[string]string{"load": "load", "domcontentloaded": "DOMContentLoaded",
	"networkidle0": "networkIdle",
	"networkidle2": "networkAlmostIdle"}

// Waits returns the names of the states that a navigation can wait for.
func Waits() []string { return []string{"load", "domcontentloaded", "networkidle0", "networkidle2"} }

// HostError is the error of a navigation to a host that pages may not reach yet.
type HostError struct{ Host proxy.Host }

func (e *HostError) Error() string {
	return fmt.Sprintf("%s may not be reached yet: opening the tab with network [%q] and a reason asks the user for it",
		e.Host, e.Host)
}

// Parse parses the address of a page: http, https, or about:blank, which has no host.
func Parse(address string) (clean string, host proxy.Host, err error) {
	if address == "about:blank" {
		return address, host, nil
	}
	before, fragment, _ := strings.Cut(address, "#")
	u, host, err := web.Parse(before)
	if err != nil {
		return "", host, err
	}
	u.Fragment = fragment
	return u.String(), host, nil
}

// Goto navigates to an address and waits for the state that wait names: see [Waits]. For "" it
// waits for load. The error is a [*HostError] if the host may not be reached.
func (t *Tab) Goto(ctx context.Context, address, wait string) error {
	address, host, err := Parse(address)
	if err != nil {
		return err
	}
	if host.Name != "" && !t.engine.service.config.Hosts.Has(host) && !t.engine.attached {
		return &HostError{host}
	}
	ctx, done := t.guard(ctx)
	defer done()
	t.mu.Lock()
	clear(t.reachedByLoader)
	t.navigationError, t.navigationHost = nil, host
	t.mu.Unlock()
	t.engine.service.unreached.Forget(host)
	var r struct {
		Loader string `json:"loaderId"`
		Error  string `json:"errorText"`
	}
	err = t.call(ctx, "Page.navigate", object{"url": address}, &r)
	switch {
	case err != nil:
		return err
	case r.Error != "":
		return t.unreachedError(address, r.Error)
	case r.Loader == "": // within the page
		return nil
	}
	if err := t.await(ctx, r.Loader, wait); err != nil {
		return err
	}
	return t.checkProxyAnswer(ctx)
}

// checkProxyAnswer returns an error if the page shown is the proxy's own message that it did not
// reach the host. This happens for addresses without TLS.
func (t *Tab) checkProxyAnswer(ctx context.Context) error {
	if t.engine.attached { // it has a way of its own
		return nil
	}
	address, _, err := t.Place(ctx)
	if err != nil {
		return err
	}
	_, host, err := Parse(address)
	if err != nil || host.Name == "" {
		return nil
	}
	refused, failed := t.engine.service.unreached.Look()
	if failed[host] != nil || slices.ContainsFunc(refused, func(r proxy.Refusal) bool { return r.Host == host }) {
		return t.unreachedError(address, "refused")
	}
	return nil
}

// unreachedError returns the error of a page that was not loaded. It says whether the proxy refused
// the host, or text, the browser's own reason.
func (t *Tab) unreachedError(address, text string) error {
	if t.engine.attached {
		return fmt.Errorf("%s: %s", shorten(address), text)
	}
	refused, failed := t.engine.service.unreached.Look()
	t.mu.Lock()
	host, blocked := t.navigationHost, t.navigationError
	t.navigationError = nil
	t.mu.Unlock()
	for _, r := range refused {
		if r.Private && r.Host == host {
			return fmt.Errorf("%s is not reached: %s has an address of a private network. Only the user can "+
				"allow that, "+
				"by network_private in the config file", shorten(address), r.Host)
		}
	}
	if blocked != nil {
		return blocked
	}
	if err := failed[host]; err != nil {
		return fmt.Errorf("%s: %w", shorten(address), err)
	}
	if text == "net::ERR_ABORTED" {
		return fmt.Errorf("%s gives no page: it is a download, which is refused, or has no content", shorten(address))
	}
	return fmt.Errorf("%s: %s", shorten(address), text)
}

// await waits until the page that loader loads is in the state wait: see [Waits]. A loader of ""
// means any page that loads.
func (t *Tab) await(ctx context.Context, loader, wait string) error {
	name := eventByWait["load"]
	if wait != "" {
		if name = eventByWait[wait]; name == "" {
			return fmt.Errorf("a navigation cannot wait for %q: it waits for %s", wait, strings.Join(Waits(), ", "))
		}
	}
	for {
		t.mu.Lock()
		there, changed := t.reachedByLoader[loader][name], t.reachedChanged
		if loader == "" { // any page
			for _, names := range t.reachedByLoader {
				there = there || names[name]
			}
		}
		t.mu.Unlock()
		if there {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if err := context.Cause(ctx); !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
			return fmt.Errorf("the page did not reach %s in time: %w", name, context.DeadlineExceeded)
		}
	}
}

// handleLifecycle handles the event that the main frame has reached a state, such as load.
func (t *Tab) handleLifecycle(params json.RawMessage) {
	var p struct {
		Frame  string `json:"frameId"`
		Loader string `json:"loaderId"`
		Name   string `json:"name"`
	}
	if json.Unmarshal(params, &p) != nil || p.Frame != t.target {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reachedByLoader[p.Loader] == nil {
		if len(t.reachedByLoader) > 50 { // a page that loads itself anew for ever
			clear(t.reachedByLoader)
		}
		t.reachedByLoader[p.Loader] = map[string]bool{}
	}
	t.reachedByLoader[p.Loader][p.Name] = true
	close(t.reachedChanged)
	t.reachedChanged = make(chan struct{})
}

// decideRequest handles a request of a frame for a page before it is sent. It lets the request pass
// only if pages may reach its host.
func (t *Tab) decideRequest(params json.RawMessage) {
	var p struct {
		ID      string `json:"requestId"`
		Request struct {
			URL string `json:"url"`
		} `json:"request"`
		Frame string `json:"frameId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	u, err := url.Parse(p.Request.URL)
	var host proxy.Host
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		u.User = nil
		_, host, err = web.Parse(u.String())
	} else {
		err = errors.New("not a page of a host")
	}
	if p.Frame == t.target {
		t.mu.Lock()
		t.navigationHost = host
		t.mu.Unlock()
	}
	if err == nil && !t.engine.service.config.Hosts.Has(host) {
		err = &HostError{host}
		if p.Frame == t.target {
			t.mu.Lock()
			t.navigationError = err
			t.mu.Unlock()
		}
		t.engine.service.unreached.Refuse(proxy.Refusal{Host: host})
	}
	if err == nil {
		t.post("Fetch.continueRequest", object{"requestId": p.ID})
		return
	}
	t.post("Fetch.failRequest", object{"requestId": p.ID, "errorReason": "BlockedByClient"})
}

// Place returns the address and the title of the page that the tab shows.
func (t *Tab) Place(ctx context.Context) (address, title string, err error) {
	var p struct {
		Info targetInfo `json:"targetInfo"`
	}
	err = t.engine.call(ctx, "", "Target.getTargetInfo", object{"targetId": t.target}, &p)
	return p.Info.URL, shorten(p.Info.Title), err
}
