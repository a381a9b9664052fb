package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	page        = "docs/vt.md"
	answersFile = "stress/cmd/vtprobe/testdata/answers.txt"
	begin, end  = "<!-- vtprobe -->\n", "<!-- end -->\n"
)

// moduleRoot returns the root folder of the module: the first folder from the working directory up
// that has docs/vt.md.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, page)); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no " + page + " above here")
		}
		dir = parent
	}
}

// table returns the table for docs/vt.md in Markdown. answers holds the answers by emulator and
// probe.
func table(answers map[string]map[string]string) string {
	var b strings.Builder
	list := peers("")
	row := func(first string, cell func(peer) string) {
		b.WriteString("| " + first + " |")
		for _, p := range list {
			b.WriteString(" " + cell(p) + " |")
		}
		b.WriteByte('\n')
	}
	row("", func(p peer) string { return p.name })
	row("---", func(peer) string { return "---" })
	for _, q := range probes {
		if q.group != "" {
			row("**"+q.group+"**", func(peer) string { return "" })
		}
		row(q.name, func(p peer) string {
			answer, asked := answers[p.name][q.name]
			if !asked {
				return "not asked"
			}
			return q.verdict(answer)
		})
	}
	return b.String()
}

// formatAnswers returns the answers as text: a line for each probe, and below it a line for each
// emulator.
func formatAnswers(answers map[string]map[string]string) string {
	var b strings.Builder
	for _, q := range probes {
		fmt.Fprintf(&b, "%s: %q\n", q.name, q.input)
		for _, p := range peers("") {
			if answer, asked := answers[p.name][q.name]; asked {
				fmt.Fprintf(&b, "\t%s: %s: %s\n", p.name, q.verdict(answer), answer)
			}
		}
	}
	return b.String()
}

// readAnswers reads the file of recorded answers, and returns them by emulator and probe. They are
// empty if there is no such file.
func readAnswers(root string) (map[string]map[string]string, error) {
	answers := make(map[string]map[string]string)
	for _, p := range peers("") {
		answers[p.name] = make(map[string]string)
	}
	text, err := os.ReadFile(filepath.Join(root, answersFile))
	if errors.Is(err, os.ErrNotExist) {
		return answers, nil
	}
	if err != nil {
		return nil, err
	}
	probe := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if name, _, ok := strings.Cut(line, ": \""); ok && !strings.HasPrefix(line, "\t") {
			probe = name
			continue
		}
		parts := strings.SplitN(strings.TrimPrefix(line, "\t"), ": ", 3)
		if of := answers[parts[0]]; of != nil && len(parts) == 3 {
			of[probe] = parts[2]
		}
	}
	return answers, nil
}

// write stores the answers in their file, and the table in docs/vt.md.
func write(root string, answers map[string]map[string]string) error {
	if err := os.WriteFile(filepath.Join(root, answersFile), []byte(formatAnswers(answers)), 0o644); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return errors.New(page + " has no place for the table")
	}
	return os.WriteFile(filepath.Join(root, page), []byte(before+begin+table(answers)+end+after), 0o644)
}
