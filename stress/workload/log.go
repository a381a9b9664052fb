package workload

import (
	"encoding/binary"
	"errors"
)

// Record is one step in the log of a program's terminal: a new size, or bytes that the program
// wrote.
type Record struct {
	Cols, Rows int // the new size, in columns and rows; 0: Data was written
	Data       []byte
}

// EncodeLog returns the log in its file format. Each record is 'R' or 'D' and a length of 4 bytes,
// followed by columns and rows of 2 bytes each, or by the data. All numbers are little-endian.
func EncodeLog(log []Record) []byte {
	var out []byte
	for _, r := range log {
		if r.Cols > 0 {
			out = append(out, 'R')
			out = binary.LittleEndian.AppendUint32(out, 4)
			out = binary.LittleEndian.AppendUint16(out, uint16(r.Cols))
			out = binary.LittleEndian.AppendUint16(out, uint16(r.Rows))
			continue
		}
		out = append(out, 'D')
		out = binary.LittleEndian.AppendUint32(out, uint32(len(r.Data)))
		out = append(out, r.Data...)
	}
	return out
}

// DecodeLog reads a log that [EncodeLog] has returned. The first record must be a size. The result
// shares the bytes of b.
func DecodeLog(b []byte) ([]Record, error) {
	var log []Record
	for len(b) > 0 {
		if len(b) < 5 || uint64(len(b)-5) < uint64(binary.LittleEndian.Uint32(b[1:])) {
			return nil, errors.New("the log ends within a record")
		}
		kind, data := b[0], b[5:5+binary.LittleEndian.Uint32(b[1:])]
		b = b[5+len(data):]
		switch {
		case kind == 'R' && len(data) == 4:
			log = append(log, Record{Cols: int(binary.LittleEndian.Uint16(data)),
				Rows: int(binary.LittleEndian.Uint16(data[2:]))})
		case kind == 'D' && len(log) > 0:
			log = append(log, Record{Data: data})
		default:
			return nil, errors.New("the log has a record that is neither a size nor bytes after one")
		}
	}
	if len(log) == 0 || log[0].Cols == 0 {
		return nil, errors.New("the log does not begin with a size")
	}
	return log, nil
}
