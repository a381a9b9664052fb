package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp/lsptest"
)

// toldServer is a language server of a test, for files that end in .x.
type toldServer struct {
	answers lsptest.Answers // $DIR in them is the address of the workspace
	linter  bool
}

// toldBench returns a workspace with such servers, all of them allowed to start. Each finds nothing
// in a text, unless its answers say something else.
func toldBench(t *testing.T, files map[string]string, servers map[string]toldServer) *languageBench {
	t.Helper()
	l := &languageBench{bench: newBench(t, files)}
	table := lsp.Table{}
	for name, s := range servers {
		answers := lsptest.Answers{"textDocument/publishDiagnostics": "[]"}
		for method, text := range s.answers {
			answers[method] = strings.ReplaceAll(text, "$DIR", lsp.URIOf(l.ws.Dir()))
		}
		table[name] = lsp.Server{Name: name, Command: lsptest.Command(t, answers), Kinds: map[string]string{".x": "x"},
			Roots: []string{"root.x"}, Linter: s.linter, Edits: []string{"only.edits"}, Install: "install " + name}
	}
	l.service = lsp.NewService(lsp.Config{Table: table, Dir: l.ws.Dir(), Env: os.Environ(), Family: new(child.Family),
		Options: helper.Options{Pause: time.Millisecond}})
	t.Cleanup(l.service.Close)
	l.env.History, l.env.Languages = &l.history, l.service
	l.tool = Languages(l.env, l.service)[0]
	// The server always sends some, late on a busy machine.
	l.tool.(*lspTool).waits = diagnosticWaits{single: time.Minute, batch: time.Minute}
	for _, s := range table {
		l.tool.(*lspTool).memory.granted[grantKey(s)] = true
	}
	return l
}

// told returns a workspace with one such server, whose name is fake.
func told(t *testing.T, answers lsptest.Answers) *languageBench {
	t.Helper()
	return toldBench(t, map[string]string{"root.x": "", "a.x": "one\ntwo, two\nthree\nfour\n", "sub/b.x": "bee\n"},
		map[string]toldServer{"fake": {answers: answers}})
}

// heard returns what a server was sent: the method and the parameters of each message.
func (l *languageBench) heard(server string) (list []string) {
	l.t.Helper()
	i := slices.IndexFunc(l.service.Workspace(), func(s lsp.Server) bool { return s.Name == server })
	c, release, err := l.service.Use(context.Background(), l.service.Workspace()[i])
	if err != nil {
		l.t.Fatal(err)
	}
	defer release()
	raw, err := c.Request(context.Background(), lsptest.Heard, nil)
	var messages []lsptest.Message
	if err == nil {
		err = json.Unmarshal(raw, &messages)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	for _, m := range messages {
		list = append(list, m.Method+" "+strings.ReplaceAll(string(m.Params), lsp.URIOf(l.ws.Dir()), "$DIR"))
	}
	return list
}

// lastHeard returns the last message with a method.
func (l *languageBench) lastHeard(server, method string) string {
	l.t.Helper()
	list := l.heard(server)
	for _, text := range slices.Backward(list) {
		if strings.HasPrefix(text, method+" ") {
			return text
		}
	}
	l.t.Fatalf("%s was not sent %s, but %q", server, method, list)
	return ""
}

// fails makes a call, and wants an error with a text.
func (l *languageBench) fails(a args, part string) {
	l.t.Helper()
	c, err := l.call(a)
	if err == nil {
		_, err = c.Run(context.Background(), func(string) {})
	}
	if err == nil || !strings.Contains(err.Error(), part) {
		l.t.Errorf("%v: %v, want an error with %q", a, err, part)
	}
}

// places returns a list of n places in a file.
func places(n int, file string) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"uri":"$DIR/%s","range":%s}`, file, span(1, i)))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// span returns a range of one character.
func span(line, character int) string {
	return fmt.Sprintf(`{"end":{"character":%d,"line":%d},"start":{"character":%d,"line":%d}}`, character+1, line,
		character, line)
}

// What each action sends to its server.
func TestWhatALanguageServerIsAsked(t *testing.T) {
	t.Parallel()
	const document = `"textDocument":{"uri":"$DIR/a.x"}`
	const at = `{"position":{"line":1,"character":5},` + document + `}`
	here := args{"file": "a.x", "line": 2, "symbol": "two#2"}
	finding := func(line int) string { return `{"message":"m","range":` + span(line, 0) + `,"x":1}` }
	l := told(t, lsptest.Answers{"textDocument/publishDiagnostics": "[" + finding(1) + "," + finding(2) + "]",
		"textDocument/references": places(2, "a.x")})
	for _, c := range []struct {
		args         args
		method, want string
	}{
		{args{"action": "definition"}, "textDocument/definition", at},
		{args{"action": "type_definition"}, "textDocument/typeDefinition", at},
		{args{"action": "implementation"}, "textDocument/implementation", at},
		{args{"action": "hover"}, "textDocument/hover", at},
		{args{"action": "references"}, "textDocument/references",
			`{"context":{"includeDeclaration":true},"position":{"line":1,"character":5},` + document + `}`},
		{args{"action": "rename", "new_name": "x", "apply": false}, "textDocument/rename",
			`{"newName":"x","position":{"line":1,"character":5},` + document + `}`},
		{args{"action": "symbols"}, "textDocument/documentSymbol", "{" + document + "}"},
		{args{"action": "code_actions"}, "textDocument/codeAction", `{"context":{"diagnostics":[` + finding(1) +
			`],"triggerKind":1},"range":{"start":{"line":1,"character":5},"end":{"line":1,"character":5}},` +
			document + "}"},
		{args{"action": "code_actions", "query": "quickfix"}, "textDocument/codeAction",
			`{"context":{"diagnostics":[` + finding(1) + `],"only":["quickfix"],"triggerKind":1},"range":{"start":{` +
				`"line":1,"character":5},"end":{"line":1,"character":5}},` + document + "}"},
		{args{"action": "request", "query": "textDocument/x"}, "textDocument/x", at},
		{args{"action": "request", "query": "textDocument/y", "line": 0}, "textDocument/y", "{" + document + "}"},
		{args{"action": "request", "query": "textDocument/z", "payload": `{"a":[1]}`}, "textDocument/z", `{"a":[1]}`},
		{args{"action": "request", "query": "textDocument/v", "file": "*", "line": 0}, "textDocument/v", "{}"},
		{args{"action": "symbols", "file": "*", "query": "Q"}, "workspace/symbol", `{"query":"Q"}`},
	} {
		a := maps.Clone(here)
		maps.Copy(a, c.args)
		if a["line"] == 0 {
			delete(a, "line")
		}
		l.says(a)
		if got := l.lastHeard("fake", c.method); got != c.method+" "+c.want {
			t.Errorf("%v sends\n%s\nwant\n%s", a, got, c.want)
		}
	}
	l.opensFirst()
}

// opensFirst wants a raw request about a file to come behind the text of the file.
func (l *languageBench) opensFirst() {
	l.t.Helper()
	l.says(args{"action": "request", "query": "textDocument/w", "file": "sub/b.x", "payload": "{}"},
		"fake ← textDocument/w:\nnull\n")
	list := l.heard("fake")
	opened := slices.IndexFunc(list, func(text string) bool {
		return strings.HasPrefix(text, "textDocument/didOpen") && strings.Contains(text, `"text":"bee\n"`)
	})
	asked := slices.IndexFunc(list, func(text string) bool { return strings.HasPrefix(text, "textDocument/w ") })
	if opened < 0 || asked < opened {
		l.t.Errorf("the file is opened at %d, and asked about at %d", opened, asked)
	}
}

// The words in which each action answers.
func TestHowAnAnswerOfALanguageServerIsTold(t *testing.T) {
	t.Parallel()
	none := told(t, nil)
	at := args{"file": "a.x", "line": 2, "symbol": "two"}
	for action, want := range map[string]string{"definition": "No definition found", "hover": "No hover information",
		"type_definition": "No type definition found", "implementation": "No implementation found",
		"references": "No references found", "symbols": "No symbols in workspace/a.x",
		"code_actions": "No code actions",
		"rename":       "Rename returned no edits"} {
		a := maps.Clone(at)
		a["action"], a["new_name"] = action, "x"
		if got := none.says(a); got != want {
			t.Errorf("%s: %q, want %q", action, got, want)
		}
	}
	none.says(args{"action": "symbols", "query": "Q"}, `No symbols matching "Q"`)
	some := told(t, lsptest.Answers{
		"textDocument/definition": `[{"targetUri":"$DIR/a.x","targetRange":` + span(0, 0) +
			`,"targetSelectionRange":` + span(1, 5) + `}]`,
		"textDocument/implementation": `{"uri":"$DIR/a.x","range":` + span(0, 1) + `}`,
		"textDocument/hover":          `{"contents":["one",{"language":"x","value":"two"}]}`,
		"textDocument/documentSymbol": `[{"name":"A","kind":5,"range":` + span(0, 0) +
			`,"selectionRange":` + span(1, 0) +
			`,"children":[{"name":"b","kind":6,"range":` + span(2, 0) + `,"selectionRange":` + span(2, 0) + `}]}]`,
		"workspace/symbol": `[{"name":"Aqua","kind":5,"location":{"uri":"$DIR/a.x","range":` + span(1, 5) + `}},` +
			`{"name":"other","kind":5,"location":{"uri":"$DIR/a.x","range":` + span(0, 0) + `}}]`,
		"textDocument/x": `"plain\ntext"`, "textDocument/y": `{"a":[1]}`,
	})
	for _, c := range []struct{ args, want string }{
		{"definition", "Found 1 definition(s):\na.x:2:6\n  1: one\n  2: two, two\n  3: three\n"},
		{"implementation", "Found 1 implementation(s):\na.x:1:2\n  1: one\n  2: two, two\n"},
		{"hover", "one\n\n```x\ntwo\n```"},
		{"symbols", "Symbols in workspace/a.x:\nclass A @ line 2\n  method b @ line 3\n"},
		{"symbols * aq", "Found 1 symbol(s) matching \"aq\":\nclass Aqua @ a.x:2:6\n"},
		{"request a.x textDocument/x", "fake ← textDocument/x:\nplain\ntext\n"},
		{"request a.x textDocument/y", "fake ← textDocument/y:\n{\n  \"a\": [\n    1\n  ]\n}\n"},
	} {
		words := strings.Fields(c.args)
		a := maps.Clone(at)
		if a["action"] = words[0]; len(words) > 1 {
			a["file"], a["query"] = words[1], words[2]
		}
		if got := some.says(a); got != c.want {
			t.Errorf("%s says\n%q\nwant\n%q", c.args, got, c.want)
		}
	}
}

// Long answers are cut at their limits, and say so.
func TestLongAnswersOfALanguageServerAreCut(t *testing.T) {
	t.Parallel()
	var symbols, findings []string
	for i := range 250 {
		symbols = append(symbols, fmt.Sprintf(`{"name":"q%d","kind":5,"location":{"uri":"$DIR/a.x","range":%s}}`, i,
			span(i, 0)))
		findings = append(findings, fmt.Sprintf(`{"message":"m%d","range":%s}`, i, span(i, 0)))
	}
	files := map[string]string{"root.x": "", "a.x": "one\ntwo\nthree\n"}
	for i := range 21 {
		files[fmt.Sprintf("glob/%02d.x", i)] = "x\n"
	}
	l := toldBench(t, files, map[string]toldServer{"fake": {answers: lsptest.Answers{
		"textDocument/references": places(600, "a.x"), "workspace/symbol": "[" + strings.Join(symbols, ",") + "]",
		"textDocument/publishDiagnostics": "[" + strings.Join(findings, ",") + "]",
		"textDocument/hover":              `{"contents":"` + strings.Repeat("h", 20<<10) + `"}`,
		"textDocument/x":                  `"` + strings.Repeat("r", 40<<10) + `"`}}})
	text := l.says(args{"action": "references", "file": "a.x"}, "Found 600 reference(s):\n",
		"... 450 additional reference(s) shown without context\n[100 more are not shown]\n")
	if n := strings.Count(text, "  2: two\n"); n != 50 {
		t.Errorf("%d references have lines around them", n)
	}
	if n := strings.Count(text, "a.x:2:"); n != 500 {
		t.Errorf("%d references are shown", n)
	}
	text = l.says(args{"action": "symbols", "query": "q"}, "Found 250 symbol(s)", "\n... 50 more\n")
	if n := strings.Count(text, " @ a.x:"); n != 200 {
		t.Errorf("%d symbols are shown", n)
	}
	text = l.says(args{"action": "diagnostics", "file": "a.x"}, "250 diagnostics:\n", "\n... 200 more\n")
	if n := strings.Count(text, ": error: m"); n != 50 {
		t.Errorf("%d diagnostics are shown", n)
	}
	text = l.says(args{"action": "diagnostics", "file": "glob/*.x"}, "[only the first 20 files]\nglob/00.x: 250 diag",
		"glob/19.x: ")
	if n := strings.Count(text, ": 250 diagnostics:\n"); n != 20 {
		t.Errorf("%d files have diagnostics", n)
	}
	if text = l.says(args{"action": "hover", "file": "a.x"}, "hhh\n[cut]"); len(text) > 8<<10+10 {
		t.Errorf("a hover has %d bytes", len(text))
	}
	text = l.says(args{"action": "request", "file": "a.x", "query": "textDocument/x"}, "rrr\n[cut]\n")
	if len(text) > 30<<10+100 {
		t.Errorf("a raw answer has %d bytes", len(text))
	}
}

// A server that knows only the place that was asked about is asked for references twice more.
func TestReferencesAreAskedForThreeTimesWhereThereIsOne(t *testing.T) {
	t.Parallel()
	l := told(t, lsptest.Answers{"textDocument/references": places(1, "a.x")})
	l.says(args{"action": "references", "file": "a.x", "line": 2}, "Found 1 reference(s):\na.x:2:1\n")
	asked := slices.DeleteFunc(l.heard("fake"), func(text string) bool {
		return !strings.HasPrefix(text, "textDocument/references")
	})
	if len(asked) != 3 {
		t.Errorf("it was asked %d times", len(asked))
	}
}

// With several servers each is asked, and one that fails does not keep the others from answering.
func TestSeveralLanguageServers(t *testing.T) {
	t.Parallel()
	files := map[string]string{"root.x": "", "a.x": "one\ntwo\n", "other.y": "y\n"}
	finding := lsptest.Answers{"textDocument/publishDiagnostics": `[{"message":"m","range":` + span(1, 0) + `}]`,
		"textDocument/codeAction": `[{"title":"Mend","kind":"quickfix"},{"title":"Order","command":"c"}]`,
		"workspace/symbol": `[{"name":"q","kind":5,"location":{"uri":"$DIR/a.x","range":` + span(0, 0) + `}},` +
			`{"name":"q","kind":5,"location":{"uri":"$DIR/a.x","range":` + span(0, 0) + `}}]`,
		"initialize": `{"capabilities":{"hoverProvider":true}}`}
	l := toldBench(t, files, map[string]toldServer{"a": {answers: finding}, "b": {answers: lsptest.Answers{
		"textDocument/codeAction": "error 1 out of luck", "workspace/symbol": "error 1 no luck"}},
		"broken": {answers: lsptest.Answers{"initialize": "error 1 never"}}, "lint": {answers: finding, linter: true}})
	l.says(args{"action": "status"}, "Active language servers:\na: not started\nb: not started\nbroken: not started\n")
	if got := l.says(args{"action": "capabilities"}); got != "a:\n  capabilities: {\n    \"hoverProvider\": true\n"+
		"  }\n"+
		"b:\n  capabilities: {}\nbroken: failed to start (broken does not start: never)\n" {
		t.Errorf("capabilities of the workspace:\n%s", got)
	}
	if all := l.says(args{"action": "capabilities", "file": "a.x"}); all != l.says(args{"action": "capabilities",
		"file": "*"}) || strings.Contains(all, "lint:") {
		t.Errorf("capabilities of a file:\n%s", all)
	}
	l.says(args{"action": "diagnostics", "file": "a.x"}, "2 diagnostics:\na.x:2:1: error: m (a)\n"+
		"a.x:2:1: error: m (lint)\n",
		"[broken: broken does not start: never]\n")
	l.says(args{"action": "code_actions", "file": "a.x"}, "4 code action(s):\n0: [quickfix] Mend\n1: [action] Order\n"+
		"2: [quickfix] Mend\n3: [action] Order\nb: out of luck\nbroken: broken does not start: never\n")
	l.says(args{"action": "symbols", "query": "q"}, "Found 1 symbol(s) matching \"q\":\n"+
		"class q @ a.x:1:1\nb: no luck\n")
	l.says(args{"action": "reload"}, "Restarted a\nRestarted b\nNot running: broken\n")
	l.fails(args{"action": "hover", "file": "other.y"}, "No language server found for workspace/other.y")
}

// A server that refuses, does not answer or ends is named, with its words.
func TestALanguageServerThatFailsIsNamed(t *testing.T) {
	t.Parallel()
	l := told(t, lsptest.Answers{"textDocument/hover": "exit panic: out of luck", "textDocument/x": "error 7 no x",
		"textDocument/definition": "error 7 no\nstack", "textDocument/implementation": "silence"})
	at := func(action string) args { return args{"action": action, "file": "a.x", "query": "textDocument/x"} }
	l.fails(at("definition"), "LSP error: no")
	l.fails(at("request"), "LSP error from fake on textDocument/x: no x")
	l.runsOut(at("implementation"), func(_ Result, err error) bool {
		return err != nil && err.Error() == "LSP error: fake did not answer within 20s"
	})
	list := l.heard("fake")
	if !slices.ContainsFunc(list, func(text string) bool { return strings.HasPrefix(text, "$/cancelRequest ") }) {
		t.Errorf("it was not told that nobody waits any more: %q", list)
	}
	l.fails(at("hover"), "LSP error: the server has ended: exit status 3: panic: out of luck")
}

// A server that gives no diagnostics is waited for in vain, for a glob not as long.
func TestALanguageServerThatGivesNoDiagnosticsIsNamed(t *testing.T) {
	t.Parallel()
	l := told(t, lsptest.Answers{"textDocument/publishDiagnostics": "silence"})
	l.tool.(*lspTool).waits = usualWaits()
	l.says(args{"action": "capabilities"})
	for file, want := range map[string]string{"a.x": "no diagnostics\n[fake gave none for this text within 3s]\n",
		"sub/*.x": "sub/b.x: no diagnostics\n[fake gave none for this text within 400ms]\n"} {
		l.runsOut(args{"action": "diagnostics", "file": file}, func(r Result, err error) bool {
			return err == nil && r.Text == want
		})
	}
}

// runsOut makes a call whose time is over soon, with ever more of it, until what comes of it is
// wanted.
func (l *languageBench) runsOut(a args, wanted func(Result, error) bool) {
	l.t.Helper()
	c, err := l.call(a)
	if err != nil {
		l.t.Fatal(err)
	}
	for limit := 50 * time.Millisecond; ; limit *= 2 { // a machine under load may need more to begin
		ctx, cancel := context.WithTimeout(l.t.Context(), limit)
		r, err := c.Run(ctx, func(string) {})
		cancel()
		switch {
		case wanted(r, err):
			return
		case limit > 30*time.Second:
			l.t.Fatalf("%v: %q, %v", a, r.Text, err)
		}
	}
}

// A folder with another name has a limit, and a name that is taken is an error.
func TestAFileGetsAnotherNameOnlyWhereItCan(t *testing.T) {
	t.Parallel()
	files := map[string]string{"root.x": "", "a.x": "one\n", "b.x": "two\n", "dir/c.x": "three\n"}
	for i := range 1001 {
		files[fmt.Sprintf("many/%d.x", i)] = ""
	}
	l := toldBench(t, files, map[string]toldServer{"a": {}, "b": {answers: lsptest.Answers{
		"workspace/willRenameFiles": "error -32601 not known"}}, "c": {answers: lsptest.Answers{
		"workspace/willRenameFiles": "error 1 no luck"}}, "idle": {}})
	for _, c := range []struct{ file, name, want string }{
		{"a.x", "a.x", "new_name is the path that it has already"},
		{"a.x", "b.x", "workspace/b.x exists already"}, {"dir", "b.x", "workspace/b.x exists already"},
		{"a.x", "dir", "workspace/dir exists already"},
		{"none.x", "new.x", "none.x"}, {"many", "more", "workspace/many has more than 1000 files"},
	} {
		l.fails(args{"action": "rename_file", "file": c.file, "new_name": c.name}, c.want)
	}
	for _, server := range []string{"a", "b", "c"} { // those that run are asked about any file
		l.says(args{"action": "capabilities", "file": "a.x"}, server+":")
	}
	if got := l.says(args{"action": "rename_file", "file": "dir", "new_name": "new/dir", "apply": false}); got !=
		"Rename preview: 1 file → workspace/new/dir\ndir/c.x: removed\nnew/dir/c.x: +1 -0, was dir/c.x\nc: no luck\n" {
		t.Errorf("a folder: %q", got)
	}
	for _, server := range []string{"a", "b", "c"} {
		l.lastHeard(server, "workspace/willRenameFiles")
	}
	if err := os.Remove(filepath.Join(l.dir, "many/0.x")); err != nil {
		t.Fatal(err)
	}
	l.says(args{"action": "rename_file", "file": "many", "new_name": "more", "apply": false},
		"Rename preview: 1000 files → workspace/more\n")
}

// An action is chosen by its number, from 0, or by a part of its title, and shows what it changes.
func TestAnActionIsChosenAndShown(t *testing.T) {
	t.Parallel()
	edit := func(text string) string {
		return `{"changes":{"$DIR/a.x":[{"range":` + span(0, 0) + `,"newText":"` + text + `"}]}}`
	}
	l := told(t, lsptest.Answers{"codeAction/resolve": "error 1 no luck", "textDocument/codeAction": `[` +
		`{"title":"First","edit":` + edit("1") + `},{"title":"Second Deed","edit":` + edit("2") +
		`},{"title":"Empty"},{"title":"Off","disabled":{"reason":"x"}},` +
		`{"title":"Null","edit":null,"data":1},{"title":"Run","command":` +
		`{"title":"Run","command":"do.it","arguments":[7]}}]`})
	apply := func(query string) args {
		return args{"action": "code_actions", "file": "a.x", "query": query, "apply": true}
	}
	l.fails(apply(""), "query is missing: the number of an action, or a part of its title")
	l.fails(apply("none"), "No code action matches \"none\". Available actions:\n0: [action] First\n"+
		"1: [action] Second Deed")
	l.fails(apply("empty"), `Action "Empty" has no workspace edit or command to apply`)
	l.fails(apply("null"), `Action "Null" has no workspace edit or command to apply`)
	l.fails(apply("off"), `No code action matches "off"`)
	for query, want := range map[string]string{"0": "1ne", "1": "2ne", "second d": "2ne"} {
		was := l.tree()
		l.accept(apply(query))
		if text := l.read("a.x"); !strings.HasPrefix(text, want[:1]) {
			t.Errorf("%q makes %q", query, text)
		}
		l.restores(was)
	}
	c, err := l.call(apply("run"))
	if err != nil || c.Proposal == nil {
		t.Fatalf("a command that nobody knows runs without a question: %v", err)
	}
	if _, err := c.Run(context.Background(), func(string) {}); err != nil {
		t.Error(err)
	}
	if got := l.lastHeard("fake", "workspace/executeCommand"); !strings.Contains(got, `"command":"do.it"`) ||
		!strings.Contains(got, `[7]`) {
		t.Errorf("it runs %s", got)
	}
}

// The diagnostics of the workspace are what the compiler of the project prints, 50 lines at most,
// and are asked about as a command.
func TestTheWorkspaceIsCheckedByTheCommandOfTheProject(t *testing.T) {
	t.Parallel()
	for marker, want := range map[string]struct{ about, command string }{"Cargo.toml": {"Rust",
		"cargo check --message-format=short"}, "go.work": {"Go", "go build ./..."}, "go.mod": {"Go", "go build ./..."},
		"tsconfig.json": {"TypeScript", "npx tsc --noEmit"}, "pyproject.toml": {"Python", "pyright"}} {
		// What runs is a shell by that name: its first argument is a script of the workspace.
		program, rest, _ := strings.Cut(want.command, " ")
		script, _, _ := strings.Cut(rest, " ")
		l := toldBench(t, map[string]string{marker: "", script + "none": "",
			"build": "i=0; while [ $i -lt 60 ]; do echo line $i; i=$((i+1)); done; exit 1\n"}, nil)
		c, err := l.call(args{"action": "diagnostics", "file": "*"})
		if err != nil || c.Proposal == nil || c.Command != want.command || c.Subject(lspName).Tool != "bash" {
			t.Fatalf("%s: %+v, %v", marker, c, err)
		}
		if program != "go" {
			continue
		}
		dir := t.TempDir()
		if err := os.Symlink("/bin/sh", filepath.Join(dir, program)); err != nil {
			t.Fatal(err)
		}
		l.env.Commands.Environ = []string{"PATH=" + dir + ":/usr/bin:/bin"}
		l.tool = Languages(l.env, l.service)[0]
		if c, err = l.call(args{"action": "diagnostics", "file": "*"}); err != nil {
			t.Fatal(err)
		}
		r, err := c.Run(context.Background(), func(string) {})
		if err != nil || !strings.HasPrefix(r.Text, "Workspace diagnostics (Go):\nline 0\n") ||
			strings.Count(r.Text, "line ") != 50 ||
			!strings.HasSuffix(r.Text, "line 49\n... 10 more lines\n[exit 1]\n") {
			t.Errorf("%s: %q, %v", marker, r.Text, err)
		}
	}
}
