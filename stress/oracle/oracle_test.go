package oracle

import (
	"errors"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// start runs the ghostty core, or skips. SCROLLKEEP_REQUIRE=ghostty makes a missing core a failure.
func start(tb testing.TB) *Driver {
	tb.Helper()
	d, err := Start(".")
	if errors.Is(err, ErrMissing) {
		need.Missing(tb, "ghostty", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := d.Close(); err != nil && !tb.Failed() {
			tb.Error(err)
		}
	})
	return d
}
