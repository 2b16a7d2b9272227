// Package ledger keeps accounts.
package ledger

// Entry is one line of a ledger.
type Entry struct {
	Account string
	Amount  int64
}

// Ledger holds entries in the order they came.
type Ledger struct {
	entries []Entry
}

// Post appends an entry.
func (l *Ledger) Post(entry Entry) {
	l.entries = append(l.entries, entry)
}

// Balance sums the amounts of one account.
func Balance(entries []Entry, account string) int64 {
	var sum int64
	for _, entry := range entries {
		if entry.Account == account {
			sum += entry.Amount
		}
	}
	return sum
}
