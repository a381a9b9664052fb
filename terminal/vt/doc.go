// Package vt is a terminal emulator without a window: it keeps the grid, the scrollback and the modes that the output of an application leads
// to, and gives the replies that the application asks for. Where emulators differ, it does what ghostty does.
//
// # Differences from ghostty
//
// Judged by stress/oracle against the core of April 2026 (commit 48ccec182a93), whose quirks are kept even where they look like oversights.
// What is left differs on purpose:
//
//   - Ghostty keeps rows in pages of memory. A row that was cut off the end of a page comes back with what was in it; this package does the
//     same, but takes the rows of a page for 215*216/(columns+1), and a page that ghostty has to copy in the middle of an action, because its
//     table of links or styles is full, is nothing special here. In ghostty such a copy loses the mark that is being added to a linked
//     character, and what was left in unused rows.
//   - Sequences on which the core crashes or reads beyond a page (a wide character cut by a narrower alternate screen and then moved) do the
//     harmless part here.
//   - The scrollback limit is in rows, not in bytes. Without scrollback ghostty still keeps a page or two of rows out of sight, this package 500
//     rows: an image on an older one is gone.
//   - The cursor follows an image down by at most 512 rows more than the screen has; the core goes as far as the image says.
package vt
