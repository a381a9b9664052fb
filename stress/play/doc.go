// Package play plays benchmark scripts through the public API of package tui, as a program that
// keeps a chat would be written, and judges what the bytes leave behind.
//
// The clock is stepped by hand: a whole program runs in a bubble of testing/synctest, which only a
// test may open. So what measures is a test of this package, with flags:
//
//	go test ./stress/play -run TestScript -args -script w1-80x24.jsonl
//	    [-log OUT] [-policy para|msg] [-profile NAME]
//	    [-expect FILE [-emulator xtermjs|ghostty|kitty]]
//	go test ./stress/play -run TestCosts -v -args -costs
//	    [-workloads w1,w7] [-size 80x24,100x30] [-policy para,msg]
//	    [-profile ghostty,xtermjs] [-peers ../peers]
//	go test ./stress/play -run TestFlicker -v -args -flicker
//	    [-workloads w1,w7] [-size 80x24] [-policy para,msg]
//	    [-profile tmux,ghostty]
//
// Output goes into a sink that counts bytes and answers queries as the profile's terminal would.
// The tape is judged as the emulator shows it, the real core of another terminal, or a real
// terminal (-tape). TestCosts plays every script several times, in other libraries too, and prints
// what frames cost beside the budgets of the rendering contract; TestFlicker prints what can be
// seen between the sequences of a frame. [OnTerminal] plays in the real terminal, in real time.
package play
