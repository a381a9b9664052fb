//go:build unix

package tool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Random calls of write_file and edit_file on random files go the whole way: prepared from JSON,
// decided by a random policy and a random person, revised, run. After a yes the file has exactly
// the proposal's bytes, its old mode, and nothing else in the tree has changed; after anything else
// the tree is as it was. SCROLLKEEP_PROPOSALS says how many (`make fuzz`: 1,000,000).
func TestFuzzedProposals(t *testing.T) {
	total := 800
	if n, err := strconv.Atoi(os.Getenv("SCROLLKEEP_PROPOSALS")); err == nil {
		total = n
	}
	seed := rand.Uint64()
	var count proposalCount
	var wg sync.WaitGroup
	const workers = 2
	for i := range workers {
		wg.Go(func() {
			for n := 0; n < total/workers && !t.Failed(); n += 500 { // a new tree now and then
				f := newProposals(t, seed, uint64(i)<<32|uint64(n), &count)
				for k := range min(500, total/workers-n) {
					if f.round(); t.Failed() {
						t.Errorf("seed %d, tree %d, round %d", seed, uint64(i)<<32|uint64(n), k)
						break
					}
				}
				f.close()
			}
		})
	}
	wg.Wait()
	t.Logf("%d proposals: %s", total, &count)
	if count.written.Load() < int64(total/10) || count.refused.Load() < int64(total/10) ||
		count.conflicts.Load() < int64(total/100) || count.rebased.Load() < int64(total/400) {
		t.Error("the calls are too much alike")
	}
}

// proposalCount is what became of the calls.
type proposalCount struct{ invalid, unchanged, written, refused, conflicts, revised, rebased atomic.Int64 }

func (c *proposalCount) String() string {
	return fmt.Sprintf("%d written, %d refused, %d conflicts, %d changed nothing, %d not accepted; %d revised first, "+
		"%d merged with a changed file",
		c.written.Load(), c.refused.Load(), c.conflicts.Load(), c.unchanged.Load(), c.invalid.Load(), c.revised.Load(),
		c.rebased.Load())
}

// proposals is one tree and the calls on it.
type proposals struct {
	t     *testing.T
	r     *rand.Rand
	dir   string
	ws    *workspace.Workspace
	reg   *Registry
	count *proposalCount
}

func newProposals(t *testing.T, seed, tree uint64, count *proposalCount) *proposals {
	base, err := os.MkdirTemp("/dev/shm", "scrollkeep") // memory, where there is some
	if err != nil {
		if base, err = os.MkdirTemp("", "scrollkeep"); err != nil {
			t.Fatal(err)
		}
	}
	f := &proposals{t: t, r: rand.New(rand.NewPCG(seed, tree)), dir: base + "/root", count: count}
	f.try(os.MkdirAll(f.dir+"/d/e", 0o755))
	f.ws, err = workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: f.dir}}, Journal: base + "/journal"})
	f.try(err)
	f.reg = Builtin(Env{Workspace: f.ws})
	return f
}

func (f *proposals) try(err error) {
	if err != nil {
		f.t.Error(err)
	}
}

func (f *proposals) close() {
	f.try(f.ws.Close())
	f.try(os.RemoveAll(filepath.Dir(f.dir)))
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// text returns a random text; with bytes it may be none.
func (f *proposals) text(bytes bool) string {
	r := f.r
	if r.IntN(12) == 0 {
		return ""
	}
	var b strings.Builder
	if r.IntN(8) == 0 {
		b.WriteString(workspace.BOM)
	}
	end := pick(r, "\n", "\n", "\r\n", "")
	for range r.IntN(30) {
		b.WriteString(pick(r, "alpha", "beta", "\tx = 1", "}", "", "na\u00efve \u202e caf\u00e9", "\u200b", "a\rb",
			"\\ No newline", "--- a", "@@ -1 +1 @@", "\x1b[31m", "\u65e5\u672c", strconv.Itoa(r.IntN(100))))
		if end == "" {
			b.WriteString(pick(r, "\n", "\r\n"))
		} else {
			b.WriteString(end)
		}
	}
	if r.IntN(3) == 0 {
		b.WriteString("the end")
	}
	if bytes && r.IntN(15) == 0 {
		b.WriteString(pick(r, "\x00\x01", "\xff\xfe", "caf\xe9"))
	}
	return b.String()
}

// part returns a piece of a text as a model would quote it.
func (f *proposals) part(s string) string {
	s = strings.ReplaceAll(strings.TrimPrefix(s, workspace.BOM), "\r\n", "\n")
	if len(s) == 0 || f.r.IntN(20) == 0 {
		return pick(f.r, "alpha", "\n", "no such text")
	}
	i := f.r.IntN(len(s))
	return strings.ToValidUTF8(s[i:i+f.r.IntN(min(40, len(s)-i)+1)], "")
}

func (f *proposals) put(rel, text string) {
	f.try(os.WriteFile(filepath.Join(f.dir, rel), []byte(text), 0o644))
}

// tree returns what there is, but for one path and the directories above it.
func (f *proposals) tree(without string) string {
	h := sha256.New()
	f.try(filepath.WalkDir(f.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if without == name || d.IsDir() && strings.HasPrefix(without, name+"/") {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		st := info.Sys().(*syscall.Stat_t)
		fmt.Fprintln(h, name, info.Mode(), st.Ino, st.Nlink, info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			h.Write(data)
			return err
		}
		return nil
	}))
	return string(h.Sum(nil))
}

// round returns one call from its JSON to its end.
func (f *proposals) round() {
	r, ctx := f.r, context.Background()
	rel := pick(r, "a.txt", "b.go", "d/c.txt", "d/e/f", ".envrc", "hard", "n/w/new.txt", "new")
	full := filepath.Join(f.dir, rel)
	base := f.text(true)
	switch {
	case strings.Contains(rel, "new"):
		f.try(os.RemoveAll(filepath.Join(f.dir, "n")))
		f.try(os.RemoveAll(full))
	case r.IntN(3) > 0:
		f.put(rel, base)
		f.try(os.Chmod(full, pick(r, fs.FileMode(0o644), 0o644, 0o644, 0o600, 0o755)))
		if rel == "hard" {
			os.Remove(full + ".2")
			f.try(os.Link(full, full+".2"))
		}
	}
	now, _ := os.ReadFile(full)

	name, input := "write_file", map[string]any{"path": rel, "content": f.text(false)}
	if r.IntN(2) == 0 {
		name, input = "edit_file", map[string]any{"path": rel, "old_string": f.part(string(now)),
			"new_string": f.part(f.text(false)), "replace_all": r.IntN(2) == 0}
	} else if r.IntN(4) == 0 {
		input["content"] = strings.ToValidUTF8(string(now), "?")
	}
	raw, err := json.Marshal(input)
	f.try(err)
	was := f.tree("")
	call, err := f.reg.Prepare(ctx, name, "call", raw)
	if err != nil {
		f.count.invalid.Add(1)
		f.same(was, "a call that is not accepted")
		return
	}
	if call.Proposal == nil {
		f.count.unchanged.Add(1)
		_, err := call.Run(ctx, nil)
		f.try(err)
		f.same(was, "a change of nothing")
		return
	}
	// Where a lone CR meets a line end, it may have two.
	bare := func(s string) string { return strings.ReplaceAll(plain(s), "\r", "") }
	if want, got := bare(wanted(string(now), name, input)), bare(string(call.Proposal.After)); got != want {
		f.t.Errorf("%s proposes %q, the model wants %q", call.Title, got, want)
	}
	for range r.IntN(3) { // the person wants other bytes, or only some hunks
		after := []byte(f.text(true))
		if d := call.Proposal.Diff; r.IntN(2) == 0 && len(d.Hunks) > 0 {
			after = d.Apply(call.Proposal.Before, func(int) bool { return r.IntN(2) == 0 })
		}
		revised, err := call.Revise(ctx, after)
		f.try(err)
		if revised.Proposal == nil { // back to the base: nothing left to do
			f.same(was, "a revision to nothing")
			f.count.unchanged.Add(1)
			return
		}
		if revised.Proposal.ID == call.Proposal.ID || !bytes.Equal(revised.Proposal.After, after) {
			f.t.Errorf("the revision is not what was wanted: %q, want %q", revised.Proposal.After, after)
		}
		call = revised
		f.count.revised.Add(1)
	}
	if call.InPlace != nil && r.IntN(3) == 0 {
		other, err := call.InPlace(ctx)
		f.try(err)
		if other.Proposal == nil || other.Proposal.InPlace == call.Proposal.InPlace ||
			!bytes.Equal(other.Proposal.After, call.Proposal.After) {
			f.t.Errorf("%s in place is another change", call.Title)
		}
		call = other
	}
	p := call.Proposal
	f.shown(p)
	f.same(was, "a proposal")
	if !f.allowed(name, call) {
		f.count.refused.Add(1)
		f.same(was, "a no")
		return
	}
	switch r.IntN(8) {
	case 0: // stopped before it ran
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := call.Run(ctx, nil); err == nil {
			f.t.Error("it ran though it was stopped")
		}
		f.count.refused.Add(1)
		f.same(was, "a stop")
		return
	case 1: // somebody else was there first
		if rel == "n/w/new.txt" {
			f.try(os.MkdirAll(filepath.Dir(full), 0o755))
		}
		f.put(rel, string(p.Before)+"theirs")
		was = f.tree("")
		if _, err := call.Run(ctx, nil); Kind(err) != "conflict" {
			f.t.Errorf("%s of a changed file: %v", call.Title, err)
		}
		f.count.conflicts.Add(1)
		f.same(was, "a conflict")
		if call.Rebase == nil {
			return
		}
		again, err := call.Rebase(ctx) // what the person wrote, for the file as it is now
		f.same(was, "a merge")
		if err != nil || again.Proposal == nil {
			if err != nil && Kind(err) != "fs_denied" && Kind(err) != "tool_failed" {
				f.t.Errorf("%s cannot be made anew: %v", call.Title, err)
			}
			return
		}
		f.count.rebased.Add(1)
		call, p = again, again.Proposal
		f.shown(p)
	}
	mode := fs.FileMode(0)
	if info, err := os.Stat(full); err == nil {
		mode = info.Mode()
	}
	second, _ := os.ReadFile(full + ".2")
	others := f.tree(full)
	if rel == "n/w/new.txt" || rel == "hard" {
		others = "" // directories are made, the other name has one name less
	}
	want := sha256.Sum256(p.After)
	res, err := call.Run(ctx, nil)
	if err != nil {
		f.t.Errorf("%s: %v", call.Title, err)
		return
	}
	f.count.written.Add(1)
	got, err := os.ReadFile(full)
	f.try(err)
	if !bytes.Equal(got, p.After) || sha256.Sum256(p.After) != want {
		f.t.Errorf("%s wrote %q, the proposal is %q", call.Title, got, p.After)
	}
	if info, err := os.Stat(full); mode != 0 && (err != nil || info.Mode() != mode) {
		f.t.Errorf("mode %v, was %v", info.Mode(), mode)
	}
	if p.InPlace {
		second = p.After
	}
	if now, _ := os.ReadFile(full + ".2"); !bytes.Equal(now, second) {
		f.t.Errorf("the other name has %q, had %q", now, second)
	}
	if others != "" && f.tree(full) != others {
		f.t.Errorf("%s changed something else", call.Title)
	}
	if len(res.Changed) != 1 || res.Changed[0] != p.Path {
		f.t.Errorf("it says that it changed %q", res.Changed)
	}
	if left, _ := filepath.Glob(filepath.Dir(full) + "/.scrollkeep-*"); len(left) > 0 {
		f.t.Errorf("left behind: %q", left)
	}
}

// plain returns a text without what a proposal may keep of the old file: its endings and its mark
// at the beginning.
func plain(s string) string {
	return strings.ReplaceAll(strings.TrimPrefix(s, workspace.BOM), "\r\n", "\n")
}

// wanted returns what a call asks for, by the textbook.
func wanted(now, name string, input map[string]any) string {
	if name == "write_file" {
		return input["content"].(string)
	}
	// Once, if it must be unique.
	return strings.ReplaceAll(plain(now), plain(input["old_string"].(string)), plain(input["new_string"].(string)))
}

func (f *proposals) same(was, after string) {
	f.t.Helper()
	if f.tree("") != was {
		f.t.Errorf("the tree changed after %s", after)
	}
}

// shown checks that what a front end gets is what would be written: the structured diff leads from
// the old bytes to the new ones, or a flag says that there is none.
func (f *proposals) shown(p *approval.Proposal) {
	if !p.Flagged(approval.FlagBinary) {
		if got := p.Diff.Apply(p.Before, func(int) bool { return true }); !bytes.Equal(got, p.After) {
			f.t.Errorf("the diff shows %q, the proposal writes %q", got, p.After)
		}
	}
	if w, ok := p.Payload.(approval.Write); ok && w.Content != string(p.After) {
		f.t.Errorf("the payload has %q, the proposal %q", w.Content, p.After)
	}
}

// allowed asks a random policy and, where it asks, a random person. A flagged proposal is never
// allowed by a rule or a mode.
func (f *proposals) allowed(name string, call Call) bool {
	rule := func(a approval.Action, text string) approval.Entry {
		rule, err := approval.ParseRule(a, text)
		f.try(err)
		return approval.Entry{Rule: rule, Origin: "config"}
	}
	cfg := approval.PolicyConfig{Mode: pick(f.r, approval.ModeAsk, approval.ModeAsk, approval.ModeEdits,
		approval.ModeEdits, approval.ModePlan, approval.ModeTrusted)}
	switch f.r.IntN(5) {
	case 0:
		cfg.Rules = append(cfg.Rules, rule(approval.Allow, name+"(**)"))
	case 1:
		cfg.Rules = append(cfg.Rules, rule(approval.Deny, name+"(d/**)"), rule(approval.Allow, name))
	case 2:
		cfg.Rules = append(cfg.Rules, rule(approval.Ask, name+"(*.txt)"))
	}
	policy, err := approval.NewPolicy(cfg)
	f.try(err)
	v := policy.Decide(call.Subject(name))
	if v.Action == approval.Allow && (len(call.Proposal.Flags) > 0 || cfg.Mode == approval.ModePlan) {
		f.t.Errorf("%s is allowed by %s in mode %s with the flags %v", call.Title, v.By, cfg.Mode, call.Proposal.Flags)
	}
	return v.Action == approval.Allow || v.Action == approval.Ask && f.r.IntN(4) > 0
}
