//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// spent returns the CPU that a process and those below it have taken, by the scheduler's count.
func spent(pid int) (sum time.Duration) {
	for _, pid := range append(tree(pid), pid) {
		names, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
		for _, name := range names {
			text, _ := os.ReadFile(name)
			var ran int64
			if n, _ := fmt.Sscan(string(text), &ran); n == 1 {
				sum += time.Duration(ran)
			}
		}
	}
	return sum
}

// residentOf returns the memory that a process and those below it have resident, in bytes.
func residentOf(pid int) (sum int64) {
	for _, pid := range append(tree(pid), pid) {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		var size, resident int64
		if n, _ := fmt.Sscan(string(text), &size, &resident); n == 2 {
			sum += resident * int64(os.Getpagesize())
		}
	}
	return sum
}

// tree returns all processes below one.
func tree(root int) (list []int) {
	children := map[int][]int{}
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		text, _ := os.ReadFile(name)
		_, after, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(after)
		if len(fields) < 2 {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		parent, _ := strconv.Atoi(fields[1])
		children[parent] = append(children[parent], pid)
	}
	for open := children[root]; len(open) > 0; open = open[1:] {
		list = append(list, open[0])
		open = append(open, children[open[0]]...)
	}
	return list
}
