//! Tells the program the hash of its sources.

fn main() {
    apidisc_sources::tell();
}
