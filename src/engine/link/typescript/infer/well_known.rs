//! Symbols of the platform and names that inference itself refers to.

use crate::typescript::{
    program::{GlobalSymbol, InternedName, ProgramFacts},
    types::StringMapping,
};

/// Symbols of the platform and names that inference itself refers to.
#[derive(Debug)]
pub(super) struct WellKnownGlobals {
    pub(super) array: Option<GlobalSymbol>,
    pub(super) readonly_array: Option<GlobalSymbol>,
    pub(super) promise: Option<GlobalSymbol>,
    pub(super) generator: Option<GlobalSymbol>,
    pub(super) async_generator: Option<GlobalSymbol>,
    pub(super) iterator: Option<GlobalSymbol>,
    pub(super) async_iterator: Option<GlobalSymbol>,
    pub(super) iterator_result: Option<GlobalSymbol>,
    pub(super) string: Option<GlobalSymbol>,
    pub(super) number: Option<GlobalSymbol>,
    pub(super) boolean: Option<GlobalSymbol>,
    pub(super) function: Option<GlobalSymbol>,
    pub(super) iterable: Option<GlobalSymbol>,
    pub(super) this_type: Option<GlobalSymbol>,
    /// The type of the global object.
    pub(super) window: Option<GlobalSymbol>,
    /// The types of which the platform's description lists all properties.
    pub(super) described: Vec<GlobalSymbol>,
    string_mappings: [(StringMapping, Option<GlobalSymbol>); 4],
    pub(super) default: InternedName,
    pub(super) empty: InternedName,
    pub(super) props: InternedName,
    pub(super) then: InternedName,
    pub(super) next: InternedName,
    pub(super) value: InternedName,
    pub(super) prototype: InternedName,
}

impl WellKnownGlobals {
    pub(super) fn new(program: &mut ProgramFacts<'_>) -> Self {
        let mut symbol = |text: &str| {
            let name = program.names.intern(text);
            program.find_global(program.platform(), name)
        };
        let (array, readonly_array) = (symbol("Array"), symbol("ReadonlyArray"));
        let (promise, iterable) = (symbol("Promise"), symbol("Iterable"));
        let (generator, async_generator) = (symbol("Generator"), symbol("AsyncGenerator"));
        let (string, number, boolean) = (symbol("String"), symbol("Number"), symbol("Boolean"));
        let (iterator, async_iterator) = (symbol("Iterator"), symbol("AsyncIterator"));
        let iterator_result = symbol("IteratorResult");
        let (function, this_type, window) = (symbol("Function"), symbol("ThisType"), symbol("Window"));
        let described = [
            "Array",
            "ReadonlyArray",
            "Map",
            "ReadonlyMap",
            "Set",
            "ReadonlySet",
            "Promise",
            "PromiseLike",
            "Response",
        ];
        let described = described.into_iter().filter_map(&mut symbol).collect();
        let string_mappings = StringMapping::ALL.map(|(mapping, name)| (mapping, symbol(name)));
        let mut name = |text: &str| program.names.intern(text);
        Self {
            array,
            readonly_array,
            promise,
            generator,
            async_generator,
            iterator,
            async_iterator,
            iterator_result,
            string,
            number,
            boolean,
            function,
            iterable,
            this_type,
            window,
            described,
            string_mappings,
            default: name("default"),
            empty: name(""),
            props: name("props"),
            then: name("then"),
            next: name("next"),
            value: name("value"),
            prototype: name("prototype"),
        }
    }

    /// The mapping of strings that a symbol of the platform denotes.
    pub(super) fn string_mapping(&self, symbol: GlobalSymbol) -> Option<StringMapping> {
        self.string_mappings.iter().find(|(_, known)| *known == Some(symbol)).map(|(mapping, _)| *mapping)
    }
}
