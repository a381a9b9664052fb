package browser

import (
	"context"
	"flag"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

var measure = flag.Bool("measure", false, "measure what the tool adds to the browser's own time")

// median returns the middle of what f takes in n calls.
func median(t *testing.T, n int, f func() error) time.Duration {
	t.Helper()
	var list []time.Duration
	for range n {
		began := time.Now()
		if err := f(); err != nil {
			t.Fatal(err)
		}
		list = append(list, time.Since(began))
	}
	slices.Sort(list)
	return list[n/2]
}

// A picture takes 1.3 times what the browser takes for it at most, and the first tab 1.2 times the
// start of the browser.
func TestWhatTheToolAddsToTheBrowser(t *testing.T) {
	if !*measure {
		return
	}
	tab := open(t, Open{URL: serve(t, shop), Viewport: Viewport{Width: 1280, Height: 800, Scale: 1}})
	ctx := t.Context()
	for round := range 3 {
		raw := median(t, 15, func() error {
			var r struct{ Data []byte }
			return tab.engine.call(ctx, tab.session, "Page.captureScreenshot", object{"format": "png"}, &r)
		})
		quick := median(t, 15, func() error {
			var r struct{ Data []byte }
			return tab.engine.call(ctx, tab.session, "Page.captureScreenshot", object{"format": "png",
				"optimizeForSpeed": true}, &r)
		})
		var ours time.Duration
		_, err := tab.Run(ctx, Code{Text: "for (let i = 0; i < 16; i++) await tab.screenshot()", Timeout: bound,
			Host: &fakeHost{}, Show: func(string) {}, Image: func() func([]byte) (string, error) {
				var list []time.Duration
				last := time.Time{}
				return func(data []byte) (string, error) {
					_, err := picture.New("p", data)
					if now := time.Now(); last.IsZero() {
						last = now
					} else {
						list, last = append(list, now.Sub(last)), now
					}
					slices.Sort(list)
					if len(list) > 0 {
						ours = list[len(list)/2]
					}
					return "", err
				}
			}()})
		if err != nil {
			t.Fatal(err)
		}
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
		bare := median(t, 7, func() error {
			dir := t.TempDir()
			p, err := helper.Start(helper.Program{Name: "bare", Env: c.Env, Dir: dir, Family: family,
				Command: command(program, dir, "127.0.0.1:1", os.Getuid() != 0)})
			if err != nil {
				return err
			}
			defer func() { go p.End() }()
			e := newEngine(NewService(c))
			e.conn = newConn(newPipe(p.Out, p.In), e.event)
			go func() { p.Fail(e.read()) }()
			_, err = e.blank(ctx, "")
			return err
		})
		first := median(t, 7, func() error {
			s := NewService(c)
			defer func() { go s.Close() }()
			_, _, err := s.Open(context.Background(), Open{Name: "a"})
			return err
		})
		t.Logf("confined %v: the first tab takes %v, the browser's own start %v: %.2f", confined, first, bare,
			float64(first)/float64(bare))
	}
}
