package shell

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/theme"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/recall"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Agent runs turns of a conversation with the model. RunTurn sends a message and runs one turn to
// its end. It calls on with each event, one after the other, on the goroutine of its caller.
// Cancelling ctx stops the turn.
type Agent interface {
	RunTurn(ctx context.Context, message agent.Message, on func(agent.Event)) error
}

// Shell shows one session on the screen, and takes the user's messages and answers. It implements
// [approval.Desk].
type Shell struct {
	cfg Config
	app tui.App

	thinkingFlipped atomic.Bool // The user has switched Appearance.Thinking to its opposite.
	sandboxOffer    approval.SandboxOffer

	mu       sync.Mutex // mu guards lastKind and reads.
	lastKind blockKind  // The kind of the block that was added to the transcript last.
	// The open block of file reads, to which the next read is added; nil: the next read opens a
	// block.
	reads *readRow

	// The event loop owns the fields below.
	promptState
	turnState
	wakeState
	statusState
	windowState
	question *approvalQueue // The open question that is on the screen; nil: there is none.
	askers   *askers        // All open questions, those that wait for their turn included.
	// The subagents that the model has started.
	agents agentState
	// The texts that /copy and /output offer.
	copies     copySources
	diffs      shownDiffs // The file changes that the transcript shows, for /diff. They have a lock of their own.
	pagerCalls []*paged   // The calls whose output Ctrl+O can show, the latest at the end.
}

// promptState holds the state of the prompt, and of texts that are still to be inserted or stored.
type promptState struct {
	// The prompt.
	editor tui.Editor
	// The suggestions for the word that the user types.
	completion completion
	newHistory chan recall.Entry // Sent messages that are still to be written to the history file.
	// The clipboard is being read for Ctrl+V.
	readingClipboard bool
	treeFilter       int         // The filter that /tree used last, an index of treeFilters.
	openSpill        *pasteSpill // The large paste that is being written to a file; nil: there is none.
	// Another program has the terminal, such as the user's text editor, or is about to get it.
	terminalLent bool
}

// turnState holds the state of the running turn, and the messages for later turns.
type turnState struct {
	running   context.CancelFunc // Cancels the running turn; nil: no turn runs.
	turnStart chan message       // Passes the message of the next turn to runTurns. It holds at most one.
	queue     []message          // Messages that wait for the end of the running turn.
	stopped   bool               // The user has stopped the running turn, which has not ended yet.
	retry     retryWait          // The wait before a failed request to the model is sent again.
	offering  bool               // The questions about Start.Offers are being asked.
	// How often /model has asked the server about a name that it did not know. It tells a late
	// reply from the current one.
	modelAsked int
	// The running work should be short, so that its status row appears only after statusDelay.
	hidesStatus    bool
	modelQuestions int  // The number of calls of Answer that wait for the user.
	spoke          bool // The user has sent a message in this session.
	lastSent       bool // Config.LastMessage was sent.
	closing        bool // The shell ends when the running turn ends.
	quitWarned     bool // The user was warned that quitting ends background jobs.
}

// statusState holds the values that the rows around the prompt show.
type statusState struct {
	// The status row of the running work. Its text is "" while none runs.
	status tui.Status
	hint   hint
	// The use of the model's context window and the cost, for the status row.
	gauge     gauge
	ownBill   bill // The cost of this conversation's own requests.
	agentBill bill // The cost of the requests of agents that this conversation has started.
	// contextUse returns how many tokens of the model's context window are used, and the size of
	// the window in tokens; nil: they are not known.
	contextUse func() (used, window int)
	// The todo list above the prompt.
	todoList    todo.List
	runningJobs int // The number of background jobs that run.
	// The name of the git branch that is checked out, or "".
	gitBranch  string
	clockStart time.Time // The time of the first frame whose status row has the part "time".
}

// windowState holds the theme in use, and what is known of the terminal's window.
type windowState struct {
	currentTheme    *theme.Theme // The theme in use; nil: the theme follows the terminal's background.
	lightBackground bool         // The terminal has reported a light background.
	// The title that the window got last.
	windowTitle string
}

// blockKind tells what a transcript block shows. It decides where a blank row separates two blocks.
type blockKind uint8

const (
	// noBlock means that the transcript has no block yet.
	noBlock blockKind = iota
	// person is a message of the user.
	person
	// answer is a text of the model.
	answer
	toolCall // toolCall is a call of a tool. No blank row separates two of them.
	// fileChange is a change of a file that the user or a rule has approved or denied.
	fileChange
	// notice is a text of the shell itself.
	notice
	mailRow // mailRow is a message between agents. No blank row separates two of them.
)

// New returns a shell for [Shell.Run]. [Shell.Ask] may be called before Run, which then shows the
// question.
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

// Run shows the session and runs turns of ag until the user quits or ctx ends. It is called once.
// It returns nil if the user quits in a way that the shell offers.
func (sh *Shell) Run(ctx context.Context, ag Agent) error {
	sh.setUp(ag)
	return sh.app.Run(ctx)
}

// setUp prepares the app before its start: the goroutines that run turns of ag and report events,
// the first screen, and the messages and questions of Config.Start.
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

// addBlock adds a block to the transcript that never changes. It may be called on any goroutine.
func (sh *Shell) addBlock(kind blockKind, c staticBlock) {
	sh.openBlock(kind, func(gap bool) tui.Component {
		if !gap {
			return c
		}
		return staticBlock(func(s tui.Space) []tui.Line { return append([]tui.Line{{}}, c(s)...) })
	}).Done()
}

// openBlock adds a block to the transcript that may still change, and returns it. make gets whether
// a blank row belongs above the block, and returns its content. openBlock may be called on any
// goroutine.
func (sh *Shell) openBlock(kind blockKind, make func(gap bool) tui.Component) *tui.Block {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.closeReads()
	return sh.appendBlock(kind, make)
}

// appendBlock adds a block to the transcript for openBlock. The caller holds sh.mu.
func (sh *Shell) appendBlock(kind blockKind, make func(gap bool) tui.Component) *tui.Block {
	together := kind == sh.lastKind && (kind == toolCall || kind == mailRow)
	gap := sh.lastKind != noBlock && !together
	sh.lastKind = kind
	return sh.app.Transcript().Append(make(gap))
}

// gapped shows a component with a blank row above it. The rows of the component must have no
// Line.End.
type gapped struct{ tui.Component }

// View returns a blank row, and the rows of the component below it.
func (g gapped) View(s tui.Space) tui.View {
	v := g.Component.View(s)
	v.Lines = append([]tui.Line{{}}, v.Lines...)
	v.Stable++
	return v
}

// untilPainted is the shortest focus delay that package tui takes. With it a question gets the
// focus ([tui.Space]) as soon as the terminal has taken a frame that shows the question, however
// slow the connection is. All further delays are the question's own: see type arming.
const untilPainted = time.Nanosecond
