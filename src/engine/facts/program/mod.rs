//! The data types of a linked program: definitions, signatures, and the calls, reads and other uses of definitions.

mod call_site;
mod calls;
mod definition;
mod http;
mod ids;
mod made_outside;
mod parameter_set;
mod passed_keys;
mod reads;
mod receiver_value;
mod returned_object;
mod signature;
mod uses;

pub use call_site::SPREAD;
pub use call_site::{
    Argument, ArgumentKind, BoundParameter, CallForm, CallSite, CallSyntax, PropertyArgument, Resolution,
    UnresolvedReason,
};
pub use calls::CallsBuilder;
pub use calls::{ArgumentsId, Calls, CandidatesId, OverloadChoice};
pub use definition::{CHOSEN_KEYS_END, ELIDED_OBJECT, OPEN_OBJECT};
pub use definition::{DefinitionKind, DefinitionPlace, Modifiers};
pub use http::{HttpCall, HttpRequest, HttpRoute, HttpUses, PassedName, PassedNames};
pub use ids::{CallId, DefinitionId, FileId, ModuleId, ReadId};
pub use made_outside::{made_outside, with_imports};
pub use parameter_set::ParameterSet;
pub use passed_keys::{PassedKey, PassedKeys, PassedKeysBuilder};
pub use reads::ReadSite;
pub use receiver_value::ReceiverLink;
pub use receiver_value::ReceiverValue;
pub use returned_object::{ResultShape, ReturnedMember, ReturnedObject, TakenMembers};
pub use signature::{Parameter, ParameterKind, Signature};
pub use signature::{most_passed, nameless_parameter, unknown_parameter};
pub use uses::{OtherUse, OtherUses, PassedTo, UseKind};
