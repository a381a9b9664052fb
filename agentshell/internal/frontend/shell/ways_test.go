package shell

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// way is one on which a text from outside reaches the screen: the files, the lines of the model,
// what else has it, and the keys that are pressed: "paste" pastes the text, "type:..." types.
type way struct {
	name  string
	lines func(q func(string) string, evil string) []string
	keys  []string
	files func(evil string) map[string]string
	with  func(sh *Shell, evil string)
	tools func(evil string) []tool.Tool
	noNUL bool // there it is refused, or makes a file binary
	plain bool // no turn is played
	print bool // a command prints it: what it would leave on a terminal is shown
	plan  bool // in plan mode
}

// run plays a way with a text: what the terminal is left with, and all rows that stood on it at any
// time.
func (w way) run(t *testing.T, evil string, wire func([]byte) []byte) (effect string, tape []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		quote := func(s string) string {
			b, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		files := map[string]string{"notes.md": notes}
		if w.files != nil {
			for name, text := range w.files(evil) {
				files[name] = text
			}
		}
		lines := []string{`{"say":"Done."}`}
		if w.lines != nil {
			lines = w.lines(quote, evil)
		}
		var more []tool.Tool
		if w.tools != nil {
			more = w.tools(evil)
		}
		change := func(*Config) {}
		if w.plan {
			change = inPlanMode(t)
		}
		s := beginAll(t, tuitest.Config{Cols: 80, Rows: 30, Wire: wire}, files, more,
			func(sh *Shell) approval.Approver { return sh }, change, lines...)
		s.sh.app.Do(func() {
			s.sh.cfg.Appearance.Thinking = true
			if w.with != nil {
				w.with(s.sh, evil)
			}
		})
		look := func() { s.Inspect(func(vt *vt.Terminal) { tape = append(tape, vt.Tape()...) }) }
		if !w.plain {
			s.Type("go")
			s.Press("enter")
			s.pass(5 * time.Second)
			look()
		}
		for _, k := range w.keys {
			text, typed := strings.CutPrefix(k, "type:")
			switch {
			case typed:
				s.Type(text)
			case k == "paste":
				s.Paste("x" + evil + "y")
			default:
				s.Press(k)
			}
			s.pass(1500 * time.Millisecond)
			look()
		}
		s.pass(3 * time.Second)
		look()
		s.Inspect(func(vt *vt.Terminal) { effect = effects(vt) })
	})
	return effect, tape
}

// stored is a log of other sessions, all of whose texts are one.
type stored struct{ text string }

func (s stored) ID() string          { return "this" }
func (s stored) Path() string        { return "/" + s.text }
func (s stored) Name() string        { return s.text }
func (s stored) Rename(string) error { return nil }

func (s stored) Tree() ([]sessionlog.Node, string, error) {
	return []sessionlog.Node{
		{ID: "1", Role: provider.User, Text: "x" + s.text + "y", Label: "n" + s.text, Active: true},
		{ID: "2", Parent: "1", Role: provider.Assistant, Tools: []string{"t" + s.text}, Active: true},
		{ID: "3", Parent: "2", Role: provider.Assistant, Text: "a" + s.text, Active: true},
	}, "3", nil
}

func (s stored) Recent() ([]sessionlog.Summary, error) {
	return []sessionlog.Summary{{ID: "other", Name: "n" + s.text, First: "x" + s.text + "y", Count: 1}}, nil
}

func (s stored) Resume(string) ([]provider.Message, error) {
	return []provider.Message{
		said2(provider.User, "x"+s.text+"y"),
		{Role: provider.Assistant, Parts: []provider.Part{provider.Text{Text: "a " + s.text},
			provider.ToolCall{ID: "1", Name: "n" + s.text, Input: json.RawMessage(`{"path":"` + s.text + `"}`)}}},
		{Role: provider.User, Parts: []provider.Part{provider.ToolResult{ID: "1", Text: s.text}}},
	}, nil
}

func (s stored) CountMessages() int                              { return 1 }
func (s stored) Spent() sessionlog.Spent                         { return sessionlog.Spent{} }
func (s stored) Transcript() ([]provider.Message, error)         { return s.Resume("") }
func (s stored) MessageText(string) (string, error)              { return "x" + s.text + "y", nil }
func (s stored) LeftBehind(string) ([]provider.Message, error)   { return nil, nil }
func (s stored) Move(string, string) ([]provider.Message, error) { return nil, nil }
func (s stored) Label(_, name string) error {
	if name == "" {
		return errors.New("no: " + s.text)
	}
	return nil
}
func (s stored) Fork() error         { return errors.New("no: " + s.text) }
func (s stored) Branch(string) error { return errors.New("no: " + s.text) }

// withLog makes the session one of stored.
func withLog(sh *Shell, e string) { sh.cfg.Session.Stored = stored{e} }

// server returns a tool of somebody else's: its name, what is said of it, and what it gives, are e.
func server(e string, err error) func(string) []tool.Tool {
	return func(e2 string) []tool.Tool {
		schema, _ := json.Marshal(map[string]string{"title": e2})
		failed := err
		if failed != nil {
			failed = errors.New(err.Error() + e2)
		}
		return []tool.Tool{&tool.Foreign{Server: "srv", Tool: "t" + e, Description: "says " + e2, Schema: schema,
			Do: func(context.Context, json.RawMessage, func(string)) (tool.Answer, error) {
				return tool.Answer{Text: "x" + e2 + "y\n"}, failed
			}}}
	}
}

func oneCall(name, input string) []string {
	return []string{`{"tool_calls":[{"id":"1","name":` + name + `,"input":` + input + `}]}`, `{"say":"Done."}`}
}

var ways = []way{
	{name: "an answer", lines: func(q func(string) string, e string) []string {
		return []string{`{"thinking":` + q("x"+e+"y") + `,"say":` +
			q("x"+e+"y **"+e+"** `"+e+"` [t"+e+"](http://h/"+e+")\n\n```go"+e+"\n"+e+"\n```\n\n| a | "+e+
				" |\n|---|---|\n| "+e+" | b |\n\n- "+e+"\n") + `,"delay_ms":0}`}
	}},
	{name: "a call", lines: func(q func(string) string, e string) []string {
		return []string{`{"tool_calls":[{"id":"1","name":` + q("no"+e) + `,"input":{}},{"id":"2","name":"read_file",` +
			`"input":{"path":` + q("x"+e) + `}},{"id":"3","name":"search","input":{"pattern":` + q("("+e) + `}}]}`,
			`{"say":"Done."}`}
	}},
	{name: "an error of the model", lines: func(q func(string) string, e string) []string {
		return []string{`{"error":{"status":400,"message":` + q(e) + `}}`}
	}},
	{name: "an error that passes", lines: func(q func(string) string, e string) []string {
		return []string{`{"error":{"status":529,"message":` + q("x"+e+"y") + `,"retry_after_ms":10}}`,
			`{"say":"Done."}`}
	}},
	{name: "a plan", lines: func(q func(string) string, e string) []string {
		return oneCall(`"propose_plan"`, `{"plan":`+q("# x"+e+"y\n\n- x"+e+"y\n\n```\nx"+e+"y\n```\n")+`}`)
	}, keys: []string{"?", "?", "f", "w", "f", "G", "y"}, plan: true},
	{name: "a todo list", lines: func(q func(string) string, e string) []string {
		return oneCall(`"todo"`, `{"ops":[{"op":"init","items":[`+q("x"+e)+`]},{"op":"note","item":`+q("x"+e)+
			`,"text":`+q(e)+`}]}`)
	}},
	{name: "the output of a command", files: func(e string) map[string]string {
		return map[string]string{"evil": "x" + e + "y\n"}
	},
		lines: func(func(string) string, string) []string { return oneCall(`"bash"`, `{"command":"cat evil"}`) },
		keys:  []string{"y"}, print: true},
	{name: "long output, in full", files: func(e string) map[string]string {
		return map[string]string{"evil": strings.Repeat("row\n", 20) + "x" + e + "y\n" + strings.Repeat("row\n", 20)}
	}, lines: func(func(string) string, string) []string { return oneCall(`"bash"`, `{"command":"cat evil"}`) },
		keys: []string{"y", "type:/output", "enter"}, print: true},
	{name: "files that a command changed", files: func(e string) map[string]string {
		return map[string]string{"mk": "touch 'x" + strings.ReplaceAll(e, "/", "_") + "y'\n"}
	}, lines: func(func(string) string, string) []string { return oneCall(`"bash"`, `{"command":"bash mk"}`) },
		keys: []string{"Y"}, noNUL: true},
	{name: "a command", lines: func(q func(string) string, e string) []string {
		return oneCall(`"bash"`, `{"command":`+q("echo '"+e+"'")+`}`)
	}, keys: []string{"?", "?", "f", "f", "n"}, noNUL: true},
	{name: "a command of one's own", files: func(e string) map[string]string {
		return map[string]string{"evil": "x" + e + "y\n"}
	}, keys: []string{"type:!cat evil", "enter"}, plain: true, print: true},
	{name: "a new file", lines: func(q func(string) string, e string) []string {
		return oneCall(`"write_file"`, `{"path":"a.go","content":`+q("x"+e+"y\n// "+e+"\n")+`}`)
	}, keys: []string{"?", "?", "f", "w", "f", "y", "Y"}, noNUL: true},
	{name: "a diff and its views", files: func(e string) map[string]string {
		return map[string]string{"a.py": "# " + e + "\nx = 1\n'" + e + "'\n"}
	},
		lines: func(q func(string) string, e string) []string {
			return oneCall(`"edit_file"`, `{"path":"a.py","old_string":"x = 1","new_string":`+q("x = '"+e+"'")+`}`)
		}, keys: []string{"v", "v", "f", "f", "y", "Y"}, noNUL: true},
	{name: "a file name", lines: func(q func(string) string, e string) []string {
		return []string{`{"tool_calls":[{"id":"1","name":"write_file","input":{"path":` + q("d"+e+"/f"+e+".txt") +
			`,"content":"x\n"}},{"id":"2","name":"write_file","input":{"path":"b","content":"x\n"}}]}`,
			`{"say":"Done."}`}
	}, keys: []string{"}", "A", "escape", "{", "n", "n"}, noNUL: true},
	{name: "what is taken back", lines: func(q func(string) string, e string) []string {
		return oneCall(`"write_file"`, `{"path":`+q("f"+e+".txt")+`,"content":`+q("x"+e+"y\n")+`}`)
	}, keys: []string{"Y", "type:/undo", "enter", "?", "?", "f", "f", "Y", "type:/undo list", "enter", "type:/undo 2",
		"enter", "n"}, noNUL: true},
	{name: "the list of changes", with: func(sh *Shell, e string) {
		sh.cfg.Files.Changes = func() []undo.Line {
			return []undo.Line{{N: 1, Action: "edit", Path: "workspace/x" + e, Counts: "+1"}}
		}
	}, keys: []string{"type:/undo list", "enter"}, plain: true},
	{name: "a reason", lines: func(func(string) string, string) []string {
		return []string{oneEdit, `{"say":"Done."}`}
	}, keys: []string{"r", "paste", "enter"}},
	{name: "a search in a pane", lines: func(func(string) string, string) []string {
		return []string{oneEdit, `{"say":"Done."}`}
	}, keys: []string{"/", "paste", "enter", "n"}},
	{name: "an editor that fails", lines: func(func(string) string, string) []string {
		return []string{oneEdit, `{"say":"Done."}`}
	},
		with: func(sh *Shell, e string) {
			sh.cfg.Prompt.Editor.Run = func(context.Context, *exec.Cmd) error { return errors.New("no: " + e) }
		}, keys: []string{"e", "?", "?", "n"}},
	{name: "a tool of a server", tools: server("", nil), lines: func(q func(string) string, e string) []string {
		return oneCall(`"mcp__srv__t"`, `{"a":`+q("x"+e+"y")+`}`)
	}, keys: []string{"?", "?", "f", "f", "Y", "y"}},
	{name: "a tool of a server, its name", tools: func(e string) []tool.Tool { return server(e, nil)(e) },
		lines: func(q func(string) string, e string) []string {
			return oneCall(q("mcp__srv__t"+e), `{}`)
		}, keys: []string{"a", "1", "y", "Y"}},
	{name: "a tool of a server that fails", tools: server("", errors.New("no: ")),
		lines: func(q func(string) string, e string) []string {
			return oneCall(`"mcp__srv__t"`, `{}`)
		}, keys: []string{"y", "Y"}},
	{name: "a session of another day", with: withLog, keys: []string{"type:/resume", "enter", "enter"}, plain: true},
	{name: "an id of a session", with: withLog, keys: []string{"type:/resume ", "paste", "enter"}, plain: true},
	{name: "the tree of a session", with: withLog,
		keys: []string{"type:/tree", "enter", "tab", "tab", "tab", "up", "up", "enter", "ctrl+c"}, plain: true},
	{name: "a call in the tree", with: withLog, keys: []string{"type:/tree", "enter", "up", "enter"}, plain: true},
	{name: "the name of a message", with: withLog, keys: []string{"type:/label ", "paste", "enter"}, plain: true},
	{name: "errors of the log", with: withLog, keys: []string{"type:/fork", "enter", "type:/label", "enter"},
		plain: true},
	{name: "a model", with: func(sh *Shell, e string) { sh.cfg.Models.Set = func(string) error { return nil } },
		keys: []string{"type:/model ", "paste", "enter", "type:/model", "enter"}, plain: true},
	{name: "a model that is not there", with: func(sh *Shell, e string) {
		sh.cfg.Models.Set = func(string) error { return errors.New("no: " + e) }
	}, keys: []string{"type:/model x", "enter"}, plain: true},
	{name: "help for models", with: func(sh *Shell, e string) {
		sh.cfg.Models.Help, sh.cfg.Models.Note = func(string) string { return "x" + e }, e
	},
		keys: []string{"type:/model", "enter"}, plain: true},
	{name: "rules", with: func(sh *Shell, e string) {
		rule, err := approval.ParseRule(approval.Deny, "bash('x"+e+"')")
		if err != nil {
			rule, _ = approval.ParseRule(approval.Deny, "bash(x)")
		}
		sh.cfg.Approval.Policy, _ = approval.NewPolicy(
			approval.PolicyConfig{Rules: []approval.Entry{{Rule: rule, Origin: "o" + e}}})
	}, keys: []string{"type:/rules", "enter", "type:/rules revoke 1", "enter", "type:/rules revoke ", "paste", "enter"},
		plain: true},
	{name: "pictures that cannot be shown", with: func(sh *Shell, e string) {
		sh.cfg.Files.Pictures = func(context.Context, string) ([]picture.Picture, []string) {
			return nil, []string{"no: " + e}
		}
	}},
	{name: "a command that is none", keys: []string{"type:/x", "paste", "enter"}, plain: true},
	{name: "a message", keys: []string{"paste", "enter"}, plain: true},
	{name: "a message that waits", lines: func(func(string) string, string) []string {
		return []string{`{"say":"So","hang":true}`}
	}, keys: []string{"paste", "enter", "escape"}},
	{name: "the facts", with: func(sh *Shell, e string) {
		sh.cfg.Models.Name, sh.cfg.Workspace.Name, sh.cfg.Workspace.Dir = "m"+e, "w"+e, "/"+e
		sh.cfg.Approval.Mode, sh.cfg.Session.Path = "a"+e, "l"+e
	}, keys: []string{"type:/workspace", "enter", "type:/mode", "enter"}, plain: true},
}
