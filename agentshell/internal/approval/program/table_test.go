package program

import "testing"

func TestEveryTableCanBeRead(t *testing.T) {
	all, problems := readTables()
	for _, p := range problems {
		t.Error(p)
	}
	t.Log(len(all))
}
