package ansi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/work"
)

// recorder writes down what it is told, pieces of text and payload joined.
type recorder struct {
	events []string
}

func (r *recorder) add(kind, s string) {
	if n := len(r.events); n > 0 && strings.HasPrefix(r.events[n-1], kind+" ") {
		r.events[n-1] += s
		return
	}
	r.events = append(r.events, kind+" "+s)
}

func sequence(s *Sequence) string {
	var b strings.Builder
	b.Write(s.Intermediates)
	for i, p := range s.Params {
		if i > 0 {
			if s.Colon(i - 1) {
				b.WriteByte(':')
			} else {
				b.WriteByte(';')
			}
		}
		fmt.Fprint(&b, p)
	}
	return b.String() + string(s.Final)
}

func (r *recorder) Text(p []byte)      { r.add("text", string(p)) }
func (r *recorder) Runes(rs []rune)    { r.add("text", string(rs)) }
func (r *recorder) Execute(c byte)     { r.events = append(r.events, fmt.Sprintf("C0 %02x", c)) }
func (r *recorder) Escape(s *Sequence) { r.events = append(r.events, "ESC "+sequence(s)) }
func (r *recorder) CSI(s *Sequence)    { r.events = append(r.events, "CSI "+sequence(s)) }
func (r *recorder) OSC(data []byte, bel bool) {
	r.events = append(r.events, fmt.Sprintf("OSC %s %v", data, bel))
}
func (r *recorder) Hook(s *Sequence)      { r.events = append(r.events, "DCS "+sequence(s)) }
func (r *recorder) Put(p []byte)          { r.add("put", string(p)) }
func (r *recorder) Unhook()               { r.events = append(r.events, "end") }
func (r *recorder) StringStart(kind byte) { r.events = append(r.events, "string "+string(kind)) }
func (r *recorder) StringPut(p []byte)    { r.add("body", string(p)) }
func (r *recorder) StringEnd()            { r.events = append(r.events, "end") }

func TestParserRecognises(t *testing.T) {
	params := func(n int) string { return strings.TrimSuffix(strings.Repeat("1;", n), ";") }
	for _, c := range []struct{ name, in, want string }{
		{"text", "hello", "text hello"},
		{"long text", strings.Repeat("0123456789abcdef", 9) + "é",
			"text " + strings.Repeat("0123456789abcdef", 9) + "é"},
		{"UTF-8 of every length", "aé日🙂b", "text aé日🙂b"},
		{"one replacement for each maximal subpart", "a\xff\xc3(\xe4\xb8b\xf0\x9f\x98\xe4\xb8\xad\xed\xa0\x80\xc0\xafz",
			"text a\ufffd\ufffd(\ufffdb\ufffd中\ufffd\ufffd\ufffd\ufffd\ufffdz"},
		{"controls that are text in the ground state", "a\x10\x18\x1a\x1f\x7fb", "text a\x10\x18\x1a\x1f\x7fb"},
		{"C1 as UTF-8 is text", "\u0085\u009b1m", "text \u0085\u009b1m"},
		{"controls", "\x00\x07\b\t\n\r\x0f", "C0 00|C0 07|C0 08|C0 09|C0 0a|C0 0d|C0 0f"},
		{"CSI", "\x1b[1;22H\x1b[m\x1b[?25h\x1b[4 q\x1b[>c", "CSI 1;22H|CSI m|CSI ?25h|CSI  4q|CSI >c"},
		{"empty parameters are 0, but not at the end", "\x1b[;5H\x1b[1;H\x1b[;;m", "CSI 0;5H|CSI 1H|CSI 0;0m"},
		{"colons in SGR", "\x1b[4:3;38:2::1:2:3m", "CSI 4:3;38:2:0:1:2:3m"},
		{"a colon is of its own sequence only", "\x1b[4:3m\x1b[1;2m", "CSI 4:3m|CSI 1;2m"},
		{"colons elsewhere void the sequence", "\x1b[2:3Hx", "text x"},
		{"a parameter saturates", "\x1b[99999;65536;65535d", "CSI 65535;65535;65535d"},
		{"the last parameter saturates", "\x1b[65536d\x1b[5;65539d\x1b[429496729599H\x1b[4294967301H",
			"CSI 65535d|CSI 5;65535d|CSI 65535H|CSI 65535H"},
		{"a marker is of its own sequence only", "\x1b[?25h\x1b[5A\x1b(B\x1b[6n", "CSI ?25h|CSI 5A|ESC (B|CSI 6n"},
		{"24 parameters", "\x1b[" + params(24) + "m", "CSI " + params(24) + "m"},
		{"25 parameters are too many", "\x1b[" + params(25) + "mx", "text x"},
		{"a marker behind a digit", "\x1b[1?2hx", "text x"},
		{"a control inside a sequence", "\x1b[1\n;2H", "C0 0a|CSI 1;2H"},
		{"CAN and SUB abort", "\x1b[1\x18m\x1b[1\x1am", "C0 18|text m|C0 1a|text m"},
		{"ESC starts anew", "\x1b[1\x1b[2m", "CSI 2m"},
		{"C1 inside a sequence", "\x1b[1\x84m", "ESC D|text m"},
		{"escape", "\x1b7\x1b(0\x1b#8\x1b\\", "ESC 7|ESC (0|ESC #8|ESC \\"},
		{"OSC ended by BEL, ST and C1 as UTF-8", "\x1b]0;a\x07\x1b]2;é\x1b\\\x1b]2;b\u009c\x07",
			"OSC 0;a true|OSC 2;é false|ESC \\|OSC 2;b\u009c true"},
		{"OSC ended by CAN is delivered", "\x1b]0;a\x18b", "OSC 0;a false|C0 18|text b"},
		{"DCS", "\x1bP1;2$qm\x1b\\", "DCS $1;2q|put m|end|ESC \\"},
		{"APC, PM, SOS", "\x1b_Ga=1\x1b\\\x1b^x\x1b\\\x1bXy\x1b\\",
			"string _|body Ga=1|end|ESC \\|string ^|body x|end|ESC \\|string X|body y|end|ESC \\"},
		{"DCS that is not one", "\x1bP1:2qabc\x1b\\x", "ESC \\|text x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, piece := range []int{len(c.in), 1, 3} {
				var p Parser
				var r recorder
				for rest := c.in; rest != ""; {
					n := min(piece, len(rest))
					p.Parse([]byte(rest[:n]), &r)
					rest = rest[n:]
				}
				if got := strings.Join(r.events, "|"); got != c.want {
					t.Errorf("in pieces of %d: got %q, want %q", piece, got, c.want)
				}
				if !p.Ground() {
					t.Error("not back in the ground state")
				}
			}
		})
	}
}

func TestParserKeepsAnUnfinishedSequence(t *testing.T) {
	var p Parser
	var r recorder
	p.Parse([]byte("\xe6\x97"), &r)
	if p.Ground() || r.events != nil {
		t.Fatalf("half a character gave %q", r.events)
	}
	p.Reset()
	p.Parse([]byte("a"), &r)
	if got := strings.Join(r.events, "|"); got != "text a" {
		t.Fatalf("after Reset: got %q", got)
	}
}

func TestParserDropsAnOSCBeyondTheLimit(t *testing.T) {
	var p Parser
	var r recorder
	p.Parse([]byte("\x1b]0;"+strings.Repeat("x", MaxOSC)+"\x07y"), &r)
	if got := strings.Join(r.events, "|"); got != "text y" {
		t.Fatalf("got %.60q", got)
	}
	if cap(p.osc) > 64<<10 {
		t.Fatalf("%d bytes are kept", cap(p.osc))
	}
}

// TestParserIsLinear compares the time for an input with that for one 64 times as long.
func TestParserIsLinear(t *testing.T) {
	for name, make := range map[string]func(n int) string{
		"OSC":             func(n int) string { return "\x1b]0;" + strings.Repeat("x", n) },
		"parameters":      func(n int) string { return "\x1b[" + strings.Repeat("1;", n/2) },
		"digits":          func(n int) string { return "\x1b[" + strings.Repeat("1", n) },
		"intermediates":   func(n int) string { return "\x1b[" + strings.Repeat(" ", n) },
		"bad UTF-8":       func(n int) string { return strings.Repeat("\xf0\x9f", n/2) },
		"escapes":         func(n int) string { return strings.Repeat("\x1b", n) },
		"DCS":             func(n int) string { return "\x1bPq" + strings.Repeat("x\n", n/2) },
		"APC":             func(n int) string { return "\x1b_G" + strings.Repeat("x\x80", n/2) },
		"OSC of controls": func(n int) string { return "\x1b]0;" + strings.Repeat("x\n", n/2) },
	} {
		t.Run(name, func(t *testing.T) {
			run := func(n int) time.Duration {
				in := []byte(make(n))
				return work.Of(t, func() { new(Parser).Parse(in, NopHandler{}) })
			}
			const n, more = 1 << 14, 64
			if short, long := run(n), run(more*n); long > more*10*short {
				t.Errorf("%d bytes took %v of a processor, %d bytes %v", n, short, more*n, long)
			}
		})
	}
}

// FuzzParserPiecesMakeNoDifference feeds the same input at once and in pieces.
func FuzzParserPiecesMakeNoDifference(f *testing.F) {
	f.Add([]byte("a\x1b[1;2mé\x1b]0;x\x07\x1bP$qm\x1b\\日\xe6\x97"), uint8(1))
	f.Add([]byte("\x1b[38:2::1:2:3m\xf0\x9f\x99\x82\x18\x1b_Gi=1\x1b\\"), uint8(5))
	f.Fuzz(func(t *testing.T, in []byte, piece uint8) {
		var whole, cut recorder
		var p, q Parser
		p.Parse(in, &whole)
		for i := 0; i < len(in); {
			n := min(1+int(piece)%7, len(in)-i)
			q.Parse(in[i:i+n], &cut)
			i += n
		}
		if a, b := strings.Join(whole.events, "|"), strings.Join(cut.events, "|"); a != b {
			t.Fatalf("at once %q, in pieces %q", a, b)
		}
	})
}
