//! Files that are no files: links, loops, pipes, sockets, folders, devices and huge lines in the place of each file
//! that the program reads. The program ends, in bounded memory, says it, and indexes the rest.

// Tests may panic: that is how they fail.
#![allow(clippy::unwrap_used)]
#![cfg(unix)]

mod bounded;
mod plant;
mod source;
mod user;
