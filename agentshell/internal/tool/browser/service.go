// Package browser lets code look at pages and act on them in a browser without a window.
//
// The browser takes its orders over a pipe, so no port is open. All that its pages send goes
// through a proxy of this program, which knows the hosts that may be reached; where commands can be
// confined, the browser runs in a sandbox that has no other network, no home directory and no
// workspace. Nothing hides that it is a program that looks at the pages.
package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/scratch"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// Config holds the settings of a Service.
type Config struct {
	Program string // name or path of the browser; "": the first that is found
	Env     []string
	TempDir string // TempDir is the directory in which the browser's private folder is created.
	Dir     string // Dir is the working directory of applications that are started.
	Hosts   *proxy.Hosts
	Family  *child.Family
	Secrets secret.Set
	Options helper.Options
	// Cell creates the sandbox for the browser's command; nil: the browser runs without one. In the
	// sandbox the browser can write only below dir, and out serves the connections to its proxy.
	Cell func(cmd *exec.Cmd, dir string, out func(net.Listener)) (*sandbox.Cell, error)
	// OwnSandbox says that Chromium can use its own sandbox when Cell is nil. It cannot if it is
	// started by root.
	OwnSandbox bool

	keepWindows bool // keepWindows keeps the windows that pages open, so that a test sees their requests.
}

// maxTabs is the number of tabs that may be open at the same time.
const maxTabs = 20

// maxMemoryBytes is the number of bytes of memory that the browser may use with all of its tabs.
const maxMemoryBytes = 3 << 30

// Service manages the tabs of a session by their names. It starts one browser with the first tab,
// and ends it with the last one. It is safe for use by several goroutines.
type Service struct {
	config      Config
	unreached   proxy.Unreached
	uploadCount atomic.Int64 // uploadCount numbers the folders of uploaded files.

	joinMu sync.Mutex // joinMu is held while an application is started or connected.

	mu        sync.Mutex
	helper    *helper.Helper[*engine]
	folder    *scratch.Folder
	stopProxy context.CancelFunc // stopProxy ends the proxy.
	tabs      map[string]*Tab
	apps      map[string]*application // apps holds the connected applications by [App.key].
	closed    bool
}

// NewService returns a service. The browser is started later, with the first tab.
func NewService(c Config) *Service {
	if c.Family == nil {
		c.Family = new(child.Family)
	}
	c.Options.Memory = cmp.Or(c.Options.Memory, maxMemoryBytes)
	return &Service{config: c, tabs: map[string]*Tab{}, apps: map[string]*application{}}
}

// Find returns nil if a browser is installed, and otherwise a [*helper.Missing].
func (s *Service) Find() error {
	_, err := s.config.find()
	return err
}

// Program returns the path of the browser, "" if none is installed.
func (s *Service) Program() string {
	path, _ := s.config.find()
	return path
}

// Hosts returns the hosts that pages may reach.
func (s *Service) Hosts() *proxy.Hosts { return s.config.Hosts }

// Confined reports whether the browser runs in a sandbox.
func (s *Service) Confined() bool { return s.config.Cell != nil }

// Refusals returns the hosts that pages could not reach since the last call: those that the proxy
// refused, and those whose connection failed.
func (s *Service) Refusals() ([]proxy.Refusal, map[proxy.Host]error) { return s.unreached.Take() }

// browser returns the helper process that manages the browser. The browser itself may not run yet.
func (s *Service) browser() (*helper.Helper[*engine], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, helper.ErrClosed
	case s.helper != nil:
		return s.helper, nil
	}
	program, err := s.config.find()
	if err != nil {
		return nil, err
	}
	f, err := scratch.New(s.config.TempDir, "browser")
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	gate := &proxy.Proxy{Hosts: s.config.Hosts, Refused: s.noteRefusal, Failed: s.unreached.Fail}
	p := helper.Program{Name: "the browser", Env: browserEnviron(s.config.Env, f.Path), Dir: f.Path, Install: Install,
		Secrets: s.config.Secrets, Family: s.config.Family, Grace: time.Second}
	if s.config.Cell != nil {
		p.Command = browserCommand(program, f.Path, sandbox.ProxyAddress, false)
		p.Cell = func(cmd *exec.Cmd, _ string) (*sandbox.Cell, error) {
			return s.config.Cell(cmd, f.Path, func(l net.Listener) { gate.Serve(ctx, l) })
		}
	} else {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			stop()
			f.Remove()
			return nil, err
		}
		go gate.Serve(ctx, l)
		p.Command = browserCommand(program, f.Path, l.Addr().String(), s.config.OwnSandbox)
	}
	s.folder, s.stopProxy = f, stop
	s.helper = helper.New(p, s.config.Options, func(ctx context.Context, p *helper.Process) (*engine, error) {
		return prepareBrowser(ctx, p, s)
	}, nil)
	return s.helper, nil
}

// noteRefusal notes a host that the proxy refused to a page. It ignores the requests of Chromium
// itself, which go to noHost.
func (s *Service) noteRefusal(r proxy.Refusal) {
	if r.Host.Name != noHost {
		s.unreached.Refuse(r)
	}
}

// Status returns the state of the browser process. The list is empty if the browser was never used.
func (s *Service) Status() (list []helper.Status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.helper != nil {
		list = append(list, s.helper.Status())
	}
	return list
}

// Stop ends the browser with its tabs. The next tab starts it again. The tabs of applications stay
// open.
func (s *Service) Stop() {
	s.mu.Lock()
	h := s.helper
	maps.DeleteFunc(s.tabs, func(_ string, t *Tab) bool { return !t.engine.attached })
	s.mu.Unlock()
	if h != nil {
		h.Stop()
	}
}

// Close ends the browser and removes its files. It ends the applications that the service has
// started, and disconnects from the others.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	h, f, stop := s.helper, s.folder, s.stopProxy
	apps := slices.Collect(maps.Values(s.apps))
	clear(s.tabs)
	s.mu.Unlock()
	for _, a := range apps {
		s.dropApp(a)
	}
	if h == nil {
		return
	}
	h.Close()
	stop()
	f.Remove()
}

// Names returns the names of the open tabs, sorted.
func (s *Service) Names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.tabs))
}

// Tab returns the open tab with a name, or an error if there is none or its page has crashed.
func (s *Service) Tab(name string) (*Tab, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tabs[name]
	if t == nil || t.isDead() {
		return nil, fmt.Errorf("Tab %q is not alive. Reopen it", name)
	}
	return t, nil
}

// Open holds the options for opening a tab.
type Open struct {
	Name     string
	URL      string // URL is the address to go to; "": the tab keeps its page.
	Wait     string // Wait is the state that the navigation waits for: see [Waits]; "": load.
	Dialogs  string // Dialogs is how the dialogs of the page are answered: accept, dismiss, or "": not at all.
	Viewport Viewport
	App      *App // App is the application whose page the tab shows; nil: the tab is of the own browser.
}

// Open opens a tab, or uses the open tab of that name; then reused is true. The tab stays open if
// it cannot go to its address.
func (s *Service) Open(ctx context.Context, o Open) (t *Tab, reused bool, err error) {
	s.mu.Lock()
	t = s.tabs[o.Name]
	n := len(s.tabs)
	s.mu.Unlock()
	if t != nil && !t.isDead() && t.app.key() != o.App.key() {
		return nil, false, fmt.Errorf("Tab %q is bound to a different browser (%s). Close it first", o.Name, t.app)
	}
	if t != nil && (t.isDead() || t.dialogPolicy != o.Dialogs) {
		s.dropTab(ctx, t)
		t = nil
	}
	if reused = t != nil; !reused {
		if n >= maxTabs {
			return nil, false, fmt.Errorf("%d tabs are open: close one first", n)
		}
		if t, err = s.newTab(ctx, o); err != nil {
			return nil, false, err
		}
	}
	if reused && o.Viewport != (Viewport{}) {
		if err := t.use(ctx, func(ctx context.Context) error { return t.setViewport(ctx, o.Viewport) }); err != nil {
			return t, reused, err
		}
	}
	if o.URL == "" {
		return t, reused, nil
	}
	return t, reused, t.use(ctx, func(ctx context.Context) error { return t.Goto(ctx, o.URL, o.Wait) })
}

// newTab opens a tab in the own browser or in an application, and adds it to the tabs of the
// service.
func (s *Service) newTab(ctx context.Context, o Open) (t *Tab, err error) {
	if o.App == nil {
		t, err = s.newOwnTab(ctx, o)
	} else {
		t, err = s.newAppTab(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.tabs[o.Name] != nil {
		go func() {
			_ = t.close(context.Background())
			t.end()
		}()
		return nil, fmt.Errorf("Tab %q is busy", o.Name)
	}
	s.tabs[o.Name] = t
	return t, nil
}

// newOwnTab opens a tab in the service's own browser.
func (s *Service) newOwnTab(ctx context.Context, o Open) (*Tab, error) {
	e, release, err := s.engine(ctx)
	if err != nil {
		return nil, err
	}
	t, err := e.newTab(ctx, o)
	if err != nil {
		release()
		return nil, err
	}
	t.release = release
	return t, nil
}

// engine returns the connection to the own browser, which it starts if it does not run. The caller
// calls release when it does not need the browser any more.
func (s *Service) engine(ctx context.Context) (e *engine, release func(), err error) {
	h, err := s.browser()
	if err != nil {
		return nil, nil, err
	}
	return h.Use(ctx)
}

// uploadDir returns the directory for files that pages get, or "" if the browser was not started.
func (s *Service) uploadDir() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder == nil {
		return ""
	}
	return filepath.Join(s.folder.Path, "files")
}

// noteDownload adds a note to the tab that shows frame: a download from address was refused.
func (s *Service) noteDownload(frame, address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tabs {
		if t.target == frame {
			t.addNote("a download of %s was refused", shorten(address))
		}
	}
}

// CloseTab closes a tab, and reports whether there was one. The browser ends with its last tab. The
// page of an application stays open in the application.
func (s *Service) CloseTab(ctx context.Context, name string) bool {
	s.mu.Lock()
	t := s.tabs[name]
	s.mu.Unlock()
	if t == nil {
		return false
	}
	s.dropTab(ctx, t)
	return true
}

// KillTab closes a tab as CloseTab does. If the service has started its application and this was
// its last tab, it ends the application too, and returns the path of the program that has ended.
func (s *Service) KillTab(ctx context.Context, name string) (ended string, found bool) {
	s.mu.Lock()
	t := s.tabs[name]
	s.mu.Unlock()
	if found = s.CloseTab(ctx, name); !found || t.app == nil {
		return "", found
	}
	return strings.Join(s.killIdle(t.app.key()), ""), true
}

// KillIdle ends the applications that the service has started and that have no tab any more. It
// returns the paths of their programs.
func (s *Service) KillIdle() []string { return s.killIdle("") }

// tabCloseTimeout is how long a tab may take to close. If it takes longer, the browser is ended.
const tabCloseTimeout = 2 * time.Second

// dropTab removes and closes a tab. It ends the browser after the last tab, or if the tab hangs. An
// application that hangs is left running.
func (s *Service) dropTab(ctx context.Context, t *Tab) {
	s.mu.Lock()
	if s.tabs[t.Name] == t {
		delete(s.tabs, t.Name)
	}
	last := len(s.tabs) == 0
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, tabCloseTimeout)
	defer cancel()
	err := error(nil)
	if !last || t.app != nil {
		err = t.close(ctx)
	}
	t.end()
	if last || err != nil && !errors.Is(err, errBrowserGone) && t.app == nil {
		s.Stop()
	}
}
