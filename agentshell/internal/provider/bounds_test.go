package provider_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

func TestEveryBoundHasADefault(t *testing.T) {
	b := reflect.ValueOf(provider.Bounds{}.OrDefault())
	for i := range b.NumField() {
		if b.Field(i).Int() <= 0 {
			t.Errorf("%s has none", b.Type().Field(i).Name)
		}
	}
	if got := (provider.Bounds{Line: 3}).OrDefault(); got.Line != 3 || got.Event == 3 {
		t.Errorf("%+v", got)
	}
}

func TestASizeHasAUnitThatIsExact(t *testing.T) {
	for n, want := range map[int]string{0: "0 bytes", 1000: "1000 bytes", 1024: "1 KiB", 1536: "1536 bytes",
		64 << 10: "64 KiB", 4 << 20: "4 MiB", 4<<20 + 1024: "4097 KiB"} {
		if got := provider.FormatSize(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestATallyTakesWhatIsWithinAndRefusesTheNextByte(t *testing.T) {
	b := provider.Bounds{Text: 10, Thinking: 10, Calls: 2, Arguments: 10, Message: 35}
	for name, c := range map[string]struct {
		fill func(t *provider.Tally) error // up to the bound
		over func(t *provider.Tally) error
		want string
	}{
		"text": {func(t *provider.Tally) error {
			return t.CountText(10)
		}, func(t *provider.Tally) error { return t.CountText(1) }, "its text is longer than 10 bytes"},
		"thinking": {func(t *provider.Tally) error {
			return t.CountThinking(10)
		}, func(t *provider.Tally) error { return t.CountThinking(1) }, "its thinking is longer than 10 bytes"},
		"calls": {func(t *provider.Tally) error { return errors.Join(t.CountCall(1), t.CountCall(1)) },
			func(t *provider.Tally) error { return t.CountCall(1) }, "it makes more than 2 calls"},
		"arguments": {func(t *provider.Tally) error {
			return t.CountArguments(4, 6)
		}, func(t *provider.Tally) error {
			return t.CountArguments(10, 1)
		}, "the arguments of a call are longer than 10 bytes"},
		"message": {func(t *provider.Tally) error {
			return errors.Join(t.CountText(10), t.CountThinking(10), t.CountArguments(0, 10), t.CountOther(5))
		}, func(t *provider.Tally) error { return t.CountCall(1) }, "the message is longer than 35 bytes"},
	} {
		tally := provider.NewTally(b)
		if err := c.fill(tally); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var excess *provider.Excess
		if err := c.over(tally); !errors.As(err, &excess) || excess.What != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
