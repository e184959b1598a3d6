//! The origin of the receiver of a call, as a reference to an earlier call of the same file.

use super::CallId;

/// The origin of the receiver of a call, as far as the file of the call shows it.
///
/// In `client = Client()`, `reply = client.get(url)`, `reply.json()` and `client.close()`, the receiver of `get` and of
/// `close` is the result of `Client`, and the receiver of `json` is the result of `get`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiverValue {
    /// The receiver is the result of this call. A variable, `with … as x`, or `await` may stand between them.
    ResultOf(CallId),
    /// The receiver is a variable or parameter whose value no call of the file returns. The call is the first call of
    /// the file on this variable or parameter.
    SharedWith(CallId),
}

/// A [`ReceiverValue`] in two bytes: twice the distance to the earlier call, plus 1 for a shared receiver. 0 if the
/// value is not known, or if the earlier call is too far away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverLink(u16);

impl ReceiverLink {
    /// The link of the call at `own` to the call at `earlier`, both as positions among the calls of the file.
    pub fn new(own: usize, earlier: usize, is_shared: bool) -> Self {
        let distance = own.checked_sub(earlier).filter(|distance| (1..=usize::from(u16::MAX / 2)).contains(distance));
        Self(distance.map_or(0, |distance| distance as u16 * 2 + u16::from(is_shared)))
    }

    /// The value of the receiver of the call `own`.
    pub(crate) fn value(self, own: CallId) -> Option<ReceiverValue> {
        let earlier = CallId::new(own.index().checked_sub(usize::from(self.0 / 2)).filter(|_| self.0 > 1)?);
        Some(if self.0 % 2 == 1 { ReceiverValue::SharedWith(earlier) } else { ReceiverValue::ResultOf(earlier) })
    }
}

impl apidisc_base::packed::Packed for ReceiverLink {
    fn pack(&self, to: &mut apidisc_base::packed::PackWriter) {
        self.0.pack(to);
    }

    fn unpack(from: &mut apidisc_base::packed::PackReader<'_>) -> Option<Self> {
        u16::unpack(from).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_back_to_the_earlier_call() {
        let value = |own, earlier, is_shared| ReceiverLink::new(own, earlier, is_shared).value(CallId::new(own + 10));
        assert_eq!(value(7, 4, false), Some(ReceiverValue::ResultOf(CallId::new(14))));
        assert_eq!(value(7, 4, true), Some(ReceiverValue::SharedWith(CallId::new(14))));
        assert_eq!(value(40_000, 39_999, true), Some(ReceiverValue::SharedWith(CallId::new(40_009))));
        // Too far away, itself, and later.
        assert_eq!([value(40_000, 0, false), value(4, 4, true), value(4, 5, false)], [None; 3]);
    }
}
