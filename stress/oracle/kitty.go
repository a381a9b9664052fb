package oracle

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"

	"github.com/scrollkeep/scrollkeep/stress/profile"
)

// Kitty is the kitty that is asked: SCROLLKEEP_KITTY names another one than the installed.
func Kitty() string { return cmp.Or(os.Getenv("SCROLLKEEP_KITTY"), "kitty") }

// KittyProfile is the version of that kitty, such as 0.26.5, and the profile that it should have.
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
