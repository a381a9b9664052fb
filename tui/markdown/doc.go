// Package markdown shows Markdown as rows of a transcript while it is still being written.
//
// [Document] is a tui.WriterComponent. The source is settled piece by piece: a paragraph at the
// blank line after it, a list item when the next one begins, a line of a code block at its newline.
// What is settled is parsed once, laid out once, and stable; what follows is laid out anew with
// every View. A piece never looks at what comes after it, so that settled rows are final whatever
// is written next. Of the open piece those rows are stable that are decided: complete words before
// the first mark that may still mean something else. A change of width goes on behind any row.
//
// What is shown is made to be read, searched, and copied: flush left, no boxes and no borders; a
// code block is its lines and nothing else, wrapped by the terminal itself; the target of a link is
// shown, not hidden behind its text.
//
// Deviations from CommonMark and GFM, all for the sake of settling early: a reference to a link
// that is defined in another piece stays as it is written; headings are not underlined; the lines
// of a table begin with a bar; a list is as tight or as loose as its source is between two items;
// HTML is shown as text; a line with hundreds of marks in a row is shown as it is from there on.
package markdown
