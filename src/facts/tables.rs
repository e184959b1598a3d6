//! The columns of the five tables, and the conversion of facts to rows and of rows to facts.
//!
//! A definition is named by its FQN, its source and a number, which is 0 unless its source defines the FQN several
//! times. `callee`, `callee_source`, `callee_number` of `calls` are `fqn`, the partition `source` and `number` of
//! `definitions`; `callee_name` is the public name. The source is the partition, not a column.

use anyhow::{Context as _, bail};
use apidisc::{
    facts::{
        CallFact, CallRow, DefinitionFact, DefinitionName, LedgerFact, Literal, MembersKnown, Overload, ReadFact,
        UseFact,
    },
    source::Origin,
};

use compact_str::CompactString;

use super::columns::{
    Column,
    ColumnType::{Flag, Number, OptionalText, Text, Texts},
    Schema,
};

/// The columns of `definitions`: a row per definition, by path and line.
///
/// `parameters` and `required` are keys of `api_metadata.yaml`. `entry` is the declaration as JSON, in the form of that
/// file; null for a definition inside the entry of another one.
pub(super) const DEFINITIONS: Schema = &[
    ("fqn", Text),
    ("number", Number),
    ("name", Text),
    ("kind", Text),
    ("is_public", Flag),
    ("path", Text),
    ("line", Number),
    ("parameters", Texts),
    ("required", Texts),
    ("entry", OptionalText),
];

/// The columns of `calls`: a row per call, sorted by callee.
///
/// - `params`: the keys of the parameters that the call passes. `by_position`: those of `params` that it passes by
///   position. `hidden`: the keys of those that it may pass in a way that is not visible. So the share of calls that
///   pass a parameter is `count(in params) / (count(*) - count(in hidden))`.
/// - `value_params` and `literals`: the literals that the call passes, each at the position of its parameter's key.
/// - `caller`: the FQN of the function around the call, or of the module.
/// - `resolution`: `resolved`, `ambiguous`, `external`, `unknown_receiver`, `unknown_name`, `dynamic` or `too_complex`.
///   `callee` is null unless the call is resolved.
/// - `callee_class`: the FQN of the class whose inherited member the call also counts for, or of the constant that
///   holds the callee and for which the call also counts.
/// - `through`: the FQN of the constant or field by which the call reaches what it calls, as `calls` prints it: the
///   called constant, or the instance on which a method is called.
/// - `on_classes`: the FQNs of the public classes that inherit the callee from a public base, and on which the call is
///   made: the class of the receiver and those between it and the base.
/// - `spread`: the call has a spread. `open`: the call may pass more than is visible.
/// - `overload`: the number of the overload that the call takes, counted from 1; 0 if the callee has no overloads or
///   the overload is unknown. `overload_is_certain`: true if the arguments fit no other overload.
/// - `members`: the names of the members of the result that the code around the call takes. `members_known`: 0 if
///   nothing is known of them, 1 if the code may take others, 2 if it takes no others.
/// - `expects_error`: the code around the call expects that it fails, as `pytest.raises` does. The index counts an
///   optional parameter that only such calls pass as never passed.
pub(super) const CALLS: Schema = &[
    ("path", Text),
    ("line", Number),
    ("col", Number),
    ("origin", Text),
    ("caller", Text),
    ("form", Text),
    ("resolution", Text),
    ("callee", OptionalText),
    ("callee_source", OptionalText),
    ("callee_number", Number),
    ("callee_name", OptionalText),
    ("callee_class", OptionalText),
    ("through", OptionalText),
    ("on_classes", Texts),
    ("params", Texts),
    ("by_position", Texts),
    ("hidden", Texts),
    ("value_params", Texts),
    ("literals", Texts),
    ("spread", Flag),
    ("open", Flag),
    ("overload", Number),
    ("overload_is_certain", Flag),
    ("expects_error", Flag),
    ("members", Texts),
    ("members_known", Number),
];

/// The columns of `reads`: a row per read of an attribute, sorted by attribute. `counts` is true for the first read of
/// the attribute in a function or module body: only this read is counted. `attribute_class` is the FQN of the class
/// whose inherited attribute the read may also count for, and `counts_for_class` is true if it does. `through` is the
/// FQN of the constant whose value has the attribute. `on_classes` are the FQNs of the public classes that inherit the
/// attribute from a public base, and for which the read is the first one in a function or module body.
pub(super) const READS: Schema = &[
    ("path", Text),
    ("line", Number),
    ("col", Number),
    ("origin", Text),
    ("reader", Text),
    ("attribute", Text),
    ("attribute_source", Text),
    ("attribute_number", Number),
    ("attribute_class", OptionalText),
    ("through", OptionalText),
    ("counts", Flag),
    ("counts_for_class", Flag),
    ("on_classes", Texts),
];

/// The columns of `uses`: a row per use that is neither a call nor a read, sorted by definition. The columns are those
/// of `calls --uses`; `definition`, `definition_source`, `definition_number` are `fqn`, the partition `source` and
/// `number` of `definitions`.
pub(super) const USES: Schema = &[
    ("path", Text),
    ("line", Number),
    ("col", Number),
    ("origin", Text),
    ("user", Text),
    ("definition", Text),
    ("definition_source", Text),
    ("definition_number", Number),
    ("kind", Text),
    ("to", OptionalText),
    ("param", OptionalText),
    ("key", OptionalText),
];

/// The columns of `ledger`: `what` is a `resolution` of calls, or `spread`. Rows without `method` and `candidate` are
/// the sums of the source. Rows with `method` are the parts of `unknown_receiver` by the name of the called method;
/// rows with `candidate` count the ambiguous calls that have this candidate.
pub(super) const LEDGER: Schema = &[
    ("what", Text),
    ("method", OptionalText),
    ("candidate", OptionalText),
    ("candidate_source", OptionalText),
    ("candidate_number", Number),
    ("calls", Number),
];

/// The error of a table whose columns are not those of its schema: nothing is left out.
const SHORT: &str = "the columns of a table differ from its schema";

pub(super) fn push_definition(columns: &mut [Column], fact: &DefinitionFact<'_>) -> anyhow::Result<()> {
    let [fqn, number, name, kind, is_public, path, line, parameters, required, entry] = columns else { bail!(SHORT) };
    fqn.push_text(fact.name.fqn);
    number.push_number(fact.name.number);
    name.push_text(fact.alias);
    kind.push_text(fact.kind);
    is_public.push_flag(fact.is_public);
    path.push_text(fact.path);
    line.push_number(fact.line);
    parameters.push_texts(fact.parameters.iter().map(CompactString::as_str));
    required.push_texts(fact.required.iter().map(CompactString::as_str));
    entry.push_optional(fact.entry.as_deref());
    Ok(())
}

/// The FQN and the entry of a definition that has one.
pub(super) fn take_definition(columns: &mut [Column]) -> anyhow::Result<Option<(&str, &str)>> {
    let [fqn, .., entry] = columns else { bail!(SHORT) };
    let (fqn, entry) = (fqn.text()?, entry.optional()?);
    Ok(entry.map(|entry| (fqn, entry)))
}

pub(super) fn push_call(columns: &mut [Column], row: &CallRow<'_>) -> anyhow::Result<()> {
    let [
        path,
        line,
        col,
        origin,
        caller,
        form,
        resolution,
        callee,
        callee_source,
        callee_number,
        callee_name,
        class,
        through,
        on_classes,
        rest @ ..,
    ] = columns
    else {
        bail!(SHORT)
    };
    let [params, positional, unknown, value_params, literals, spread, open, rest @ ..] = rest else { bail!(SHORT) };
    let [overload, is_certain, expects_error, members, members_known] = rest else { bail!(SHORT) };
    let call = &row.call;
    path.push_text(call.path);
    line.push_number(call.line);
    col.push_number(call.col);
    origin.push_text(call.origin.word());
    caller.push_text(call.caller);
    form.push_text(call.form);
    resolution.push_text(call.resolution);
    callee.push_optional(call.callee.map(|callee| callee.fqn));
    callee_source.push_optional(call.callee.map(|callee| callee.source));
    callee_number.push_number(call.callee.map_or(0, |callee| callee.number));
    callee_name.push_optional(call.alias);
    class.push_optional(call.class);
    through.push_optional(call.through);
    on_classes.push_texts(row.on_classes.iter().copied());
    params.push_texts(row.params.iter().copied());
    positional.push_texts(row.positional.iter().copied());
    unknown.push_texts(row.unknown.iter().copied());
    value_params.push_texts(row.literals.iter().map(|literal| literal.parameter));
    literals.push_texts(row.literals.iter().map(|literal| literal.text.as_str()));
    spread.push_flag(call.spread);
    open.push_flag(call.open);
    overload.push_number(call.overload.map_or(0, |overload| u32::from(overload.position) + 1));
    is_certain.push_flag(call.overload.is_some_and(|overload| overload.is_certain));
    expects_error.push_flag(call.expects_error);
    members.push_texts(row.members.iter().copied());
    members_known.push_number(match call.members_known {
        MembersKnown::No => 0,
        MembersKnown::InPart => 1,
        MembersKnown::Yes => 2,
    });
    Ok(())
}

pub(super) fn take_call(columns: &mut [Column]) -> anyhow::Result<CallRow<'_>> {
    let [
        path,
        line,
        col,
        from,
        caller,
        form,
        resolution,
        callee,
        callee_source,
        callee_number,
        callee_name,
        class,
        through,
        on_classes,
        rest @ ..,
    ] = columns
    else {
        bail!(SHORT)
    };
    let [params, positional, unknown, value_params, literals, spread, open, rest @ ..] = rest else { bail!(SHORT) };
    let [overload, is_certain, expects_error, members, members_known] = rest else { bail!(SHORT) };
    let callee = name(callee.optional()?, callee_source.optional()?, callee_number.number()?);
    let (position, is_certain) = (overload.number()?, is_certain.flag()?);
    let position = position.checked_sub(1).map(u16::try_from).transpose()?;
    let pairs = value_params.texts()?.into_iter().zip(literals.texts()?);
    Ok(CallRow {
        call: CallFact {
            path: path.text()?,
            line: line.number()?,
            col: col.number()?,
            origin: origin(from.text()?)?,
            caller: caller.text()?,
            form: form.text()?,
            resolution: resolution.text()?,
            callee,
            alias: callee_name.optional()?,
            class: class.optional()?,
            through: through.optional()?,
            spread: spread.flag()?,
            open: open.flag()?,
            expects_error: expects_error.flag()?,
            overload: position.map(|position| Overload { position, is_certain }),
            members_known: match members_known.number()? {
                0 => MembersKnown::No,
                1 => MembersKnown::InPart,
                _ => MembersKnown::Yes,
            },
        },
        params: params.texts()?,
        positional: positional.texts()?,
        unknown: unknown.texts()?,
        members: members.texts()?,
        on_classes: on_classes.texts()?,
        literals: pairs.map(|(parameter, text)| Literal { parameter, text: text.into() }).collect(),
    })
}

pub(super) fn push_read(columns: &mut [Column], read: &ReadFact<'_>) -> anyhow::Result<()> {
    let [path, line, col, origin, reader, rest @ ..] = columns else { bail!(SHORT) };
    let [attribute, source, number, class, through, counts, counts_for_class, on_classes] = rest else { bail!(SHORT) };
    path.push_text(read.path);
    line.push_number(read.line);
    col.push_number(read.col);
    origin.push_text(read.origin.word());
    reader.push_text(read.reader);
    attribute.push_text(read.attribute.fqn);
    source.push_text(read.attribute.source);
    number.push_number(read.attribute.number);
    class.push_optional(read.class);
    through.push_optional(read.through);
    counts.push_flag(read.counts);
    counts_for_class.push_flag(read.counts_for_class);
    on_classes.push_texts(read.on_classes.iter().copied());
    Ok(())
}

pub(super) fn take_read(columns: &mut [Column]) -> anyhow::Result<ReadFact<'_>> {
    let [path, line, col, from, reader, rest @ ..] = columns else { bail!(SHORT) };
    let [attribute, source, number, class, through, counts, counts_for_class, on_classes] = rest else { bail!(SHORT) };
    Ok(ReadFact {
        path: path.text()?,
        line: line.number()?,
        col: col.number()?,
        origin: origin(from.text()?)?,
        reader: reader.text()?,
        attribute: DefinitionName { fqn: attribute.text()?, source: source.text()?, number: number.number()? },
        class: class.optional()?,
        through: through.optional()?,
        counts: counts.flag()?,
        counts_for_class: counts_for_class.flag()?,
        on_classes: on_classes.texts()?,
    })
}

pub(super) fn push_use(columns: &mut [Column], found: &UseFact<'_>) -> anyhow::Result<()> {
    let [path, line, col, origin, user, definition, source, number, kind, to, param, key] = columns else {
        bail!(SHORT)
    };
    path.push_text(found.path);
    line.push_number(found.line);
    col.push_number(found.col);
    origin.push_text(found.origin.word());
    user.push_text(found.user);
    definition.push_text(found.definition.fqn);
    source.push_text(found.definition.source);
    number.push_number(found.definition.number);
    kind.push_text(found.kind);
    to.push_optional(found.used_as.to);
    param.push_optional(found.used_as.param.as_deref());
    key.push_optional(found.used_as.key);
    Ok(())
}

pub(super) fn push_ledger(columns: &mut [Column], row: &LedgerFact<'_>) -> anyhow::Result<()> {
    let [what, method, candidate, source, number, calls] = columns else { bail!(SHORT) };
    what.push_text(row.what);
    method.push_optional(row.method);
    candidate.push_optional(row.candidate.map(|name| name.fqn));
    source.push_optional(row.candidate.map(|name| name.source));
    number.push_number(row.candidate.map_or(0, |name| name.number));
    calls.push_number(row.calls);
    Ok(())
}

pub(super) fn take_ledger(columns: &mut [Column]) -> anyhow::Result<LedgerFact<'_>> {
    let [what, method, candidate, source, number, calls] = columns else { bail!(SHORT) };
    Ok(LedgerFact {
        what: what.text()?,
        method: method.optional()?,
        candidate: name(candidate.optional()?, source.optional()?, number.number()?),
        calls: calls.number()?,
    })
}

fn name<'c>(fqn: Option<&'c str>, source: Option<&'c str>, number: u32) -> Option<DefinitionName<'c>> {
    Some(DefinitionName { fqn: fqn?, source: source?, number })
}

fn origin(word: &str) -> anyhow::Result<Origin> {
    let origin = Origin::ALL.into_iter().find(|origin| origin.word() == word);
    origin.with_context(|| format!("`{}` is no origin", word.escape_debug()))
}
