package document

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

func TestMain(m *testing.M) {
	Work(os.Args)
	os.Exit(m.Run())
}

func TestADocumentIsReadApart(t *testing.T) {
	ctx, family := context.Background(), new(child.Family)
	for name, data := range map[string][]byte{"a.docx": docxOf(t), "a.xlsx": xlsxOf(t), "a.db": databaseOf(t,
		someTables),
		"a.pdf": pdfOf("BT /F1 10 Tf (Hello) Tj ET")} {
		r := Request{Name: name}
		want, err := r.Text(ctx, data)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Apart(ctx, family, data); got != want || err != nil {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", name, err, got, want)
		}
	}
	_, want := (Request{Name: "a.pdf"}).Text(ctx, []byte("nonsense"))
	if _, err := (Request{Name: "a.pdf"}).Apart(ctx, family, []byte("nonsense")); err == nil ||
		err.Error() != want.Error() {
		t.Errorf("the error is %v, want %v", err, want)
	}
}

// packedPDF returns a PDF whose page is drawn by the line "aaa", times over, in a packed stream.
func packedPDF(t testing.TB, times int) []byte {
	t.Helper()
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	line := []byte("BT /F1 10 Tf (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj ET\n")
	for left := times; left > 0; left -= 1 << 13 {
		if _, err := z.Write(bytes.Repeat(line, min(left, 1<<13))); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	plain := pdfOf("x")
	stream := []byte("<< /Length 1 >>\nstream\nx\n")
	if !bytes.Contains(plain, stream) {
		t.Fatal("there is no stream to pack")
	}
	pdf := bytes.Replace(plain, stream, fmt.Appendf(nil, "<< /Length %d /Filter /FlateDecode >>\nstream\n%s\n",
		packed.Len(), packed.Bytes()), 1)
	end := bytes.LastIndex(pdf, []byte("startxref\n")) // the table is further down now
	return fmt.Appendf(pdf[:end:end], "startxref\n%d\n%%%%EOF\n", bytes.LastIndex(pdf, []byte("xref\n0")))
}

// A PDF whose page unpacks to gigabytes ends at the limit of memory, and a query without an end
// with its caller. The same PDF and the same query with an end give their texts.
func TestAHostileDocumentEnds(t *testing.T) {
	family := new(child.Family)
	text, err := (Request{Name: "b.pdf"}).Apart(context.Background(), family, packedPDF(t, 1))
	if err != nil || !strings.HasSuffix(text, "\n"+strings.Repeat("a", 48)+"\n") {
		t.Fatalf("a packed page that is no bomb: %q, %v", text, err)
	}
	_, err = (Request{Name: "b.pdf"}).Apart(context.Background(), family, packedPDF(t, 1<<20))
	// The race detector is the first to get no memory.
	if err == nil || err.Error() != "reading it takes more than 512 MiB of memory" &&
		!strings.HasPrefix(err.Error(), "its reader ended") && !strings.Contains(err.Error(), "ThreadSanitizer") {
		t.Errorf("a bomb: %v", err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer stop()
	count := func(end string) Request {
		return Request{Name: "x.db", Query: "?q=WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n" + end +
			") SELECT count(*) FROM n"}
	}
	if text, err := count(" LIMIT 7").Apart(context.Background(), family, databaseOf(t, someTables)); err != nil ||
		text != "count(*)\n7\n" {
		t.Fatalf("a query with an end: %q, %v", text, err)
	}
	endless := count("")
	if _, err := endless.Apart(ctx, family, databaseOf(t, someTables)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a query without an end: %v", err)
	}
}
