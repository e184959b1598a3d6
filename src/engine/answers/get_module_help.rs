//! `get_module_help`: the delivered stub, in the bytes of `--export`.

use super::{AnswerError, Context, GetModuleHelp};
use crate::delivery::Delivery;

/// The stub. [`Delivery::text`] is the answer as it is, and nothing is added to it.
///
/// # Errors
/// [`AnswerError`] if the names are unknown, or if the budget is too small.
pub fn get_module_help(context: &Context<'_>, request: &GetModuleHelp) -> Result<Delivery, AnswerError> {
    let _ = (context, request);
    todo!()
}
