package shell

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/attach"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/export"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/theme"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/recall"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Config holds what the shell shows and what it works with. The zero value works, and so does the
// zero value of each group.
type Config struct {
	Version string

	Workspace  Workspace
	Start      Start
	Models     Models
	Session    Session
	Files      Files
	Prompt     Prompt
	Approval   Approval
	Programs   Programs
	Appearance Appearance
	Keys       keymap.Map // the person's own keys
	Tree       Tree
	Settings   Settings // for /config; nil: there is none

	Todo *todo.Board // the list for /todo; nil: it is only shown
	Crew *crew.Crew  // the agents that the model starts; nil: it starts none
	// Beside returns the requests to other models that tools have made, for /cost; nil: there are
	// none.
	Beside func() []agent.Usage
	// Running returns lines about the sessions of the workspace that run now; nil: none are known.
	// It is called on the loop.
	Running func() []string
	// Memory returns what /memory with an argument does; nil: there are no notes. It is called on
	// the loop.
	Memory func(ctx context.Context, arg string) (tool.MemoryReply, error)
	// LastMessage is sent to the model when the person quits after a turn, before the shell ends;
	// "": it ends at once.
	LastMessage string
	// Arrived says what has come that the model begins a turn for by itself, in a few words; "":
	// nothing. It is called on the loop; nil: the model waits for the person.
	Arrived func() string

	Terminal terminal.Config // the zero value is the terminal of this process
	Output   io.Writer       // see tui.App
	Input    io.Reader       // see tui.App
}

// Workspace is the directory in which the model works, and others of the session.
type Workspace struct {
	Name string // for the screen
	Dir  string // its absolute path, for /workspace
	// Further returns the directories besides it, for /status; nil: there are none.
	Further func() []string
	// Add returns what adds a directory to the session, for /add-dir; nil: none can be added. It is
	// called beside the loop.
	Add func(ctx context.Context, dir string) (approval.Deed, error)
}

// Session is the conversation, and how it is stored.
type Session struct {
	Path   string   // of its log; "": there is none
	Stored Sessions // for /tree, /resume and /fork; nil: there is no log
	// Conversation returns all messages of the session, also those that were compacted, for
	// /transcript. It is called beside the loop at any time; nil: there is no /transcript.
	Conversation func() ([]provider.Message, error)
	// Context returns what the model knows, one part a row, for /context; nil: there is no
	// /context.
	Context func() []string
	// Clear makes the model forget the conversation; nil: there is no /clear. It is called on the
	// loop while no turn runs.
	Clear func() error
	// Export writes the session to a file and returns its path; nil: there is no log. It is called
	// beside the loop while no turn runs.
	Export func(ctx context.Context, to export.Target, progress export.Progress) (file string, err error)
	// AfterResume returns lines about the session that was just resumed; nil: there are none. It is
	// called beside the loop.
	AfterResume func() []string
	// AfterMove returns lines about what the place holds to which the conversation has just moved;
	// nil: there are none. It is called on the loop.
	AfterMove func() []string
}

// Prompt is what helps the person to write a message.
type Prompt struct {
	Commands []Command       // the person's own; a command of the shell with the same name comes first
	History  *recall.History // messages that were sent from this workspace; nil: they are not stored
	Editor   *Editor         // for key e; nil: there is no editor
	// ReadClipboard returns what Ctrl+V pastes: text, or a label and the name of a picture after an
	// @. It is called beside the loop; nil: nothing is pasted.
	ReadClipboard func(ctx context.Context) (text, label string, err error)
	// NewSpill creates a file for a paste that is too large for the prompt; nil: such a paste is
	// refused.
	NewSpill func() (Spill, error)
}

// Approval is how the person decides about changes and commands.
type Approval struct {
	Mode    string           // name of the approval mode, if Policy is nil
	Policy  *approval.Policy // the status row shows its mode, and a key changes it; nil: the mode is fixed
	Times   ApprovalTimes
	Sandbox approval.Sandbox // for /sandbox, and for a question before the first command; nil: there is none
	// AskPlainly shows a proposal as plain text and reads the answer as a line. It serves a
	// terminal that may not show a pane correctly. nil: nothing can be approved there.
	AskPlainly func(ctx context.Context, in io.Reader, out io.Writer, p *approval.Proposal) (approval.Answer, error)
}

// Programs are the programs behind the model's tools.
type Programs struct {
	// Tools returns the names of the model's tools, and Helpers the long-lived programs behind them
	// besides MCP servers; nil: there are none. They are called on the loop.
	Tools   func() []string
	Helpers func() []Helper

	Jobs       *job.Manager       // the background jobs of the model; nil: there are none
	Languages  Languages          // the language servers; nil: they are off
	Debugger   Debugger           // the debug session; nil: debuggers are off
	Cells      Cells              // the programs that run cells of code; nil: they are off
	Extensions *extension.Service // the person's extensions; nil: there are none
	Servers    Servers            // the MCP servers; nil: there are none
	// ServerLog returns the path of the file with the output of an MCP server, or "".
	ServerLog func(name string) string
	// OpenPage opens a page in the person's browser, if there is one; nil: nothing is opened.
	OpenPage func(address string)
}

// Start is what the shell shows and sends first.
type Start struct {
	Notes            []string           // rows of the first screen, such as "this workspace is your home directory"
	SuggestedMessage string             // shown while the prompt is empty; Enter sends it
	FirstMessage     string             // sent at once, as if it had been typed; "": none
	Offers           []*Offer           // offers of the workspace about which the person was not asked yet
	Resumed          []provider.Message // the conversation that is continued; it is shown
	Restored         []string           // rows behind that: what holds again of its session
}

// Models describes the models that answer, or can be chosen.
type Models struct {
	Name  string   // name of the current model for the screen
	Note  string   // a few words beside the name at the start, such as "no key set, /model tells how"
	Names []string // the models that /model offers
	// Help returns the lines that /model shows about a model. About returns a few words for the
	// list of /model. nil: there is no text.
	Help, About func(name string) string
	// IsWindowAssumed reports whether the window of a model is a guess; nil: it never is.
	IsWindowAssumed func(name string) bool
	// FetchNames asks the provider for its models. It is called beside the loop; nil: nobody is
	// asked.
	FetchNames func(ctx context.Context) ([]string, error)
	// Set changes the model from the next step on, also of a turn that runs. It is called on the
	// loop.
	// nil: the model is fixed.
	Set func(name string) error
	// Effort is the reasoning effort; "": the provider's. Efforts are the levels that it may have.
	Effort  string
	Efforts []string
	// SetEffort and SetThinking change how models answer from the next step on. They are called on
	// the loop; nil: that is fixed.
	SetEffort   func(level string) error
	SetThinking func(on bool) error
	// Now returns the name of the model that answers and how it does, after another session or
	// another branch has changed that; nil: that does not happen. It is called on the loop.
	Now func() (name, effort string, thinking bool)
	// Summarize returns a model's summary of messages. words say what the person wants of it; "":
	// nothing in particular. It is called beside the loop while no turn runs; nil: there is none.
	Summarize func(ctx context.Context, messages []provider.Message, words string) (string, error)
}

// Tree is how the person moves in the session.
type Tree struct {
	DoubleEsc  string // what Esc twice in an empty prompt opens: "tree", "rewind" or "off"; "": tree
	AskSummary bool   // each move asks whether what is left is summed up
}

// Files gives the shell access to the files of the workspace. Attach and Pictures are called on the
// goroutine of the turn.
type Files struct {
	// Find returns at most n files and directories for a path that a person types after an @ or in
	// a command. Directories end in a slash, and the best match comes first. It is called beside
	// the loop; nil: none are offered.
	Find func(ctx context.Context, query string, n int) ([]string, error)
	// Attach returns the files that a message names with an @; nil: none are attached.
	Attach func(ctx context.Context, text string) attach.Attached
	// Pictures returns the pictures that a message names, and lines about those that cannot be
	// used. nil: there are none.
	Pictures func(ctx context.Context, text string) (found []picture.Picture, problems []string)
	// ChangedSince returns the files that were changed after change n and can be restored; nil:
	// /rewind restores the conversation only.
	ChangedSince func(n int) []string
	// ChangesBy returns what a call of the session's earlier conversation has changed, and what of
	// it was denied; nil: that is not known. It is called beside the loop.
	ChangesBy func(ctx context.Context, call string) []tool.Edited
	// Changes returns what /undo can take back, the last change first; nil: there is no /undo.
	Changes func() []undo.Line
	// CutOff is the title of a command that was cut off by the end of an earlier process and may
	// have changed files, "" if there is none; nil: there is none.
	CutOff func() string
	// Differences compares the files that the session has changed with what they were before it. It
	// is called beside the loop; nil: /diff all is not possible.
	Differences func(ctx context.Context) []tool.Difference
}

// Appearance is how the person wants the screen to look.
type Appearance struct {
	Theme    *theme.Theme // nil: auto
	Themes   theme.Shelf  // the themes of /theme
	SetTitle bool         // the shell sets the title of the terminal's window
	// Status lists the parts of the status row, in order, by the names of StatusParts in config;
	// nil: those that fit.
	Status []string
	// Branch returns the git branch that is checked out. It is called beside the loop; nil: no
	// branch is shown.
	Branch   func() string
	Vim      bool // the prompt has the modes of vim
	Thinking bool // show what the model thinks
}

// ApprovalTimes are the times of a pane (PANE-6).
type ApprovalTimes struct {
	FocusDelay   time.Duration // time without a key until the pane has the focus; 0: 425 ms; at least 200 ms
	MinVisible   time.Duration // time in sight until a key approves; 0: 1 s; at least 200 ms
	PollInterval time.Duration // time between two checks whether the file has changed; 0: 500 ms
}

// Agent runs turns. Say sends a message and runs one turn to its end. It calls on with each event,
// one after the other, on the goroutine that called Say. Cancelling ctx stops the turn.
type Agent interface {
	RunTurn(ctx context.Context, message agent.Message, on func(agent.Event)) error
}

// Shell shows one session on the screen. It implements [approval.Desk].
type Shell struct {
	cfg Config
	app tui.App

	thinkingFlipped atomic.Bool // the person has switched Appearance.Thinking
	sandboxOffer    approval.SandboxOffer

	mu       sync.Mutex // guards lastKind and reads
	lastKind blockKind  // kind of the block that was added last
	reads    *readRow   // to which the next read is added; nil: a row of its own

	// What follows belongs to the loop.
	promptState
	turnState
	wakeState
	statusState
	windowState
	question   *approvalQueue // the open question that is shown; nil: there is none
	askers     *askers        // all open questions
	agents     agentState
	copies     copySources
	diffs      shownDiffs // has its own lock
	pagerCalls []*paged   // calls that Ctrl+O shows, the last one last
}

// promptState is the prompt and what is on its way into it.
type promptState struct {
	editor           tui.Editor
	completion       completion
	newHistory       chan recall.Entry // messages on their way to the history file
	readingClipboard bool
	treeFilter       int         // index of the filter that /tree had last
	openSpill        *pasteSpill // a large paste that has not ended; nil: there is none
	terminalLent     bool        // the terminal belongs to the editor, or is about to
}

// turnState is the turn that runs, and those that wait.
type turnState struct {
	running        context.CancelFunc // cancels the turn; nil: none runs
	turnStart      chan message       // the message of the next turn; it holds one at most
	queue          []message          // messages that wait for the end of the turn
	stopped        bool               // the person has stopped the turn
	retry          retryWait          // of the model that is asked again
	offering       bool               // the offers of the start are asked about
	modelAsked     int                // how often the server was asked for a model that the person has named
	hidesStatus    bool               // the work should be short: its status row is shown after statusDelay only
	modelQuestions int                // calls of Answer that wait
	spoke          bool               // the person has sent a message
	lastSent       bool               // LastMessage was sent
	closing        bool               // the shell ends after the turn
	quitWarned     bool               // the person was warned that quitting ends background jobs
}

// statusState is what the rows around the prompt show.
type statusState struct {
	status      tui.Status
	hint        hint
	gauge       gauge
	ownBill     bill                      // of the requests of this conversation
	agentBill   bill                      // of those of its agents
	contextUse  func() (used, window int) // tokens in the model's window, and its size; nil: unknown
	todoList    todo.List
	runningJobs int // number of background jobs that run
	gitBranch   string
	clockStart  time.Time // time of the first frame with the part "time" in the status row
}

// windowState is the look of the window.
type windowState struct {
	currentTheme    *theme.Theme // nil: auto
	lightBackground bool         // reported by the terminal
	windowTitle     string
}

// blockKind is the kind of a block of the transcript. Between most kinds stands a blank row.
type blockKind uint8

const (
	noBlock blockKind = iota
	person
	answer
	toolCall // tool calls follow each other without a gap
	fileChange
	notice
	mailRow // a message between agents; they follow each other without a gap, too
)

// New makes a shell. [Shell.Ask] may be called before Run, which then shows the question.
func New(cfg Config) *Shell {
	if cfg.Approval.Times.FocusDelay == 0 {
		cfg.Approval.Times.FocusDelay = defaultFocusDelay
	}
	if cfg.Approval.Times.MinVisible == 0 {
		cfg.Approval.Times.MinVisible = defaultMinVisible
	}
	if cfg.Approval.Times.PollInterval == 0 {
		cfg.Approval.Times.PollInterval = 500 * time.Millisecond
	}
	cfg.Keys = cfg.Keys.WithTable()
	cfg.Approval.Times.FocusDelay, cfg.Approval.Times.MinVisible = max(cfg.Approval.Times.FocusDelay,
		minDelay), max(cfg.Approval.Times.MinVisible, minDelay)
	sh := &Shell{cfg: cfg}
	sh.askers = newAskers(sh)
	sh.turnStart, sh.newHistory = make(chan message, 1), make(chan recall.Entry, 64)
	sh.editor.OnSubmit = func(text string) {
		sh.saveToHistory(text)
		sh.submit(text)
	}
	sh.editor.Copy = sh.copyMarked
	sh.currentTheme = cfg.Appearance.Theme
	sh.loadHistory()
	sh.editor.Vim = cfg.Appearance.Vim
	if cfg.Start.SuggestedMessage != "" { // the words tell it from a draft, where its colour does not
		sh.editor.Placeholder = cfg.Keys.Expand("{submit} sends: ") + cfg.Start.SuggestedMessage
	}
	if cfg.Programs.Extensions != nil {
		cfg.Programs.Extensions.Attach(extensionScreen{sh})
	}
	sh.app = tui.App{Footer: &footer{sh: sh}, Terminal: cfg.Terminal, Output: cfg.Output, Input: cfg.Input,
		Theme: sh.tuiTheme}
	return sh
}

// Run shows the session until the person quits or ctx ends, and runs the turns of ag. It is called
// once. Quitting in any way that the shell offers returns nil.
func (sh *Shell) Run(ctx context.Context, ag Agent) error {
	sh.setUp(ag)
	return sh.app.Run(ctx)
}

// setUp prepares the app for ag: its main function, the first screen, and what is sent first.
func (sh *Shell) setUp(ag Agent) {
	if g, ok := ag.(interface{ ContextUse() (used, window int) }); ok {
		sh.contextUse = g.ContextUse
	}
	sh.refreshCounts()
	sh.followAgents()
	sh.app.Main = func(ctx context.Context) error {
		historyWritten := make(chan struct{})
		go func() {
			defer close(historyWritten)
			sh.writeHistory(ctx)
		}()
		reported := make(chan struct{})
		go func() {
			defer close(reported)
			var wg sync.WaitGroup
			wg.Go(func() { sh.reportServers(ctx) })
			wg.Go(func() { sh.reportAgents(ctx) })
			sh.reportJobs(ctx)
			wg.Wait()
		}()
		defer func() { <-historyWritten; <-reported }()
		return sh.runTurns(ctx, ag)
	}
	sh.addBlock(notice, sh.welcome())
	sh.app.Do(sh.updateTitle)
	if len(sh.cfg.Start.Resumed) > 0 || len(sh.cfg.Start.Restored) > 0 || len(sh.cfg.Start.Offers) > 0 {
		sh.runBeside("printing the session", func(ctx context.Context) func() {
			if len(sh.cfg.Start.Resumed) > 0 {
				sh.printConversation(ctx, sh.cfg.Start.Resumed)
			}
			if rows := sh.cfg.Start.Restored; len(rows) > 0 {
				sh.addBlock(notice, paragraphs(false, rows...))
			}
			var finish []func()
			sh.app.Do(func() { sh.offering = true })
			for _, o := range sh.cfg.Start.Offers {
				finish = append(finish, sh.askOffer(ctx, *o))
			}
			return func() {
				sh.offering = false
				for _, f := range finish {
					f()
				}
			}
		})
	}
	if m := sh.cfg.Start.FirstMessage; m != "" {
		sh.app.Do(func() { sh.editor.Submit(m) })
	}
}

// addBlock adds a block that does not change any more. It may be called on any goroutine.
func (sh *Shell) addBlock(kind blockKind, c staticBlock) {
	sh.openBlock(kind, func(gap bool) tui.Component {
		if !gap {
			return c
		}
		return staticBlock(func(s tui.Space) []tui.Line { return append([]tui.Line{{}}, c(s)...) })
	}).Done()
}

// openBlock adds a block that may still change. make gets whether a blank row stands before it. It
// may be called on any goroutine.
func (sh *Shell) openBlock(kind blockKind, make func(gap bool) tui.Component) *tui.Block {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.closeReads()
	return sh.appendBlock(kind, make)
}

// appendBlock adds a block for openBlock. sh.mu is held.
func (sh *Shell) appendBlock(kind blockKind, make func(gap bool) tui.Component) *tui.Block {
	together := kind == sh.lastKind && (kind == toolCall || kind == mailRow)
	gap := sh.lastKind != noBlock && !together
	sh.lastKind = kind
	return sh.app.Transcript().Append(make(gap))
}

// gapped adds a blank row before a component whose rows carry no Ends.
type gapped struct{ tui.Component }

// View returns the blank row and the rows of the component.
func (g gapped) View(s tui.Space) tui.View {
	v := g.Component.View(s)
	v.Lines = append([]tui.Line{{}}, v.Lines...)
	v.Stable++
	return v
}

// untilPainted is the shortest focus delay of package tui. With it a pane has the focus
// ([tui.Space]) as soon as the terminal has taken a frame with the pane, however slow the line is.
// All other arming is done by the pane.
const untilPainted = time.Nanosecond
