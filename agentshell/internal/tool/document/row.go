package document

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"
	"github.com/ncruces/go-sqlite3/vfs/memdb"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
)

// Row describes a change of one database row that a model asks for with the write_file tool.
type Row struct {
	// Where is TABLE for a new row, or TABLE:KEY for an existing one.
	Where string `json:"where"`
	// Content is a JSON5 object with the new values by column; if it is blank, the row is deleted.
	Content string `json:"content"`
}

// RowChange is a prepared change of a database row, with its values before and after. The user sees
// it before agreeing.
type RowChange struct {
	Table, Key    string
	Before, After []Value // Before and After are the values of the row; nil: the row does not exist.
}

// Value is a column's value in the notation of SQL.
type Value struct{ Column, SQL string }

// ErrRowChanged says that a row has changed since its change was prepared.
var ErrRowChanged = errors.New("the row is not what was shown")

// busyTimeout is how long to wait for other programs that are writing to the database.
const busyTimeout = 3 * time.Second

// rowText tries the change r.Row in a copy of the database, and returns its RowChange as JSON.
func rowText(ctx context.Context, r Request, data []byte) (string, error) {
	if !IsSQLite(data) {
		return "", errors.New("it is not an SQLite database")
	}
	data, err := r.withLog(data)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("row-%d", openedCount.Add(1))
	memdb.Create(name, bytes.Clone(data))
	defer memdb.Delete(name)
	d, err := openRows(ctx, "file:/"+name+"?vfs=memdb")
	if err != nil {
		return "", err
	}
	defer d.conn.Close()
	change, err := d.changeRow(*r.Row)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(change)
	return string(text), err
}

// Prepared decodes the text that [Request.Text] returns for a Row.
func Prepared(text string) (c RowChange, err error) {
	err = json.Unmarshal([]byte(text), &c)
	return c, err
}

// Commit makes the change in the database file, in one transaction. It returns ErrRowChanged if the
// row is not Before any more, and changes no other row. It opens the database, its journal and its
// log only if they are regular files, not links. A file with several hard links is written only if
// shared contains its ending, "" for the database, because its other names change too and the user
// must know.
func (c RowChange) Commit(ctx context.Context, file string, shared ...string) error {
	files := &namedFileVFS{VFS: vfs.Find("os"), database: file, sharedEndings: shared}
	err := c.commit(ctx, files)
	if err != nil && files.refusal != nil { // SQLite says only that it cannot open something
		return files.refusal
	}
	return err
}

func (c RowChange) commit(ctx context.Context, files *namedFileVFS) (err error) {
	name := fmt.Sprintf("as-named-%d", openedCount.Add(1))
	vfs.Register(name, files)
	defer vfs.Unregister(name)
	file := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(files.database)
	d, err := openRows(ctx, "file:"+file+"?mode=rw&vfs="+name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.conn.Close()) }()
	tx, err := d.conn.BeginImmediate()
	if err != nil {
		return err
	}
	if err := d.repeatChange(c); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func openRows(ctx context.Context, uri string) (d database, err error) {
	c, err := sqlite3.OpenFlags(uri, sqlite3.OPEN_READWRITE|sqlite3.OPEN_URI)
	if err != nil {
		return d, err
	}
	c.HardHeapLimit(sqliteHeapBytes)
	c.SetInterrupt(ctx)
	err = errors.Join(c.BusyTimeout(busyTimeout), c.Exec("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; "+
		"PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=ON"))
	if err != nil {
		return d, errors.Join(err, c.Close())
	}
	return database{c, new(strings.Builder)}, nil
}

// writableTable is a table that can be written, with the columns that identify a row.
type writableTable struct {
	table   string
	columns []column
	number  string // number is the column name for the rowid; "": the table has none.
	// keyColumns lists the quoted columns that identify a row: a primary key of one column, the
	// rowid, or a primary key of several columns.
	keyColumns []string
}

// writableTable returns how the rows of a table are written and found. It returns an error if the
// table cannot be written.
func (d database) writableTable(table string) (p writableTable, err error) {
	kind, without := "", false
	err = d.eachRow("SELECT type, wr FROM pragma_table_list WHERE schema = 'main' AND name = ?", []string{table},
		func(s *sqlite3.Stmt) bool {
			kind, without = s.ColumnText(0), s.ColumnBool(1)
			return true
		})
	if err != nil {
		return p, err
	}
	p.table = table
	if p.columns, err = d.columns(table); err != nil {
		return p, err
	}
	if kind != "table" || strings.HasPrefix(table, "sqlite_") {
		return p, fmt.Errorf("only rows of plain tables are written, and %s is none", sqlName(table))
	}
	for _, c := range p.columns {
		if c.keyPosition > 0 {
			p.keyColumns = append(p.keyColumns, sqlName(c.name))
		}
	}
	if without {
		return p, nil
	}
	for _, name := range []string{"rowid", "_rowid_", "oid"} {
		if !slices.ContainsFunc(p.columns, func(c column) bool { return strings.EqualFold(c.name, name) }) {
			p.number = name
			break
		}
	}
	if len(p.keyColumns) != 1 && p.number != "" {
		p.keyColumns = []string{p.number}
	}
	return p, nil
}

// changeRow makes the change r in the database, and returns the row before and after it.
func (d database) changeRow(r Row) (c RowChange, err error) {
	if r.Where == "" {
		return c, errors.New("SQLite write path must target a table")
	}
	table, key, keyed := d.splitKey(r.Where)
	p, err := d.writableTable(table)
	switch {
	case err != nil && strings.Contains(r.Where, "?"):
		return c, errors.New("SQLite write paths do not support query parameters")
	case err != nil:
		return c, err
	case keyed && key == "":
		return c, errors.New("SQLite row writes require a non-empty row key")
	case keyed && len(p.keyColumns) > 1:
		return c, fmt.Errorf("the key of %s has %d columns; a row is found by a key of one", sqlName(table),
			len(p.keyColumns))
	}
	c.Table, c.Key = table, key
	var where string
	if keyed {
		if c.Before, where, err = d.rowWithKey(p, key); err != nil {
			return c, err
		}
	}
	if strings.TrimSpace(r.Content) == "" {
		if !keyed {
			return c, errors.New("the values of a new row are missing; {} makes one of defaults")
		}
		return c, d.execOneRow(fmt.Sprintf("DELETE FROM %s WHERE %s", sqlName(table), where))
	}
	values, err := rowValues(p, r.Content)
	if err != nil {
		return c, err
	}
	if !keyed {
		c.After, err = d.insertRow(p, values)
		return c, err
	}
	if len(values) == 0 {
		return c, errors.New("no column is named")
	}
	c.After, err = d.updateRow(p, where, values)
	return c, err
}

// updateRow changes the row that the condition where selects, and returns its new values.
func (d database) updateRow(p writableTable, where string, values []Value) ([]Value, error) {
	var set []string
	for _, v := range values {
		set = append(set, sqlName(v.Column)+" = "+v.SQL)
	}
	err := d.execOneRow(fmt.Sprintf("UPDATE OR ABORT %s SET %s WHERE %s", sqlName(p.table), strings.Join(set, ", "),
		where))
	if err != nil {
		return nil, err
	}
	for _, v := range values { // a key that changes takes the row elsewhere
		if sqlName(v.Column) == p.keyColumns[0] {
			where = p.keyColumns[0] + " = " + v.SQL
		}
	}
	return d.onlyRow(p, where)
}

// repeatChange repeats a prepared change. It fails if the row is not c.Before now, or does not
// become c.After.
func (d database) repeatChange(c RowChange) error {
	p, err := d.writableTable(c.Table)
	if err != nil {
		return err
	}
	var where string
	var now []Value
	if c.Before != nil {
		if now, where, err = d.rowWithKey(p, c.Key); err != nil || !slices.Equal(now, c.Before) {
			return errors.Join(ErrRowChanged, err)
		}
	}
	switch {
	case c.After == nil:
		return d.execOneRow(fmt.Sprintf("DELETE FROM %s WHERE %s", sqlName(p.table), where))
	case c.Before == nil: // with the defaults that were shown: one may be the time
		now, err = d.insertRow(p, p.storedValues(c.After))
	default:
		now, err = d.updateRow(p, where, slices.DeleteFunc(p.storedValues(c.After), func(v Value) bool {
			return slices.Contains(c.Before, v)
		}))
	}
	if err == nil && !slices.Equal(now, c.After) {
		return ErrRowChanged
	}
	return err
}

// storedValues returns the values of a row, without the generated columns.
func (p writableTable) storedValues(row []Value) (list []Value) {
	for i, c := range p.columns {
		if i < len(row) && !c.isGenerated {
			list = append(list, row[i])
		}
	}
	return list
}

// rowWithKey returns the row with a key, and the SQL condition that selects it. It tries key as
// text, and then as an integer.
func (d database) rowWithKey(p writableTable, key string) (row []Value, where string, err error) {
	for _, as := range []string{sqlString(key), key} {
		if as == key {
			if _, err := strconv.ParseInt(key, 10, 64); err != nil {
				break
			}
		}
		where = p.keyColumns[0] + " = " + as
		if row, err = d.onlyRow(p, where); err != nil || row != nil {
			return row, where, err
		}
	}
	return nil, "", fmt.Errorf("no row of %s has the key %q", sqlName(p.table), key)
}

// onlyRow returns the only row that a condition selects, or nil if there is none. Several are an
// error.
func (d database) onlyRow(p writableTable, where string) (row []Value, err error) {
	var columns []string
	size, n := 0, 0
	for _, c := range p.columns {
		columns = append(columns, "quote("+sqlName(c.name)+")")
	}
	sql := fmt.Sprintf("SELECT %s FROM %s WHERE %s", strings.Join(columns, ", "), sqlName(p.table), where)
	err = d.eachRow(sql, nil, func(s *sqlite3.Stmt) bool {
		if n++; n > 1 {
			return false
		}
		for i, c := range p.columns {
			row = append(row, Value{c.name, s.ColumnText(i)})
			size += len(row[i].SQL)
		}
		return true
	})
	switch {
	case err != nil:
		return nil, err
	case n > 1:
		return nil, fmt.Errorf("several rows of %s have this key", sqlName(p.table))
	case size > MaxText/4:
		return nil, fmt.Errorf("the row has more than %d MiB", MaxText/4>>20)
	}
	return row, nil
}

// insertRow adds a row and returns its values as they were stored.
func (d database) insertRow(p writableTable, values []Value) ([]Value, error) {
	if err := d.execOneRow(insertStatement(p.table, values)); err != nil {
		return nil, err
	}
	if p.number != "" {
		return d.onlyRow(p, p.number+" = "+strconv.FormatInt(d.conn.LastInsertRowID(), 10))
	}
	var where []string
	for _, by := range p.keyColumns {
		at := slices.IndexFunc(values, func(v Value) bool { return sqlName(v.Column) == by })
		if at < 0 {
			return nil, fmt.Errorf("%s, a column of the key, has no value", by)
		}
		where = append(where, by+" = "+values[at].SQL)
	}
	return d.onlyRow(p, strings.Join(where, " AND "))
}

func insertStatement(table string, values []Value) string {
	if len(values) == 0 {
		return "INSERT OR ABORT INTO " + sqlName(table) + " DEFAULT VALUES"
	}
	var names, list []string
	for _, v := range values {
		names, list = append(names, sqlName(v.Column)), append(list, v.SQL)
	}
	return fmt.Sprintf("INSERT OR ABORT INTO %s (%s) VALUES (%s)", sqlName(table), strings.Join(names, ", "),
		strings.Join(list, ", "))
}

// execOneRow runs a statement, and fails unless it changes exactly one row. Triggers and foreign
// keys could change others, which the user was not shown.
func (d database) execOneRow(sql string) error {
	before := d.conn.TotalChanges()
	if err := d.conn.Exec(sql); err != nil {
		return err
	}
	switch n := d.conn.TotalChanges() - before; {
	case d.conn.Changes() != 1:
		return errors.New("a trigger of the table keeps the row as it is")
	case n != 1:
		return fmt.Errorf("triggers or foreign keys would change %s besides, which is not shown; "+
			"use a command for it", plural.Of(int(n-1), "row"))
	}
	return nil
}

// rowFormatMessage is an error message that describes the expected content of a row.
const rowFormatMessage = `content is a JSON object of columns and values: {"name": "Ada", "age": 36}`

// rowFormatError adds that description to an error.
func rowFormatError(err error) error { return fmt.Errorf("%s; %w", rowFormatMessage, err) }

// rowValues parses content, a JSON5 object of values by column, and keeps its order.
func rowValues(p writableTable, content string) (values []Value, err error) {
	j := &json5{text: content}
	if open, err := j.readSign("{"); err != nil || open == 0 {
		return nil, errors.New(rowFormatMessage)
	}
	for {
		end, err := j.readSign("}")
		if err != nil {
			return nil, rowFormatError(err)
		}
		if end != 0 {
			break
		}
		name, v, err := p.readColumn(j)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(values, func(o Value) bool { return o.Column == v.Column }) {
			return nil, fmt.Errorf("%s is named twice", sqlName(name))
		}
		values = append(values, v)
		if comma, err := j.readSign(","); err != nil {
			return nil, rowFormatError(err)
		} else if comma == 0 && !strings.HasPrefix(j.text[j.at:], "}") {
			return nil, rowFormatError(j.unexpected("a comma"))
		}
	}
	if err := j.skipSpace(); err != nil || j.at < len(j.text) {
		return nil, errors.New("one object only; " + rowFormatMessage)
	}
	return values, nil
}

// readColumn reads one member of the object: the name of a column, and its value. It returns an
// error if the table has no such column.
func (p writableTable) readColumn(j *json5) (name string, v Value, err error) {
	if name, err = j.readName(); err != nil {
		return "", v, rowFormatError(err)
	}
	at := slices.IndexFunc(p.columns, func(c column) bool { return strings.EqualFold(c.name, name) })
	if at < 0 {
		return "", v, fmt.Errorf("%s has no column %s", sqlName(p.table), sqlName(name))
	}
	t, err := j.readValue()
	if err != nil {
		return "", v, rowFormatError(err)
	}
	sql, err := sqlLiteral(t)
	if err != nil {
		return "", v, fmt.Errorf("the value of %s: %w", sqlName(name), err)
	}
	return name, Value{p.columns[at].name, sql}, nil
}

// sqlLiteral returns a JSON value as an SQL literal.
func sqlLiteral(t json.Token) (string, error) {
	switch v := t.(type) {
	case nil:
		return "NULL", nil
	case bool:
		if v {
			return "1", nil
		}
		return "0", nil
	case json.Number:
		return v.String(), nil
	case string:
		if strings.ContainsRune(v, 0) {
			return "", errors.New("it holds a NUL")
		}
		return sqlString(v), nil
	}
	return "", errors.New("it is a list or an object; a value is text, a number, true, false or null")
}

// sqlString returns s as an SQL string literal.
func sqlString(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
