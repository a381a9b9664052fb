// Package extension is a library for programs that extend the agent shell. It implements the
// protocol of docs/extensions.md. It needs only the standard library, and can be copied into a
// program.
//
// A program describes what it adds in an [Extension], and its main function calls [Main]:
//
//	func main() {
//		extension.Main(extension.Extension{
//			About: "greets",
//			Commands: []extension.Command{{Name: "hello", About: "greet somebody", Run: hello}},
//		})
//	}
//
// With the argument "manifest" the program prints its manifest, the file extension.toml. The shell
// starts the program without arguments. Unless documented otherwise, the functions of an extension
// may be called at the same time, each in a goroutine of its own. Their context ends when the user
// cancels the call, and when the program has to end.
package extension

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Extension describes what a program adds to the shell. The zero value adds nothing.
type Extension struct {
	About string // A sentence for the user, which the manifest contains.
	// The command in the manifest that starts the program; nil: "${dir}/" and the name of this
	// program.
	Program []string

	Commands  []Command
	Tools     []Tool
	Renderers []Renderer
	// Status returns a part of the status row, of at most width columns (width is at most 40); nil:
	// nothing.
	Status func(ctx context.Context, width int) Row
	// Footer returns at most 3 rows for the area below the status row. Each has at most width
	// columns.
	Footer func(ctx context.Context, width int) []Row
	// Events lists the names of the events that the shell reports to Event.
	Events []string
	// Event handles one event. It is not called for the next event before it has returned. While
	// 256 events wait, further ones are dropped.
	Event func(Event)
	// Start is called once, when the shell has started the program. It may return at once, or work
	// until ctx ends: a clock, for example, calls [Session.Changed] every second.
	Start func(ctx context.Context, s *Session)
}

// Command is a slash command.
type Command struct {
	Name  string // The name without the slash: small letters, digits and -, at most 24 characters.
	About string // A description for the list of commands.
	Args  string // A description of the arguments, such as [NAME].
	// Run runs the command. [Call.Args] is the text behind the command's name. The shell shows an
	// error to the user, except [ErrCancelled].
	Run func(ctx context.Context, c *Call) (Reply, error)
	// Complete returns at most 50 completions for the argument that the user is typing, within half
	// a second. If it is nil, arguments are not completed.
	Complete func(ctx context.Context, args string) []Item
}

// Reply is the result of a command. The zero value shows nothing.
type Reply struct {
	Rows  []Row  `json:"rows,omitempty"`  // Rows for the transcript, at most 200.
	Draft string `json:"draft,omitempty"` // A text to put into the prompt, which the user may edit and send.
	Send  string `json:"send,omitempty"`  // A message that is sent to the model as if the user had typed it.
}

// Item is a completion of an argument, or an entry of a [Picker].
type Item struct {
	Value string `json:"value,omitempty"` // The result of the picker if the user chooses the item; "": Text.
	Text  string `json:"text"`
	Note  string `json:"note,omitempty"` // A note that is shown dimmed behind Text.
}

// Tool is a tool that the model can call. [NewTool] makes one from a function.
type Tool struct {
	Name  string // Letters, digits, - and single _, at most 32 characters.
	About string // A description by which the model decides whether to call the tool.
	Kind  string // The kind of effect: "reads", "searches", "edits" or "runs"; "": other.
	// Schema is the JSON schema of the tool's input, which must be of type object; "": an object
	// without fields.
	Schema string
	// Run runs the tool and returns the result for the model. The model gets an error as the result
	// of a failed call.
	Run func(ctx context.Context, c *Call, input json.RawMessage) (string, error)
}

// NewTool returns a tool whose input is decoded into a value of the struct type In.
//
// The JSON names of the fields become names in the tool's schema. The tag `doc` describes a field,
// and `enum:"a,b"` lists its values. Pointers and fields with omitempty are optional.
func NewTool[In any](name, about string, run func(ctx context.Context, c *Call, in In) (string, error)) Tool {
	return Tool{Name: name, About: about, Schema: SchemaOf[In](),
		Run: func(ctx context.Context, c *Call, input json.RawMessage) (string, error) {
			var in In
			if err := json.Unmarshal(input, &in); err != nil {
				return "", fmt.Errorf("the input cannot be read: %w", err)
			}
			return run(ctx, c, in)
		}}
}

// Renderer shows the calls of one tool on the screen. If a function returns nil, the shell shows
// the call as usual.
type Renderer struct {
	Tool string // The tool's full name, such as bash; "*": all tools.
	// Call returns at most 6 rows for a call that is running.
	Call func(ctx context.Context, s Shown) []Row
	// Result returns at most 200 rows for a call that has ended, within 300 ms. It is called once
	// per call.
	Result func(ctx context.Context, s Shown) []Row
}

// Shown is a call of a tool that a [Renderer] is to show.
type Shown struct {
	Tool   string          `json:"tool"`
	Call   string          `json:"call"` // The id of the call.
	Input  json.RawMessage `json:"input"`
	OK     bool            `json:"ok"`   // For a result: the call has succeeded.
	Text   string          `json:"text"` // For a result: the text that the model gets.
	Width  int             `json:"width"`
	Height int             `json:"height"` // The maximum number of rows.
}

// The names of events: a turn begins, the model asks for a tool call, the call has a result, and
// the session ends.
const (
	TurnBegin  = "turn_begin"
	CallAsked  = "call" // before the user or a rule decides on the call
	CallResult = "result"
	SessionEnd = "session_end"
)

// Event reports something that has happened in the shell. Which fields are set depends on the Name.
type Event struct {
	Name   string          `json:"event"`
	Call   string          `json:"call"`
	Tool   string          `json:"tool"`
	Input  json.RawMessage `json:"input"`
	OK     bool            `json:"ok"`
	Text   string          `json:"text"`   // The user's message, or the text that the model gets; at most 16 KiB.
	Missed int             `json:"missed"` // The number of events that were dropped before this one.
}

// Session describes the shell that has started the program.
type Session struct {
	Name      string // The name of the extension.
	Version   string // The version of the shell.
	Workspace string // The absolute path of the workspace, which is also the program's working directory.
	Screen    bool   // A user is at the screen, who sees rows and can answer questions.
	Width     int    // The number of columns of the screen at the start; 0 without a screen.
	Height    int    // The number of rows of the screen at the start; 0 without a screen.

	server *server
}

// Changed tells the shell that the rows of a part of the screen have changed: "status" or "footer".
// The shell then requests them again, at most 10 times a second.
func (s *Session) Changed(part string) {
	s.server.notify("changed", map[string]string{"part": part})
}

// Call is a running command, or a running call of a tool.
type Call struct {
	*Session
	Name   string // The name of the command or the tool.
	Args   string // For a command: the text behind its name.
	Screen bool   // A user can answer questions of this call.
	Width  int    // For a command: the number of columns of the screen; 0 without a screen.
	token  string
}

// Progress shows how far the work is, as one line of at most 200 bytes. The shell gives up a tool
// call that reports no progress for 10 minutes.
func (c *Call) Progress(text string) {
	c.server.notify("progress", map[string]string{"token": c.token, "text": text})
}

// The errors of [Call.Pick], [Call.Fill] and [Call.View], for errors.Is.
var (
	// ErrCancelled says that the user has closed the question without an answer.
	ErrCancelled = errors.New("cancelled")
	// ErrNoScreen says that there is no user who could see the question.
	ErrNoScreen = &Error{Code: 1, Message: "no screen"}
	// ErrNotNow says that the call that asks the question has already ended.
	ErrNotNow = &Error{Code: 2, Message: "not now"}
	// ErrBusy says that the extension already shows another question.
	ErrBusy = &Error{Code: 3, Message: "busy"}
	// ErrTooLarge says that the question has more items or fields than allowed.
	ErrTooLarge = &Error{Code: 4, Message: "too large"}
)

// Error is an error that the shell has returned for a request.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Is reports whether target is an *Error with the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Main runs the extension: it communicates with the shell over standard input and output until the
// shell ends it, and then exits. Other output to [os.Stdout] goes to the standard error, which the
// shell writes to a log. With the argument "manifest", Main prints the manifest and exits.
func Main(e Extension) {
	if len(os.Args) == 2 && os.Args[1] == "manifest" {
		fmt.Print(e.Manifest())
		os.Exit(0)
	}
	if info, err := os.Stdin.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		fmt.Fprintln(os.Stderr, "agentshell starts this program. To try it: agentshell extension test DIR")
	}
	out := os.Stdout
	os.Stdout = os.Stderr
	if err := e.Serve(context.Background(), os.Stdin, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Serve communicates with a shell over in and out until the shell ends it, or in reaches its end.
// It then waits up to 200 ms for running functions of the extension. It returns an error if the
// shell has sent something unreadable.
func (e Extension) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return newServer(e, out).serve(ctx, in)
}
