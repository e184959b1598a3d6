//! Fits a text of several parts into a budget.

use super::AnswerError;
use apidisc_tokens::Tokenizer;

/// A text that fits, with the number of its parts and of its tokens.
#[derive(Debug)]
pub struct Fitted {
    /// The text.
    pub text: String,
    pub(crate) parts: usize,
    /// The number of its tokens.
    pub tokens: usize,
}

/// The text with as many of `parts` parts as fit into `max_tokens` tokens. `render` writes as many of the first parts
/// as its argument says, and the number of parts that it leaves out.
///
/// # Errors
/// [`AnswerError::BudgetTooSmall`] if the text without any part does not fit.
pub fn fit(
    tokenizer: &Tokenizer,
    max_tokens: usize,
    parts: usize,
    render: impl Fn(usize) -> String,
) -> Result<Fitted, AnswerError> {
    let fitted = |parts| {
        let text = render(parts);
        let tokens = tokenizer.count(&text);
        Fitted { text, parts, tokens }
    };
    let whole = fitted(parts);
    if whole.tokens <= max_tokens {
        return Ok(whole);
    }
    let least = fitted(0);
    if least.tokens > max_tokens {
        return Err(AnswerError::BudgetTooSmall { smallest: least.tokens, max_tokens });
    }
    // The text with the most parts that is known to fit, and the least number of parts that is known not to fit.
    let (mut best, mut most) = (least, parts);
    while best.parts + 1 < most {
        let middle = fitted(best.parts.midpoint(most));
        if middle.tokens <= max_tokens {
            best = middle;
        } else {
            most = middle.parts;
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::{AnswerError, fit};
    use apidisc_tokens::{Encoding, Tokenizer};

    #[test]
    fn as_many_parts_as_fit() {
        let tokenizer = Tokenizer::load(Encoding::default());
        let render = |parts: usize| format!("{parts} of 50\n{}", "word\n".repeat(parts));
        for budget in 6..120 {
            let fitted = fit(&tokenizer, budget, 50, render).expect("it fits");
            assert_eq!((fitted.tokens, fitted.text), (tokenizer.count(&render(fitted.parts)), render(fitted.parts)));
            assert!(fitted.tokens <= budget);
            assert!(fitted.parts == 50 || tokenizer.count(&render(fitted.parts + 1)) > budget);
        }
        let smallest = tokenizer.count(&render(0));
        let error = fit(&tokenizer, 2, 50, render).expect_err("too small");
        assert_eq!(error, AnswerError::BudgetTooSmall { smallest, max_tokens: 2 });
    }
}
