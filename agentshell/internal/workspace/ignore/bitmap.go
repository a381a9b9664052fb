package ignore

import "encoding/binary"

// readBitmap decodes a compressed bitmap (EWAH) in git's format. In it a word says how many words
// of zeros or ones follow, and then how many literal words. It returns the bits that are set; all
// must be below n.
func readBitmap(data []byte, n int) (set []int, err error) {
	if len(data) < 8 {
		return nil, errIndex
	}
	words := int64(binary.BigEndian.Uint32(data[4:]))
	if data = data[8:]; words*8 > int64(len(data)) {
		return nil, errIndex
	}
	bit := 0
	for i := 0; i < int(words); {
		run := binary.BigEndian.Uint64(data[i*8:])
		same, plain := int(run>>1&0xffffffff), int(run>>33)
		i++
		if same > n/64+1 || plain > int(words)-i {
			return nil, errIndex
		}
		for range same {
			if set, err = addBits(set, bit, -(run & 1), n); err != nil {
				return nil, err
			}
			bit += 64
		}
		for range plain {
			if set, err = addBits(set, bit, binary.BigEndian.Uint64(data[i*8:]), n); err != nil {
				return nil, err
			}
			bit += 64
			i++
		}
	}
	return set, nil
}

// addBits appends the bits that are set in word to set. The first bit of word has the number from.
func addBits(set []int, from int, word uint64, n int) ([]int, error) {
	for i := range 64 {
		if word>>i&1 == 0 {
			continue
		}
		if from+i >= n {
			return nil, errIndex
		}
		set = append(set, from+i)
	}
	return set, nil
}
