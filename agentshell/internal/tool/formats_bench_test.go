package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// revision is a file of a module in two versions that follow each other.
type revision struct{ name, before, after string }

// revisionsOf gives n real changes of Go files, of each pair of versions at most each.
func revisionsOf(b *testing.B, n, each int) (list []revision) {
	for _, m := range []struct{ path, versions string }{
		{"mvdan.cc/sh/v3", "v3.8.0 v3.9.0 v3.10.0 v3.11.0 v3.12.0"},
		{"golang.org/x/text", "v0.14.0 v0.18.0 v0.22.0 v0.26.0 v0.30.0"},
		{"golang.org/x/tools", "v0.20.0 v0.21.0 v0.22.0 v0.23.0 v0.24.0 v0.25.0 v0.26.0 v0.27.0"},
	} {
		var last map[string]string
		for v := range strings.FieldsSeq(m.versions) {
			now := sourcesOf(b, m.path+"@"+v)
			got := 0
			for _, name := range sortedNames(now) {
				if before := last[name]; got < each && before != "" && before != now[name] {
					list, got = append(list, revision{name, before, now[name]}), got+1
				}
			}
			last = now
		}
	}
	if len(list) < n {
		b.Fatalf("there are %d changes, not %d", len(list), n)
	}
	return list[:n]
}

func sortedNames(m map[string]string) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// sourcesOf returns the Go files of a version of a module, which is downloaded if need be.
func sourcesOf(b *testing.B, version string) map[string]string {
	out, err := exec.Command("go", "mod", "download", "-json", version).Output()
	var m struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(out, &m)
	}
	if err != nil {
		b.Fatalf("%s: %v", version, err)
	}
	files := map[string]string{}
	err = filepath.WalkDir(m.Dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !strings.HasSuffix(name, ".go") {
			return err
		}
		text, err := os.ReadFile(name)
		if rel := strings.TrimPrefix(name, m.Dir); len(text) < 256<<10 {
			files[rel] = string(text)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return files
}

// formatCost is what a format took for all changes.
type formatCost struct {
	calls, bytes int // of arguments; reads that a failure asks for are calls too
	wrong        int // files that are another text than they should be, though no call failed
	never        int // changes that could not be made
}

// A writer makes a change by a format. slip is the mistake that it makes on the first try.
type writer func(b *bench, r revision, slip string, t *formatCost) error

// try makes one call.
func (t *formatCost) try(b *bench, tool string, a args) (string, error) {
	in, err := json.Marshal(a)
	if err != nil {
		b.t.Fatal(err)
	}
	t.calls, t.bytes = t.calls+1, t.bytes+len(in)
	c, err := b.reg.Prepare(context.Background(), tool, "t", in)
	if err != nil {
		return "", err
	}
	res, err := c.Run(context.Background(), func(string) {})
	return res.Text, err
}

// byLines returns a patch for the text that was read last.
func byLines(b *bench, r revision, slip string, t *formatCost) error {
	head := b.head("f.go")
	if slip == "stale" {
		b.write("f.go", other+r.before)
	}
	patch := func(by int) string {
		var p strings.Builder
		p.WriteString(head + "\n")
		for _, h := range diff.Make([]byte(r.before), []byte(r.after), 0).Hunks {
			from, to := h.OldStart+by, h.OldStart+by+h.OldLines-1
			switch {
			case h.OldLines == 0 && h.OldStart == 0:
				p.WriteString("insert head:\n")
			case h.OldLines == 0:
				fmt.Fprintf(&p, "insert after %d:\n", from)
			case h.NewLines == 0:
				fmt.Fprintf(&p, "delete %d..%d\n", from, to)
			default:
				fmt.Fprintf(&p, "replace %d..%d:\n", from, to)
			}
			for _, l := range h.Lines {
				if l.Op == '+' {
					p.WriteString("+" + strings.TrimSuffix(l.Text, "\n") + "\n")
				}
			}
		}
		return p.String()
	}
	by := 0
	if slip == "off by one" {
		by = 1
	}
	_, err := t.try(b, "edit", args{"input": patch(by)})
	if err != nil { // it reads again, and counts right
		t.calls++
		head = b.head("f.go")
		by = 0
		if slip == "stale" {
			by = strings.Count(other, "\n")
		}
		_, err = t.try(b, "edit", args{"input": patch(by)})
	}
	return err
}

// byText returns one call for each place, with as many lines around it as make it the only one.
func byText(b *bench, r revision, slip string, t *formatCost) error {
	if slip == "stale" {
		b.write("f.go", other+r.before)
	}
	now := r.before
	hunks := diff.Make([]byte(r.before), []byte(r.after), 0).Hunks
	moved := 0
	for i, h := range hunks {
		lines := strings.SplitAfter(now, "\n")
		from := h.OldStart - 1 + moved
		if h.OldLines == 0 {
			from++
		}
		to := from + h.OldLines
		var fresh string
		for _, l := range h.Lines {
			if l.Op == '+' {
				fresh += strings.TrimSuffix(l.Text, "\n") + "\n"
			}
		}
		before, after := from, to
		old := strings.Join(lines[before:after], "")
		for old == "" || !onlyOnce(now, old) {
			if before == 0 && after == len(lines) {
				break
			}
			before, after = max(0, before-1), min(len(lines), after+1)
			old = strings.Join(lines[before:after], "")
		}
		put := strings.Join(lines[before:from], "") + fresh + strings.Join(lines[to:after], "")
		first := old
		if slip == "whitespace" && i == 0 {
			first = strings.ReplaceAll(old, "\t", "    ")
		}
		_, err := t.try(b, "edit_file", args{"path": "f.go", "old_string": first, "new_string": put})
		if err != nil && first != old { // it reads again, and copies the text
			t.calls++
			_, err = t.try(b, "edit_file", args{"path": "f.go", "old_string": old, "new_string": put})
		}
		if err != nil {
			return err
		}
		now = strings.Join(lines[:before], "") + put + strings.Join(lines[after:], "")
		moved += h.NewLines - h.OldLines
	}
	return nil
}

func onlyOnce(text, part string) bool {
	at := strings.Index(text, part)
	return at >= 0 && !strings.Contains(text[at+1:], part)
}

// byFile returns the whole text.
func byFile(b *bench, r revision, slip string, t *formatCost) error {
	if slip == "stale" {
		b.write("f.go", other+r.before)
	}
	_, err := t.try(b, "write_file", args{"path": "f.go", "content": r.after})
	return err
}

// other is what somebody else puts at the top of a file that a model has read.
const other = "// Another hand was here.\n\n"

// BenchmarkEditFormats makes 500 real changes in each format, without and with the mistakes that
// models make, and prints what they took. Which tool a model gets by default was decided by it.
func BenchmarkEditFormats(b *testing.B) {
	revisions := revisionsOf(b, 500, 80)
	for _, f := range []struct {
		name string
		by   writer
	}{{"edit", byLines}, {"edit_file", byText}, {"write_file", byFile}} {
		for _, slip := range []string{"none", "off by one", "stale", "whitespace"} {
			b.Run(f.name+"/"+strings.ReplaceAll(slip, " ", "-"), func(b *testing.B) {
				var t formatCost
				for b.Loop() {
					t = formatCost{}
					for _, r := range revisions {
						t.change(b, f.name == "edit", f.by, r, slip)
					}
				}
				b.ReportMetric(float64(t.calls), "calls")
				b.ReportMetric(float64(t.bytes), "bytes")
				b.ReportMetric(float64(t.wrong), "wrong")
				b.ReportMetric(float64(t.never), "never")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// change makes one change in a workspace of its own.
func (t *formatCost) change(b *testing.B, tagged bool, by writer, r revision, slip string) {
	files := map[string]string{"f.go": r.before}
	w := newBench(b, files)
	if tagged {
		w = newTagged(b, files)
	}
	want := r.after
	if slip == "stale" {
		want = other + want
	}
	if err := by(w, r, slip, t); err != nil {
		t.never++
	} else if w.read("f.go") != want {
		t.wrong++
	}
	w.ws.Close()
}
