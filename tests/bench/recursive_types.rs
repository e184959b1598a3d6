//! Judges programs of recursive types (`tests/fuzz/programs`): each is indexed and exported by a process of its own,
//! with 5 s of CPU time and 1 GB of memory, and must end without a complaint of the system.
//!
//! ```sh
//! cargo bench --bench recursive_types -- --language typescript --programs 12000
//! cargo bench --bench recursive_types -- --language python --programs 4000 --first 20000 --failures /tmp/failures
//! cargo bench --bench recursive_types -- --language python --binary OTHER-BUILD/apidisc-tui
//! ```
//!
//! A line for each program that fails has its number and how it died; `--failures` keeps these programs, and
//! `--shrink` keeps of each what it needs to fail. `--binary` judges a build of apidisc-tui; without it the process is
//! this one, which also checks what the fuzz targets check.

use std::{
    collections::BTreeMap,
    env, fs, io,
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use anyhow::{Context as _, Result};
use clap::{Parser, ValueEnum};
use targets::programs::{self, Grammar};

#[path = "../fuzz/targets.rs"]
#[allow(dead_code, reason = "the targets of other inputs")]
mod targets;

/// The CPU time of a program, in seconds.
const SECONDS: u32 = 5;
/// The address space of a program, in kilobytes.
const KILOBYTES: u32 = 1 << 20;
/// The signals that end a process whose CPU time is used up.
const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;

#[derive(Parser)]
struct Options {
    /// The language of the programs
    #[arg(long)]
    language: Option<Language>,
    /// How many programs are judged
    #[arg(long, default_value_t = 1_000)]
    programs: u64,
    /// The number of the first program
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// A build of apidisc-tui to judge
    #[arg(long)]
    binary: Option<PathBuf>,
    /// A folder for the programs that fail, each in a folder with its number
    #[arg(long)]
    failures: Option<PathBuf>,
    /// Delete what a program that is kept does not need to fail
    #[arg(long, requires = "failures")]
    shrink: bool,
    /// How many programs are judged at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Index and export the files of this folder: what a process of a program does
    #[arg(long, hide = true)]
    folder: Option<PathBuf>,
    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Language {
    Python,
    Typescript,
}

impl Language {
    fn grammar(self) -> &'static Grammar {
        match self {
            Self::Python => &programs::PYTHON,
            Self::Typescript => &programs::TYPESCRIPT,
        }
    }
}

/// The files of a program: path and text.
type Files = Vec<(String, String)>;

fn main() -> Result<()> {
    let options = Options::parse();
    if let Some(folder) = &options.folder {
        targets::index_and_export(read(folder)?);
        return Ok(());
    }
    // `cargo test --benches` names no language.
    let Some(language) = options.language else { return Ok(()) };
    let judge = Judge::new(&options)?;
    let (next, deaths) = (AtomicU64::new(options.first), Mutex::new(BTreeMap::<Death, usize>::new()));
    let work = || -> Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= options.first.saturating_add(options.programs) {
                return Ok(());
            }
            let files = programs::program(language.grammar(), &programs::input(number)).files;
            let Some((death, message)) = judge.death(number, &files)? else { continue };
            println!("{number}: {death:?} {message}");
            *deaths.lock().expect("no thread has panicked").entry(death).or_default() += 1;
            if let Some(folder) = &options.failures {
                let files = if options.shrink { judge.shrink(number, files, death)? } else { files };
                write(&folder.join(number.to_string()), &files)?;
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("it does not panic"))
    })?;
    let deaths = deaths.into_inner().expect("no thread has panicked");
    println!("{} programs, {} failed: {deaths:?}", options.programs, deaths.values().sum::<usize>());
    Ok(())
}

/// How a process ended that should not have ended so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Death {
    Stack,
    Panic,
    Time,
    Memory,
    Other,
}

impl Death {
    /// Nothing for an output that is right. A program without a definition is refused with a line and the status 1.
    fn of(output: &Output) -> Option<(Self, String)> {
        let errors = String::from_utf8_lossy(&output.stderr);
        let message = |part: &str| errors.lines().skip_while(|line| !line.contains(part)).take(2).collect::<Vec<_>>();
        let cases =
            [("overflowed its stack", Self::Stack), ("memory allocation", Self::Memory), ("panicked", Self::Panic)];
        if let Some((part, death)) = cases.into_iter().find(|(part, _)| errors.contains(part)) {
            return Some((death, message(part).join(" ")));
        }
        match (output.status.code(), output.status.signal()) {
            (Some(0 | 1), _) => None,
            (_, Some(SIGKILL | SIGXCPU)) => Some((Self::Time, String::new())),
            _ => Some((Self::Other, format!("{} {}", output.status, errors.trim_end()))),
        }
    }
}

/// Runs programs.
struct Judge {
    program: PathBuf,
    option: &'static str,
    /// The folder of the programs that are judged now.
    folder: tempfile::TempDir,
}

impl Judge {
    fn new(options: &Options) -> Result<Self> {
        let (program, option) = match &options.binary {
            Some(binary) => (fs::canonicalize(binary).context("--binary")?, "--export"),
            None => (env::current_exe()?, "--folder"),
        };
        Ok(Self { program, option, folder: tempfile::tempdir()? })
    }

    fn death(&self, number: u64, files: &Files) -> Result<Option<(Death, String)>> {
        let folder = self.folder.path().join(number.to_string());
        write(&folder, files)?;
        let script = format!("ulimit -c 0; ulimit -t {SECONDS}; ulimit -v {KILOBYTES}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).arg(&self.program).arg(self.option).arg(&folder).stdin(Stdio::null());
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command.env("HOME", self.folder.path()).env("APIDISC_CACHE", "off").env("RAYON_NUM_THREADS", "1");
        let output = command.output()?;
        fs::remove_dir_all(&folder)?;
        Ok(Death::of(&output))
    }

    /// The lines, and of these the words, without which the program does not die this way.
    fn shrink(&self, number: u64, files: Files, death: Death) -> Result<Files> {
        let fails =
            |files: &Files| -> Result<bool> { Ok(self.death(number, files)?.is_some_and(|(kind, _)| kind == death)) };
        let mut files = files;
        for split in [lines, words] {
            for at in 0..files.len() {
                let mut pieces = split(&files[at].1);
                let mut size = pieces.len();
                while size > 0 {
                    let mut start = 0;
                    while start < pieces.len() {
                        let mut fewer = pieces.clone();
                        fewer.drain(start..(start + size).min(pieces.len()));
                        let before = std::mem::replace(&mut files[at].1, fewer.concat());
                        if fails(&files)? {
                            pieces = fewer;
                        } else {
                            files[at].1 = before;
                            start += size;
                        }
                    }
                    size /= 2;
                }
            }
        }
        Ok(files)
    }
}

fn lines(text: &str) -> Vec<String> {
    text.split_inclusive('\n').map(str::to_owned).collect()
}

/// Words, and each other character.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for c in text.chars() {
        match words.last_mut() {
            Some(word) if c.is_alphanumeric() && word.ends_with(char::is_alphanumeric) => word.push(c),
            _ => words.push(c.to_string()),
        }
    }
    words
}

fn write(folder: &Path, files: &Files) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    files.iter().try_for_each(|(path, text)| fs::write(folder.join(path), text))
}

fn read(folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let file = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?))
    };
    let mut files = fs::read_dir(folder)?.map(file).collect::<Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}
