//! Sorts whose machine code exists once. The library's sorts are compiled for each type of item and for each order,
//! which is some seven kilobytes for every place that sorts.

use std::cmp::Ordering;

/// Stable sorts by an order that the caller gives. A place that sorts adds its comparison and its exchange of two items
/// to the program, and no sort of its own.
///
/// Each sort allocates one number per item. Loops that run for every call site sort with the library's own functions.
pub trait SharedSort<T> {
    /// Sorts the items. Items that compare equal keep their order.
    fn shared_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts the items by a key. Items of equal keys keep their order.
    fn shared_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.shared_sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> SharedSort<T> for [T] {
    fn shared_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        if self.len() < 2 {
            return;
        }
        let mut order = sorted_positions(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        arrange(&mut order, &mut |a, b| self.swap(a, b));
    }
}

/// The positions from 0 to `len`, sorted by `compare`, which compares the items at two positions.
fn sorted_positions(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

/// Moves items so that each place `i` gets the item that was at `order[i]`. `swap` exchanges the items at two
/// positions. The content of `order` is used up.
fn arrange(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_sort_gives_the_order_of_the_library_s_stable_sort() {
        let mut random = 7_u32;
        for len in 0..200 {
            let items: Vec<(u32, usize)> = (0..len)
                .map(|position| {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (random >> 27, position)
                })
                .collect();
            let (mut ours, mut library) = (items.clone(), items);
            ours.shared_sort_by_key(|(key, _)| *key);
            library.sort_by_key(|(key, _)| *key);
            assert_eq!(ours, library);
        }
    }
}
