package oracle

import (
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

// Each change is one: without its translation the pinned core differs, with it nothing does.
func TestEachChangeBehindThePinnedCoreIsKnownByName(t *testing.T) {
	d := start(t)
	for i, c := range Changes() {
		p := Program{Size: screen.Size{Cols: 10, Rows: 4, Scrollback: 10}, Ops: []Op{{Name: "text", Bytes: c.Example}}}
		if !same(t, d, p, Changes()) {
			t.Errorf("%s: differs with its translation, too", c.Name)
		}
		if same(t, d, p, slices.Delete(Changes(), i, i+1)) {
			t.Errorf("%s: the pinned core does that untranslated", c.Name)
		}
	}
}

func same(t *testing.T, d *Driver, p Program, changes []Change) bool {
	t.Helper()
	ok := false
	for v, err := range d.compare([]Program{p}, emulator, changes) {
		if err != nil {
			t.Fatal(err)
		}
		ok = v.OK()
	}
	return ok
}
