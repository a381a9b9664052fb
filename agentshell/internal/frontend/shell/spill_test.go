package shell

import (
	"errors"
	"hash/maphash"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// fakeSpill keeps how much came, and the hash of it.
type fakeSpill struct {
	hash    maphash.Hash
	bytes   int
	most    int // bytes in one write
	full    int // it fails behind so many; 0: never
	kept    bool
	dropped bool
}

func (f *fakeSpill) Write(p []byte) (int, error) {
	if f.bytes += len(p); f.full > 0 && f.bytes > f.full {
		return 0, errors.New("no space left on device")
	}
	f.most = max(f.most, len(p))
	return f.hash.Write(p)
}
func (f *fakeSpill) Finish() (address, path string, err error) {
	f.kept = true
	return "artifact://pasted-7", "/state/pasted/7.txt", nil
}
func (f *fakeSpill) Remove() { f.dropped = true }

// pasting plays a session that has a file for pastes.
func pasting(t *testing.T, f *fakeSpill, lines []string, test func(s *session)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) {
			cfg.Prompt.NewSpill = func() (Spill, error) { return f, nil }
		}, lines...))
	})
}

// sends is Send for more than a terminal sends at once.
func (s *session) sends(text string) {
	for len(text) > 0 {
		n := min(len(text), 64<<10)
		s.Send([]byte(text[:n]))
		text = text[n:]
		synctest.Wait()
	}
}

// A paste that the prompt does not hold goes to a file whole, piece by piece, and the message names
// that; the memory that it takes is bounded, and the next key has little to do.
func TestAHugePasteGoesToAFile(t *testing.T) {
	const line = "all work and no play makes a dull boy, and a long paste\r\n"
	for _, mb := range []int{17, 40} {
		f := new(fakeSpill)
		seed := maphash.MakeSeed()
		f.hash.SetSeed(seed)
		pasting(t, f, []string{`{"expect":"artifact://pasted-7 (pasted text","say":"I read it.","delay_ms":0}`},
			func(s *session) {
				n := mb << 20 / len(line)
				var want maphash.Hash
				want.SetSeed(seed)
				runtime.GC()
				var before, now runtime.MemStats
				runtime.ReadMemStats(&before)
				var peak uint64
				s.Send([]byte("\x1b[200~"))
				piece := strings.Repeat(line, 1000)
				for n > 0 {
					lines := min(n, 1000)
					s.Send([]byte(piece[:lines*len(line)]))
					synctest.Wait()
					for range lines {
						_, _ = want.WriteString(strings.ReplaceAll(line, "\r", ""))
					}
					if n -= lines; n%64000 < 1000 {
						runtime.GC()
						runtime.ReadMemStats(&now)
						peak = max(peak, now.HeapAlloc-min(before.HeapAlloc, now.HeapAlloc))
					}
				}
				s.Send([]byte("\x1b[201~"))
				s.pass(time.Second)
				if !f.kept || f.dropped || f.hash.Sum64() != want.Sum64() {
					t.Errorf("%d MiB: kept %v, dropped %v, %d bytes that are others", mb, f.kept, f.dropped, f.bytes)
				}
				if peak > 32<<20 || f.most > 2<<20 {
					t.Errorf("%d MiB: %d MiB are held, %d bytes in a write", mb, peak>>20, f.most)
				}
				s.holds("[pasted "+byteSize(f.bytes)+", in a file]", "You pasted "+byteSize(f.bytes)+
					"; the prompt takes 16 MB. All of it is in a file, which the message names for the model:",
					"/state/pasted/7.txt")
				runtime.ReadMemStats(&before)
				s.Type("x")
				s.Press("left", "right", "backspace")
				runtime.ReadMemStats(&now)
				if made := now.TotalAlloc - before.TotalAlloc; made > 4<<20 {
					t.Errorf("%d MiB: four keys behind it made %d kB of garbage", mb, made>>10)
				}
				s.Press("enter")
				s.pass(time.Second)
				s.holds("I read it.")
			})
	}
}

// What the prompt does hold is a chip as before, whose keys are cheap, too; but all of its pastes
// together are not more than the bound.
func TestALargePasteStaysInThePrompt(t *testing.T) {
	f := new(fakeSpill)
	pasting(t, f, nil, func(s *session) {
		text := strings.Repeat("dull\n", 2<<20)
		s.sends("\x1b[200~" + text + "\x1b[201~")
		s.pass(time.Second)
		s.holds("[pasted 2097152 lines]")
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		s.Type("x")
		s.Press("left", "right", "backspace")
		runtime.ReadMemStats(&now)
		if made := now.TotalAlloc - before.TotalAlloc; made > 4<<20 {
			t.Errorf("four keys behind it made %d kB of garbage", made>>10)
		}
		if f.bytes > 0 {
			t.Error("what fits went to a file")
		}
		s.sends("\x1b[200~" + text + "\x1b[201~")
		s.pass(time.Second)
		s.holds("[pasted 10 MB, in a file]")
		if f.bytes != len(text) || s.sh.editor.Size() > maxPromptBytes {
			t.Errorf("%d bytes in the file, %d in the prompt", f.bytes, s.sh.editor.Size())
		}
	})
}

// A paste that cannot be kept is not taken, and that is said.
func TestAPasteThatCannotBeKeptIsSaid(t *testing.T) {
	for name, spill := range map[string]func() (Spill, error){
		"this session has no directory for it": nil,
		"permission denied":                    func() (Spill, error) { return nil, errors.New("permission denied") },
		"no space left on device":              func() (Spill, error) { return &fakeSpill{full: 18 << 20}, nil },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24},
				func(cfg *Config) { cfg.Prompt.NewSpill = spill })
			s.sends("\x1b[200~" + strings.Repeat("0123456789abcde\n", 20<<16) + "\x1b[201~")
			s.pass(time.Second)
			s.holds("The paste of 20 MB was not taken: "+name+".", "Nothing of it is in the prompt, which takes 16 MB.")
			s.Type("well")
			if got := s.sh.editor.Text(); got != "well" {
				t.Errorf("the prompt holds %q", got[:min(len(got), 99)])
			}
		})
	}
}

// Behind a huge paste Ctrl+C works as ever, and no piece of it answers a question.
func TestCtrlCWorksBehindAHugePaste(t *testing.T) {
	for _, asked := range []bool{false, true} {
		f := new(fakeSpill)
		pasting(t, f, []string{oneFile}, func(s *session) {
			if asked {
				s.line("go")
				s.pass(3 * time.Second)
				s.Type("r") // also where a field takes pastes
			}
			s.sends("\x1b[200~" + strings.Repeat("y\r", 9<<20) + "\x1b[201~")
			s.Send([]byte("\x03"))
			s.pass(100 * time.Millisecond)
			s.holds("Ctrl+C again quits")
			if f.bytes != 18<<20 || s.file("a.txt") != "(none)" {
				t.Errorf("asked %v: %d bytes in the file; a.txt is %q", asked, f.bytes, s.file("a.txt"))
			}
			s.Send([]byte("\x03"))
			if !s.over(time.Second) {
				t.Errorf("asked %v: it goes on\n%s", asked, s.Visible())
			}
		})
	}
}

const oneFile = `{"say":"One.","delay_ms":0,"tool_calls":[` +
	`{"id":"a","name":"write_file","input":{"path":"a.txt","content":"aa\n"}}]}`
