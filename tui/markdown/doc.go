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
// # Forms
//
//   - A formula of TeX, $...$, $$...$$, \(...\) or \[...\], is shown as it is written. A dollar
//     sign begins one only before a word, and ends one only behind a word: "$5 and $6" is text. A
//     formula within a line has less than 256 bytes; one with lines of its own has at most 2 KiB,
//     and ends at a blank line if its opening mark stands alone.
//   - The item of a task list begins with its box, [ ] or [x].
//   - An alert of GitHub, > [!NOTE], is a quote whose first row is its title.
//   - The text of a footnote, [^1]: text, is indented behind its mark.
//   - Of <details> the summary is shown, without the tags. Other HTML is shown as text.
//   - Stars and underscores of file patterns and of Python's names stay: **/*.go, __init__.py.
//
// # Deviations
//
// These are deviations from CommonMark 0.31.2 and GFM, all for the sake of settling early. A
// reference to a link that is defined in another piece stays as it is written. Only a single line
// of at most 64 bytes is a heading if equals signs underline it; dashes are a rule. The lines of a
// table begin with a bar. A list is as tight or as loose as its source is between two items. A line
// with hundreds of marks in a row is shown as it is from there on.
package markdown
