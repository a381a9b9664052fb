//go:build unix

package acp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/acp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// store is a client that holds the texts of files in memory. It checks each write: the change must
// have been shown and approved, and must be made to the text for which it was shown.
type store struct {
	t    *testing.T
	seed uint64

	mu     sync.Mutex
	r      *rand.Rand
	texts  map[string]string
	yes    map[string]change // what may be written, by path
	writes int
	typed  int // changes of the person's own
	stop   func()
}

type change struct{ old, text string }

func (s *store) ReadTextFile(_ context.Context, p wire.ReadTextFileRequest) (wire.ReadTextFileResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, is := s.texts[p.Path]
	switch {
	case s.r.IntN(40) == 0:
		return wire.ReadTextFileResponse{}, errors.New("busy")
	case !is && s.seed%2 == 0:
		return wire.ReadTextFileResponse{}, &wire.RequestError{Code: -32002, Message: "no such file"}
	case !is:
		return wire.ReadTextFileResponse{}, errors.New("ENOENT")
	}
	return wire.ReadTextFileResponse{Content: text}, nil
}

func (s *store) WriteTextFile(_ context.Context, p wire.WriteTextFileRequest) (wire.WriteTextFileResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	allowed, is := s.yes[p.Path]
	switch {
	case !is || allowed.text != p.Content:
		s.t.Errorf("seed %d: %s is written as %q, which nobody said yes to (%q)", s.seed, p.Path, p.Content,
			allowed.text)
	case s.texts[p.Path] != allowed.old:
		s.t.Errorf("seed %d: %s is written over %q, and the change was shown for %q", s.seed, p.Path, s.texts[p.Path],
			allowed.old)
	}
	delete(s.yes, p.Path)
	if s.r.IntN(15) == 0 {
		return wire.WriteTextFileResponse{}, errors.New("the disk is full")
	}
	s.writes++
	s.texts[p.Path] = p.Content
	return wire.WriteTextFileResponse{}, nil
}

// RequestPermission plays the user: it looks at the change, may change the file meanwhile, and
// answers.
func (s *store) RequestPermission(_ context.Context,
	p wire.RequestPermissionRequest) (wire.RequestPermissionResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var shown change
	path := ""
	for _, c := range p.ToolCall.Content {
		if c.Diff != nil {
			path, shown.text = c.Diff.Path, c.Diff.NewText
			if c.Diff.OldText != nil {
				shown.old = *c.Diff.OldText
			}
		}
	}
	if path == "" || len(p.Options) < 2 {
		s.t.Errorf("seed %d: a question that shows no change: %+v", s.seed, p.ToolCall)
	}
	if s.r.IntN(4) == 0 {
		s.typed++
		s.texts[path] = fmt.Sprintf("typed %d\n%s", s.typed, s.texts[path])
	}
	say := func(option string) (wire.RequestPermissionResponse, error) {
		return wire.RequestPermissionResponse{
			Outcome: wire.NewRequestPermissionOutcomeSelected(wire.PermissionOptionId(option))}, nil
	}
	delete(s.yes, path)
	switch s.r.IntN(8) {
	case 0:
		return say("no")
	case 1:
		return say("of the future")
	case 2:
		return wire.RequestPermissionResponse{Outcome: wire.NewRequestPermissionOutcomeCancelled()}, nil
	case 3:
		return wire.RequestPermissionResponse{}, errors.New("the window is gone")
	case 4:
		go s.stop()
	}
	s.yes[path] = shown
	return say("yes")
}

func (s *store) SessionUpdate(context.Context, wire.SessionNotification) error { return nil }

var errNone = errors.New("there is no terminal")

func (s *store) CreateTerminal(context.Context, wire.CreateTerminalRequest) (r wire.CreateTerminalResponse, err error) {
	return r, errNone
}

func (s *store) KillTerminal(context.Context, wire.KillTerminalRequest) (r wire.KillTerminalResponse, err error) {
	return r, errNone
}

func (s *store) TerminalOutput(context.Context, wire.TerminalOutputRequest) (r wire.TerminalOutputResponse, err error) {
	return r, errNone
}

func (s *store) ReleaseTerminal(context.Context,
	wire.ReleaseTerminalRequest) (r wire.ReleaseTerminalResponse, err error) {
	return r, errNone
}

func (s *store) WaitForTerminalExit(context.Context,
	wire.WaitForTerminalExitRequest) (r wire.WaitForTerminalExitResponse, err error) {
	return r, errNone
}

// lines returns the script of a model that reads, edits and writes three files at random.
func lines(r *rand.Rand) string {
	var b strings.Builder
	for range 14 {
		var calls []string
		for i := range 1 + r.IntN(3) {
			path := []string{"a.txt", "b.txt", "d/c.txt"}[r.IntN(3)]
			call := []string{
				fmt.Sprintf(`{"id":"c%d","name":"read_file","input":{"path":%q}}`, i, path),
				fmt.Sprintf(`{"id":"c%d","name":"write_file","input":{"path":%q,"content":"line %d\nmore\n"}}`, i, path,
					r.IntN(100)),
				fmt.Sprintf(`{"id":"c%d","name":"edit_file","input":{"path":%q,"old_string":"more",`+
					`"new_string":"more\nand %d"}}`,
					i, path, r.IntN(100)),
			}[r.IntN(3)]
			calls = append(calls, call)
		}
		b.WriteString(`{"delay_ms":0,"tool_calls":[` + strings.Join(calls, ",") + "]}\n")
		if r.IntN(3) == 0 {
			b.WriteString(`{"say":"done","delay_ms":0}` + "\n")
		}
	}
	return b.String()
}

// randomSessions returns the number of sessions to play: SCROLLKEEP_ACP if it is set (1,000 in
// `make stress`), else a small number.
func randomSessions() int {
	if n, err := strconv.Atoi(os.Getenv("SCROLLKEEP_ACP")); err == nil {
		return n
	}
	return 20
}

// Whatever a client answers, whoever types into its files meanwhile, whatever fails and whenever it
// is stopped: what is written is a change that was shown, approved, and of the text that it was
// shown for.
func TestAnEditorIsGivenOnlyWhatWasApproved(t *testing.T) {
	writes, typed := 0, 0
	for seed := range randomSessions() {
		w, n := play(t, uint64(seed))
		writes, typed = writes+w, typed+n
		if t.Failed() {
			return
		}
	}
	if writes == 0 || typed == 0 {
		t.Errorf("%d writes, %d changes of the person's own", writes, typed)
	}
	t.Logf("%d writes, %d changes of the person's own", writes, typed)
}

func play(t *testing.T, seed uint64) (writes, typed int) {
	dir := t.TempDir()
	s := &store{t: t, seed: seed, r: rand.New(rand.NewPCG(seed, 1)), texts: map[string]string{},
		yes: map[string]change{}, stop: func() {}}
	s.texts[filepath.Join(dir, "a.txt")] = "one\nmore\n"
	server := &acp.Server{Version: "0", List: func(string) ([]acp.Summary, error) { return nil, nil },
		Open: func(_ context.Context, o acp.Opening) (*acp.Parts, error) {
			ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: o.Dir}}, Editor: o.Editor})
			if err != nil {
				return nil, err
			}
			m, err := script.Parse("m", []byte(lines(rand.New(rand.NewPCG(seed, 2)))))
			if err != nil {
				return nil, err
			}
			policy, err := approval.NewPolicy(approval.PolicyConfig{})
			if err != nil {
				return nil, err
			}
			tools := tool.Builtin(tool.Env{Workspace: ws})
			return &acp.Parts{ID: "session", Workspace: ws, Policy: policy, Close: ws.Close,
				NewAgent: func(approver approval.Approver) *agent.Agent {
					return agent.New(agent.Config{Model: m, Tools: tools, Policy: policy, Approver: approver})
				}}, nil
		}}
	toAgent, fromClient := io.Pipe()
	toClient, fromAgent := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- server.Serve(t.Context(), toAgent, fromAgent) }()
	c := wire.NewClientSideConnection(s, fromClient, toClient)
	c.SetLogger(slog.New(slog.DiscardHandler))
	ctx := t.Context()
	if _, err := c.Initialize(ctx, wire.InitializeRequest{ProtocolVersion: 1,
		ClientCapabilities: wire.ClientCapabilities{
			Fs: wire.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.NewSession(ctx, wire.NewSessionRequest{Cwd: dir, McpServers: []wire.McpServer{}}); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	s.stop = func() { _ = c.Cancel(ctx, wire.CancelNotification{SessionId: "session"}) }
	s.mu.Unlock()
	for range 5 {
		_, _ = c.Prompt(ctx, wire.PromptRequest{SessionId: "session",
			Prompt: []wire.ContentBlock{wire.TextBlock("go on")}})
		// What was approved and stopped before it was written is not written later.
		s.mu.Lock()
		clear(s.yes)
		s.mu.Unlock()
	}
	fromClient.Close()
	if err := <-done; err != nil {
		t.Errorf("seed %d: %v", seed, err)
	}
	fromAgent.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes, s.typed
}
