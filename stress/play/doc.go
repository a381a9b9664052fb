// Package play plays benchmark scripts in a chat program that uses only the public API of package
// tui. It measures what the program writes, and checks what the terminal shows at the end.
//
// A program runs in a bubble of testing/synctest, so that the clock stands still while it works.
// Only a test may open such a bubble. Therefore the measurements are tests of this package, with
// flags:
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
// The output goes to a simulated terminal that counts bytes and answers queries as the profile's
// terminal does. At the end the rows are checked as this module's emulator shows them, the real
// core of another terminal, or a real terminal (-tape). TestCosts plays every script several times,
// and with other libraries, too. It prints what a frame costs, with the limits of the rendering
// contract. TestFlicker prints what a user can see between the sequences of a frame. [OnTerminal]
// plays a script in the real terminal of its process, in real time.
package play
