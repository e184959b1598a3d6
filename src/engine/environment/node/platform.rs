//! The modules that platforms provide without any package.

/// The platforms whose modules have names such as `node:fs`.
const PLATFORMS: [&str; 3] = ["node", "bun", "cloudflare"];

/// The modules of Node that are imported without `node:`, as `module.builtinModules` of Node 24 lists them; without
/// those below them, such as `fs/promises`.
const BUILTIN: [&str; 42] = [
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

/// True for a specifier of a module of the platform: `node:fs`, `fs`, `fs/promises`, `bun:test`.
pub fn is_platform_module(specifier: &str) -> bool {
    if let Some((platform, _)) = specifier.split_once(':') {
        return PLATFORMS.contains(&platform);
    }
    BUILTIN.contains(&specifier.split('/').next().unwrap_or(specifier))
}
