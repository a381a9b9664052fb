package browser

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

var measure = flag.Bool("measure", false, "measure what the tool adds to the browser's own time")

// A picture takes 1.3 times what the browser takes for it at most, and the first tab 1.2 times the
// start of the browser.
func TestWhatTheToolAddsToTheBrowser(t *testing.T) {
	if !*measure {
		return
	}
	tab := open(t, Open{URL: serve(t, shop), Viewport: Viewport{Width: 1280, Height: 800, Scale: 1}})
	ctx, random := t.Context(), rand.New(rand.NewPCG(1, 2))
	for round := range 3 {
		// The browser draws 60 times a second. A call that comes at a random time waits for half a
		// frame; one that comes right behind the last picture waits for none, or for a whole one.
		shot := func(params object) time.Duration {
			var list []time.Duration
			for range 25 {
				pause := fmt.Sprintf("new Promise(done => setTimeout(done, %d))", random.IntN(17))
				if err := tab.engine.call(ctx, tab.session, "Runtime.evaluate",
					object{"expression": pause, "awaitPromise": true}, nil); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				var r struct{ Data []byte }
				if err := tab.engine.call(ctx, tab.session, "Page.captureScreenshot", params, &r); err != nil {
					t.Fatal(err)
				}
				list = append(list, time.Since(began))
			}
			return median(list)
		}
		raw := shot(object{"format": "png"})
		quick := shot(object{"format": "png", "optimizeForSpeed": true})
		result, err := tab.Run(ctx, Code{Text: `
			const list = [];
			for (let i = 0; i < 25; i++) {
				await new Promise(done => setTimeout(done, Math.random() * 17));
				const began = performance.now();
				await tab.screenshot();
				list.push(performance.now() - began);
			}
			return list.sort((a, b) => a - b)[12];`, Timeout: bound, Host: &fakeHost{}, Show: func(string) {},
			Image: func(data []byte) (string, error) {
				_, err := picture.New("p", data)
				return "", err
			}})
		if err != nil {
			t.Fatal(err)
		}
		var ms float64
		if err := json.Unmarshal([]byte(result.Value), &ms); err != nil {
			t.Fatalf("%+v: %v", result, err)
		}
		ours := time.Duration(ms * float64(time.Millisecond))
		t.Logf("round %d: a picture takes %v by a bare client, %v with its option for speed, %v by the tool: %.2f",
			round, raw, quick, ours, float64(ours)/float64(raw))
	}
	for _, confined := range []bool{false, true} {
		c := configIn(t, t.TempDir(), new(proxy.Hosts))
		if !confined {
			c.Cell = nil
		}
		program, err := c.find()
		if err != nil {
			t.Fatal(err)
		}
		var bare, first []time.Duration
		for range 9 {
			bare = append(bare, bareStart(t, c, program))
			s := NewService(c)
			began := time.Now()
			if _, _, err := s.Open(ctx, Open{Name: "a"}); err != nil {
				t.Fatal(err)
			}
			first = append(first, time.Since(began))
			s.Close()
		}
		t.Logf("confined %v: the first tab takes %v, the browser's own start %v: %.2f", confined,
			median(first), median(bare), float64(median(first))/float64(median(bare)))
	}
}

// bareStart returns how long a browser takes to start, in the cell of c, until an empty page
// answers. The process of a page begins when its target is there already.
func bareStart(t *testing.T, c Config, program string) time.Duration {
	dir := t.TempDir()
	p := helper.Program{Name: "bare", Env: c.Env, Dir: dir, Family: family,
		Command: browserCommand(program, dir, "127.0.0.1:1", c.Cell == nil && os.Getuid() != 0)}
	if c.Cell != nil {
		p.Cell = func(cmd *exec.Cmd, _ string) (*sandbox.Cell, error) {
			return c.Cell(cmd, dir, func(l net.Listener) { l.Close() })
		}
	}
	began := time.Now()
	process, err := helper.Start(p)
	if err != nil {
		t.Fatal(err)
	}
	defer process.End()
	e := newEngine(NewService(c))
	e.conn = newConn(newPipe(process.Out, process.In), e.handleEvent)
	go func() { process.Fail(e.read()) }()
	target, err := e.openBlankPage(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	session, _, err := e.attach(t.Context(), target, func(string, json.RawMessage) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.call(t.Context(), session, "Runtime.evaluate", object{"expression": "1"}, nil); err != nil {
		t.Fatal(err)
	}
	return time.Since(began)
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}
