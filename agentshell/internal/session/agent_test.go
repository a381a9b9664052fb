package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// agentLog starts the log of an agent.
func agentLog(t *testing.T, l *session.Log, a session.Agent, messages ...provider.Message) *session.Log {
	t.Helper()
	log, err := l.CreateAgent(a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	for _, m := range messages {
		if err := log.Append(m); err != nil {
			t.Fatal(err)
		}
	}
	return log
}

func TestAnAgentHasALogOfItsOwnBesideThatOfTheSession(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	a := session.Agent{ID: "Lexer", Parent: "Main", Kind: "task", Description: "with " + secret}
	log := agentLog(t, l, a, talk...)
	ended := a
	ended.State, ended.Steps, ended.Error = "idle", 2, "no "+secret
	if err := errors.Join(log.AppendAgent(ended), log.Append(user(parsedText("more"))), log.Close(),
		l.KeepArtifact("Lexer", session.ResultFile, []byte("done "+secret))); err != nil {
		t.Fatal(err)
	}
	if got, want := log.Path(), strings.TrimSuffix(l.Path(), ".jsonl")+".agents/Lexer.jsonl"; got != want {
		t.Errorf("the log is %s, want %s", got, want)
	}
	if text := readFile(t, log); strings.Contains(text, "sk-ant") || strings.Count(text, "[secret]") < 1 &&
		!strings.Contains(text, "hidden") {
		t.Errorf("a secret is in the log, or nothing in its place:\n%s", text)
	}
	if text, err := l.Artifact("Lexer", session.ResultFile); err != nil || strings.Contains(string(text), "sk-ant") ||
		!strings.HasPrefix(string(text), "done ") {
		t.Errorf("the result is %q, %v", text, err)
	}
	list, err := session.Agents(cfg, l.ID())
	if err != nil || len(list) != 1 || list[0].State != "idle" || list[0].Steps != 2 || list[0].Last != "Done." ||
		list[0].Messages != 5 || len(list[0].Open) != 0 || list[0].Interrupted() {
		t.Errorf("the agents are %+v, %v", list, err)
	}
	messages, err := l.AgentMessages("Lexer")
	if want := append(talk[:4:4], user(parsedText("more"))); err != nil || !reflect.DeepEqual(messages, want) {
		t.Errorf("%#v, %v", messages, err)
	}
	if ids, err := session.RecentIDs(cfg); err != nil || len(ids) != 1 {
		t.Errorf("the sessions are %q, %v", ids, err)
	}
}

func TestAKilledAgentTellsWhatItStillAskedForAndGoesOn(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	log := agentLog(t, l, session.Agent{ID: "Docs", Parent: "Main"}, talk[:2]...)
	if _, _, err := l.ResumeAgent("Docs"); !errors.Is(err, session.ErrLocked) {
		t.Errorf("an open log: %v", err)
	}
	log.Close()
	text := readFile(t, log)
	if err := os.WriteFile(log.Path(), []byte(text+`{"id":"5","parent":"4","ti`), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // before and behind the repair
		list, err := l.Agents()
		if err != nil || len(list) != 1 || !list[0].Interrupted() || len(list[0].Open) != 2 ||
			list[0].Open[0].Name != "read_file" || list[0].Last != "I look." {
			t.Fatalf("%+v, %v", list, err)
		}
		again, messages, err := l.ResumeAgent("Docs")
		if err != nil || len(messages) != 3 {
			t.Fatalf("%d messages, %v", len(messages), err)
		}
		again.Close()
	}
	if _, _, err := l.ResumeAgent("Nobody"); !errors.Is(err, session.ErrNoAgent) {
		t.Errorf("an unknown one: %v", err)
	}
}

func TestALogThatAKillLeftAsItWasMadeIsMadeAgain(t *testing.T) {
	l := create(t, config(t), talk...)
	for _, text := range []string{"", `{"id":"1"`, strings.SplitAfter(readFile(t, l), "\n")[0]} {
		path := agentLog(t, l, session.Agent{ID: "A"}).Path()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if list, err := l.Agents(); err != nil || len(list) != 0 {
			t.Errorf("%q: %+v, %v", text, list, err)
		}
		if _, _, err := l.ResumeAgent("A"); !errors.Is(err, session.ErrNoAgent) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAnIDOfAnAgentLeadsNowhere(t *testing.T) {
	l := create(t, config(t), talk...)
	for _, id := range []string{"", ".", "..", "../x", "a/b", ".hidden", "a\x00b", "a b", strings.Repeat("a", 201)} {
		_, err := l.CreateAgent(session.Agent{ID: id})
		if keep := l.KeepArtifact(id, session.ResultFile, nil); !errors.Is(err, session.ErrNoAgent) ||
			!errors.Is(keep, session.ErrNoAgent) {
			t.Errorf("%q: %v, %v", id, err, keep)
		}
	}
	agentLog(t, l, session.Agent{ID: "Parent.Child-2_x"})
}

func TestAForkHasTheAgentsOfTheSession(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	agentLog(t, l, session.Agent{ID: "A", State: "idle"}, talk...)
	if err := l.KeepArtifact("A", session.ResultFile, []byte("result")); err != nil {
		t.Fatal(err)
	}
	fork, _, err := session.Fork(cfg, l.ID())
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	if list, err := fork.Agents(); err != nil || len(list) != 1 || list[0].Messages != 4 {
		t.Errorf("%+v, %v", list, err)
	}
	if text, err := fork.Artifact("A", session.ResultFile); string(text) != "result" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestTheAgentsOfARemovedSessionAreRemoved(t *testing.T) {
	cfg := config(t)
	gone, open, empty := create(t, cfg, talk...), create(t, cfg, talk...), create(t, cfg)
	agentLog(t, gone, session.Agent{ID: "A"}).Close()
	agentLog(t, open, session.Agent{ID: "A"}) // it stays: its log is in use
	agentLog(t, empty, session.Agent{ID: "A"}).Close()
	for _, l := range []*session.Log{gone, open} {
		if err := os.Remove(l.Path()); err != nil {
			t.Fatal(err)
		}
	}
	if err := empty.Close(); err != nil {
		t.Fatal(err)
	}
	create(t, cfg)
	left, err := filepath.Glob(filepath.Join(filepath.Dir(gone.Path()), "*.agents"))
	if want := strings.TrimSuffix(open.Path(), ".jsonl") + ".agents"; err != nil || len(left) != 1 || left[0] != want {
		t.Errorf("left are %q, %v; want %s", left, err, want)
	}
}
