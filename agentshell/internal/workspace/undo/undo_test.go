package undo

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// script makes a history: each word is file, state before, state after, and the change that it
// takes back: "f:0-1", "f:1-0!2".
func script(t *testing.T, words string) *History {
	t.Helper()
	h := &History{}
	state := func(s string) State {
		if s == "-" {
			return State{}
		}
		return StateOf(0o644, []byte(s))
	}
	for w := range strings.FieldsSeq(words) {
		file, rest, _ := strings.Cut(w, ":")
		rest, undoes, _ := strings.Cut(rest, "!")
		before, after, _ := strings.Cut(rest, ">")
		c := Change{Root: "workspace", Rel: file, Tool: "write_file", Before: state(before), After: state(after)}
		if undoes != "" {
			c.Undoes = int(undoes[0] - '0')
		}
		h.Add(c, []byte(before), false)
	}
	return h
}

func TestPlans(t *testing.T) {
	for _, c := range []struct {
		history string
		n       int
		to      string // content, "-" for none
		with    []int
		err     string
	}{
		{"", 0, "", nil, "nothing was changed in this session yet"},
		{"f:0>1", 0, "0", nil, ""},
		{"f:->1", 0, "-", nil, ""},
		{"f:0>1 g:0>1", 0, "0", nil, ""},
		{"f:0>1 f:1>2 f:2>3", 1, "0", []int{2, 3}, ""},
		{"f:0>1 f:1>2 f:2>3", 2, "1", []int{3}, ""},
		{"f:0>1 f:1>0!1", 0, "", nil, "every change of this session is undone already"},
		{"f:0>1 f:1>0!1", 1, "", nil, "change 1 is undone already"},
		{"f:0>1 f:1>0!1", 2, "1", nil, ""},                       // and the other way
		{"f:0>1 f:1>2 f:2>1!2", 0, "0", nil, ""},                 // 1 still stands
		{"f:0>1 f:1>2 f:2>1!2 f:1>2!3", 0, "1", nil, ""},         // 2 stands again
		{"f:0>1 f:1>2 f:2>1!2 f:1>2!3", 1, "0", []int{2}, ""},    // with 2, which stands again
		{"f:0>1 f:1>2 f:2>1!2 f:1>0!1 f:0>1!4", 3, "2", nil, ""}, // as if 4 and 5 had not been
		{"f:0>1 f:1>2 f:2>1!2 f:1>3", 3, "", nil,
			"change 3 undid another one, and workspace/f was changed since; undo change 4 first"},
		{"f:0>1 f:x>2", 1, "", nil, "workspace/f was changed by others between change 1 and change 2; undo " +
			"change 2 first"},
		{"f:0>1 f:x>2 f:2>x!2", 1, "", nil,
			"workspace/f was changed by others after change 1, and change 3 brought that back; it stays as it is"},
		{"f:0>1", 3, "", nil, "there is no change 3 in this session"},
	} {
		h := script(t, c.history)
		p, err := h.Plan(c.n)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%s, %d: %v, want %q", c.history, c.n, err, c.err)
			}
			continue
		}
		all := h.Changes()
		if err != nil || (c.to == "-") == p.Target.Exists || c.to != "-" && string(p.Data) != c.to ||
			!slices.Equal(p.AlsoUndone, c.with) {
			t.Errorf("%s, %d: %+v, %v", c.history, c.n, p, err)
			continue
		}
		if file := changesOf(all, p.Change.Path()); p.Expected != file[len(file)-1].After {
			t.Errorf("%s, %d: the file must be %v", c.history, c.n, p.Expected)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	h := &History{}
	add := func(size int, fill byte) {
		data := bytes.Repeat([]byte{fill}, size)
		h.Add(Change{Root: "w", Rel: "f", Before: StateOf(0o644, data), After: State{}}, data, false)
	}
	add(10, 'a')
	add(10, 'a') // the same content is kept once
	for i := range byte(7) {
		add(10<<20, 'b'+i)
	}
	if h.memoryBytes > maxMemoryBytes || len(h.contentBySum) != len(h.sumOrder) || len(h.contentBySum) != 6 {
		t.Errorf("%d bytes, %d kept", h.memoryBytes, len(h.contentBySum))
	}
	changes := h.Changes()
	for i, want := range []error{ErrGone, ErrGone, ErrGone, nil} {
		if _, err := h.contentOf(changes[i].Before); !errors.Is(err, want) {
			t.Errorf("%d: %v, want %v", i, err, want)
		}
	}
	h.contentBySum[h.sumOrder[0]][0] = 'x' // what was damaged is not given out
	for _, c := range changes {
		if c.Before.Sum == h.sumOrder[0] {
			if _, err := h.contentOf(c.Before); !errors.Is(err, ErrGone) {
				t.Errorf("%v", err)
			}
		}
	}
}

func TestLines(t *testing.T) {
	h := script(t, "f:0>1 g:->1 f:1>0!1 g:1>-!2")
	var got []string
	for _, l := range h.Lines(time.Time{}.Add(time.Minute)) {
		got = append(got, l.String())
		if l.Ago != time.Minute {
			t.Errorf("%v ago", l.Ago)
		}
	}
	want := []string{"undo 2 g  removed", "undo 1 f  +0 -0", "write g  new file, +0  (undone)",
		"write f  +0 -0  (undone)"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestFilesGoBackToWhatTheyWere(t *testing.T) {
	for _, c := range []struct {
		history string
		n       int
		want    string // file=content of each that changes, "!" for one that cannot
	}{
		{"", 0, ""},
		{"f:0>1 g:->1", 0, "f=0 g=-"},
		{"f:0>1 g:->1 f:1>2 g:1>-", 0, "f=0"}, // g is what it was
		{"f:0>1 g:->1 f:1>2 g:1>2", 2, "f=1 g=1"},
		{"f:0>1 g:->1 f:1>2", 3, ""},
		{"f:0>1 f:1>0!1", 1, "f=1"}, // what was taken back is made again
		{"f:0>1 f:1>0!1", 0, ""},
		{"f:0>1 f:x>2 g:0>1", 0, "f! g=0"}, // somebody else's x must not go with it
		{"f:0>1 f:x>2", 1, "f=x"},
	} {
		var got []string
		for _, r := range script(t, c.history).RewindPlans(c.n) {
			switch {
			case r.Err != nil:
				got = append(got, r.Change.Rel+"!")
			case !r.Target.Exists:
				got = append(got, r.Change.Rel+"=-")
			default:
				got = append(got, r.Change.Rel+"="+string(r.Data))
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q back to %d: %q, want %q", c.history, c.n, s, c.want)
		}
	}
}
