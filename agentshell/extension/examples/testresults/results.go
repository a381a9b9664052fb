package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/extension"
)

// The maximum number of failures that are shown, and of output lines of each.
const (
	maxFailures = 20
	maxOutput   = 6
)

// results holds the results of one run of go test.
type results struct {
	passed, failed, skipped int // Numbers of tests.
	packages                int // The number of packages that passed or failed.
	cached                  int
	failures                []*failure
	told                    int // The number of failures that belong to packages whose result was read.
	byName                  map[string]*failure
}

// failure is a failed test, or a failed package such as one that does not build.
type failure struct {
	name, time string
	output     []string
}

// event is a line of the output of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// read parses the output of go test, plain or from -json.
func read(text string) *results {
	r := &results{byName: map[string]*failure{}}
	var open *failure // that the following lines belong to
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		var e event
		if strings.HasPrefix(line, `{"`) && json.Unmarshal([]byte(line), &e) == nil && e.Action != "" {
			r.event(e)
			continue
		}
		open = r.line(line, open)
	}
	return r
}

// line handles a line of plain output. open is the failed test that the line may belong to, or nil.
// It returns the failed test that the next line may belong to.
func (r *results) line(line string, open *failure) *failure {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	fields := strings.Split(line, "\t")
	switch {
	case word == "---":
		kind, name, _ := strings.Cut(rest, ": ")
		name, took, _ := strings.Cut(name, " ")
		switch kind {
		case "PASS":
			r.passed++
		case "SKIP":
			r.skipped++
		case "FAIL":
			r.failed++
			return r.fail(name, strings.Trim(took, "()"))
		}
		return nil
	case fields[0] == "ok  " && len(fields) > 2:
		r.packages++
		if strings.Contains(line, "(cached)") {
			r.cached++
		}
		return nil
	case fields[0] == "FAIL" && len(fields) > 1:
		name, why, _ := strings.Cut(fields[1], " [") // why: it does not build
		r.failedPackage(name, strings.TrimSuffix(why, "]"))
		return nil
	case line == "FAIL" || line == "PASS" || strings.HasPrefix(line, "==="):
		return nil
	}
	if open != nil {
		open.output = append(open.output, strings.TrimSpace(line))
	}
	return open
}

// event handles a line of the output of go test -json.
func (r *results) event(e event) {
	name := e.Package
	if e.Test != "" {
		name += "." + e.Test
	}
	switch {
	case e.Action == "output" && e.Test != "":
		text := strings.TrimSpace(e.Output)
		if text != "" && !strings.HasPrefix(text, "===") && !strings.HasPrefix(text, "---") {
			f := r.byName[name]
			if f == nil {
				f = &failure{name: name}
				r.byName[name] = f
			}
			f.output = append(f.output, text)
		}
	case e.Test == "" && e.Action == "pass":
		r.packages++
	case e.Test == "" && e.Action == "fail":
		r.failedPackage(e.Package, "")
	case e.Action == "pass":
		r.passed++
	case e.Action == "skip" && e.Test != "":
		r.skipped++
	case e.Action == "fail":
		r.failed++
		r.fail(name, fmt.Sprintf("%.2fs", e.Elapsed))
	}
}

// failedPackage counts a failed package. If none of its tests has failed, the package itself is
// shown as a failure. why is the reason, if it is known.
func (r *results) failedPackage(name, why string) {
	r.packages++
	if len(r.failures) == r.told {
		r.fail(name, why)
	}
	r.told = len(r.failures)
}

// fail adds a failed test or package to the failures and returns it. took is its duration, or a
// reason.
func (r *results) fail(name, took string) *failure {
	f := r.byName[name]
	if f == nil {
		f = &failure{name: name}
		r.byName[name] = f
	}
	f.time = took
	r.failures = append(r.failures, f)
	return f
}

// rows returns the rows to show. It returns nil if the text was not the output of go test.
func (r *results) rows() (rows []extension.Row) {
	if r.packages == 0 {
		return nil
	}
	for _, f := range r.failures[:min(len(r.failures), maxFailures)] {
		rows = append(rows, extension.Join(extension.Styled(extension.Removed, "✗ "+f.name),
			extension.Styled(extension.Dim, " "+f.time)))
		for _, line := range f.output[:min(len(f.output), maxOutput)] {
			rows = append(rows, extension.Styled(extension.Dim, "    "+line))
		}
	}
	if more := len(r.failures) - maxFailures; more > 0 {
		rows = append(rows, extension.Styled(extension.Dim, fmt.Sprintf("  and %d more", more)))
	}
	return append(rows, r.summary())
}

// summary returns the last row, with the numbers of tests and packages.
func (r *results) summary() extension.Row {
	row := extension.Styled(extension.Added, "✓ ")
	if len(r.failures) > 0 {
		row = extension.Styled(extension.Removed, fmt.Sprintf("✗ %d failed, ", len(r.failures)))
	}
	text := count(r.packages, "package")
	if r.passed > 0 {
		text = count(r.passed, "test") + " passed, " + text
	}
	if r.skipped > 0 {
		text += fmt.Sprintf(", %d skipped", r.skipped)
	}
	if r.cached > 0 {
		text += fmt.Sprintf(", %d cached", r.cached)
	}
	return append(row, extension.Span{Text: text})
}

// count returns a number with its noun, such as "1 test" or "2 tests".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
