// Package stress tests the renderer: random programs run on emulated terminals, and the rows that
// these show are compared with the rows that the contract of the renderer demands.
//
// # How
//
// Package harness plays a [program.Program] through the public API of package renderer. The
// renderer's bytes go into terminal/vt, which behaves as a terminal of stress/profile. The harness
// keeps a ledger of the expected rows. It computes the ledger from the contract alone: from what
// the program hands over and what the terminal shows, never from the state of the renderer. After
// each frame the two must agree.
//
// Long programs ([program.Generate]) run through a whole session. Small ones ([program.Small]) are
// a few operations in a small window, where soft wraps, overlays and resizes often meet. A failing
// small program is short, and 5,000 of them run in a second. In resize races ([program.ResizeRace],
// -races N) the window changes its size while an ordinary frame is on its way: all final text that
// the terminal itself has left whole must stay.
//
// # What is checked
//
// The tape is history and grid together. Each final row must be there once, in order, with its
// styles and its soft wraps, and nothing in between. Rows of other programs must be as they were,
// the live rows must be in the window, and the number of rows in history must be exact. After a
// resize the terminal may have wrapped rows anew, so that whole lines are compared. Other rows may
// be there then, too, but no more than Seam.Doubt admits.
//
// Each frame must be one Write of allowed sequences, with balanced brackets, the default style
// where the terminal could take its background, and the cursor where it belongs. A frame that
// changes nothing must write nothing. Within a frame no row that stays as it is, and no row of
// ASCII, may be blanked and written again (see stress/flicker), except for wraps, careful frames
// and changes of size. A user who has scrolled up must see the same rows as before.
//
// A picture must be drawn once, by a Write of its own, over its own rows, or its drawing function
// must be told that they are not there. A letter on each row shows its place. Where the terminal
// knows kitty graphics, the image must be placed there.
//
// # Exemptions
//
// Some terminals do things to rows that no renderer can make up for. Each such exemption is a
// function in exempt.go of package harness, which names the terminal and the version. If the
// renderer does not know the terminal, less is demanded: see Unrecognised in stress/profile.
//
// Two kinds of rows are not counted. A blank row may be missing right behind rows that a resize has
// left, because a terminal may take it for their end. And if a size came and went before the
// renderer was told of it, at most as many rows as there were live ones may have been left.
//
// No window of a random program becomes one column wide: it shows no wide characters and no
// combining marks, and each terminal does something else with them. Programs that began in such a
// window are kept as regression tests. After such a window only the texts and their order are
// compared. Once a window has had fewer than ten columns, rows that are left behind are not counted
// where the width of a cluster is in doubt.
package stress
