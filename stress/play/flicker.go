package play

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/stress/flicker"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// seenBetween returns the flicker that a user could see within the frames of a log, on a terminal
// that shows each escape sequence as it comes.
func seenBetween(p profile.Profile, log []workload.Record) (flicker.Seen, error) {
	var all flicker.Seen
	p.Differs.HoldSync = 0
	t := p.New(log[0].Cols, log[0].Rows, 1000)
	for i := range shellRows {
		fmt.Fprintf(t, "shell %04d\r\n", i)
	}
	w := flicker.New(t)
	for _, r := range log[1:] {
		if r.Cols > 0 {
			playRecord(t, r)
			continue
		}
		s, err := w.Frame(r.Data)
		if err != nil {
			return all, err
		}
		all.Add(s)
	}
	return all, nil
}
