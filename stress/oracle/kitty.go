package oracle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/stress/profile"
)

// Kitty returns the program of kitty to ask: the value of SCROLLKEEP_KITTY, or "kitty", the
// installed one.
func Kitty() string { return cmp.Or(os.Getenv("SCROLLKEEP_KITTY"), "kitty") }

// KittyProfile returns the version of the program [Kitty], such as "0.26.5", and the profile that
// fits this version.
func KittyProfile() (version string, p profile.Profile, err error) {
	out, err := exec.Command(Kitty(), "--version").Output()
	if err != nil {
		return "", p, fmt.Errorf("oracle: %s: %w", Kitty(), err)
	}
	if _, err := fmt.Sscanf(string(out), "kitty %s", &version); err != nil {
		return "", p, fmt.Errorf("oracle: %s says %q: %w", Kitty(), out, err)
	}
	p, err = profile.Kitty(version)
	return version, p, err
}

// KittyWidths returns the number of columns that each of the texts takes behind an x, as the core
// of the program [Kitty] measures it. dir is the folder of kitty.py.
func KittyWidths(dir string, texts []string) ([]int, error) {
	data, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	out, err := askWith(data, Kitty(), "+launch", filepath.Join(dir, "kitty.py"), "--widths")
	if err != nil {
		return nil, err
	}
	var columns []int
	if err := json.Unmarshal(out, &columns); err != nil || len(columns) != len(texts) {
		return nil, fmt.Errorf("oracle: kitty measured %d of %d texts: %v", len(columns), len(texts), err)
	}
	return columns, nil
}
