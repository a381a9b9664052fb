package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

var errMissing = errors.New("not installed")

// peer describes an emulator that can play scripts of package screen.
type peer struct {
	name    string   // heading in the table, with the version
	needs   string   // a file that exists only where the emulator is installed; "": none
	command []string // command line that plays a script; nil: terminal/vt
}

// peers returns all emulators, in the order of the table. root is the folder of the module.
func peers(root string) []peer {
	oracle := func(file string) []string { return []string{"node", filepath.Join(root, "stress/oracle", file)} }
	modules := filepath.Join(root, "stress/oracle/node_modules")
	library := func(name string) []string {
		return []string{"go", "run", "-C", filepath.Join(root, "stress/peers", name), "."}
	}
	return []peer{
		{name: "terminal/vt"},
		{"ghostty, core of April 2026", filepath.Join(modules, "@coder/libghostty-vt-node"),
			append(oracle("driver.mjs"), "--script")},
		{"xterm.js 6.0.0", filepath.Join(modules, "@xterm/headless"), oracle("xtermjs.mjs")},
		{"libvterm 0.1.4", "/usr/include/vterm.h", library("libvterm")},
		{"charm x/vt 0.1.0", "", library("charmvt")},
	}
}

// ask plays all probes on the emulator, and returns its answers by the names of the probes.
func (p peer) ask(list []probe) (map[string]string, error) {
	var script bytes.Buffer
	for _, q := range list {
		for _, op := range q.script() {
			line, err := json.Marshal(op)
			if err != nil {
				return nil, err
			}
			script.Write(append(line, '\n'))
		}
	}
	out, err := p.play(&script)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	answers := make(map[string]string)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for _, q := range list {
		if !lines.Scan() {
			return nil, fmt.Errorf("%s: no answer to %q", p.name, q.name)
		}
		var d screen.Dump
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		answers[q.name] = q.question.answer(&d)
	}
	return answers, nil
}

// play plays a script on the emulator and returns its dumps, as lines of JSON. The error is
// errMissing if the emulator is not installed.
func (p peer) play(script *bytes.Buffer) (*bytes.Buffer, error) {
	var out, problems bytes.Buffer
	if p.command == nil {
		return &out, screen.Play(script, &out, screen.Size{}, screen.NewVT)
	}
	if _, err := os.Stat(p.needs); p.needs != "" && err != nil {
		return nil, errMissing
	}
	path, err := exec.LookPath(p.command[0])
	if err != nil {
		return nil, errMissing
	}
	cmd := exec.Command(path, p.command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = script, &out, &problems
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, problems.String())
	}
	return &out, nil
}
