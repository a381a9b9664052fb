package extension

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Config holds the settings of a Service.
type Config struct {
	Dir     string   // Dir is the directory of the workspace.
	Env     []string // Env is the environment of each program.
	Family  *child.Family
	Secrets secret.Set
	// Cell creates the sandbox for a program's command, which can read the extension's folder dir;
	// nil: programs run without one.
	Cell func(cmd *exec.Cmd, dir string) (*sandbox.Cell, error)
	// Log opens the log file of an extension; nil: nothing is logged.
	Log     func(name string) io.Writer
	Version string // Version is the version of this program.
	// Trial makes a test run: it is called with each fault in answers, and programs are asked for
	// their own manifests (see [Manifest.Stale]). If it is nil, only shortened answers are noted,
	// once, in the log.
	Trial    func(text string)
	Options  helper.Options // Options controls the processes; zero values stand for the defaults of the protocol.
	WorkTime time.Duration  // WorkTime is how long a command may be silent; 0: 10 minutes.
}

// Asker asks the user the questions of extensions.
type Asker interface {
	// Show asks the user a question, and returns the answer as JSON. It returns when ctx ends. The
	// error is [ErrCancelled] if the user does not answer.
	Show(ctx context.Context, d Dialog) (json.RawMessage, error)
}

// Screen is the shell's screen, on which extensions draw.
type Screen interface {
	Asker
	// Size returns the size of the terminal window in columns and rows.
	Size() (columns, rows int)
	// Refresh redraws the screen later. It does not wait.
	Refresh()
}

// Failures is an optional interface of a Screen. Failed is called when an extension has failed for
// good while nobody waited for it. It must not wait.
type Failures interface{ Failed(Status) }

// Dialog is a question of an extension that is shown on the screen.
type Dialog struct {
	Question
	Extension string
	Late      bool // Late says that the user does not expect the question, so it must not take the next key.
	// The three fields from here on are for a view. Rows returns its rows.
	Rows func(columns, rows int) Rows
	// Key receives the keys that the user presses.
	Key func(key, text string)
	// Closed receives the value with which the program closes the view.
	Closed <-chan json.RawMessage
}

// ErrCancelled is the error for a question that the user has cancelled.
var ErrCancelled = errors.New("cancelled")

// Service manages the extensions of a session. No program starts before it is used. It is safe for
// use by several goroutines.
type Service struct {
	config      Config
	lifeContext context.Context
	endLife     context.CancelFunc
	wg          sync.WaitGroup

	mu          sync.Mutex
	list        []*Extension
	shownScreen Screen
	userAsker   Asker
}

// NewService returns a service without extensions.
func NewService(c Config) *Service {
	o := &c.Options
	o.Start, o.Memory = cmp.Or(o.Start, startTimeout), cmp.Or(o.Memory, 1<<30)
	o.Idle, o.Retries = cmp.Or(o.Idle, 10_000*time.Hour), cmp.Or(o.Retries, 1)
	o.Settled, o.Once = cmp.Or(o.Settled, time.Hour), true
	c.WorkTime = cmp.Or(c.WorkTime, workTimeout)
	s := &Service{config: c}
	s.lifeContext, s.endLife = context.WithCancel(context.Background())
	return s
}

// Add adds an extension. It returns an error if there is one of the same name.
func (s *Service) Add(source Source) (*Extension, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.list, func(e *Extension) bool { return e.Name == source.Name }) {
		return nil, fmt.Errorf("there is another extension %s", source.Name)
	}
	e := &Extension{Source: source, service: s, workByToken: map[string]*runningWork{},
		frames:     map[frameKey]*partFrame{},
		viewClosed: map[string]chan json.RawMessage{}, notedCuts: map[string]bool{}, events: make(chan Event, 64)}
	p := helper.Program{Name: "the extension " + source.Name, Command: source.Manifest.CommandIn(source.Dir),
		Env: slices.Concat(s.config.Env, source.Env), Dir: s.config.Dir, Secrets: s.config.Secrets,
		Family: s.config.Family}
	if cell := s.config.Cell; cell != nil {
		p.Cell = func(cmd *exec.Cmd, _ string) (*sandbox.Cell, error) { return cell(cmd, source.Dir) }
	}
	if s.config.Log != nil {
		e.log = &lateLog{open: func() io.Writer { return s.config.Log(source.Name) }}
		p.Log = e.log
	}
	e.helper = helper.New(p, s.config.Options, e.connect, e.shutdown)
	s.list = append(s.list, e)
	return e, nil
}

// lateLog is a log file that is opened at the first write.
type lateLog struct {
	open func() io.Writer

	mu     sync.Mutex
	opened bool
	log    io.Writer
}

// Write writes to the log, if there is one. Control characters are replaced, so that a terminal can
// show the log.
func (l *lateLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.opened {
		l.opened, l.log = true, l.open()
	}
	if l.log == nil {
		return len(p), nil
	}
	text, _ := visible.Lines(string(p))
	if _, err := io.WriteString(l.log, text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Attach sets the screen. It must be called before any extension is used.
func (s *Service) Attach(screen Screen) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shownScreen, s.userAsker = screen, screen
}

// AttachAsker sets who asks the user if there is no screen; only pickers and forms are possible
// then. It must be called before any extension is used.
func (s *Service) AttachAsker(a Asker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.userAsker = a
}

// asker returns who can ask the user a question of the given kind, or nil if nobody can.
func (s *Service) asker(kind string) Asker {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kind == PartView && s.shownScreen == nil {
		return nil
	}
	return s.userAsker
}

// screen returns the screen, or nil if there is none.
func (s *Service) screen() Screen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shownScreen
}

func (s *Service) size() (columns, rows int) {
	if screen := s.screen(); screen != nil {
		return screen.Size()
	}
	return 0, 0
}

func (s *Service) refresh() {
	if screen := s.screen(); screen != nil && !s.isClosed() {
		screen.Refresh()
	}
}

func (s *Service) isClosed() bool { return s.lifeContext.Err() != nil }

// All returns the extensions in the order in which they were added.
func (s *Service) All() []*Extension {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

// Entered is a command of an extension, with the name under which the user enters it.
type Entered struct {
	Extension *Extension
	Command
	By string // By is that name, without a slash.
}

// Commands returns the commands of all extensions. A command whose name is taken, by the shell or
// by an earlier extension, is entered as NAME:COMMAND; NAME is the extension.
func (s *Service) Commands(taken func(name string) bool) (list []Entered) {
	had := map[string]bool{}
	for _, e := range s.All() {
		for _, c := range e.Manifest.Commands {
			by := c.Name
			if had[by] || taken(by) {
				by = e.Name + ":" + c.Name
			}
			had[by] = true
			list = append(list, Entered{e, c, by})
		}
	}
	return list
}

// Renderer returns the extension that draws a part, PartCall or PartResult, of a tool's calls, or
// nil if the shell draws it.
func (s *Service) Renderer(tool, part string) *Extension {
	for _, e := range s.All() {
		for _, r := range e.Manifest.Renderers {
			if (r.Tool == tool || r.Tool == "*") && (part == PartCall && r.Call || part == PartResult && r.Result) {
				return e
			}
		}
	}
	return nil
}

// Event sends an event to the extensions that listen to it. It does not wait.
func (s *Service) Event(ev Event) {
	if s.isClosed() {
		return
	}
	redact := s.config.Secrets.Redact
	ev.Text = width.Head(ev.Text, min(len(ev.Text), 2*maxEventText)) // a secret that is cut is not found
	ev.Text = redact(ev.Text)
	ev.Text = width.Head(ev.Text, min(len(ev.Text), maxEventText))
	if ev.Input = inputWithinLimit(ev.Input); ev.Input != nil {
		ev.Input = inputWithinLimit(json.RawMessage(s.config.Secrets.RedactJSON(string(ev.Input))))
	}
	for _, e := range s.All() {
		if e.hearsEvent(ev.Event) {
			e.queueEvent(ev)
		}
	}
}

// inputWithinLimit returns the input of a tool call, or nil if it is too large or not valid JSON.
func inputWithinLimit(input json.RawMessage) json.RawMessage {
	if len(input) > maxInputBytes || !json.Valid(input) {
		return nil
	}
	return input
}

// AskedOf returns the request for the rows of a tool call.
func AskedOf(part, call, tool string, input json.RawMessage) Asked {
	return Asked{Part: part, Call: call, Tool: tool, Input: inputWithinLimit(input)}
}

// ShownText returns the beginning of a result's text that is sent to an extension.
func ShownText(text string) string { return width.Head(text, min(len(text), maxShownBytes)) }

// Status describes the state of an extension.
type Status struct {
	helper.Status
	Extension string
	Workspace bool
	Final     bool // Final says that it has failed, and a restart does not help.
}

// List returns the states of all extensions.
func (s *Service) List() (list []Status) {
	for _, e := range s.All() {
		list = append(list, e.Status())
	}
	return list
}

// Status returns the state of the extension.
func (e *Extension) Status() Status {
	st := Status{Status: e.helper.Status(), Extension: e.Name, Workspace: e.Workspace}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.startError != nil && st.State == helper.NotStarted {
		st.State, st.Why, st.Final = helper.Failed, e.startError.Error(), e.isFinal
	}
	return st
}

// Lines returns two lines for each extension: its state, and what it adds, with the names of its
// commands. taken reports whether a command name is taken. harmless is applied to untrusted text.
func (s *Service) Lines(now time.Time, taken func(name string) bool, harmless func(string) string) (lines []string) {
	if len(s.All()) == 0 {
		return []string{"There are no extensions. [extensions.NAME] in config.toml adds one."}
	}
	commands := map[string][]string{}
	for _, c := range s.Commands(taken) {
		commands[c.Extension.Name] = append(commands[c.Extension.Name], "/"+c.By)
	}
	for _, st := range s.List() {
		line := st.Extension + "  " + harmless(st.Text(now)) + "  (" + st.Reach + ")"
		if st.Workspace {
			line += ", of this workspace"
		}
		if st.State == helper.NotStarted && st.Why != "" {
			line += ": " + harmless(st.Why)
		}
		e, _ := s.extensionNamed(st.Extension)
		lines = append(lines, line, "  adds  "+harmless(e.Manifest.summary(commands[st.Extension])))
	}
	return lines
}

// extensionNamed returns the extension with a name, or an error.
func (s *Service) extensionNamed(name string) (*Extension, error) {
	for _, e := range s.All() {
		if e.Name == name {
			return e, nil
		}
	}
	return nil, fmt.Errorf("there is no extension %q", name)
}

// Handle runs the command /extensions in text mode. Without an argument it returns [Service.Lines],
// and otherwise the answer of [Service.Manage].
func (s *Service) Handle(ctx context.Context, argument string, taken func(name string) bool) (lines []string, ok bool) {
	if argument == "" {
		return s.Lines(time.Now(), taken, func(text string) string { return text }), true
	}
	said, ok := s.Manage(ctx, argument)
	return []string{said}, ok
}

// Manage runs /extensions with an argument: restart NAME or stop NAME. said tells the user what was
// done, or why it failed.
func (s *Service) Manage(ctx context.Context, argument string) (said string, ok bool) {
	verb, name, _ := strings.Cut(argument, " ")
	switch name = strings.TrimSpace(name); {
	case verb == "restart" && name != "":
		if err := s.Restart(ctx, name); err != nil {
			return "The extension does not run: " + strings.TrimSuffix(err.Error(), ".") + ".", false
		}
		return "The extension " + name + " runs.", true
	case verb == "stop" && name != "":
		if err := s.Stop(name); err != nil {
			return "Nothing was done: " + err.Error() + ".", false
		}
		return "The extension " + name + " is stopped; its next use starts it.", true
	}
	return "Type /extensions, /extensions restart NAME or /extensions stop NAME.", false
}

// Stop ends the program of an extension. The next use starts it again.
func (s *Service) Stop(name string) error {
	e, err := s.extensionNamed(name)
	if err == nil {
		e.helper.Stop()
	}
	return err
}

// Restart starts the program of an extension again, even if it had failed for good.
func (s *Service) Restart(ctx context.Context, name string) error {
	e, err := s.extensionNamed(name)
	if err != nil {
		return err
	}
	e.helper.Stop()
	_, release, err := e.useProgram(ctx)
	if err != nil {
		return err
	}
	release()
	e.programEnded()
	return nil
}

// Close ends all programs, in parallel. The service starts none afterwards.
func (s *Service) Close() {
	s.endLife()
	var wg sync.WaitGroup
	for _, e := range s.All() {
		wg.Go(e.helper.Close)
	}
	wg.Wait()
	s.wg.Wait()
}
