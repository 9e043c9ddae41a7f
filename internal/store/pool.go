package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// pool hands out connections that keep their prepared statements: half of what a
// short statement costs is its preparation, and database/sql forgets those of a
// transaction when it ends.
type pool struct {
	db    *sql.DB
	begin string
	links chan *link // those that are free
}

// link is one connection with its statements.
type link struct {
	conn       *sql.Conn // nil until it is needed
	statements map[string]*sql.Stmt
}

func newPool(db *sql.DB, size int, begin string) *pool {
	p := &pool{db: db, begin: begin, links: make(chan *link, size)}
	for range size {
		p.links <- &link{statements: map[string]*sql.Stmt{}}
	}
	return p
}

// close waits for the transactions under way.
func (p *pool) close() error {
	var errs []error
	for range cap(p.links) {
		select {
		case l := <-p.links:
			errs = append(errs, l.close())
		default:
		}
	}
	return errors.Join(append(errs, p.db.Close())...)
}

// run makes f a transaction.
func (p *pool) run(ctx context.Context, f func(*Tx) error) error {
	var l *link
	select {
	case l = <-p.links:
	case <-ctx.Done():
		return fmt.Errorf("waiting for the database: %w", ctx.Err())
	}
	defer func() { p.links <- l }()
	if l.conn == nil {
		conn, err := p.db.Conn(ctx)
		if err != nil {
			return fmt.Errorf("opening the database: %w", err)
		}
		l.conn = conn
	}
	open := true
	defer func() {
		if open { // f failed or panicked, or a cancelled BEGIN may have begun all the same
			// A connection that cannot even be rolled back is of no more use; the next
			// transaction on it says so.
			l.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	if _, err := l.conn.ExecContext(ctx, p.begin); err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	tx := &Tx{ctx: ctx, calm: context.WithoutCancel(ctx), link: l}
	if err := f(tx); err != nil {
		return err
	}
	if err := errors.Join(tx.lost, tx.failed); err != nil {
		return err
	}
	if _, err := l.conn.ExecContext(ctx, "COMMIT"); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	open = false
	return nil
}

// close ends the statements too: with one of them left open SQLite keeps the file
// open, and what was written beside it (-wal) is not brought home.
func (l *link) close() error {
	var errs []error
	for _, s := range l.statements {
		errs = append(errs, s.Close())
	}
	if l.conn != nil {
		errs = append(errs, l.conn.Close())
	}
	return errors.Join(errs...)
}

// prepare gives the statement of a query, prepared once a connection.
func (l *link) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if s, ok := l.statements[query]; ok {
		return s, nil
	}
	s, err := l.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	l.statements[query] = s
	return s, nil
}
