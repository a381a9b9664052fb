//go:build linux

// Command agents lets agentshell and another program do the same work with sub-agents, in turn, and
// prints what the process tree of each costs: 8 agents read 20 files each, one a step, and answer.
//
//	npm install --prefix DIR opencode-ai@1.18.33
//	go run -C stress/peers ./agents -peer DIR/node_modules/opencode-linux-x64/bin/opencode
//
// A server on loopback plays the model, by the Messages API. Each program has a HOME and a
// workspace of its own, which last for all rounds. The round before the first one is not counted,
// so that no program pays for what it sets up once.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var (
	peer   = flag.String("peer", "", "the program of opencode; without it only agentshell is measured")
	ours   = flag.String("ours", "", "the program of agentshell; without it, it is built")
	rounds = flag.Int("rounds", 5, "how often each program is played")
	agents = flag.Int("agents", 8, "how many agents work")
	files  = flag.Int("files", 20, "how many files each of them reads")
	delay  = flag.Duration("delay", 0, "how long the model waits before each word")
	show   = flag.Bool("show", false, "print what the programs print")
)

// row is one of the printed table, which is Markdown.
const row = "| %-10s | %-6s | %8s | %8s | %8s | %8s | %8s | %-15s |\n"

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "agents:", err)
		os.Exit(1)
	}
}

// run plays all rounds, and prints them and their medians.
func run() error {
	dir, err := os.MkdirTemp("", "agents")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs, err := prepare(dir)
	if err != nil {
		return err
	}
	fmt.Printf(row, "program", "round", "CPU", "time", "RSS", "not file", "requests", "load")
	fmt.Printf(row, "---", "---", "--:", "--:", "--:", "--:", "--:", "---")
	measured := make([][]figures, len(programs))
	for round := range *rounds + 1 {
		for i, p := range programs {
			f, err := play(p)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			if round == 0 {
				continue
			}
			measured[i] = append(measured[i], f)
			printRow(p.name, fmt.Sprint(round), f)
		}
	}
	for i, p := range programs {
		printRow(p.name, "median", median(measured[i]))
	}
	if len(programs) == 2 && *rounds > 0 {
		printRatio(median(measured[0]), median(measured[1]))
	}
	return nil
}

// prepare makes the files of the programs.
func prepare(dir string) ([]program, error) {
	file := *ours
	if file == "" {
		file = filepath.Join(dir, "agentshell")
		build := exec.Command("go", "build", "-trimpath", "-o", file, "./agentshell")
		build.Dir = "../.."
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: %s", err, out)
		}
	}
	programs := []program{agentshell(file)}
	if *peer != "" {
		programs = append(programs, opencode(*peer))
	}
	for i, p := range programs {
		p.home, p.workspace = filepath.Join(dir, p.name, "home"), filepath.Join(dir, p.name, "workspace")
		if err := errors.Join(os.MkdirAll(p.home, 0o700), writeFiles(p.workspace)); err != nil {
			return nil, err
		}
		programs[i] = p
	}
	return programs, nil
}

// writeFiles writes what the agents read: 100 lines of 60 bytes a file.
func writeFiles(dir string) error {
	for a := range *agents {
		for f := range *files {
			name := filepath.Join(dir, fileName(a, f))
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				return err
			}
			var text strings.Builder
			for line := range 100 {
				fmt.Fprintf(&text, "agent %2d, file %2d, line %3d: %s\n", a, f, line, strings.Repeat("word ", 6))
			}
			if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}

// fileName returns the name of a file that an agent reads.
func fileName(agent, file int) string { return fmt.Sprintf("part%d/file%02d.txt", agent, file) }

// median returns the median of each figure.
func median(all []figures) figures {
	middle := func(of func(figures) float64) float64 {
		var list []float64
		for _, f := range all {
			list = append(list, of(f))
		}
		slices.Sort(list)
		return list[len(list)/2]
	}
	return figures{
		cpu:      time.Duration(middle(func(f figures) float64 { return float64(f.cpu) })),
		wall:     time.Duration(middle(func(f figures) float64 { return float64(f.wall) })),
		resident: int64(middle(func(f figures) float64 { return float64(f.resident) })),
		private:  int64(middle(func(f figures) float64 { return float64(f.private) })),
		requests: int(middle(func(f figures) float64 { return float64(f.requests) })),
	}
}

func printRow(name, round string, f figures) {
	mega := func(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }
	fmt.Printf(row, name, round, fmt.Sprintf("%.2f s", f.cpu.Seconds()), fmt.Sprintf("%.2f s", f.wall.Seconds()),
		mega(f.resident), mega(f.private), fmt.Sprint(f.requests), f.load)
}

func printRatio(a, b figures) {
	of := func(x, y float64) string { return fmt.Sprintf("1/%.1f", y/x) }
	fmt.Printf(row, "", "ratio", of(float64(a.cpu), float64(b.cpu)), of(float64(a.wall), float64(b.wall)),
		of(float64(a.resident), float64(b.resident)), of(float64(a.private), float64(b.private)), "", "")
}
