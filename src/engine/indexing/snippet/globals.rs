//! The names that code can use without binding them.

use apidisc_base::language::Language;

/// The global values of JavaScript and of its usual hosts, sorted.
const JAVASCRIPT: &[&str] = &[
    "AbortController",
    "AbortSignal",
    "Array",
    "ArrayBuffer",
    "BigInt",
    "Blob",
    "Boolean",
    "Buffer",
    "Date",
    "Error",
    "Event",
    "EventTarget",
    "File",
    "FormData",
    "Function",
    "Headers",
    "Infinity",
    "Intl",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "Reflect",
    "RegExp",
    "Request",
    "Response",
    "Set",
    "String",
    "Symbol",
    "TextDecoder",
    "TextEncoder",
    "TypeError",
    "URL",
    "URLSearchParams",
    "Uint8Array",
    "WeakMap",
    "WeakSet",
    "WebSocket",
    "clearInterval",
    "clearTimeout",
    "console",
    "document",
    "exports",
    "fetch",
    "globalThis",
    "isNaN",
    "localStorage",
    "module",
    "navigator",
    "parseFloat",
    "parseInt",
    "process",
    "queueMicrotask",
    "require",
    "setImmediate",
    "setInterval",
    "setTimeout",
    "structuredClone",
    "undefined",
    "window",
];

/// True for a name that the language, or its usual host, binds.
pub(super) fn is_global(name: &str, language: Language) -> bool {
    match language {
        Language::Python => apidisc_link::python::is_builtin(name),
        Language::TypeScript => JAVASCRIPT.binary_search(&name).is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::JAVASCRIPT;

    #[test]
    fn the_names_are_sorted() {
        assert!(JAVASCRIPT.is_sorted());
    }
}
