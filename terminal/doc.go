// Package terminal owns the tty: it takes it into raw mode, asks what it is, turns its bytes into
// events, and gives it back as it was.
//
// # Events
//
// [Open] starts everything and waits for nothing. [Terminal.Next] is pulled by the program's one
// loop and yields keys, pastes, sizes, focus and mouse events, and three that are about the
// terminal itself: [Changed] (a reply has changed [Terminal.Caps]), [Drained] and [Resumed]. Of all
// replies only two leave the package, for whoever draws: the cursor's position and a picture that
// was refused.
//
// # Probes
//
// At the start all questions go out in one write, each followed by a request for the device
// attributes, which every terminal answers: when that answer comes and the question's own has not,
// there is none. Replies are recognised by their form for the whole session, whether anybody asked
// or not, however late and in whatever pieces they come, so that none can reach the input.
// Terminals that print what they do not know (the Linux console) are asked nothing.
//
// What was learned, with its source, is [Terminal.Facts]; what the user could change is [Advise].
// Both rest on one pure function over the environment and the replies.
//
// # Modes
//
// One table (mode.go) holds everything that is switched on. Start, suspension, resumption and every
// way to end walk it; what was set before us stays set. [Terminal.Close] restores and is
// idempotent; put it into a defer. [Terminal.Recover] does so for panics in other goroutines.
// SIGTERM, SIGHUP and SIGINT end Next with a [GoneError], and if the program does not end within
// three seconds, the terminal is restored under it. A crash of the Go runtime itself and SIGKILL
// cannot be caught.
//
// # Strings
//
// OSC, DCS, APC, PM and SOS go out where [Caps].Strings says that they are not printed (gate.go):
// titles, links, marks, colours, pictures, the clipboard, notifications, and questions of that
// form. Elsewhere the writer leaves out whatever string it is given.
//
// # Writing
//
// [Terminal.Write] queues; one goroutine writes, whole and in order, so that a title never lands in
// a frame. [Terminal.Behind] and [Drained] are for those who should not make frames that nobody
// takes. A terminal that takes nothing for [Config].Patience is gone.
//
// # Environment
//
// For the user: SCROLLKEEP_NO_SYNC and SCROLLKEEP_FORCE_SYNC (DEC 2026), SCROLLKEEP_LINKS=0|1 (OSC
// 8), SCROLLKEEP_MARKS=0|1 (OSC 133), SCROLLKEEP_NOTIFY=off|bell|osc9|osc99|osc777,
// SCROLLKEEP_IMAGES=off|kitty|iterm2|sixel, SCROLLKEEP_NO_PROBE (nothing is asked), NO_COLOR. All
// others that are read are those that terminals, multiplexers and systems set; they are read
// through [Config].Env only.
//
// # Systems
//
// Unix systems and Windows 10 1809 or later, which is the first whose console knows escape
// sequences; there is no Ctrl+Z there. On Linux the package is tested on real ptys; on the others
// it is built.
//
// # Deviations
//
// A cut private reply (CSI ? 6, then nothing) is not given back to the input as text, only the key
// that follows it is: its bytes were never typed.
package terminal
