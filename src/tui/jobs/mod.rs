//! The explorer's work outside the drawing thread, one file per job. Each job is a plain function that takes a
//! description of the work and answers with messages.
//!
//! The functions start no threads of their own and read no clock. The runtime calls them on its threads; tests call
//! them directly.

mod ask;
mod compare_stubs;
mod date_files;
mod deliver;
mod deliver_part;
mod discover;
mod filter_list;
mod find;
mod highlight;
mod hold_out;
mod price_neighbours;
mod read_arguments;
mod read_calls;
mod read_card;
mod read_documents;
mod read_excerpt;
mod read_part;
mod recount;
mod trace_curve;

pub use ask::{AskJob, ask, colour_conversation};
pub use compare_stubs::{CompareStubsJob, compare_stubs};
pub use date_files::{DateFilesJob, date_files};
pub use deliver::{DeliverJob, deliver};
pub use deliver_part::{DeliverPartJob, deliver_part};
pub use discover::{DiscoverJob, NewestCorpus, discover};
pub use filter_list::{FilterListJob, filter_list};
pub use find::{FindJob, SearcherCache, find};
pub use highlight::{HighlightJob, highlight};
pub use hold_out::{HoldOutJob, hold_out};
pub use price_neighbours::{PriceNeighboursJob, price_neighbours};
pub use read_arguments::{ReadArgumentsJob, read_arguments};
pub use read_calls::{ReadCallsJob, read_calls};
pub use read_card::{ReadCardJob, read_card};
pub use read_documents::{ReadDocumentsJob, read_documents};
pub use read_excerpt::{ReadExcerptJob, read_excerpt};
pub use read_part::{ReadPartJob, read_part};
pub use recount::{RecountJob, recount};
pub use trace_curve::{TraceCurveJob, trace_curve};

use super::model::tuning::CurveRequest;
use crate::live::PackerKey;

fn packer_key(curve_request: CurveRequest) -> PackerKey {
    let CurveRequest { generation, scope, encoding, revision, .. } = curve_request;
    PackerKey { generation, scope, encoding, revision }
}
