package play

import (
	"fmt"
	"os"

	"github.com/scrollkeep/scrollkeep/stress/flicker"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/workload"
	"github.com/scrollkeep/scrollkeep/tui"
)

// window holds the figures that were measured between a begin and an end of the script.
type window struct {
	Name   string  `json:"name"`
	Frames int     `json:"frames"`
	Bytes  int     `json:"bytes"`
	Writes int     `json:"writes"`
	CPU    int64   `json:"cpu_us"`
	Allocs uint64  `json:"allocs"`
	Alloc  uint64  `json:"alloc_bytes"`
	Heap   float64 `json:"heap_mb"` // MiB of heap in use at the end, without the log of the output
}

// result holds the figures of one played script. It is printed as one line of JSON.
type result struct {
	Contestant string   `json:"contestant"`
	Script     string   `json:"script"`
	Windows    []window `json:"windows"`
	Tape       *verdict `json:"tape,omitempty"`

	Seen flicker.Seen `json:"-"`
}

// options holds the values of the test's flags: what to play, and how to judge the result.
type options struct {
	Policy, Resize, Profile, Log string
	// Emulator shows the program's output at the end, "": the profile's own; Oracle is the folder
	// of tape.mjs
	Emulator, Oracle string
	Between          bool   // look for flicker between the sequences of a frame
	Tape             string // file with the rows that a real terminal has shown; "": none
}

// play plays the script s. The caller runs it in a bubble of testing/synctest. If s expects rows,
// they are compared with what the terminal shows at the end.
func play(s workload.Script, o options) (*result, error) {
	p, ok := profile.ByName(o.Profile)
	if !ok {
		return nil, fmt.Errorf("no profile is called %q", o.Profile)
	}
	modes := map[string]tui.ResizeMode{"preserve": tui.ResizePreserve, "append": tui.ResizeAppend,
		"rebuild": tui.ResizeRebuild}
	resize, ok := modes[o.Resize]
	if !ok {
		return nil, fmt.Errorf("no resize mode is called %q", o.Resize)
	}
	if o.Policy != "para" && o.Policy != "msg" {
		return nil, fmt.Errorf("no policy is called %q", o.Policy)
	}
	k := newSink(p, s.Ops[0].W, s.Ops[0].H)
	c := newChat(o.Policy == "msg")
	c.app.Resize = resize
	windows, log, err := run(c, k, s.Ops[1:])
	if err != nil {
		return nil, err
	}
	if o.Log != "" {
		if err := os.WriteFile(o.Log, workload.EncodeLog(log), 0o644); err != nil {
			return nil, err
		}
	}
	r := &result{Contestant: "scrollkeep", Windows: windows}
	if o.Between {
		if r.Seen, err = seenBetween(p, log); err != nil {
			return nil, err
		}
	}
	if len(s.Expect) > 0 {
		var got picture
		if o.Emulator == "" {
			got = replay(p, log)
			if o.Tape != "" {
				moments := got.Moments // of the emulator: what the terminal does by itself
				if got, err = readPicture(o.Tape); err != nil {
					return nil, err
				}
				got.Moments = moments
			}
		} else if got, err = foreign(o.Emulator, o.Oracle, log); err != nil {
			return nil, err
		}
		r.Tape = trial{s, o.Policy == "msg", p, o.Emulator != "" && o.Emulator != o.Profile, log,
			o.Tape != ""}.check(got)
	}
	return r, nil
}
