package stress

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A mutant is a bug put into the renderer on purpose, such as no rule makes (see
// operators_test.go).
type mutant struct {
	name     string
	file     string // of package renderer
	old, new string // old stands in the file exactly once
}

var mutants = []mutant{
	{"a final row is skipped when several come", "renderer.go", "	k := len(commit)\n	n := r.prepare(f, commit)",
		"	if len(commit) > 7 {\n		commit = commit[1:]\n	}\n	k := len(commit)\n	n :=" +
			" r.prepare(f, commit)"},
	{"a wrap flag is forgotten", "row.go", "	r.wrapped = l.Wrapped && !full", "	r.wrapped = false && !full"},
	{"the caret is hidden when it should be shown", "renderer.go",
		"r.e.rest(pos, true)", "r.e.rest(pos, false)"},
	{"the end of a synchronized update is missing", "frame.go", "ansi.SyncEnd...", "\"\"..."},
	{"rows become final under an overlay", "renderer.go",
		"		r.pending.add(commit, r.l.cols, r.c.Model)\n		return nil",
		"		if len(commit) > 5 {\n			return commit\n		}\n		r.pending.add(commit," +
			" r.l.cols, r.c.Model)\n		return nil"},
	{"rows that waited are lost", "renderer.go", "commit = append(rows, commit...)",
		"commit = append(rows[1:], commit...)"},
	{"what waits is written though it was replaced", "pending.go", "	n = min(n, len(p.lines))", "	n = 0 * n"},
	{"a picture whose rows were replaced is drawn", "pending.go", "l.Picture != nil && i+l.Picture.Rows > left",
		"false"},
	{"DL instead of rewriting", "emit.go", "		case wipe:\n",
		"		case wipe:\n			e.to(s.at)\n			e.buf = append(e.buf, \"\\x1b[M\"...)\n"},
	{"CUD where a line feed is needed", "emit.go", "	e.buf = append(e.buf, '\\n')\n	e.grow()",
		"	e.buf = ansi.AppendCUD(e.buf, 1)\n	e.grow()"},
	{"a row that became blank is not erased", "erase.go", "	if len(e.shown[i].cells) > n {",
		"	if len(e.shown[i].cells) > n && n > 0 {"},
	{"IL of one row too many", "emit.go", "e.buf = ansi.AppendIL(e.buf, s.n)",
		"e.buf = ansi.AppendIL(e.buf, s.n+s.n/2)"},
	{"DL of a row too many", "emit.go", "e.buf = ansi.AppendDL(e.buf, s.n)", "e.buf = ansi.AppendDL(e.buf, s.n+s.n/2)"},
	{"rows are deleted a row too low", "emit.go", "e.delete(s.at, s.n)", "e.delete(max(s.at-1, 0), s.n)"},
	{"rows are moved down over those below", "slide.go", "	edge := bottom && z == v\n", "	edge := z == v\n"},
	{"a wide character may stand over the edge", "row.go", "		if len(r.cells)+w > cols {",
		"		if len(r.cells) > cols {"},
	{"hidden rows become final", "renderer.go", "	r.hidden = max(0, live-shown)\n",
		"	r.hidden = max(0, live-shown)\n	if r.hidden > 3 && f.Overlay == nil {\n		commit =" +
			" append(commit, f.Live[0])\n	}\n"},
	{"an equal beginning of a rewind is written again", "renderer.go",
		"		commit = commit[1:]\n	}\n	for _, l", "	}\n	for _, l"},
	{"a rewind is not noticed", "history.go", "return i < h.n && h.chunks[i/chunkRows][i%chunkRows] == h.hash(l)",
		"return i < h.n"},
	{"a pending wrap is forgotten", "emit.go", "	if e.cur.Col == e.cols || e.cur.Col < 0 || e.careful ||" +
		" e.wraps == WrapsStretched {\n", "	if e.careful || e.wraps == WrapsStretched {\n"},
	{"one backspace is missing", "emit.go", "		for range from - c {\n", "		for range from - c - 1 {\n"},
	{"rows below the live region are believed blank", "ledger.go", "	known := scrolled || l.below > 0",
		"	known := scrolled || true"},
	{"the live region is taken for higher than it is", "resize.go",
		"	r.settled(max(0, row-start), -start, -start)\n", "	r.settled(min(row, row-start+1), -start, -start)\n"},
	{"a size that came and went is no news", "resize.go", "	if cols <= 0 || rows <= 0 {",
		"	if cols <= 0 || rows <= 0 || cols == r.l.cols && rows == r.l.rows && !r.resize.on {"},
	{"the first frame takes a shell's partial line along", "renderer.go",
		"	for range r.l.cols {\n		r.e.buf = append(r.e.buf, ' ')\n	}\n", ""},
	{"an unchanged frame writes something", "renderer.go", "	r.e.rest(pos, true)\n",
		"	r.e.rest(pos, true)\n	r.e.buf = append(r.e.buf, '\\r')\n	r.e.cur.Col = 0\n"},
	{"a link is left open", "emit.go", "	if e.links && e.link != link {",
		"	if e.links && e.link != link && link != \"\" {"},
	{"one picture too many is kept", "image/budget.go", "len(b.live) > most ||", "len(b.live) > most+1 ||"},
	{"the second oldest picture goes", "image/budget.go",
		"		gone = append(gone, b.live[0].id)\n		b.Drop(b.live[0].id)\n",
		"		gone = append(gone, b.live[1].id)\n		b.Drop(b.live[1].id)\n"},
	{"a picture that has had its time is not deleted", "../tui/pictures.go",
		"		dst = p.how.wire.AppendDelete(dst, id)\n	}\n	return dst\n}\n\n// over",
		"	}\n	return dst\n}\n\n// over"},
	{"a picture is sent again and again", "../tui/pictures.go", "pic.wire, pic.state, sent = nil, pictureShown, true",
		"pic.state, sent = pictureShown, true\n		later = append(later, pic)"},
	{"a picture that has had its time loses its rows", "../tui/image.go",
		"	default:\n		im.rows[0] = im.one(s, nil)[0]",
		"	default:\n		im.rows = im.rows[:1]\n		im.rows[0] = im.one(s, nil)[0]"},
	{"rows become final before their picture is there", "../tui/image.go", "return View{Lines: im.rows, Hold: true}",
		"return View{Lines: im.rows, Stable: len(im.rows)}"},
	{"the rows of a picture have no numbers", "image/placeholder.go", "		if i == 0 {\n", "		if i < 0 {\n"},
	{"the colour names another picture", "image/id.go", "ansi.RGB(uint8(id>>16), uint8(id>>8), uint8(id))",
		"ansi.RGB(uint8(id), uint8(id>>8), uint8(id>>16))"},
	{"cells have no placement to show", "../tui/pictures.go",
		"				pic.wire = how.wire.AppendVirtual(pic.wire, pic.id, pic.box)\n", ""},
	{"drawn pictures float at a new width", "../tui/pictures.go", "d.floats = !d.cells &&", "d.floats = false &&"},
	{"a picture goes after the next one was sent", "../tui/pictures.go",
		"		dst = append(pic.on.show(pic, dst), pic.wire...)\n",
		"		dst = pic.on.show(pic, append(dst, pic.wire...))\n"},
	{"a picture is drawn a row too low", "picture.go", "ansi.AppendCUU(append(b, ansi.SaveCursor...), p.Rows)",
		"ansi.AppendCUU(append(b, ansi.SaveCursor...), p.Rows-1)"},
	{"pieces are too large", "image/kitty.go", "const piece = 4096 / 4 * 3", "const piece = 8192 / 4 * 3"},
	{"pieces are tiny", "image/kitty.go", "const piece = 4096 / 4 * 3", "const piece = 96"},
	{"a transmission may be answered", "image/kitty.go", "a=t,q=2,i=", "a=t,q=0,i="},
	{"a command to the terminal around tmux ends early", "image/kitty.go",
		"		return append(dst, \"\\x1b\\x1b\\\\\\x1b\\\\\"...)", "		return append(dst, \"\\x1b\\\\\"...)"},
	{"a row whose end moves keeps it where it was", "row.go", "			if len(r.cells) == was-k.last {",
		"			if len(r.cells) <= was-k.last {"},
	{"a cluster is cut by what is erased behind it", "row.go", "for k := i - 1; k >= 0 && o.reach > i; k-- {",
		"for k := i - 1; k >= 0 && o.reach < 0; k-- {"},
	{"a row is erased behind its last cluster, which may be wider", "row.go", "len(r.cells) > n && o.reach > n {",
		"n < 0 {"},
	{"rows are lifted in view", "frame.go", "n <= unbracketed && !e.lifts, n", "n <= unbracketed, n"},
	{"a row is erased before it is written", "emit.go", "	old := &e.shown[i]\n	n := len(w.cells)\n",
		"	old := &e.shown[i]\n	n := len(w.cells)\n	if old.doubt == 0 && !old.mayWrap {\n" +
			"		e.to(i)\n		e.eraseRow(i)\n	}\n"},
	{"a row that a resize may have wrapped is believed not to be", "ledger.go",
		"l.shown[i].mayWrap = false, l.wraps == WrapsStay", "l.shown[i].mayWrap = false, false"},
	{"a row below what a resize left is believed to go on nowhere", "ledger.go",
		"known, !known && l.wraps == WrapsStay && l.dirty", "known, false"},
	{"a row that becomes final is skipped where it stands", "emit.go", "\tcase i < e.final:\n",
		"\tcase i < e.final && !old.same(w):\n"},
	{"a frame goes down by moves that stop at the last row", "emit.go",
		"\t\tfor range n {\n\t\t\te.buf = append(e.buf, '\\n')\n\t\t}\n", "\t\te.buf = ansi.AppendCUD(e.buf, n)\n"},
	{"the live region is not marked", "mark.go", "	e.markRow(ansi.LiveMark)\n", ""},
	{"the cursor rests on the last live row", "renderer.go", "\t\tr.e.rest(r.home(), false)\n",
		"\t\tr.e.rest(Pos{Row: n - 1}, false)\n"},
	{"the live region is taken to begin a row too high", "resize.go", "\tstart := max(0, r.begins(col, row)-above)\n",
		"\tstart := max(0, r.begins(col, row)-above-1)\n"},
	{"any report is accepted", "resize.go", "\tif z.tag != anyColumn && col != z.tag {\n",
		"\tif z.tag != anyColumn && col > lastTag {\n"},
	{"a report of an older size is accepted", "resize.go", "min(z.low, rows), noTag",
		"min(z.low, rows), max(z.tag, noTag)"},
	{"lines are wrapped while the width is not known", "renderer.go", "r.want[i].wrapped && !f.Careful",
		"r.want[i].wrapped"},
	{"a line is wrapped beside a cluster in doubt", "row.go", "a.doubt == 0 && b.doubt == 0 &&\n", "\n"},
	{"what stands is erased in view", "renderer.go", "Delete, r.c.Overtakes && r.c.Sync\n",
		"Delete, r.c.Overtakes\n"},
}

const mostByText = 60 // each is in the way when its place in the renderer changes

// Each is compiled, so they run with SCROLLKEEP_REQUIRE=mutants only (`make stress`); without it
// their places are looked for.
func TestABugInTheRendererIsFound(t *testing.T) {
	if *mutantRun {
		return // it is this test that runs it
	}
	need.Time(t)
	dir := t.TempDir()
	if len(mutants) > mostByText {
		t.Errorf("%d bugs are tied to source text, and at most %d should be: a rule makes the others",
			len(mutants), mostByText)
	}
	for _, m := range mutants {
		m.check(t)
	}
	if !need.Required("mutants") {
		return
	}
	for i, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			m.run(t, filepath.Join(dir, fmt.Sprint(i)))
		})
	}
}

var mutantRun = flag.Bool("mutant", false, "this is a run with a bug in it")

// check requires that the place to change is there, once, and returns the file's path and its
// changed text.
func (m mutant) check(t *testing.T) (path, text string) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "renderer", m.file))
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(src), m.old); n != 1 {
		t.Fatalf("%s: the text to change stands in %s %d times:\n%s", m.name, m.file, n, m.old)
	}
	return path, strings.Replace(string(src), m.old, m.new, 1)
}

// run compiles the harness with the bug and requires that it fails.
func (m mutant) run(t *testing.T, dir string) {
	path, text := m.check(t)
	binary, err := harness(t, dir, path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(binary)
	args := []string{"-test.run", "^Test(Programs|SmallPrograms)(KeepTheTape|ThatFailedOncePass)$", "-test.failfast",
		"-mutant", "-shrink=false", "-seeds", "1200", "-ops", "40"}
	if strings.HasPrefix(m.file, "image/") || strings.HasPrefix(m.file, "../tui/") {
		args = []string{"-test.run", "^TestSessionsOfPictures$", "-mutant", "-pictures", "100"}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, binary, args...).CombinedOutput()
	if err == nil {
		t.Fatalf("%q did not find it:\n%s\nas\n%s", args, m.old, m.new)
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

// harness compiles this package's tests with another text in one file of the module. An error says
// that the text does not compile.
func harness(t *testing.T, dir, path string, text []byte) (binary string, err error) {
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
