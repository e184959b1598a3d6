//! The types that stubs of TypeScript show where the sources have no annotation, or one that names a value.

use crate::program::{Project, run_on};

/// The stub of a module with everything in full.
fn whole(project: &Project, module: &str) -> String {
    let line = format!("--export --strategy exhaustive --wording full --module {module}");
    run_on(&line, project.path()).success()
}

fn assert_lines(stub: &str, lines: &[&str]) {
    for line in lines {
        assert!(stub.contains(line), "{line}\n{stub}");
    }
}

#[test]
fn constants_and_results_have_the_types_that_their_values_determine() {
    let code = "import { other } from 'elsewhere';\nexport enum Level { Low, High }\n\
                export const LIMITS = { low: 1, deep: { name: 'a' } };\nexport const kinds = ['a', 'b'] as const;\n\
                export const names = ['a', 'b'];\nexport const timeout = 60 * 1000;\nexport const level = Level.Low;\n\
                export const table = new Map<string, Level>();\nexport const unknown = other();\n\
                export const mixed = { a: other(), b: 1 };\nexport function all() { return names; }\n\
                export function Page() { return <p>text</p>; }\n\
                export function Part(props: { on: boolean }) { return props.on ? <Page /> : null; }\n\
                export function paint(level: Level.Low) {}\n";
    let stub = whole(&Project::with("a.tsx", code), "a");
    assert_lines(
        &stub,
        &[
            "export declare const LIMITS: { low: number; deep: { name: string } };\n",
            "export declare const kinds: readonly [\"a\", \"b\"];\n",
            "export declare const names: string[];\n",
            "export declare const timeout: number;\n",
            "export declare const level: Level;\n",
            "export declare const table: Map<string, Level>;\n",
            "export declare const unknown: any;\n",
            "export declare const mixed: { a: any; b: number };\n",
            "export declare function all(): string[];\n",
            "export declare function Page(): JSX.Element; // 1 call\n",
            "): JSX.Element | null;",
            "export declare function paint(level: Level): void;\n",
        ],
    );
}

#[test]
fn a_type_that_names_a_value_is_kept_if_the_type_of_the_value_is_not_known() {
    let code = "import { make, type Row } from 'elsewhere';\nimport * as Parts from 'parts';\n\
                export const table = make();\nconst hidden = make();\nexport type Whole = Row<typeof table>;\n\
                export type Part = Row<typeof hidden>;\nexport type Root = Row<typeof Parts.Root>;\n\
                export enum Level { Low }\nexport type Name = keyof typeof Level;\n";
    let project = Project::with("a.ts", code);
    let stub = whole(&project, "a");
    assert_lines(
        &stub,
        &[
            "export declare const table: any;\n",
            "export type Whole = Row<typeof table>;\n",
            "export type Part = Row<any>;\n",
            "export type Root = Row<typeof Parts.Root>;\n",
            "import type * as Parts from \"parts\";\n",
            "export type Name = \"Low\";\n",
        ],
    );
    let alone = run_on("--export --symbol Whole", project.path()).success();
    assert_lines(&alone, &["import type { table } from \"a\";\n", "export type Whole = Row<typeof table>;\n"]);
}

#[test]
fn decorators_by_which_a_framework_uses_a_class_are_named_in_comments() {
    let code = "import { Body, Controller, Get, Post, cached } from 'framework';\n\
                import { IsString, MinLength, Exclude } from 'validation';\n\n@Controller('users')\n\
                export class Users {\n  @Get(':id')\n  find(id: string): string { return id; }\n  @Post()\n  \
                create(@Body() user: User): void {}\n  @cached()\n  size(): number { return 1; }\n}\n\n\
                @Table({ name: 'users', paranoid: true })\nexport class User {\n  @IsString() @MinLength(3) name: string;\n  \
                @Exclude() password: string;\n}\n";
    let project = Project::with("users.ts", code);
    let stub = whole(&project, "users");
    assert_lines(
        &stub,
        &[
            "// @Controller('users')\nexport declare class Users {\n",
            "  // @Get(':id')\n  find(id: string): string;\n",
            "  // @Post()\n  create(user: User): void;\n",
            "// @Table(...)\nexport declare class User {\n",
            "  // @IsString() @MinLength(3)\n  name: string;\n",
        ],
    );
    assert!(!stub.contains("@cached") && !stub.contains("@Exclude"), "{stub}");
    let short = run_on("--export --strategy exhaustive --wording calls --module users", project.path()).success();
    assert_lines(&short, &["// @Controller('users')\n", "// @Get(':id')\n", "// @Post()\n"]);
    assert_eq!(short.matches('@').count(), 3, "{short}");
}
