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

// Language is a programming language whose code the eval tool can run.
type Language string

// These are the supported languages.
const (
	Python     Language = "py"
	JavaScript Language = "js"
)

// Name returns the name of the language for display.
func (l Language) Name() string {
	if l == JavaScript {
		return "JavaScript"
	}
	return "Python"
}

// Config holds the settings of a Service.
type Config struct {
	Languages []Language // Languages lists the languages that may be used.
	Dir       string     // Dir is the directory of the workspace.
	Env       []string   // Env is the environment of the programs.
	Family    *child.Family
	Secrets   secret.Set
	// Cell creates the sandbox for a program's command; nil: programs run without one. It is not a
	// code cell.
	Cell func(cmd *exec.Cmd, shared string) (*sandbox.Cell, error)
	// Width is the number of functions that the helpers parallel and pipeline run at the same time;
	// 0: no limit.
	Width   int
	Options helper.Options
	// Jupyter makes a Jupyter kernel run Python code if ipykernel is installed.
	Jupyter bool
	// Grace is how long a code cell may go on after an interrupt before its program is killed; 0: 2
	// s.
	Grace time.Duration
}

// Service manages the programs that run the code of one conversation, one for each language. It is
// safe for use by several goroutines. Each program runs one code cell at a time.
type Service struct {
	config  Config
	kernels map[Language]*languageKernel
}

// languageKernel manages the program of one language. The program need not be running.
type languageKernel struct {
	*helper.Helper[*connection]
	language  Language
	output    *cellOutput
	runSlot   chan struct{} // runSlot holds a value while a code cell runs.
	cellCount int
	engine    atomic.Value // engine holds a string: the name of a Jupyter kernel that runs the code, or "".
}

// NewService returns a service. A program is started when it is first used.
func NewService(c Config) *Service {
	s := &Service{config: c, kernels: map[Language]*languageKernel{}}
	if s.config.Grace == 0 {
		s.config.Grace = 2 * time.Second
	}
	for _, l := range c.Languages {
		k := &languageKernel{language: l, output: &cellOutput{}, runSlot: make(chan struct{}, 1)}
		p := s.program(l)
		p.Log = k.output
		k.Helper = helper.New(p, c.Options, func(ctx context.Context, process *helper.Process) (*connection, error) {
			c, err := openConnection(ctx, process, k.output, s.config)
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
var pythonPreludeScript string

//go:embed display.py
var pythonDisplayScript string

//go:embed kernel.py
var pythonKernelScript string

//go:embed runner.py
var pythonRunner string

//go:embed runner.js
var javaScriptRunner string

// channelScript is a shell command that starts a program with the message channel moved away from
// the standard streams. So child processes of a code cell do not write to the channel by mistake.
const channelScript = `exec 3>&1 4<&0 </dev/null >&2; exec "$@"`

// program describes the process that runs code of a language.
func (s *Service) program(l Language) helper.Program {
	p := helper.Program{Name: l.Name(), Env: s.config.Env, Dir: s.config.Dir, Family: s.config.Family,
		Secrets: s.config.Secrets, Cell: s.config.Cell, Grace: 100 * time.Millisecond}
	command := []string{"python3", "-c", pythonPreludeScript + pythonDisplayScript + pythonKernelScript + pythonRunner}
	p.Install, p.Shared = "apt install python3", s.config.Jupyter
	if l == JavaScript {
		command = []string{"node", "--no-warnings", "--experimental-vm-modules", "-e", javaScriptRunner}
		p.Install, p.Shared = "apt install nodejs", false
	}
	p.Needs, p.Command = command[0], append([]string{"sh", "-c", channelScript, "sh"}, command...)
	return p
}

// Languages returns the allowed languages whose programs are installed.
func (s *Service) Languages() (list []Language) {
	for _, l := range []Language{Python, JavaScript} {
		if s.Available(l) == nil {
			list = append(list, l)
		}
	}
	return list
}

// Available returns nil if code of a language can be run, and otherwise the reason. That is a
// [*helper.Missing] if the program is not installed.
func (s *Service) Available(l Language) error {
	if s.kernels[l] == nil {
		return fmt.Errorf("cells of %s are turned off", l.Name())
	}
	_, err := s.program(l).Find()
	return err
}

// Reach describes the files and hosts that code can reach, for the question to the user. confined
// says whether it runs in a sandbox.
func (s *Service) Reach() (reach string, confined bool) {
	return helper.Program{Cell: s.config.Cell}.Reach(), s.config.Cell != nil
}

// Status returns the state of the program of each language.
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

// Stop ends the program of a language; its variables are lost. The next code cell starts it again.
func (s *Service) Stop(l Language) error {
	k := s.kernels[l]
	if k == nil {
		return s.Available(l)
	}
	k.Stop()
	return nil
}

// Close ends all programs, in parallel.
func (s *Service) Close() {
	var wg sync.WaitGroup
	for _, k := range s.kernels {
		wg.Go(k.Close)
	}
	wg.Wait()
}

// Host provides the helper functions that code can call.
type Host interface {
	// Call runs the helper function name with args, a JSON object. It returns a value that can be
	// encoded as JSON. It is called from several goroutines. The code that called the helper
	// receives its error.
	Call(ctx context.Context, name string, args []byte) (value any, err error)
}

// Cell is a code cell: a piece of code to run, with the receivers of its output.
type Cell struct {
	Language Language
	Code     string
	// Timeout limits the time of the code itself; time in which the host works for it does not
	// count.
	Timeout time.Duration
	Reset   bool // Reset starts the program again before the code runs.
	Host    Host
	Out     io.Writer // Out receives what the code prints.
	// Show receives the values that the code displays, in their order with the writes to Out.
	Show func(Display)
}

// Display is one displayed value in several formats, by media type. Pictures are in base64.
type Display map[string]any

// Outcome is the result of running a code cell.
type Outcome struct {
	Error    string // Error is the error of the code with its position, as the language reports it; "": none.
	Stopped  bool   // Stopped says that it was interrupted.
	TimedOut bool   // TimedOut says that its timeout was used up.
	Lost     bool   // Lost says that its program has ended, so all variables are lost.
}
