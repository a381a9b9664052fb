package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/util/ioutil"
	"github.com/ncruces/go-sqlite3/vfs/readervfs"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// These constants limit what is shown of a database.
const (
	maxTables    = 500
	sampleRows   = 5
	queryRows    = 20 // queryRows is the number of rows to show if the query has no limit.
	maxQueryRows = 500
	maxCell      = 40        // maxCell is the number of characters of one cell in a table.
	sqliteHeap   = 256 << 20 // sqliteHeap is the number of bytes of memory that SQLite may use.
)

// databases lists the file name endings that databases often have.
var databases = []string{".db", ".db3", ".sqlite", ".sqlite3"}

// IsDatabase reports whether a file name has the ending of an SQLite database.
func IsDatabase(name string) bool {
	for _, ending := range databases {
		if hasEnding(name, ending) {
			return true
		}
	}
	return false
}

// IsSQLite reports whether data begins like an SQLite database.
func IsSQLite(data []byte) bool { return bytes.HasPrefix(data, []byte("SQLite format 3\x00")) }

// opened counts the opened databases. It gives each a unique name.
var opened atomic.Int64

// sqliteText returns the part of a database that r.Query asks for: "" lists the tables; :TABLE
// returns the schema and some rows of a table; :TABLE:KEY returns one row;
// :TABLE?limit=…&offset=…&order=…&where=… returns rows; ?q=SELECT … returns the result of a
// statement.
func sqliteText(ctx context.Context, r Request, data []byte) (string, error) {
	if !IsSQLite(data) {
		return "", errors.New("it is not an SQLite database")
	}
	data, err := r.withLog(data)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("document-%d", opened.Add(1))
	readervfs.Create(name, ioutil.NewSizeReaderAt(bytes.NewReader(data)))
	defer readervfs.Delete(name)
	c, err := sqlite3.OpenFlags("file:"+name+"?vfs=reader&immutable=1", sqlite3.OPEN_READONLY|sqlite3.OPEN_URI)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.HardHeapLimit(sqliteHeap)
	if err := c.Exec("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY"); err != nil {
		return "", err
	}
	if err := c.SetAuthorizer(onlyReads); err != nil {
		return "", err
	}
	c.SetInterrupt(ctx)
	d := database{c, new(strings.Builder)}
	if err := d.answer(r.Query); err != nil {
		return "", err
	}
	return d.b.String(), nil
}

// decoded returns a part of a query with its percent-encoding decoded. A part that contains blanks
// was not encoded and stays as it is.
func decoded(text string) string {
	if strings.ContainsAny(text, " \t\n") {
		return text
	}
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// onlyReads allows a statement to read and denies everything else, such as attaching another file
// or changing a setting. It is an authorizer of SQLite.
func onlyReads(action sqlite3.AuthorizerActionCode, name, _, _, _ string) sqlite3.AuthorizerReturnCode {
	switch action {
	case sqlite3.AUTH_PRAGMA:
		switch name {
		case "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list":
			return sqlite3.AUTH_OK
		}
	case sqlite3.AUTH_SELECT, sqlite3.AUTH_READ, sqlite3.AUTH_FUNCTION, sqlite3.AUTH_RECURSIVE:
		return sqlite3.AUTH_OK
	}
	return sqlite3.AUTH_DENY
}

// database is an open database, and the text that is written about it.
type database struct {
	c *sqlite3.Conn
	b *strings.Builder
}

func (d database) answer(query string) error {
	path, params, asked := strings.Cut(query, "?")
	path = strings.TrimPrefix(path, ":")
	if sql, ok := strings.CutPrefix(params, "q="); ok {
		if path != "" {
			return errors.New("q stands alone: no table goes with it")
		}
		if sql = decoded(sql); strings.TrimSpace(sql) == "" {
			return errors.New("q is empty")
		}
		return d.rows(sql, maxQueryRows)
	}
	if path == "" {
		if asked && params != "" {
			return errors.New("a table must be named before its parameters, or q=SELECT … given")
		}
		return d.tables()
	}
	table, key, keyed := d.split(path)
	columns, err := d.columns(table)
	if err != nil {
		return err
	}
	switch {
	case keyed && asked:
		return errors.New("a row by its key takes no parameters")
	case keyed:
		return d.row(table, key, columns)
	case asked:
		return d.some(table, columns, params)
	}
	return d.schema(table)
}

// split splits TABLE:KEY. The names of tables may contain colons, so it looks for the table. keyed
// is false if there is no key.
func (d database) split(path string) (table, key string, keyed bool) {
	if _, err := d.columns(path); err == nil {
		return path, "", false
	}
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == ':' {
			if _, err := d.columns(path[:i]); err == nil {
				return path[:i], path[i+1:], true
			}
		}
	}
	return path, "", false
}

// column is a column of a table. key is its position in the primary key, from 1; 0: it is not a
// part of the key. made says that it is a generated column.
type column struct {
	name string
	key  int
	made bool
}

func (d database) columns(table string) (list []column, err error) {
	err = d.each("SELECT name, pk, hidden FROM pragma_table_xinfo(?) WHERE hidden != 1", []string{table},
		func(s *sqlite3.Stmt) bool {
			list = append(list, column{s.ColumnText(0), s.ColumnInt(1), s.ColumnInt(2) > 1})
			return true
		})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("there is no table %s", quoted(table))
	}
	return list, err
}

// each runs one statement, with the texts in bind as its parameters. It calls visit for each row
// until visit returns false.
func (d database) each(sql string, bind []string, visit func(*sqlite3.Stmt) bool) error {
	s, tail, err := d.c.Prepare(sql)
	if err != nil {
		return err
	}
	if s == nil {
		return errors.New("there is no statement")
	}
	defer s.Close()
	if strings.TrimSpace(tail) != "" {
		return errors.New("only one statement is taken")
	}
	if len(bind) == 0 && s.BindCount() > 0 {
		return errors.New("parameters (?, :name) cannot be bound here; write the values")
	}
	for i, text := range bind {
		if err := s.BindText(i+1, text); err != nil {
			return err
		}
	}
	for s.Step() {
		if !visit(s) {
			return nil
		}
	}
	return s.Err()
}

func (d database) tables() error {
	var names []string
	err := d.each("SELECT name FROM sqlite_schema WHERE type IN ('table','view') AND name NOT LIKE 'sqlite\\_%' "+
		"ESCAPE '\\' "+
		"ORDER BY name", nil, func(s *sqlite3.Stmt) bool {
		names = append(names, s.ColumnText(0))
		return true
	})
	if err != nil {
		return err
	}
	for i, name := range names {
		if i == maxTables {
			fmt.Fprintf(d.b, "[%s more]\n", plural.Of(len(names)-i, "table"))
			break
		}
		n := "?"
		err := d.each("SELECT count(*) FROM "+quoted(name), nil, func(s *sqlite3.Stmt) bool {
			n = s.ColumnText(0)
			return false
		})
		if errors.Is(err, sqlite3.INTERRUPT) {
			return err
		}
		fmt.Fprintf(d.b, "%s  %s rows\n", oneLine(name), n)
	}
	if len(names) == 0 {
		d.b.WriteString("[no tables]\n")
	}
	return nil
}

func (d database) schema(table string) error {
	err := d.each("SELECT sql FROM sqlite_schema WHERE name = ? OR tbl_name = ? AND sql IS NOT NULL ORDER BY name != ?",
		[]string{table, table, table}, func(s *sqlite3.Stmt) bool {
			ended(d.b, s.ColumnText(0)+";")
			return true
		})
	if err != nil {
		return err
	}
	fmt.Fprintf(d.b, "[first rows; :KEY gives one row, ?where=…&order=…&limit=…&offset=… others]\n")
	return d.rows("SELECT * FROM "+quoted(table)+" LIMIT "+strconv.Itoa(sampleRows), sampleRows)
}

// row shows all values of one row. It finds the row by the primary key if that is one column,
// otherwise by the rowid.
func (d database) row(table, key string, columns []column) error {
	by, keys := "rowid", 0
	for _, c := range columns {
		if c.key > 0 {
			by, keys = quoted(c.name), keys+1
		}
	}
	if keys > 1 {
		by = "rowid"
	}
	n := 0
	err := d.each("SELECT * FROM "+quoted(table)+" WHERE "+by+" = ? LIMIT 2", []string{key},
		func(s *sqlite3.Stmt) bool {
			for i := range s.ColumnCount() {
				fmt.Fprintf(d.b, "%s: %s\n", oneLine(s.ColumnName(i)), valueText(s, i))
			}
			n++
			return d.b.Len() < MaxText
		})
	if err == nil && n == 0 {
		err = fmt.Errorf("no row of %s has the key %q", quoted(table), key)
	}
	return err
}

// some shows the rows that params select by limit, offset, order and where.
func (d database) some(table string, columns []column, params string) error {
	limit, offset := queryRows, 0
	sql := "SELECT * FROM " + quoted(table)
	order := ""
	for param := range strings.SplitSeq(params, "&") {
		name, text, _ := strings.Cut(param, "=")
		text = decoded(text)
		switch name {
		case "limit", "offset":
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return fmt.Errorf("%s is a number, not %q", name, text)
			}
			if name == "limit" {
				limit = min(n, maxQueryRows)
			} else {
				offset = n
			}
		case "where":
			// What the clause could be ended for is a read of this database, too.
			sql += " WHERE (" + text + "\n)"
		case "order":
			by, way, _ := strings.Cut(text, ":")
			way = strings.ToUpper(way)
			known := false
			for _, c := range columns {
				known = known || c.name == by
			}
			if !known || way != "" && way != "ASC" && way != "DESC" {
				return fmt.Errorf("order is a column of the table, or COLUMN:asc or COLUMN:desc, not %q", text)
			}
			order = " ORDER BY " + quoted(by) + " " + way
		default:
			return fmt.Errorf("there is no parameter %s; where, order, limit and offset are taken", name)
		}
	}
	return d.rows(fmt.Sprintf("%s%s LIMIT %d OFFSET %d", sql, order, limit, offset), limit)
}

// rows shows at most limit rows of a statement's result, one on each line.
func (d database) rows(sql string, limit int) error {
	n := 0
	err := d.each(sql, nil, func(s *sqlite3.Stmt) bool {
		if n == 0 {
			for i := range s.ColumnCount() {
				d.b.WriteString(between(i) + clip(oneLine(s.ColumnName(i))))
			}
			d.b.WriteByte('\n')
		}
		if n == limit {
			fmt.Fprintf(d.b, "[more rows; this is the limit]\n")
			return false
		}
		n++
		for i := range s.ColumnCount() {
			d.b.WriteString(between(i) + clip(oneLine(valueText(s, i))))
		}
		d.b.WriteByte('\n')
		return d.b.Len() < MaxText
	})
	if err == nil && n == 0 {
		d.b.WriteString("[no rows]\n")
	}
	return err
}

func between(i int) string {
	if i == 0 {
		return ""
	}
	return " | "
}

// valueText returns the value of column i as text; of a BLOB only the size.
func valueText(s *sqlite3.Stmt, i int) string {
	switch s.ColumnType(i) {
	case sqlite3.NULL:
		return "NULL"
	case sqlite3.BLOB:
		return fmt.Sprintf("[%s]", plural.Of(len(s.ColumnRawBlob(i)), "byte"))
	}
	return s.ColumnText(i)
}

func oneLine(text string) string {
	return strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\r", "\\r").Replace(text)
}

// clip shortens the text of a table cell to maxCell characters.
func clip(text string) string {
	if utf8.RuneCountInString(text) <= maxCell {
		return text
	}
	return width.Head(text, len(string([]rune(text)[:maxCell-1]))) + "…"
}

// quoted returns name as a quoted identifier of SQL.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
