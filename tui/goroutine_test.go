package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
)

func TestErrorOfAGoroutineEndsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app, broken := &App{Footer: NewText("footer")}, errors.New("the line is cut")
		r := start(t, app, 20, 4)
		if !app.Go(func(context.Context) error { return nil }) {
			t.Error("it is not taken")
		}
		r.settle()
		r.want("footer") // one that ends well ends nothing
		app.Go(func(context.Context) error { return fmt.Errorf("reading: %w", broken) })
		if err := r.wait(); !errors.Is(err, broken) {
			t.Error(err)
		}
		if app.Go(func(context.Context) error { return nil }) {
			t.Error("one is taken after the end")
		}
	})
}

func TestGoroutineThatWasGivenBeforeRunBeginsWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		app.Go(func(context.Context) error {
			fmt.Fprintln(app.Transcript(), "I run")
			return io.ErrUnexpectedEOF
		})
		synctest.Wait()
		r := start(t, app, 20, 4)
		if err := r.wait(); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error(err)
		}
		r.want("I run")
	})
}

func TestRunWaitsForTheLastWordsOfGoroutinesButNotForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Main: func(context.Context) error { return nil }}
		free := make(chan struct{})
		defer close(free)
		app.Go(func(ctx context.Context) error {
			<-ctx.Done()
			pass(graceTime / 2)
			fmt.Fprintln(app.Transcript(), "my last words")
			return ctx.Err() // which is no error of the run any more
		})
		app.Go(func(context.Context) error { <-free; return nil })
		begin := time.Now()
		r := start(t, app, 20, 4)
		if err := r.wait(); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took < graceTime || took > 2*graceTime {
			t.Errorf("it took %v", took)
		}
		r.want("my last words")
	})
}

func TestPanicOfAGoroutineIsTheErrorOfRunWithItsTrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer"), Main: func(ctx context.Context) error { <-ctx.Done(); return nil }}
		r := start(t, app, 20, 4)
		fmt.Fprintln(app.Transcript(), "was said")
		app.Go(func(context.Context) error { return stumble() })
		err := r.wait()
		var p *PanicError
		if !errors.As(err, &p) || p.Value != "boom\x1b[2J" {
			t.Fatalf("%#v", err)
		}
		if text := err.Error(); !strings.Contains(text, "panicked: boom␛[2J\n") ||
			!strings.Contains(text, "tui.stumble(") || strings.ContainsRune(text, '\x1b') {
			t.Error(text)
		}
		if !r.d.closed {
			t.Error("the terminal is not given back")
		}
		r.want("was said")
	})
}

func TestPanicInLastWordsIsTheErrorToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		app.Go(func(ctx context.Context) error { <-ctx.Done(); return stumble() })
		r := start(t, app, 20, 4)
		var p *PanicError
		if err := r.quit(); !errors.As(err, &p) {
			t.Errorf("%v", err)
		}
	})
}

func stumble() error { panic("boom\x1b[2J") }

func TestPanicThatNobodyWouldHearOfGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		r := start(t, app, 20, 4)
		r.quit()
		var heard any
		func() {
			defer func() { heard = recover() }()
			app.getState().goroutineEnded(&PanicError{Value: io.EOF})
		}()
		if err, ok := heard.(error); !ok || !errors.Is(err, io.EOF) {
			t.Errorf("%v", heard)
		}
	})
}

// breaks is a component, a handler, a writer and a submitter that panics in one of them.
type breaks struct{ in string }

func (b *breaks) here(place string) {
	if b.in == place {
		panic("in " + place)
	}
}

func (b *breaks) View(Space) View {
	b.here("View")
	return View{Lines: []Line{{Spans: []Span{{Text: "fine"}}}}}
}

func (b *breaks) HandleEvent(Event, Space) bool   { b.here("HandleEvent"); return false }
func (b *breaks) Write(p []byte) (int, error)     { b.here("Write"); return len(p), nil }
func (b *breaks) OnEvent(Event) bool              { b.here("OnEvent"); return false }
func (b *breaks) Theme(c Caps) *Theme             { b.here("Theme"); return NewTheme(c) }
func (b *breaks) Show(func(int)) Component        { b.here("show"); return b }
func (b *breaks) Main(ctx context.Context) error  { b.here("Main"); <-ctx.Done(); return nil }
func (b *breaks) Going(ctx context.Context) error { b.here("Go"); <-ctx.Done(); return nil }
func (b *breaks) Call(place string) func()        { return func() { b.here(place) } }
func (b *breaks) TickView(s Space) View           { b.here("tick"); return View{RefreshAfter: time.Second} }
func (b *breaks) stream(app *App)                 { fmt.Fprint(app.Transcript().Stream(b), "text") }
func (b *breaks) blockView(app *App)              { app.Transcript().Append(b) }
func (b *breaks) ask(app *App, ctx context.Context) {
	_, _ = Ask(ctx, app, Place{Replace: true}, b.Show)
}
func (b *breaks) update(app *App) { app.Transcript().Append(NewText("x")).Update(b.Call("Update")) }

// TestPanicAnywhereRestoresTheTerminal lets each callback panic.
func TestPanicAnywhereRestoresTheTerminal(t *testing.T) {
	for _, place := range []string{"View", "HandleEvent", "Write", "OnEvent", "Theme", "show", "Main", "Go", "Do",
		"Update"} {
		t.Run(place, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, b := newFakeDevice(20, 4), &breaks{}
				app := &App{Footer: b, OnEvent: b.OnEvent, Theme: b.Theme, Main: b.Main}
				app.openTerminal = func(context.Context) (device, error) { return d, nil }
				if place == "Main" || place == "Go" {
					b.in = place
					app.Go(b.Going)
				}
				ended := make(chan string, 1)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				go func() {
					defer func() { ended <- fmt.Sprint(recover()) }()
					if err := app.Run(ctx); err != nil {
						panic(err)
					}
				}()
				synctest.Wait()
				pass(frameInterval)
				app.Do(func() { b.in = place; app.Restyle() })
				go b.ask(app, ctx)
				b.stream(app)
				b.blockView(app)
				b.update(app)
				app.Do(b.Call("Do"))
				d.events <- Key{Code: 'x'}
				select {
				case how := <-ended:
					if !strings.Contains(how, "in "+place) {
						t.Errorf("it ended with %s", how)
					}
				case <-time.After(time.Minute):
					t.Fatal("it does not end")
				}
				d.mu.Lock()
				defer d.mu.Unlock()
				if !d.closed || !d.vt.Cursor().Visible {
					t.Error("the terminal is not as it was")
				}
			})
		})
	}
}

func TestWaitingInACallbackIsAnErrorAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 4)
		errs := map[string]error{}
		show := func(func(int)) Component { return NewText("never") }
		deep := func(f func()) { // the loop is further away than one look reaches
			var down func(n int)
			down = func(n int) {
				if n == 0 {
					f()
					return
				}
				down(n - 1)
			}
			down(200)
		}
		ask := func(name string) func() {
			return func() { _, errs[name] = Ask(t.Context(), app, Place{}, show) }
		}
		app.Do(ask("Do"))
		app.Do(func() { deep(ask("deep")) })
		app.Do(func() { errs["Shown"] = app.WaitShown(t.Context()) })
		app.Do(func() { errs["Suspend"] = app.Suspend(t.Context(), func() error { return nil }) })
		app.Do(func() { errs["Lend"] = app.Lend(t.Context(), func(*terminal.Lent) error { return nil }) })
		app.Transcript().Append(ComponentFunc(func(Space) View { ask("View")(); return View{} })).Done()
		r.settle()
		for _, name := range []string{"Do", "deep", "Shown", "Suspend", "Lend", "View"} {
			if !errors.Is(errs[name], ErrOnLoop) {
				t.Errorf("%s: %v", name, errs[name])
			}
		}
		r.want("footer")
		r.quit()
	})
}

func TestGoroutineAsksWhileTheLoopIsInACallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 4)
		var answer int
		asked := make(chan error, 1)
		app.Do(func() {
			go func() {
				var err error
				answer, err = Ask(t.Context(), app, Place{}, func(done func(int)) Component {
					done(7)
					return NewText("seven?")
				})
				asked <- err
			}()
			<-time.After(time.Second) // the goroutine asks now
		})
		r.settle()
		if err := <-asked; err != nil || answer != 7 {
			t.Errorf("%d, %v", answer, err)
		}
		r.quit()
	})
}
