package oracle

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
)

// Kitty is the kitty that is asked: SCROLLKEEP_KITTY names another one than the installed.
func Kitty() string { return cmp.Or(os.Getenv("SCROLLKEEP_KITTY"), "kitty") }

// KittyVersion is the version of that kitty, such as 0.26.5.
func KittyVersion() (string, error) {
	out, err := exec.Command(Kitty(), "--version").Output()
	if err != nil {
		return "", fmt.Errorf("oracle: %s: %w", Kitty(), err)
	}
	var version string
	if _, err := fmt.Sscanf(string(out), "kitty %s", &version); err != nil {
		return "", fmt.Errorf("oracle: %s says %q: %w", Kitty(), out, err)
	}
	return version, nil
}
