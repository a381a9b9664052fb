// Package markdown shows Markdown as rows of a tui transcript while it is still being written.
//
// [Document] is a tui.WriterComponent. It splits its source into pieces: a piece is a paragraph,
// a list item, or one line of a code block. A paragraph is finished at the blank line after it, a
// list item when the next one begins, a line of code at its newline. A finished piece is parsed and
// laid out once, and its rows are stable. The unfinished piece at the end is laid out again with
// every View. No piece depends on the text after it, so that stable rows are final whatever is
// written next. Of the unfinished piece, the rows up to the first mark whose meaning is still open
// are stable. After a change of width the layout can continue behind any row.
//
// The output is made to be read, searched and copied. All text is flush left, without boxes and
// borders. A code block consists of its lines alone, and the terminal itself wraps them. The target
// of a link is shown behind its text.
//
// # Extensions
//
//   - A TeX formula, $...$, $$...$$, \(...\) or \[...\], is shown as written. An opening dollar
//     sign must stand before a word, and a closing one behind a word: "$5 and $6" is text. A
//     formula within a line is shorter than 256 bytes. A formula on lines of its own has at most
//     2 KiB. If its opening delimiter stands alone, it ends at a blank line.
//   - An item of a task list begins with its box, [ ] or [x].
//   - A GitHub alert, > [!NOTE], is a quote whose first row is its title.
//   - The text of a footnote, [^1]: text, is indented behind its mark.
//   - Of <details> the summary is shown, without the tags. Other HTML is shown as text.
//   - Stars and underscores in file patterns and Python names are kept: **/*.go, __init__.py.
//
// # Deviations
//
// The deviations from CommonMark 0.31.2 and GFM let rows become final early:
//
//   - A reference to a link that is defined in another piece stays as written.
//   - Only a single line of at most 64 bytes, underlined with equals signs, is an underlined
//     heading. A row of dashes is a horizontal rule.
//   - The header line of a table begins with a vertical bar.
//   - A blank row separates two list items where the source has a blank line between them.
//   - A line with hundreds of consecutive marks is shown as written from there on.
package markdown
