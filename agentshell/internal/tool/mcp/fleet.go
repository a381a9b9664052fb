package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// startTimeout is how long a server may take to start and to list its tools. It is so long because
// npx may have to download the server first.
const startTimeout = time.Minute

// These constants control how a server that has ended is started again: after a second, then after
// two, and so on, up to maxRestarts times in a row. After a run of at least settledAfter the count
// begins again.
const (
	firstBackoff = time.Second
	maxRestarts  = 4
	settledAfter = time.Minute
)

// State is the state of a server.
type State string

const (
	Starting State = "starting"
	Ready    State = "ready"
	Failed   State = "failed"
	Stopped  State = "stopped" // Stopped means that the user has stopped the server.
)

// Status describes a server of a Fleet at a moment.
type Status struct {
	Name           string
	State          State
	Tools, Prompts int
	// Why is the reason of a failure. Skipped holds one sentence for each tool that is not offered.
	// Both contain text of the server.
	Why     string
	Skipped []string
	Login   bool // Login says that the server failed because the user has to log in.
}

// Fleet manages the MCP servers of a session. Each starts, fails and starts again independently.
// The zero value has no servers. It is safe for use by several goroutines.
type Fleet struct {
	Version string // Version is the version of this program.

	mu      sync.Mutex
	members []*fleetMember
	changed chan struct{}
	wg      sync.WaitGroup
}

// fleetMember is one server of a Fleet.
type fleetMember struct {
	fleet  *Fleet
	server Server
	ready  func(c *Client, tools []Tool) error
	status Status
	// client and prompts are set while the server is ready.
	client  *Client
	prompts []Prompt
	wishes  chan State // wishes receives what the user wants: Starting for a restart, or Stopped.
	cancel  context.CancelFunc
}

// Add starts a server in the background. Whenever the server has listed its tools, ready is called
// with them and with the connection for calls.
func (f *Fleet) Add(s Server, ready func(c *Client, tools []Tool) error) {
	ctx, cancel := context.WithCancel(context.Background())
	m := &fleetMember{fleet: f, server: s, ready: ready, wishes: make(chan State, 1), cancel: cancel,
		status: Status{Name: s.Name, State: Starting}}
	f.mu.Lock()
	f.members = append(f.members, m)
	slices.SortFunc(f.members, func(a, b *fleetMember) int { return cmp.Compare(a.server.Name, b.server.Name) })
	f.mu.Unlock()
	f.wg.Go(func() { m.run(ctx) })
}

// AddRoot adds a directory to the roots of the workspace. It tells the servers on this machine, and
// also those that start later.
func (f *Fleet) AddRoot(dir string) {
	f.mu.Lock()
	var running []*Client
	for _, m := range f.members {
		m.server.More = append(slices.Clone(m.server.More), dir)
		if m.client != nil && m.client.local {
			running = append(running, m.client)
		}
	}
	f.mu.Unlock()
	for _, c := range running { // each may be slow to read
		announceRoots(c.sdkClient, []string{dir})
	}
}

// List returns the states of all servers, sorted by name.
func (f *Fleet) List() (list []Status) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.members {
		list = append(list, m.status)
	}
	return list
}

// Changed returns a channel that is closed at the next change of a server's state.
func (f *Fleet) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	return f.changed
}

// Wait waits until no server is starting, or ctx ends.
func (f *Fleet) Wait(ctx context.Context) {
	for {
		changed := f.Changed()
		if !slices.ContainsFunc(f.List(), func(s Status) bool { return s.State == Starting }) {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// Restart starts a server again, in whatever state it is.
func (f *Fleet) Restart(name string) error { return f.setWish(name, Starting) }

// Stop ends a server until [Fleet.Restart].
func (f *Fleet) Stop(name string) error { return f.setWish(name, Stopped) }

func (f *Fleet) setWish(name string, wish State) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.members {
		if m.server.Name != name {
			continue
		}
		select {
		case m.wishes <- wish:
		default: // the one before is not heard yet
		}
		return nil
	}
	return fmt.Errorf("no server is named %q", name)
}

// Close ends all servers. It takes a few seconds at most, even if they do not respond.
func (f *Fleet) Close() {
	f.mu.Lock()
	for _, m := range f.members {
		m.cancel()
	}
	f.mu.Unlock()
	f.wg.Wait()
}

// setState sets the status of the server, and closes the channel of [Fleet.Changed].
func (m *fleetMember) setState(s Status) {
	m.fleet.mu.Lock()
	defer m.fleet.mu.Unlock()
	s.Name, s.Why = m.server.Name, m.server.Secrets.Redact(s.Why)
	m.status = s
	if m.fleet.changed != nil {
		close(m.fleet.changed)
		m.fleet.changed = nil
	}
}

// run keeps the server running, and starts it again after it has ended, until ctx ends.
func (m *fleetMember) run(ctx context.Context) {
	for try := 0; ctx.Err() == nil; {
		began := time.Now()
		var c *Client
		var why error
		wish := m.heed(ctx, func(ctx context.Context) { c, why = m.start(ctx) })
		if c != nil {
			if wish == "" {
				wish, why = m.serve(ctx, c)
			}
			c.Close()
		}
		if ctx.Err() != nil {
			return
		}
		wait := time.Duration(-1) // until it is wanted
		switch {
		case wish == Starting:
			try = 0
			continue
		case wish == Stopped:
			m.setState(Status{State: Stopped})
		default:
			if time.Since(began) > settledAfter {
				try = 0
			}
			if c != nil && try < maxRestarts {
				wait = firstBackoff << try
				try++
			}
			m.setState(Status{State: Failed, Why: why.Error(), Login: errors.Is(why, ErrLogin)})
		}
		if !m.pause(ctx, wait) {
			try = 0
		}
	}
}

// heed runs do until it returns, or until the user wants something else. In that case it cancels
// the context of do and returns the wish.
func (m *fleetMember) heed(ctx context.Context, do func(ctx context.Context)) (wish State) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do(ctx)
	}()
	select {
	case wish = <-m.wishes:
		cancel()
		<-done
	case <-done:
	}
	return wish
}

// serve waits until the connection ends, and returns why, or until the user wants something else.
// When the server reports a change of its tools, it lists them again, at most once a second.
func (m *fleetMember) serve(ctx context.Context, c *Client) (wish State, why error) {
	for {
		select {
		case <-c.Gone():
			return "", c.reasonFor(ctx, errGone)
		case wish = <-m.wishes:
			return wish, nil
		case <-ctx.Done():
			return "", nil
		case <-c.changed:
		}
		var err error
		if wish = m.heed(ctx, func(ctx context.Context) { err = m.list(ctx, c) }); wish != "" {
			return wish, nil
		}
		if err != nil && ctx.Err() == nil {
			return "", c.reasonFor(ctx, err)
		}
		pause := time.NewTimer(firstBackoff)
		select {
		case <-pause.C:
		case <-c.Gone():
		case <-ctx.Done():
		case wish = <-m.wishes:
			pause.Stop()
			return wish, nil
		}
		pause.Stop()
	}
}

// list requests the tools again.
func (m *fleetMember) list(ctx context.Context, c *Client) error {
	limited, cancel := context.WithTimeout(ctx, m.patience())
	defer cancel()
	tools, err := c.listTools(limited)
	if err == nil {
		err = m.ready(c, tools)
	}
	if err == nil {
		m.setReady(limited, c, len(tools))
	}
	return err
}

// setReady sets the state to Ready, with the number of tools and the server's prompts.
func (m *fleetMember) setReady(ctx context.Context, c *Client, tools int) {
	prompts := c.listPrompts(ctx, m.server.Name)
	m.fleet.mu.Lock()
	m.client, m.prompts = c, prompts
	m.fleet.mu.Unlock()
	m.setState(Status{State: Ready, Tools: tools, Prompts: len(prompts), Skipped: c.Skipped})
}

// patience returns how long the server may take to start and to list its tools.
func (m *fleetMember) patience() time.Duration { return cmp.Or(m.server.Greeting, startTimeout) }

var errGone = errors.New("the server has ended the connection")

// start starts the server or connects to it. It returns nil if that failed, and the reason.
func (m *fleetMember) start(ctx context.Context) (*Client, error) {
	m.setState(Status{State: Starting})
	most := m.patience()
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	m.fleet.mu.Lock()
	server := m.server
	m.fleet.mu.Unlock()
	c, tools, err := Start(limited, server, m.fleet.Version)
	if err == nil {
		if err = m.ready(c, tools); err != nil {
			c.Close()
		}
	}
	switch {
	case ctx.Err() != nil:
		if err == nil {
			c.Close()
		}
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("it did not answer in %v; start_timeout_s in the config file gives it more time", most)
	case err != nil:
		return nil, err
	}
	m.setReady(limited, c, len(tools))
	m.fleet.mu.Lock()
	added := m.server.More[len(server.More):] // while it started; it may know one of them by now
	m.fleet.mu.Unlock()
	if c.local && len(added) > 0 {
		announceRoots(c.sdkClient, added)
	}
	return c, nil
}

// pause waits for the given time, or without a limit if wait is negative. It returns false if the
// user stops the server or ctx ends.
func (m *fleetMember) pause(ctx context.Context, wait time.Duration) bool {
	var late <-chan time.Time
	if wait >= 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		late = timer.C
	}
	for {
		select {
		case <-late:
			return true
		case <-ctx.Done():
			return true
		case wish := <-m.wishes:
			if wish == Starting {
				return false
			}
			m.setState(Status{State: Stopped})
			late = nil
		}
	}
}
