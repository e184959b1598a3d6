// Makes the packages of npm: the main one, which holds a small script, and one for a platform, which holds the binary.
// npm installs of the optional platform packages the one that fits. No package runs a script when it is installed.
//
//     node make.mjs main OUT                       writes OUT/apidisc-tui
//     node make.mjs platform PLATFORM BINARY OUT   writes OUT/apidisc-tui-PLATFORM
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");

/** The platforms, with what npm compares with the machine. */
const PLATFORMS = {
  "linux-x64": { os: "linux", cpu: "x64", libc: "glibc" },
  "linux-x64-musl": { os: "linux", cpu: "x64", libc: "musl" },
  "linux-arm64": { os: "linux", cpu: "arm64", libc: "glibc" },
  "linux-arm64-musl": { os: "linux", cpu: "arm64", libc: "musl" },
  "darwin-x64": { os: "darwin", cpu: "x64" },
  "darwin-arm64": { os: "darwin", cpu: "arm64" },
  "win32-x64": { os: "win32", cpu: "x64" },
};

const manifest = readFileSync(join(root, "Cargo.toml"), "utf8");
const version = manifest.match(/^\[workspace\.package\]\nversion = "([^"]+)"/m)?.[1];
if (!version) throw new Error("Cargo.toml names no version below [workspace.package]");
const description = manifest.match(/^description = "([^"]+)"/m)?.[1];
const repository = manifest.match(/^repository = "([^"]+)"/m)?.[1];

/** What all packages have in common. */
const common = { version, description, license: "MIT OR Apache-2.0", ...(repository && { repository }) };

function write(folder, files, facts) {
  mkdirSync(folder, { recursive: true });
  for (const [name, from] of files) copyFileSync(from, join(folder, name));
  for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(join(root, licence), join(folder, licence));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ ...facts, ...common }, null, 2)}\n`);
  console.log(folder);
}

const [kind, ...rest] = process.argv.slice(2);
if (kind === "main" && rest.length === 1) {
  const optionalDependencies = Object.fromEntries(
    Object.keys(PLATFORMS).map((platform) => [`apidisc-tui-${platform}`, version]),
  );
  const files = [["apidisc-tui.js", join(here, "apidisc-tui.js")], ["README.md", join(here, "README.md")]];
  write(join(rest[0], "apidisc-tui"), files, {
    name: "apidisc-tui",
    bin: { "apidisc-tui": "apidisc-tui.js" },
    engines: { node: ">=18" },
    files: ["apidisc-tui.js", "README.md", "LICENSE-*"],
    optionalDependencies,
  });
} else if (kind === "platform" && rest.length === 3 && PLATFORMS[rest[0]]) {
  const [platform, binary, out] = rest;
  const { os, cpu, libc } = PLATFORMS[platform];
  const name = os === "win32" ? "apidisc-tui.exe" : "apidisc-tui";
  const folder = join(out, `apidisc-tui-${platform}`);
  write(folder, [[name, binary]], {
    name: `apidisc-tui-${platform}`,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
    preferUnplugged: true,
    files: [name, "LICENSE-*"],
  });
  chmodSync(join(folder, name), 0o755);
} else {
  console.error("usage: make.mjs main OUT | platform PLATFORM BINARY OUT; platforms: " + Object.keys(PLATFORMS).join(", "));
  process.exit(2);
}
