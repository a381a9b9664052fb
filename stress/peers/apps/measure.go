//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// figures are what a program costs.
type figures struct {
	start, bytes      int           // written until the first screen, and from there to the last key
	cpu               time.Duration // user and system, of the whole process
	allocs, allocated int64         // objects and bytes, from the first screen to the last keys
	rss               int64         // the most that was resident, in bytes
	binary            int64         // bytes
	modules           int           // that it is made of, beside itself
}

// measure plays p as often as is wanted, and once more for what it allocates.
func measure(t task, p program, file string) (figures, error) {
	var f figures
	if err := errors.Join(build(p.dir, file, false), build(p.dir, file+"-counted", true)); err != nil {
		return f, err
	}
	var starts, bytes []int
	for i := range max(*rounds, 1) {
		g, err := play(t, file, false)
		if err != nil {
			return f, err
		}
		if i == 0 {
			f = g
		}
		f.cpu, f.rss = min(f.cpu, g.cpu), min(f.rss, g.rss)
		starts, bytes = append(starts, g.start), append(bytes, g.bytes)
	}
	slices.Sort(starts)
	slices.Sort(bytes)
	f.start, f.bytes = starts[len(starts)/2], bytes[len(bytes)/2]
	g, err := play(t, file+"-counted", true)
	if err != nil {
		return f, err
	}
	f.allocs, f.allocated = g.allocs, g.allocated
	f.binary, f.modules, err = size(file, strings.HasPrefix(p.dir, examples) || strings.HasPrefix(p.dir, "own"))
	return f, err
}

// play plays the program in file once, in a folder of its own.
func play(t task, file string, counted bool) (f figures, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(file), "play")
	if err != nil {
		return f, err
	}
	args, end, err := t.prepare(dir)
	if err != nil {
		return f, err
	}
	defer end()
	s, err := begin(file, dir, args)
	if err != nil {
		return f, err
	}
	defer s.close()
	counts := func(i int) (n, bytes int64, err error) {
		if !counted {
			return 0, 0, nil
		}
		if err := s.cmd.Process.Signal(syscall.SIGUSR1); err != nil {
			return 0, 0, err
		}
		name := filepath.Join(dir, fmt.Sprint("allocations.", i))
		for range 500 {
			if text, err := os.ReadFile(name); err == nil {
				_, err = fmt.Sscan(string(text), &n, &bytes)
				return n, bytes, err
			}
			time.Sleep(10 * time.Millisecond)
		}
		return 0, 0, errors.New("it does not say what it allocates")
	}
	if err := s.until(t.first); err != nil {
		return f, err
	}
	if !t.moves {
		s.quiet()
	}
	f.start = s.count()
	n, bytes, err := counts(0)
	if err != nil {
		return f, err
	}
	if err := t.play(s, dir); err != nil {
		return f, err
	}
	f.bytes = s.count() - f.start
	if *screen && !counted {
		fmt.Println(s.String())
	}
	if f.allocs, f.allocated, err = counts(1); err != nil {
		return f, err
	}
	f.allocs, f.allocated = f.allocs-n, f.allocated-bytes
	if f.rss, err = s.rss(); err != nil {
		return f, err
	}
	if t.last != "" {
		s.press(t.last)
	}
	state, err := s.wait()
	if err != nil {
		return f, err
	}
	f.cpu = state.UserTime() + state.SystemTime()
	if text := s.String(); !strings.Contains(text, t.said) {
		return f, fmt.Errorf("%q is not in what it leaves:\n%s", t.said, text)
	}
	return f, nil
}
