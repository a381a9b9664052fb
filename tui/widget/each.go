package widget

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Each calls f for each of items, at most n at a time. Each call has a [Progress] of its own in the
// transcript of app, which ends with the error of f. It returns when all calls have returned: their
// errors, each with its item before it, and that of ctx, after whose end no item is begun. It is
// for [tui.App].Main: any goroutine but the loop, while app runs. A panic in f ends Run, see
// [tui.App.Go].
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
