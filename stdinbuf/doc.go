// Package stdinbuf cuts the bytes that a terminal sends into complete tokens.
//
// # What comes in
//
// A read returns whatever has arrived: half an escape sequence, half a character, three keys and
// the first kilobyte of a paste. [Buffer.Feed] takes it and yields what is complete; the rest waits
// for the next read. Where a read ends never matters: the tokens are the same for every way of
// cutting the stream.
//
// # Time
//
// A lone ESC is the Escape key or the beginning of a sequence, and only time can tell. The package
// has no clock: [Buffer.Pending] says how long the caller should wait for more, and [Buffer.Flush]
// ends the wait.
//
// # What cannot be trusted
//
// Terminals lose bytes, links stall, and whatever a program prints can make a terminal answer. So
// nothing here waits for an end without a limit: a sequence that is cut by a new ESC or a control,
// that grows over its cap, or that is flushed becomes a [Broken] token, and what follows is read
// afresh. Private CSI fragments alone (ESC [ ?) have no time limit, only one of 256 bytes: nobody
// types them, they are replies on a slow link, and their ends must not be taken for typing. The end
// of another reply that was cut is Broken, too, whenever it comes. Work and memory are linear in
// the input.
package stdinbuf
