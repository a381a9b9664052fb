//go:build unix

package workspace

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// Rounds of the race with another process; SCROLLKEEP_ROUNDS overrides it (`make fuzz` plays
// 10,000).
func raceRounds() int {
	if n, err := strconv.Atoi(os.Getenv("SCROLLKEEP_ROUNDS")); err == nil {
		return n
	}
	return 600
}

// The deeds of the other process.
var deeds = []string{"rename", "in place", "append", "truncate", "link"}

// other is another process that does what it is told: a line `<deed> <spin> <text>`, answered by an
// empty line when it is done.
type other struct {
	in  io.WriteCloser
	out *bufio.Reader
}

func startOther(t *testing.T, dir string) *other {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoEditOfAnotherProcessIsLost$")
	cmd.Env = append(os.Environ(), "WORKSPACE_TEST_OTHER="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	return &other{in, bufio.NewReader(out)}
}

func (o *other) begin(deed string, spin int, text string) {
	fmt.Fprintf(o.in, "%q %d %q\n", deed, spin, text)
}

func (o *other) wait(t *testing.T) {
	if _, err := o.out.ReadString('\n'); err != nil {
		t.Fatal("the other process ended: ", err)
	}
}

// beOther is the other process.
func beOther(dir string) {
	name := filepath.Join(dir, "f")
	in := bufio.NewReader(os.Stdin)
	for {
		var deed, text string
		var spin int
		if _, err := fmt.Fscanf(in, "%q %d %q\n", &deed, &spin, &text); err != nil {
			return
		}
		var g *os.File
		switch deed {
		case "rename":
			os.WriteFile(name+".t", []byte(text), 0o644)
		case "append": // through a descriptor that is opened before the commit
			g, _ = os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		}
		for range spin {
		}
		switch deed {
		case "rename":
			os.Rename(name+".t", name)
		case "in place":
			os.WriteFile(name, []byte(text), 0o644)
		case "append":
			g.WriteString(text)
			g.Close()
		case "truncate":
			os.Truncate(name, 0)
		case "link":
			for os.Link(name, name+".l") != nil { // the file that was found may be unlinked by now
			}
		}
		fmt.Println()
	}
}

// race plays one round and reports whether the other process's edit is lost: neither in the file
// nor, where it went through a descriptor into the displaced file, kept and known.
func race(t *testing.T, w *Workspace, o *other, r *rand.Rand,
	round int) (deed string, lost bool, late bool, err error) {
	dir := w.Dir()
	name := filepath.Join(dir, "f")
	os.Remove(name + ".l")
	os.Remove(name)
	base, theirs, ours := fmt.Sprint("base ", round), fmt.Sprint("theirs ", round), fmt.Sprint("ours ", round)
	put(t, name, base)
	f := snapshot(t, w, "f")
	deed = deeds[r.IntN(len(deeds))]
	removes := r.IntN(3) == 0 && (deed == "rename" || deed == "in place")
	started, finished := false, false
	begin := func(spin int) { started = true; o.begin(deed, spin, theirs) }
	// In every second round the deed is done at one point of the commit, most often right before
	// the step that decides; in the others it begins at a random moment and takes its time.
	at := ""
	if r.IntN(2) == 0 {
		at = []string{"checked", "checked", "checked again", "checked again", "located", "written", "exchanged",
			"synced"}[r.IntN(8)]
		if removes {
			at = []string{"checked", "checked", "taken", "taken", "located", "noted", "examined", "synced"}[r.IntN(8)]
		}
	} else if begin(r.IntN(200_000)); r.IntN(2) == 0 {
		for range r.IntN(20_000) {
		}
	}
	w.backend.(*local).onPoint = func(point string) {
		if point == at && !started {
			begin(0)
			o.wait(t)
			finished = true
		}
	}
	rec, err := w.Commit(context.Background(), Change{Path: f.Path, Base: f.Print, Data: []byte(ours), Remove: removes})
	w.backend.(*local).onPoint = nil
	if !started {
		begin(0)
	}
	if !finished {
		o.wait(t)
	}
	b, readErr := os.ReadFile(name)
	if readErr != nil && !removes {
		t.Fatal(readErr)
	}
	now := string(b)
	// What is kept of displaced files.
	kept := func(text string) bool {
		return slices.ContainsFunc(append(w.Undos(), rec.Undo), func(u *Undo) bool {
			if u == nil {
				return false
			}
			b, _ := u.Bytes()
			isLate, _ := u.WrittenLate()
			return isLate && string(b) == text
		})
	}
	switch deed {
	case "link":
		// The other name has what the file was when it was linked; the commit says so by a
		// conflict, or if it was too late by Split.
		linked := content(t, name+".l")
		lost = linked != base && linked != ours ||
			linked == base && err == nil && (!rec.Split || finished && at != "synced")
		return deed, lost, false, err
	case "truncate":
		lost = now != "" && !kept("")
	case "append":
		lost = now != base+theirs && now != ours+theirs && !kept(base+theirs)
	default:
		lost = now != theirs && !(deed == "in place" && kept(theirs))
	}
	if removes {
		return "remove, " + deed, lost, false, err
	}
	return deed, lost, !lost && now == ours, err
}

// Another process edits the file by rename and in place, appends to it, truncates and links it,
// while it is written or removed, at random moments and between the last check and the commit.
// Nothing that it did is lost: it is in the file or kept and known (FS-50). The same rounds against
// check-then-rename lose edits, so the test can tell.
func TestNoEditOfAnotherProcessIsLost(t *testing.T) {
	if dir := os.Getenv("WORKSPACE_TEST_OTHER"); dir != "" {
		beOther(dir)
		os.Exit(0)
	}
	for _, plain := range []bool{false, true} {
		t.Run(map[bool]string{false: "exchange", true: "check then rename"}[plain], func(t *testing.T) {
			dir := fastDir(t)
			w := openWorkspace(t, Root{Dir: dir})
			w.backend.(*local).noExchange = plain
			o := startOther(t, dir)
			seed := rand.Uint64()
			r := rand.New(rand.NewPCG(seed, 0))
			rounds := raceRounds()
			commits, lates, losses := 0, 0, map[string]int{}
			for i := range rounds {
				deed, lost, late, err := race(t, w, o, r, i)
				if err == nil {
					commits++
				} else if KindOf(err) != Conflict {
					t.Fatalf("seed %d round %d: %s: %v", seed, i, deed, err)
				}
				if late {
					lates++
				}
				if lost {
					if losses[deed]++; !plain {
						t.Errorf("seed %d round %d: %s: lost; the file is %q, commit: %v", seed, i, deed,
							content(t, dir+"/f"), err)
					}
				}
			}
			t.Logf("%d rounds, %d commits, %d late writes kept, lost %v", rounds, commits, lates, losses)
			if commits == 0 || commits == rounds {
				t.Errorf("%d commits of %d: no race took place", commits, rounds)
			}
			if plain && (losses["rename"] == 0 || losses["link"] == 0) {
				t.Error("check-then-rename loses nothing: these rounds prove nothing")
			}
			if l := leftovers(t, dir); len(l) > 0 {
				t.Errorf("left behind: %v", l)
			}
		})
	}
}
