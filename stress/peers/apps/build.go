//go:build linux

package main

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// counting is a file of package main that writes down what was allocated so far, at each SIGUSR1.
const counting = `package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

func init() {
	ask := make(chan os.Signal, 1)
	signal.Notify(ask, syscall.SIGUSR1)
	go func() {
		for i := 0; ; i++ {
			<-ask
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			name := fmt.Sprintf("%s.%d", os.Getenv("ALLOCATIONS"), i)
			text := fmt.Sprintf("%d %d", m.Mallocs, m.TotalAlloc)
			if os.WriteFile(name+".new", []byte(text), 0o600) == nil {
				os.Rename(name+".new", name)
			}
		}
	}()
}
`

// build builds the program in folder dir as file to; counted: with the file that counts.
func build(dir, to string, counted bool) error {
	args := []string{"build", "-trimpath", "-ldflags", "-s -w", "-o", to}
	if counted {
		where, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		overlay, err := json.Marshal(map[string]any{
			"Replace": map[string]string{filepath.Join(where, "counting.go"): to + ".go"}})
		if err = errors.Join(err, os.WriteFile(to+".go", []byte(counting), 0o600),
			os.WriteFile(to+".json", overlay, 0o600)); err != nil {
			return err
		}
		args = append(args, "-overlay", to+".json")
	}
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// size returns the bytes of a program and how many modules it is made of, beside the main one. Ours
// count scrollkeep, as a program would that imports it.
func size(file string, ours bool) (bytes int64, modules int, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return 0, 0, err
	}
	b, err := buildinfo.ReadFile(file)
	if err != nil {
		return 0, 0, err
	}
	modules = len(b.Deps)
	if ours {
		modules++
	}
	return info.Size(), modules, nil
}
