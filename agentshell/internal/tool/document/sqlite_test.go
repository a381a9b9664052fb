package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// databaseOf makes a database by statements, as its file.
func databaseOf(t testing.TB, sql string) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.db")
	c, err := sqlite3.Open("file:" + name)
	if err == nil {
		err = errors.Join(c.Exec(sql), c.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

const someTables = `CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, photo BLOB);
INSERT INTO people VALUES (1,'Ada',x'0102'),(2,'Bob
two lines',NULL),(3,'` + "a very long name that does not fit into one cell of a table" + `',NULL);
CREATE TABLE "odd:name" (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO "odd:name" VALUES ('a:b','colon');
CREATE INDEX byname ON people(name);
CREATE VIEW names AS SELECT name FROM people;`

func TestADatabaseAnswersItsQueries(t *testing.T) {
	data := databaseOf(t, someTables)
	for _, c := range []struct{ query, want string }{
		{"", "names  3 rows\nodd:name  1 rows\npeople  3 rows\n"},
		{":people", "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, photo BLOB);\n" +
			"CREATE INDEX byname ON people(name);\n" +
			"[first rows; :KEY gives one row, ?where=…&order=…&limit=…&offset=… others]\n" +
			"id | name | photo\n1 | Ada | [2 bytes]\n2 | Bob\\ntwo lines | NULL\n" +
			"3 | a very long name that does not fit into… | NULL\n"},
		{":people:2", "id: 2\nname: Bob\ntwo lines\nphoto: NULL\n"},
		{":odd:name:a:b", "k: a:b\nv: colon\n"},
		{":odd:name", "CREATE TABLE \"odd:name\" (k TEXT PRIMARY KEY, v) WITHOUT ROWID;\n" +
			"[first rows; :KEY gives one row, ?where=…&order=…&limit=…&offset=… others]\nk | v\na:b | colon\n"},
		{":people?limit=1&offset=1", "id | name | photo\n2 | Bob\\ntwo lines | NULL\n"},
		{":people?order=id:desc&limit=1", "id | name | photo\n3 | a very long name that does not fit into… | NULL\n"},
		{":people?where=name+LIKE+'Ad%25'", "id | name | photo\n1 | Ada | [2 bytes]\n"},
		{":people?where=name='none'", "[no rows]\n"},
		{"?q=SELECT+count(*)+AS+n+FROM+people", "n\n3\n"},
		{"?q=SELECT 1+1 AS n, 'a&b;%41' AS t", "n | t\n2 | a&b;%41\n"},
		{":people?where=name LIKE 'Ad%' AND id = 0+1", "id | name | photo\n1 | Ada | [2 bytes]\n"},
	} {
		got, err := (Request{Name: "x.db", Query: c.query}).Text(context.Background(), data)
		if got != c.want || err != nil {
			t.Errorf("%q: %v, got\n%s\nwant\n%s", c.query, err, got, c.want)
		}
	}
	for query, want := range map[string]string{
		":none": "there is no table \"none\"", ":people:9": "no row of \"people\" has the key \"9\"",
		":people?order=x": "order is a column", ":people?limit=-1": "limit is a number",
		":people?x=1":             "no parameter x",
		":people?where=1 LIMIT 1": "syntax error", ":people?where=1) UNION SELECT 1,2,3 --": "syntax error",
		":people:1?limit=1": "takes no parameters", "?q=": "q is empty", ":people?q=SELECT+1": "q stands alone",
		"?limit=3": "a table must be named", ":people?where=id=1)+OR+(1;DROP+TABLE+people": "syntax error",
		"?q=SELECT+1;SELECT+2": "only one statement", "?q=SELECT+?": "cannot be bound",
		"?q=" + "ATTACH+'/etc/passwd'+AS+x": "not authorized", "?q=PRAGMA+journal_mode=DELETE": "not authorized",
		"?q=DELETE+FROM+people": "not authorized", "?q=VACUUM+INTO+'/tmp/x'": "authorization denied",
		"?q=CREATE+TEMP+TABLE+x(a)": "not authorized", "?q=SELECT+load_extension('x')": "no such function",
		"?q=SELECT+readfile('/etc/passwd')": "no such function",
	} {
		got, err := (Request{Name: "x.db", Query: query}).Text(context.Background(), data)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %q, %v, want %q", query, got, err, want)
		}
	}
}

// Of a table five rows are shown with its schema, twenty for a question without a limit, and 500 at
// the most; of a database 500 tables.
func TestWhatIsShownOfADatabaseIsBounded(t *testing.T) {
	tables := strings.Builder{}
	for i := range maxTables + 2 {
		fmt.Fprintf(&tables, "CREATE TABLE t%04d (a);", i)
	}
	data := databaseOf(t, "CREATE TABLE many (a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE "+
		"i < 600) INSERT INTO many SELECT i FROM n; BEGIN;"+tables.String()+"COMMIT")
	for query, want := range map[string]string{
		":many": "]\na\n1\n2\n3\n4\n5\n", ":many?offset=0": "\n19\n20\n", ":many?offset=3": "\n22\n23\n",
		":many?limit=9999": "\n499\n500\n", ":many?limit=2&offset=598": "a\n599\n600\n",
		"": "\nt0497  0 rows\nt0498  0 rows\n[3 tables more]\n",
	} {
		got, err := (Request{Name: "x.db", Query: query}).Text(t.Context(), data)
		if err != nil || !strings.HasSuffix(got, want) {
			t.Errorf("%q: %v, %q, want %q", query, err, got[max(0, len(got)-60):], want)
		}
	}
}

// What is only in the log is seen, as far as it is committed.
func TestADatabaseIsReadWithItsLog(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	c, err := sqlite3.Open("file:" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	exec := func(sql string) {
		t.Helper()
		if err := c.Exec(sql); err != nil {
			t.Fatal(err)
		}
	}
	rows := func(log int) string {
		t.Helper()
		data, wal := readBoth(t, name)
		if log >= 0 {
			wal = wal[:min(log, len(wal))]
		}
		both := append(data, wal...)
		before := bytes.Clone(both)
		got, err := (Request{Name: name, Query: "?q=SELECT x FROM a", Log: len(wal)}).Text(context.Background(), both)
		if err != nil {
			got = err.Error()
		}
		if !bytes.Equal(both, before) {
			t.Error("the bytes of the file were changed")
		}
		return strings.ReplaceAll(got, "\n", " ")
	}
	exec("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE a (x); INSERT INTO a VALUES (1)")
	if got := rows(-1); got != "x 1 " {
		t.Errorf("%q", got)
	}
	if got := rows(0); !strings.Contains(got, "no such table") {
		t.Errorf("without its log: %q", got)
	}
	exec("PRAGMA wal_checkpoint(TRUNCATE)")
	if got := rows(-1); got != "x 1 " {
		t.Errorf("%q", got)
	}
	exec("INSERT INTO a VALUES (2)")
	first, _ := readBoth(t, name)
	_, log := readBoth(t, name)
	exec("INSERT INTO a VALUES (3); CREATE TABLE b AS SELECT hex(randomblob(20000)) AS h")
	for cut, want := range map[int]string{-1: "x 1 2 3 ", len(log): "x 1 2 ", len(log) + 100: "x 1 2 ",
		len(log) - 1: "x 1 ", 20: "x 1 "} {
		if got := rows(cut); got != want {
			t.Errorf("log of %d bytes: %q, want %q", cut, got, want)
		}
	}
	data, torn := readBoth(t, name)
	torn[len(log)+2000] ^= 1 // in a frame behind the first commit
	got, err := (Request{Name: name, Query: "?q=SELECT x FROM a", Log: len(torn)}).Text(context.Background(),
		append(data, torn...))
	if err != nil || got != "x\n1\n2\n" {
		t.Errorf("a torn log: %q, %v", got, err)
	}
	exec("DROP TABLE b; PRAGMA incremental_vacuum; VACUUM; BEGIN; INSERT INTO a VALUES (4)")
	if got := rows(-1); got != "x 1 2 3 " {
		t.Errorf("beside a transaction: %q", got)
	}
	exec("COMMIT; PRAGMA wal_checkpoint(RESTART); INSERT INTO a VALUES (5)") // over what the log had
	if got := rows(-1); got != "x 1 2 3 4 5 " {
		t.Errorf("%q", got)
	}
	if _, err := (Request{Name: name, Log: len(first) + 1}).Text(context.Background(), first); err == nil {
		t.Error("a log longer than all")
	}
}

// A query that does not end ends with its context, and one that wants all memory at a limit.
func TestAQueryIsBounded(t *testing.T) {
	data := databaseOf(t, someTables)
	ctx, stop := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer stop()
	endless := "?q=WITH+RECURSIVE+n(i)+AS+(SELECT+1+UNION+ALL+SELECT+i%2B1+FROM+n)+SELECT+count(*)+FROM+n"
	if got, err := (Request{Name: "x.db", Query: endless}).Text(ctx, data); err == nil {
		t.Errorf("an endless query gave %q", got)
	}
	zeros := func(n int) (string, error) {
		return (Request{Name: "x.db", Query: fmt.Sprintf("?q=SELECT+hex(zeroblob(%d))+AS+h", n)}).
			Text(context.Background(), data)
	}
	if got, err := zeros(2); got != "h\n0000\n" || err != nil {
		t.Errorf("a small value gave %q, %v", got, err)
	}
	if got, err := zeros(900_000_000); err == nil {
		t.Errorf("a huge value gave %d bytes", len(got))
	}
	many, err := (Request{Name: "x.db",
		Query: "?q=WITH+RECURSIVE+n(i)+AS+(SELECT+1+UNION+ALL+SELECT+i%2B1+FROM+n)+SELECT+i+FROM+n"}).
		Text(context.Background(), data)
	if err != nil || !strings.HasSuffix(many, "\n500\n[more rows; this is the limit]\n") {
		t.Errorf("%v: %q", err, many[max(0, len(many)-60):])
	}
}

func FuzzADatabaseIsTextOrAnError(f *testing.F) {
	data := databaseOf(f, someTables)
	f.Add(data, "")
	f.Add(data, ":people")
	f.Add(data, ":people?order=id&where=1")
	f.Add(data, "?q=SELECT 1")
	f.Add(data, `people:1={"name": "x"}`)
	f.Fuzz(func(t *testing.T, data []byte, query string) {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		text, err := (Request{Name: "x.db", Query: query, Log: len(query) * 100 % (len(data) + 1)}).Text(ctx, data)
		if err == nil && len(text) > MaxText+100 {
			t.Fatalf("%d bytes", len(text))
		}
		where, content, _ := strings.Cut(query, "=")
		if text, err = (Request{Name: "x.db", Row: &Row{where, content}}).Text(ctx, data); err == nil {
			if _, err := Prepared(text); err != nil {
				t.Fatal(err)
			}
		}
	})
}
