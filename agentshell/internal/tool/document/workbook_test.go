package document

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

// workbookOf returns a workbook with one sheet of these parts: the attributes of workbookPr, the
// styles (their formats by number, from 164 on), the shared strings and the rows.
func workbookOf(t testing.TB, settings string, formats []string, shared, rows string) []byte {
	t.Helper()
	var codes, cells strings.Builder
	for _, f := range formats {
		if id, code, ok := strings.Cut(f, "="); ok {
			codes.WriteString(`<numFmt numFmtId="` + id + `" formatCode="` + code + `"/>`)
			f = id
		}
		cells.WriteString(`<xf numFmtId="` + f + `"/>`)
	}
	const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	return zipped(t, [][2]string{
		{"_rels/.rels", `<Relationships><Relationship Id="a" Type="` + types +
			`officeDocument" Target="/book/w.xml"/></Relationships>`},
		{"book/w.xml", `<workbook xmlns:r="` + types + `"><workbookPr ` + settings +
			`/><sheets><sheet name="One" r:id="s"/>` +
			`<sheet name="Drawn" r:id="c"/></sheets></workbook>`},
		{"book/_rels/w.xml.rels", `<Relationships><Relationship Id="s" Type="` + types +
			`worksheet" Target="sheets/a.xml"/>` +
			`<Relationship Id="c" Type="` + types + `chartsheet" Target="sheets/b.xml"/>` +
			`<Relationship Id="x" Type="` + types + `sharedStrings" Target="../shared.xml"/>` +
			`<Relationship Id="y" Type="` + types + `styles" Target="styles.xml"/></Relationships>`},
		{"book/styles.xml", `<styleSheet><numFmts>` + codes.String() +
			`</numFmts><cellStyleXfs><xf numFmtId="10"/></cellStyleXfs><cellXfs>` +
			cells.String() + `</cellXfs></styleSheet>`},
		{"shared.xml", `<sst>` + shared + `</sst>`},
		{"book/sheets/a.xml", `<worksheet><sheetData>` + rows +
			`</sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells></worksheet>`},
	})
}

func TestAWorkbooksCellsAreAsTheyAreShown(t *testing.T) {
	shared := `<si><t>plain</t></si><si><r><t>ri</t></r><r><t xml:space="preserve">ch </t></r><rPh sb="0" eb="1">` +
		`<t>said</t></rPh></si>` +
		`<si><t>a_x000A_b_x_c_x00e9_</t></si>`
	formats := []string{"0", "14", "164=#,##0.00 [$€-407];[Red]-#,##0.00 [$€-407]",
		"165=yyyy\\-mm\\-dd hh:mm:ss.000", "10", "166=&quot;No. &quot;@"}
	for name, c := range map[string]struct{ settings, rows, want string }{
		"shared": {"", `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>9</v>` +
			`</c></row>`, "plain | rich  | a b_x_cé | 9\n"},
		"inline": {"", `<row><c t="inlineStr"><is><t>in</t></is></c><c t="str"><f>A1&amp;1</f><v>in1</v></c>` +
			`</row>`, "in | in1\n"},
		"a formula": {"", `<row><c><f>1+1</f><v>2</v></c><c><f>B2</f></c><c t="b"><v>1</v></c><c t="b"><v>0</v>` +
			`</c></row>`, "2 |  | TRUE | FALSE\n"},
		"an error": {"", `<row><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>`, "#DIV/0!\n"},
		"dates": {"", `<row><c s="1"><v>45292</v></c><c s="3"><v>45292.5000000116</v></c><c s="1"><v>1</v></c>` +
			`</row>`, "2024-01-01 | 2024-01-01 12:00:00.001 | 1900-01-01\n"},
		"since 1904": {`date1904="1"`, `<row><c s="1"><v>0</v></c></row>`, "1904-01-01\n"},
		"ISO dates": {"", `<row><c t="d"><v>2024-02-03T00:00:00</v></c><c t="d"><v>2024-02-03T04:05:06</v></c>` +
			`</row>`, "2024-02-03 | 2024-02-03 04:05:06\n"},
		"money": {"", `<row><c s="2"><v>-1234567.895</v></c><c s="2"><v>2.675</v></c><c s="4"><v>0.125</v></c>` +
			`</row>`, "-1,234,567.90 € | 2.68 € | 12.50%\n"},
		"text": {"", `<row><c s="5" t="s"><v>0</v></c></row>`, "No. plain\n"},
		"general": {"", `<row><c><v>0.30000000000000004</v></c><c s="99"><v>1E+21</v></c><c><v>1234567890123</v>` +
			`</c></row>`, "0.3 | 1E+21 | 1234567890123\n"},
		"merged": {"", `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"/><c r="C1"><v>3</v></c></row>`,
			"plain |  | 3\n"},
		"places": {"", `<row r="3"><c r="C3"><v>1</v></c><c r="AB3"><v>2</v></c></row><row r="4"/><row r="7">` +
			`<c><v>3</v></c></row>`, "[2 empty rows]\n |  | 1" + strings.Repeat(" | ", 25) + "2\n[3 empty rows]\n3\n"},
		"nonsense": {"", `<row r="-1"><c r="9"><v>x</v></c><c s="-4" t="zz"><v>5</v></c></row><row ` +
			`r="9999999999"><c><v>6</v></c></row>`, "x | 5\n6\n"},
	} {
		got, err := (Request{Name: "a.xlsx"}).Text(context.Background(), workbookOf(t, c.settings, formats, shared,
			c.rows))
		want := "[cells of a workbook, 2 sheets; formulas, charts and layout are lost]\n--- sheet One ---\n" + c.want +
			"--- sheet Drawn ---\n[a chart]\n"
		if got != want || err != nil {
			t.Errorf("%s: %v, got\n%q\nwant\n%q", name, err, got, want)
		}
	}
}

func TestAWorkbookIsReadAsExcelizeReadsIt(t *testing.T) {
	f := excelize.NewFile()
	codes := []string{"General", "0", "0.00", "#,##0", "#,##0.00", "0%", "0.00%", "0.00E+00", "yyyy-mm-dd", "hh:mm:ss",
		"d mmm yyyy", "[h]:mm:ss", "h:mm AM/PM", `0.0" km"`, "#,##0;(#,##0)", "0.00;[Red]-0.00;\"none\"", "@",
		"000-0000", "mmmm", "dddd"}
	values := []any{0, 1, -1, 0.5, 12.345, 1234567.891, 45292.75, 0.0001, "text", true, time.Date(2024, 2, 29, 13,
		14, 15, 0, time.UTC)}
	for row, v := range values {
		for column, code := range codes {
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &code})
			if err != nil {
				t.Fatal(err)
			}
			at, _ := excelize.CoordinatesToCellName(column+1, row+1)
			if err := f.SetCellValue("Sheet1", at, v); err != nil {
				t.Fatal(err)
			}
			if err := f.SetCellStyle("Sheet1", at, at, style); err != nil {
				t.Fatal(err)
			}
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	want, err := f.GetRows("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	got, err := (Request{Name: "a.xlsx"}).Text(context.Background(), b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	// What Excel shows and excelize 2.11.1 does not: the third section is for zeros, a count of
	// hours has
	// no bound, and a number has 15 digits.
	better := map[string]string{"none": "0.00", "29629629:23:02": "2562047:23:02", "45351.5515625": "45351.55156"}
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")[2:]
	if len(lines) != len(values) {
		t.Fatalf("%d rows", len(lines))
	}
	for row, line := range lines {
		for column, text := range strings.Split(line, " | ") {
			if w := strings.TrimSpace(want[row][column]); text != w && better[text] != w {
				t.Errorf("%v as %s: %q, excelize has %q", values[row], codes[column], text, w)
			}
		}
	}
}
