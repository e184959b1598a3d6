#!/usr/bin/env node
// Starts the binary of this platform, which is in an optional package beside this one.
"use strict";
const { spawn } = require("node:child_process");

/** The packages that may hold the binary, best first. */
function packages() {
  const name = `apidisc-tui-${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return [name];
  // A machine with glibc says so. A package manager that does not compare `libc` installs both.
  const isGlibc = Boolean(process.report?.getReport?.().header?.glibcVersionRuntime);
  return isGlibc ? [name, `${name}-musl`] : [`${name}-musl`, name];
}

function binary() {
  const file = process.platform === "win32" ? "apidisc-tui.exe" : "apidisc-tui";
  for (const name of packages()) {
    try {
      return require.resolve(`${name}/${file}`);
    } catch {
      // The next one may be there.
    }
  }
  return undefined;
}

const program = binary();
if (!program) {
  console.error(
    `apidisc-tui: no binary for ${process.platform} ${process.arch} is installed; install without --omit=optional, ` +
      `or build it: cargo install apidisc-tui`,
  );
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: false });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`apidisc-tui: ${program} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code ?? 1);
  }
});
