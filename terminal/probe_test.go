package terminal

import (
	goflag "flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// replyCorpus holds replies as terminals send them (docs/terminals says which were measured). Some
// of them nobody asked for. None may ever reach the input.
var replyCorpus = []string{
	"\x1b[?1;2c", "\x1b[?62c", "\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c", "\x1b[?6c", // DA1
	"\x1b[>84;0;0c", "\x1b[>1;4000;26c", "\x1b[>0;276;0c", "\x1b[=0c", "\x1bP!|00000000\x1b\\", // DA2, DA3
	"\x1b[?0u", "\x1b[?5u", "\x1b[?31u", // kitty's keyboard flags
	// DECRPM
	"\x1b[?2026;2$y", "\x1b[?2026;0$y", "\x1b[?2026;4$y", "\x1b[?2027;2$y", "\x1b[?2027;1$y", "\x1b[?2031;2$y",
	"\x1b[?2048;2$y", "\x1b[?2004;1$y", "\x1b[?1004;2$y", "\x1b[?1010;1$y", "\x1b[4;2$y",
	"\x1b]11;rgb:0000/0000/0000\x1b\\", "\x1b]11;rgb:ffff/ffff/ffff\a", "\x1b]10;rgb:dddd/dddd/dddd\x1b\\",
	"\x1b]4;1;rgb:cccc/0404/0303\x1b\\", "\x1b]12;#ffcc00\a", "\x1b]52;c;aGk=\x1b\\",
	// XTVERSION
	"\x1bP>|tmux 3.3a\x1b\\", "\x1bP>|kitty(0.26.5)\x1b\\", "\x1bP>|XTerm(379)\x1b\\", "\x1bP>|xterm.js(6.1.0)\x1b\\",
	"\x1bP>|WezTerm 20240203-110809-5046fc22\x1b\\",
	"\x1bP1+r524742=38\x1b\\", "\x1bP0+r524742\x1b\\", "\x1bP1$r0m\x1b\\", // XTGETTCAP, DECRQSS
	"\x1b_Gi=16777247;OK\x1b\\", "\x1b_Gi=16777247;ENOENT:no such image\x1b\\", // kitty graphics
	"\x1b[4;408;640t", "\x1b[6;17;8t", "\x1b[8;24;80t", "\x1b[0n", "\x1b[?10n", "\x1b[?997;1n", "\x1b[?997;2n",
	"\x1b[48;24;80;480;640t", "\x1b[?1;2S",
	"\x1b]99;i=x:p=?;a=focus\x1b\\", "\x1b]99;i=sk:p=?;a=focus,report:p=title,body\x1b\\",
	"\x1bP>|kitty(0.36.4)\x1b\\", "\x1bP>|foot(1.18.0)\x1b\\", "\x1b]l title\x1b\\", "\x1b^pm\x1b\\", "\x1bXsos\x1b\\",
	"\x1b[?13;27R",
}

// typed keeps what a person did.
func typed(evs []Event) string {
	return names(slices.DeleteFunc(evs, func(ev Event) bool {
		switch ev.(type) {
		case Key, Paste:
			return false
		case Changed, Appearance, Resize:
			return true
		}
		return false // a cursor report, mouse or focus event that nobody sent is a leak too
	}))
}

func TestNoReplyReachesTheInput(t *testing.T) {
	for _, reply := range replyCorpus {
		t.Run(fmt.Sprintf("%q", reply), func(t *testing.T) {
			bubble(t, env(), func(t *testing.T, s session) {
				check := func(how, want string) {
					t.Helper()
					if got := typed(s.all(10 * time.Second)); got != want {
						t.Errorf("%s: input gets %q, want %q", how, got, want)
					}
				}
				s.f.send(reply)
				check("whole", "")
				bytewise := func() {
					for i := range len(reply) {
						s.f.send(reply[i : i+1])
					}
				}
				bytewise()
				check("byte by byte", "")
				s.f.send(reply + reply)
				check("twice", "")
				<-time.After(time.Hour)
				bytewise()
				check("late", "")
				s.f.send("a", reply, "b"+reply+"c", reply+"\x1b[A", "\x1bx"+reply)
				check("between keys", "a b c up alt+x")
				s.f.send("\x1b[200~one", " two\x1b[201~"+reply+"z")
				check("behind a paste", "paste(one two) z")
				// On a slow link, with pauses that are shorter than the time of a lone ESC.
				go func() {
					for i := range len(reply) {
						s.f.send(reply[i : i+1])
						<-time.After(45 * time.Millisecond)
					}
					s.f.send("q")
				}()
				check("slowly", "q")
				// Everything behind ESC [ ? may take its time.
				if strings.HasPrefix(reply, "\x1b[?") {
					s.f.send(reply[:3])
					<-time.After(time.Minute)
					s.f.send(reply[3 : len(reply)-1])
					check("half of it", "")
					s.f.send(reply[len(reply)-1:], "k")
					check("with a minute in between", "k")
				}
			})
		})
	}
}

var interleavings = goflag.Int("interleavings", 1000, "random streams of TestTypingArrivesOnceAndInOrder")

func TestTypingArrivesOnceAndInOrder(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("from seed %d on", seed)
	for i := range uint64(*interleavings) {
		typing(t, seed+i, int(i))
	}
}

// FuzzTypingArrivesOnceAndInOrder is the same for the fuzzer.
func FuzzTypingArrivesOnceAndInOrder(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, 12)
	}
	f.Fuzz(typing)
}

// typing mixes keys, pastes and replies, cuts the stream at random, with random pauses.
func typing(t *testing.T, seed uint64, n int) {
	keys := []struct{ in, want string }{
		{"a", "a"}, {"é", "é"}, {"漢", "漢"}, {"\r", "enter"}, {"\x1b[A", "up"}, {"\x1bOB", "down"},
		{"\x1b[1;5C", "ctrl+right"}, {"\x1bx", "alt+x"}, {"\x03", "ctrl+c"}, {"\x1b[13;2u", "shift+enter"},
		{"\x1b[27;5;106~", "ctrl+j"},
		{"\x1b[3~", "delete"}, {"\x1b[200~p\x1b[31m\rq\x1b[201~", "paste(p\x1b[31m\nq)"},
		{"\x1b[200~\x1b[201~", "paste()"}, {"\x1b[<0;3;4M", "Mouse{2 3 0 0 true}"}, {"\x1b[I", "Focus{true}"},
		{"\x1b", "escape"},
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	var want, stream []string
	var pauses []time.Duration // before each part of the stream
	add := func(item string, alone bool) {
		// An Escape key stands alone, and so does what follows; everything else may be cut
		// anywhere, with short pauses inside and any pause in front.
		pause := time.Duration(rng.IntN(3)) * time.Duration(rng.IntN(400)) * time.Millisecond
		if alone {
			pause = 300 * time.Millisecond
		}
		for len(item) > 0 {
			k := 1 + rng.IntN(len(item))
			stream, pauses = append(stream, item[:k]), append(pauses, pause)
			item = item[k:]
			pause = time.Duration(rng.IntN(2)) * time.Duration(rng.IntN(49)) * time.Millisecond
		}
	}
	// Where bracketed pastes are not confirmed, lines that come in one read were pasted: there
	// nobody types that fast.
	quick := seed%2 == 0
	if quick {
		stream, pauses = []string{"\x1b[?2004;2$y"}, []time.Duration{0}
	}
	escape := false
	for range 1 + (n%40+40)%40 {
		if rng.IntN(2) == 0 {
			add(replyCorpus[rng.IntN(len(replyCorpus))], escape)
			escape = false
			continue
		}
		k := keys[rng.IntN(len(keys))]
		add(k.in, escape || k.want == "escape" || k.want == "enter" && !quick)
		want = append(want, k.want)
		escape = k.want == "escape"
	}
	bubble(t, env(), func(t *testing.T, s session) {
		go func() {
			for i := 0; i < len(stream); {
				<-time.After(pauses[i])
				part := stream[i]
				for i++; i < len(stream) && pauses[i] == 0; i++ { // what comes at once comes in one read
					part += stream[i]
				}
				s.f.send(part)
			}
		}()
		if got, want := typed(s.all(time.Minute)), strings.Join(want, " "); got != want {
			t.Fatalf("seed %d, %d: stream %q\npauses %v\n got %s\nwant %s", seed, n, stream, pauses, got, want)
		}
	})
}

func TestColoursOfReplies(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string
	}{
		{"rgb:ffff/8080/0000", "[65535 32896 0] true"}, {"rgb:ff/80/0", "[65535 32896 0] true"},
		{"rgba:0000/0000/0000/cccc", "[0 0 0] true"}, {"#ff8000", "[65535 32896 0] true"},
		{"#fff", "[65535 65535 65535] true"},
		{"", "[0 0 0] false"}, {"rgb:1/2", "[0 0 0] false"}, {"rgb:12345/0/0", "[0 0 0] false"},
		{"rgb:x/0/0", "[0 0 0] false"}, {"#ff80", "[0 0 0] false"}, {"red", "[0 0 0] false"},
	} {
		v, ok := parseColor(c.in)
		if !ok {
			v = [3]uint16{}
		}
		if got := fmt.Sprint(v, ok); got != c.want {
			t.Errorf("%q: %s, want %s", c.in, got, c.want)
		}
	}
}
