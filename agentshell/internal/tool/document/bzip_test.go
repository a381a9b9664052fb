package document

import (
	"bytes"
	"compress/bzip2"
	"io"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// bzipTexts are texts of each kind that a step of the packing treats in a way of its own.
func bzipTexts() map[string]string {
	r := rand.New(rand.NewPCG(1, 0))
	noise, bytesOfAll := make([]byte, 110_000), make([]byte, 0, 256)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for i := range 256 {
		bytesOfAll = append(bytesOfAll, byte(i))
	}
	return map[string]string{
		"nothing": "", "one": "a", "two": "ab", "four": "aaaa", "period": strings.Repeat("ab", 700),
		"runs": "aaab" + strings.Repeat("a", 4) + strings.Repeat("b", 259) + strings.Repeat("c", 513),
		"text": strings.Repeat("the quick brown fox\n", 2_000), "all": string(bytesOfAll), "noise": string(noise),
		"long run": strings.Repeat("x", 300_000),
	}
}

func TestWhatIsPackedByBzipIsUnpacked(t *testing.T) {
	for name, text := range bzipTexts() {
		packed := compressBzip([]byte(text))
		got, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(packed)))
		if err != nil || string(got) != text {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(text), err)
		}
		if name == "text" && len(packed) > len(text)/50 {
			t.Errorf("%d bytes are packed into %d", len(text), len(packed))
		}
	}
}

// A code has 17 bits at the most, also where each symbol is as frequent as all rarer ones together.
func TestACodeHasABound(t *testing.T) {
	var symbols []uint16
	for s := range 19 {
		for range 1 << s {
			symbols = append(symbols, uint16(s))
		}
	}
	lengths, sum := codeLengths(symbols, 20), 0.0
	for _, length := range lengths {
		sum += math.Pow(2, -float64(length))
	}
	if longest := slices.Max(lengths); longest > 17 || lengths[18] > 2 || sum != 1 {
		t.Errorf("%v, a sum of %v", lengths, sum)
	}
}

// The program itself unpacks it, too.
func TestBzipUnpacksWhatIsPacked(t *testing.T) {
	bzip2 := need.Program(t, "bzip2")
	for _, name := range []string{"nothing", "runs", "noise"} {
		text := bzipTexts()[name]
		cmd := exec.Command(bzip2, "-dc")
		cmd.Stdin = bytes.NewReader(compressBzip([]byte(text)))
		if got, err := cmd.Output(); err != nil || string(got) != text {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(text), err)
		}
	}
}
