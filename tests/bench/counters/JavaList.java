import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.Modifier;
import javax.tools.*;

/**
 * Lists the declarations of Java files with the compiler's own parser: {@code path kind name line}, joined by tabs.
 *
 * <pre>java JavaList.java FOLDER &lt;PATHS</pre>
 *
 * PATHS, one a line on standard input, are relative to FOLDER. Declared are types, nested and local ones too, with their
 * methods, constructors, fields, enum constants and record components, and modules; members of anonymous classes, and what
 * stands in lambda bodies, are not. Nothing is resolved: the files are parsed alone.
 */
public class JavaList {
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
        for (String path : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
            // One task a file: a compiler keeps every tree of its task.
            JavacTask task = (JavacTask) compiler.getTask(null, files, problem -> {
                if (problem.getKind() == Diagnostic.Kind.ERROR) System.err.println(path + ": " + problem.getMessage(null));
            }, List.of("-proc:none"), null, files.getJavaFileObjects(folder.resolve(path)));
            for (CompilationUnitTree unit : task.parse()) new Lister(out, path, task, unit).scan(unit, null);
        }
        out.flush();
    }

    static class Lister extends TreeScanner<Void, ClassTree> {
        final PrintStream out;
        final String path;
        final SourcePositions positions;
        final CompilationUnitTree unit;

        Lister(PrintStream out, String path, JavacTask task, CompilationUnitTree unit) {
            this.out = out;
            this.path = path;
            this.positions = Trees.instance(task).getSourcePositions();
            this.unit = unit;
        }

        void add(String kind, Object name, Tree tree) {
            long line = unit.getLineMap().getLineNumber(Math.max(0, positions.getStartPosition(unit, tree)));
            out.printf("%s\t%s\t%s\t%d%n", path, kind, name, line);
        }

        @Override public Void visitModule(ModuleTree tree, ClassTree owner) {
            add("module", tree.getName(), tree);
            return null;
        }

        @Override public Void visitClass(ClassTree tree, ClassTree owner) {
            if (tree.getSimpleName().isEmpty()) return null;
            add("type", tree.getSimpleName(), tree);
            for (Tree member : tree.getMembers()) scan(member, tree);
            return null;
        }

        @Override public Void visitMethod(MethodTree tree, ClassTree owner) {
            boolean constructor = tree.getName().contentEquals("<init>");
            if (constructor) add("constructor", owner.getSimpleName(), tree);
            else add("method", tree.getName(), tree);
            if (tree.getBody() != null) scan(tree.getBody(), null);
            return null;
        }

        @Override public Void visitVariable(VariableTree tree, ClassTree owner) {
            if (owner == null) return super.visitVariable(tree, null);
            // Enum constants and record components are fields in this tree.
            add("field", tree.getName(), tree);
            // An enum constant's body is an anonymous class, whose members belong to the constant.
            boolean constant = owner.getKind() == Tree.Kind.ENUM && tree.getModifiers().getFlags().contains(Modifier.STATIC)
                && positions.getStartPosition(unit, tree.getModifiers()) < 0;
            if (constant && tree.getInitializer() instanceof NewClassTree made && made.getClassBody() != null) {
                for (Tree member : made.getClassBody().getMembers()) scan(member, made.getClassBody());
            }
            return null;
        }

        @Override public Void visitBlock(BlockTree tree, ClassTree owner) {
            // Also an initializer block, whose variables are its own.
            return super.visitBlock(tree, null);
        }

        @Override public Void visitNewClass(NewClassTree tree, ClassTree owner) {
            return null;
        }

        @Override public Void visitLambdaExpression(LambdaExpressionTree tree, ClassTree owner) {
            return null;
        }
    }
}
