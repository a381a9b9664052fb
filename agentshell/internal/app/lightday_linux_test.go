package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
)

// weight holds what a process uses: processor time so far in milliseconds, memory in MiB, and open
// file descriptors.
type weight struct {
	cpu, memory float64
	descriptors int
}

func weigh(t *testing.T, pid int) weight {
	t.Helper()
	read := func(name string) string {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	stat := read("stat")
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	number := func(text string) float64 {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	list, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	// Times are told in hundredths of a second, whatever the kernel counts in.
	return weight{cpu: 10 * (number(fields[11]) + number(fields[12])),
		memory:      number(strings.Fields(read("statm"))[1]) * float64(os.Getpagesize()) / (1 << 20),
		descriptors: len(list)}
}

// lightScript returns a script in which the model writes a file and runs a command in each turn.
func lightScript(turns int) (lines []string) {
	line := func(say string, calls ...map[string]any) {
		text, _ := json.Marshal(map[string]any{"say": say, "tool_calls": calls, "delay_ms": 0, "chunk_runes": 40})
		lines = append(lines, string(text))
	}
	for i := range turns {
		name := fmt.Sprintf("f%d.txt", i%40)
		content := strings.Repeat("a line of the file\n", 50) + fmt.Sprintf("turn %d\n", i)
		line("I write it.", map[string]any{"id": "w", "name": "write_file",
			"input": map[string]any{"path": name, "content": content}})
		line("", map[string]any{"id": "b", "name": "bash", "input": map[string]any{"command": "wc -l " + name}})
		line(fmt.Sprintf("It has 51 lines. %s\n\nDone with turn %d.", strings.Repeat("Some words of it. ", 20), i))
	}
	return lines
}

// A session with as many edits and commands as somebody makes in a day (SCROLLKEEP_DAY turns) holds
// few descriptors open and little memory, and its last turns cost what its first ones did.
func TestASessionLastsAllDayAndStaysLight(t *testing.T) {
	t.Parallel()
	turns := max(dayTurns(), 60) // from about 50 on the descriptors tell
	p := newPlace(t)
	cmd := p.command("--plain", "--mode", "trusted", "--script", p.script(lightScript(turns)...))
	detach(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	defer in.Close()
	lines := bufio.NewScanner(out)
	most := weight{}
	var at []weight
	for i := range turns {
		if _, err := io.WriteString(in, fmt.Sprintf("turn %d\n", i)); err != nil {
			t.Fatal(err)
		}
		done := fmt.Sprintf("Done with turn %d.", i)
		for lines.Scan() && lines.Text() != done {
		}
		if lines.Text() != done {
			t.Fatalf("turn %d did not end: %v", i, lines.Err())
		}
		w := weigh(t, cmd.Process.Pid)
		at = append(at, w)
		most.memory, most.descriptors = max(most.memory, w.memory), max(most.descriptors, w.descriptors)
	}
	t.Logf("%d turns: at most %d descriptors and %.0f MiB", turns, most.descriptors, most.memory)
	if most.descriptors > 60 || most.memory > 80 {
		t.Errorf("%d descriptors and %.0f MiB in %d turns, at most 60 and 80 will do", most.descriptors, most.memory,
			turns)
	}
	if turns < 1000 {
		return // so few turns are not measured well enough
	}
	first := (at[150].cpu - at[50].cpu) / 100
	last := (at[turns-1].cpu - at[turns-101].cpu) / 100
	t.Logf("%.1f ms of processor time a turn at turn 100, %.1f at the end", first, last)
	if last > 1.5*first {
		t.Errorf("a turn takes %.1f ms of processor time at turn 100, and %.1f at turn %d", first, last, turns)
	}
}
