package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// result is what a contestant prints.
type result struct {
	Windows []window `json:"windows"`
}

// table plays workloads in scrollkeep and in the peers, each in a process of its own, and prints what a frame costs, and scrollkeep's share of it.
func table(names []string) error {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ours := filepath.Join(dir, "workload")
	build := exec.Command("go", "build", "-o", ours, "./stress/cmd/workload")
	build.Dir = "../.." // it is not of this module
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("%-10s %-12s %8s %7s %7s   %s\n", "workload", "contestant", "B/frame", "us", "allocs", "scrollkeep / it: bytes, time, allocations")
	for _, name := range names {
		args := []string{"--make", name, "--size", *size, "--seed", fmt.Sprint(*seed)}
		if err := exec.Command(ours, append(args, "--dir", dir)...).Run(); err != nil {
			return err
		}
		mine, err := run(exec.Command(ours, "--script", filepath.Join(dir, name+"-"+*size+".jsonl"), "--profile", "ghostty"))
		if err != nil {
			return err
		}
		line(name, "scrollkeep", mine, mine)
		for _, p := range []string{"bubbletea1", "bubbletea2"} {
			w, err := run(exec.Command(self, append(args, "--peer", p)...))
			if err != nil {
				return err
			}
			line(name, p, w, mine)
		}
	}
	return nil
}

// run is the first window that c prints.
func run(c *exec.Cmd) (window, error) {
	out, err := c.Output()
	if err != nil {
		return window{}, fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
	}
	var r result
	if err := json.Unmarshal(out, &r); err != nil || len(r.Windows) == 0 || r.Windows[0].Frames == 0 {
		return window{}, fmt.Errorf("%s: no window in %q: %w", strings.Join(c.Args, " "), out, err)
	}
	return r.Windows[0], nil
}

func line(name, who string, w, mine window) {
	n := float64(w.Frames)
	fmt.Printf("%-10s %-12s %8.1f %7.1f %7.1f   %.2f %.2f %.2f\n", name, who, float64(w.Bytes)/n, float64(w.CPU)/n, float64(w.Allocs)/n,
		float64(mine.Bytes)/float64(max(w.Bytes, 1)), float64(mine.CPU)/float64(max(w.CPU, 1)), float64(mine.Allocs)/float64(max(w.Allocs, 1)))
}
