// Package tui keeps a program's transcript in the terminal's own history and repaints only a small
// live region below it.
//
// # The model
//
// An [App] is one program on one terminal. Its [Transcript] is what was said: plain writes, rows,
// and [Block]s that are components. Blocks become final in order; a final row is handed to the
// terminal once and never again, so that the reader's history is safe. Below stands the Footer: an
// [Editor], a [Status], or a [Stack] of several. An overlay ([App.Overlay], [Ask]) covers what is
// below it as a layer, replaces the Footer, or has the alternate screen, see [Place].
//
// A [Component] is anything with a View: rows for a [Space]. It says which of its rows are final
// ([View].Stable), where the source of each row ends ([Line].End, so that it can go on at another
// width) and when it wants to be asked again ([View].RefreshAfter). [Text] and [Prose] are such
// components, [Layout] breaks text into rows for others.
//
// A component that cannot say what is final keeps Stable at 0: its rows are live until
// [Block].Done, and those that do not fit the screen are on none until then. [Infer] guesses for
// it, if the program asks for that: what only grows is final but for its last rows, what has stood
// for a while is final although rows below it change, and where a guess was wrong (the rows are
// written once more, below a mark) nothing is guessed any more.
//
// # The one loop
//
// One loop, started by [App.Run]: View, HandleEvent and all On... fields are called on it, one at a
// time, and must not wait. "Any goroutine" marks the other doors; everything else is for the loop
// or before Run. What a component shows is changed on the loop only: in a handler, in [App.Do], in
// [Block.Update]. Time comes to a component in [Space].Now, and [View].RefreshAfter is the only
// animation clock: an idle program does not wake up at all.
//
// A terminal that takes its bytes slowly slows the writers down ([Transcript.Write],
// [Stream.Write]), never the loop: frames are left out.
//
// # Keys
//
// An event goes to the overlay with the focus, then to Footer, then to App.OnEvent. Keys that
// nobody takes: Ctrl+C ends Run with [ErrInterrupted], Ctrl+D ends it, Ctrl+Z stops the process,
// Ctrl+L paints the live rows again.
//
// # Programs that do not break
//
// A panic in a callback or in App.Main restores the terminal and goes on; one in a goroutine of
// [App.Go] is the error of Run. For those in other goroutines, and for what else ends a process,
// there is a guard, a second process: App.Terminal.Guard, see [terminal.NewGuard].
//
// # Environment
//
// NO_COLOR, TERM=dumb and what package terminal reads; SCROLLKEEP_RESIZE (preserve, rebuild,
// append: [ResizeMode]), SCROLLKEEP_PROSE (words, native: App.Native), SCROLLKEEP_STRICT=1 (saved
// lines are never erased), SCROLLKEEP_STILL=1 (spinners do not turn), SCROLLKEEP_HARDWARE_CURSOR=0
// (the caret is drawn), SCROLLKEEP_DEBUG_REDRAW=file (one JSON line a frame).
//
// # Tests
//
// Package tuitest runs an App on a virtual screen with history, in the time of a testing/synctest
// bubble.
package tui
