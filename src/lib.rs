//! The program `apidisc-tui`: the part of an API that people really use, counted, shown and printed.
//!
//! The engine, the package [`apidisc`], counts the calls and makes the stubs; its documentation lists its modules. This
//! package contains the user interfaces of the engine, called faces, and the modules that they share:
//!
//! | module | what it is for |
//! | --- | --- |
//! | [`tui`] | the explorer; its documentation shows the order of its modules |
//! | [`cli`] | the commands that print and exit, a file per command |
//! | [`serve`] | the server that agents ask; its documentation lists its files |
//! | [`live`] | an index that follows its sources, for every face |
//! | [`cache`] | the facts of files, kept between runs, for every face |
//! | [`facts`] | facts of an index as Parquet files, for query engines |
//! | [`clones`] | clones of remote repositories, made by git |
//! | [`clipboard`] | copying to the clipboard |
//! | [`models`] | models of word vectors that a user brings, for every face |
//! | [`packages`] | the installed packages that a program uses, for every face |
//! | [`upgrades`] | a program with two versions of a package, for every face |
//! | `archives` | archives of packages: wheels, packages of npm |
//! | [`writing`] | replacing files as a whole, for every face |
//! | [`sessions`] | the file with the state of agents' sessions, for every face |
//! | [`requests`] | the log of agents' requests: the server writes it, the explorer shows it |
//! | [`places`] | the folders of configuration, state and cache |
//! | `clock` | the present time |
//! | `threads` | the priority of background threads, and their panics as values |
//! | [`demo`] | the bundled demo project |
//!
//! **Architecture invariant.** The engine does not depend on a face: it uses no screen, clock, terminal, network or
//! async runtime. [`cli`], [`tui`] and [`serve`] call the engine, never each other; only `main.rs` uses
//! all of them.
//!
//! **Architecture invariant.** Every face gets its stubs from the packer of [`apidisc::delivery`], so that the explorer
//! shows the bytes that `--export` prints.
//!
//! **Architecture invariant.** In the explorer only `tui::runtime` uses the terminal, the clock, files and processes.
//! `tui::update` returns effects, `tui::view` draws the model.

mod archives;
pub mod cache;
pub mod cli;
pub mod clipboard;
mod clock;
pub mod clones;
pub mod demo;
pub mod facts;
pub mod live;
pub mod models;
pub mod packages;
pub mod places;
pub mod requests;
pub mod serve;
pub mod sessions;
mod threads;
pub mod tui;
pub mod upgrades;
pub mod writing;
