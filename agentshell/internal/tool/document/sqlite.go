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
	maxTables       = 500
	sampleRows      = 5
	queryRows       = 20 // queryRows is the number of rows to show if the query has no limit.
	maxQueryRows    = 500
	maxCellChars    = 40        // maxCellChars is the number of characters of one cell in a table.
	sqliteHeapBytes = 256 << 20 // sqliteHeapBytes is the number of bytes of memory that SQLite may use.
)

// databaseEndings lists the file name endings that databases often have.
var databaseEndings = []string{".db", ".db3", ".sqlite", ".sqlite3"}

// IsDatabase reports whether a file name has the ending of an SQLite database.
func IsDatabase(name string) bool {
	for _, ending := range databaseEndings {
		if hasEnding(name, ending) {
			return true
		}
	}
	return false
}

// IsSQLite reports whether data begins like an SQLite database.
func IsSQLite(data []byte) bool { return bytes.HasPrefix(data, []byte("SQLite format 3\x00")) }

// openedCount counts the opened databases. It gives each a unique name.
var openedCount atomic.Int64

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
	name := fmt.Sprintf("document-%d", openedCount.Add(1))
	readervfs.Create(name, ioutil.NewSizeReaderAt(bytes.NewReader(data)))
	defer readervfs.Delete(name)
	c, err := sqlite3.OpenFlags("file:"+name+"?vfs=reader&immutable=1", sqlite3.OPEN_READONLY|sqlite3.OPEN_URI)
	if err != nil {
		return "", err
	}
	defer c.Close()
	c.HardHeapLimit(sqliteHeapBytes)
	if err := c.Exec("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY"); err != nil {
		return "", err
	}
	if err := c.SetAuthorizer(authorizeReads); err != nil {
		return "", err
	}
	c.SetInterrupt(ctx)
	d := database{c, new(strings.Builder)}
	if err := d.answerQuery(r.Query); err != nil {
		return "", err
	}
	return d.out.String(), nil
}

// decodeQuery returns a part of a query with its percent-encoding decoded. A part that contains
// blanks was not encoded and stays as it is.
func decodeQuery(text string) string {
	if strings.ContainsAny(text, " \t\n") {
		return text
	}
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// authorizeReads allows a statement to read and denies everything else, such as attaching another
// file or changing a setting. It is an authorizer of SQLite.
func authorizeReads(action sqlite3.AuthorizerActionCode, name, _, _, _ string) sqlite3.AuthorizerReturnCode {
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
	conn *sqlite3.Conn
	out  *strings.Builder
}

func (d database) answerQuery(query string) error {
	path, params, asked := strings.Cut(query, "?")
	path = strings.TrimPrefix(path, ":")
	if sql, ok := strings.CutPrefix(params, "q="); ok {
		if path != "" {
			return errors.New("q stands alone: no table goes with it")
		}
		if sql = decodeQuery(sql); strings.TrimSpace(sql) == "" {
			return errors.New("q is empty")
		}
		return d.writeRows(sql, maxQueryRows)
	}
	if path == "" {
		if asked && params != "" {
			return errors.New("a table must be named before its parameters, or q=SELECT … given")
		}
		return d.writeTables()
	}
	table, key, keyed := d.splitKey(path)
	columns, err := d.columns(table)
	if err != nil {
		return err
	}
	switch {
	case keyed && asked:
		return errors.New("a row by its key takes no parameters")
	case keyed:
		return d.writeRow(table, key, columns)
	case asked:
		return d.writeSelected(table, columns, params)
	}
	return d.writeSchema(table)
}

// splitKey splits TABLE:KEY. The names of tables may contain colons, so it looks for the table.
// keyed is false if there is no key.
func (d database) splitKey(path string) (table, key string, keyed bool) {
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

// column is a column of a table. keyPosition is its position in the primary key, from 1; 0: it is
// not a part of the key. isGenerated says that it is a generated column.
type column struct {
	name        string
	keyPosition int
	isGenerated bool
}

func (d database) columns(table string) (list []column, err error) {
	err = d.eachRow("SELECT name, pk, hidden FROM pragma_table_xinfo(?) WHERE hidden != 1", []string{table},
		func(s *sqlite3.Stmt) bool {
			list = append(list, column{s.ColumnText(0), s.ColumnInt(1), s.ColumnInt(2) > 1})
			return true
		})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("there is no table %s", sqlName(table))
	}
	return list, err
}

// eachRow runs one statement, with the texts in bind as its parameters. It calls visit for each row
// until visit returns false.
func (d database) eachRow(sql string, bind []string, visit func(*sqlite3.Stmt) bool) error {
	s, tail, err := d.conn.Prepare(sql)
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

func (d database) writeTables() error {
	var names []string
	err := d.eachRow("SELECT name FROM sqlite_schema WHERE type IN ('table','view') AND name NOT LIKE 'sqlite\\_%' "+
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
			fmt.Fprintf(d.out, "[%s more]\n", plural.Of(len(names)-i, "table"))
			break
		}
		n := "?"
		err := d.eachRow("SELECT count(*) FROM "+sqlName(name), nil, func(s *sqlite3.Stmt) bool {
			n = s.ColumnText(0)
			return false
		})
		if errors.Is(err, sqlite3.INTERRUPT) {
			return err
		}
		fmt.Fprintf(d.out, "%s  %s rows\n", oneLine(name), n)
	}
	if len(names) == 0 {
		d.out.WriteString("[no tables]\n")
	}
	return nil
}

func (d database) writeSchema(table string) error {
	err := d.eachRow("SELECT sql FROM sqlite_schema WHERE name = ? OR tbl_name = ? AND sql IS NOT NULL "+
		"ORDER BY name != ?",
		[]string{table, table, table}, func(s *sqlite3.Stmt) bool {
			writeEnded(d.out, s.ColumnText(0)+";")
			return true
		})
	if err != nil {
		return err
	}
	fmt.Fprintf(d.out, "[first rows; :KEY gives one row, ?where=…&order=…&limit=…&offset=… others]\n")
	return d.writeRows("SELECT * FROM "+sqlName(table)+" LIMIT "+strconv.Itoa(sampleRows), sampleRows)
}

// writeRow shows all values of one row. It finds the row by the primary key if that is one column,
// otherwise by the rowid.
func (d database) writeRow(table, key string, columns []column) error {
	by, keys := "rowid", 0
	for _, c := range columns {
		if c.keyPosition > 0 {
			by, keys = sqlName(c.name), keys+1
		}
	}
	if keys > 1 {
		by = "rowid"
	}
	n := 0
	err := d.eachRow("SELECT * FROM "+sqlName(table)+" WHERE "+by+" = ? LIMIT 2", []string{key},
		func(s *sqlite3.Stmt) bool {
			for i := range s.ColumnCount() {
				fmt.Fprintf(d.out, "%s: %s\n", oneLine(s.ColumnName(i)), valueText(s, i))
			}
			n++
			return d.out.Len() < MaxText
		})
	if err == nil && n == 0 {
		err = fmt.Errorf("no row of %s has the key %q", sqlName(table), key)
	}
	return err
}

// writeSelected shows the rows that params select by limit, offset, order and where.
func (d database) writeSelected(table string, columns []column, params string) error {
	limit, offset := queryRows, 0
	sql := "SELECT * FROM " + sqlName(table)
	order := ""
	for param := range strings.SplitSeq(params, "&") {
		name, text, _ := strings.Cut(param, "=")
		text = decodeQuery(text)
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
			order = " ORDER BY " + sqlName(by) + " " + way
		default:
			return fmt.Errorf("there is no parameter %s; where, order, limit and offset are taken", name)
		}
	}
	return d.writeRows(fmt.Sprintf("%s%s LIMIT %d OFFSET %d", sql, order, limit, offset), limit)
}

// writeRows shows at most limit rows of a statement's result, one on each line.
func (d database) writeRows(sql string, limit int) error {
	n := 0
	err := d.eachRow(sql, nil, func(s *sqlite3.Stmt) bool {
		if n == 0 {
			for i := range s.ColumnCount() {
				d.out.WriteString(columnSeparator(i) + clipCell(oneLine(s.ColumnName(i))))
			}
			d.out.WriteByte('\n')
		}
		if n == limit {
			fmt.Fprintf(d.out, "[more rows; this is the limit]\n")
			return false
		}
		n++
		for i := range s.ColumnCount() {
			d.out.WriteString(columnSeparator(i) + clipCell(oneLine(valueText(s, i))))
		}
		d.out.WriteByte('\n')
		return d.out.Len() < MaxText
	})
	if err == nil && n == 0 {
		d.out.WriteString("[no rows]\n")
	}
	return err
}

func columnSeparator(i int) string {
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

// clipCell shortens the text of a table cell to maxCellChars characters.
func clipCell(text string) string {
	if utf8.RuneCountInString(text) <= maxCellChars {
		return text
	}
	return width.Head(text, len(string([]rune(text)[:maxCellChars-1]))) + "…"
}

// sqlName returns name as a quoted identifier of SQL.
func sqlName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
