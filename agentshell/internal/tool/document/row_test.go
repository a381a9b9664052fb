package document

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/ncruces/go-sqlite3"
)

const rowTables = `CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INT, photo BLOB, made TEXT DEFAULT CURRENT_TIMESTAMP, shout AS (upper(name)), UNIQUE (name) ON CONFLICT REPLACE);
INSERT INTO people(id,name,age,photo,made) VALUES (1,'Ada',36,x'0102','then'),(2,'it''s
two lines',NULL,NULL,'then');
CREATE TABLE plain (a, b);
INSERT INTO plain VALUES ('x', 1.5), ('y', 2);
CREATE TABLE words (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO words VALUES ('a:b', 'colon'), ('7', 'seven');
CREATE TABLE pairs (x, y, v, PRIMARY KEY (x, y)) WITHOUT ROWID;
INSERT INTO pairs VALUES (1, 2, 'v');
CREATE TABLE "odd:name" (rowid, v);
INSERT INTO "odd:name" VALUES ('r', 'v');
CREATE TABLE parent (id INTEGER PRIMARY KEY);
CREATE TABLE child (id INTEGER PRIMARY KEY, of REFERENCES parent(id) ON DELETE CASCADE);
INSERT INTO parent VALUES (1), (2); INSERT INTO child VALUES (10, 1);
CREATE TABLE logged (id INTEGER PRIMARY KEY, v);
INSERT INTO logged VALUES (1, 'a');
CREATE TABLE log (text);
CREATE TRIGGER tells AFTER UPDATE ON logged BEGIN INSERT INTO log VALUES (new.v); END;
CREATE TABLE frozen (id INTEGER PRIMARY KEY, v);
INSERT INTO frozen VALUES (1, 'a');
CREATE TRIGGER freezes BEFORE UPDATE ON frozen BEGIN SELECT RAISE(IGNORE); END;
CREATE VIEW names AS SELECT name FROM people;`

// rowOf returns a row as column=value.
func rowOf(row []Value) string {
	var list []string
	for _, v := range row {
		list = append(list, v.Column+"="+v.SQL)
	}
	return strings.Join(list, " ")
}

func prepareRow(t testing.TB, data []byte, where, content string) (RowChange, error) {
	t.Helper()
	return prepareLogged(t, data, nil, where, content)
}

func prepareLogged(t testing.TB, data, log []byte, where, content string) (RowChange, error) {
	t.Helper()
	r := Request{Name: "x.db", Log: len(log), Row: &Row{where, content}}
	text, err := r.Text(context.Background(), slices.Concat(data, log))
	if err != nil {
		return RowChange{}, err
	}
	c, err := Prepared(text)
	if err != nil {
		t.Fatal(err)
	}
	return c, nil
}

func fileOf(t testing.TB, data []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a ?#%41.db")
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestARowIsWrittenAsItWasPrepared(t *testing.T) {
	data := databaseOf(t, rowTables)
	for _, c := range []struct{ where, content, before, after string }{
		{"people:1", `{"age": 37, "NAME": "Ada L."}`, "id=1 name='Ada' age=36 photo=X'0102' made='then' shout='ADA'",
			"id=1 name='Ada L.' age=37 photo=X'0102' made='then' shout='ADA L.'"},
		{"people:2", `{"name": "it's one", "id": 9}`,
			"id=2 name='it''s\ntwo lines' age=NULL photo=NULL made='then' shout='IT''S\nTWO LINES'",
			"id=9 name='it''s one' age=NULL photo=NULL made='then' shout='IT''S ONE'"},
		{"people:2", " \n", "id=2 name='it''s\ntwo lines' age=NULL photo=NULL made='then' shout='IT''S\nTWO LINES'",
			""},
		{"people", `{"name": "Eve", "age": true, "made": null}`, "",
			"id=3 name='Eve' age=1 photo=NULL made=NULL shout='EVE'"},
		{"plain:2", `{"b": -1.25e3}`, "a='y' b=2", "a='y' b=-1250.0"},
		{"plain", "{}", "", "a=NULL b=NULL"},
		{"words:a:b", `{"v": 12345678901234567890}`, "k='a:b' v='colon'", "k='a:b' v=1.2345678901234567e+19"},
		{"words:7", `{"k": "8"}`, "k='7' v='seven'", "k='8' v='seven'"},
		{"pairs", `{"x": 3, "y": 4}`, "", "x=3 y=4 v=NULL"},
		{"odd:name:1", `{"v": "w"}`, "rowid='r' v='v'", "rowid='r' v='w'"},
		{"parent:2", "", "id=2", ""},
	} {
		change, err := prepareRow(t, data, c.where, c.content)
		if err != nil {
			t.Errorf("%s %s: %v", c.where, c.content, err)
			continue
		}
		if rowOf(change.Before) != c.before || rowOf(change.After) != c.after {
			t.Errorf("%s %s: %s\nto %s", c.where, c.content, rowOf(change.Before), rowOf(change.After))
		}
		name := fileOf(t, data)
		if err := change.Commit(context.Background(), name); err != nil {
			t.Errorf("%s %s: %v", c.where, c.content, err)
			continue
		}
		// A second time it is not what was shown any more; nothing changes then.
		once, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if c.where != "plain" {
			if err := change.Commit(context.Background(), name); err == nil {
				t.Errorf("%s %s: made twice", c.where, c.content)
			}
		}
		if twice, err := os.ReadFile(name); err != nil || c.where != "plain" && string(twice) != string(once) {
			t.Errorf("%s %s: refused, and yet written", c.where, c.content)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*")); len(left) != 1 {
			t.Errorf("left: %q", left)
		}
		if c.after == "" || c.where == "pairs" {
			continue
		}
		now, err := prepareRow(t, once, keyOf(change), "")
		if err != nil || !slices.Equal(now.Before, change.After) {
			t.Errorf("%s %s: the file has %s, %v", c.where, c.content, rowOf(now.Before), err)
		}
	}
}

// keyOf returns where the row of a change is behind it, for the tables above.
func keyOf(c RowChange) string {
	switch c.Table {
	case "people", "words":
		return c.Table + ":" + strings.Trim(c.After[0].SQL, "'")
	case "plain":
		if c.Before == nil {
			return "plain:3"
		}
	}
	return c.Table + ":" + c.Key
}

func TestWhatRowsAreNotWritten(t *testing.T) {
	data := databaseOf(t, rowTables)
	// The same calls with what may be written change the file.
	for where, content := range map[string]string{"people:1": `{"age": 37}`, "people": `{"name": "Eve"}`,
		"people:2": "",
		"child:10": `{"of": 2}`, "logged": `{"v": "b"}`, "frozen": `{"v": "b"}`, "parent:2": ""} {
		change, err := prepareRow(t, data, where, content)
		if err != nil {
			t.Errorf("%s %s: %v", where, content, err)
			continue
		}
		name := fileOf(t, data)
		if err := change.Commit(context.Background(), name); err != nil {
			t.Errorf("%s %s: %v", where, content, err)
		}
		if now, _ := os.ReadFile(name); string(now) == string(data) {
			t.Errorf("%s %s: nothing is written", where, content)
		}
	}
	for _, c := range []struct{ where, content, want string }{
		{"", "{}", "SQLite write path must target a table"},
		{"none", "{}", `there is no table "none"`},
		{"names", `{"name": "x"}`, `only rows of plain tables are written, and "names" is none`},
		{"sqlite_schema", "{}", `only rows of plain tables are written, and "sqlite_schema" is none`},
		{"people?limit=1", "{}", "SQLite write paths do not support query parameters"},
		{"people:", "{}", "SQLite row writes require a non-empty row key"},
		{"people:4", "{}", `no row of "people" has the key "4"`},
		{"people:x'; DROP TABLE people; --", "", `no row of "people" has the key "x'; DROP TABLE people; --"`},
		{"people:1", "{}", "no column is named"},
		{"people", "", "the values of a new row are missing; {} makes one of defaults"},
		{"people:1", `{"none": 1}`, `"people" has no column "none"`},
		{"people:1", `{"age": [1]}`,
			`the value of "age": it is a list or an object; a value is text, a number, true, false or null`},
		{"people:1", `{"age": 1, "Age": 2}`, `"Age" is named twice`},
		{"people:1", `[1]`, `content is a JSON object of columns and values: {"name": "Ada", "age": 36}`},
		{"people:1", `{"age": 1} x`, `one object only; content is a JSON object of columns and values: ` +
			`{"name": "Ada", "age": 36}`},
		{"people:1", `{"shout": "X"}`, `sqlite3: SQL logic error: cannot UPDATE generated column "shout"`},
		{"people:1", `{"name": null}`, "sqlite3: constraint failed: NOT NULL constraint failed: people.name"},
		// The table itself says that the other row goes; nobody was shown that.
		{"people:2", `{"name": "Ada"}`, "sqlite3: constraint failed: UNIQUE constraint failed: people.name"},
		{"people", `{"name": "Ada"}`, "sqlite3: constraint failed: UNIQUE constraint failed: people.name"},
		{"pairs:1", `{"v": 1}`, `the key of "pairs" has 2 columns; a row is found by a key of one`},
		{"pairs", `{"x": 1}`, "sqlite3: constraint failed: NOT NULL constraint failed: pairs.y"},
		{"parent:1", "", "triggers or foreign keys would change 1 row besides, which is not shown; use a command"},
		{"child:10", `{"of": 5}`, "sqlite3: constraint failed: FOREIGN KEY constraint failed"},
		{"logged:1", `{"v": "b"}`, "triggers or foreign keys would change 1 row besides, which is not shown; use a " +
			"command for it"},
		{"frozen:1", `{"v": "b"}`, "a trigger of the table keeps the row as it is"},
	} {
		change, err := prepareRow(t, data, c.where, c.content)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %s", c.where, c.content, err, c.want)
		}
		// Nor by a change that was prepared for another database.
		if err == nil {
			continue
		}
		change.Table = strings.SplitN(c.where, ":", 2)[0]
		change.Key, change.Before = "1", []Value{{"id", "1"}}
		name := fileOf(t, data)
		if err := change.Commit(context.Background(), name); err == nil {
			t.Errorf("%s %s: made", c.where, c.content)
		}
		if now, _ := os.ReadFile(name); string(now) != string(data) {
			t.Errorf("%s %s: written", c.where, c.content)
		}
	}
}

// A row waits three seconds for other programs that write the database, and makes no database.
func TestARowWaitsForOtherPrograms(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	if _, err := openRows(context.Background(), "file:"+name); err == nil {
		t.Error("a database is made")
	}
	if err := os.WriteFile(name, databaseOf(t, rowTables), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := openRows(context.Background(), "file:"+name)
	if err != nil {
		t.Fatal(err)
	}
	defer d.conn.Close()
	wait := 0
	err = d.eachRow("PRAGMA busy_timeout", nil, func(s *sqlite3.Stmt) bool {
		wait = s.ColumnInt(0)
		return true
	})
	if err != nil || wait != 3000 {
		t.Errorf("%d ms, %v", wait, err)
	}
}

// A column that is made from others has another rule by then: the row would not be what was shown.
func TestARowThatBecomesSomethingElseIsNotWritten(t *testing.T) {
	c, err := prepareRow(t, databaseOf(t, rowTables), "people", `{"name": "Eve", "made": "now"}`)
	if err != nil {
		t.Fatal(err)
	}
	name := fileOf(t, databaseOf(t, strings.Replace(rowTables, "upper(", "lower(", 1)))
	was, _ := readBoth(t, name)
	if err := c.Commit(context.Background(), name); !errors.Is(err, ErrRowChanged) {
		t.Error(err)
	}
	if now, _ := readBoth(t, name); string(now) != string(was) {
		t.Error("it was written")
	}
}

// Programs that write the same rows by their own transactions lose nothing: each change is made as
// it was shown or not at all.
func TestRowsChangeBesideOtherPrograms(t *testing.T) {
	for _, mode := range []string{"DELETE", "WAL"} {
		t.Run(mode, func(t *testing.T) {
			name := fileOf(t, databaseOf(t, "PRAGMA journal_mode="+mode+
				"; CREATE TABLE t (id INTEGER PRIMARY KEY, n INT); INSERT INTO t VALUES (1, 0), (2, 0)"))
			other, err := sqlite3.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			const each = 100
			var wg sync.WaitGroup
			wg.Go(func() {
				if err := other.BusyTimeout(busyTimeout); err != nil {
					t.Error(err)
				}
				for range each {
					if err := other.Exec("UPDATE t SET n = n + 1"); err != nil {
						t.Error(err)
					}
				}
			})
			made, refused := 0, 0
			for made+refused < each {
				data, log := readBoth(t, name)
				now, err := prepareLogged(t, data, log, "t:1", "")
				if err != nil {
					continue // the two files are of different moments
				}
				n, err := strconv.Atoi(now.Before[1].SQL)
				if err != nil {
					t.Fatal(err)
				}
				change, err := prepareLogged(t, data, log, "t:1", fmt.Sprintf(`{"n": %d}`, n+1000))
				if err != nil {
					t.Fatal(err)
				}
				switch err := change.Commit(context.Background(), name); {
				case err == nil:
					made++
				case errors.Is(err, ErrRowChanged) || errors.Is(err, sqlite3.BUSY):
					refused++
				default:
					t.Fatal(err)
				}
			}
			wg.Wait()
			data, log := readBoth(t, name)
			for row, want := range map[string]int{"t:1": each + 1000*made, "t:2": each} {
				now, err := prepareLogged(t, data, log, row, "")
				if err != nil || now.Before[1].SQL != strconv.Itoa(want) {
					t.Errorf("%s is %s, want %d: %d changes made (%v)", row, rowOf(now.Before), want, made, err)
				}
			}
			t.Log(made, "made", refused, "refused")
		})
	}
}

func readBoth(t testing.TB, name string) (data, log []byte) {
	t.Helper()
	log, err := os.ReadFile(name + "-wal")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(name); err != nil {
		t.Fatal(err)
	}
	return data, log
}
