// Lists the declarations of Go files with the language's own parser: `path kind name line`, joined by tabs.
//
//	go run go_list.go FOLDER <PATHS
//
// PATHS, one a line on standard input, are relative to FOLDER. Declared are functions, methods, types with their fields and
// interface methods, local types too, and the package's constants and variables; the blank name declares nothing. A file
// that does not parse without error is named on standard error and listed as far as it was recovered.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

type lister struct {
	path  string
	files *token.FileSet
	out   *bufio.Writer
}

func (l *lister) add(kind string, name *ast.Ident) {
	if name.Name != "_" {
		fmt.Fprintf(l.out, "%s\t%s\t%s\t%d\n", l.path, kind, name.Name, l.files.Position(name.Pos()).Line)
	}
}

// The name that an embedded field's type gives it.
func embedded(expression ast.Expr) *ast.Ident {
	for {
		switch inner := expression.(type) {
		case *ast.Ident:
			return inner
		case *ast.StarExpr:
			expression = inner.X
		case *ast.ParenExpr:
			expression = inner.X
		case *ast.SelectorExpr:
			return inner.Sel
		case *ast.IndexExpr:
			expression = inner.X
		case *ast.IndexListExpr:
			expression = inner.X
		default:
			return nil
		}
	}
}

// The members of a struct or interface type that stands right behind a type's or a field's name.
func (l *lister) members(expression ast.Expr) {
	switch definition := expression.(type) {
	case *ast.StructType:
		for _, field := range definition.Fields.List {
			for _, name := range field.Names {
				l.add("field", name)
			}
			if len(field.Names) == 0 {
				if name := embedded(field.Type); name != nil {
					l.add("field", name)
				}
			}
			l.members(field.Type)
		}
	case *ast.InterfaceType:
		for _, method := range definition.Methods.List {
			for _, name := range method.Names {
				l.add("method", name)
			}
		}
	}
}

func (l *lister) declaration(declaration ast.Decl, local bool) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			l.add("function", d.Name)
		} else {
			l.add("method", d.Name)
		}
		if d.Body != nil {
			ast.Inspect(d.Body, func(node ast.Node) bool {
				if statement, is := node.(*ast.DeclStmt); is {
					l.declaration(statement.Decl, true)
				}
				return true
			})
		}
	case *ast.GenDecl:
		for _, specification := range d.Specs {
			switch s := specification.(type) {
			case *ast.TypeSpec:
				l.add("type", s.Name)
				l.members(s.Type)
			case *ast.ValueSpec:
				if local {
					continue
				}
				for _, name := range s.Names {
					l.add(d.Tok.String(), name)
				}
			}
		}
	}
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	paths := bufio.NewScanner(os.Stdin)
	for paths.Scan() {
		l := &lister{paths.Text(), token.NewFileSet(), out}
		file, problem := parser.ParseFile(l.files, filepath.Join(os.Args[1], l.path), nil, parser.SkipObjectResolution)
		if problem != nil {
			fmt.Fprintln(os.Stderr, problem)
		}
		if file == nil {
			continue
		}
		for _, declaration := range file.Decls {
			l.declaration(declaration, false)
		}
	}
}
