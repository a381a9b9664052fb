package shell

import (
	"context"
	"io"
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
)

// Config configures a [Shell]: the texts that it shows, the services that it calls, and how its
// screen looks. The zero value works, and so does the zero value of each group.
type Config struct {
	// The version of agentshell that the first screen and /status show.
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
	Keys       keymap.Map // The user's own key bindings.
	Tree       Tree
	Settings   Settings // The settings that /config lists and changes; nil: /config is not available.

	Todo *todo.Board // The todo list that /todo changes; nil: there is no /todo.
	Crew *crew.Crew  // The agents that the model can start for parts of its work; nil: it cannot start any.
	// Beside returns the token use of requests that tools have sent to other models than the
	// session's, for /cost; nil: there are none.
	Beside func() []agent.Usage
	// Running returns lines for /sessions about the sessions that run in the workspace now; nil:
	// they are not known. It is called on the event loop.
	Running func() []string
	// Memory runs /memory with the argument arg, and returns the reply to show; nil: notes are off.
	// It is called on the event loop.
	Memory func(ctx context.Context, arg string) (tool.MemoryReply, error)
	// LastMessage is sent to the model when the user quits after at least one message. The shell
	// ends once the model has answered it. "": the shell ends at once.
	LastMessage string
	// Arrived returns in a few words what has arrived for the model while nothing ran, such as the
	// result of a background job. The model then begins a turn without a message of the user. It
	// returns "" if nothing has arrived. It is called on the event loop; nil: the model always
	// waits for the user.
	Arrived func() string

	Terminal terminal.Config // The terminal to use; the zero value means that of this process.
	Output   io.Writer       // Gets the final rows as text if there is no terminal; nil: os.Stdout. See tui.App.
	Input    io.Reader       // Provides lines of input if there is no terminal; nil: os.Stdin. See tui.App.
}

// Workspace describes the directory in which the model works, and further directories of the
// session.
type Workspace struct {
	Name string // The directory's name as the screen shows it.
	Dir  string // The directory's absolute path, which /status shows.
	// Further returns the other directories that the session may use, for /status; nil: there are
	// none.
	Further func() []string
	// Add prepares to add the directory dir to the session, for /add-dir. It returns a deed: the
	// question to the user, and the function that adds the directory after a yes. It is called on a
	// goroutine of its own; nil: no directory can be added.
	Add func(ctx context.Context, dir string) (approval.Deed, error)
}

// Session gives the shell access to the conversation, and to the log that stores it.
type Session struct {
	Path   string   // The path of the session's log; "": the session is not stored.
	Stored Sessions // The stored sessions, for /tree, /resume, /fork and others; nil: the session is not stored.
	// Conversation returns all messages of the session for /transcript, those before a compaction
	// included. It is called at any time, on a goroutine of its own; nil: there is no /transcript.
	Conversation func() ([]provider.Message, error)
	// Context returns rows for /context: each names one part of the model's context and its size;
	// nil: there is no /context.
	Context func() []string
	// Clear makes the model forget the conversation; nil: there is no /clear command. It is called
	// on the event loop while no turn runs.
	Clear func() error
	// Export writes the session to a file and returns the path of that file; nil: there is no log
	// to export. It is called on a goroutine of its own while no turn runs.
	Export func(ctx context.Context, to export.Target, progress export.Progress) (file string, err error)
	// AfterResume returns lines to show about the session that was just resumed; nil: there are
	// none. It is called on the goroutine that has resumed the session, not on the event loop.
	AfterResume func() []string
	// AfterMove returns lines to show after /tree has moved the conversation to another message,
	// about the state of the session there; nil: there are none. It is called on the event loop.
	AfterMove func() []string
}

// Prompt configures the field in which the user writes messages.
type Prompt struct {
	Commands []Command // The user's own slash commands. A built-in command of the same name hides them.
	// The messages that were sent from this workspace, also in earlier sessions; nil: they are not
	// stored.
	History *recall.History
	// The user's text editor, in which key e of a question opens a proposed change; nil: there is
	// none.
	Editor *Editor
	// ReadClipboard returns what Ctrl+V inserts. For text, label is "". For a picture, label names
	// it on the screen, and text is the name of its file behind an @. It is called on a goroutine
	// of its own; nil: Ctrl+V inserts nothing.
	ReadClipboard func(ctx context.Context) (text, label string, err error)
	// NewSpill creates a file for a paste that is too large for the prompt; nil: such a paste is
	// refused.
	NewSpill func() (Spill, error)
}

// Approval configures how the user decides on changes and commands that the model proposes.
type Approval struct {
	Mode string // The name of the approval mode, if Policy is nil.
	// The approval mode and the user's rules. The status row shows the mode, and a key changes it;
	// nil: the mode is fixed.
	Policy *approval.Policy
	// How long a question must be shown before keys can answer it.
	Times ApprovalTimes
	// The sandbox for commands, which /sandbox controls, and which is offered before the first
	// command; nil: there is none.
	Sandbox approval.Sandbox
	// AskPlainly shows a proposal as plain text, reads the user's answer as a line, and returns it.
	// The shell calls it on a terminal that may not draw the usual question correctly; nil: nothing
	// can be approved on such a terminal.
	AskPlainly func(ctx context.Context, in io.Reader, out io.Writer, p *approval.Proposal) (approval.Answer, error)
}

// Programs gives the shell access to the tools of the model, and to the programs that serve them.
type Programs struct {
	// Tools returns the names of the model's tools; nil: it has none. It is called on the event
	// loop.
	Tools func() []string
	// Helpers returns the state of each long-lived program that serves a tool, but not of MCP
	// servers; nil: there are none. It is called on the event loop.
	Helpers func() []Helper

	Jobs       *job.Manager       // The background jobs that the model has started; nil: it cannot start any.
	Languages  Languages          // The language servers; nil: they are off.
	Debugger   Debugger           // The debug session of the model; nil: debuggers are off.
	Cells      Cells              // The interpreters that run code cells; nil: they are off.
	Extensions *extension.Service // The user's extensions; nil: there are none.
	Servers    Servers            // The MCP servers; nil: there are none.
	// ServerLog returns the path of the file with the output of the MCP server of that name; "" if
	// there is no such file.
	ServerLog func(name string) string
	// OpenPage opens a page in the user's browser, if there is one; nil: the user has to open the
	// page.
	OpenPage func(address string)
}

// Start holds what the shell shows and sends when it starts.
type Start struct {
	// Rows of the first screen, such as "this workspace is your home directory".
	Notes []string
	// A message that the empty prompt shows until a turn starts. Enter sends it. "": there is none.
	SuggestedMessage string
	// A message that is sent at once, as if the user had typed it; "": there is none.
	FirstMessage string
	// Files of the workspace, such as skills, about whose use the user was not asked yet. The shell
	// asks at the start.
	Offers  []*Offer
	Resumed []provider.Message // The messages of the conversation that is resumed. The shell shows them.
	// Rows to show after Resumed: the parts of the session's state that are in force again.
	Restored []string
}

// Models describes the model of the session, and the models that the user can switch to.
type Models struct {
	Name  string   // The name of the current model as the screen shows it.
	Note  string   // A few words to show beside the name at the start, such as "no key set, /model tells how".
	Names []string // The names of the models that /model lists.
	// Help returns the lines that /model shows about a model. About returns a few words for the
	// list of /model. A nil function means that there is no such text.
	Help, About func(name string) string
	// IsWindowAssumed reports whether the size of a model's context window is a guess; nil: it
	// never is.
	IsWindowAssumed func(name string) bool
	// FetchNames asks the provider for the names of its models. It is called on a goroutine of its
	// own; nil: the provider cannot be asked.
	FetchNames func(ctx context.Context) ([]string, error)
	// Set switches to another model. A running turn uses it from its next request on. Set is called
	// on the event loop; nil: the model is fixed.
	Set func(name string) error
	// Effort is the level of reasoning effort; "": the provider chooses. Efforts lists the levels
	// that the user can choose.
	Effort  string
	Efforts []string
	// SetEffort changes the reasoning effort, and SetThinking turns thinking on or off, from the
	// next request on. They are called on the event loop; nil: the setting is fixed.
	SetEffort   func(level string) error
	SetThinking func(on bool) error
	// Now returns the current model, its effort, and whether it thinks. The shell calls it on the
	// event loop after a move to another session or branch, which may have changed them; nil: they
	// never change so.
	Now func() (name, effort string, thinking bool)
	// Summarize returns a model's summary of messages. words say what the user wants the summary
	// for; "": nothing in particular. It is called on a goroutine of its own while no turn runs;
	// nil: no model can summarize.
	Summarize func(ctx context.Context, messages []provider.Message, words string) (string, error)
}

// Tree configures how the user moves to another message of the session.
type Tree struct {
	// What Esc pressed twice in an empty prompt opens: "tree", "rewind" or "off"; "" means "tree".
	DoubleEsc  string
	AskSummary bool // Each move asks first whether the model gets a summary of the messages that it leaves.
}

// Files gives the shell access to the files of the workspace, and to the changes that the session
// has made. Attach and Pictures are called on the goroutine of the turn.
type Files struct {
	// Find returns at most n files and directories that match a partial path, which the user types
	// after an @ or in a command. Directories end in a slash, and the best match comes first. It is
	// called on a goroutine of its own; nil: no paths are suggested.
	Find func(ctx context.Context, query string, n int) ([]string, error)
	// Attach returns the contents of the files that a message names with an @; nil: files cannot be
	// attached.
	Attach func(ctx context.Context, text string) attach.Attached
	// Pictures returns the pictures that a message names, and lines that say why others cannot be
	// sent; nil: pictures cannot be sent.
	Pictures func(ctx context.Context, text string) (found []picture.Picture, problems []string)
	// ChangedSince returns the files that were changed after change number n and can be restored;
	// nil: /rewind restores the conversation only.
	ChangedSince func(n int) []string
	// ChangesBy returns the file changes of an earlier tool call, given the id of the call, with
	// those that the user has denied; nil: they are not known. It is called outside of the event
	// loop.
	ChangesBy func(ctx context.Context, call string) []tool.Edited
	// Changes returns the file changes that /undo can undo, the latest first; nil: there is no
	// /undo.
	Changes func() []undo.Line
	// CutOff returns the title of a command that was cut off when an earlier process of the session
	// ended, and that may have changed files; "" or nil: there is none.
	CutOff func() string
	// Differences compares each file that the session has changed with its content before the
	// session. It is called on a goroutine of its own; nil: there is no /diff all.
	Differences func(ctx context.Context) []tool.Difference
}

// Appearance holds the user's settings for the look of the screen.
type Appearance struct {
	Theme    *theme.Theme // The colours and glyphs; nil: they follow the terminal's background.
	Themes   theme.Shelf  // The themes that /theme lists.
	SetTitle bool         // The shell sets the title of the terminal's window.
	// Status lists the parts of the status row in their order, named as in config.StatusParts; nil:
	// as many parts as fit.
	Status []string
	// Branch returns the name of the git branch that is checked out. It is called outside of the
	// event loop; nil: no branch is shown.
	Branch   func() string
	Vim      bool // The prompt has the modes of vim.
	Thinking bool // The screen shows the text of the model's thinking.
}

// ApprovalTimes holds how long a question for approval must be on the screen before keys can answer
// it (PANE-6), so that no key answers by accident.
type ApprovalTimes struct {
	// The time without a key after which keys go to the question instead of the prompt. 0 means 425
	// ms, and less than 200 ms means 200 ms.
	FocusDelay time.Duration
	// The time that the question must be in sight before a key approves it. 0 means 1 s, and less
	// than 200 ms means 200 ms.
	MinVisible time.Duration
	// The time between two checks whether the file of the question has changed on disk. 0 means 500
	// ms.
	PollInterval time.Duration
}
