// Package stress proves the renderer: random programs run on emulated terminals, and what stands on
// their tapes is judged.
//
// # How
//
// A [program.Program] is played by package harness through the public API of package renderer; its
// bytes go into terminal/vt under a profile of stress/profile. The ledger there is a second book,
// kept from the rendering contract alone: it sees what the program hands over and what the terminal
// shows, never the renderer's own beliefs. After each frame the two must agree. Long programs
// ([program.Generate]) wander through a whole session; small ones ([program.Small]) are a few ops
// in a small window, where soft wraps, overlays and resizes meet: what they find is short, and
// 5,000 run in a second. In resize races ([program.ResizeRace], -races N) the window changes while
// an ordinary frame is in flight: all final text that it has left whole must stay.
//
// # What is judged
//
// The tape, which is history and grid: each final row once, in order, with its pens, its soft wraps
// and nothing in between; foreign rows as they were; the live rows in the window; the number of
// rows in history, exactly. After a resize rows belong to the terminal, so that whole lines are
// compared then, and what else stands there must be residue, no more of it than Seam.Doubt admits.
// Each frame is one Write of allowed sequences only, with balanced brackets, the pen default where
// the terminal could take its background, the cursor where it belongs; a frame that changes nothing
// is no Write at all. Within a frame no row that stays as it is, and none of ASCII, is blanked and
// written again (see stress/flicker), but for wraps, careful frames and changes of size. A reader
// who has scrolled up sees the same rows as before. A picture is drawn once, by a Write of its own,
// over its own rows, or told that they are not there: each of them bears a letter, and the image is
// placed there where the terminal knows kitty graphics.
//
// # Exemptions
//
// What a terminal does to rows that no renderer can make up for is excused by its profile. Each
// exemption is a function in exempt.go of package harness, with the terminal and the version.
//
// A terminal of which nothing is known is asked for less: see Unrecognised in stress/profile.
//
// Some rows are in no count anywhere. A blank row may be missing right behind residue: a terminal
// may take it for the end of that. Residue of a size that came and went before the renderer was
// told of it is at most the live rows that there were.
//
// No window of a random program becomes one column wide: it shows no wide characters and no marks,
// and each terminal makes something else of them. Programs that began in one are pinned. After such
// a window only the texts and their order are judged. Once a window has had fewer than ten columns,
// rows that are left behind are not counted where the width of a cluster is in doubt.
package stress
