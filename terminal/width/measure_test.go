package width

import "testing"

// Terminals as they were measured (docs/terminals): the model that is chosen by four clusters gives
// these and others the columns that the terminal takes.
func TestAModelIsChosenByFourClusters(t *testing.T) {
	const thumb, couple, ideograph = "\U0001F44D\U0001F3FD", "\U0001F468\u200d\U0001F4BB", "\u65e5"
	for _, c := range []struct {
		name   string
		cols   [4]int
		others map[string]int
	}{
		{"vim 9.0", [4]int{18, 1, 4, 4}, map[string]int{thumb: 4, couple: 10, ideograph: 2, "\U0001F1E9": 2}},
		{"neovim 0.7.2", [4]int{6, 1, 2, 2}, map[string]int{thumb: 4, couple: 4, "\u26a0\ufe0f": 1}},
		{"neovim 0.12.4", [4]int{2, 2, 2, 2}, map[string]int{thumb: 2, couple: 2, "\u26a0\ufe0f": 2}},
		{"Emacs 28.2: term, vterm, eat", [4]int{6, 1, 2, 2}, map[string]int{thumb: 4, couple: 4}},
		{"mlterm 3.9.0", [4]int{8, 1, 2, 2}, map[string]int{thumb: 4, couple: 5}},
		{"tmux 3.3a", [4]int{2, 1, 2, 2}, map[string]int{thumb: 4, ideograph: 2}},
	} {
		m, ok := FromSamples(c.cols)
		if !ok {
			t.Errorf("%s is not known", c.name)
			continue
		}
		for i, s := range Samples() {
			// tmux draws a family in two columns and measures nothing else by clusters: in doubt.
			if got := m.Cluster(s); got != c.cols[i] && !(c.cols[i] < got && m.Doubtful(s)) {
				t.Errorf("%s: %q has %d columns, and is drawn in %d", c.name, s, got, c.cols[i])
			}
			if m.Widest(s) < c.cols[i] {
				t.Errorf("%s: %q has %d columns at most, and is drawn in %d", c.name, s, m.Widest(s), c.cols[i])
			}
		}
		for s, want := range c.others {
			if got := m.Cluster(s); got != want {
				t.Errorf("%s: %q has %d columns, want %d", c.name, s, got, want)
			}
		}
	}
}

func TestWhatNoTerminalDrawsChoosesNoModel(t *testing.T) {
	for _, cols := range [][4]int{{}, {1, 1, 2, 2}, {7, 1, 2, 2}, {40, 1, 2, 2}, {6, 0, 2, 2}, {6, 3, 2, 2},
		{6, 1, 1, 2}, {6, 1, 5, 2}, {6, 1, 2, 0}, {6, 1, 2, 5}, {3, 3, 3, 3}} {
		if m, ok := FromSamples(cols); ok {
			t.Errorf("%v: %+v", cols, m)
		}
	}
}
