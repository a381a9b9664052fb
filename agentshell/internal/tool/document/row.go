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

// busyFor is how long to wait for other programs that are writing to the database.
const busyFor = 3 * time.Second

// rowText tries the change r.Row in a copy of the database, and returns its RowChange as JSON.
func rowText(ctx context.Context, r Request, data []byte) (string, error) {
	if !IsSQLite(data) {
		return "", errors.New("it is not an SQLite database")
	}
	data, err := r.withLog(data)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("row-%d", opened.Add(1))
	memdb.Create(name, bytes.Clone(data))
	defer memdb.Delete(name)
	d, err := openRows(ctx, "file:/"+name+"?vfs=memdb")
	if err != nil {
		return "", err
	}
	defer d.c.Close()
	change, err := d.change(*r.Row)
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
	files := &asNamed{VFS: vfs.Find("os"), database: file, shared: shared}
	err := c.commit(ctx, files)
	if err != nil && files.refused != nil { // SQLite says only that it cannot open something
		return files.refused
	}
	return err
}

func (c RowChange) commit(ctx context.Context, files *asNamed) (err error) {
	name := fmt.Sprintf("as-named-%d", opened.Add(1))
	vfs.Register(name, files)
	defer vfs.Unregister(name)
	file := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(files.database)
	d, err := openRows(ctx, "file:"+file+"?mode=rw&vfs="+name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.c.Close()) }()
	tx, err := d.c.BeginImmediate()
	if err != nil {
		return err
	}
	if err := d.again(c); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func openRows(ctx context.Context, uri string) (d database, err error) {
	c, err := sqlite3.OpenFlags(uri, sqlite3.OPEN_READWRITE|sqlite3.OPEN_URI)
	if err != nil {
		return d, err
	}
	c.HardHeapLimit(sqliteHeap)
	c.SetInterrupt(ctx)
	err = errors.Join(c.BusyTimeout(busyFor), c.Exec("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; "+
		"PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=ON"))
	if err != nil {
		return d, errors.Join(err, c.Close())
	}
	return database{c, new(strings.Builder)}, nil
}

// place is a table that can be written, with the columns that identify a row.
type place struct {
	table   string
	columns []column
	number  string // number is the column name for the rowid; "": the table has none.
	// by lists the quoted columns that identify a row: a primary key of one column, the rowid, or a
	// primary key of several columns.
	by []string
}

// in returns how the rows of a table are written and found. It returns an error if the table cannot
// be written.
func (d database) in(table string) (p place, err error) {
	kind, without := "", false
	err = d.each("SELECT type, wr FROM pragma_table_list WHERE schema = 'main' AND name = ?", []string{table},
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
		return p, fmt.Errorf("only rows of plain tables are written, and %s is none", quoted(table))
	}
	for _, c := range p.columns {
		if c.key > 0 {
			p.by = append(p.by, quoted(c.name))
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
	if len(p.by) != 1 && p.number != "" {
		p.by = []string{p.number}
	}
	return p, nil
}

// change makes the change r in the database, and returns the row before and after it.
func (d database) change(r Row) (c RowChange, err error) {
	if r.Where == "" {
		return c, errors.New("SQLite write path must target a table")
	}
	table, key, keyed := d.split(r.Where)
	p, err := d.in(table)
	switch {
	case err != nil && strings.Contains(r.Where, "?"):
		return c, errors.New("SQLite write paths do not support query parameters")
	case err != nil:
		return c, err
	case keyed && key == "":
		return c, errors.New("SQLite row writes require a non-empty row key")
	case keyed && len(p.by) > 1:
		return c, fmt.Errorf("the key of %s has %d columns; a row is found by a key of one", quoted(table), len(p.by))
	}
	c.Table, c.Key = table, key
	var where string
	if keyed {
		if c.Before, where, err = d.keyed(p, key); err != nil {
			return c, err
		}
	}
	if strings.TrimSpace(r.Content) == "" {
		if !keyed {
			return c, errors.New("the values of a new row are missing; {} makes one of defaults")
		}
		return c, d.alone(fmt.Sprintf("DELETE FROM %s WHERE %s", quoted(table), where))
	}
	values, err := rowValues(p, r.Content)
	if err != nil {
		return c, err
	}
	if !keyed {
		c.After, err = d.insert(p, values)
		return c, err
	}
	if len(values) == 0 {
		return c, errors.New("no column is named")
	}
	c.After, err = d.update(p, where, values)
	return c, err
}

// update changes the row that the condition where selects, and returns its new values.
func (d database) update(p place, where string, values []Value) ([]Value, error) {
	var set []string
	for _, v := range values {
		set = append(set, quoted(v.Column)+" = "+v.SQL)
	}
	err := d.alone(fmt.Sprintf("UPDATE OR ABORT %s SET %s WHERE %s", quoted(p.table), strings.Join(set, ", "), where))
	if err != nil {
		return nil, err
	}
	for _, v := range values { // a key that changes takes the row elsewhere
		if quoted(v.Column) == p.by[0] {
			where = p.by[0] + " = " + v.SQL
		}
	}
	return d.one(p, where)
}

// again repeats a prepared change. It fails if the row is not c.Before now, or does not become
// c.After.
func (d database) again(c RowChange) error {
	p, err := d.in(c.Table)
	if err != nil {
		return err
	}
	var where string
	var now []Value
	if c.Before != nil {
		if now, where, err = d.keyed(p, c.Key); err != nil || !slices.Equal(now, c.Before) {
			return errors.Join(ErrRowChanged, err)
		}
	}
	switch {
	case c.After == nil:
		return d.alone(fmt.Sprintf("DELETE FROM %s WHERE %s", quoted(p.table), where))
	case c.Before == nil: // with the defaults that were shown: one may be the time
		now, err = d.insert(p, p.stored(c.After))
	default:
		now, err = d.update(p, where, slices.DeleteFunc(p.stored(c.After), func(v Value) bool {
			return slices.Contains(c.Before, v)
		}))
	}
	if err == nil && !slices.Equal(now, c.After) {
		return ErrRowChanged
	}
	return err
}

// stored returns the values of a row, without the generated columns.
func (p place) stored(row []Value) (list []Value) {
	for i, c := range p.columns {
		if i < len(row) && !c.made {
			list = append(list, row[i])
		}
	}
	return list
}

// keyed returns the row with a key, and the SQL condition that selects it. It tries key as text,
// and then as an integer.
func (d database) keyed(p place, key string) (row []Value, where string, err error) {
	for _, as := range []string{text(key), key} {
		if as == key {
			if _, err := strconv.ParseInt(key, 10, 64); err != nil {
				break
			}
		}
		where = p.by[0] + " = " + as
		if row, err = d.one(p, where); err != nil || row != nil {
			return row, where, err
		}
	}
	return nil, "", fmt.Errorf("no row of %s has the key %q", quoted(p.table), key)
}

// one returns the only row that a condition selects, or nil if there is none. Several are an error.
func (d database) one(p place, where string) (row []Value, err error) {
	var columns []string
	size, n := 0, 0
	for _, c := range p.columns {
		columns = append(columns, "quote("+quoted(c.name)+")")
	}
	sql := fmt.Sprintf("SELECT %s FROM %s WHERE %s", strings.Join(columns, ", "), quoted(p.table), where)
	err = d.each(sql, nil, func(s *sqlite3.Stmt) bool {
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
		return nil, fmt.Errorf("several rows of %s have this key", quoted(p.table))
	case size > MaxText/4:
		return nil, fmt.Errorf("the row has more than %d MiB", MaxText/4>>20)
	}
	return row, nil
}

// insert adds a row and returns its values as they were stored.
func (d database) insert(p place, values []Value) ([]Value, error) {
	if err := d.alone(insertion(p.table, values)); err != nil {
		return nil, err
	}
	if p.number != "" {
		return d.one(p, p.number+" = "+strconv.FormatInt(d.c.LastInsertRowID(), 10))
	}
	var where []string
	for _, by := range p.by {
		at := slices.IndexFunc(values, func(v Value) bool { return quoted(v.Column) == by })
		if at < 0 {
			return nil, fmt.Errorf("%s, a column of the key, has no value", by)
		}
		where = append(where, by+" = "+values[at].SQL)
	}
	return d.one(p, strings.Join(where, " AND "))
}

func insertion(table string, values []Value) string {
	if len(values) == 0 {
		return "INSERT OR ABORT INTO " + quoted(table) + " DEFAULT VALUES"
	}
	var names, list []string
	for _, v := range values {
		names, list = append(names, quoted(v.Column)), append(list, v.SQL)
	}
	return fmt.Sprintf("INSERT OR ABORT INTO %s (%s) VALUES (%s)", quoted(table), strings.Join(names, ", "),
		strings.Join(list, ", "))
}

// alone runs a statement, and fails unless it changes exactly one row. Triggers and foreign keys
// could change others, which the user was not shown.
func (d database) alone(sql string) error {
	before := d.c.TotalChanges()
	if err := d.c.Exec(sql); err != nil {
		return err
	}
	switch n := d.c.TotalChanges() - before; {
	case d.c.Changes() != 1:
		return errors.New("a trigger of the table keeps the row as it is")
	case n != 1:
		return fmt.Errorf("triggers or foreign keys would change %s besides, which is not shown; "+
			"use a command for it", plural.Of(int(n-1), "row"))
	}
	return nil
}

// wantRow is an error message that describes the expected content of a row.
const wantRow = `content is a JSON object of columns and values: {"name": "Ada", "age": 36}`

// badRow adds that description to an error.
func badRow(err error) error { return fmt.Errorf("%s; %w", wantRow, err) }

// rowValues parses content, a JSON5 object of values by column, and keeps its order.
func rowValues(p place, content string) (values []Value, err error) {
	j := &json5{text: content}
	if open, err := j.sign("{"); err != nil || open == 0 {
		return nil, errors.New(wantRow)
	}
	for {
		end, err := j.sign("}")
		if err != nil {
			return nil, badRow(err)
		}
		if end != 0 {
			break
		}
		name, v, err := p.value(j)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(values, func(o Value) bool { return o.Column == v.Column }) {
			return nil, fmt.Errorf("%s is named twice", quoted(name))
		}
		values = append(values, v)
		if comma, err := j.sign(","); err != nil {
			return nil, badRow(err)
		} else if comma == 0 && !strings.HasPrefix(j.text[j.at:], "}") {
			return nil, badRow(j.bad("a comma"))
		}
	}
	if err := j.skip(); err != nil || j.at < len(j.text) {
		return nil, errors.New("one object only; " + wantRow)
	}
	return values, nil
}

// value reads one member of the object: the name of a column, and its value. It returns an error if
// the table has no such column.
func (p place) value(j *json5) (name string, v Value, err error) {
	if name, err = j.name(); err != nil {
		return "", v, badRow(err)
	}
	at := slices.IndexFunc(p.columns, func(c column) bool { return strings.EqualFold(c.name, name) })
	if at < 0 {
		return "", v, fmt.Errorf("%s has no column %s", quoted(p.table), quoted(name))
	}
	t, err := j.value()
	if err != nil {
		return "", v, badRow(err)
	}
	sql, err := literal(t)
	if err != nil {
		return "", v, fmt.Errorf("the value of %s: %w", quoted(name), err)
	}
	return name, Value{p.columns[at].name, sql}, nil
}

// literal returns a JSON value as an SQL literal.
func literal(t json.Token) (string, error) {
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
		return text(v), nil
	}
	return "", errors.New("it is a list or an object; a value is text, a number, true, false or null")
}

// text returns s as an SQL string literal.
func text(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
