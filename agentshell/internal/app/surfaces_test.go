package app

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// written gives files of the workspace the time of one write: a newer one would stand first.
func (f *film) written(at time.Time, names ...string) {
	f.t.Helper()
	for _, name := range names {
		if err := os.Chtimes(filepath.Join(f.path("w"), name), at, at); err != nil {
			f.t.Fatal(err)
		}
	}
}

// surfaces are the sessions of what a person opens beside the conversation.
var surfaces = []scene{
	{"complete", func(f *film) {
		f.write("docs/weir.md", "# The weir\n")
		f.write("docs/gate.md", "# The gate\n")
		f.write("src/gate.go", "package gate\n")
		f.written(time.Now().Add(-time.Hour), "docs/weir.md", "docs/gate.md", "src/gate.go")
		f.begin("", "", `{"expect":"# The gate","say":"Done.","delay_ms":0}`)
		f.text("/mo")
		f.frame("commands", "/model")
		f.keys("Down")
		f.frame("the second one", "/mode")
		f.keys("Tab")
		f.frame("its values", "edits", "every")
		f.keys("C-u")
		f.frame("an empty prompt", "ask ·")
		f.text("see @gate")
		f.frame("files", "docs/gate.md")
		f.keys("Tab")
		f.frame("a file is chosen", "see @docs/gate.md", "@")
		f.keys("Enter")
		f.told("Done.")
		f.rests()
		f.frame("the file is attached", "ask ·")
	}},
	{"rewind", func(f *film) {
		f.begin("write a poem", "", poem, `{"say":"Written.","delay_ms":0}`, typo, done)
		f.bright("[y]es")
		f.keys("y")
		f.told("Written.")
		f.rests()
		f.line("mend the typo")
		f.bright("[y]es")
		f.keys("y")
		f.told("Done.")
		f.rests()
		f.line("/rewind")
		f.frame("the messages", "Enter goes", "Enter go", "Rewind to")
		f.keys("Enter")
		f.frame("what is to go back", "Enter chooses", "Enter choo")
		f.keys("Enter")
		f.frame("the answer", "[y]es", "ask ·")
	}},
	{"jobs", func(f *film) {
		f.begin("go", "", `{"say":"I build.","delay_ms":0,"tool_calls":[{"id":"b","name":"bash","input":{"async":true,`+
			`"command":"sleep 61"}}]}`,
			`{"say":"Meanwhile I look.","delay_ms":0}`)
		f.bright("[y]es")
		f.frame("the question", "[y]es")
		f.keys("y")
		f.told("Meanwhile I look.")
		f.sees("1 job")
		f.frame("a job runs", "ask ·")
		f.line("/quit")
		f.frame("the question at the end", "/jobs shows it")
	}},
	{"todo", func(f *film) {
		list := func(say, ops string) string {
			return `{"say":"` + say + `","delay_ms":0,"tool_calls":[{"id":"t","name":"todo","input":{"ops":[` +
				ops + `]}}]}`
		}
		f.begin("go", "", list("A list.", `{"op":"init","list":[{"phase":"Look","items":["read the gauge",`+
			`"ask the keeper"]},{"phase":"Mend","items":["set the stone"]}]}`),
			list("Next.", `{"op":"done","item":"read the gauge"}`), done)
		f.told("Done.")
		f.rests()
		f.frame("a list", "ask ·")
		f.line("/todo")
		f.frame("the list", "ask ·")
		f.line("/todo append close the gate")
		f.told("4 [ ] close")
		f.frame("one more", "ask ·")
		f.line("/todo done 2")
		f.frame("one less", "ask ·")
	}},
	{"plan", func(f *film) {
		plan := func(say, text string) string {
			return `{"say":"` + say + `","delay_ms":0,"tool_calls":[{"id":"p","name":"propose_plan","input":{"plan":"` +
				text + `"}}]}`
		}
		f.begin("", "", plan("I have looked.", "# Mend the typo\\n\\n1. In `notes.md` write *the* for *teh*.\\n"+
			`2. Read it once more.\n`), plan("Then not.", `# Leave it\n\nNothing is changed.\n`), typo, done)
		f.keys("BTab")
		f.sees("edits ·")
		f.keys("BTab")
		f.sees("plan ·")
		f.line("what is wrong here?")
		f.bright("[y]es")
		f.frame("a plan", "[y]es")
		f.keys("n")
		f.told("Then not.")
		f.bright("[y]es")
		f.frame("another plan", "[y]es")
		f.keys("y")
		f.told("The typo.")
		f.frame("it goes on in mode ask", "[y]es")
		f.bright("[y]es")
		f.keys("y")
		f.frame("done", "Done.")
	}},
	{"keys", func(f *film) {
		f.begin("", "")
		f.line("/keys")
		f.frame("all keys", "ask ·")
		f.line("/keys vim")
		f.frame("vim", "ask ·")
		f.line("/help")
		f.frame("all commands", "ask ·")
	}},
	{"context", func(f *film) {
		f.write("AGENTS.md", "Rivers are written small.\n")
		f.begin("go", "", strings.Replace(done, "Done.", "I know.", 1))
		f.told("I know.")
		f.rests()
		f.line("/context")
		f.frame("what the model knows", "ask ·")
	}},
	{"resume", func(f *film) {
		f.begin("the first talk", "", done)
		f.told("Done.")
		f.rests()
		f.line("/quit")
		f.wait("the shell's prompt", func() bool { return strings.HasSuffix(f.history(), "\n$") })
		f.begin("the second talk", "", done)
		f.wait("the second answer", func() bool { return strings.Count(f.history(), "Done.") == 2 })
		f.rests()
		f.line("/resume")
		f.frame("the sessions", "the first", "the fir…")
		f.keys("Escape")
		f.frame("closed", "ask ·")
	}},
	{"queue", func(f *film) {
		f.begin("count", "", `{"say":"One, two, and then I think for a while about three.","delay_ms":100}`,
			`{"say":"Three.","delay_ms":0}`)
		f.sees("One, two")
		f.line("and three?")
		f.line("slowly")
		f.wait("both", func() bool { return strings.Contains(f.screen(), "slowly") })
		f.keys("Up")
		f.wait("one is back", func() bool { return strings.Contains(f.screen(), "› slowly") })
		f.keys("C-u")
		f.told("Three.")
		f.rests()
		f.frame("the other was sent", "ask ·")
	}},
	{"offer", func(f *film) {
		f.write(".agentshell/commands/tide.md", "Say when the tide turns. $ARGUMENTS\n")
		f.write(".agentshell/skills/gauge/SKILL.md", "---\ndescription: how to read the gauge\n---\nLook at it.\n")
		f.begin("", "", `{"expect":"Say when the tide turns. at noon","say":"At twelve.","delay_ms":0}`)
		f.bright("[n]o")
		f.keys("Space") // y counts once all rows were in sight
		f.bright("[y]es", "press Y", "[Y]es!")
		f.frame("what the workspace brings", "[n]o")
		f.keys("y")
		f.rests()
		f.text("/ti")
		f.frame("its command is offered", "/tide")
		f.keys("C-u")
		f.line("/tide at noon")
		f.told("At twelve.")
		f.rests()
		f.frame("it was sent", "ask ·")
	}},
}
