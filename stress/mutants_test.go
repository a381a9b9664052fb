package stress

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/mutate"
)

// A bug is put into the renderer, or into the pictures of package tui, on purpose. It is named by
// an operator and the function that it is in, not by the text that stands there.
type bug struct {
	name  string
	file  string // as seen from package renderer
	edits []mutate.Choice
}

// in names place nth for op in function fn, of those that hold word.
func in(fn string, op mutate.Operator, word string, nth int) mutate.Choice {
	return mutate.Choice{Func: fn, Operator: op, Word: word, Nth: nth}
}

// replace names the first literal old in function fn, which becomes text.
func replace(fn, old, text string) mutate.Choice {
	return mutate.Choice{Func: fn, Operator: mutate.Replace, Word: old, Text: text}
}

func edits(all ...mutate.Choice) []mutate.Choice { return all }

const tuiPictures, tuiImage = "../tui/image_pictures.go", "../tui/image.go"

var bugs = []bug{
	{"a wrap flag is forgotten", "row.go", edits(in("row.setLineKeeping", mutate.False, "Wrapped", 0))},
	{"the caret is hidden when it should be shown", "renderer.go",
		edits(replace("Renderer.placeCursor", "true", "false"))},
	{"the end of a synchronized update is missing", "frame.go", edits(replace("emitter.flush", "ansi.SyncEnd", `""`))},
	{"rows become final under an overlay", "renderer.go", edits(in("Renderer.takeCommit", mutate.Never, "Overlay", 0))},
	{"rows that waited are lost", "renderer.go", edits(in("Renderer.takeCommit", mutate.Drop, "append(", 0))},
	{"what waits is written though it was replaced", "pending.go", edits(in("pending.drop", mutate.Drop, "0", 0))},
	{"a picture whose rows were replaced is drawn", "pending.go",
		edits(in("pending.drop", mutate.Never, "Picture", 0))},
	{"DL instead of an erasure", "erase.go", edits(replace("emitter.eraseRow", "ansi.EL0", `"\x1b[M"`))},
	{"CUD where a line feed is needed", "emit.go", edits(replace("emitter.lineFeed", `'\n'`, `"\x1b[B"...`))},
	{"a row is not erased behind its new end", "erase.go", edits(in("emitter.clearTail", mutate.Never, "", 0))},
	{"IL of one row too many", "emit.go", edits(in("emitter.runSteps", mutate.Plus, "AppendIL(", 1))},
	{"DL of a row too many", "emit.go", edits(in("emitter.runSteps", mutate.Plus, "AppendDL(", 1))},
	{"rows are deleted a row too high", "emit.go", edits(in("emitter.runSteps", mutate.Minus, "", 17))},
	{"rows are moved down over those below", "slide.go", edits(in("costs.findMove", mutate.Never, "", -1))},
	{"a wide character may stand over the edge", "row.go", edits(in("row.addSpan", mutate.Left, "", 6))},
	{"an equal beginning of a rewind is written again", "renderer.go",
		edits(in("Renderer.takeCommit", mutate.Drop, "[1:]", 0))},
	{"a rewind is not noticed", "history.go", edits(in("history.holds", mutate.Left, "&&", 0))},
	{"a pending wrap is forgotten", "emit.go", edits(in("emitter.moveToRow", mutate.Right, "Col", 1))},
	{"one backspace is missing", "emit.go", edits(in("emitter.moveToCol", mutate.Minus, "", 10))},
	{"rows below the live region are believed blank", "ledger.go",
		edits(in("ledger.noteNewRow", mutate.True, "||", 0))},
	{"the live region is taken for higher than it is", "resize.go",
		edits(in("Renderer.Anchor", mutate.Plus, "max(0,", 4))},
	{"the first frame takes a shell's partial line along", "renderer.go",
		edits(in("Renderer.startInline", mutate.Drop, "blanks[1:]", 0))},
	{"an unchanged frame writes something", "frame.go", edits(in("emitter.placeCursor", mutate.Always, "", 0))},
	{"a pen and its link are left open", "frame.go", edits(in("emitter.placeCursor", mutate.Drop, "Style{}", 0))},
	{"a link is left open", "emit.go", edits(in("emitter.setPen", mutate.Drop, "", 1))},
	{"one picture too many is kept", "image/budget.go", edits(in("Budget.Show", mutate.Plus, ">", 1))},
	{"the second oldest picture goes", "image/budget.go", edits(in("Budget.Show", mutate.More, "", -2))},
	{"a picture that has had its time is not deleted", tuiPictures,
		edits(in("pictures.retire", mutate.Drop, "AppendDelete", 0))},
	{"a picture is sent again and again", tuiPictures, edits(in("pictures.sendReady", mutate.Drop, "true", 1),
		in("pictures.sendReady", mutate.Drop, "clear(", 0), in("pictures.sendReady", mutate.Drop, "", 6))},
	{"a picture that has had its time loses its rows", tuiImage, edits(in("Image.layOut", mutate.Unindex, "[0]", 0))},
	{"rows become final before their picture is there", tuiImage, edits(in("Image.View", mutate.Never, "", -1))},
	{"the rows of a picture have no numbers", "image/placeholder.go", edits(in("Placeholder", mutate.Never, "", 0))},
	{"the colour names another picture", "image/id.go", edits(in("ID.Color", mutate.Swap, "RGB", 0))},
	{"cells have no placement to show", tuiPictures, edits(in("picture.encode", mutate.Drop, "AppendVirtual", 0))},
	{"drawn pictures float at a new width", tuiPictures, edits(in("pictures.updateCaps", mutate.False, `"wezterm"`,
		0))},
	{"a picture goes after the next one was sent", tuiPictures,
		edits(in("pictures.appendDraw", mutate.Swap, "append(", 1))},
	{"a picture is drawn a row too low", "picture.go", edits(in("Renderer.drawPicture", mutate.Minus, "AppendCUU", 1))},
	{"pieces are too large", "image/kitty.go", edits(replace("maxCommandBytes", "4096", "8192"))},
	{"pieces are tiny", "image/kitty.go", edits(replace("maxCommandBytes", "4096", "128"))},
	{"a transmission may be answered", "image/kitty.go",
		edits(replace("Wire.AppendTransmit", "a=t,q=2", `"a=t,q=0,i="`))},
	{"a command to the terminal around tmux ends early", "image/kitty.go",
		edits(replace("Wire.appendCommandEnd", `"\x1b\x1b\\\x1b\\"`, `"\x1b\\"`))},
	{"a row whose end moves keeps it where it was", "row.go", edits(in("row.setLineKeeping", mutate.AtMost, "", 1))},
	{"a cluster is cut by what is erased behind it", "row.go", edits(in("row.firstChange", mutate.Never, "", 2))},
	{"a row is erased behind its last cluster, which may be wider", "row.go",
		edits(in("row.needsErasure", mutate.Never, "", 1))},
	{"rows are lifted in view", "frame.go", edits(in("emitter.flush", mutate.Left, "&&", 0))},
	{"a row is erased before it is written", "emit.go", edits(in("emitter.paintRow", mutate.Always, "", 5))},
	{"a row that a resize may have wrapped is believed not to be", "ledger.go",
		edits(in("ledger.rebase", mutate.False, "WrapsStay", 0))},
	{"a row below what a resize left is believed to go on nowhere", "ledger.go",
		edits(in("ledger.noteNewRow", mutate.False, "WrapsStay", 0))},
	{"a row that becomes final is skipped where it stands", "emit.go",
		edits(in("emitter.paintRow", mutate.Never, "", 3))},
	{"a frame goes down by moves that stop at the last row", "emit.go",
		edits(replace("emitter.moveToRow", `'\n'`, `"\x1b[B"...`))},
	{"the live region is not marked", "mark.go", edits(in("emitter.markLiveRegion", mutate.Drop, "LiveMark", 0))},
	{"the cursor rests where the last text ended", "renderer.go",
		edits(in("Renderer.placeCursor", mutate.Drop, "false", 0))},
	{"the live region is taken to begin a row too high", "resize.go",
		edits(in("Renderer.Anchor", mutate.Minus, "max(0,", 1))},
	{"any report is accepted", "resize.go", edits(in("Renderer.Anchor", mutate.Never, "", 1))},
	{"a report of an older size is accepted", "resize.go", edits(in("Renderer.Resize", mutate.Keep, "min(", 0))},
	{"lines are wrapped while the width is not known", "renderer.go",
		edits(in("Renderer.layOutFrame", mutate.Left, "Careful", -1))},
	{"a line is wrapped beside a cluster in doubt", "row.go", edits(in("wrapsInto", mutate.Left, "&&", 0),
		in("wrapsInto", mutate.Left, "&&", 1))},
	{"what stands is erased in view", "renderer.go", edits(in("Renderer.paintRows", mutate.Left, "ResizeOvertakes",
		0))},
}

// Each is compiled, so they run with SCROLLKEEP_REQUIRE=mutants only (`make stress`); without it
// their places are looked for.
func TestABugInTheRendererIsFound(t *testing.T) {
	if *mutantRun {
		return // it is this test that runs it
	}
	need.Time(t)
	dir := t.TempDir()
	for _, b := range bugs {
		b.put(t)
	}
	if !need.Required("mutants") {
		return
	}
	for i, b := range bugs {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			b.run(t, filepath.Join(dir, fmt.Sprint(i)))
		})
	}
}

var mutantRun = flag.Bool("mutant", false, "this is a run with a bug in it")

// put returns the path of the file, its text with the bug in it, and what was changed.
func (b bug) put(t *testing.T) (path string, text []byte, changed string) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "renderer", b.file))
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []mutate.Mutant
	for _, c := range b.edits {
		m, err := c.In(src)
		if err != nil {
			t.Fatalf("%s: %s: %v", b.name, b.file, err)
		}
		all = append(all, m)
		changed += fmt.Sprintf("%s in %s:%d, %q becomes %q\n", m.Func, b.file, m.Line, src[m.From:m.To], m.New)
	}
	text = mutate.Apply(src, all...)
	if _, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution); err != nil {
		t.Errorf("%s: %s%v", b.name, changed, err)
	}
	return path, text, changed
}

// run compiles the harness with the bug and requires that it fails.
func (b bug) run(t *testing.T, dir string) {
	path, text, changed := b.put(t)
	t.Log(changed)
	binary, err := compileTests(t, dir, path, text)
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(binary)
	args := []string{"-test.run", "^Test(Programs|SmallPrograms)(KeepTheTape|ThatFailedOncePass)$", "-test.failfast",
		"-mutant", "-shrink=false", "-seeds", "1200", "-ops", "40"}
	if strings.HasPrefix(b.file, "image/") || strings.HasPrefix(b.file, "../tui/") {
		args = []string{"-test.run", "^TestSessionsOfPictures$", "-mutant", "-pictures", "100"}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, binary, args...).CombinedOutput()
	if err == nil {
		t.Fatalf("%q did not find it", args)
	}
	if ctx.Err() != nil {
		t.Fatalf("%q did not end, which finds nothing", args)
	}
	if !strings.Contains(string(out), "--- FAIL") && !strings.Contains(string(out), "panic") {
		t.Fatalf("it failed otherwise: %v\n%s", err, out)
	}
	first, _, _ := strings.Cut(string(out), "\n\n")
	t.Logf("%.200s", first)
}

// overlayFile tells the go command of the other text.
const overlayFile = "overlay.json"

// compileTests compiles this package's tests with another text in one file of the module. An error
// says that the text does not compile.
func compileTests(t *testing.T, dir, path string, text []byte) (binary string, err error) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(dir, 0o755))
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, overlayFile)
	must(os.WriteFile(changed, text, 0o644))
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	must(err)
	must(os.WriteFile(overlay, list, 0o644))
	binary = filepath.Join(dir, "stress.test")
	out, err := exec.Command("go", "test", "-c", "-overlay", overlay, "-o", binary, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("it does not compile: %w\n%s", err, out)
	}
	return binary, nil
}
