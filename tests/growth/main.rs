//! Growth: how the work and the memory of a build grow when one axis of a program is doubled.
//!
//! Each axis is a function that generates a program of a given size. A test indexes the program at a size and at twice
//! that size, and asserts ratios of counted work: calls of the allocator, bytes held at the peak, and steps of type
//! inference. Time is never asserted.

mod broken;
mod delivery;
mod limits;
mod python;
mod python_types;
mod typescript;
mod work;
