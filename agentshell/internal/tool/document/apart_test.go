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

// A PDF whose page unpacks to gigabytes ends at the limit of memory, and a query without an end
// with its caller.
func TestAHostileDocumentEnds(t *testing.T) {
	family := new(child.Family)
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	for range 1 << 7 {
		z.Write(bytes.Repeat([]byte("BT (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj ET\n"), 1<<13))
	}
	z.Close()
	bomb := pdfOf("x")
	stream := []byte("<< /Length 1 >>\nstream\nx\n")
	bomb = bytes.Replace(bomb, stream, fmt.Appendf(nil, "<< /Length %d /Filter /FlateDecode >>\nstream\n%s\n",
		packed.Len(),
		packed.Bytes()), 1)
	if at := bytes.LastIndex(bomb, []byte("xref\n")); at > 0 { // the table is further down now
		end := bytes.LastIndex(bomb, []byte("startxref\n"))
		bomb = fmt.Appendf(bomb[:end:end], "startxref\n%d\n%%%%EOF\n", bytes.Index(bomb, []byte("xref\n0")))
	}
	_, err := (Request{Name: "b.pdf"}).Apart(context.Background(), family, bomb)
	// The race detector is the first to get no memory.
	if err == nil || err.Error() != "reading it takes more than 512 MiB of memory" &&
		!strings.HasPrefix(err.Error(), "its reader ended") && !strings.Contains(err.Error(), "ThreadSanitizer") {
		t.Errorf("a bomb: %v", err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer stop()
	endless := Request{Name: "x.db", Query: "?q=WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) " +
		"SELECT count(*) " +
		"FROM n"}
	if _, err := endless.Apart(ctx, family, databaseOf(t, someTables)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a query without an end: %v", err)
	}
}
