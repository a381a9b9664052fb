// Package extension is for programs that extend the agent shell: it speaks the protocol of
// docs/extensions.md. It needs the standard library alone, and can be copied into a program.
//
// A program says what it adds in an [Extension], and its main function calls [Main]:
//
//	func main() {
//		extension.Main(extension.Extension{
//			About: "greets",
//			Commands: []extension.Command{{Name: "hello", About: "greet somebody", Run: hello}},
//		})
//	}
//
// Started with the argument "manifest" it prints the file extension.toml that belongs to it; the
// shell starts it without arguments. All functions of an extension may be called at the same time,
// each in a goroutine of its own, if nothing else is said. Their context ends when the person gives
// up, and when the program has to end.
package extension

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Extension says what a program adds to the shell. The zero value adds nothing.
type Extension struct {
	About   string   // a sentence for the person, for the manifest
	Program []string // the command in the manifest; nil: "${dir}/" and the name of this program

	Commands  []Command
	Tools     []Tool
	Renderers []Renderer
	// Status returns a part of the status row of at most width columns (40 at most); nil: nothing.
	Status func(ctx context.Context, width int) Row
	// Footer returns at most 3 rows of width columns that stand below the status row.
	Footer func(ctx context.Context, width int) []Row
	// Events are the names of the events that Event is told of.
	Events []string
	// Event is told of what happens, one event after another. If 256 events wait for it, further
	// ones are left out.
	Event func(Event)
	// Start is called once the shell has greeted the program. It may return at once, or work until
	// ctx ends, such as a clock that calls [Session.Changed].
	Start func(ctx context.Context, s *Session)
}

// Command is a slash command.
type Command struct {
	Name  string // small letters, digits and -, at most 24
	About string // what it does, for the list of commands
	Args  string // a hint such as [NAME]
	// Run runs the command: [Call.Args] is the text behind its name. The shell shows an error to
	// the person, but for [ErrCancelled]: then nothing is said.
	Run func(ctx context.Context, c *Call) (Reply, error)
	// Complete returns at most 50 items for an argument that is being typed, within half a second.
	// Nil: the argument is not completed.
	Complete func(ctx context.Context, args string) []Item
}

// Reply is the answer to a command. The zero value shows nothing.
type Reply struct {
	Rows  []Row  `json:"rows,omitempty"`  // for the transcript, at most 200
	Draft string `json:"draft,omitempty"` // a text for the prompt, which the person sends or not
	Send  string `json:"send,omitempty"`  // a message to the model, sent and shown as the person's
}

// Item is a completion, or a row of a [Picker].
type Item struct {
	Value string `json:"value,omitempty"` // what a picker returns; "": Text
	Text  string `json:"text"`
	Note  string `json:"note,omitempty"` // shown beside it, dimmed
}

// Tool is a tool for the model. [NewTool] makes one from a function.
type Tool struct {
	Name  string // letters, digits, - and single _, at most 32
	About string // what it does: the model decides by it whether to call the tool
	Kind  string // reads, searches, edits, runs; "": other
	// Schema is the JSON schema of its input, of type object; "": an object without fields.
	Schema string
	// Run runs the tool. The model is told of an error as of a failure.
	Run func(ctx context.Context, c *Call, input json.RawMessage) (string, error)
}

// NewTool returns a tool whose input is a struct. The names of its fields are those of JSON, the
// tag `doc` describes a field, and `enum:"a,b"` lists its values. Pointers and fields with
// omitempty may be left out.
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

// Renderer shows the calls of one tool. Its functions return nil for what the shell should show
// itself.
type Renderer struct {
	Tool string // its full name, such as bash; *: all tools
	// Call returns at most 6 rows for a call that runs.
	Call func(ctx context.Context, s Shown) []Row
	// Result returns at most 200 rows for a call that has ended, within 300 ms. It is asked for
	// once.
	Result func(ctx context.Context, s Shown) []Row
}

// Shown is a call of a tool that a [Renderer] shows.
type Shown struct {
	Tool   string          `json:"tool"`
	Call   string          `json:"call"` // its id
	Input  json.RawMessage `json:"input"`
	OK     bool            `json:"ok"`   // of a result: the call succeeded
	Text   string          `json:"text"` // of a result: what the model is told
	Width  int             `json:"width"`
	Height int             `json:"height"` // the most rows
}

// The names of events.
const (
	TurnBegin  = "turn_begin"
	CallAsked  = "call" // before it is decided
	CallResult = "result"
	SessionEnd = "session_end"
)

// Event reports something that has happened. Its name decides which fields are set.
type Event struct {
	Name   string          `json:"event"`
	Call   string          `json:"call"`
	Tool   string          `json:"tool"`
	Input  json.RawMessage `json:"input"`
	OK     bool            `json:"ok"`
	Text   string          `json:"text"`   // the person's message, or what the model is told; at most 16 KiB
	Missed int             `json:"missed"` // events that were left out before this one
}

// Session is the shell that has started the program.
type Session struct {
	Name      string // of the extension
	Version   string // of the shell
	Workspace string // its directory, absolute; also the program's
	Screen    bool   // rows are seen, and questions answered
	Width     int    // columns of the screen at the start; 0 without one
	Height    int    // rows of it

	server *server
}

// Changed says that the rows of a part (status or footer) are others now. The shell asks for them
// once more, at most 10 times a second.
func (s *Session) Changed(part string) {
	s.server.notify("changed", map[string]string{"part": part})
}

// Call is a command or a call of a tool that runs.
type Call struct {
	*Session
	Name   string // of the command or the tool
	Args   string // of a command: the text behind its name
	Screen bool   // a question can be answered
	Width  int    // of a command: the columns of the screen; 0 without one
	token  string
}

// Progress says how far the work is, in one line of at most 200 bytes. A call of a tool that says
// nothing for 10 minutes is given up.
func (c *Call) Progress(text string) {
	c.server.notify("progress", map[string]string{"token": c.token, "text": text})
}

// Errors of a question, for errors.Is.
var (
	// ErrCancelled says that the person has left without an answer.
	ErrCancelled = errors.New("cancelled")
	// ErrNoScreen says that nobody can see a question.
	ErrNoScreen = &Error{Code: 1, Message: "no screen"}
	// ErrNotNow says that the call has ended.
	ErrNotNow = &Error{Code: 2, Message: "not now"}
	// ErrBusy says that another question of this extension is on the screen.
	ErrBusy = &Error{Code: 3, Message: "busy"}
	// ErrTooLarge says that there are more items or fields than allowed.
	ErrTooLarge = &Error{Code: 4, Message: "too large"}
)

// Error is an answer of the shell that is no result.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the text of e.
func (e *Error) Error() string { return e.Message }

// Is reports whether target is an error with the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// Main serves the shell on the standard streams and ends the program. Texts that other code prints
// on [os.Stdout] go to the standard error, which the shell keeps in a log. With the argument
// "manifest" it prints the manifest instead.
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

// Serve speaks with a shell until it asks the program to end, or in ends. Then it waits a fifth of
// a second for functions that still run. An error says what the shell sent that cannot be read.
func (e Extension) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return newServer(e, out).serve(ctx, in)
}
