// Package eval runs cells of code in programs that hold their state between cells: one for Python
// and one for JavaScript, each started by its first cell. A cell is given to its program over a
// channel of its own, a JSON object a line. What a cell prints comes by the standard error of the
// program, which is also that of all that it starts.
//
// A cell can call the host. What the host does for it is the host's affair: a cell has no other way
// to it.
package eval

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// Language is a language of cells.
type Language string

// The languages.
const (
	Python     Language = "py"
	JavaScript Language = "js"
)

// Name returns the name of the language for a person.
func (l Language) Name() string {
	if l == JavaScript {
		return "JavaScript"
	}
	return "Python"
}

// Config is what the programs of a conversation need.
type Config struct {
	Languages []Language // those that may be used
	Dir       string     // of the workspace
	Env       []string   // of the programs
	Family    *child.Family
	Secrets   secret.Set
	// Cell makes the sandbox of a program; nil: they are not confined.
	Cell func(cmd *exec.Cmd, shared string) (*sandbox.Cell, error)
	// Width is how many functions parallel and pipeline call at a time; 0: all.
	Width   int
	Options helper.Options
	// Jupyter has cells of Python run by the kernel of Jupyter where ipykernel is installed.
	Jupyter bool
	// Grace is how long a cell may go on after an interrupt before its program is ended; 0: 2 s.
	Grace time.Duration
}

// Service has the programs of one conversation. It is safe for use by several goroutines; each
// program runs one cell at a time.
type Service struct {
	config  Config
	kernels map[Language]*kernel
}

// kernel is the program of one language, whether it runs or not.
type kernel struct {
	*helper.Helper[*client]
	language Language
	output   *output
	turn     chan struct{} // holds a value while a cell runs
	cells    int
	engine   atomic.Value // string: what runs its cells besides the language itself
}

// NewService returns a service without a running program.
func NewService(c Config) *Service {
	s := &Service{config: c, kernels: map[Language]*kernel{}}
	if s.config.Grace == 0 {
		s.config.Grace = 2 * time.Second
	}
	for _, l := range c.Languages {
		k := &kernel{language: l, output: &output{}, turn: make(chan struct{}, 1)}
		p := s.program(l)
		p.Log = k.output
		k.Helper = helper.New(p, c.Options, func(ctx context.Context, process *helper.Process) (*client, error) {
			c, err := connect(ctx, process, k.output, s.config)
			if err == nil {
				k.engine.Store(c.name)
			}
			return c, err
		}, nil)
		s.kernels[l] = k
	}
	return s
}

//go:embed prelude.py
var pythonPrelude string

//go:embed display.py
var pythonDisplay string

//go:embed kernel.py
var pythonKernel string

//go:embed runner.py
var pythonRunner string

//go:embed runner.js
var javaScriptRunner string

// withChannel is a command of a shell that moves the channel away from the standard streams, so
// that nothing that a cell starts takes it for its own.
const withChannel = `exec 3>&1 4<&0 </dev/null >&2; exec "$@"`

// program returns how the program of a language is started.
func (s *Service) program(l Language) helper.Program {
	p := helper.Program{Name: l.Name(), Env: s.config.Env, Dir: s.config.Dir, Family: s.config.Family,
		Secrets: s.config.Secrets, Cell: s.config.Cell, Grace: 100 * time.Millisecond}
	command := []string{"python3", "-c", pythonPrelude + pythonDisplay + pythonKernel + pythonRunner}
	p.Install, p.Shared = "apt install python3", s.config.Jupyter
	if l == JavaScript {
		command = []string{"node", "--no-warnings", "--experimental-vm-modules", "-e", javaScriptRunner}
		p.Install, p.Shared = "apt install nodejs", false
	}
	p.Needs, p.Command = command[0], append([]string{"sh", "-c", withChannel, "sh"}, command...)
	return p
}

// Languages returns the languages whose programs are installed.
func (s *Service) Languages() (list []Language) {
	for _, l := range []Language{Python, JavaScript} {
		if s.Available(l) == nil {
			list = append(list, l)
		}
	}
	return list
}

// Available returns why there are no cells of a language, nil if there are. The error is a
// [*helper.Missing] if its program is not installed.
func (s *Service) Available(l Language) error {
	if s.kernels[l] == nil {
		return fmt.Errorf("cells of %s are turned off", l.Name())
	}
	_, err := s.program(l).Find()
	return err
}

// Reach returns what cells can reach, in words for a grant, and whether they are confined.
func (s *Service) Reach() (reach string, confined bool) {
	return helper.Program{Cell: s.config.Cell}.Reach(), s.config.Cell != nil
}

// Status returns the state of each program that was used.
func (s *Service) Status() (list []helper.Status) {
	for _, l := range []Language{Python, JavaScript} {
		if k := s.kernels[l]; k != nil {
			status := k.Status()
			if engine, _ := k.engine.Load().(string); engine != "" && status.State == helper.Ready {
				status.Name += " (" + engine + ")"
			}
			list = append(list, status)
		}
	}
	return list
}

// Stop ends the program of a language, whose variables are lost. Its next cell starts it again.
func (s *Service) Stop(l Language) error {
	k := s.kernels[l]
	if k == nil {
		return s.Available(l)
	}
	k.Stop()
	return nil
}

// Close ends all programs, side by side.
func (s *Service) Close() {
	var wg sync.WaitGroup
	for _, k := range s.kernels {
		wg.Go(k.Close)
	}
	wg.Wait()
}

// Host is what cells can call besides their own language.
type Host interface {
	// Call does what the helper name does with args, a JSON object, and returns a JSON value. It is
	// called by several goroutines. Its error is for the cell.
	Call(ctx context.Context, name string, args []byte) (value any, err error)
}

// Cell is a piece of code, and where what it gives goes.
type Cell struct {
	Language Language
	Code     string
	Timeout  time.Duration // of its own time: while the host works for it, it does not count
	Reset    bool          // its program starts anew before it
	Host     Host
	Out      io.Writer     // gets what it prints
	Show     func(Display) // gets what it shows, in its place between writes to Out
}

// Display is one value in the forms in which it can be shown, by media type. Pictures are in
// base64.
type Display map[string]any

// Outcome is how a cell ended.
type Outcome struct {
	Error    string // the error with its place, as the language writes it; "": none
	Stopped  bool   // it was interrupted
	TimedOut bool   // its own time was up
	Lost     bool   // its program was ended, and all variables with it
}
