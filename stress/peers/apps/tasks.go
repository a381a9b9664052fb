//go:build linux

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const examples = "../../../tui/examples/"

// The keys as bytes.
const (
	enter    = "\r"
	tab      = "\t"
	shiftTab = "\x1b[Z"

	down  = "\x1b[B"
	right = "\x1b[C"
	ctrlC = "\x03"
)

// program is one of the programs that do the same.
type program struct{ library, dir string }

// task is what programs do, and how they are played.
type task struct {
	name     string
	programs []program
	// prepare writes what the program reads into dir, which is its working directory; end ends what
	// serves it.
	prepare func(dir string) (args []string, end func(), err error)
	first   string                             // a text of the first screen
	moves   bool                               // the first screen does, by itself
	play    func(s *session, dir string) error // all that is measured
	last    string                             // keys that end it, if there are any
	said    string                             // what must be on the terminal at the end
	steps   int                                // that play takes
	unit    string                             // what a step is
}

func nothing() {}

// formKeys fill the form, but for the last answer.
var formKeys = slices.Concat(strings.Split("Ada", ""), []string{enter}, strings.Split("ada@example.org", ""),
	[]string{enter}, strings.Split("hunter22", ""),
	[]string{enter, down, enter, " ", down, down, " ", tab, right})

const (
	times    = 100
	seconds  = 10
	updates  = 30 // a second
	logLines = 2000
)

var tasks = []task{
	{name: "form",
		programs: []program{{"scrollkeep", examples + "form"}, {"huh", "huhform"}},
		prepare:  func(string) ([]string, func(), error) { return nil, nothing, nil },
		first:    "Name",
		play: func(s *session, _ string) error {
			s.press(formKeys...)
			s.quiet()
			return nil
		},
		last: enter, said: "Newsletter? no", steps: len(formKeys), unit: "key"},

	{name: "table",
		programs: []program{{"scrollkeep", examples + "table"}, {"tview", "tviewtable"}, {"bubbletea", "teatable"}},
		prepare: func(dir string) ([]string, func(), error) {
			for _, name := range []string{"rivers", "lakes"} {
				var b strings.Builder
				b.WriteString("Number,Name,Length,Country\n")
				for i := range 1000 {
					fmt.Fprintf(&b, "%d,%s-%03d,%d,country %d\n", i+1, name, i, (i*7919)%5000, i%40)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o600); err != nil {
					return nil, nil, err
				}
			}
			return []string{"rivers", "lakes"}, nothing, nil
		},
		first: "rivers-000",
		play: func(s *session, _ string) error {
			s.press(slices.Repeat([]string{down}, times)...)
			s.press(tab)
			s.press(slices.Repeat([]string{down}, times)...)
			s.quiet()
			return s.until("lakes-100")
		},
		last: enter, said: "101, lakes-100, ", steps: 2*times + 1, unit: "key"},

	{name: "downloads",
		programs: []program{{"scrollkeep", examples + "downloads"}, {"bubbletea", "teadownloads"}},
		prepare: func(string) ([]string, func(), error) {
			server := httptest.NewServer(http.HandlerFunc(serve))
			var urls []string
			for i := range 4 {
				urls = append(urls, fmt.Sprintf("%s/file-%d.zip", server.URL, i))
			}
			return urls, server.Close, nil
		},
		first: "%", moves: true,
		play: func(s *session, _ string) error {
			time.Sleep(seconds * time.Second)
			return nil
		},
		said: "file-3.zip  3.", steps: seconds, unit: "s"},

	{name: "tree",
		programs: []program{{"scrollkeep", examples + "tree"}, {"tview", "tviewtree"}},
		prepare: func(dir string) ([]string, func(), error) {
			if err := os.MkdirAll(filepath.Join(dir, "d", "sub"), 0o700); err != nil {
				return nil, nil, err
			}
			for i := range 200 {
				var b strings.Builder
				for j := range 200 {
					fmt.Fprintf(&b, "file %d, line %d: %s\n", i, j, strings.Repeat("tide ", (i+j)%7))
				}
				name := filepath.Join(dir, "d", "sub", fmt.Sprintf("file-%03d.txt", i))
				if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
					return nil, nil, err
				}
			}
			return []string{"d"}, nothing, nil
		},
		first: "sub/",
		play: func(s *session, _ string) error {
			s.press(right)
			s.press(slices.Repeat([]string{down}, times)...)
			s.press(tab)
			s.press(slices.Repeat([]string{down}, times)...)
			s.press(shiftTab)
			s.quiet()
			return s.until("file 99, line 100")
		},
		last: enter, said: "sub/file-099.txt", steps: 2*times + 3, unit: "key"},

	{name: "tail",
		programs: []program{{"scrollkeep", examples + "tail"}, {"bubbletea", "teatail"}},
		prepare: func(dir string) ([]string, func(), error) {
			return []string{"x.log"}, nothing, os.WriteFile(filepath.Join(dir, "x.log"), nil, 0o600)
		},
		first: "searches",
		play: func(s *session, dir string) error {
			if err := grow(filepath.Join(dir, "x.log")); err != nil {
				return err
			}
			err := s.until(fmt.Sprintf("line %d ", logLines-1))
			s.quiet()
			return err
		},
		last: ctrlC, said: fmt.Sprintf("line %d ", logLines-1), steps: logLines, unit: "line"},

	// The programs of docs/coming-from.md.
	{name: "timer",
		programs: []program{{"scrollkeep", "owntimer"}, {"bubbletea", "teatimer"}},
		prepare:  func(string) ([]string, func(), error) { return []string{"60s", "focus"}, nothing, nil },
		first:    "left", moves: true,
		play: func(s *session, _ string) error {
			s.press(" ", " ")
			time.Sleep(seconds * time.Second)
			return nil
		},
		last: "q", said: "focus: stopped after 1", steps: seconds, unit: "s"},

	{name: "people",
		programs: []program{{"scrollkeep", "owncontacts"}, {"tview", "tviewcontacts"}},
		prepare: func(dir string) ([]string, func(), error) {
			var b strings.Builder
			b.WriteString("Name,Address,City\n")
			for i := range 1000 {
				fmt.Fprintf(&b, "Person %03d,p%03d@example.org,city %d\n", i, i, i%40)
			}
			const name = "people.csv"
			return []string{name}, nothing, os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o600)
		},
		first: "Person 000",
		play: func(s *session, _ string) error {
			s.press(slices.Repeat([]string{down}, times)...)
			s.press(strings.Split("/person 777", "")...)
			s.press(enter)
			s.quiet()
			return s.until("p777@")
		},
		last: enter, said: "p777@example.org", steps: times + 12, unit: "key"},
}

// serve sends three million bytes in ten seconds, and goes on for half a second.
func serve(w http.ResponseWriter, _ *http.Request) {
	const pieces = seconds*updates + updates/2
	w.Header().Set("Content-Length", fmt.Sprint(pieces*10_000))
	clock := time.NewTicker(time.Second / updates)
	defer clock.Stop()
	for range pieces {
		if _, err := w.Write(make([]byte, 10_000)); err != nil {
			return
		}
		w.(http.Flusher).Flush()
		<-clock.C
	}
}

// grow writes lines to a log, ten at a time, for ten seconds.
func grow(name string) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	levels := []string{"INFO", "INFO", "DEBUG", "WARN", "ERROR"}
	for i := 0; i < logLines; {
		for range 10 {
			if _, err := fmt.Fprintf(file, "10:%02d:%02d %-5s line %d of the log, %d ms\n", i/60%60, i%60,
				levels[i%len(levels)], i, (i*7919)%1000); err != nil {
				return err
			}
			i++
		}
		time.Sleep(seconds * time.Second * 10 / logLines)
	}
	return nil
}
