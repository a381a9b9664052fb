package app

import "testing"

func TestTheWindowOfAModelIsShort(t *testing.T) {
	for tokens, want := range map[int]string{8192: "8k tokens", 200_000: "200k tokens", 1_000_000: "1M tokens",
		1_048_576: "1.05M tokens", 2_000_000: "2M tokens"} {
		if got := windowText(tokens); got != want {
			t.Errorf("%d: %q, want %q", tokens, got, want)
		}
	}
}
