package widget

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Each calls f for every item, with at most n calls at a time. Each call has a [Progress] in app's
// transcript, which shows the error of f at the end. Once ctx is done no further call begins.
//
// Each returns when all calls have returned. The result joins their errors, each prefixed with its
// item, and the error of ctx. It returns [tui.ErrClosed] as well if app ends before all calls have
// begun. Call it on any goroutine but the loop while app runs, for example in [tui.App].Main. A
// panic in f ends Run, see [tui.App.Go].
func Each(ctx context.Context, app *tui.App, n int, items []string,
	f func(ctx context.Context, item string, p *Progress) error) error {
	var (
		slots = make(chan struct{}, max(n, 1))
		errs  = make([]error, len(items)+1)
		all   sync.WaitGroup
	)
	for i, item := range items {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if errs[len(items)] = ctx.Err(); errs[len(items)] != nil {
			break
		}
		p := &Progress{Title: item}
		block := app.Transcript().Append(p)
		all.Add(1)
		work := func(ctx context.Context) error {
			defer func() {
				<-slots
				all.Done()
			}()
			err := f(ctx, item, p)
			if p.End(err); err != nil {
				errs[i] = fmt.Errorf("%s: %w", item, err)
			}
			block.Done()
			return nil
		}
		if !app.Go(work) {
			all.Done()
			errs[len(items)] = tui.ErrClosed
			break
		}
	}
	all.Wait()
	return errors.Join(errs...)
}
