package work

import (
	"testing"
	"time"
)

// spin computes n steps.
func spin(n int) (sum uint64) {
	for i := range uint64(n) {
		sum = sum*6364136223846793005 + i
	}
	return sum
}

// What waits is no work, and sixteen times the work is between four and sixty-four times as much on
// any machine, however busy.
func TestWorkIsNoTimeThatPasses(t *testing.T) {
	var sum uint64
	few, many := Of(t, func() { sum += spin(1 << 16) }), Of(t, func() { sum += spin(1 << 20) })
	if many < 4*few || many > 64*few || sum == 0 {
		t.Errorf("2^16 steps take %v, 2^20 %v", few, many)
	}
	waits := Of(t, func() {
		<-time.After(20 * many)
		sum += spin(1 << 20)
	})
	if waits > 8*many {
		t.Errorf("2^20 steps take %v, and %v behind a wait", many, waits)
	}
}
